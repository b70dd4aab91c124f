/* JSON by RFC 8259: a writer, and a reader that makes a tree. */
#include "base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* ---- Writer ---- */

void json_quote(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  const unsigned char *unwritten = at;
  fputc('"', file);
  for (;;) {
    while (*at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
      at++;
    if (*at == '\0')
      break;
    const size_t length = utf8_length(at);
    if (length > 0 && *at >= 0x20 && *at != '"' && *at != '\\') {
      at += length;
      continue;
    }
    fwrite(unwritten, 1, (size_t)(at - unwritten), file);
    if (length == 0) /* not UTF-8 */
      fputs("\\ufffd", file);
    else if (*at < 0x20)
      fprintf(file, "\\u%04x", *at);
    else
      fprintf(file, "\\%c", *at);
    unwritten = ++at;
  }
  fwrite(unwritten, 1, (size_t)(at - unwritten), file);
  fputc('"', file);
}

void json_write_number(FILE *file, double number) {
  if (isfinite(number))
    shortest_print(file, number);
  else
    fputs("null", file);
}

static void new_line(json_writer *json) {
  static const char blanks[] = "                                ";
  const int at_once = (int)sizeof blanks / 2;
  fputc('\n', json->file);
  for (int i = json->depth; i > 0; i -= at_once)
    fwrite(blanks, 1, 2 * (size_t)(i < at_once ? i : at_once), json->file);
}

static void begin_value(json_writer *json, const char *key) {
  if (json->follows)
    fputc(',', json->file);
  if (json->depth > 0)
    new_line(json);
  if (key) {
    json_quote(json->file, key);
    fputs(": ", json->file);
  }
  json->follows = true;
}

void json_open(json_writer *json, const char *key, char bracket) {
  begin_value(json, key);
  fputc(bracket, json->file);
  json->depth++;
  json->follows = false;
}

void json_close(json_writer *json, char bracket) {
  json->depth--;
  if (json->follows)
    new_line(json);
  fputc(bracket, json->file);
  if (json->depth == 0)
    fputc('\n', json->file);
  json->follows = true;
}

void json_string(json_writer *json, const char *key, const char *text) {
  begin_value(json, key);
  json_quote(json->file, text);
}

void json_number(json_writer *json, const char *key, double number) {
  begin_value(json, key);
  json_write_number(json->file, number);
}

void json_count(json_writer *json, const char *key, size_t number) {
  begin_value(json, key);
  fprintf(json->file, "%zu", number);
}

void json_raw(json_writer *json, const char *key, const char *text) {
  begin_value(json, key);
  fputs(text, json->file);
}

/* ---- Reader ---- */

typedef struct reader {
  const char *text, *at;
  int depth;
  arena *memory;
  json_failure failure;
} reader;

static bool refuse(reader *self, const char *what) {
  self->failure = (json_failure){what, 1};
  for (const char *c = self->text; c < self->at; c++)
    self->failure.line += *c == '\n';
  return false;
}

static void skip_blanks(reader *self) { self->at += strspn(self->at, " \t\r\n"); }

static bool take(reader *self, char c) {
  skip_blanks(self);
  const bool is_there = *self->at == c;
  self->at += is_there;
  return is_there;
}

/* ---- Reader: strings ---- */

static char *put_utf8(char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (char)c;
    return to;
  }
  const int n = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; /* bytes after the first */
  *to++ = (char)((0xff00u >> (n + 1) & 0xffu) | c >> 6 * n);
  for (int i = n - 1; i >= 0; i--)
    *to++ = (char)(0x80u | (c >> 6 * i & 0x3fu));
  return to;
}

/* Returns the value of the four hexadecimal digits at `at`; UINT32_MAX: there are other characters. */
static uint32_t read_hexadecimal(const char *at) {
  static const char digits[] = "0123456789abcdef";
  uint32_t number = 0;
  for (int i = 0; i < 4; i++) {
    const char lower = at[i] >= 'A' && at[i] <= 'F' ? (char)(at[i] - 'A' + 'a') : at[i];
    const char *digit = lower != '\0' ? strchr(digits, lower) : NULL;
    if (digit == NULL)
      return UINT32_MAX;
    number = 16 * number + (uint32_t)(digit - digits);
  }
  return number;
}

/* Reads the digits after "\u" and writes the character to `to`: a surrogate pair is one character; NUL and a single
 * surrogate become U+FFFD. Returns the end of the output; NULL: no hexadecimal digits. */
static char *read_unicode(reader *self, char *to) {
  uint32_t c = read_hexadecimal(self->at);
  if (c == UINT32_MAX)
    return NULL;
  self->at += 4;
  if (c >= 0xd800 && c < 0xdc00 && self->at[0] == '\\' && self->at[1] == 'u') {
    const uint32_t low = read_hexadecimal(self->at + 2);
    if (low >= 0xdc00 && low < 0xe000) {
      self->at += 6;
      return put_utf8(to, 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00)));
    }
  }
  c = c == 0 || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c;
  return put_utf8(to, c);
}

static char *read_escape(reader *self, char *to) {
  static const char codes[] = "\"\\/bfnrt";
  static const char characters[] = "\"\\/\b\f\n\r\t";
  const char code = *self->at++;
  if (code == 'u')
    return read_unicode(self, to);
  const char *found = code != '\0' ? strchr(codes, code) : NULL;
  if (found == NULL)
    return NULL;
  *to++ = characters[found - codes];
  return to;
}

