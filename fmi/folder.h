/* Private folders that are removed when they are not needed any more. */
#ifndef FMI_FOLDER_H
#define FMI_FOLDER_H

#include <seam/status.h>

/* Makes an empty folder that only this user may enter, in $TMPDIR or /tmp; the caller frees *path. SEAM_NO_FILE,
 * SEAM_NO_MEMORY. */
seam_status fmi_folder_make(char **path, seam_error *error);

/* Removes it with all that is in it; links are removed, not followed. NULL: nothing happens. */
void fmi_folder_remove(const char *path);

#endif
