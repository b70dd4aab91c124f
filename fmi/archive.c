/* The format is PKWARE's APPNOTE; minizip reads and writes it. Seam limits the sizes that the archive's directory
 * states, and minizip never reads more: archives with overlapping entries ([Fifield]) cannot exceed the limits. */
#include "fmi/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/table.h"
#include "base/then.h"
#include "base/utf8.h"

enum { LONGEST_NAME = 1024, BLOCK = 1 << 16 };

fmi_limits fmi_default_limits(void) {
  return (fmi_limits){.entries = 65536, .bytes = 4000000000, .free_bytes = 64000000, .ratio = 200};
}

/* Returns the fault of a name; NULL: it has none. */
static const char *fault_of(const char *name) {
  const char first = (char)(name[0] | 0x20);
  if (name[0] == '/' || (first >= 'a' && first <= 'z' && name[1] == ':'))
    return "is absolute";
  if (strchr(name, '\\') != NULL)
    return "has a backslash; the format separates folders by slashes";
  for (const char *at = name; *at != '\0'; at++)
    if (text_is_control(at) || *at == '\n' || *at == '\t')
      return "has control characters";
  for (const char *piece = name; *piece != '\0' || piece == name;) {
    const size_t length = strcspn(piece, "/");
    if (length == 2 && strncmp(piece, "..", 2) == 0)
      return "leads out of the archive's folder";
    if (length == 0 || (length == 1 && *piece == '.'))
      return "has an empty part";
    piece += length;
    piece += *piece == '/';
  }
  return NULL;
}

/* ---- Checks ---- */

typedef struct reader {
  const char *path;
  unzFile zip;
  fmi_limits limits;
  arena memory;
  table names;
  uint64_t bytes, packed; /* sizes of the entries so far */
  char name[LONGEST_NAME + 1];
  unz_file_info64 info; /* header of the present entry, called `name` */
} reader;

static seam_status refuse(const reader *of, seam_error *error, const char *what) {
  return seam_fail(error, SEAM_BAD_INPUT, "%s: entry '%s' %s", of->path, of->name, what);
}

static seam_status damaged(const char *path, seam_error *error) {
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: the directory of the archive is damaged; copy or download the file again", path);
}

/* Reads the header of the present entry. Refuses a name that contains a zero byte, which would cut it short. */
static seam_status read_header(reader *of, seam_error *error) {
  if (unzGetCurrentFileInfo64(of->zip, &of->info, of->name, sizeof of->name, NULL, 0, NULL, 0) != UNZ_OK)
    return damaged(of->path, error);
  if (of->info.size_filename > LONGEST_NAME)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: an entry's name has more than %d bytes", of->path, LONGEST_NAME);
  of->name[of->info.size_filename] = '\0';
  if (strlen(of->name) != of->info.size_filename)
    return refuse(of, error, "has a zero in its name");
  return SEAM_OK;
}

static bool exceeds_ratio(const reader *of, uint64_t bytes, uint64_t packed) {
  return bytes > of->limits.free_bytes && bytes / of->limits.ratio > packed;
}

static seam_status check_entry(reader *of, seam_error *error) {
  const char *fault = fault_of(of->name);
  if (fault != NULL)
    return refuse(of, error, fault);
  if ((of->info.flag & 1) != 0)
    return refuse(of, error, "is encrypted");
  if (of->info.compression_method != 0 && of->info.compression_method != Z_DEFLATED)
    return refuse(of, error, "is compressed in a way that FMI does not allow; use deflate");
  const bool is_folder = of->name[strlen(of->name) - 1] == '/';
  const char *name = arena_text(&of->memory, of->name, strlen(of->name) - is_folder);
  if (name == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for its directory", of->path);
  /* Some tools write a folder or file twice: allowed with equal checksums and sizes. */
  const uint64_t bytes = of->info.uncompressed_size, packed = of->info.compressed_size;
  const size_t contents = is_folder ? 0 : 1 + (size_t)of->info.crc + ((size_t)bytes << 1);
  const table_slot *first = table_find(&of->names, name, strlen(name));
  if (first != NULL)
    return first->value == contents
               ? SEAM_OK
               : refuse(of, error, "is in the archive twice, with different contents; export the file again");
  if (!table_add(&of->names, name, strlen(name), contents))
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for its directory", of->path);
  if (bytes > of->limits.bytes - of->bytes)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: unpacked, it has more than %llu bytes", of->path,
                     (unsigned long long)of->limits.bytes);
  of->bytes += bytes;
  of->packed += packed < bytes ? packed : bytes;
  if (exceeds_ratio(of, bytes, packed) || exceeds_ratio(of, of->bytes, of->packed))
    return refuse(of, error, "unpacks to far more than its archive holds, as a decompression bomb does");
  return SEAM_OK;
}

/* ---- Unpacking ---- */

static seam_status fail_to_write(const reader *of, seam_error *error) {
  return seam_fail(error, SEAM_NO_FILE, "%s: entry '%s' cannot be written: %s", of->path, of->name, strerror(errno));
}

static seam_status unpack_to(reader *of, const char *path, seam_error *error) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  FILE *to = file < 0 ? NULL : fdopen(file, "wb");
  if (to == NULL)
    return fail_to_write(of, error);
  seam_status status = SEAM_OK;
  char block[BLOCK];
  int n = -1;
  if (unzOpenCurrentFile(of->zip) == UNZ_OK)
    while (status == SEAM_OK && (n = unzReadCurrentFile(of->zip, block, sizeof block)) > 0)
      if (fwrite(block, 1, (size_t)n, to) != (size_t)n)
        status = fail_to_write(of, error);
  if (n < 0)
    status = refuse(of, error, "is damaged; copy or download the file again");
  if (unzCloseCurrentFile(of->zip) != UNZ_OK && status == SEAM_OK)
    status = refuse(of, error, "is damaged (its checksum differs); copy or download the file again");
  if (fclose(to) != 0 && status == SEAM_OK)
    status = fail_to_write(of, error);
  return status;
}

