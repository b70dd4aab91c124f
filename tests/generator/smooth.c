/* Subsets whose motion is known and smooth. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

static const double pi = 3.14159265358979323846;

/* ---- Lanes ------------------------------------------------------------------------------------------------------- */

static lane lane_along(trial *t, double angle) {
  return (lane){.r = {draw(t, -2, 2), draw(t, -2, 2)},
                .e = {cos(angle), sin(angle)},
                .across = draw(t, -1, 1),
                .angle = draw(t, -3, 3),
                .rate = draw(t, -2, 2)};
}

lane random_lane(trial *t) { return lane_along(t, draw(t, -pi, pi)); }

static bool is_weightless(const trial *t) { return t->gravity[0] == 0 && t->gravity[1] == 0; }

lane level_lane(trial *t) {
  const double any = draw(t, -pi, pi);
  lane l = lane_along(t, is_weightless(t) ? any : atan2(t->gravity[0], -t->gravity[1]));
  return l;
}

lane upright_lane(trial *t, double *down) {
  const double any = draw(t, -1, 1);
  const lane l = lane_along(t, is_weightless(t) ? 3 * any : atan2(-t->gravity[1], -t->gravity[0]) + any);
  *down = -gravity_along(t, &l);
  return l;
}

double gravity_along(const trial *t, const lane *l) { return t->gravity[0] * l->e[0] + t->gravity[1] * l->e[1]; }

void lane_place(const lane *l, double x, double P[2]) {
  for (int i = 0; i < 2; i++)
    P[i] = l->r[i] + x * l->e[i];
}

void on_lane(const trial *t, const lane *l, double time, double x, double v, bool guided, double q[3], double qd[3]) {
  const double n[2] = {-l->e[1], l->e[0]};
  const double g = t->gravity[0] * n[0] + t->gravity[1] * n[1];
  const double y = guided ? 0 : l->across * time + g * time * time / 2;
  const double u = guided ? 0 : l->across + g * time;
  for (int i = 0; i < 2; i++) {
    q[i] = l->r[i] + x * l->e[i] + y * n[i];
    qd[i] = v * l->e[i] + u * n[i];
  }
  q[2] = l->angle + (guided ? 0 : l->rate * time);
  qd[2] = guided ? 0 : l->rate;
}

void add_bodies(trial *t, subset *s, int n, const double *mass, const double *inertia) {
  double q[3 * MAX_BODIES], v[3 * MAX_BODIES];
  s->n = n;
  s->kind->exact(t, s, 0, q, v);
  s->first = t->n_bodies;
  for (int i = 0; i < n; i++)
    add_body(t, mass[i], inertia[i], q + 3 * i, v + 3 * i);
}

void add_force_along(trial *t, int body, const lane *l, const char *law) {
  char x[MAX_LAW + 40], y[MAX_LAW + 40];
  snprintf(x, sizeof x, "%.17g*(%s)", l->e[0], law);
  snprintf(y, sizeof y, "%.17g*(%s)", l->e[1], law);
  add_force(t, body, x, y);
}

/* ---- Free flight: r0 + v0 t + g t²/2, and a constant torque --------------------------------------------------------
 */

static void make_flight(trial *t, subset *s) {
  const double mass = draw_log(t, 0.1, 10), inertia = draw_log(t, 0.1, 10);
  s->lane = random_lane(t);
  s->number[0] = draw(t, -3, 3); /* along the lane */
  s->number[1] = draw(t, -2, 2); /* angular acceleration */
  add_bodies(t, s, 1, &mass, &inertia);
  char law[40];
  snprintf(law, sizeof law, "%.17g", s->number[1] * inertia);
  add_torque(t, s->first, law);
}

static void exact_flight(const trial *t, const subset *s, double time, double *q, double *v) {
  const double g = gravity_along(t, &s->lane);
  on_lane(t, &s->lane, time, s->number[0] * time + g * time * time / 2, s->number[0] + g * time, false, q, v);
  q[2] += s->number[1] * time * time / 2;
  v[2] += s->number[1] * time;
}

