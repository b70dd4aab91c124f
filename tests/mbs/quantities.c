/* Quantities of elements and measures against exact motions, against differences along motions, and against what
 * physics keeps; names, lists, and what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/measures.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/output/readout.h"
#include "tests/support/measures.h"
#include "tests/support/random.h"

enum { n_seeds = 20 };

static seam_error error;

/* ---- Exact motions ---- */

/* A rod of length 2 l on a pivot, at an angle θ from hanging, turning with ω: with its inertia J = m l²/3 about its
 * middle, θ'' = - m g l sin θ / (J + m l²), and the pivot bears m l ω² + m g cos θ along the rod and
 * m g sin θ + m l θ'' across it. */
Test(quantities, reaction_of_a_pendulum) {
  const double m = 2.5;
  const double l = 0.7;
  const double g = 9.81;
  const double omega = 3.1;
  for (int i = -4; i <= 4; i++) {
    const double theta = 0.5 * i;
    mbs_builder *builder = new_builder();
    mbs_measure_def def = mbs_default_measure_def();
    mbs_body_def body = mbs_default_body_def();
    mbs_set_gravity(builder, (double[2]){0, -g});
    body.name = "rod";
    body.mass = m;
    body.inertia = m * l * l / 3;
    memcpy(body.pose, (double[3]){l * sin(theta), -l * cos(theta), theta}, sizeof body.pose);
    memcpy(body.velocity, (double[3]){l * cos(theta) * omega, l * sin(theta) * omega, omega}, sizeof body.velocity);
    cr_assert_eq(mbs_add_body(builder, &body, &error), SEAM_OK, "%s", error.message);
    add_joint(builder, "A", MBS_REVOLUTE, "rod", "ground", (double[2]){0, 0});
    def.name = "bearing";
    def.kind = MBS_REACTION;
    def.joint = "A";
    def.axes = "rod";
    add_measure(builder, &def);
    mechanism p = mechanism_build(builder);
    mechanism_assemble(&p);
    const double alpha = -m * g * l * sin(theta) / (4.0 / 3 * m * l * l);
    const double along = m * l * omega * omega + m * g * cos(theta);
    const double across = m * g * sin(theta) + m * l * alpha;
    cr_expect_float_eq(read_one(&p, "A.fy_body"), along, 1e-9, "%g", theta);
    cr_expect_float_eq(read_one(&p, "A.fx_body"), across, 1e-9, "%g", theta);
    cr_expect_float_eq(read_one(&p, "bearing.fy"), along, 1e-9, "%g", theta);
    cr_expect_float_eq(read_one(&p, "A.force"), hypot(along, across), 1e-9, "%g", theta);
    cr_expect_float_eq(read_one(&p, "A.fy"), along * cos(theta) + across * sin(theta), 1e-9, "%g", theta);
    cr_expect_float_eq(read_one(&p, "A.torque"), 0, 1e-12);
    cr_expect_float_eq(read_one(&p, "rod.alpha"), alpha, 1e-12 * (1 + fabs(alpha)));
    cr_expect_float_eq(read_one(&p, "A.alpha"), -alpha, 1e-12 * (1 + fabs(alpha)), "ground against rod");
    mechanism_free(&p);
  }
}

/* ---- Rates against differences ---- */

