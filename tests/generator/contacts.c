/* Subsets whose forces have kinks and jumps in their state, and whose motion is known piece by piece. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

static const double pi = 3.14159265358979323846;

/* ---- Bouncing on a one-sided spring: parabola, arc of an oscillation, parabola, ... --------------------------------
 */

enum { MASS, INERTIA, HEIGHT, W, DOWN };

static void make_bounce(trial *t, subset *s) {
  double *n = s->number, P[2], Q[2];
  char law[120];
  s->lane = upright_lane(t, n + DOWN);
  n[MASS] = draw_log(t, 0.1, 10);
  n[INERTIA] = draw_log(t, 0.1, 10);
  n[HEIGHT] = draw_log(t, 0.01, 1);
  n[W] = draw_log(t, 5, 100);
  const bool pulled = n[DOWN] == 0;
  if (pulled)
    n[DOWN] = draw(t, 2, 20);
  add_bodies(t, s, 1, n + MASS, n + INERTIA);
  const double c = n[MASS] * n[W] * n[W];
  lane_place(&s->lane, 0, P);
  lane_place(&s->lane, n[HEIGHT], Q);
  if (draw_chance(t, 0.5))
    snprintf(law, sizeof law, "if(@ < %.17g, %.17g*(@ + %.17g), 0)", -n[HEIGHT], c, n[HEIGHT]);
  else
    snprintf(law, sizeof law, "%.17g*min(0, @ + %.17g)", c, n[HEIGHT]);
  add_spring_law(t, GROUND, P, s->first, Q, s->lane.e, law, c);
  if (pulled) {
    snprintf(law, sizeof law, "%.17g", -n[MASS] * n[DOWN]);
    add_force_along(t, s->first, &s->lane, law);
  }
}

static void exact_bounce(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number, w = n[W], g = n[DOWN];
  const double fall = sqrt(2 * n[HEIGHT] / g), u = g * fall, contact = 2 * (pi - atan(u * w / g)) / w;
  const double tau = fmod(time + fall, 2 * fall + contact); /* from leaving the spring on */
  double x = u * tau - g * tau * tau / 2, xd = u - g * tau;
  if (tau > 2 * fall) {
    const double a = w * (tau - 2 * fall);
    x = g / (w * w) * (cos(a) - 1) - u / w * sin(a);
    xd = -g / w * sin(a) - u * cos(a);
  }
  on_lane(t, &s->lane, time, x, xd, false, q, v);
}

/* ---- To and fro between two one-sided springs ----------------------------------------------------------------------
 */

enum { PLAY = HEIGHT, PLAY_SPEED = DOWN };

static void make_play(trial *t, subset *s) {
  double *n = s->number, P[2], Q[2];
  char law[200];
  s->lane = level_lane(t);
  n[MASS] = draw_log(t, 0.1, 10);
  n[INERTIA] = draw_log(t, 0.1, 10);
  n[PLAY] = draw_log(t, 0.01, 0.5);
  n[W] = draw_log(t, 5, 100);
  n[PLAY_SPEED] = draw(t, 0.3, 3);
  add_bodies(t, s, 1, n + MASS, n + INERTIA);
  const double c = n[MASS] * n[W] * n[W];
  switch (draw_below(t, 3)) {
  case 0:
    snprintf(law, sizeof law, "%.17g*if(abs(@) > %.17g, @ - sign(@)*%.17g, 0)", c, n[PLAY], n[PLAY]);
    break;
  case 1:
    snprintf(law, sizeof law, "%.17g*(max(0, @ - %.17g) + min(0, @ + %.17g))", c, n[PLAY], n[PLAY]);
    break;
  default:
    snprintf(law, sizeof law, "%.17g*(@ - max(-%.17g, min(%.17g, @)))", c, n[PLAY], n[PLAY]);
  }
  lane_place(&s->lane, -3, P);
  lane_place(&s->lane, 0, Q);
  add_spring_law(t, GROUND, P, s->first, Q, s->lane.e, law, c);
}

