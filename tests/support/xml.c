#include "tests/support/xml.h"

#include <stddef.h>
#include <string.h>

bool xml_is_well_formed(const char *text) {
  const char *open[64];
  size_t depth = 0;
  size_t n_roots = 0;
  while (*text != '\0') {
    if (*text == '&' && strncmp(text, "&amp;", 5) != 0 && strncmp(text, "&lt;", 4) != 0)
      return false;
    if (*text != '<') {
      text++;
      continue;
    }
    const bool closes = text[1] == '/';
    const char *name = text + 1 + closes;
    const size_t length = strcspn(name, " \n/>");
    const char *end = name + length;
    for (bool quoted = false; *end != '\0' && (quoted || *end != '>'); end++) {
      quoted ^= *end == '"';
      if (*end == '<')
        return false;
    }
    if (*end == '\0')
      return false;
    if (closes) {
      if (depth == 0 || strncmp(open[--depth], name, length) != 0 || strcspn(open[depth], " \n/>") != length)
        return false;
    } else if (end[-1] != '/') {
      n_roots += depth == 0;
      if (depth == 64)
        return false;
      open[depth++] = name;
    }
    text = end + 1;
  }
  return depth == 0 && n_roots == 1;
}
