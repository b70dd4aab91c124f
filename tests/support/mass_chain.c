/* The whole: M a = -K x - D v - Gᵀ λ, G a = 0 with a row (-1 at side 1, 1 at side 2) of G for every rigid bar, so that
 *
 *   λ = (G M⁻¹ Gᵀ)⁻¹ G M⁻¹ f,   a = M⁻¹ (f - Gᵀ λ),   f = -K x - D v.
 */
#include "tests/support/mass_chain.h"

#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "solvers/expm.h"

enum { MAX_STATES = 2 * MAX_MASSES, MAX_INPUTS = 3 * MAX_BARS, n_states = 3, outputs_before_bars = 4 };
enum { x_out, v_out, a_out, p_out };

struct mass_chain {
  mass_chain_def def;
  cosim_linear_element spring[MAX_BARS];
  cosim_element joined;
  cosim_part *part[MAX_MASSES];
  cosim_master *master;
  double S[MAX_BARS * MAX_BARS]; /* (G M⁻¹ Gᵀ)⁻¹ */
  int rigid[MAX_BARS], n_rigid;  /* numbers of the rigid bars */
  double A[MAX_STATES * MAX_STATES];
};

/* ---- The whole ---- */

static double sign_at(const mass_chain_bar *bar, int mass) { return (bar->mass[1] == mass) - (bar->mass[0] == mass); }

static void invert_constraints(mass_chain *self) {
  const mass_chain_def *def = &self->def;
  const int n = self->n_rigid;
  double product[MAX_BARS * MAX_BARS] = {0};
  int pivot[MAX_BARS];
  for (int i = 0; i < n; i++) {
    self->S[i + i * n] = 1;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < def->n_masses; k++)
        product[i + j * n] +=
            sign_at(&def->bar[self->rigid[i]], k) * sign_at(&def->bar[self->rigid[j]], k) / def->mass[k].m;
  }
  if (n > 0)
    cr_assert_eq(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, product, n, pivot, self->S, n), 0);
}

/* u (n_masses) becomes u - M⁻¹ Gᵀ λ, λ = S G u those of the rigid bars. */
static void project_vector(const mass_chain *self, double *u, double *lambda) {
  const mass_chain_def *def = &self->def;
  const int n = self->n_rigid;
  double gap[MAX_BARS] = {0};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < def->n_masses; k++)
      gap[i] += sign_at(&def->bar[self->rigid[i]], k) * u[k];
  for (int i = 0; i < n; i++) {
    lambda[i] = 0;
    for (int j = 0; j < n; j++)
      lambda[i] += self->S[i + j * n] * gap[j];
    for (int k = 0; k < def->n_masses; k++)
      u[k] -= sign_at(&def->bar[self->rigid[i]], k) * lambda[i] / def->mass[k].m;
  }
}

static double spring_force(const mass_chain_bar *bar, const double *state) {
  const int i = bar->mass[0];
  const int j = bar->mass[1];
  return bar->c * (state[2 * j] - state[2 * i]) + bar->d * (state[2 * j + 1] - state[2 * i + 1]);
}

static void whole_accelerations(const mass_chain *self, const double *state, double *a, double *lambda) {
  const mass_chain_def *def = &self->def;
  for (int k = 0; k < def->n_masses; k++) {
    double f = -def->mass[k].c * state[2 * k] - def->mass[k].d * state[2 * k + 1];
    for (const mass_chain_bar *bar = def->bar; bar < def->bar + def->n_bars; bar++)
      f -= bar->rigid ? 0 : sign_at(bar, k) * spring_force(bar, state);
    a[k] = f / def->mass[k].m;
  }
  project_vector(self, a, lambda);
}

static void fill_whole(mass_chain *self) {
  const int n = 2 * self->def.n_masses;
  for (int j = 0; j < n; j++) {
    double unit[MAX_STATES] = {0};
    double a[MAX_MASSES] = {0};
    double lambda[MAX_BARS] = {0};
    unit[j] = 1;
    whole_accelerations(self, unit, a, lambda);
    for (int k = 0; k < self->def.n_masses; k++) {
      self->A[2 * k + j * n] = j == 2 * k + 1;
      self->A[2 * k + 1 + j * n] = a[k];
    }
  }
}

void mass_chain_exact(const mass_chain *self, double t, double state[2 * MAX_MASSES]) {
  const int n = 2 * self->def.n_masses;
  double At[MAX_STATES * MAX_STATES];
  double power[MAX_STATES * MAX_STATES];
  for (int i = 0; i < n * n; i++)
    At[i] = self->A[i] * t;
  cr_assert_eq(seam_expm(n, At, power, NULL), SEAM_OK);
  for (int i = 0; i < n; i++) {
    state[i] = 0;
    for (int k = 0; k < self->def.n_masses; k++)
      state[i] += power[i + 2 * k * n] * self->def.mass[k].x + power[i + (2 * k + 1) * n] * self->def.mass[k].v;
  }
}

