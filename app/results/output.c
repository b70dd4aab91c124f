#include "app/results/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/failure.h"
#include "base/file.h"
#include "base/then.h"

/* ---- Folders ---- */

/* Open and locked folders into which this process writes. A descriptor stays valid if its folder is moved. */
typedef struct open_folder {
  struct open_folder *next;
  int descriptor;
  char path[];
} open_folder;
static open_folder *open_folders;

typedef struct relative_path {
  int folder; /* descriptor; AT_FDCWD: the current folder */
  const char *path;
} relative_path;

/* Returns the path relative to the innermost open folder that contains it, else to the current folder. */
static relative_path relative_path_of(const char *path) {
  relative_path found = {AT_FDCWD, path};
  size_t longest = 0;
  for (const open_folder *at = open_folders; at != NULL; at = at->next) {
    const size_t length = strlen(at->path);
    if (length > longest && strncmp(path, at->path, length) == 0 && path[length] == '/') {
      longest = length;
      found = (relative_path){at->descriptor, path + length + strspn(path + length, "/")};
    }
  }
  return found;
}

static bool find(const char *path, struct stat *found) {
  const relative_path at = relative_path_of(path);
  return fstatat(at.folder, at.path, found, 0) == 0;
}

static seam_status make_directory(const char *path, seam_error *error) {
  struct stat found;
  const relative_path at = relative_path_of(path);
  if (mkdirat(at.folder, at.path, 0777) == 0)
    return SEAM_OK;
  const int cause = errno;
  if (!find(path, &found))
    return seam_fail(error, SEAM_NO_FILE, "%s: the directory cannot be created (%s); give another one with -o DIR",
                     path, strerror(cause));
  return S_ISDIR(found.st_mode)
             ? SEAM_OK
             : seam_fail(error, SEAM_NO_FILE, "%s: this is not a directory; give a directory with -o DIR", path);
}

enum { MAX_TRIES = 50 };
static const long retry_delay = 20000000; /* ns; MAX_TRIES of these take a second */

/* Removes unfinished files (base/file.h) of killed processes from a locked folder. */
static void remove_unfinished(int descriptor) {
  const size_t length = sizeof REPLACEMENT_MARK - 1;
  const int listed = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = listed >= 0 ? fdopendir(listed) : NULL;
  for (const struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder)) {
    const char *mark = strstr(entry->d_name, REPLACEMENT_MARK);
    if (mark != NULL && strlen(mark + length) == REPLACEMENT_DIGITS &&
        strspn(mark + length, "0123456789abcdef") == REPLACEMENT_DIGITS)
      unlinkat(descriptor, entry->d_name, 0);
  }
  if (folder != NULL)
    closedir(folder);
}

/* Opens a folder and locks it until the process ends. Tries for a second: the forked child of a killed process may hold
 * the lock until its exec(). A folder that cannot be opened, or has no locks, is not locked. */
static seam_status lock(const char *directory, seam_error *error) {
  const relative_path at = relative_path_of(directory);
  const int descriptor = openat(at.folder, at.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return SEAM_OK;
  for (int tries = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; tries++) {
    if (tries == MAX_TRIES) {
      close(descriptor);
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: another process of seam is writing results into this directory; wait until that process "
                       "has ended, or give another directory with -o DIR",
                       directory);
    }
    nanosleep(&(struct timespec){.tv_nsec = retry_delay}, NULL);
  }
  open_folder *result = malloc(sizeof *result + strlen(directory) + 1);
  if (result == NULL) {
    close(descriptor);
    return out_of_memory(error);
  }
  remove_unfinished(descriptor);
  *result = (open_folder){.next = open_folders, .descriptor = descriptor};
  strcpy(result->path, directory);
  open_folders = result;
  return SEAM_OK;
}

/* Makes the directories above the last component. */
static seam_status make_parents(const char *path, seam_error *error) {
  char *parent = strdup(path);
  TRY(check_memory(parent != NULL, error));
  seam_status status = SEAM_OK;
  for (char *slash = strchr(parent + 1, '/'); slash && status == SEAM_OK; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    status = make_directory(parent, error);
    *slash = '/';
  }
  free(parent);
  return status;
}

seam_status output_make_directory(const char *directory, seam_error *error) {
  if (*directory == '\0')
    return seam_fail(error, SEAM_NO_FILE, "seam: -o needs the name of a directory");
  TRY(make_parents(directory, error));
  TRY(make_directory(directory, error));
  return lock(directory, error);
}

