/* POSIX files and directories, every failure with its name and cause. */
#include "app/results/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static seam_status make_one(const char *path, seam_error *error) {
  struct stat found;
  if (mkdir(path, 0777) == 0)
    return SEAM_OK;
  const int cause = errno;
  if (stat(path, &found) == 0) {
    if (S_ISDIR(found.st_mode))
      return SEAM_OK;
    return seam_fail(error, SEAM_NO_FILE, "%s: this is not a directory; give another one with -o DIR", path);
  }
  return seam_fail(error, SEAM_NO_FILE, "%s: the directory cannot be created (%s); give another one with -o DIR", path,
                   strerror(cause));
}

seam_status output_make_directory(const char *directory, seam_error *error) {
  if (*directory == '\0')
    return seam_fail(error, SEAM_NO_FILE, "seam: -o needs the name of a directory");
  char *path = strdup(directory);
  if (!path)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  seam_status status = SEAM_OK;
  for (char *slash = strchr(path + 1, '/'); slash && status == SEAM_OK; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    status = make_one(path, error);
    *slash = '/';
  }
  if (status == SEAM_OK)
    status = make_one(path, error);
  free(path);
  return status;
}

char *output_path(const char *directory, const char *name) {
  const size_t size = strlen(directory) + strlen(name) + 2;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/%s", directory, name);
  return path;
}

seam_status output_place(const char *given, const char *model, const char *file, char **path, seam_error *error) {
  char *directory = given ? strdup(given) : output_path("results", model);
  *path = directory ? output_path(directory, file) : NULL;
  const seam_status status =
      *path ? output_make_directory(directory, error) : seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  free(directory);
  return status;
}

seam_status output_open(const char *path, FILE **file, seam_error *error) {
  *file = fopen(path, "w");
  return *file ? SEAM_OK : output_failed(path, error);
}

seam_status output_replace(const char *path, app_replacement *made, seam_error *error) {
  made->path = path;
  snprintf(made->temporary, sizeof made->temporary, "%s.%ld", path, (long)getpid());
  return output_open(made->temporary, &made->file, error);
}

seam_status output_commit(app_replacement *made, seam_error *error) {
  seam_status status = SEAM_OK;
  const bool written = fflush(made->file) == 0 && !ferror(made->file);
  if (!written)
    status = output_failed(made->temporary, error);
  if (fclose(made->file) != 0 && written)
    status = output_failed(made->temporary, error);
  if (status == SEAM_OK && rename(made->temporary, made->path) != 0)
    status = output_failed(made->path, error);
  if (status != SEAM_OK)
    unlink(made->temporary);
  return status;
}

seam_status output_failed(const char *path, seam_error *error) {
  return seam_fail(error, SEAM_NO_FILE,
                   "%s: the file cannot be written (%s); fix that, or give another directory with -o DIR", path,
                   strerror(errno));
}
