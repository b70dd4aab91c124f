/* Manual pages, made of the same tables as `seam help`. */
#ifndef APP_MAN_H
#define APP_MAN_H

#include <seam/status.h>

/* Writes the manual pages: seam.1, and seam-COMMAND.1 for each command, into a folder, which it makes if needed.
 * SEAM_NO_FILE. */
seam_status man_write(const char *folder, seam_error *error);

#endif
