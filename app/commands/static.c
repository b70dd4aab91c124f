/* `seam static`: finds the stable equilibrium near the start. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/plain.h"
#include "app/results/output.h"
#include "app/results/table_file.h"
#include "app/setup.h"
#include "base/then.h"

typedef struct app_static {
  app_setup setup;
  mbs_equilibrium report;
  bool *neutral; /* (bodies) the body takes part in a motion against which no force acts */
  seam_equilibrium_stability stability;
} app_static;

/* Prints x, y and phi, or fx, fy and a torque. A value that is only round-off of `size` is printed as 0; for the third
 * value size_of_third replaces `size`. */
static void print_three(const char *name, const double *value, double size, double size_of_third) {
  printf("%-16s  %14.9g  %14.9g  %14.9g\n", name, without_roundoff(value[0], size), without_roundoff(value[1], size),
         without_roundoff(value[2], size_of_third));
}

/* Prints what the equilibrium leaves undetermined, and whether it is stable. */
static void print_remarks(const app_static *found) {
  enum { MAX_NAMES = 8 };
  const char *names[MAX_NAMES];
  const size_t n_frictions = mbs_frictions_at_rest(found->setup.workspace, found->setup.state, names, MAX_NAMES);
  const mbs_equilibrium *report = &found->report;
  const mbs_model *model = found->setup.model;
  if (report->degrees_of_freedom == 0)
    puts("the mechanism cannot move: only its reactions were found");
  if (report->n_redundant > 0)
    printf("%zu redundant constraints: reactions are those of least norm\n", report->n_redundant);
  if (report->n_neutral > 0) {
    printf("nothing resists %zu independent motion%s of:", report->n_neutral, report->n_neutral == 1 ? "" : "s");
    for (size_t i = 0; i < mbs_n_bodies(model); i++)
      if (found->neutral[i])
        printf(" %s", mbs_body_of(model, i).name);
    putchar('\n');
  }
  if (report->n_kept > 0)
    printf("%zu combination%s of variables may rest at any value, such as '%s': the value found depends on the start\n",
           report->n_kept, report->n_kept == 1 ? "" : "s", mbs_variable_of(model, report->kept_variable).name);
  if (found->stability.is_found && found->stability.growth == 0)
    puts("no motion about the equilibrium grows, with laws and states");
  else if (!found->stability.is_found && mbs_n_variables(model) > 0)
    puts("sampled variables have several periods, or stand beside hard contacts: whether a motion about the "
         "equilibrium grows is not decided");
  if (n_frictions > 0) {
    printf("friction is zero at rest: of many equilibria this is the one without the friction of:");
    for (size_t i = 0; i < n_frictions && i < MAX_NAMES; i++)
      printf(" %s", names[i]);
    puts(n_frictions > MAX_NAMES ? " ..." : "");
  }
}

static void print_equilibrium(const app_static *found) {
  const mbs_equilibrium *report = &found->report;
  const mbs_state *state = found->setup.state;
  const mbs_model *model = found->setup.model;
  if (found->setup.from != NULL)
    setup_print_start_notes(&found->setup);
  printf("model: %s\n", seam_model_name(found->setup.file));
  printf("equilibrium after %zu steps; degrees of freedom: %zu\n", report->steps, report->degrees_of_freedom);
  if (report->largest_move > 0 || report->largest_turn > 0)
    printf("from the start %s moved %.6g m and %s turned %.6g rad, most of all\n",
           mbs_body_of(model, report->moved_body).name, report->largest_move,
           mbs_body_of(model, report->turned_body).name, report->largest_turn);
  print_remarks(found);
  printf("left at rest: accelerations %.2g m/s2 or rad/s2, rates of states %.2g 1/s, constraints %.2g m or rad\n",
         report->acceleration, report->rate, report->gap);
  const mbs_scales scales = mbs_scales_of(model);
  double farthest = scales.length;
  double greatest = scales.force;
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    farthest = fmax(farthest, hypot(state->q[3 * i], state->q[3 * i + 1]));
  for (size_t i = 0; i < mbs_n_joints(model); i++) {
    double wrench[3];
    mbs_reaction(found->setup.workspace, state, i, wrench);
    greatest = fmax(greatest, hypot(wrench[0], wrench[1]));
  }
  printf("%-16s  %14s  %14s  %14s\n", "body", "x [m]", "y [m]", "phi [rad]");
  for (size_t i = 0; i < mbs_n_bodies(model); i++)
    print_three(mbs_body_of(model, i).name, state->q + 3 * i, farthest, 1);
  printf("%-16s  %14s  %14s  %14s\n", "reaction", "fx [N]", "fy [N]", "torque [Nm]");
  for (size_t i = 0; i < mbs_n_joints(model); i++) {
    double wrench[3];
    mbs_reaction(found->setup.workspace, state, i, wrench);
    print_three(mbs_joint_of(model, i).name, wrench, greatest, greatest * scales.length);
  }
  for (size_t k = 0; k < mbs_n_states(model); k++) {
    char name[256];
    mbs_state_text(model, k, name, sizeof name);
    if (name[0] != '\0')
      printf("%s: %.9g\n", name, state->z[k]);
  }
}

