/* Reads quantities by name along a motion: the reaction at the hinge of a rod that falls from the horizontal.
 *
 * The rod has the length l and the mass m. At an angle θ from the vertical, its angular velocity ω and angular
 * acceleration α follow from ω² = 3 g cos θ / l and α = -3 g sin θ / (2 l). The reaction of the hinge is (5/2) m g cos
 * θ along the rod and (1/4) m g sin θ perpendicular to it. `hinge.force` is a quantity of the joint, `tip` and `share`
 * are measures. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <seam/mbs.h>
#include <seam/measures.h>
#include <seam/models.h>
#include <seam/status.h>

static const char text[] = "seam: 1\n"
                           "gravity: [0, -9.81]\n"
                           "bodies: {rod: {rod: [[0, 0], [1, 0]], mass: 2}}\n"
                           "joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                           "measures:\n"
                           "  tip: {point: [1, 0], body: rod}\n"
                           "  share: hinge.force/(2*9.81)\n";

static const char *const names[] = {"time", "rod.phi", "tip.y", "tip.speed", "hinge.force", "share"};
enum { TIME, ANGLE, HEIGHT, SPEED, FORCE, SHARE, N };

static seam_status find_all(const mbs_model *model, mbs_readout **readout, seam_error *error) {
  mbs_quantity list[N];
  for (int i = 0; i < N; i++) {
    seam_status status = mbs_find_quantity(model, names[i], &list[i], error);
    if (status != SEAM_OK)
      return status;
    mbs_quantity_info info = mbs_quantity_of(model, list[i]);
    printf("%-12s %-5s %s\n", names[i], info.unit, info.meaning);
  }
  return mbs_readout_create(model, list, N, readout, error);
}

/* Returns true if a row satisfies the equations above; row[ANGLE], the angle of the rod, is θ - 90°. */
static bool is_exact(const double *row) {
  double sine = sin(row[ANGLE]);
  double along = -2.5 * sine;
  double across = 0.25 * cos(row[ANGLE]);
  double speed = sqrt(fabs(-3 * 9.81 * sine));
  return fabs(row[SHARE] - hypot(along, across)) < 1e-8 && fabs(row[SPEED] - speed) < 1e-8 &&
         fabs(row[HEIGHT] - sine) < 1e-8;
}

static seam_status simulate(const mbs_model *model, bool *exact, seam_error *error) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-12;
  options.atol = 1e-12;
  mbs_integrator *integrator = NULL;
  mbs_workspace *workspace = NULL;
  mbs_state *state = NULL;
  mbs_readout *readout = NULL;
  seam_status status = mbs_integrator_create(model, &options, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_workspace_create(model, &workspace, error);
  if (status == SEAM_OK)
    status = mbs_state_create(model, &state, error);
  if (status == SEAM_OK)
    status = find_all(model, &readout, error);
  if (status == SEAM_OK)
    status = mbs_assemble(workspace, state, NULL, NULL, error);
  if (status == SEAM_OK)
    status = mbs_integrator_start(integrator, state, error);

  *exact = true;
  for (int i = 1; i <= 5 && status == SEAM_OK; i++) {
    double row[N];
    status = mbs_integrator_advance(integrator, 0.1 * i, state, error);
    mbs_read(readout, workspace, state, row);
    *exact = *exact && is_exact(row);
    for (int k = 0; k < N; k++)
      printf("%12.6f%s", row[k], k + 1 < N ? " " : "\n");
  }

  mbs_readout_destroy(readout);
  mbs_state_destroy(state);
  mbs_workspace_destroy(workspace);
  mbs_integrator_destroy(integrator);
  return status;
}

int main(void) {
  seam_error error = {0};
  seam_model_file *file = NULL;
  bool exact = false;
  seam_status status = seam_model_file_parse("rod", text, strlen(text), NULL, 0, &file, &error);
  if (status == SEAM_OK)
    status = simulate(seam_model_mechanism(file), &exact, &error);
  seam_model_file_destroy(file);
  if (status != SEAM_OK) {
    fprintf(stderr, "%s\n", error.message);
    return seam_status_exit(status);
  }
  puts(exact ? "the hinge bears what the equations say" : "the hinge bears something else");
  return exact ? 0 : 1;
}