/* ---- A mass on a spring and a damper, free, on a rail or in a slot, under a wave -----------------------------------
 */

enum { W, D, X0, V0, F, OMEGA, PHASE, MASS, INERTIA, GUIDE };

void make_oscillator(trial *t, subset *s);
void exact_oscillator(const trial *t, const subset *s, double time, double *q, double *v);

static void add_guide(trial *t, subset *s) {
  static const char *const guides[] = {NULL, "prismatic", "slot"};
  const char *guide = guides[(int)s->number[GUIDE]];
  if (guide == NULL)
    return;
  double P[2];
  lane_place(&s->lane, s->number[X0], P);
  add_joint(t, guide, GROUND, s->first, P, s->lane.e);
}

void make_oscillator(trial *t, subset *s) {
  double *n = s->number, P[2], Q[2];
  char law[120];
  s->lane = random_lane(t);
  n[MASS] = draw_log(t, 0.1, 10);
  n[INERTIA] = draw_log(t, 0.1, 10);
  n[W] = draw_chance(t, 0.8) ? draw_log(t, 0.5, 30) : 0;
  n[D] = draw_chance(t, 0.5) ? draw_log(t, 0.01, 10) : 0;
  n[X0] = draw(t, -0.5, 0.5);
  n[V0] = draw(t, -2, 2);
  n[GUIDE] = draw_below(t, 3);
  n[F] = draw_chance(t, 0.5) ? draw(t, -3, 3) : 0;
  n[OMEGA] = draw_log(t, 0.5, 20);
  n[PHASE] = draw(t, -3, 3);
  if (n[GUIDE] == 2)
    s->lane.across = 0;
  add_bodies(t, s, 1, n + MASS, n + INERTIA);
  /* The spring's rest length is the initial one: its rest is at X0. */
  lane_place(&s->lane, -3, P);
  lane_place(&s->lane, n[X0], Q);
  if (n[W] > 0 || n[D] > 0)
    add_spring(t, GROUND, P, s->first, Q, s->lane.e, n[MASS] * n[W] * n[W], 2 * n[MASS] * n[D]);
  if (n[F] != 0) {
    snprintf(law, sizeof law, "%.17g*cos(%.17g*@ + %.17g)", n[MASS] * n[F], n[OMEGA], n[PHASE]);
    add_force_along(t, s->first, &s->lane, law);
    t->rate = fmax(t->rate, n[OMEGA]);
  }
  add_guide(t, s);
  if (s->kind->has_kinks) {
    s->law[0] = draw_broken_law(t, n[MASS] * draw(t, -5, 5), 0);
    add_force_along(t, s->first, &s->lane, s->law[0].text);
  }
}

void exact_oscillator(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number;
  double x, u;
  broken_law push = s->law[0];
  for (int i = 0; i < push.n; i++)
    push.kink[i].c /= n[MASS];
  const oscillator o = {.w = n[W],
                        .d = n[D],
                        .v0 = n[V0],
                        .constant = gravity_along(t, &s->lane),
                        .law = &push,
                        .F = n[F],
                        .W = n[OMEGA],
                        .P = n[PHASE]};
  oscillator_at(&o, time, &x, &u);
  on_lane(t, &s->lane, time, n[X0] + x, u, n[GUIDE] > 0, q, v);
  if (n[GUIDE] == 2) { /* a slot leaves the turning */
    q[2] += s->lane.rate * time;
    v[2] = s->lane.rate;
  }
}

/* ---- A mass drawn to a point by c times its distance: two oscillators ----------------------------------------------
 */

enum { CX = 0, CW, CU, CV, CM };

