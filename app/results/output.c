/* POSIX files and directories, every failure with its name and cause. */
#include "app/results/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
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
    return seam_fail(error, SEAM_NO_FILE, "%s: this is not a directory; name another one", path);
  }
  return seam_fail(error, SEAM_NO_FILE, "%s: the directory cannot be created (%s); give another one with -o DIR", path,
                   strerror(cause));
}

enum { MAX_TRIES = 50 };
static const long between_tries = 20000000; /* ns */

/* The lock is that of the open directory, which the end of the process closes, however it ends: but a gnuplot that a
 * killed process had just started has it until it runs, hence a second of tries. */
static bool take_lock(int descriptor) {
  for (int tries = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0; tries++) {
    if (errno != EWOULDBLOCK || tries == MAX_TRIES)
      return false;
    nanosleep(&(struct timespec){.tv_nsec = between_tries}, NULL);
  }
  return true;
}

/* File systems without locks are used without. */
static seam_status lock(const char *directory, seam_error *error) {
  const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 || take_lock(descriptor))
    return SEAM_OK;
  const bool is_taken = errno == EWOULDBLOCK;
  close(descriptor);
  return is_taken ? seam_fail(error, SEAM_BAD_INPUT,
                              "%s: another process of seam writes its results there; wait for its end, or give another "
                              "directory with -o DIR",
                              directory)
                  : SEAM_OK;
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
  return status == SEAM_OK ? lock(directory, error) : status;
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

/* The other end of a pipe may never come. */
seam_status output_open(const char *path, FILE **file, seam_error *error) {
  struct stat found;
  if (stat(path, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode)))
    return seam_fail(error, SEAM_NO_FILE, "%s: this is a pipe; remove it, or give another directory with -o DIR", path);
  *file = fopen(path, "w");
  return *file ? SEAM_OK : output_failed(path, error);
}

/* ---- Files that are whole or not there ---- */

/* Devices and some file systems have nothing to store. */
static bool store(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

seam_status output_store(FILE *file, const char *path, seam_error *error) {
  return fflush(file) == 0 && store(fileno(file)) ? SEAM_OK : output_failed(path, error);
}

/* Stores the directory of a file, which has its name. */
static bool store_name(const char *path) {
  const char *slash = strrchr(path, '/');
  char *directory = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
  const int descriptor = directory == NULL ? -1 : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(directory);
  if (descriptor < 0)
    return false;
  const bool stored = store(descriptor);
  close(descriptor);
  return stored;
}

/* The directory is locked, so that one name serves all processes. false: the name is too long. */
static bool name_temporary(const char *path, char temporary[FILENAME_MAX]) {
  return snprintf(temporary, FILENAME_MAX, "%s.new", path) < FILENAME_MAX;
}

seam_status output_replace(const char *path, app_replacement *self, seam_error *error) {
  self->path = path;
  if (name_temporary(path, self->temporary)) {
    errno = 0;
    const seam_status status = output_open(self->temporary, &self->file, error);
    return status == SEAM_OK || errno == 0 ? status : output_failed(path, error);
  }
  errno = ENAMETOOLONG;
  return output_failed(path, error);
}

void output_remove_torn(const char *path) {
  char temporary[FILENAME_MAX];
  if (name_temporary(path, temporary))
    unlink(temporary);
}

void output_remove(const char *path) {
  unlink(path);
  output_remove_torn(path);
}

seam_status output_commit(app_replacement *self, seam_error *error) {
  seam_status status = SEAM_OK;
  const bool written = fflush(self->file) == 0 && !ferror(self->file) && store(fileno(self->file));
  if (!written)
    status = output_failed(self->path, error);
  if (fclose(self->file) != 0 && written)
    status = output_failed(self->path, error);
  if (status == SEAM_OK && rename(self->temporary, self->path) != 0)
    status = output_failed(self->path, error);
  if (status != SEAM_OK)
    unlink(self->temporary);
  return status;
}

seam_status output_commit_name(app_replacement *self, seam_error *error) {
  const seam_status status = output_commit(self, error);
  return status != SEAM_OK || store_name(self->path) ? status : output_failed(self->path, error);
}

seam_status output_read(const char *path, char **text, seam_error *error) {
  FILE *file = fopen(path, "rb");
  struct stat found;
  const bool has_size = file != NULL && fstat(fileno(file), &found) == 0;
  const size_t size = has_size ? (size_t)found.st_size : 0;
  *text = has_size ? calloc(1, size + 1) : NULL;
  const bool is_read = *text != NULL && fread(*text, 1, size, file) == size;
  if (file != NULL)
    fclose(file);
  if (is_read)
    return SEAM_OK;
  free(*text);
  *text = NULL;
  if (errno == ENOMEM)
    return out_of_memory(error);
  return seam_fail(error, SEAM_NO_FILE, "%s: the file cannot be read (%s)", path, strerror(errno));
}

seam_status output_failed(const char *path, seam_error *error) {
  if (errno == ENOMEM)
    return out_of_memory(error);
  return seam_fail(error, SEAM_NO_FILE,
                   "%s: the file cannot be written (%s); fix that, or give another directory with -o DIR", path,
                   strerror(errno));
}
