/* YAML 1.2 text as a tree of nodes. JSON is a subset of it. */
#ifndef MODELS_YAML_H
#define MODELS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "base/arena.h"
#include "models/source.h"

enum {
  YAML_LARGEST = 50 * 1000 * 1000, /* bytes of a text */
  YAML_LONGEST_LINE = 100000,      /* bytes; on one line libfyaml takes quadratic time and much stack */
  YAML_DEEPEST = 64,               /* levels of nesting */
  YAML_MAX_NODES = 5000000         /* keys, scalars, lists and maps; libfyaml takes 1 to 2 µs for each */
};

typedef enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP } yaml_kind;

/* Values of a repeat's indices in a generated node; see models/sections/repeat.c. */
typedef struct index_values {
  size_t n;
  const char *const *names; /* (n) */
  const double *values;     /* (n) whole numbers */
} index_values;

typedef struct yaml_node yaml_node;
struct yaml_node {
  yaml_kind kind;
  const char *text;       /* text of a scalar, terminated and without NUL inside; NULL: none is written */
  const yaml_node *key;   /* the node's key, a scalar, in a map */
  yaml_node *first;       /* first child; children are linked by `next` */
  yaml_node *last, *next; /* last child; the node's next sibling */
  size_t n_children;
  const source *from;          /* text that the node is in */
  size_t offset;               /* bytes from the start of that text */
  const index_values *indices; /* indices of the repeat that generated the node, or NULL */
  bool is_negated;             /* the node is a law whose sign is reversed */
  bool is_number;              /* the reader has evaluated the scalar as a number, in `number` */
  double number;
};

/* Parses a text into nodes from `memory`. Refuses anchors, aliases, tags, several documents, keys that are not scalars,
 * duplicate keys, invalid UTF-8, control characters and texts above the limits. *root is NULL if the text is empty. */
seam_status yaml_parse(const source *from, arena *memory, yaml_node **root, seam_error *error);

/* Returns a new node with the text position of the node `place`; NULL: no memory. */
yaml_node *yaml_new(arena *memory, yaml_kind kind, const yaml_node *place);

/* Appends a child; `key` is NULL in a list. */
void yaml_append(yaml_node *parent, yaml_node *child, const yaml_node *key);

/* Appends a number to a list, with the list's text position; false: no memory. */
bool yaml_append_number(arena *memory, yaml_node *list, double number);

void yaml_remove(yaml_node *parent, const yaml_node *child);

/* Returns the value of a key; NULL: none, or `map` is NULL or no map. */
yaml_node *yaml_get(const yaml_node *map, const char *key);

/* Returns "a number or text", "a list", "a map" or "nothing", for messages. */
const char *yaml_kind_text(const yaml_node *node);

#endif
