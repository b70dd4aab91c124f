#include "tests/support/mass_star.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/part.h"
#include "solvers/erk.h"
#include "tests/support/named_exchange.h"

enum { MAX_NAME = 16 };

/* One mass, as a part sees it. */
typedef struct mass {
  const mass_star_def *def;
  int number;
  double sign; /* of its force */
  char name[MAX_NAME];
} mass;

struct mass_star {
  mass_star_def def;
  mass mass[MASS_STAR_MAX_MASSES];
  cosim_exchange *exchange;
  seam_integrator *whole;
};

/* ---- Laws ---- */

static double pull(const mass_star_def *def, double k, double x, double v) {
  const double spring = def->root_springs ? k * copysign(sqrt(fabs(x)), x) : k * x;
  const double damper = def->quadratic_dampers ? def->c * v * fabs(v) : def->c * v;
  return spring + damper;
}

static double stored(const mass_star_def *def, double k, double x) {
  return def->root_springs ? 2.0 / 3 * k * pow(fabs(x), 1.5) : 0.5 * k * x * x;
}

double mass_star_energy(const mass_star_def *def, const double *state) {
  const double *x = state;
  const double *v = state + def->n;
  double energy = 0;
  for (int i = 0; i < def->n; i++) {
    energy += 0.5 * def->m[i] * v[i] * v[i] + stored(def, def->k[i], x[i]);
    if (i < def->n - 1)
      energy += stored(def, def->kc, x[i] - x[def->n - 1]);
  }
  return energy;
}

/* ---- Parts ---- */

/* x = (x, v), u = (x, v) of the last mass, y = (force on it, x, v). */
static void first_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  const mass *self = context;
  const mass_star_def *def = self->def;
  (void)t;
  dx[1] = (-pull(def, def->k[self->number], x[0], x[1]) - pull(def, def->kc, x[0] - u[0], x[1] - u[1])) /
          def->m[self->number];
}

static void first_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const mass *self = context;
  (void)t;
  y[0] = pull(self->def, self->def->kc, x[0] - u[0], x[1] - u[1]);
  y[1] = x[0];
  y[2] = x[1];
}

/* x = (x, v), u = force, y = (x, v). */
static void last_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  const mass *self = context;
  (void)t;
  dx[1] = (-pull(self->def, self->def->k[self->number], x[0], x[1]) + self->sign * u[0]) / self->def->m[self->number];
}

static void last_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context;
  (void)t;
  (void)u;
  y[0] = x[0];
  y[1] = x[1];
}

static cosim_part *create_part(const mass *m, bool is_last) {
  const double start[2] = {0, is_last ? -100 : 100};
  const cosim_ode_def def = {.name = m->name,
                             .n_states = 2,
                             .n_inputs = is_last ? 1 : 2,
                             .n_outputs = is_last ? 2 : 3,
                             .method = COSIM_SYMPLECTIC_EULER,
                             .micro_steps = 1,
                             .context = m,
                             .rates = is_last ? last_rates : first_rates,
                             .outputs = is_last ? last_outputs : first_outputs,
                             .start = start};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
  return part;
}

/* ---- The exchange ---- */

enum { MAX_LINKS = 3 * (MASS_STAR_MAX_MASSES - 1) };

typedef struct names {
  char text[MAX_LINKS][4][MAX_NAME]; /* of part i: force, x and v in; force out */
  cosim_connection_def links[MAX_LINKS];
  cosim_port_def ports[MASS_STAR_MAX_MASSES];
} names;

static void connect(names *all, const mass_star *self, int order_first, int order_last) {
  const int n = self->def.n;
  const double sign = self->mass[n - 1].sign;
  all->ports[n - 1] = (cosim_port_def){"last.f", "last.v", sign};
  for (int i = 0; i < n - 1; i++) {
    static const char *const signals[4] = {"f", "x2", "v2", "x"};
    for (int k = 0; k < 4; k++)
      snprintf(all->text[i][k], MAX_NAME, "%s.%s", self->mass[i].name, signals[k]);
    all->links[3 * i] =
        (cosim_connection_def){.from = all->text[i][0], .to = "last.f", .gain = sign, .order = order_last};
    all->links[3 * i + 1] =
        (cosim_connection_def){.from = "last.x", .to = all->text[i][1], .gain = 1, .order = order_first};
    all->links[3 * i + 2] =
        (cosim_connection_def){.from = "last.v", .to = all->text[i][2], .gain = 1, .order = order_first};
    all->ports[i] = (cosim_port_def){all->text[i][2], all->text[i][0], -1};
  }
}