static void exact_play(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number, crossing = 2 * n[PLAY] / n[PLAY_SPEED], half = crossing + pi / n[W];
  const double since = time + crossing / 2; /* crossings begin at multiples of half */
  const double side = fmod(floor(since / half), 2) == 0 ? 1 : -1;
  const double tau = fmod(since, half);
  double x = n[PLAY_SPEED] * tau - n[PLAY], xd = n[PLAY_SPEED];
  if (tau > crossing) {
    const double a = n[W] * (tau - crossing);
    x = n[PLAY] + n[PLAY_SPEED] / n[W] * sin(a);
    xd = n[PLAY_SPEED] * cos(a);
  }
  on_lane(t, &s->lane, time, side * x, side * xd, false, q, v);
}

/* ---- Dry friction: a block that slides to rest, or swings on a spring until it sticks ------------------------------
 */

enum { SLOWS = HEIGHT, DRY_SPEED = DOWN };

static void make_brake(trial *t, subset *s) {
  double *n = s->number, P[2], Q[2];
  char law[200];
  s->lane = level_lane(t);
  n[MASS] = draw_log(t, 0.1, 10);
  n[INERTIA] = draw_log(t, 0.1, 10);
  n[SLOWS] = draw(t, 0.5, 10);
  n[DRY_SPEED] = n[SLOWS] * t->end * draw(t, 0.5, 2.5);
  n[W] = draw_chance(t, 0.5) ? draw_log(t, 2, 20) : 0;
  add_bodies(t, s, 1, n + MASS, n + INERTIA);
  const double c = n[MASS] * n[W] * n[W], F = n[MASS] * n[SLOWS];
  if (draw_chance(t, 0.5))
    snprintf(law, sizeof law, "%.17g*@ + %.17g*sign(#)", c, F);
  else
    snprintf(law, sizeof law, "%.17g*@ + if(# > 0, %.17g, %.17g)", c, F, -F);
  lane_place(&s->lane, -3, P);
  lane_place(&s->lane, 0, Q);
  add_spring_law(t, GROUND, P, s->first, Q, s->lane.e, law, c);
}

/* x'' + w² x = -+a from 0 at speed u > 0: it swings about -+a/w² from turning point to turning point, and sticks where
 * |w² x| <= a there. */
static void slide(double w, double a, double u, double time, double *x, double *xd) {
  if (w == 0) {
    const double tau = fmin(time, u / a);
    *x = u * tau - a * tau * tau / 2;
    *xd = u - a * tau;
    return;
  }
  double rest = -a / (w * w), swing = hypot(rest, u / w), since = time - atan2(u / w, -rest) / w;
  while (since > 0 && w * w * fabs(rest + swing) > a) {
    const double turn = rest + swing;
    rest = copysign(a / (w * w), turn);
    swing = turn - rest;
    if (since < pi / w)
      break;
    since -= pi / w;
    swing = -swing;
  }
  const bool sticks = since > 0 && w * w * fabs(rest + swing) <= a;
  *x = rest + swing * (sticks ? 1 : cos(w * since));
  *xd = sticks ? 0 : -swing * w * sin(w * since);
}

static void exact_brake(const trial *t, const subset *s, double time, double *q, double *v) {
  double x, xd;
  slide(s->number[W], s->number[SLOWS], s->number[DRY_SPEED], time, &x, &xd);
  on_lane(t, &s->lane, time, x, xd, false, q, v);
}

/* ---- A parallelogram that swings, or turns through its flat poses: a pendulum --------------------------------------
 */

enum { ARM, BASE, TURN_RATE, OWN, START };

