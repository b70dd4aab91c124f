#include "fmi/xml.h"

#include <stddef.h>

#include "base/utf8.h"

bool fmi_xml_write(FILE *to, const char *text) {
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
