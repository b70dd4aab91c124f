/* Entries of a section that name each other, in any order: each is read after those it names. */
#ifndef MODELS_SECTIONS_REFERENCES_H
#define MODELS_SECTIONS_REFERENCES_H

#include "models/reader.h"

typedef struct reference_rules {
  const char *noun; /* of several entries */
  const char *fix;  /* of a circle */
  /* Checks the name of an entry; all names come before all texts. */
  seam_status (*check_name)(reader *r, const yaml_node *key);
  /* The expression in an entry that may name others; NULL: there is none. */
  const char *(*text)(const reader *r, const yaml_node *value);
  seam_status (*read)(reader *r, yaml_node *value);
} reference_rules;

seam_status references_read(reader *r, const yaml_node *section, const reference_rules *rules);

#endif