static void make_central(trial *t, subset *s) {
  const double inertia = draw_log(t, 0.1, 10);
  double *n = s->number, Q[2];
  char law[80];
  s->lane = random_lane(t);
  n[CX] = draw(t, 0.8, 2);
  n[CW] = draw_log(t, 1, 20);
  n[CV] = n[CW] * draw(t, 0.7, 1.5); /* across: never near the point, where the direction is lost */
  n[CU] = draw(t, -0.3, 0.3);
  n[CM] = draw_log(t, 0.1, 10);
  add_bodies(t, s, 1, n + CM, &inertia);
  lane_place(&s->lane, n[CX], Q);
  double centre[2];
  for (int i = 0; i < 2; i++) /* where weight and spring are in balance is the lane's place */
    centre[i] = s->lane.r[i] - t->gravity[i] / (n[CW] * n[CW]);
  snprintf(law, sizeof law, "%.17g*(@ + %.17g)", n[CM] * n[CW] * n[CW], hypot(Q[0] - centre[0], Q[1] - centre[1]));
  add_spring_law(t, GROUND, centre, s->first, Q, NULL, law, n[CM] * n[CW] * n[CW]);
}

static void exact_central(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number, *e = s->lane.e;
  const double c = cos(n[CW] * time), sn = sin(n[CW] * time);
  const double x = n[CX] * c + n[CU] / n[CW] * sn, y = n[CV] / n[CW] * sn;
  const double u = -n[CX] * n[CW] * sn + n[CU] * c, w = n[CV] * c;
  (void)t;
  q[0] = s->lane.r[0] + x * e[0] - y * e[1];
  q[1] = s->lane.r[1] + x * e[1] + y * e[0];
  q[2] = s->lane.angle + s->lane.rate * time;
  v[0] = u * e[0] - w * e[1];
  v[1] = u * e[1] + w * e[0];
  v[2] = s->lane.rate;
}

/* ---- A pendulum from its lowest point: elliptic functions ----------------------------------------------------------
 */

enum { LENGTH, RATE, OWN };

static void make_pendulum(trial *t, subset *s) {
  double *n = s->number;
  const double mass = draw_log(t, 0.1, 10), inertia = draw_log(t, 0.02, 2);
  const double g = hypot(t->gravity[0], t->gravity[1]);
  s->lane = random_lane(t);
  n[LENGTH] = draw(t, 0.2, 1.5);
  n[OWN] = sqrt(mass * g * n[LENGTH] / (inertia + mass * n[LENGTH] * n[LENGTH]));
  const double k = draw_chance(t, 0.5) ? draw(t, 0.05, 0.97) : draw(t, 1.03, 3);
  n[RATE] = n[OWN] > 0 ? 2 * n[OWN] * k : draw(t, 0.5, 5);
  add_bodies(t, s, 1, &mass, &inertia);
  t->rate = fmax(t->rate, fmax(n[OWN], fabs(n[RATE])));
  add_joint(t, "revolute", GROUND, s->first, s->lane.r, NULL);
}

static void exact_pendulum(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number;
  double turn, rate;
  pendulum_at(n[OWN], n[RATE], time, &turn, &rate);
  const double angle = (n[OWN] > 0 ? atan2(t->gravity[1], t->gravity[0]) : s->lane.angle) + turn;
  q[0] = s->lane.r[0] + n[LENGTH] * cos(angle);
  q[1] = s->lane.r[1] + n[LENGTH] * sin(angle);
  q[2] = s->lane.angle + turn;
  v[0] = -n[LENGTH] * sin(angle) * rate;
  v[1] = n[LENGTH] * cos(angle) * rate;
  v[2] = rate;
}

/* ---- Equal masses on a lane, equal springs and dampers between them, free or hung up: modes ------------------------
 */

enum { HUNG, CHAIN_W, CHAIN_D, CHAIN_MASS, SPEEDS };

