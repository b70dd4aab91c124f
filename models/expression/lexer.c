/* Numbers are decimal: digits with at most one point, then at most one exponent. */
#include "models/expression/lexer.h"

#include <string.h>

#include "base/number.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

bool lexer_is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static size_t name_length(const char *text) {
  size_t n = 0;
  while (lexer_is_name_character(text[n]))
    n++;
  return n;
}

size_t lexer_quantity_length(const char *text) {
  size_t n = 0;
  while (text[n] == '.' && lexer_is_name_character(text[n + 1]))
    n += 1 + name_length(text + n + 1);
  return n;
}

token lexer_next(const char *text) {
  text += strspn(text, " \t\r\n");
  if (*text == '\0')
    return (token){TOKEN_END, text, 0, 0};
  if (is_letter(text[0]) || text[0] == '_')
    return (token){TOKEN_NAME, text, name_length(text), 0};
  if ((text[0] == '<' || text[0] == '>') && text[1] == '=')
    return (token){TOKEN_SIGN, text, 2, 0};
  if (strchr("+-*/^(),<>", text[0]) != NULL)
    return (token){TOKEN_SIGN, text, 1, 0};
  const char *end = text;
  const double number = seam_number(text, &end);
  if (end > text)
    return (token){TOKEN_NUMBER, text, (size_t)(end - text), number};
  return (token){TOKEN_UNKNOWN, text, 1, 0};
}

bool lexer_next_name(const char **cursor, token *name) {
  for (*name = lexer_next(*cursor); name->kind != TOKEN_END; *name = lexer_next(*cursor)) {
    *cursor = name->start + name->length;
    if (name->kind != TOKEN_NAME)
      continue;
    name->length += lexer_quantity_length(*cursor);
    *cursor = name->start + name->length;
    return true;
  }
  return false;
}