static void snapshots_at(const mass_chain *self, double t, cosim_snapshot *snapshot) {
  double state[MAX_STATES] = {0};
  double a[MAX_MASSES] = {0};
  double lambda[MAX_BARS] = {0};
  int n_rigid = 0;
  mass_chain_exact(self, t, state);
  whole_accelerations(self, state, a, lambda);
  for (int b = 0; b < self->def.n_bars; b++) {
    snapshot[b] = (cosim_snapshot){0};
    for (int side = 0; side < 2; side++) {
      const int k = self->def.bar[b].mass[side];
      snapshot[b].motion[side].x[0] = state[2 * k];
      snapshot[b].motion[side].v[0] = state[2 * k + 1];
      snapshot[b].motion[side].a[0] = a[k];
    }
    if (self->def.bar[b].rigid)
      snapshot[b].wrench[0][0] = lambda[n_rigid++];
  }
}

/* ---- One mass ---- */

typedef struct matrices {
  int n_inputs, n_outputs;
  double A[n_states * n_states], B[n_states * MAX_INPUTS];
  double C[(outputs_before_bars + MAX_BARS) * n_states], D[(outputs_before_bars + MAX_BARS) * MAX_INPUTS];
} matrices;

/* Force on the mass k, row by row of (x, v) and of the inputs, the bars driving it as their schemes say. Every bar has
 * three inputs: force or acceleration, position, velocity. Returns the bar that prescribes the acceleration, -1: none.
 */
static int sum_forces(const mass_chain_def *def, const cosim_cut *cuts, int k, double *by_state, double *by_input) {
  int prescribing = -1;
  by_state[0] = -def->mass[k].c;
  by_state[1] = -def->mass[k].d;
  for (int b = 0; b < def->n_bars; b++) {
    const mass_chain_bar *bar = &def->bar[b];
    const int side = bar->mass[1] == k;
    if (sign_at(bar, k) == 0)
      continue;
    if (cosim_scheme_drives(&cuts[b].scheme, side, COSIM_FORCE))
      by_input[3 * b] = 1;
    else if (cosim_scheme_drives(&cuts[b].scheme, side, COSIM_ACCELERATION))
      prescribing = b;
    else {
      by_state[0] -= bar->c;
      by_state[1] -= bar->d;
      by_input[3 * b + 1] = bar->c;
      by_input[3 * b + 2] = bar->d;
    }
  }
  return prescribing;
}

static cosim_part *create_mass(const mass_chain_def *def, const cosim_cut *cuts, int k) {
  static const bool restarts[n_states] = {false, false, true};
  const int n_inputs = 3 * def->n_bars;
  const double m = def->mass[k].m;
  matrices s = {0};
  double by_state[2];
  double by_input[MAX_INPUTS] = {0};
  const int prescribing = sum_forces(def, cuts, k, by_state, by_input);
  double *a_row = s.A + n_states;
  s.A[1] = 1;
  s.A[2 * n_states] = 1;
  if (prescribing < 0) {
    a_row[0] = by_state[0] / m;
    a_row[1] = by_state[1] / m;
    for (int i = 0; i < n_inputs; i++)
      s.B[n_inputs + i] = by_input[i] / m;
  } else {
    const double sign = sign_at(&def->bar[prescribing], k); /* of what the bar must add: m ã - f = -sign μ */
    s.B[n_inputs + 3 * prescribing] = 1;
    s.C[outputs_before_bars * n_states] = sign * by_state[0];
    s.C[outputs_before_bars * n_states + 1] = sign * by_state[1];
    for (int i = 0; i < n_inputs; i++)
      s.D[outputs_before_bars * n_inputs + i] = sign * by_input[i];
    s.D[outputs_before_bars * n_inputs + 3 * prescribing] = -sign * m;
  }
  s.C[x_out * n_states] = s.C[v_out * n_states + 1] = s.C[p_out * n_states + 2] = 1;
  memcpy(s.C + a_out * n_states, a_row, n_states * sizeof *a_row);
  memcpy(s.D + a_out * n_inputs, s.B + n_inputs, (size_t)n_inputs * sizeof *s.B);
  const cosim_linear_def part = {.name = "mass",
                                 .n_states = n_states,
                                 .n_inputs = n_inputs,
                                 .n_outputs = outputs_before_bars + 1,
                                 .A = s.A,
                                 .B = s.B,
                                 .C = s.C,
                                 .D = s.D,
                                 .restarts = restarts};
  cosim_part *created = NULL;
  cr_assert_eq(cosim_linear_part_create(&part, &created, NULL), SEAM_OK);
  created->ops->restore(created, (const double[]){def->mass[k].x, def->mass[k].v});
  return created;
}

/* ---- The oscillators ---- */

