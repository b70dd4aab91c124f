/* Zip archives: what is written is read back, equal to the byte; what leads astray is refused before a byte is
 * written. The archives that are refused are made by minizip itself, which asks no questions. */
#include "fmi/archive.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <minizip/zip.h>

#include "tests/support/command.h"

static void make_folders(void) {
  mkdir("folder", 0700);
  mkdir("folder/in", 0700);
}

static void enter(void) {
  enter_scratch();
  make_folders();
}

TestSuite(archive, .init = enter, .fini = leave_scratch);

static const fmi_entry good[] = {
    {"modelDescription.xml", "<a/>", 4}, {"resources/model.yaml", "seam: 1\n", 8}, {"binaries/linux64/x.so", NULL, 0}};

/* By minizip: names as they are given. `method` 0: stored. */
static void write_zip(const char *path, const char *const *names, size_t n, const void *data, unsigned size) {
  zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);
  const zip_fileinfo info = {0};
  for (size_t i = 0; i < n; i++) {
    cr_assert_eq(zipOpenNewFileInZip(zip, names[i], &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_BEST_COMPRESSION),
                 ZIP_OK);
    cr_assert_eq(zipWriteInFileInZip(zip, data, size), ZIP_OK);
    zipCloseFileInZip(zip);
  }
  cr_assert_eq(zipClose(zip, NULL), ZIP_OK);
}

static seam_status extract(const char *path, seam_error *error) {
  const fmi_limits limits = fmi_default_limits();
  return fmi_archive_extract(path, "folder/in", &limits, error);
}

/* Refused with `message`, and nothing stands in or beside the folder. */
static void expect_refused(const char *path, const fmi_limits *limits, const char *message) {
  seam_error error = {0};
  const fmi_limits usual = fmi_default_limits();
  cr_expect_eq(fmi_archive_extract(path, "folder/in", limits != NULL ? limits : &usual, &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, message), "%s", error.message);
  cr_expect_eq(rmdir("folder/in"), 0, "something was written");
  cr_expect_eq(rmdir("folder"), 0, "something was written beside the folder");
}

