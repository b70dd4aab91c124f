/* Reads YAML to trees of nodes, and writes such trees as JSON. The trees are built from libfyaml's events, since its
 * own tree builder takes quadratic time to check for duplicate keys. */
#include "models/yaml.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/table.h"
#include "base/then.h"
#include "base/utf8.h"

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

enum { WINDOW = 100 }; /* largest number of bytes shown of the offending line */

static bool continues_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...) {
  char cause[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  fix = fix != NULL ? fix : "";
  const char *fix_line = fix[0] != '\0' ? "\n" : "";
  if (of->is_made)
    return seam_fail(error, SEAM_BAD_INPUT, "%.200s: error: %s%s%s", of->name, cause, fix_line, fix);
  offset = offset < of->length ? offset : of->length;
  size_t start = offset; /* start of the line */
  while (start > 0 && of->text[start - 1] != '\n')
    start--;
  size_t from = start; /* start and end of the shown part of the line, around `offset` */
  size_t to = offset;
  while (to < of->length && of->text[to] != '\n' && of->text[to] != '\r')
    to++;
  if (to - from > WINDOW) {
    if (offset - from > WINDOW / 2)
      from = offset - WINDOW / 2;
    if (to - from > WINDOW)
      to = from + WINDOW;
    while (from < offset && continues_character(of->text[from]))
      from++;
    while (to > offset && to < of->length && continues_character(of->text[to]))
      to--;
  }
  char blanks[WINDOW + 1]; /* text before the caret */
  size_t n_blanks = 0;
  for (size_t i = from; i < offset; i++)
    if (!continues_character(of->text[i]))
      blanks[n_blanks++] = of->text[i] == '\t' ? '\t' : ' ';
  blanks[n_blanks] = '\0';
  char position[64] = "";
  size_t line = 1, column = 1;
  for (size_t i = 0; i < start; i++)
    line += of->text[i] == '\n';
  for (size_t i = start; i < offset; i++)
    column += !continues_character(of->text[i]);
  if (!of->is_option)
    snprintf(position, sizeof position, ":%zu:%zu", line, column);
  if (to == from) /* an empty line is left out of the message */
    return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s%s%s", of->name, position, cause, fix_line, fix);
  return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s\n%.*s\n%s^%s%s", of->name, position, cause,
                   (int)(to - from), of->text + from, blanks, fix_line, fix);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

yaml_node *yaml_new(arena *memory, yaml_kind kind, const yaml_node *position) {
  yaml_node *node = arena_allocate(memory, sizeof *node);
  if (node == NULL)
    return NULL;
  node->kind = kind;
  node->from = position->from;
  node->offset = position->offset;
  node->indices = position->indices;
  return node;
}

void yaml_append(yaml_node *parent, yaml_node *child, const yaml_node *key) {
  child->key = key;
  if (parent->last != NULL)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
  parent->n_children++;
}

bool yaml_append_number(arena *memory, yaml_node *list, double number) {
  yaml_node *node = yaml_new(memory, YAML_SCALAR, list);
  if (node == NULL)
    return false;
  node->is_number = true;
  node->number = number;
  yaml_append(list, node, NULL);
  return true;
}

void yaml_remove(yaml_node *parent, const yaml_node *child) {
  yaml_node *before = NULL;
  yaml_node **link = &parent->first;
  while (*link != child) {
    before = *link;
    link = &before->next;
  }
  *link = child->next;
  if (parent->last == child)
    parent->last = before;
  parent->n_children--;
}

bool yaml_is_empty(const yaml_node *value) {
  return value == NULL || (value->kind == YAML_SCALAR && value->text == NULL);
}

yaml_node *yaml_first(const yaml_node *value, yaml_kind kind) {
  return value != NULL && value->kind == kind ? value->first : NULL;
}

size_t yaml_count(const yaml_node *value) { return value != NULL ? value->n_children : 0; }

yaml_node *yaml_get(const yaml_node *map, const char *key) {
  for (yaml_node *child = yaml_first(map, YAML_MAP); child != NULL; child = child->next)
    if (strcmp(child->key->text, key) == 0)
      return child;
  return NULL;
}

const char *yaml_kind_text(const yaml_node *node) {
  static const char *const texts[] = {"a number or text", "a list", "a map"};
  return yaml_is_empty(node) ? "nothing" : texts[node->kind];
}

/* ---- Text before parsing ----------------------------------------------------------------------------------------- */

static seam_status no_memory(seam_error *error) { return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted"); }

static seam_status fail_too_many(const source *from, size_t offset, seam_error *error) {
  return source_fail(from, offset, error, "generate what is alike with 'repeat:'",
                     "more than %d keys and values in one file", YAML_MAX_NODES);
}

/* Checks a text before libfyaml reads it, since libfyaml may take seconds to reject it. */
static seam_status check_text(const source *from, seam_error *error) {
  if (from->length > YAML_LARGEST)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%.200s: error: the file is larger than %d MB\ngenerate what is alike with 'repeat:'", from->name,
                     YAML_LARGEST / 1000000);
  const unsigned char *text = (const unsigned char *)from->text;
  size_t line = 0; /* start of the present line */
  size_t openers = 0;
  for (size_t i = 0; i < from->length;) {
    const size_t n = utf8_length(text + i);
    const bool is_control =
        text[i] == 0x7F || (text[i] < 0x20 && text[i] != '\t' && text[i] != '\n' && text[i] != '\r');
    if (n == 0 || is_control) {
      source before = *from; /* the message shows the line only up to the invalid byte */
      before.length = i;
      return n == 0 ? source_fail(&before, i, error, "save the file as UTF-8 text", "byte 0x%02X is not valid UTF-8",
                                  text[i])
                    : source_fail(&before, i, error, "remove it", "control character 0x%02X", text[i]);
    }
    if (strchr("[{&!*", text[i]) != NULL && ++openers > YAML_MAX_NODES)
      return fail_too_many(from, i, error);
    i += n;
    if (text[i - n] == '\n')
      line = i;
    if (i - line > YAML_LONGEST_LINE)
      return source_fail(from, i - n, error, "break the line", "a line is longer than %d bytes", YAML_LONGEST_LINE);
  }
  return SEAM_OK;
}

/* ---- Parser ------------------------------------------------------------------------------------------------------ */

typedef struct parse_state {
  const source *from;
  arena *memory;
  seam_error *error;
  yaml_node *open[YAML_DEEPEST]; /* (depth) lists and maps whose ends have not been read, the innermost last */
  yaml_node *key[YAML_DEEPEST];  /* for each of `open`: the key that waits for its value; NULL: none */
  size_t depth;
  size_t n_nodes;
  char *text; /* (text_size) buffer for the text of the present scalar */
  size_t text_size;
  yaml_node *root;
  bool has_document;
  bool done;
} parse_state;

static size_t event_offset(const parse_state *r, struct fy_event *event) {
  const struct fy_mark *mark = fy_event_start_mark(event);
  if (mark != NULL)
    return mark->input_pos < r->from->length ? mark->input_pos : r->from->length;
  return r->depth > 0 && r->key[r->depth - 1] != NULL ? r->key[r->depth - 1]->offset
                                                      : 0; /* an empty value has no position */
}

static seam_status new_node(parse_state *r, struct fy_event *event, yaml_kind kind, yaml_node **node) {
  const yaml_node position = {.from = r->from, .offset = event_offset(r, event)};
  if (++r->n_nodes > YAML_MAX_NODES)
    return fail_too_many(r->from, position.offset, r->error);
  *node = yaml_new(r->memory, kind, &position);
  return *node != NULL ? SEAM_OK : no_memory(r->error);
}

/* Appends a scalar, or a list or map that was just opened, to its parent. */
static seam_status attach_node(parse_state *r, yaml_node *node) {
  if (r->depth == 0) {
    r->root = node;
    return SEAM_OK;
  }
  yaml_node *parent = r->open[r->depth - 1];
  yaml_node **key = &r->key[r->depth - 1];
  if (parent->kind == YAML_MAP && *key == NULL) {
    if (node->text == NULL)
      return source_fail(r->from, node->offset, r->error, "write 'key: value'", "a key must be plain text");
    *key = node;
    return SEAM_OK;
  }
  yaml_append(parent, node, *key);
  *key = NULL;
  return SEAM_OK;
}

static seam_status open_node(parse_state *r, struct fy_event *event, yaml_kind kind) {
  yaml_node *node = NULL;
  TRY(new_node(r, event, kind, &node));
  TRY(attach_node(r, node));
  if (r->depth == YAML_DEEPEST)
    return source_fail(r->from, node->offset, r->error, NULL, "more than %d levels of nesting", YAML_DEEPEST);
  r->key[r->depth] = NULL;
  r->open[r->depth++] = node;
  return SEAM_OK;
}

static seam_status check_duplicates(const parse_state *r, const yaml_node *map) {
  table seen = {0};
  seam_status status = SEAM_OK;
  for (const yaml_node *child = map->first; child != NULL && status == SEAM_OK; child = child->next) {
    const char *name = child->key->text;
    const size_t length = strlen(name);
    if (table_find(&seen, name, length) != NULL)
      status =
          source_fail(r->from, child->key->offset, r->error, "keep one of the two", "key '%.60s' appears twice", name);
    else if (!table_add(&seen, name, length, 0))
      status = no_memory(r->error);
  }
  table_release(&seen);
  return status;
}

/* Collects the text of a scalar in blocks. Reading a text with many quotes at once makes libfyaml 0.7.12 leak
 * memory. */
static seam_status collect_text(parse_state *r, struct fy_token *token, size_t *length) {
  struct fy_token_iter *pieces = fy_token_iter_create(token);
  if (pieces == NULL)
    return no_memory(r->error);
  bool has_room = true;
  int failed = 0;
  *length = 0;
  const struct fy_iter_chunk *piece = NULL;
  while (has_room && (piece = fy_token_iter_chunk_next(pieces, piece, &failed)) != NULL) {
    const size_t size = *length + piece->len;
    char *larger = array_grow(r->text, &r->text_size, size, 1);
    has_room = larger != NULL;
    r->text = has_room ? larger : r->text;
    if (has_room)
      memcpy(r->text + *length, piece->str, piece->len);
    *length = size;
  }
  fy_token_iter_destroy(pieces);
  return failed || !has_room ? no_memory(r->error) : SEAM_OK;
}

static seam_status read_scalar(parse_state *r, struct fy_event *event) {
  yaml_node *node = NULL;
  size_t length = 0;
  TRY(new_node(r, event, YAML_SCALAR, &node));
  TRY(collect_text(r, event->scalar.value, &length));
  const bool plain = fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
  if (length > 0 && memchr(r->text, '\0', length) != NULL)
    return source_fail(r->from, node->offset, r->error, "remove it", "the text holds a NUL character");
  if (length > 0 || !plain) {
    node->text = arena_text(r->memory, r->text, length);
    if (node->text == NULL)
      return no_memory(r->error);
  }
  return attach_node(r, node);
}

/* Rejects anchors, aliases and tags. An expression cannot begin with one of their signs. */
static seam_status check_decoration(const parse_state *r, struct fy_event *event) {
  const bool alias = event->type == FYET_ALIAS;
  struct fy_token *anchor = alias ? NULL : fy_event_get_anchor_token(event);
  struct fy_token *tag = fy_event_get_tag_token(event);
  if (!alias && anchor == NULL && tag == NULL)
    return SEAM_OK;
  const char *what = alias ? "an alias (*)" : anchor != NULL ? "an anchor (&)" : "a tag (!)";
  const struct fy_mark *mark = alias ? fy_event_start_mark(event) : fy_token_start_mark(anchor != NULL ? anchor : tag);
  const char sign = alias ? '*' : anchor != NULL ? '&' : '!';
  size_t offset = mark != NULL ? mark->input_pos : 0; /* at the sign, or after it */
  offset = offset < r->from->length ? offset : r->from->length - 1;
  while (offset > 0 && r->from->text[offset] != sign)
    offset--;
  return source_fail(r->from, offset, r->error, "write the value itself; if it is meant as text, quote it",
                     "%s is not allowed here", what);
}

static seam_status read_event(parse_state *r, struct fy_event *event) {
  TRY(check_decoration(r, event));
  switch (event->type) {
  case FYET_DOCUMENT_START:
    if (r->has_document)
      return source_fail(r->from, event_offset(r, event), r->error, "keep one document in a file",
                         "a second document begins here");
    r->has_document = true;
    return SEAM_OK;
  case FYET_MAPPING_START:
    return open_node(r, event, YAML_MAP);
  case FYET_SEQUENCE_START:
    return open_node(r, event, YAML_LIST);
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END:
    r->depth--;
    return event->type == FYET_MAPPING_END ? check_duplicates(r, r->open[r->depth]) : SEAM_OK;
  case FYET_SCALAR:
    return read_scalar(r, event);
  case FYET_STREAM_END:
    r->done = true;
    return SEAM_OK;
  default:
    return SEAM_OK;
  }
}

/* Prints nothing. libfyaml also collects its messages for syntax_error(). */
static void print_nothing(struct fy_diag *diagnostics, void *user, const char *text, size_t length) {
  (void)diagnostics;
  (void)user;
  (void)text;
  (void)length;
}

/* Returns true if the line after that of the byte `at` is indented further. */
static bool is_next_line_further(const source *of, size_t at) {
  size_t indent[2] = {0};
  while (at > 0 && of->text[at - 1] != '\n')
    at--;
  for (int line = 0; line < 2; line++) {
    while (at < of->length && of->text[at] == ' ')
      at++, indent[line]++;
    while (at < of->length && of->text[at++] != '\n')
      ;
  }
  return indent[1] > indent[0];
}

static seam_status syntax_error(const parse_state *r, struct fy_diag *diagnostics) {
  void *position = NULL;
  const struct fy_diag_error *first = fy_diag_errors_iterate(diagnostics, &position);
  if (first == NULL) /* memory is exhausted, since libfyaml has a message for every syntax error */
    return no_memory(r->error);
  const source *of = r->from;
  size_t at = 0;
  for (int line = 1; line < first->line && at < of->length; line++) {
    const char *end = memchr(of->text + at, '\n', of->length - at);
    at = end != NULL ? (size_t)(end - of->text) + 1 : of->length;
  }
  for (int column = 1; at < of->length && of->text[at] != '\n'; at++) /* columns count characters */
    if (!continues_character(of->text[at]) && column++ >= first->column)
      break;
  const char *fix = "check brackets, quotes and indentation here and just before";
  if (strstr(first->msg, "multiline") != NULL)
    fix = is_next_line_further(of, at)
              ? "the next line is indented further than this one: begin both in the same column"
              : "a key ends with a colon and a blank, as in 'name: value'";
  return source_fail(of, at, r->error, fix, "not YAML: %.200s", first->msg);
}

/* Returns true if the text is a number or a word, as most overrides are. It is then a scalar and needs no parser. */
static bool is_word(const source *from) {
  const size_t sign = from->length > 1 && from->text[0] == '-';
  for (size_t i = sign; i < from->length; i++) {
    const char c = from->text[i];
    const bool begins = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!begins && (i == sign || (c != '.' && c != '+' && c != '-')))
      return false;
  }
  return from->length > 0 && from->length <= YAML_LONGEST_LINE;
}

