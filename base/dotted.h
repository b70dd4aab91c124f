/* Names of quantities, as "element.quantity". */
#ifndef BASE_DOTTED_H
#define BASE_DOTTED_H

#include <stdio.h>

/* Writes "element.quantity" into name (size), or "element" alone if the quantity's name is empty. */
static inline void dotted_name(const char *element, const char *quantity, char *name, size_t size) {
  snprintf(name, size, "%s%s%s", element, *quantity != '\0' ? "." : "", quantity);
}

#endif
