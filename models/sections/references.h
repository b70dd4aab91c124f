/* Entries that refer to each other in any order: each is read after those it refers to. */
#ifndef MODELS_SECTIONS_REFERENCES_H
#define MODELS_SECTIONS_REFERENCES_H

#include "models/sections/quantities_section.h"

typedef struct reference reference;

typedef struct reference_rules {
  const char *noun; /* plural, for messages */
  const char *fix;  /* fix for a circular reference */
  seam_status (*read)(reader *r, const reference *one);
} reference_rules;

struct reference {
  const reference_rules *rules;
  const char *name;         /* name used by others */
  yaml_node *value;         /* node that messages point to */
  const char *text;         /* expression that may name others; NULL: none */
  short_names own;          /* short names in the text */
  const char *const *names; /* (n_names) other names besides those in the text */
  size_t n_names;
  void *data; /* argument for `read` */
};

/* Reads references. A circle of references fails with the noun and the fix of its first entry that has more than one
 * short name; if there is none, of the entry where the circle was found. */
seam_status references_read(reader *r, const reference *all, size_t n);

#endif
