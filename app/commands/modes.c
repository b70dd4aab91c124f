/* `seam modes`: eigenvalues, frequencies, damping and shapes of the linearised mechanism. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/operating_point.h"
#include "app/plain.h"
#include "app/results/comparisons.h"
#include "app/results/output.h"
#include "app/thresholds.h"
#include "base/then.h"

/* Returns the name of the body with the largest amplitude; 1 m counts as 1 rad. If no body moves, returns the name of
 * the state with the largest amplitude, or of its force element. */
static const char *name_of_largest(const mbs_model *model, const seam_mode *mode) {
  size_t most = 0;
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++)
    if (hypot(mode->shape[0][i], mode->shape[1][i]) >
        hypot(mode->shape[0][most], mode->shape[1][most]) * (1 + app_entry_tolerance))
      most = i;
  if (hypot(mode->shape[0][most], mode->shape[1][most]) > 0 || mbs_n_states(model) == 0)
    return mbs_body_of(model, most / 3).name;
  most = 0;
  for (size_t i = 0; i < mbs_n_states(model); i++)
    if (hypot(mode->states[0][i], mode->states[1][i]) > hypot(mode->states[0][most], mode->states[1][most]))
      most = i;
  const size_t force = mbs_state_of(model, most).force;
  return force == SEAM_NONE ? mbs_state_of(model, most).name : mbs_force_of(model, force).name;
}

/* Notes what the linearisation neglects: samples and, about an equilibrium, the velocity of prescribed motions. */
static void print_notes(const mbs_model *model, const char *at) {
  for (size_t i = 0; i < mbs_n_variables(model); i++)
    if (mbs_variable_of(model, i).sample > 0) {
      printf("note: sampled variables stay as they are, such as '%s': modes are those between samples\n",
             mbs_variable_of(model, i).name);
      break;
    }
  for (size_t j = 0; j < mbs_n_joints(model) && operating_point_is_equilibrium(at); j++)
    if (mbs_joint_of(model, j).kind == MBS_MOTION) {
      printf("note: '%s' stays as it is at the start; --at TIME linearises about its motion\n",
             mbs_joint_of(model, j).name);
      break;
    }
}

static void print_modes(const mbs_model *model, const seam_modes *modes) {
  if (modes->n == 0) {
    puts("the mechanism cannot move: it has no modes");
    return;
  }
  const double *last = modes->mode[modes->n - 1].s;
  const double fastest = hypot(last[0], last[1]);
  printf("%4s  %14s  %14s  %14s  %14s  %s\n", "mode", "frequency [Hz]", "damping ratio", "Re s [1/s]", "Im s [1/s]",
         "moves most");
  for (size_t k = 0; k < modes->n; k++) {
    const seam_mode *mode = &modes->mode[k];
    const char *remark = mode->neutral                                ? "neutral: nothing resists it"
                         : mode->damping_ratio < -app_min_mode_growth ? "grows"
                                                                      : "";
    printf("%4zu  %14.9g  %14.6g  %14.6g  %14.9g  %s%s%s\n", k + 1, mode->frequency,
           without_roundoff(mode->damping_ratio, 1), without_roundoff(mode->s[0], fastest), mode->s[1],
           name_of_largest(model, mode), *remark ? "; " : "", remark);
  }
}

/* Counts the states that have a name. States without a name, such as the time of the last sample, follow them. */
static size_t count_states(const mbs_model *model) {
  size_t n = mbs_n_states(model);
  while (n > 0 && mbs_state_of(model, n - 1).name == NULL)
    n--;
  return n;
}

static void write_header(FILE *file, const mbs_model *model, const mbs_quantity *measured, size_t n) {
  fputs("mode,frequency,damping_ratio,real,imaginary,neutral", file);
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++)
      fprintf(file, ",%s.%s%s", mbs_body_of(model, i / 3).name, seam_start_coordinate((int)(i % 3)),
              part == 0 ? "" : ".imaginary");
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < count_states(model); i++) {
      const size_t force = mbs_state_of(model, i).force;
      fprintf(file, ",%s%s%s%s", force == SEAM_NONE ? "" : mbs_force_of(model, force).name,
              force == SEAM_NONE ? "" : ".", mbs_state_of(model, i).name, part == 0 ? "" : ".imaginary");
    }
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < n; i++) {
      const mbs_quantity_info info = mbs_quantity_of(model, measured[i]);
      fprintf(file, ",%s%s%s%s", info.element, *info.name != '\0' ? "." : "", info.name, part == 0 ? "" : ".imaginary");
    }
  fputc('\n', file);
}

