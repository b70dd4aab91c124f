/* Files that are compiled into a program or library, as rows of tables that cmake/embed.cmake writes. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
  const char *name;
  const unsigned char *text; /* with a terminating zero */
} embedded_file;

#endif
