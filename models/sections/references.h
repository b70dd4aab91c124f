/* Reads entries that refer to each other in any order. Each entry is read after those to which it refers. */
#ifndef MODELS_SECTIONS_REFERENCES_H
#define MODELS_SECTIONS_REFERENCES_H

#include "models/sections/quantities_section.h"

typedef struct reference reference;

typedef struct reference_rules {
  const char *noun; /* plural of the entries' kind, for messages */
  const char *fix;  /* advice for entries that refer to each other in a circle */
  seam_status (*read)(reader *r, const reference *one);
} reference_rules;

struct reference {
  const reference_rules *rules;
  const char *name;         /* name by which others refer to the entry */
  yaml_node *value;         /* node to which messages refer */
  const char *text;         /* expression that may refer to other entries; NULL: none */
  short_names aliases;      /* short names that the text may use */
  const char *const *names; /* (n_names) names of other entries, in addition to those in the text */
  size_t n_names;
  void *data; /* argument for the caller's `read` */
};

/* Reads all n entries. Fails if some refer to each other in a circle. The message uses `noun` and `fix` of one entry in
 * the circle: the first with several short names or, if there is none, the entry at which the circle was found. */
seam_status references_read(reader *r, const reference *all, size_t n);

#endif