static void write_numbers(FILE *file, const double *number, size_t n) {
  for (size_t i = 0; i < n; i++)
    comparisons_write_number(file, number[i]);
}

static seam_status write_results(const app_setup *setup, const seam_modes *modes, const app_options *parsed,
                                 seam_error *error) {
  const size_t n = seam_measured_quantities(setup->model, NULL);
  mbs_quantity *measured = calloc(n + 1, sizeof *measured);
  output_file to = {.path = NULL};
  char *directory = NULL;
  interrupt_catch();
  seam_status status = measured != NULL
                           ? study_folder_make(parsed, seam_model_name(setup->file), "modes", &directory, error)
                           : out_of_memory(error);
  THEN(status, output_begin(&to, directory, "modes.csv", error));
  if (status == SEAM_OK) {
    seam_measured_quantities(setup->model, measured);
    write_header(to.file, setup->model, measured, n);
  }
  for (size_t k = 0; k < modes->n && status == SEAM_OK; k++) {
    const seam_mode *mode = &modes->mode[k];
    fprintf(to.file, "%zu", k + 1);
    write_numbers(to.file, (double[]){mode->frequency, mode->damping_ratio, mode->s[0], mode->s[1]}, 4);
    fprintf(to.file, ",%d", mode->neutral);
    for (int part = 0; part < 2; part++)
      write_numbers(to.file, mode->shape[part], 3 * mbs_n_bodies(setup->model));
    for (int part = 0; part < 2; part++)
      write_numbers(to.file, mode->states[part], count_states(setup->model));
    for (int part = 0; part < 2; part++)
      write_numbers(to.file, mode->measures[part], n);
    fputc('\n', to.file);
  }
  free(measured);
  free(directory);
  return output_end(&to, status, error);
}

static int run_modes(const app_options *parsed, seam_error *error) {
  const char *at = options_value(parsed, "--at");
  app_setup setup;
  seam_modes *modes = NULL;
  seam_status status = setup_read(parsed, &setup, error);
  setup_apply_from(&setup, parsed);
  THEN(status, setup_use_monolithic(&setup, true, error));
  THEN(status, operating_point_find(&setup, at, error));
  THEN(status, seam_modes_create(setup.model, setup.state, &modes, error));
  THEN(status, write_results(&setup, modes, parsed, error));
  if (status == SEAM_OK && !options_flag(parsed, "--quiet")) {
    if (setup.from != NULL)
      setup_print_start_notes(&setup);
    printf("model: %s, ", seam_model_name(setup.file));
    operating_point_print(&setup, at);
    operating_point_print_contacts(&setup);
    print_modes(setup.model, modes);
    print_notes(setup.model, at);
  }
  seam_modes_destroy(modes);
  setup_free(&setup);
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_AT, OPTION_FROM, OPTION_DIRECTORY, OPTION_SET, OPTION_QUIET, OPTION_HELP, {0},
};

const app_command modes_command = {
    .name = "modes",
    .summary = "eigenvalues and mode shapes of the linearised mechanism",
    .operands = "MODEL",
    .details =
        "Linearises the mechanism about a state, prints the eigenvalues s of its motions e^(s t) as frequencies and\n"
        "damping ratios, and writes DIR/modes.csv with the shapes: a column for each coordinate of each body, the\n"
        "largest of a mode being 1 (radians count as the mechanism's size), then their imaginary parts, and so for "
        "states\n"
        "of force elements, variables and measures.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models').\n"
        "\n"
        "  seam modes four_bar_bushing --at initial",
    .options = table,
    .n_operands = {1, 1},
    .run = run_modes,
};
