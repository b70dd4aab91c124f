/* Entries that name each other, in any order: each is read after those it names. */
#ifndef MODELS_SECTIONS_REFERENCES_H
#define MODELS_SECTIONS_REFERENCES_H

#include "models/sections/quantities_section.h"

typedef struct reference reference;

typedef struct reference_rules {
  const char *noun; /* of several entries */
  const char *fix;  /* of a circle */
  seam_status (*read)(reader *r, const reference *one);
} reference_rules;

struct reference {
  const reference_rules *rules;
  const char *name;         /* by which others name it */
  yaml_node *value;         /* where it stands */
  const char *text;         /* an expression that may name others; NULL: none */
  own_names own;            /* short names in the text */
  const char *const *names; /* (n_names) of others, beside those in the text */
  size_t n_names;
  void *data; /* of the rules */
};

/* Reads references. In circles through entries of several kinds, the message is that of the first one with short names
 * of others. */
seam_status references_read(reader *r, const reference *all, size_t n);

#endif
