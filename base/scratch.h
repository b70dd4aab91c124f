/* Private folders for what programs and FMUs need as files. All of a process are in one folder, $TMPDIR/seam-XXXXXX or
 * /tmp/seam-XXXXXX, which only this user may enter; it is there as long as one of them is. */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <seam/status.h>

/* Makes an empty folder; the caller frees *path. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status scratch_make(char **path, seam_error *error);

/* Removes it with all that is in it; links are removed, not followed. NULL: nothing happens. */
void scratch_remove(const char *path);

/* Removes all folders of the process, at its end. A handler of signals may call it (async-signal-safe). */
void scratch_remove_all(void);

#endif
