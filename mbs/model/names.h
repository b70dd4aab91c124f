/* Names of bodies, joints, forces, measures, events and variables, unique among all of them. */
#ifndef MBS_NAMES_H
#define MBS_NAMES_H

#include <stddef.h>

typedef enum mbs_name_kind {
  MBS_NAME_BODY,
  MBS_NAME_JOINT,
  MBS_NAME_FORCE,
  MBS_NAME_MEASURE,
  MBS_NAME_EVENT,
  MBS_NAME_VARIABLE
} mbs_name_kind;

typedef struct mbs_name {
  const char *text;
  mbs_name_kind kind;
  int index; /* -1: the ground */
} mbs_name;

/* A hash table; NULL counts as an empty table. */
typedef struct mbs_names mbs_names;

/* Returns NULL when memory is exhausted. */
mbs_names *mbs_names_create(void);
void mbs_names_destroy(mbs_names *names);

/* Finds a name by its text; NULL: there is no such name. The result is valid until the next name is added. */
const mbs_name *mbs_names_find(const mbs_names *names, const char *text);
/* Does the same as mbs_names_find() for the first `length` characters of a text. */
const mbs_name *mbs_names_find_part(const mbs_names *names, const char *text, size_t length);
/* Returns name `number` (from 0) in the order in which names were added; NULL: there are not so many names. */
const mbs_name *mbs_names_at(const mbs_names *names, size_t number);
/* Adds a name, which must be new, with a copy of the text that stays valid. Returns NULL when memory is exhausted. */
const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index);

#endif