/* Unpacks the present entry into `folder`, after making the folders of its name. */
static seam_status unpack(reader *of, const char *folder, seam_error *error) {
  char *path = file_path(folder, of->name);
  if (path == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a path", of->path);
  seam_status status = SEAM_OK;
  for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (status == SEAM_OK && mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
      status = fail_to_write(of, error);
    *slash = '/';
  }
  if (status == SEAM_OK && of->name[strlen(of->name) - 1] != '/' && access(path, F_OK) != 0) /* else a copy exists */
    status = unpack_to(of, path, error);
  free(path);
  return status;
}

/* Unpacks every entry into `folder`; NULL: only checks the entries. */
static seam_status visit_all(reader *of, const char *folder, seam_error *error) {
  size_t n = 0;
  int code = unzGoToFirstFile(of->zip);
  for (; code == UNZ_OK; code = unzGoToNextFile(of->zip)) {
    if (++n > of->limits.entries)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: more than %zu entries", of->path, of->limits.entries);
    TRY(read_header(of, error));
    TRY(folder == NULL ? check_entry(of, error) : unpack(of, folder, error));
  }
  return code == UNZ_END_OF_LIST_OF_FILE ? SEAM_OK : damaged(of->path, error);
}

/* Opens an archive and checks all its entries. Call close_reader() whatever the result. */
static seam_status open_reader(reader *of, const char *path, const fmi_limits *limits, seam_error *error) {
  struct stat about;
  *of = (reader){.path = path, .limits = *limits};
  if (stat(path, &about) != 0)
    return seam_fail(error, SEAM_NO_FILE, "%s: %s", path, strerror(errno));
  if (!S_ISREG(about.st_mode))
    return seam_fail(error, SEAM_NO_FILE, "%s: not a file", path);
  of->zip = unzOpen64(path);
  if (of->zip == NULL && access(path, R_OK) != 0)
    return seam_fail(error, SEAM_NO_FILE, "%s: %s", path, strerror(errno));
  if (of->zip == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: not a zip archive", path);
  return visit_all(of, NULL, error);
}

static void close_reader(reader *of) {
  if (of->zip != NULL)
    unzClose(of->zip);
  table_release(&of->names);
  arena_release(&of->memory);
}

seam_status fmi_archive_extract(const char *path, const char *folder, const fmi_limits *limits, seam_error *error) {
  reader of;
  seam_status status = open_reader(&of, path, limits, error);
  THEN(status, visit_all(&of, folder, error));
  close_reader(&of);
  return status;
}

seam_status fmi_archive_extract_entry(const char *path, const char *entry, const char *to, const fmi_limits *limits,
                                      seam_error *error) {
  enum { EXACT_CASE = 1 };
  reader of;
  seam_status status = open_reader(&of, path, limits, error);
  if (status == SEAM_OK && unzLocateFile(of.zip, entry, EXACT_CASE) != UNZ_OK)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: it has no entry '%s'", path, entry);
  THEN(status, read_header(&of, error));
  THEN(status, unpack_to(&of, to, error));
  close_reader(&of);
  return status;
}

/* ---- Writing ---- */

enum {
  DOS_1980 = 1 << 21 | 1 << 16, /* 1980-01-01 as FAT's date, in the upper 16 bits */
  LEVEL = 4 /* compression: Seam's binary is 3 % larger than at the highest level, but takes a fifth of the time */
};

/* minizip would open a file by its name: gives it the file that is already open. */
static voidpf return_open_file(voidpf file, const void *name, int mode) {
  (void)name;
  (void)mode;
  return file;
}

static int leave_open(voidpf opaque, voidpf file) {
  (void)opaque;
  return fflush(file);
}

static bool write_all(FILE *file, const fmi_entry *entries, size_t n) {
  zlib_filefunc64_def functions;
  fill_fopen64_filefunc(&functions);
  functions.zopen64_file = return_open_file;
  functions.zclose_file = leave_open;
  functions.opaque = file;
  zipFile zip = file != NULL ? zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions) : NULL;
  bool written = zip != NULL;
  const zip_fileinfo info = {.dosDate = DOS_1980};
  for (const fmi_entry *entry = entries; entry < entries + n && written; entry++) {
    written = zipOpenNewFileInZip(zip, entry->name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, LEVEL) == ZIP_OK;
    if (written) {
      written = entry->size == 0 || zipWriteInFileInZip(zip, entry->data, (unsigned)entry->size) == ZIP_OK;
      written = zipCloseFileInZip(zip) == ZIP_OK && written;
    }
  }
  return zip != NULL && zipClose(zip, NULL) == ZIP_OK && written;
}

seam_status fmi_archive_write(const char *path, const fmi_entry *entries, size_t n, seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    const char *fault = fault_of(entries[i].name);
    if (fault != NULL || entries[i].size > UINT32_MAX)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: entry '%s' %s", path, entries[i].name,
                       fault != NULL ? fault : "has 4 GiB or more");
  }
  char part[FILENAME_MAX];
  errno = 0;
  const int descriptor = replacement_open(AT_FDCWD, path, part, sizeof part);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
  const bool written = write_all(file, entries, n);
  const bool closed = file != NULL && fclose(file) == 0;
  if (written && closed && rename(part, path) == 0)
    return SEAM_OK;
  const int cause = errno != 0 ? errno : EIO;
  if (descriptor >= 0)
    unlink(part);
  return seam_fail(error, SEAM_NO_FILE, "%s: cannot be written: %s", path, strerror(cause));
}