static mbs_builder *guided_builder(void) {
  mbs_builder *builder = new_builder();
  const char *bodies[2];
  static const double coefficients[3] = {1, 0.2, 2};
  add_body(builder, "a", 1, 0.3, (double[3]){0.1, 0.2, 0.4});
  add_body(builder, "b", 2, 0.5, (double[3]){1.3, 0.4, -0.7});
  add_body(builder, "c", 1, 0.4, (double[3]){3, 1, 0.2});
  add_prismatic(builder, "rail", "a", "b", (double[2]){1, 0.3}, (double[2]){0.8, 0.6});
  add_slot(builder, "slot", "b", "c", (double[2]){2, 1}, (double[2]){0.6, -0.8});
  add_distance(builder, "rope", "a", (double[2]){0, 0}, "c", (double[2]){2.5, 1});
  add_motion_of_distance(builder, "drive", "ground", (double[2]){5, 0}, "c", (double[2]){3, 1.5},
                         law_of_time(coefficients));
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "a", "c", (double[2]){0, 1});
  spring.at[1].position[0] = 2;
  spring.stiffness[0] = 10;
  add_force(builder, &spring);
  mbs_force_def bushing = force_between("bushing", MBS_BUSHING, bodies, "b", "c", (double[2]){2, 0});
  bushing.consistent = true;
  bushing.stiffness[0] = bushing.stiffness[2] = 10;
  add_force(builder, &bushing);
  add_point(builder, "tip", "c", 0.4, -0.3, NULL);
  add_between(builder, "span", (const char *[2]){"a", "c"}, (double[4]){0.2, 0.1, -0.4, 0.3});
  add_set(builder, "all", (const char *[3]){"a", "b", "c"}, 3);
  return builder;
}

static mechanism guided(void) { return mechanism_build(guided_builder()); }

/* q + τ v + τ² a / 2, v + τ a. */
static void go(const mechanism *m, const mbs_state *from, double tau) {
  for (int i = 0; i < 3 * m->model->n_bodies; i++) {
    m->state->q[i] = from->q[i] + tau * (from->v[i] + tau / 2 * from->a[i]);
    m->state->v[i] = from->v[i] + tau * from->a[i];
  }
}

/* Of sixth order. */
static double rate_of(mechanism *m, const mbs_state *from, const char *name) {
  static const double weight[3] = {45, -9, 1};
  const double h = 4e-3;
  double sum = 0;
  for (int k = 1; k <= 3; k++) {
    go(m, from, k * h);
    sum += weight[k - 1] * read_one(m, name);
    go(m, from, -k * h);
    sum -= weight[k - 1] * read_one(m, name);
  }
  go(m, from, 0);
  return sum / (60 * h);
}

/* Each quantity, the rate that is said to be its own, and the rate of that. */
Test(quantities, rates_are_those_of_the_motion) {
  static const char *const names[][3] = {
      {"a.x", "a.vx", "a.ax"},
      {"c.phi", "c.omega", "c.alpha"},
      {"rail.angle", "rail.omega", "rail.alpha"},
      {"rail.slide", "rail.rate", "rail.acceleration"},
      {"slot.slide", "slot.rate", "slot.acceleration"},
      {"rope.length", "rope.rate", "rope.acceleration"},
      {"drive.length", "drive.rate", "drive.acceleration"},
      {"spring.length", "spring.rate", "spring.acceleration"},
      {"bushing.x", "bushing.vx", NULL},
      {"bushing.y", "bushing.vy", NULL},
      {"bushing.phi", "bushing.omega", NULL},
      {"tip.x", "tip.vx", "tip.ax"},
      {"tip.y", "tip.vy", "tip.ay"},
      {"span.length", "span.rate", "span.acceleration"},
      {"all.x", "all.vx", "all.ax"},
      {"all.y", "all.vy", "all.ay"},
  };
  mechanism m = guided();
  mbs_state *from = new_state(m.model);
  mbs_state_copy(from, m.state);
  for (int i = 0; i < 9; i++) {
    from->v[i] = sin(1 + 2 * i);
    from->a[i] = 2 * cos(3 * i);
  }
  mbs_state_copy(m.state, from);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    for (int level = 0; level < 2 && names[k][level + 1] != NULL; level++) {
      const double rate = rate_of(&m, from, names[k][level]);
      cr_expect_float_eq(read_one(&m, names[k][level + 1]), rate, 2e-10 * (1 + fabs(rate)), "%s", names[k][level + 1]);
    }
  mbs_state_destroy(from);
  mechanism_free(&m);
}

