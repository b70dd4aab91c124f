/* A rod swings as a pendulum. This program builds the model with the C interface, assembles it, integrates it and
 * checks its energy.
 *
 * The rod has the length l = 1 m, the mass m = 1 kg and the inertia J about its centre of mass. It hangs by its end
 * from a revolute joint at the origin. It starts horizontal and at rest, at the angle θ0 = 90° from the vertical. Its
 * period is T = 4 K(s) / ω0 with s = sin(θ0/2) and ω0² = m g (l/2) / (J + m l²/4), where g is gravity and K is the
 * complete elliptic integral of the first kind. After T it is back at its start. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <seam/mbs.h>
#include <seam/status.h>

static const double length = 1, mass = 1, gravity = 9.81;

/* K(s) = π / (2 agm(1, sqrt(1 - s²))); agm: arithmetic-geometric mean. */
static double complete_elliptic_integral(double s) {
  double a = 1, b = sqrt(1 - s * s);
  while (fabs(a - b) > 1e-15) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1) / (2 * a);
}

static double period(void) {
  double inertia_at_joint = mass * length * length / 3;
  double frequency = sqrt(mass * gravity * (length / 2) / inertia_at_joint);
  return 4 * complete_elliptic_integral(sqrt(0.5)) / frequency;
}

static seam_status build(mbs_model **model, seam_error *error) {
  mbs_builder *builder = NULL;
  seam_status status = mbs_builder_create(&builder, error);
  if (status != SEAM_OK)
    return status;
  mbs_set_gravity(builder, (double[]){0, -gravity});

  mbs_body_def rod = mbs_default_body_def();
  rod.name = "rod";
  rod.mass = mass;
  rod.inertia = mass * length * length / 12;
  rod.pose[0] = length / 2;
  status = mbs_add_body(builder, &rod, error);

  mbs_joint_def hinge = mbs_default_joint_def();
  hinge.name = "hinge";
  hinge.kind = MBS_REVOLUTE;
  hinge.bodies[0] = "ground";
  hinge.bodies[1] = "rod";
  if (status == SEAM_OK)
    status = mbs_add_joint(builder, &hinge, error);

  if (status == SEAM_OK)
    return mbs_build(builder, model, error);
  mbs_builder_destroy(builder);
  return status;
}

/* Integrates one period and prints the motion. *has_returned: the rod is back at its start, with its energy. */
static seam_status simulate(const mbs_model *model, bool *has_returned, seam_error *error) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-12;
  options.atol = 1e-12;
  mbs_integrator *integrator = NULL;
  mbs_workspace *workspace = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_integrator_create(model, &options, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_workspace_create(model, &workspace, error);
  if (status == SEAM_OK)
    status = mbs_state_create(model, &state, error);
  if (status == SEAM_OK)
    status = mbs_assemble(workspace, state, NULL, NULL, error);
  if (status == SEAM_OK)
    status = mbs_integrator_start(integrator, state, error);

  printf("%8s %22s %14s\n", "time", "angle", "energy");
  double largest_energy = 0;
  for (int quarter = 0; quarter <= 4 && status == SEAM_OK; quarter++) {
    status = mbs_integrator_advance(integrator, quarter * period() / 4, state, error);
    double energy = mbs_energy_of(workspace, state).total;
    printf("%8.4f %22.15f %14.2e\n", state->t, state->q[2], energy);
    largest_energy = fmax(largest_energy, fabs(energy));
  }
  *has_returned = status == SEAM_OK && fabs(state->q[2]) < 1e-8 && largest_energy < 1e-8;

  mbs_state_destroy(state);
  mbs_workspace_destroy(workspace);
  mbs_integrator_destroy(integrator);
  return status;
}

int main(void) {
  seam_error error = {0};
  mbs_model *model = NULL;
  bool has_returned = false;
  seam_status status = build(&model, &error);
  if (status == SEAM_OK)
    status = simulate(model, &has_returned, &error);
  mbs_model_destroy(model);
  if (status != SEAM_OK) {
    fprintf(stderr, "%s\n", error.message);
    return seam_status_exit(status);
  }
  puts(has_returned ? "the rod came back" : "the rod did not come back");
  return has_returned ? 0 : 1;
}
