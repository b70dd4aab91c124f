/* Manual pages, made from the same tables as `seam help`. */
#ifndef APP_MAN_H
#define APP_MAN_H

#include <seam/status.h>

/* Writes seam.1 and, for each command, seam-COMMAND.1. Makes the folder if it is missing. SEAM_NO_FILE. */
seam_status man_write(const char *folder, seam_error *error);

#endif