/* Components along the axes of a body are those of the ground, turned back by its angle. */
Test(quantities, axes_turn_components) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){1, 2, 0.9});
  add_body(builder, "b", 1, 1, (double[3]){0, 0, -2.1});
  add_point(builder, "plain", "a", 0.3, 0.4, NULL);
  add_point(builder, "own", "a", 0.3, 0.4, "a");
  add_point(builder, "other", "a", 0.3, 0.4, "b");
  mechanism m = mechanism_build(builder);
  for (int i = 0; i < 6; i++) {
    m.state->v[i] = i - 2.2;
    m.state->a[i] = 1.7 - i;
  }
  static const char *const levels[][2] = {{"x", "y"}, {"vx", "vy"}, {"ax", "ay"}};
  static const char *const axes[] = {"own", "other"};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) {
      char name[4][16];
      for (int c = 0; c < 2; c++) {
        snprintf(name[c], sizeof name[c], "plain.%s", levels[i][c]);
        snprintf(name[2 + c], sizeof name[c], "%s.%s", axes[k], levels[i][c]);
      }
      const double phi = k == 0 ? 0.9 : -2.1;
      const double x = read_one(&m, name[0]);
      const double y = read_one(&m, name[1]);
      cr_expect_float_eq(read_one(&m, name[2]), cos(phi) * x + sin(phi) * y, 1e-14, "%s", name[2]);
      cr_expect_float_eq(read_one(&m, name[3]), cos(phi) * y - sin(phi) * x, 1e-14, "%s", name[3]);
    }
  cr_expect_float_eq(read_one(&m, "own.speed"), hypot(read_one(&m, "plain.vx"), read_one(&m, "plain.vy")), 1e-15);
  mechanism_free(&m);
}

/* Two points that leave each other from one place: the distance grows with their relative speed. */
Test(quantities, distance_of_points_that_coincide) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){1, 2, 0});
  add_between(builder, "d", (const char *[2]){"ground", "a"}, (double[4]){1, 2, 0, 0});
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[3]){3, -4, 0}, 3 * sizeof(double));
  memcpy(m.state->a, (double[3]){10, 5, 0}, 3 * sizeof(double));
  cr_expect_eq(read_one(&m, "d.length"), 0);
  cr_expect_float_eq(read_one(&m, "d.rate"), 5, 1e-15);
  cr_expect_float_eq(read_one(&m, "d.acceleration"), 2, 1e-14);
  memset(m.state->v, 0, 3 * sizeof(double));
  cr_expect_eq(read_one(&m, "d.rate"), 0);
  cr_expect_float_eq(read_one(&m, "d.acceleration"), hypot(10, 5), 1e-14);
  mechanism_free(&m);
}

/* ---- Derivatives along a direction, against differences ---- */

typedef struct direction {
  mbs_state *by; /* its q, v, a, lambda, z */
  mbs_direction along;
} direction;

static direction random_direction(const mechanism *m, uint64_t *seed) {
  direction d = {.by = new_state(m->model)};
  for (int i = 0; i < 3 * m->model->n_bodies; i++) {
    d.by->q[i] = random_between(seed, -1, 1);
    d.by->v[i] = random_between(seed, -1, 1);
    d.by->a[i] = random_between(seed, -1, 1);
  }
  for (int i = 0; i < m->model->n_rows; i++)
    d.by->lambda[i] = random_between(seed, -1, 1);
  for (int i = 0; i < m->model->n_states; i++)
    d.by->z[i] = random_between(seed, -0.1, 0.1);
  d.along = (mbs_direction){d.by->q, d.by->v, d.by->a, d.by->lambda, d.by->z, NULL};
  return d;
}

static void move_along(const mechanism *m, const mbs_state *from, const direction *d, double h) {
  for (int i = 0; i < 3 * m->model->n_bodies; i++) {
    m->state->q[i] = from->q[i] + h * d->by->q[i];
    m->state->v[i] = from->v[i] + h * d->by->v[i];
    m->state->a[i] = from->a[i] + h * d->by->a[i];
  }
  for (int i = 0; i < m->model->n_rows; i++)
    m->state->lambda[i] = from->lambda[i] + h * d->by->lambda[i];
  for (int i = 0; i < m->model->n_states; i++)
    m->state->z[i] = from->z[i] + h * d->by->z[i];
}

