/* Names of bodies, joints and forces: one set, since they are unique across all three. */
#ifndef MBS_NAMES_H
#define MBS_NAMES_H

#include <stdbool.h>

typedef enum mbs_name_kind { MBS_NAME_BODY, MBS_NAME_JOINT, MBS_NAME_FORCE } mbs_name_kind;

typedef struct mbs_name {
  char *text;
  mbs_name_kind kind;
  int index; /* -1: the ground */
} mbs_name;

/* A balanced tree of mbs_name (POSIX tsearch); an empty set is NULL. */
typedef void *mbs_names;

/* NULL when the name is not there. */
const mbs_name *mbs_names_find(const mbs_names *names, const char *text);
/* Copies the text; the name must not be there yet. NULL when memory is exhausted. */
const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index);
void mbs_names_clear(mbs_names *names);

#endif