static void make_chain(trial *t, subset *s) {
  double *n = s->number, mass[6] = {0}, inertia[6] = {0}, P[2], Q[2];
  const int count = 2 + draw_below(t, 4);
  s->lane = random_lane(t);
  n[HUNG] = draw_below(t, 2);
  n[CHAIN_W] = draw_log(t, 2, 15);
  n[CHAIN_D] = draw_chance(t, 0.5) ? draw_log(t, 1e-3, 0.1) : 0;
  n[CHAIN_MASS] = draw_log(t, 0.1, 10);
  for (int i = 0; i < count; i++) {
    mass[i] = n[CHAIN_MASS];
    inertia[i] = draw_log(t, 0.1, 10);
    n[SPEEDS + i] = draw(t, -2, 2);
  }
  add_bodies(t, s, count, mass, inertia);
  const double c = n[CHAIN_MASS] * n[CHAIN_W] * n[CHAIN_W];
  for (int i = n[HUNG] > 0 ? 0 : 1; i < count; i++) {
    lane_place(&s->lane, i - 1, P);
    lane_place(&s->lane, i, Q);
    add_spring(t, i == 0 ? GROUND : s->first + i - 1, P, s->first + i, Q, s->lane.e, c, c * n[CHAIN_D] / n[CHAIN_W]);
  }
}

/* Shape of a mode, cos((i + 1/2) θ) or sin((i + 1) θ), and its frequency 2 W sin(θ/2). */
static double chain_shape(const subset *s, int mode, int i, double *frequency) {
  const bool hung = s->number[HUNG] > 0;
  const double theta = hung ? (2 * mode + 1) * pi / (2 * s->n + 1) : mode * pi / s->n;
  *frequency = 2 * s->number[CHAIN_W] * sin(theta / 2);
  return hung ? sin((i + 1) * theta) : cos((i + 0.5) * theta);
}

static void exact_chain(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number;
  double x[6] = {0}, u[6] = {0};
  for (int mode = 0; mode < s->n; mode++) {
    double norm = 0, weight = 0, speed = 0, frequency = 0, y, yd;
    for (int i = 0; i < s->n; i++) {
      const double shape = chain_shape(s, mode, i, &frequency);
      norm += shape * shape;
      weight += shape * gravity_along(t, &s->lane);
      speed += shape * n[SPEEDS + i];
    }
    const oscillator o = {.w = frequency,
                          .d = n[CHAIN_D] / n[CHAIN_W] * frequency * frequency / 2,
                          .v0 = speed / norm,
                          .constant = weight / norm};
    oscillator_at(&o, time, &y, &yd);
    for (int i = 0; i < s->n; i++) {
      x[i] += chain_shape(s, mode, i, &frequency) * y;
      u[i] += chain_shape(s, mode, i, &frequency) * yd;
    }
  }
  for (int i = 0; i < s->n; i++)
    on_lane(t, &s->lane, time, i + x[i], u[i], false, q + 3 * i, v + 3 * i);
}

/* ---- Wheels on the ground, geared, the first on a torsion spring: one oscillator -----------------------------------
 */

enum { GEAR_W, GEAR_D, GEAR_RATE, RATIOS };

static void make_gears(trial *t, subset *s) {
  double *n = s->number, mass[4], inertia[4], reduced = 0;
  const int count = 2 + draw_below(t, 3);
  s->lane = random_lane(t);
  n[GEAR_RATE] = draw(t, -3, 3);
  for (int i = 0; i < count; i++) {
    n[RATIOS + i] = i == 0 ? 1 : n[RATIOS + i - 1] * (draw_below(t, 2) == 0 ? -1 : 1) * draw(t, 0.4, 2);
    mass[i] = draw_log(t, 0.1, 10);
    inertia[i] = draw_log(t, 0.1, 10);
    reduced += inertia[i] * pow(n[RATIOS + i], 2);
  }
  const double c = draw_log(t, 1, 100), d = draw_chance(t, 0.5) ? draw_log(t, 0.01, 1) : 0;
  n[GEAR_W] = sqrt(c / reduced);
  n[GEAR_D] = d / reduced / 2;
  add_bodies(t, s, count, mass, inertia);
  for (int i = 0; i < count; i++) {
    add_joint(t, "revolute", GROUND, s->first + i, t->pose[s->first + i], NULL);
    if (i > 0)
      add_gear(t, s->first + i - 1, s->first + i, n[RATIOS + i] / n[RATIOS + i - 1]);
  }
  add_torsion(t, GROUND, s->first, c, d);
}

