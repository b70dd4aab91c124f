/* POSIX files and directories, every failure with its name and cause. */
#include "app/results/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"

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
    return out_of_memory(error);
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
  const seam_status status = *path ? output_make_directory(directory, error) : out_of_memory(error);
  free(directory);
  return status;
}

seam_status output_open(const char *path, FILE **file, seam_error *error) {
  *file = fopen(path, "w");
  return *file ? SEAM_OK : output_failed(path, error);
}

seam_status output_replace(const char *path, app_replacement *self, seam_error *error) {
  self->path = path;
  snprintf(self->temporary, sizeof self->temporary, "%s.%ld", path, (long)getpid());
  return output_open(self->temporary, &self->file, error);
}

seam_status output_commit(app_replacement *self, seam_error *error) {
  seam_status status = SEAM_OK;
  const bool written = fflush(self->file) == 0 && !ferror(self->file);
  if (!written)
    status = output_failed(self->temporary, error);
  if (fclose(self->file) != 0 && written)
    status = output_failed(self->temporary, error);
  if (status == SEAM_OK && rename(self->temporary, self->path) != 0)
    status = output_failed(self->path, error);
  if (status != SEAM_OK)
    unlink(self->temporary);
  return status;
}

seam_status output_failed(const char *path, seam_error *error) {
  return seam_fail(error, SEAM_NO_FILE,
                   "%s: the file cannot be written (%s); fix that, or give another directory with -o DIR", path,
                   strerror(errno));
}
