/* Numbers are decimal: digits with at most one point, then at most one exponent. */
#include "models/expression/lexer.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

bool lexer_is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static size_t count_digits(const char *text) {
  size_t n = 0;
  while (is_digit(text[n]))
    n++;
  return n;
}

static size_t number_length(const char *text) {
  size_t n = count_digits(text);
  if (text[n] == '.')
    n += 1 + count_digits(text + n + 1);
  if (text[n] != 'e' && text[n] != 'E')
    return n;
  const size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
  const size_t digits = count_digits(text + n + 1 + sign);
  return digits > 0 ? n + 1 + sign + digits : n;
}

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
    return (token){TOKEN_END, text, 0};
  if (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1])))
    return (token){TOKEN_NUMBER, text, number_length(text)};
  if (is_letter(text[0]) || text[0] == '_')
    return (token){TOKEN_NAME, text, name_length(text)};
  if ((text[0] == '<' || text[0] == '>') && text[1] == '=')
    return (token){TOKEN_SIGN, text, 2};
  if (strchr("+-*/^(),<>", text[0]) != NULL)
    return (token){TOKEN_SIGN, text, 1};
  return (token){TOKEN_UNKNOWN, text, 1};
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

double lexer_number(const token *number) {
  char digits[64];
  if (number->length < sizeof digits) { /* a copy, as strtod() would read on into a name: 0x10, 1p3 */
    memcpy(digits, number->start, number->length);
    digits[number->length] = '\0';
    return strtod(digits, NULL);
  }
  char *copy = strndup(number->start, number->length);
  const double value = copy != NULL ? strtod(copy, NULL) : 0;
  free(copy);
  return value;
}
