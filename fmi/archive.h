/* Zip archives: FMUs, and systems (SSP). Archives that are read are not trusted. Equal entries give equal archives, to
 * the byte. */
#ifndef FMI_ARCHIVE_H
#define FMI_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include <seam/status.h>

/* Limits of an archive, with their defaults. Deflating shrinks text to about a tenth, but zeros to a thousandth.
 * Therefore `ratio` limits entries, and the complete archive, only above an unpacked size of `free_bytes`. */
typedef struct fmi_limits {
  size_t entries;      /* 65536: largest number of entries */
  uint64_t bytes;      /* 4e9: largest sum of unpacked sizes */
  uint64_t free_bytes; /* 64e6: unpacked size up to which the ratio is not limited */
  uint64_t ratio;      /* 200: largest unpacked over packed size */
} fmi_limits;

fmi_limits fmi_default_limits(void);

/* Writes all entries below `folder`, which exists and is empty; nothing becomes an executable or a link. Checks all
 * names and sizes before the first byte is written. If an entry is damaged, earlier ones remain in the folder, which
 * the caller removes.
 *
 *   SEAM_NO_FILE     the archive cannot be read, or the folder cannot be written
 *   SEAM_BAD_INPUT   no zip archive; limits exceeded; or an entry, which the message names: damaged (CRC-32),
 *                    encrypted, or compressed in an unknown way; an absolute name, or a name with `..`, backslashes or
 *                    control characters; the name of an earlier entry, with other contents
 *   SEAM_NO_MEMORY */
seam_status fmi_archive_extract(const char *path, const char *folder, const fmi_limits *limits, seam_error *error);

/* Checks the complete archive, then writes one entry into the new file `to`. Errors of fmi_archive_extract();
 * SEAM_BAD_INPUT also: there is no such entry. */
seam_status fmi_archive_extract_entry(const char *path, const char *entry, const char *to, const fmi_limits *limits,
                                      seam_error *error);

typedef struct fmi_entry {
  const char *name; /* name with forward slashes, as "resources/model.yaml" */
  const void *data;
  size_t size; /* below 4 GiB */
} fmi_entry;

/* Writes n entries in order, deflated, with the earliest date of the format, 1980-01-01 00:00:00. The archive replaces
 * `path` only when it is complete. SEAM_NO_FILE: no new file is left; SEAM_BAD_INPUT: a name that fmi_archive_extract()
 * would refuse. */
seam_status fmi_archive_write(const char *path, const fmi_entry *entries, size_t n, seam_error *error);

#endif
