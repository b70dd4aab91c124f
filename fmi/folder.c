#include "fmi/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

seam_status fmi_folder_make(char **path, seam_error *error) {
  const char *given = getenv("TMPDIR");
  const char *in = given != NULL && given[0] == '/' ? given : "/tmp";
  const size_t size = strlen(in) + sizeof "/seam-fmu-XXXXXX";
  char *made = malloc(size);
  if (made == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the name of a folder");
  snprintf(made, size, "%s/seam-fmu-XXXXXX", in);
  if (mkdtemp(made) == NULL) {
    const seam_status status =
        seam_fail(error, SEAM_NO_FILE, "%s: cannot make a folder for what an FMU unpacks to: %s", in, strerror(errno));
    free(made);
    return status;
  }
  *path = made;
  return SEAM_OK;
}

/* What an open folder holds; `folder` is closed. */
static void empty(int folder) {
  DIR *listing = fdopendir(folder);
  if (listing == NULL) {
    close(folder);
    return;
  }
  for (const struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0)
      continue;
    const int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0)
      empty(below);
    unlinkat(folder, name, AT_REMOVEDIR);
  }
  closedir(listing);
}

void fmi_folder_remove(const char *path) {
  const int folder = path == NULL ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  empty(folder);
  rmdir(path);
}
