/* Where results go: nothing is written elsewhere, and nothing else is lost, whatever happens to folders meanwhile. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/command.h"

TestSuite(places, .init = enter_scratch, .fini = leave_scratch, .timeout = 600);

static const char model[] = "seam: 1\nname: m\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
                            "simulate: {end: 0.1, output_step: 0.01}\n";

static void run_into(const char *folder) {
  write_text("m.yaml", model);
  outcome run = expect_success(SEAM("run", "m.yaml", "-o", folder, "--quiet"));
  outcome_free(&run);
}

/* Entries of a folder whose names have that part. */
static int count(const char *path, const char *part) {
  DIR *folder = opendir(path);
  int n = 0;
  cr_assert_not_null(folder);
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    n += has(entry->d_name, part);
  closedir(folder);
  return n;
}

static void wait_for(const char *path) {
  struct stat found;
  for (int i = 0; i < 3000 && (stat(path, &found) != 0 || found.st_size < 1000); i++)
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  cr_assert_eq(stat(path, &found), 0, "'%s' does not come", path);
}

/* Starts a run in the folder `a`, which is moved while it runs. */
static pid_t start_and_move(void) {
  static const char *const long_run[] = {
      "seam", "run", "four_bar_bushing", "--end", "60", "--output-step", "1e-3", "--checkpoint", "1", "-o", "a", NULL};
  const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const pid_t child = start_command(long_run, err);
  close(err);
  wait_for("a/trajectory.csv");
  cr_assert_eq(rename("a", "moved"), 0);
  return child;
}

/* Its summary goes with its rows, and another run has the old name to itself. */
Test(places, a_folder_that_is_moved_keeps_its_run) {
  const pid_t child = start_and_move();
  run_into("a");
  cr_expect_eq(wait_command(child), 0);
  char *moved = read_text("moved/summary.json"), *other = read_text("a/summary.json");
  cr_expect(has(moved, "four_bar_bushing"), "%s", moved);
  cr_expect(has(other, "\"m\"") && !has(other, "four_bar_bushing"), "%s", other);
  free(moved);
  free(other);
  cr_expect(file_exists("moved/checkpoint.seam") && !file_exists("a/checkpoint.seam"));
  outcome plot = expect_success(SEAM("plot", "moved", "bar1.x", "-o", "p.gp"));
  outcome_free(&plot);
}

Test(places, the_old_name_of_a_folder_that_is_moved_stays_free) {
  const pid_t child = start_and_move();
  cr_expect_eq(wait_command(child), 0);
  cr_expect(file_exists("moved/summary.json") && !file_exists("a"));
}

Test(places, a_run_does_not_replace_what_it_starts_from) {
  run_into("old");
  cr_assert_eq(mkdir("new", 0777), 0);
  cr_assert_eq(symlink("../old/trajectory.csv", "new/trajectory.csv"), 0);
  cr_assert_eq(symlink("old", "same"), 0);
  static const char *const pairs[][2] = {{"old", "old"},
                                         {"old", "same"},
                                         {"old", "./old"},
                                         {"old/trajectory.csv", "old"},
                                         {"old/trajectory.csv", "new"},
                                         {"new/trajectory.csv", "old"},
                                         {"old", "new"}};
  char *before = read_text("old/trajectory.csv");
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    outcome run = SEAM("run", "m.yaml", "--from", pairs[i][0], "--end", "1", "-o", pairs[i][1]);
    cr_expect_eq(run.exit_status, 2, "%s into %s", pairs[i][0], pairs[i][1]);
    cr_expect(has(run.err, "would replace them"), "%s", run.err);
    outcome_free(&run);
  }
  char *after = read_text("old/trajectory.csv");
  cr_expect_str_eq(after, before);
  free(before);
  free(after);
}

/* A link to another run's table gives way to the new one. */
Test(places, links_in_a_folder_lead_to_nothing_that_is_lost) {
  run_into("old");
  cr_assert_eq(mkdir("new", 0777), 0);
  cr_assert_eq(symlink("../old/trajectory.csv", "new/trajectory.csv"), 0);
  cr_assert_eq(symlink("../old/summary.json", "new/summary.json"), 0);
  cr_assert_eq(link("old/trajectory.csv", "kept"), 0);
  outcome run = expect_success(SEAM("run", "m.yaml", "--end", "0.05", "-o", "new", "--quiet"));
  outcome_free(&run);
  cr_expect(is_same_file("kept", "old/trajectory.csv"));
  char *rows = read_text("old/trajectory.csv");
  cr_expect(has(rows, "\n0.1,"), "%s", rows);
  free(rows);
  struct stat found;
  cr_expect(lstat("new/trajectory.csv", &found) == 0 && S_ISREG(found.st_mode));
}

/* The tables of an earlier run are not those of a sweep's summary. */
Test(places, a_sweep_does_not_keep_tables_of_a_run) {
  run_into("out");
  outcome sweep = expect_success(
      SEAM("sweep", "m.yaml", "--vary", "bodies.b.mass=[1, 2]", "--measure", "b.x.max", "-o", "out", "--quiet"));
  outcome_free(&sweep);
  cr_expect(file_exists("out/sweep.csv") && file_exists("out/summary.json"));
  cr_expect_not(file_exists("out/trajectory.csv"));
}

/* Planted links are not followed, and what others write at the same time does not disturb. */
Test(places, eight_exports_to_one_name_work) {
  static const char *const arguments[] = {"seam", "export", "m.yaml", "-o", "m.fmu", NULL};
  pid_t children[8];
  write_text("m.yaml", model);
  if (!file_exists(SEAM_ENGINE)) /* of FMUs: the sanitized build has none */
    return;
  write_text("victim", "mine");
  cr_assert(symlink("victim", "m.fmu.part") == 0 && symlink("victim", "m.fmu.new") == 0);
  const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < 8; i++)
    children[i] = start_command(arguments, err);
  for (int i = 0; i < 8; i++)
    cr_expect_eq(wait_command(children[i]), 0);
  close(err);
  outcome check = expect_success(SEAM("check", "m.fmu"));
  outcome_free(&check);
  char *victim = read_text("victim");
  cr_expect_str_eq(victim, "mine");
  free(victim);
  cr_expect_eq(count(".", ".new-"), 0);
}

/* As a run refuses it. */
Test(places, an_animation_has_as_many_rows_as_a_run_may_have) {
  write_text("m.yaml", model);
  outcome result = SEAM("animate", "m.yaml", "--set", "simulate.output_step=5e-324", "-o", "a.svg");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "the run has more than 1e+09 rows"), "%s", result.err);
  outcome_free(&result);
  result = expect_success(SEAM("animate", "m.yaml", "--set", "simulate.output_step=1e-8", "-o", "a.svg"));
  outcome_free(&result);
}