static seam_status write_results(const app_static *found, const app_options *parsed, seam_error *error) {
  const app_setup *setup = &found->setup;
  char *directory = NULL;
  char *path = NULL;
  seam_table *columns = NULL;
  app_table_file *file = NULL;
  interrupt_catch();
  seam_status status = study_folder_make(parsed, seam_model_name(setup->file), "static", &directory, error);
  if (status == SEAM_OK && (path = output_path(directory, "static.csv")) == NULL)
    status = out_of_memory(error);
  THEN(status, seam_trajectory_table_create(setup->model, &columns, error));
  THEN(status, table_file_open((const char *const[N_ROW_FORMATS]){path}, columns, NULL, NULL, &file, error));
  THEN(status, seam_trajectory_row(columns, setup->workspace, setup->state, file->row, error));
  THEN(status, table_file_write_row(file, file->row, error));
  const seam_status closed = table_file_close(file, status == SEAM_OK ? error : NULL);
  table_file_free(file);
  seam_table_destroy(columns);
  free(directory);
  free(path);
  return status == SEAM_OK ? closed : status;
}

/* For an unstable equilibrium the exit status is 3 (SEAM_WRONG). */
static int run_static(const app_options *parsed, seam_error *error) {
  app_static found = {0};
  app_setup *setup = &found.setup;
  double time = 0;
  seam_status status = setup_read(parsed, setup, error);
  setup_apply_from(setup, parsed);
  THEN(status, setup_use_monolithic(setup, true, error));
  THEN(status, options_number(parsed, "--at", -INFINITY, INFINITY, &time, error));
  THEN(status, setup_open(setup, error));
  if (status == SEAM_OK) {
    found.neutral = calloc(mbs_n_bodies(setup->model) + 1, sizeof *found.neutral);
    if (options_flag(parsed, "--at"))
      setup->state->t = time;
    status = found.neutral != NULL
                 ? mbs_find_equilibrium(setup->workspace, setup->state, &found.report, found.neutral, error)
                 : out_of_memory(error);
  }
  THEN(status, seam_equilibrium_stability_find(setup->model, setup->state, &found.stability, error));
  THEN(status, write_results(&found, parsed, error));
  if (status == SEAM_OK && !options_flag(parsed, "--quiet"))
    print_equilibrium(&found);
  if (status == SEAM_OK && found.stability.growth != 0)
    status = seam_fail(error, SEAM_WRONG,
                       "suspect: the equilibrium is not stable, because with inertia, damping and states a motion "
                       "about it grows by %.6g 1/s at %.6g Hz; 'seam modes' shows this motion; change gains",
                       found.stability.growth, found.stability.frequency);
  free(found.neutral);
  setup_free(setup);
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_DIRECTORY,
    {"--at", "TIME", .help = "laws of time are frozen there, s; default 0"},
    OPTION_FROM,
    OPTION_SET,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const app_command static_command = {
    .name = "static",
    .summary = "find the equilibrium near the start",
    .operands = "MODEL",
    .details =
        "Finds the stable equilibrium to which the mechanism would creep from its start, prints poses and reactions,\n"
        "and writes DIR/static.csv: one row with the columns of trajectory.csv. Motions that nothing resists are\n"
        "named. A mechanism that cannot move is allowed: it has reactions.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models').\n"
        "\n"
        "  seam static double_pendulum",
    .options = table,
    .n_operands = {1, 1},
    .run = run_static,
};
