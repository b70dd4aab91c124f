/* The model that `seam new` writes, compiled into the program. */
#ifndef APP_COMMANDS_TEMPLATE_H
#define APP_COMMANDS_TEMPLATE_H

#include "base/embedded.h"

extern const embedded_file template_rows[]; /* (template_size) */
extern const size_t template_size;

#endif