static void exact_gears(const trial *t, const subset *s, double time, double *q, double *v) {
  const oscillator o = {.w = s->number[GEAR_W], .d = s->number[GEAR_D], .v0 = s->number[GEAR_RATE]};
  double turn, rate;
  (void)t;
  oscillator_at(&o, time, &turn, &rate);
  for (int i = 0; i < s->n; i++) {
    lane_place(&s->lane, 1.5 * i, q + 3 * i);
    q[3 * i + 2] = s->lane.angle + s->number[RATIOS + i] * turn;
    v[3 * i] = v[3 * i + 1] = 0;
    v[3 * i + 2] = s->number[RATIOS + i] * rate;
  }
}

/* ---- Two bodies on one place with a bushing there: centre of mass, and three oscillators ---------------------------
 */

enum { M1, M2, J1, J2, C, DAMPING = C + 3, START = DAMPING + 3 };

static void make_pair(trial *t, subset *s) {
  double *n = s->number;
  s->lane = random_lane(t);
  for (int i = M1; i <= J2; i++)
    n[i] = draw_log(t, 0.3, 5);
  const bool damped = draw_chance(t, 0.5);
  for (int i = 0; i < 3; i++) {
    n[C + i] = i == 1 && t->turned ? n[C] : draw_log(t, 3, 100);
    n[DAMPING + i] = i == 1 && t->turned ? n[DAMPING] : damped ? draw_log(t, 0.01, 2) : 0;
    n[START + i] = draw(t, -2, 2);
  }
  add_bodies(t, s, 2, n + M1, n + J1);
  add_bushing(t, s->first, s->first + 1, s->lane.r, n + C, n + DAMPING, false);
}

static void exact_pair(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number;
  const double centre[3] = {0, 0, s->lane.angle};
  for (int i = 0; i < 3; i++) {
    const double m1 = n[i < 2 ? M1 : J1], m2 = n[i < 2 ? M2 : J2], m = m1 * m2 / (m1 + m2);
    const double g = i < 2 ? t->gravity[i] : 0, drift = i < 2 ? s->lane.across : s->lane.rate;
    const oscillator o = {.w = sqrt(n[C + i] / m), .d = n[DAMPING + i] / m / 2, .v0 = n[START + i]};
    double x, u;
    oscillator_at(&o, time, &x, &u);
    const double x0 = (i < 2 ? s->lane.r[i] : centre[i]) + drift * time + g * time * time / 2;
    const double u0 = drift + g * time;
    q[i] = x0 - m2 / (m1 + m2) * x;
    v[i] = u0 - m2 / (m1 + m2) * u;
    q[3 + i] = x0 + m1 / (m1 + m2) * x;
    v[3 + i] = u0 + m1 / (m1 + m2) * u;
  }
}

/* ---- The table -----------------------------------------------------------------------------------------------------
 */

const subset_kind smooth_kinds[] = {
    {"flight", make_flight, exact_flight, false, 0, 1, NULL},
    {"oscillator", make_oscillator, exact_oscillator, false, 0, 3, NULL},
    {"central", make_central, exact_central, false, 0, 2, NULL},
    {"pendulum", make_pendulum, exact_pendulum, false, 0, 2, NULL},
    {"chain", make_chain, exact_chain, false, 0, 4, NULL},
    {"gears", make_gears, exact_gears, false, 0, 2, NULL},
    {"pair", make_pair, exact_pair, false, 0, 4, NULL},
};
const size_t n_smooth_kinds = sizeof smooth_kinds / sizeof *smooth_kinds;