/* Positions and velocities onto the rigid bars, by the least change in the norm of the masses. */
static void project_state(const mass_chain *self, double state[2 * MAX_MASSES]) {
  for (int i = 0; i < 2; i++) {
    double u[MAX_MASSES];
    double lambda[MAX_BARS] = {0};
    for (int k = 0; k < self->def.n_masses; k++)
      u[k] = state[2 * k + i];
    project_vector(self, u, lambda);
    for (int k = 0; k < self->def.n_masses; k++)
      state[2 * k + i] = u[k];
  }
}

static seam_status project(void *context, double t, seam_error *error) {
  mass_chain *self = context;
  double state[2 * MAX_MASSES];
  (void)t;
  (void)error;
  mass_chain_state(self, state);
  project_state(self, state);
  for (int k = 0; k < self->def.n_masses; k++)
    self->part[k]->ops->restore(self->part[k], state + 2 * k);
  return SEAM_OK;
}

static void fill_cuts(mass_chain *self, cosim_cut *cuts) {
  self->joined = cosim_joined_element_of(1);
  for (int b = 0; b < self->def.n_bars; b++) {
    const mass_chain_bar *bar = &self->def.bar[b];
    seam_error error = {0};
    self->spring[b] = cosim_linear_element_of(1, &bar->c, &bar->d);
    cuts[b] = (cosim_cut){.name = bar->scheme, .element = bar->rigid ? &self->joined : &self->spring[b].base};
    cr_assert_eq(cosim_scheme_for(bar->scheme, bar->rigid, &cuts[b].scheme, &error), SEAM_OK, "%s", error.message);
    for (int side = 0; side < 2; side++)
      cuts[b].side[side] = (cosim_side){.part = bar->mass[side],
                                        .force_input = 3 * b,
                                        .acceleration_input = 3 * b,
                                        .position_input = 3 * b + 1,
                                        .velocity_input = 3 * b + 2,
                                        .position = x_out,
                                        .velocity = v_out,
                                        .acceleration = a_out,
                                        .position_integral = p_out,
                                        .multiplier = outputs_before_bars};
    if (bar->rigid)
      self->rigid[self->n_rigid++] = b;
  }
}

static void settle_start(mass_chain *self) {
  double state[2 * MAX_MASSES];
  for (int k = 0; k < self->def.n_masses; k++) {
    state[2 * k] = self->def.mass[k].x;
    state[2 * k + 1] = self->def.mass[k].v;
  }
  project_state(self, state);
  for (int k = 0; k < self->def.n_masses; k++) {
    self->def.mass[k].x = state[2 * k];
    self->def.mass[k].v = state[2 * k + 1];
  }
}

mass_chain *mass_chain_create(const mass_chain_def *def, const cosim_master_options *options, double H) {
  mass_chain *self = calloc(1, sizeof *self);
  cosim_cut cuts[MAX_BARS];
  cosim_snapshot past[COSIM_MAX_HISTORY * MAX_BARS];
  cosim_master_options settled = *options;
  seam_error error = {0};
  cr_assert_not_null(self);
  self->def = *def;
  fill_cuts(self, cuts);
  invert_constraints(self);
  fill_whole(self);
  settle_start(self);
  for (int k = 0; k < def->n_masses; k++)
    self->part[k] = create_mass(&self->def, cuts, k);
  settled.project = project;
  settled.context = self;
  cr_assert_eq(cosim_master_create(self->part, def->n_masses, cuts, def->n_bars, &settled, &self->master, &error),
               SEAM_OK, "%s", error.message);
  for (int i = 0; i < COSIM_MAX_HISTORY; i++)
    snapshots_at(self, -i * H, past + i * def->n_bars);
  cosim_master_begin(self->master, 0, past, COSIM_MAX_HISTORY);
  return self;
}

void mass_chain_destroy(mass_chain *self) {
  cosim_master_destroy(self->master);
  free(self);
}

cosim_master *mass_chain_master(mass_chain *self) { return self->master; }

void mass_chain_state(const mass_chain *self, double state[2 * MAX_MASSES]) {
  for (int k = 0; k < self->def.n_masses; k++)
    self->part[k]->ops->save(self->part[k], state + 2 * k);
}

double mass_chain_error(const mass_chain_def *def, const cosim_master_options *options, double end, int n) {
  mass_chain *self = mass_chain_create(def, options, end / n);
  double state[2 * MAX_MASSES] = {0};
  double exact[2 * MAX_MASSES] = {0};
  double largest = 0;
  seam_error error = {0};
  for (int i = 0; i < n; i++)
    cr_assert_eq(cosim_master_step(self->master, end / n, &error), SEAM_OK, "%s", error.message);
  mass_chain_state(self, state);
  mass_chain_exact(self, end, exact);
  for (int i = 0; i < 2 * def->n_masses; i++)
    largest = fmax(largest, fabs(state[i] - exact[i]));
  mass_chain_destroy(self);
  return largest;
}
