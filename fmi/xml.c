#include "fmi/xml.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

static bool write_text(FILE *to, const char *text) {
  /* Characters that are markup in XML, and white space that parsers would replace by spaces. */
  static const struct {
    char character;
    const char *text;
  } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"},   {'>', "&gt;"},  {'"', "&quot;"},
                 {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};
  while (*text != '\0') {
    const char *escape = NULL;
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
      if (escapes[i].character == *text)
        escape = escapes[i].text;
    const size_t length = utf8_length((const unsigned char *)text);
    if (length == 0 || (escape == NULL && (unsigned char)*text < 0x20))
      return false;
    if (escape != NULL)
      fputs(escape, to);
    else
      fwrite(text, 1, length, to);
    text += length;
  }
  return true;
}

bool fmi_xml_attribute(FILE *to, const char *name, const char *text) {
  fprintf(to, " %s=\"", name);
  const bool is_whole = write_text(to, text);
  fputc('"', to);
  return is_whole;
}

void fmi_xml_number(FILE *to, double number) {
  if (isinf(number))
    fputs(number > 0 ? "INF" : "-INF", to);
  else if (isnan(number))
    fputs("NaN", to);
  else
    shortest_print(to, number);
}

void fmi_xml_number_attribute(FILE *to, const char *name, double number) {
  fprintf(to, " %s=\"", name);
  fmi_xml_number(to, number);
  fputc('"', to);
}

static int digit_of(char c) {
  const char *digits = "0123456789abcdef";
  const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

const char *fmi_uri_decode(const char *from, char *to) {
  for (; *from != '\0'; from++) {
    const int high = *from == '%' ? digit_of(from[1]) : -1, low = high >= 0 ? digit_of(from[2]) : -1;
    *to++ = (char)(low >= 0 ? 16 * high + low : *from);
    from += low >= 0 ? 2 : 0;
  }
  *to = '\0';
  return to;
}