static void expect_derivative(mechanism *m, const mbs_state *from, const direction *d, mbs_quantity quantity,
                              int seed) {
  static const double weight[3] = {45, -9, 1};
  const double h = 2e-3;
  const mbs_quantity_info info = mbs_quantity_of(m->model, quantity);
  mbs_readout *readout = NULL;
  double exact = 0;
  double sum = 0;
  double size = 0;
  cr_assert_eq(mbs_readout_create(m->model, &quantity, 1, &readout, &error), SEAM_OK);
  for (int k = -3; k <= 3; k++) {
    double value = 0;
    move_along(m, from, d, k * h);
    mbs_read(readout, m->ws, m->state, &value);
    sum += k == 0 ? 0 : (k > 0 ? 1 : -1) * weight[abs(k) - 1] * value;
    size = fmax(size, fabs(value));
  }
  move_along(m, from, d, 0);
  mbs_read_changes(readout, m->ws, m->state, &d->along, &exact);
  const double difference = sum / (60 * h);
  cr_expect_float_eq(exact, difference, 1e-7 * (size + fabs(difference) + 1), "seed %d: %s.%s: %.12g, %.12g", seed,
                     info.element, info.name, exact, difference);
  mbs_readout_destroy(readout);
}

static bool is_integral(mbs_quantity quantity) {
  return quantity.owner == MBS_WHOLE && quantity.element == 1 && quantity.number >= 3;
}

static void expect_all_derivatives(mechanism *m, int seed) {
  uint64_t state = (uint64_t)seed + 1;
  direction d = random_direction(m, &state);
  mbs_state *from = new_state(m->model);
  mbs_state_copy(from, m->state);
  for (mbs_owner owner = MBS_WHOLE; owner < MBS_OWNERS; owner++)
    for (size_t e = 0; e < mbs_n_elements(m->model, owner); e++)
      for (size_t i = 0; i < mbs_n_quantities(m->model, owner, e); i++)
        if (!is_integral((mbs_quantity){owner, e, i}))
          expect_derivative(m, from, &d, (mbs_quantity){owner, e, i}, seed);
  mbs_state_destroy(from);
  mbs_state_destroy(d.by);
}

Test(quantities, derivatives_of_cylinders_are_exact) {
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  for (int i = 0; i < 6; i++)
    m.state->v[i] = cos(3 * i);
  expect_all_derivatives(&m, 1);
  mechanism_free(&m);
}

Test(quantities, derivatives_of_drive_trains_are_exact) {
  mechanism m = drive_train();
  expect_all_derivatives(&m, 1);
  mechanism_free(&m);
}

Test(quantities, derivatives_of_all_quantities_are_exact) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    mechanism m = random_mechanism((uint64_t)seed);
    cr_assert_eq(mbs_evaluate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
    expect_all_derivatives(&m, seed);
    mechanism_free(&m);
  }
}

/* ---- What physics keeps ---- */

/* The powers of all force elements and driven joints are what kinetic energy and potential energy of gravity gain. */
Test(quantities, powers_are_the_rate_of_energy) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    mechanism m = random_mechanism((uint64_t)seed);
    cr_assert_eq(mbs_evaluate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
    double gain = 0;
    double size = 1;
    for (int i = 0; i < 3 * m.model->n_bodies; i++) {
      const double force = m.model->mass[3 + i] * m.state->a[i] - m.model->gravity_load[3 + i];
      gain += force * m.state->v[i];
    }
    for (mbs_owner owner = MBS_JOINTS; owner <= MBS_FORCES; owner++)
      for (size_t e = 0; e < mbs_n_elements(m.model, owner); e++)
        for (size_t i = 0; i < mbs_n_quantities(m.model, owner, e); i++) {
          const mbs_quantity_info info = mbs_quantity_of(m.model, (mbs_quantity){owner, e, i});
          char name[64];
          snprintf(name, sizeof name, "%s.%s", info.element, info.name);
          const double power = strcmp(info.name, "power") == 0 ? read_one(&m, name) : 0;
          gain -= power;
          size += fabs(power);
        }
    cr_expect_float_eq(gain, 0, 1e-10 * size, "seed %d: %g of %g", seed, gain, size);
    mechanism_free(&m);
  }
}

