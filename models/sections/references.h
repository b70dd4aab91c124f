/* Reads entries that refer to each other in any order. Each entry is read after those to which it refers. */
#ifndef MODELS_SECTIONS_REFERENCES_H
#define MODELS_SECTIONS_REFERENCES_H

#include "models/sections/quantities_section.h"

typedef struct reference reference;

typedef struct reference_rules {
  const char *noun; /* the entries, for messages */
  const char *fix;  /* advice against a circle */
  seam_status (*read)(reader *r, const reference *one);
} reference_rules;

struct reference {
  const reference_rules *rules;
  const char *name;         /* name by which others refer to the entry */
  yaml_node *value;         /* node for messages */
  const char *text;         /* expression that may refer to other entries; NULL: none */
  short_names aliases;      /* short names that the text may use */
  const char *const *names; /* (n_names) other entries beside those in the text */
  size_t n_names;
  void *data; /* argument for the caller's `read` */
};

/* Reads all n entries. Fails at a circle, with the rules of its first entry with several short names or, if there is
 * none, of the entry at which it was found. */
seam_status references_read(reader *r, const reference *all, size_t n);

#endif
