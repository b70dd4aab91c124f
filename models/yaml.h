/* Parses YAML 1.2 text, of which JSON is a subset, into a tree of nodes; writes such trees as JSON. */
#ifndef MODELS_YAML_H
#define MODELS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

#include "base/arena.h"

/* ---- Texts, and messages that refer to positions in them --------------------------------------------------------- */

/* A text. It must outlive all nodes that refer to it. */
typedef struct source {
  const char *name; /* file name, or "--set key.path" */
  const char *text; /* UTF-8, terminated */
  size_t length;    /* bytes */
  bool is_option;   /* true: a value from the command line, so messages have no line numbers */
  bool is_made;     /* true: made from a system of FMUs; users never see this text, so messages have no positions */
} source;

/* Fails with SEAM_BAD_INPUT and a message like that of a compiler. If of->is_made, the message has no position.
 *     NAME:LINE:COLUMN: error: CAUSE
 *     the offending line
 *               ^
 *     FIX
 * `offset` is in bytes. `fix` may be NULL or empty. `format` gives the cause. */
seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...)
    SEAM_PRINTF(5, 6);

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

enum {
  YAML_LARGEST = 50 * 1000 * 1000, /* bytes of a text */
  YAML_LONGEST_LINE = 100000,      /* bytes of a line; for long lines libfyaml takes quadratic time and much stack */
  YAML_DEEPEST = 64,               /* levels of nested lists and maps */
  YAML_MAX_NODES = 5000000         /* keys, scalars, lists and maps; libfyaml takes 1 to 2 µs for each */
};

typedef enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP } yaml_kind;

struct index_values; /* defined in models/expression/expression.h */

typedef struct yaml_node yaml_node;
struct yaml_node {
  yaml_kind kind;
  const char *text;       /* of a scalar, ends with a zero and contains no other; NULL: an empty value, a list or map */
  const yaml_node *key;   /* the node's key in a map, a scalar; else NULL */
  yaml_node *first;       /* first child of a list or map; children are linked by `next` */
  yaml_node *last, *next; /* last child; the node's next sibling */
  size_t n_children;
  const source *from;                 /* text in which the node stands */
  size_t offset;                      /* bytes from the start of that text */
  const struct index_values *indices; /* indices of the repeat that generated the node; NULL: none */
  bool is_negated;                    /* the node is a law, and the reversed sign of its value is used */
  bool is_number;                     /* the reader has evaluated the scalar as a number, which is in `number` */
  double number;
};

/* Parses a text into nodes in `memory`; *root NULL: it is empty. Rejects anchors, aliases, tags, several documents,
 * keys that are not scalars, duplicate keys, invalid UTF-8, control characters, and texts above the limits. */
seam_status yaml_parse(const source *from, arena *memory, yaml_node **root, seam_error *error);

/* Returns a new node at the position of another; NULL: memory is exhausted. */
yaml_node *yaml_new(arena *memory, yaml_kind kind, const yaml_node *position);

/* Appends a child to a list (`key` NULL) or a map. */
void yaml_append(yaml_node *parent, yaml_node *child, const yaml_node *key);

/* Appends a number to a list; its position is that of the list. Returns false if memory is exhausted. */
bool yaml_append_number(arena *memory, yaml_node *list, double number);

void yaml_remove(yaml_node *parent, const yaml_node *child);

/* Returns true for NULL and for an empty value. */
bool yaml_is_empty(const yaml_node *value);

/* Returns the value of a key; NULL: the key is missing, or `map` is NULL or not a map. */
yaml_node *yaml_get(const yaml_node *map, const char *key);

/* Returns the first child of a list or map; NULL: it is empty, of another kind, or NULL. */
yaml_node *yaml_first(const yaml_node *value, yaml_kind kind);

/* Returns the number of children of a list or map; 0 for a scalar and for NULL. */
size_t yaml_count(const yaml_node *value);

/* Returns "a number or text", "a list", "a map" or "nothing", for messages. */
const char *yaml_kind_text(const yaml_node *node);

/* Returns the tree as JSON text, which the caller frees; NULL: memory is exhausted. Scalars that were read as numbers
 * are numbers, others are strings. Each entry of a section is on a line of its own. */
char *yaml_json(const yaml_node *root);

#endif