static void make_parallelogram(trial *t, subset *s) {
  double *n = s->number, mass[3], inertia[3], P[4][2];
  const double g = hypot(t->gravity[0], t->gravity[1]);
  s->lane = level_lane(t);
  const double slope = draw(t, -1, 1), *e = s->lane.e;
  const double turned[2] = {cos(slope) * e[0] - sin(slope) * e[1], sin(slope) * e[0] + cos(slope) * e[1]};
  memcpy(s->lane.e, turned, sizeof turned);
  n[ARM] = draw(t, 0.3, 1);
  n[BASE] = draw(t, 1.2, 2);
  n[START] = g > 0 ? atan2(t->gravity[1], t->gravity[0]) : atan2(e[1], e[0]) + draw(t, 0.5, 2.5);
  for (int i = 0; i < 3; i++) {
    mass[i] = i == 1 ? mass[0] : draw_log(t, 0.2, 5);
    inertia[i] = draw_log(t, 0.02, 1);
  }
  const double l2 = n[ARM] * n[ARM];
  const double J = inertia[0] + inertia[1] + (mass[0] + mass[1]) * l2 / 4 + mass[2] * l2;
  n[OWN] = sqrt(((mass[0] + mass[1]) / 2 + mass[2]) * n[ARM] * g / J);
  n[TURN_RATE] = draw(t, 0.3, 6);
  if (fabs(n[TURN_RATE] / (2 * n[OWN]) - 1) < 0.03) /* it would stop at the top */
    n[TURN_RATE] *= 1.1;
  add_bodies(t, s, 3, mass, inertia);
  for (int i = 0; i < 2; i++) {
    P[0][i] = s->lane.r[i];
    P[1][i] = P[0][i] + n[BASE] * s->lane.e[i];
    P[2][i] = 2 * t->pose[s->first][i] - P[0][i];
    P[3][i] = 2 * t->pose[s->first + 1][i] - P[1][i];
  }
  for (int i = 0; i < 2; i++) {
    add_joint(t, "revolute", GROUND, s->first + i, P[i], NULL);
    add_joint(t, "revolute", s->first + i, s->first + 2, P[2 + i], NULL);
  }
  t->rate = fmax(t->rate, fmax(n[OWN], n[TURN_RATE]));
}

static void exact_parallelogram(const trial *t, const subset *s, double time, double *q, double *v) {
  const double *n = s->number, *e = s->lane.e;
  double turn, rate;
  (void)t;
  pendulum_at(n[OWN], n[TURN_RATE], time, &turn, &rate);
  const double u[2] = {cos(n[START] + turn), sin(n[START] + turn)};
  for (int b = 0; b < 3; b++) {
    const double arm = b == 2 ? n[ARM] : n[ARM] / 2, base = b == 0 ? 0 : b == 1 ? n[BASE] : n[BASE] / 2;
    for (int i = 0; i < 2; i++)
      q[3 * b + i] = s->lane.r[i] + base * e[i] + arm * u[i];
    v[3 * b] = -arm * u[1] * rate;
    v[3 * b + 1] = arm * u[0] * rate;
    q[3 * b + 2] = s->lane.angle + (b == 2 ? 0 : turn);
    v[3 * b + 2] = b == 2 ? 0 : rate;
  }
}

/* The coupler's turn follows from the constraints over the sine of arm and base. */
static double amplification_of_parallelogram(const trial *t, const subset *s, double time) {
  const double *n = s->number, *e = s->lane.e;
  double turn, rate;
  (void)t;
  pendulum_at(n[OWN], n[TURN_RATE], time, &turn, &rate);
  return 1 / fabs(sin(n[START] + turn - atan2(e[1], e[0])));
}

/* ---- The table -----------------------------------------------------------------------------------------------------
 */

const subset_kind contact_kinds[] = {
    {"bounce", make_bounce, exact_bounce, false, 2, 3, NULL},
    {"play", make_play, exact_play, false, 2, 3, NULL},
    {"brake", make_brake, exact_brake, false, 1, 0, NULL}, /* runs that chatter take minutes before they end */
    {"parallelogram", make_parallelogram, exact_parallelogram, false, 0, 1, amplification_of_parallelogram},
};
const size_t n_contact_kinds = sizeof contact_kinds / sizeof *contact_kinds;
