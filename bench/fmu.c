/* Cost of FMUs in a co-simulation. A model is cut into two FMUs. Runs with and without FMUs take turns; the cost is the
 * CPU time of a macro step with FMUs, divided by that without. The only argument is the number of turns, by default 11.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <seam/fmu.h>

#include "base/scratch.h"
#include "bench/bench.h"

enum { N_STEPS = 400, N_KINDS = 4 };

static const double H = 1e-3;

/* Variants of the two subsystems. version: version of FMI; 0: the subsystems are not FMUs. differences: derivatives are
 * approximated by differences; false: the subsystems give them. */
static const struct {
  const char *title;
  int version;
  bool differences;
} kinds[N_KINDS] = {{"the file", 0, false},
                    {"the file, differences", 0, true},
                    {"FMI 3, own derivatives", 3, false},
                    {"FMI 2, differences", 2, false}};

typedef struct test_case {
  bench_run run; /* its file and start */
  cosim_simulation *simulation;
} test_case;

static const char coupled[] =
    "seam: 1\nname: coupled\nsimulate: {end: 1, output_step: 0.1}\ncosim:\n  macro_step: 1e-3\n"
    "  subsystems: {left: {fmu: left%d.fmu}, right: {fmu: right%d.fmu}}\n  couplings:\n    M:\n      sides:\n"
    "        - {subsystem: left, force: [M.fx, M.fy, M.torque], position: [M.x, M.y, M.phi],\n"
    "           velocity: [M.vx, M.vy, M.omega], acceleration: [M.ax, M.ay, M.alpha]}\n"
    "        - {subsystem: right, force: [M.fx, M.fy, M.torque], position: [M.x, M.y, M.phi],\n"
    "           velocity: [M.vx, M.vy, M.omega], acceleration: [M.ax, M.ay, M.alpha]}\n"
    "      stiffness: [1e3, 1e3, 1e3]\n      damping: [10, 10, 10]\n";

static void export_half(const char *text, const char *half, int version) {
  char path[32];
  seam_fmu_options options = seam_default_fmu_options();
  options.version = version;
  options.subsystem = half;
  options.engine = SEAM_FMU_ENGINE;
  snprintf(path, sizeof path, "%s%d.fmu", half, version);
  bench_check(seam_fmu_export("model", text, strlen(text), NULL, 0, &options, path, &bench_error));
}

static void measure(const char *model_text, const char *scheme, int n_turns) {
  static double times[N_KINDS][BENCH_MAX_TURNS];
  test_case all[N_KINDS];
  for (int k = 0; k < N_KINDS; k++) {
    char text[2048], choice[64];
    snprintf(choice, sizeof choice, "cosim.scheme=%s", scheme);
    snprintf(text, sizeof text, coupled, kinds[k].version, kinds[k].version);
    const char *const overrides[] = {
        choice, kinds[k].differences ? "cosim.derivatives=differences" : "cosim.derivatives=exact", NULL};
    seam_model_file *file = bench_parse("model", kinds[k].version == 0 ? model_text : text, overrides);
    all[k] = (test_case){.run = bench_run_of(file, 0)};
    bench_check(cosim_create(seam_model_cosim(file), &all[k].simulation, &bench_error));
  }
  for (int turn = 0; turn < n_turns; turn++)
    for (int k = 0; k < N_KINDS; k++) {
      bench_check(cosim_start(all[k].simulation, all[k].run.start, &bench_error));
      const double from = clock_cpu();
      for (int n = 0; n < N_STEPS; n++)
        bench_check(cosim_advance(all[k].simulation, H, &bench_error));
      times[k][turn] = (clock_cpu() - from) / N_STEPS; /* s per macro step */
    }
  printf("%s\n", scheme);
  for (int k = 1; k < N_KINDS; k++)
    bench_print(kinds[k].title, bench_spread_of(1, times[k], times[0], n_turns), "times the file");
  bench_print(kinds[0].title, bench_spread_of(1e6, times[0], NULL, n_turns), "us a macro step");
  for (int k = 0; k < N_KINDS; k++) {
    cosim_destroy(all[k].simulation);
    bench_run_destroy(&all[k].run);
  }
}

int main(int n_arguments, char **arguments) {
  static const char *const schemes[] = {"ff-k0-explicit", "ff-k1", "ff-k1-implicit", "ff-colloc-s2"};
  const int n_turns = bench_turns(n_arguments, arguments, 11);
  const char *model_text = seam_catalogue_text("four_bar_bushing");
  char *directory = NULL;
  bench_check(scratch_make(&directory, &bench_error));
  if (chdir(directory) != 0)
    return 1;
  for (int version = 2; version <= 3; version++) {
    export_half(model_text, "left", version);
    export_half(model_text, "right", version);
  }
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    measure(model_text, schemes[i], n_turns);
  scratch_remove(directory);
  return 0;
}