Test(archive, what_was_written_is_read_back) {
  seam_error error = {0};
  cr_assert_eq(fmi_archive_write("a.zip", good, 3, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(extract("a.zip", &error), SEAM_OK, "%s", error.message);
  char *text = read_text("folder/in/resources/model.yaml");
  cr_expect_str_eq(text, "seam: 1\n");
  free(text);
  struct stat about;
  cr_assert_eq(stat("folder/in/binaries/linux64/x.so", &about), 0);
  cr_expect_eq(about.st_size, 0);
  cr_expect_eq(about.st_mode & 0777, 0600);
  cr_expect_not(file_exists("a.zip.part"));
}

Test(archive, equal_entries_give_equal_bytes_at_any_time_in_any_zone) {
  cr_assert_eq(fmi_archive_write("a.zip", good, 3, NULL), SEAM_OK);
  setenv("TZ", "Asia/Tokyo", 1);
  sleep(2); /* the format counts in two seconds */
  cr_assert_eq(fmi_archive_write("b.zip", good, 3, NULL), SEAM_OK);
  cr_expect(is_same_file("a.zip", "b.zip"));
}

/* 4 MB that do not repeat, over several blocks of the reader. */
Test(archive, large_entries_keep_their_bytes) {
  const size_t size = 1 << 22;
  unsigned char *bytes = malloc(size), *back = malloc(size);
  unsigned x = 1;
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)((x = x * 1664525U + 1013904223U) >> 24);
  const fmi_entry entry = {"large", bytes, size};
  cr_assert_eq(fmi_archive_write("a.zip", &entry, 1, NULL), SEAM_OK);
  cr_assert_eq(extract("a.zip", NULL), SEAM_OK);
  FILE *file = fopen("folder/in/large", "rb");
  cr_assert_eq(fread(back, 1, size, file), size);
  cr_expect_eq(memcmp(bytes, back, size), 0);
  fclose(file);
  free(bytes);
  free(back);
}

Test(archive, names_that_lead_astray_are_refused) {
  static const struct {
    const char *name, *message;
  } cases[] = {{"../out", "entry '../out' leads out of the archive's folder"},
               {"a/../../out", "leads out of"},
               {"a/..", "leads out of"},
               {"/tmp/out", "is absolute"},
               {"C:/out", "is absolute"},
               {"a\\..\\out", "has a backslash"},
               {"a//b", "has an empty part"},
               {"./a", "has an empty part"},
               {"a\nb", "has control characters"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    make_folders();
    const char *const names[] = {"modelDescription.xml", cases[i].name};
    write_zip("bad.zip", names, 2, "x", 1);
    expect_refused("bad.zip", NULL, cases[i].message);
    const fmi_entry entry = {cases[i].name, "x", 1};
    cr_expect_eq(fmi_archive_write("own.zip", &entry, 1, NULL), SEAM_BAD_INPUT);
    cr_expect_not(file_exists("own.zip"));
  }
}

Test(archive, names_that_begin_with_dots_are_names) {
  const char *const names[] = {"..a/...", ".hidden"};
  write_zip("a.zip", names, 2, "x", 1);
  cr_expect_eq(extract("a.zip", NULL), SEAM_OK);
  cr_expect(file_exists("folder/in/..a/..."));
}

Test(archive, a_name_that_stands_there_twice_with_other_contents_is_refused) {
  const fmi_entry entries[] = {{"a", "x", 1}, {"b", "x", 1}, {"a", "y", 1}};
  cr_assert_eq(fmi_archive_write("a.zip", entries, 3, NULL), SEAM_OK);
  expect_refused("a.zip", NULL, "entry 'a' is in the archive twice, with different contents");
}

/* As builds of the Reference FMUs make them. */
Test(archive, equal_copies_of_an_entry_are_one) {
  const char *const names[] = {"extra/", "extra/a", "extra/", "extra/a"};
  write_zip("a.zip", names, 4, "x", 1);
  cr_expect_eq(extract("a.zip", NULL), SEAM_OK);
  cr_expect(file_exists("folder/in/extra/a"));
}

Test(archive, what_is_file_and_folder_at_once_is_no_archive) {
  const char *const names[] = {"a", "a/b"};
  write_zip("a.zip", names, 2, "x", 1);
  seam_error error = {0};
  cr_expect_eq(extract("a.zip", &error), SEAM_NO_FILE);
  cr_expect(has(error.message, "entry 'a/b' cannot be written"), "%s", error.message);
}

Test(archive, a_bomb_is_refused_by_its_ratio) {
  const size_t size = 80000000;
  void *zeros = calloc(1, size);
  const char *const names[] = {"a"};
  write_zip("a.zip", names, 1, zeros, (unsigned)size);
  free(zeros);
  expect_refused("a.zip", NULL, "entry 'a' unpacks to far more than its archive holds");
}

Test(archive, entries_and_bytes_have_limits) {
  const char *const names[] = {"a", "b", "c"};
  write_zip("a.zip", names, 3, "0123456789", 10);
  fmi_limits few = fmi_default_limits(), small = fmi_default_limits();
  few.entries = 2;
  small.bytes = 29;
  expect_refused("a.zip", &few, "more than 2 entries");
  make_folders();
  write_zip("a.zip", names, 3, "0123456789", 10);
  expect_refused("a.zip", &small, "more than 29 bytes");
}

/* Sizes of the directory that lie: minizip stops at what is declared, and its checksum differs. */
Test(archive, an_entry_that_is_longer_than_declared_is_refused) {
  const char *const names[] = {"a"};
  char data[1000];
  memset(data, 'x', sizeof data);
  write_zip("a.zip", names, 1, data, sizeof data);
  struct stat about;
  stat("a.zip", &about);
  unsigned char *bytes = malloc((size_t)about.st_size);
  FILE *file = fopen("a.zip", "r+b");
  cr_assert_eq(fread(bytes, 1, (size_t)about.st_size, file), (size_t)about.st_size);
  for (long i = 0; i + 1 < about.st_size; i++)
    if (bytes[i] == (1000 & 0xff) && bytes[i + 1] == 1000 >> 8) {
      fseek(file, i, SEEK_SET);
      fwrite("\x0a\x00", 1, 2, file);
    }
  fclose(file);
  free(bytes);
  seam_error error = {0};
  cr_expect_eq(extract("a.zip", &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, "entry 'a' is damaged"), "%s", error.message);
  stat("folder/in/a", &about);
  cr_expect_leq(about.st_size, 10);
}

/* Each byte of an archive changed, each end cut off: never a crash, never a wrong content that passes. */
Test(archive, damaged_archives_are_refused_or_harmless) {
  cr_assert_eq(fmi_archive_write("a.zip", good, 2, NULL), SEAM_OK);
  struct stat about;
  stat("a.zip", &about);
  const size_t size = (size_t)about.st_size;
  char *bytes = malloc(size);
  FILE *file = fopen("a.zip", "rb");
  cr_assert_eq(fread(bytes, 1, size, file), size);
  fclose(file);
  for (size_t i = 0; i < 2 * size; i++) {
    char folder[64], path[128];
    snprintf(folder, sizeof folder, "folder/in/%zu", i);
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    const size_t kept = i < size ? size : i - size;
    file = fopen("b.zip", "wb");
    bytes[i % size] ^= (char)(i < size ? 0x41 : 0);
    fwrite(bytes, 1, kept, file);
    bytes[i % size] ^= (char)(i < size ? 0x41 : 0);
    fclose(file);
    const fmi_limits limits = fmi_default_limits();
    if (fmi_archive_extract("b.zip", folder, &limits, NULL) == SEAM_OK && file_exists(path)) {
      char *text = read_text(path);
      cr_expect_str_eq(text, "<a/>", "byte %zu", i);
      free(text);
    }
  }
  free(bytes);
}

Test(archive, what_is_no_archive_is_said_so) {
  write_text("text", "not a zip archive at all");
  seam_error error = {0};
  cr_expect_eq(extract("text", &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "text: not a zip archive");
  cr_expect_eq(extract("missing", &error), SEAM_NO_FILE);
  cr_expect_str_eq(error.message, "missing: No such file or directory");
  cr_expect_eq(extract("folder", &error), SEAM_NO_FILE);
  cr_expect_str_eq(error.message, "folder: not a file");
}

Test(archive, a_folder_that_cannot_be_written_leaves_nothing) {
  seam_error error = {0};
  cr_expect_eq(fmi_archive_write("missing/a.zip", good, 3, &error), SEAM_NO_FILE);
  cr_expect(has(error.message, "missing/a.zip: cannot be written"), "%s", error.message);
}
