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
  YAML_LONGEST_LINE = 100000,      /* bytes: on one line libfyaml's time is quadratic, and its stack is at stake */
  YAML_DEEPEST = 64,               /* levels of nesting */
  YAML_MAX_NODES = 5000000         /* keys, scalars, lists and maps together: libfyaml takes 1 to 2 µs for each */
};

typedef enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP } yaml_kind;

/* Values that the indices of a repeat have in a generated node; see repeat.h. */
typedef struct index_values {
  size_t n;
  const char *const *names; /* (n) */
  const double *values;     /* (n) whole numbers */
} index_values;

typedef struct yaml_node yaml_node;
struct yaml_node {
  yaml_kind kind;
  const char *text;       /* of a scalar, terminated and without NUL inside; NULL: nothing was written */
  const yaml_node *key;   /* scalar, when the node is a value in a map */
  yaml_node *first;       /* of the children, linked by `next` */
  yaml_node *last, *next; /* `next` is the node's own sibling */
  size_t n_children;
  const source *from;          /* text it stands in */
  size_t offset;               /* bytes from the start of that text */
  const index_values *indices; /* of the repeat that generated it, or NULL */
  bool is_negated;             /* a law that counts with the opposite sign */
  bool is_number;              /* the reader took the scalar for a number: this one */
  double number;
};

/* Parses a text whose nodes are taken from `memory`. Anchors, aliases, tags, several documents, keys that are not
 * scalars, duplicate keys, invalid UTF-8, control characters and whatever exceeds the limits above are refused.
 * *root is NULL when the text holds nothing. */
seam_status yaml_parse(const source *from, arena *memory, yaml_node **root, seam_error *error);

/* New node at the place of another one; NULL when memory is exhausted. */
yaml_node *yaml_new(arena *memory, yaml_kind kind, const yaml_node *place);

/* Appends a child; `key` is NULL in a list. */
void yaml_append(yaml_node *parent, yaml_node *child, const yaml_node *key);

/* Appends a number to a list, at the list's place; false: no memory. */
bool yaml_append_number(arena *memory, yaml_node *list, double number);

/* Takes a child out. */
void yaml_remove(yaml_node *parent, const yaml_node *child);

/* The value of a key in a map, or NULL. */
yaml_node *yaml_get(const yaml_node *map, const char *key);

/* "a number or text", "a list" or "a map": for messages. */
const char *yaml_kind_text(const yaml_node *node);

#endif
