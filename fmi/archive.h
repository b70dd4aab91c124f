/* Zip archives: FMUs and SSPs. What is read is not trusted; what is written is equal to the byte for equal entries. */
#ifndef FMI_ARCHIVE_H
#define FMI_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <seam/status.h>

/* Limits of an archive. Deflated text shrinks to a tenth, zeros to a thousandth: `ratio` is that of all
 * entries together, and of each, and holds above `free_bytes` only. */
typedef struct fmi_limits {
  size_t entries;      /* 65536 */
  uint64_t bytes;      /* unpacked, all together: 4e9 */
  uint64_t free_bytes; /* 64e6 */
  uint64_t ratio;      /* unpacked : packed, 200 */
} fmi_limits;

fmi_limits fmi_default_limits(void);

/* Writes all entries below `folder`, which exists and is empty; a folder of the archive is made where an entry needs
 * it, and nothing gets an executable's or a link's rights. All names and sizes are judged before the first byte is
 * written. SEAM_NO_FILE: it cannot be read, or the folder not be written. SEAM_BAD_INPUT, naming the entry: no zip
 * archive, or a damaged one (CRC-32), encrypted or compressed in an unknown way; a name that is absolute, has `..`,
 * backslashes or control characters, or stands there twice with different contents; limits. What was written before an
 * entry turned out to be damaged stays: the caller removes the folder. */
seam_status fmi_archive_extract(const char *path, const char *folder, const fmi_limits *limits, seam_error *error);

/* Writes one entry into the new file `to`, of an archive that is judged as a whole. SEAM_BAD_INPUT: there is none. */
seam_status fmi_archive_extract_entry(const char *path, const char *entry, const char *to, const fmi_limits *limits,
                                      seam_error *error);

typedef struct fmi_entry {
  const char *name; /* with forward slashes, as "resources/model.yaml" */
  const void *data;
  size_t size; /* below 4 GiB */
} fmi_entry;

/* Writes n entries in their order, deflated, all with the time 1980-01-01 00:00:00 that the format begins with, into a
 * file beside `path` that takes its place at the end. SEAM_NO_FILE, and nothing is left; SEAM_BAD_INPUT: a name that
 * fmi_archive_extract() would refuse. */
seam_status fmi_archive_write(const char *path, const fmi_entry *entries, size_t n, seam_error *error);

#endif
