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
  const char *const *names; /* (n_names) further entries to which the entry refers */
  size_t n_names;
  void *data; /* argument for the caller's `read` */
};

/* Reads all n entries. Fails if entries refer to each other in a circle. The message has the noun and fix of the
 * circle's first entry with several short names or, if there is none, of the entry that closes it. */
seam_status references_read(reader *r, const reference *all, size_t n);

#endif
