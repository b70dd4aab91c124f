/* XML of FMI and SSP. Documents are read by expat; tables say which attributes fill which members of a struct. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <expat.h>
#include <stdio.h>

#include "fmi/description.h"

/* ---- Tables of attributes ---- */

typedef enum fmi_kind {
  FMI_ROW_TEXT,   /* const char * */
  FMI_ROW_FLAG,   /* bool */
  FMI_ROW_NUMBER, /* double */
  FMI_ROW_INT,    /* int */
  FMI_ROW_COUNT,  /* uint32_t */
  FMI_ROW_NAMED   /* enumerator, given by its name */
} fmi_kind;

typedef struct fmi_row {
  const char *name2, *name3; /* names in FMI 2 and 3; NULL: not in this version */
  fmi_kind kind;
  size_t offset;
  bool is_required;
  const char *const *names; /* names for FMI_ROW_NAMED, ended by NULL */
} fmi_row;

/* Rows with one name in both versions: for an optional attribute, a required one, and one of kind FMI_ROW_NAMED. */
#define FMI_ROW(name, kind, type, field)                                                                               \
  { name, name, kind, offsetof(type, field), false, NULL }
#define FMI_NEEDED(name, kind, type, field)                                                                            \
  { name, name, kind, offsetof(type, field), true, NULL }
#define FMI_NAMED(name, type, field, names, is_required)                                                               \
  { name, name, FMI_ROW_NAMED, offsetof(type, field), is_required, names }

extern const fmi_row fmi_base_unit_rows[10]; /* members of fmi_unit; FMI and SSP have the same */

/* ---- Reading ---- */

enum { FMI_MAX_DEPTH = 64 };

/* A growing list. */
typedef struct fmi_list {
  void *items;
  size_t n, capacity;
} fmi_list;

/* State of the parser. The readers of descriptions and of systems begin with it. */
typedef struct fmi_reader {
  XML_Parser parser;
  const char *location; /* name of the text, for messages */
  fmi_version version;
  arena *memory;
  int path[FMI_MAX_DEPTH]; /* kinds of the elements around the parser, the outermost first */
  size_t depth;            /* the innermost element is path[depth] */
  fmi_list problems;       /* const char *, as "LOCATION:LINE: PROBLEM" */
  bool no_memory;          /* an allocation failed */
} fmi_reader;

typedef struct fmi_tag {
  const char *name;
  const char **attributes;
} fmi_tag;

/* Parses a text. XML errors and entity declarations become problems. The handlers get the reader as their context. */
void fmi_reader_parse(fmi_reader *r, const char *text, size_t size, XML_StartElementHandler start,
                      XML_EndElementHandler end);

/* Adds a copy of an item of `size` bytes to a list. */
void fmi_reader_add(fmi_reader *r, fmi_list *to, const void *item, size_t size);
/* Frees a list and returns its items, which then live as long as r->memory; *n: their number. Without memory
 * returns NULL and sets *n to 0. */
void *fmi_reader_move_list(fmi_reader *r, fmi_list *from, size_t size, size_t *n);
/* Return zeroed bytes, and a copy of a text. Both live as long as r->memory; NULL: no memory. */
void *fmi_reader_alloc(fmi_reader *r, size_t size);
const char *fmi_reader_copy(fmi_reader *r, const char *text);

size_t fmi_reader_line(const fmi_reader *r);
SEAM_PRINTF(3, 4) void fmi_reader_add_problem(fmi_reader *r, size_t line, const char *format, ...);
#define FMI_ADD_PROBLEM(r, ...) fmi_reader_add_problem((r), fmi_reader_line(r), __VA_ARGS__)

/* Returns the text of an attribute; NULL: the tag does not have the attribute. */
const char *fmi_attribute(const fmi_tag *tag, const char *name);
/* Reads all attributes of a table of n rows into the struct `at`. FMI_READ() takes an array as the table. */
void fmi_read_rows(fmi_reader *r, const fmi_row *rows, size_t n, const fmi_tag *tag, void *at);
#define FMI_READ(r, table, tag, at) fmi_read_rows((r), (table), sizeof(table) / sizeof *(table), (tag), (at))
/* Reads an integer. If the text is not an integer from `low` to `high`, adds a problem and returns `low`. */
double fmi_read_integer(fmi_reader *r, const char *name, const char *text, double low, double high);
/* Reads a list of *n numbers with white space between them; true counts as 1, false as 0. NULL: the list is empty,
 * there is no memory, or the list is faulty. A fault becomes a problem, in which `what` names the list. */
const double *fmi_read_numbers(fmi_reader *r, const char *what, const char *text, size_t *n);

/* Copies a text and decodes its escapes, as "%20" (RFC 3986). Returns the terminating zero of the copy. */
const char *fmi_uri_decode(const char *from, char *to);

/* ---- Writing ---- */

/* Writes an attribute. Ends before invalid UTF-8 or a control character in the text. */
void fmi_xml_attribute(FILE *to, const char *name, const char *text);

/* Writes an xs:double, with INF for infinity, and an attribute with such a value. */
void fmi_xml_number(FILE *to, double number);
void fmi_xml_number_attribute(FILE *to, const char *name, double number);

#endif