/* Decoding never lengthens a string: "\u" and four digits become at most three bytes. */
static bool read_string(reader *self, const char **text) {
  const char *end = ++self->at; /* becomes the closing quote */
  for (; *end != '"'; end++)
    if ((unsigned char)*end < 0x20 || (*end == '\\' && *++end == '\0'))
      return refuse(self, "a text has no closing quote");
  char *copy = arena_allocate(self->memory, (size_t)(end - self->at) + 1);
  char *to = copy;
  if (copy == NULL)
    return refuse(self, NULL);
  while (self->at < end && to != NULL) {
    if (*self->at == '\\') {
      self->at++;
      to = read_escape(self, to);
    } else
      *to++ = *self->at++;
  }
  if (to == NULL)
    return refuse(self, "an unknown escape in a text");
  self->at = end + 1;
  *text = copy;
  return true;
}

/* ---- Reader: values ---- */

static bool read_value(reader *self, json_node **made);

static int by_key(const void *a, const void *b) {
  const json_node *one = *(json_node *const *)a, *other = *(json_node *const *)b;
  const int order = strcmp(one->key, other->key);
  return order != 0 ? order : (one->begin > other->begin) - (one->begin < other->begin);
}

static bool sort_keys(reader *self, json_node *object) {
  object->sorted = arena_allocate(self->memory, (object->n + 1) * sizeof *object->sorted);
  if (object->sorted == NULL)
    return refuse(self, NULL);
  size_t i = 0;
  for (json_node *at = object->first; at != NULL; at = at->next)
    object->sorted[i++] = at;
  qsort(object->sorted, object->n, sizeof *object->sorted, by_key);
  return true;
}

static bool read_elements(reader *self, json_node *node, char closing) {
  json_node **link = &node->first;
  self->at++;
  if (take(self, closing))
    return true;
  do {
    const char *key = NULL;
    if (node->kind == JSON_OBJECT) {
      skip_blanks(self);
      if (*self->at != '"')
        return refuse(self, "a key is missing");
      if (!read_string(self, &key))
        return false;
      if (!take(self, ':'))
        return refuse(self, "':' is missing");
    }
    if (!read_value(self, link))
      return false;
    (*link)->key = key;
    link = &(*link)->next;
    node->n++;
  } while (take(self, ','));
  if (!take(self, closing))
    return refuse(self, "',' or the closing bracket is missing");
  return node->kind == JSON_LIST || sort_keys(self, node);
}

static bool read_any(reader *self, json_node *node) {
  static const char *const words[] = {"true", "false", "null"};
  const char c = *self->at;
  if (c == '{' || c == '[') {
    node->kind = c == '{' ? JSON_OBJECT : JSON_LIST;
    return read_elements(self, node, c == '{' ? '}' : ']');
  }
  if (c == '"') {
    node->kind = JSON_STRING;
    return read_string(self, &node->text);
  }
  if (c == '-' || (c >= '0' && c <= '9')) {
    const char *begin = self->at;
    node->kind = JSON_NUMBER;
    node->number = seam_number(begin, &self->at);
    return self->at > begin || refuse(self, "a number is missing");
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(self->at, words[i], strlen(words[i])) == 0) {
      node->kind = JSON_WORD;
      node->text = words[i];
      self->at += strlen(words[i]);
      return true;
    }
  return refuse(self, "a value is missing");
}

static bool read_value(reader *self, json_node **made) {
  skip_blanks(self);
  if (self->depth == JSON_DEEPEST)
    return refuse(self, "it is nested too deeply");
  json_node *node = arena_allocate(self->memory, sizeof *node);
  if (node == NULL)
    return refuse(self, NULL);
  node->number = NAN;
  node->begin = self->at;
  self->depth++;
  const bool is_read = read_any(self, node);
  self->depth--;
  node->length = (size_t)(self->at - node->begin);
  *made = node;
  return is_read;
}

bool json_parse(const char *text, arena *memory, const json_node **root, json_failure *failure) {
  reader self = {.text = text, .at = text, .memory = memory};
  json_node *made = NULL;
  bool is_read = read_value(&self, &made);
  skip_blanks(&self);
  if (is_read && *self.at != '\0')
    is_read = refuse(&self, "there is more text after its end");
  *root = is_read ? made : NULL;
  *failure = self.failure;
  return is_read;
}

const json_node *json_get(const json_node *object, const char *key) {
  const size_t n = object != NULL && object->kind == JSON_OBJECT ? object->n : 0;
  size_t low = 0;
  for (size_t high = n; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(object->sorted[middle]->key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && strcmp(object->sorted[low]->key, key) == 0 ? object->sorted[low] : NULL;
}

const json_node *json_first(const json_node *list) { return list != NULL ? list->first : NULL; }

const char *json_text(const json_node *object, const char *key) {
  const json_node *found = json_get(object, key);
  return found != NULL && found->kind == JSON_STRING ? found->text : NULL;
}

double json_value(const json_node *object, const char *key) {
  const json_node *found = json_get(object, key);
  return found != NULL ? found->number : NAN;
}
