/* The model that `seam new` writes, compiled into the program. */
#ifndef APP_COMMANDS_TEMPLATE_H
#define APP_COMMANDS_TEMPLATE_H

#include <stddef.h>

typedef struct template_row {
  const char *name;
  const unsigned char *text; /* with a terminating zero */
} template_row;

extern const template_row template_rows[]; /* (template_size) */
extern const size_t template_size;

#endif