static void create_exchange(mass_star *self, const mass_star_coupling *how) {
  static const char *const last_in[] = {"f"}, *const last_out[] = {"x", "v"};
  static const char *const first_in[] = {"x2", "v2"}, *const first_out[] = {"f", "x", "v"};
  const int n = self->def.n;
  const double H = fmax(how->h_df, how->h_ndf);
  const int steps_first = (int)lround(H / how->h_df);
  const int steps_last = (int)lround(H / how->h_ndf);
  named_member members[MASS_STAR_MAX_MASSES];
  names all;
  for (int i = 0; i < n; i++) {
    const bool is_last = i == n - 1;
    snprintf(self->mass[i].name, MAX_NAME, is_last ? "last" : "mass%d", i + 1);
    self->mass[i].def = &self->def;
    self->mass[i].number = i;
    self->mass[i].sign = how->turns_force ? -1 : 1;
    members[i] = (named_member){create_part(&self->mass[i], is_last), is_last ? last_in : first_in,
                                is_last ? last_out : first_out, is_last ? steps_last : steps_first};
  }
  connect(&all, self, steps_first > 1 ? how->order : 0, steps_last > 1 ? how->order : 0);
  const cosim_energy_correction_def wanted = {
      .bond = "springs", .part = "last", .mu = how->mu, .nu = how->nu, .limit = how->limit};
  const cosim_bond_def bond = {.name = "springs", .ports = all.ports, .n_ports = n};
  const named_exchange def = {
      .members = members, .n_members = n, .links = all.links, .n_links = 3 * (n - 1), .bonds = &bond, .n_bonds = 1};
  self->exchange = named_exchange_start_corrected(def, &wanted);
  for (int i = 0; i < n - 1; i++) {
    const double y[3] = {pull(&self->def, self->def.kc, 0, 200), 0, 100};
    cosim_exchange_prescribe(self->exchange, i, y);
  }
}

/* ---- The whole ---- */

static seam_status rates(void *context, double t, const double *y, double *dy, seam_error *error) {
  const mass_star_def *def = context;
  const int n = def->n;
  const double *x = y;
  const double *v = y + n;
  double sum = -pull(def, def->k[n - 1], x[n - 1], v[n - 1]);
  (void)t;
  (void)error;
  for (int i = 0; i < n - 1; i++) {
    const double force = pull(def, def->kc, x[i] - x[n - 1], v[i] - v[n - 1]);
    dy[n + i] = (-pull(def, def->k[i], x[i], v[i]) - force) / def->m[i];
    sum += force;
  }
  dy[2 * n - 1] = sum / def->m[n - 1];
  memcpy(dy, v, (size_t)n * sizeof *dy);
  return SEAM_OK;
}

/* Fixed steps: error estimates are not reliable where a root begins. */
static void create_whole(mass_star *self) {
  const size_t n = (size_t)self->def.n;
  const seam_ode ode = {.n = 2 * n, .n_controlled = 2 * n, .rhs = rates, .context = &self->def};
  const seam_tolerances tolerances = {.step = self->def.root_springs ? 1e-5 : 1e-4};
  double start[2 * MASS_STAR_MAX_MASSES] = {0};
  for (size_t i = 0; i < n; i++)
    start[n + i] = i == n - 1 ? -100 : 100;
  cr_assert_eq(seam_erk_create(&ode, "rk4", &tolerances, &self->whole, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(self->whole, 0, start, NULL), SEAM_OK);
}

mass_star *mass_star_create(const mass_star_def *def, const mass_star_coupling *how) {
  mass_star *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->def = *def;
  create_exchange(self, how);
  create_whole(self);
  return self;
}

void mass_star_destroy(mass_star *self) {
  cosim_exchange_destroy(self->exchange);
  seam_integrator_destroy(self->whole);
  free(self);
}

cosim_exchange *mass_star_exchange(mass_star *self) { return self->exchange; }

void mass_star_state(const mass_star *self, double *state) {
  const int n = self->def.n;
  for (int i = 0; i < n; i++) {
    state[i] = cosim_exchange_output(self->exchange, i, i == n - 1 ? 0 : 1);
    state[n + i] = cosim_exchange_output(self->exchange, i, i == n - 1 ? 1 : 2);
  }
}

void mass_star_exact(mass_star *self, double t, double *state) {
  double reached = 0;
  seam_error error = {0};
  cr_assert_eq(seam_integrator_advance(self->whole, t, state, &reached, &error), SEAM_OK, "%s", error.message);
}