char *output_path(const char *directory, const char *name) { return file_path(directory, name); }

bool output_is_same(const char *one, const char *other) {
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- Written files ---- */

/* Files that this process wrote, in this order. */
typedef struct written_file {
  struct written_file *next;
  char path[];
} written_file;
static written_file *written_files;

static void list_written(const char *path) {
  written_file **end = &written_files;
  while (*end != NULL && strcmp((*end)->path, path) != 0)
    end = &(*end)->next;
  written_file *result = *end == NULL ? malloc(sizeof *result + strlen(path) + 1) : NULL;
  if (result == NULL)
    return;
  result->next = NULL;
  strcpy(result->path, path);
  *end = result;
}

/* Returns the length of the folder with its slash. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

void output_print_written(void) {
  enum { COLUMNS = 80, MAX_PRINTED = 12 }; /* of more than MAX_PRINTED files only the last is named */
  struct stat found;
  const char *before = NULL;
  size_t n = 0;
  size_t column = 0;
  for (const written_file *at = written_files; at != NULL; at = at->next)
    n += find(at->path, &found);
  for (const written_file *at = written_files; at != NULL; at = at->next) {
    if (!find(at->path, &found))
      continue;
    const size_t folder = folder_length(at->path);
    const bool is_beside = before != NULL && folder_length(before) == folder && strncmp(before, at->path, folder) == 0;
    const char *printed = is_beside ? at->path + folder : at->path; /* the folder is printed once */
    if (n <= MAX_PRINTED) {
      if (column + strlen(printed) + 2 > COLUMNS && before != NULL)
        column = (size_t)fprintf(stderr, ",\n ") - 2;
      else
        column += (size_t)fprintf(stderr, before != NULL ? "," : "wrote");
      fputc(' ', stderr);
      print_name(printed);
      column += strlen(printed) + 1;
    }
    before = at->path;
  }
  if (n > MAX_PRINTED) {
    fprintf(stderr, "wrote %zu files into ", n);
    const open_folder *first = open_folders;
    while (first != NULL && first->next != NULL)
      first = first->next;
    print_name(first != NULL ? first->path : ".");
    fputs(", last ", stderr);
    print_name(before);
  }
  if (n > 0)
    fputc('\n', stderr);
}

/* ---- New files ---- */

/* Makes the folder of a file that could not be opened. Fails if errno has another cause than a missing folder. Folders
 * are not made earlier: where an open folder was moved, its old path must stay free. */
static seam_status make_missing_folder(const char *path, seam_error *error) {
  const bool is_missing = (errno == ENOENT || errno == ENOTDIR) && *path != '\0';
  return is_missing ? make_parents(path, error) : output_failed(path, error);
}

/* Removes an existing file first, so that its other hard links keep their contents. Fails for pipes, which may have no
 * reader; opens devices as they are. */
seam_status output_open(const char *path, FILE **file, seam_error *error) {
  struct stat found;
  const relative_path at = relative_path_of(path);
  const bool is_there = find(path, &found);
  const bool is_device = is_there && (S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode));
  if (is_there && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode)))
    return seam_fail(error, SEAM_NO_FILE, "%s: this is a pipe; remove it, or give another directory with -o DIR", path);
  if (!is_device && (!is_there || S_ISREG(found.st_mode)))
    unlinkat(at.folder, at.path, 0);
  const int flags = is_device ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW;
  int descriptor = openat(at.folder, at.path, flags | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    TRY(make_missing_folder(path, error));
    descriptor = openat(at.folder, at.path, flags | O_CLOEXEC, 0666);
  }
  *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (*file != NULL && !is_device)
    list_written(path);
  return *file ? SEAM_OK : output_failed(path, error);
}

int output_descriptor(const char *path, int flags) {
  const relative_path at = relative_path_of(path);
  if ((flags & O_ACCMODE) != O_RDONLY)
    list_written(path);
  return openat(at.folder, at.path, flags | O_CLOEXEC, 0666);
}

bool output_unlink(const char *path) {
  const relative_path at = relative_path_of(path);
  return unlinkat(at.folder, at.path, 0) == 0;
}

size_t output_bytes(int descriptor, const char *bytes, size_t n) {
  size_t done = 0;
  while (done < n) {
    const ssize_t written = write(descriptor, bytes + done, n - done);
    if (written < 0 && errno != EINTR)
      break;
    done += written > 0 ? (size_t)written : 0;
  }
  return done;
}

