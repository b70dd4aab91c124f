/* Lists folders by getdents64(): readdir() allocates memory, which signal handlers must not. */
#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096, LISTING = 2048, NUMBER = 24 };

/* The process's folder. It is global, because the signal handler that removes it has no argument. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[LONGEST];
static atomic_bool is_there;
static size_t n_folders;
static unsigned long last;

/* ---- Removal ---- */

/* An entry of getdents64(2). */
typedef struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  unsigned char kind;
  char name[];
} entry;

/* Removes a folder, called `name` in the open folder `outer`, with its contents. Returns false if it is still there. */
static bool remove_tree(int outer, const char *name) {
  _Alignas(entry) char listing[LISTING];
  const int folder = openat(outer, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  long n = 0;
  while (folder >= 0 && (n = getdents64(folder, (void *)listing, sizeof listing)) > 0)
    for (long at = 0; at < n;) {
      const entry *found = (const entry *)(listing + at);
      at += found->size;
      if (strcmp(found->name, ".") != 0 && strcmp(found->name, "..") != 0 && unlinkat(folder, found->name, 0) != 0)
        remove_tree(folder, found->name);
    }
  if (folder >= 0)
    close(folder);
  return unlinkat(outer, name, AT_REMOVEDIR) == 0;
}

void scratch_remove_all(void) {
  enum { TRIES = 3 }; /* other threads may add files */
  for (int i = 0; i < TRIES && is_there && !remove_tree(AT_FDCWD, root); i++)
    ;
}

/* ---- Folders ---- */

static void leave_root(void) {
  if (n_folders > 0)
    return;
  rmdir(root);
  is_there = false;
}

seam_status scratch_make(char **path, seam_error *error) {
  seam_status status = SEAM_OK;
  *path = NULL;
  pthread_mutex_lock(&lock);
  if (n_folders == 0) {
    const char *given = getenv("TMPDIR");
    const int length = snprintf(root, sizeof root, "%s/seam-XXXXXX", given != NULL && given[0] == '/' ? given : "/tmp");
    errno = ENAMETOOLONG;
    /* Set before the folder gets its final name, so that a signal handler finds the folder. */
    is_there = length < (int)sizeof root;
    is_there = is_there && mkdtemp(root) != NULL;
  }
  if (!is_there)
    status = seam_fail(error, SEAM_NO_FILE, "%.400s: cannot make a private folder for temporary files: %s", root,
                       strerror(errno));
  else if ((*path = malloc(strlen(root) + NUMBER)) == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the name of a folder");
  else {
    sprintf(*path, "%s/%lu", root, ++last);
    if (mkdir(*path, S_IRWXU) == 0)
      n_folders++;
    else
      status = seam_fail(error, SEAM_NO_FILE, "%.400s: cannot make a private folder: %s", *path, strerror(errno));
  }
  if (status != SEAM_OK) {
    leave_root();
    free(*path);
    *path = NULL;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

void scratch_remove(char *path) {
  if (path == NULL)
    return;
  remove_tree(AT_FDCWD, path);
  pthread_mutex_lock(&lock);
  n_folders--;
  leave_root();
  pthread_mutex_unlock(&lock);
  free(path);
}