seam_status yaml_parse(const source *from, arena *memory, yaml_node **root, seam_error *error) {
  if (is_word(from)) {
    const yaml_node position = {.from = from};
    *root = yaml_new(memory, YAML_SCALAR, &position);
    if (*root != NULL)
      (*root)->text = arena_text(memory, from->text, from->length);
    return *root != NULL && (*root)->text != NULL ? SEAM_OK : no_memory(error);
  }
  TRY(check_text(from, error));
  struct fy_diag_cfg collect;
  fy_diag_cfg_default(&collect);
  collect.fp = NULL;
  collect.output_fn = print_nothing;
  collect.colorize = false;
  struct fy_diag *diagnostics = fy_diag_create(&collect);
  if (diagnostics == NULL)
    return no_memory(error);
  fy_diag_set_collect_errors(diagnostics, true);
  const struct fy_parse_cfg options = {.flags = FYPCF_QUIET, .diag = diagnostics};
  struct fy_parser *parser = fy_parser_create(&options);
  parse_state r = {.from = from, .memory = memory, .error = error};
  seam_status status = SEAM_OK;
  if (parser == NULL || fy_parser_set_string(parser, from->text, from->length) != 0)
    status = no_memory(error);
  while (status == SEAM_OK && !r.done) {
    struct fy_event *event = fy_parser_parse(parser);
    status = event != NULL ? read_event(&r, event) : syntax_error(&r, diagnostics);
    fy_parser_event_free(parser, event);
  }
  free(r.text);
  fy_parser_destroy(parser);
  fy_diag_destroy(diagnostics);
  if (status == SEAM_OK)
    *root = yaml_is_empty(r.root) ? NULL : r.root;
  return status;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

enum {
  BROKEN_LEVELS = 2, /* sections, and the entries of a section, begin a new line */
  MAX_IN_LINE = 64   /* numbers of a list in one line, since lines of YAML have a limit */
};

/* The recursion is as deep as the tree, which yaml_parse() limits. */
static void write_json(FILE *to, const yaml_node *node, int level) {
  const bool is_map = node->kind == YAML_MAP;
  size_t n = 0;
  if (node->kind == YAML_SCALAR) {
    if (node->is_number)
      json_write_number(to, node->number);
    else if (node->text != NULL)
      json_quote(to, node->text);
    else
      fputs("null", to);
    return;
  }
  fputc(is_map ? '{' : '[', to);
  for (const yaml_node *child = node->first; child != NULL; child = child->next) {
    if (is_map && level < BROKEN_LEVELS)
      fprintf(to, "\n%*s", 2 * (level + 1), "");
    else if (!is_map && n++ % MAX_IN_LINE == MAX_IN_LINE - 1)
      fputc('\n', to);
    if (is_map) {
      json_quote(to, child->key->text);
      fputs(": ", to);
    }
    write_json(to, child, is_map ? level + 1 : BROKEN_LEVELS + 1);
    if (child->next != NULL)
      fputs(is_map && level < BROKEN_LEVELS ? "," : ", ", to);
  }
  if (is_map && node->first != NULL && level < BROKEN_LEVELS)
    fprintf(to, "\n%*s", 2 * level, "");
  fputc(is_map ? '}' : ']', to);
}

char *yaml_json(const yaml_node *root) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = memory_stream_open(&text, &size);
  if (stream == NULL)
    return NULL;
  write_json(stream, root, 0);
  memory_stream_close(stream, &text);
  return text;
}

seam_status seam_yaml_json(const char *name, const char *text, size_t length, char **json, seam_error *error) {
  ARGUMENTS(error, name, text, json);
  arena memory = {0};
  const source from = {.name = name, .text = arena_text(&memory, text, length), .length = length};
  yaml_node *root = NULL;
  seam_status status = seam_check_memory(from.text != NULL, error);
  THEN(status, yaml_parse(&from, &memory, &root, error));
  THEN(status, root == NULL ? source_fail(&from, 0, error, "", "the file is empty") : SEAM_OK);
  if (status == SEAM_OK && (*json = yaml_json(root)) == NULL)
    status = no_memory(error);
  arena_release(&memory);
  return status;
}