seam_status output_begin(output_file *self, const char *directory, const char *name, seam_error *error) {
  self->path = output_path(directory, name);
  TRY(check_memory(self->path != NULL, error));
  const seam_status status = output_open(self->path, &self->file, error);
  return status == SEAM_OK ? SEAM_OK : output_end(self, status, error);
}

seam_status output_flush(const output_file *self, seam_error *error) {
  return fflush(self->file) == 0 && ferror(self->file) == 0 ? SEAM_OK : output_failed(self->path, error);
}

bool output_close(FILE *file) {
  const bool has_failed = ferror(file) != 0;
  return fclose(file) == 0 && !has_failed;
}

seam_status output_end(output_file *self, seam_status status, seam_error *error) {
  if (self->file != NULL && !output_close(self->file) && status == SEAM_OK)
    status = output_failed(self->path, error);
  free(self->path);
  *self = (output_file){.path = NULL};
  return status;
}

/* ---- Replacements ---- */

/* Returns true if the data are on the disk, or if the device or file system stores nothing. */
static bool sync_to_disk(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

seam_status output_sync(FILE *file, const char *path, seam_error *error) {
  return fflush(file) == 0 && sync_to_disk(fileno(file)) ? SEAM_OK : output_failed(path, error);
}

seam_status output_replace(const char *path, app_replacement *self, seam_error *error) {
  self->path = path;
  self->file = stdout;
  if (path == NULL)
    return SEAM_OK;
  const relative_path at = relative_path_of(path);
  int descriptor = replacement_open(at.folder, at.path, self->temporary, sizeof self->temporary);
  if (descriptor < 0) {
    TRY(make_missing_folder(path, error));
    descriptor = replacement_open(at.folder, at.path, self->temporary, sizeof self->temporary);
  }
  self->file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  return self->file != NULL ? SEAM_OK : output_failed(path, error);
}

void output_abandon(app_replacement *self) {
  fclose(self->file);
  unlinkat(relative_path_of(self->path).folder, self->temporary, 0);
}

seam_status output_commit(app_replacement *self, seam_error *error) {
  if (self->path == NULL)
    return SEAM_OK;
  const relative_path at = relative_path_of(self->path);
  const bool is_stored = fflush(self->file) == 0 && !ferror(self->file) && sync_to_disk(fileno(self->file));
  seam_status status = is_stored ? SEAM_OK : output_failed(self->path, error);
  if (fclose(self->file) != 0 && is_stored)
    status = output_failed(self->path, error);
  if (status == SEAM_OK && renameat(at.folder, self->temporary, at.folder, at.path) != 0)
    status = output_failed(self->path, error);
  if (status != SEAM_OK)
    unlinkat(at.folder, self->temporary, 0);
  else
    list_written(self->path);
  return status;
}

/* Also writes the directory to the disk, so that the file's name survives a crash. */
seam_status output_commit_name(app_replacement *self, seam_error *error) {
  TRY(output_commit(self, error));
  const relative_path at = relative_path_of(self->path);
  const char *slash = strrchr(at.path, '/');
  char *folder = slash == NULL ? strdup(".") : strndup(at.path, (size_t)(slash - at.path) + 1);
  const int descriptor = folder == NULL ? -1 : openat(at.folder, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  const bool is_stored = descriptor >= 0 && sync_to_disk(descriptor);
  if (descriptor >= 0)
    close(descriptor);
  return is_stored ? SEAM_OK : output_failed(self->path, error);
}

seam_status output_text(const char *path, const char *text, seam_error *error) {
  app_replacement result;
  TRY(output_replace(path, &result, error));
  fputs(text, result.file);
  return output_commit(&result, error);
}

seam_status output_read(const char *path, char **text, seam_error *error) {
  size_t size = 0;
  *text = file_read(path, SIZE_MAX - 1, &size);
  return *text != NULL ? SEAM_OK : output_not_read(path, "file", error);
}

seam_status output_not_read(const char *path, const char *kind, seam_error *error) {
  if (errno == ENOMEM)
    return out_of_memory(error);
  return seam_fail(error, SEAM_NO_FILE, "%s: the %s cannot be read (%s)", path, kind, file_cause(errno));
}

seam_status output_failed(const char *path, seam_error *error) {
  if (errno == ENOMEM)
    return out_of_memory(error);
  return seam_fail(error, SEAM_NO_FILE,
                   "%s: the file cannot be written (%s); remove this cause, or write to another place with -o", path,
                   strerror(errno));
}
