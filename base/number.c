#include "base/number.h"

#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

static size_t sign(const char *text) { return *text == '+' || *text == '-'; }

static size_t length_of(const char *text) {
  const char *at = text + sign(text);
  const size_t whole = digits(at);
  const size_t fraction = at[whole] == '.' ? digits(at + whole + 1) : 0;
  if (whole + fraction == 0)
    return 0;
  at += whole + (at[whole] == '.') + fraction;
  if (*at == 'e' || *at == 'E') {
    const size_t before = 1 + sign(at + 1);
    const size_t exponent = digits(at + before);
    at += exponent > 0 ? before + exponent : 0;
  }
  return (size_t)(at - text);
}

double seam_number(const char *text, const char **end) {
  char usual[64];
  const size_t length = length_of(text);
  *end = text;
  if (length == 0)
    return 0;
  char *copy = length < sizeof usual ? usual : malloc(length + 1); /* strtod() alone would read 0x10 as one number */
  const locale_t plain = copy != NULL ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
  double number = 0;
  if (plain != (locale_t)0) {
    const locale_t callers = uselocale(plain);
    memcpy(copy, text, length);
    copy[length] = '\0';
    number = strtod(copy, NULL);
    uselocale(callers);
    freelocale(plain);
    *end = text + length;
  }
  if (copy != usual)
    free(copy);
  return number;
}