/* What dampers take is what powers and potential energies of elastic elements lose. */
Test(quantities, losses_and_potentials_of_a_spring) {
  static const char *const names[] = {"spring", "bushing"};
  mechanism m = guided();
  m.model->forces[0].elastic[0].damping = 3;
  for (int k = 0; k < 3; k++)
    m.model->forces[1].elastic[k].damping = 2 + k;
  mbs_state *from = new_state(m.model);
  mbs_state_copy(from, m.state);
  for (int i = 0; i < 9; i++)
    from->v[i] = cos(2 * i);
  mbs_state_copy(m.state, from);
  for (int k = 0; k < 2; k++) {
    char name[3][32];
    static const char *const of[] = {"potential", "power", "loss"};
    for (int i = 0; i < 3; i++)
      snprintf(name[i], sizeof name[i], "%s.%s", names[k], of[i]);
    const double loss = read_one(&m, name[2]);
    cr_expect_gt(loss, 0.1);
    cr_expect_float_eq(rate_of(&m, from, name[0]), -read_one(&m, name[1]) - loss, 1e-9 * (1 + loss), "%s", names[k]);
  }
  mbs_state_destroy(from);
  mechanism_free(&m);
}

/* A free chain in a run: momentum, angular momentum and the motion of the common centre of mass are kept. */
Test(quantities, momentum_of_a_free_set) {
  mbs_builder *builder = new_builder();
  static const char *const names[] = {"r1", "r2", "r3"};
  for (int i = 0; i < 3; i++)
    add_rod(builder, names[i], (double[2]){i, 0}, (double[2]){i + 1, 0}, 1 + i);
  add_joint(builder, "j1", MBS_REVOLUTE, "r1", "r2", (double[2]){1, 0});
  add_joint(builder, "j2", MBS_REVOLUTE, "r2", "r3", (double[2]){2, 0});
  add_set(builder, "chain", names, 3);
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[9]){0.3, 1, 2, 0.4, -1, 1, 0.5, 0.2, -3}, 9 * sizeof(double));
  mechanism_assemble(&m);
  static const char *const kept[] = {"chain.px", "chain.py", "chain.angular_momentum", "chain.spin", "chain.kinetic"};
  double before[5];
  for (int k = 0; k < 5; k++)
    before[k] = read_one(&m, kept[k]);
  const double x0 = read_one(&m, "chain.x");
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-12, 0);
  mechanism_advance(&m, integrator, 3);
  for (int k = 0; k < 5; k++)
    cr_expect_float_eq(read_one(&m, kept[k]), before[k], 1e-9, "%s: %.12g, %.12g", kept[k], read_one(&m, kept[k]),
                       before[k]);
  cr_expect_float_eq(read_one(&m, "chain.x"), x0 + 3 * before[0] / 6, 1e-9);
  cr_expect_float_eq(read_one(&m, "chain.ax"), 0, 1e-9);
  cr_expect_float_eq(read_one(&m, "chain.kinetic"), read_one(&m, "energy.kinetic"), 1e-12);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Derivatives of measures ---- */

static void add_beam(mbs_builder *builder) {
  const char *bodies[2];
  mbs_force_def beam = force_between("beam", MBS_BEAM, bodies, "a", "c", (double[2]){0.5, 0.5});
  beam.at[1].position[0] = 2.5;
  beam.stiffness[0] = 20;
  beam.stiffness[1] = 3;
  beam.damping[0] = 0.2;
  add_force(builder, &beam);
}

static void add_expressions(mbs_builder *builder) {
  mbs_measure_def bearing = mbs_default_measure_def();
  bearing.name = "bearing";
  bearing.kind = MBS_REACTION;
  bearing.joint = "rail";
  bearing.axes = "c";
  add_measure(builder, &bearing);
  add_point(builder, "seen", "a", 0.3, 0.4, "b");
  mbs_measure_def first = product_of("first", (const char *[2]){"tip.x", "spring.force"});
  add_measure(builder, &first);
  mbs_measure_def second = product_of("second", (const char *[2]){"first", "c.vy"});
  add_measure(builder, &second);
}

