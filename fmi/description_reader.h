/* Reader of modelDescription.xml: the parser's state, and functions that read attributes. */
#ifndef FMI_DESCRIPTION_READER_H
#define FMI_DESCRIPTION_READER_H

#include <expat.h>

#include "fmi/description_rows.h"

enum { FMI_MAX_DEPTH = 64 };

/* References of a variable, or of an output in ModelStructure, to other variables, which are resolved after all
 * variables are read. */
typedef struct fmi_reference {
  size_t variable;
  const char *derivative, *dependencies; /* texts of the attributes; NULL: none */
  size_t line;
} fmi_reference;

typedef struct fmi_type_unit {
  const char *name, *unit;
} fmi_type_unit;

/* A growing list. */
typedef struct fmi_list {
  void *items;
  size_t n, capacity;
} fmi_list;

typedef struct fmi_reader {
  XML_Parser parser;
  const char *location;
  fmi_description *result;
  fmi_version version;
  arena *memory;
  int path[FMI_MAX_DEPTH]; /* kinds of the elements that the parser is in, from outside */
  size_t depth;            /* the innermost element is path[depth] */
  fmi_list units, types, categories, variables, references, problems;
  const char *type;                /* name of the present type definition */
  struct fmi_by_reference *sorted; /* variables by value reference, after all are read */
  bool no_memory;
} fmi_reader;

typedef struct fmi_tag {
  const char *name;
  const char **attributes;
} fmi_tag;

/* Returns a new zeroed item of `size` bytes; NULL: no memory. */
void *fmi_reader_grow(fmi_reader *r, fmi_list *of, size_t size);
/* fmi_reader_alloc() returns zeroed bytes, fmi_reader_copy() a copy of a text. Both live as long as the description;
 * NULL: no memory. */
void *fmi_reader_alloc(fmi_reader *r, size_t size);
const char *fmi_reader_copy(fmi_reader *r, const char *text);
/* Frees a list and returns its items, which then live as long as the description; *n: their number. Without memory
 * returns NULL and sets *n to 0. */
void *fmi_reader_move_list(fmi_reader *r, fmi_list *from, size_t size, size_t *n);

/* Parses a text. XML errors and entity declarations become problems. The handlers get the reader as their context. */
void fmi_reader_parse(fmi_reader *r, const char *text, size_t size, XML_StartElementHandler start,
                      XML_EndElementHandler end);

size_t fmi_reader_line(const fmi_reader *r);
SEAM_PRINTF(3, 4) void fmi_reader_add_problem(fmi_reader *r, size_t line, const char *format, ...);
#define FMI_ADD_PROBLEM(r, ...) fmi_reader_add_problem((r), fmi_reader_line(r), __VA_ARGS__)

/* Returns the text of an attribute; NULL: the tag does not have the attribute. */
const char *fmi_attribute(const fmi_tag *tag, const char *name);
/* Reads all attributes of a table into the struct `at`. */
void fmi_read_rows(fmi_reader *r, const fmi_rows *rows, const fmi_tag *tag, void *at);
/* Reads an integer. If the text is not an integer from `low` to `high`, adds a problem and returns `low`. */
double fmi_read_integer(fmi_reader *r, const char *name, const char *text, double low, double high);
/* Reads a list of *n numbers with white space between them; true counts as 1, false as 0. Returns NULL if the list is
 * empty, if there is no memory, or after it has added a problem; `what` names the list in the message. */
const double *fmi_read_numbers(fmi_reader *r, const char *what, const char *text, size_t *n);

#endif
