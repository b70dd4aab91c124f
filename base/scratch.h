/* Private folders for files of programs and FMUs. They are inside one folder of the process, $TMPDIR/seam-XXXXXX or
 * /tmp/seam-XXXXXX, which only this user may enter. This outer folder is removed with the last private folder. */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <seam/status.h>

/* Makes an empty folder, which the caller removes. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status scratch_make(char **path, seam_error *error);

/* Removes the folder with its contents, and frees `path`; links are not followed. NULL: does nothing. */
void scratch_remove(char *path);

/* Removes all folders of the process. Async-signal-safe. */
void scratch_remove_all(void);

#endif