Test(quantities, derivatives_of_all_measures_are_exact) {
  mbs_builder *builder = guided_builder();
  add_beam(builder);
  add_expressions(builder);
  mechanism m = mechanism_build(builder);
  uint64_t seed = 7;
  for (int i = 0; i < 9; i++) {
    m.state->v[i] = random_between(&seed, -1, 1);
    m.state->a[i] = random_between(&seed, -1, 1);
  }
  for (int i = 0; i < m.model->n_rows; i++)
    m.state->lambda[i] = random_between(&seed, -3, 3);
  expect_all_derivatives(&m, 0);
  mechanism_free(&m);
}

/* ---- Lists ---- */

/* Any order, parts of what is found together, what is named twice: the bits of each alone. */
Test(quantities, a_list_gives_the_bits_of_each_alone) {
  static const char *const names[] = {"rope.tension", "tip.vy",     "c.x",       "c.phi",      "c.x",
                                      "spring.force", "rope.fx",    "rope.fy",   "rail.force", "all.spin",
                                      "energy.total", "bushing.fy", "tip.speed", "time",       "drive.power"};
  enum { n = sizeof names / sizeof *names };
  mechanism m = guided();
  mechanism_assemble(&m);
  mbs_quantity list[n];
  double values[n];
  mbs_readout *readout = NULL;
  for (int i = 0; i < n; i++)
    cr_assert_eq(mbs_find_quantity(m.model, names[i], &list[i], &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_readout_create(m.model, list, n, &readout, &error), SEAM_OK);
  mbs_read(readout, m.ws, m.state, values);
  for (int i = 0; i < n; i++)
    cr_expect_eq(values[i], read_one(&m, names[i]), "%s", names[i]);
  mbs_readout_destroy(readout);
  mechanism_free(&m);
}

/* Every quantity is found again by the name that it gives itself. */
Test(quantities, names_lead_back) {
  mechanism m = random_mechanism(3);
  for (mbs_owner owner = MBS_WHOLE; owner < MBS_OWNERS; owner++)
    for (size_t e = 0; e < mbs_n_elements(m.model, owner); e++)
      for (size_t i = 0; i < mbs_n_quantities(m.model, owner, e); i++) {
        const mbs_quantity_info info = mbs_quantity_of(m.model, (mbs_quantity){owner, e, i});
        mbs_quantity found;
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", info.element, *info.name != '\0' ? "." : "", info.name);
        cr_assert_eq(mbs_find_quantity(m.model, name, &found, &error), SEAM_OK, "%s", error.message);
        cr_expect(found.owner == owner && found.element == e && found.number == i, "%s", name);
        cr_expect(*info.unit != '\0' && *info.meaning != '\0', "%s", name);
      }
  mechanism_free(&m);
}

/* ---- What is refused ---- */

static void expect_unknown(const mbs_model *model, const char *name, const char *message) {
  mbs_quantity found;
  cr_expect_eq(mbs_find_quantity(model, name, &found, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message, "%s", error.message);
}

Test(quantities, unknown_names_have_a_hint) {
  mechanism m = guided();
  expect_unknown(m.model, "tip.vz", "unknown quantity 'tip.vz'; did you mean 'tip.vx'?");
  expect_unknown(m.model, "sprig.force", "unknown quantity 'sprig.force'; did you mean 'spring.force'?");
  expect_unknown(m.model, "span.colour", "unknown quantity 'span.colour'; 'span' offers length, rate, acceleration");
  expect_unknown(m.model, "span", "unknown quantity 'span'; 'span' offers length, rate, acceleration");
  expect_unknown(m.model, "time.x", "unknown quantity 'time.x'; 'time' is a quantity itself");
  expect_unknown(m.model, "", "unknown quantity ''");
  mechanism_free(&m);
}
