/* Subsets under laws of time with kinks, whose motion is known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

/* ---- A free body under forces and a torque: integrals of the laws --------------------------------------------------
 */

enum { PUSHED_MASS, PUSHED_INERTIA };

static void make_pushed(trial *t, subset *s) {
  double *n = s->number;
  s->lane = random_lane(t);
  n[PUSHED_MASS] = draw_log(t, 0.1, 10);
  n[PUSHED_INERTIA] = draw_log(t, 0.1, 10);
  for (int i = 0; i < 3; i++)
    s->law[i] = draw_broken_law(t, n[i == 2] * draw(t, -5, 5), 0);
  if (draw_chance(t, 0.5)) /* at rest, where steps are long */
    s->lane.across = s->lane.rate = 0;
  add_bodies(t, s, 1, n + PUSHED_MASS, n + PUSHED_INERTIA);
  add_force(t, s->first, s->law[0].text, s->law[1].text);
  add_torque(t, s->first, s->law[2].text);
}

static void exact_pushed(const trial *t, const subset *s, double time, double *q, double *v) {
  const double g = gravity_along(t, &s->lane);
  on_lane(t, &s->lane, time, g * time * time / 2, g * time, false, q, v);
  for (int i = 0; i < 3; i++) {
    q[i] += broken_law_value(&s->law[i], time, 2) / s->number[i == 2];
    v[i] += broken_law_value(&s->law[i], time, 1) / s->number[i == 2];
  }
}

/* ---- A cart driven by a law, and a mass that a spring and a damper join to it --------------------------------------
 */

enum { DRIVEN_W, DRIVEN_D, MASSES, INERTIAS = MASSES + 2 };

/* The law with all kinks in velocity or in acceleration only: a cart cannot jump. */
static void make_driven(trial *t, subset *s) {
  double *n = s->number, P[3][2];
  s->lane = random_lane(t);
  n[DRIVEN_W] = draw_log(t, 0.5, 20);
  n[DRIVEN_D] = draw_chance(t, 0.5) ? draw_log(t, 0.01, 5) : 0;
  for (int i = 0; i < 4; i++)
    n[MASSES + i] = draw_log(t, 0.1, 10);
  s->law[0] = draw_broken_law(t, draw(t, -1, 1), 1 + draw_below(t, 2));
  add_bodies(t, s, 2, n + MASSES, n + INERTIAS);
  for (int i = 0; i < 3; i++)
    lane_place(&s->lane, 3.0 * (i - 1), P[i]);
  add_joint(t, "prismatic", GROUND, s->first, P[1], s->lane.e);
  add_motion(t, "distance", GROUND, s->first, P[0], P[1], s->law[0].text);
  add_spring(t, s->first, P[1], s->first + 1, P[2], s->lane.e, n[MASSES + 1] * pow(n[DRIVEN_W], 2),
             2 * n[MASSES + 1] * n[DRIVEN_D]);
}

/* y'' + 2 d y' + w² y = w² f + 2 d f' + g */
static void exact_driven(const trial *t, const subset *s, double time, double *q, double *v) {
  const double w = s->number[DRIVEN_W], d = s->number[DRIVEN_D];
  broken_law pull = {.text = ""};
  for (int i = 0; i < s->law[0].n; i++) {
    const struct kink k = s->law[0].kink[i];
    pull.kink[pull.n++] = (struct kink){w * w * k.c, k.at, k.power};
    pull.kink[pull.n++] = (struct kink){2 * d * k.c, k.at, k.power - 1};
  }
  const oscillator o = {.w = w, .d = d, .constant = gravity_along(t, &s->lane), .law = &pull};
  double y, u;
  oscillator_at(&o, time, &y, &u);
  on_lane(t, &s->lane, time, broken_law_value(&s->law[0], time, 0), broken_law_value(&s->law[0], time, -1), true, q, v);
  on_lane(t, &s->lane, time, 3 + y, u, false, q + 3, v + 3);
}

/* ---- Slider-crank, its crank driven: geometry ----------------------------------------------------------------------
 */

enum { CRANK, ROD, ANGLE, SWING, SPEED };

/* Angle of the crank beyond the initial one. */
static void crank_law(const subset *s, double time, double *turn, double *rate) {
  if (s->kind->has_kinks) {
    *turn = broken_law_value(&s->law[0], time, 0);
    *rate = broken_law_value(&s->law[0], time, -1);
  } else {
    *turn = s->number[SWING] * sin(s->number[SPEED] * time);
    *rate = s->number[SWING] * s->number[SPEED] * cos(s->number[SPEED] * time);
  }
}

static void exact_crank(const trial *t, const subset *s, double time, double *q, double *v) {
  const double r = s->number[CRANK], l = s->number[ROD], *e = s->lane.e, start = atan2(e[1], e[0]);
  double turn, rate;
  (void)t;
  crank_law(s, time, &turn, &rate);
  const double a = s->number[ANGLE] + turn, b = asin(-r / l * sin(a)), bd = -r / l * cos(a) / cos(b) * rate;
  const double x[3] = {r / 2 * cos(a), r * cos(a) + l / 2 * cos(b), r * cos(a) + l * cos(b)};
  const double y[3] = {r / 2 * sin(a), r * sin(a) + l / 2 * sin(b), 0};
  const double u[3] = {-r / 2 * sin(a) * rate, -r * sin(a) * rate - l / 2 * sin(b) * bd,
                       -r * sin(a) * rate - l * sin(b) * bd};
  const double w[3] = {r / 2 * cos(a) * rate, r * cos(a) * rate + l / 2 * cos(b) * bd, 0};
  const double angle[3] = {a, b, 0}, spin[3] = {rate, bd, 0};
  for (int i = 0; i < 3; i++) {
    q[3 * i] = s->lane.r[0] + x[i] * e[0] - y[i] * e[1];
    q[3 * i + 1] = s->lane.r[1] + x[i] * e[1] + y[i] * e[0];
    q[3 * i + 2] = start + angle[i];
    v[3 * i] = u[i] * e[0] - w[i] * e[1];
    v[3 * i + 1] = u[i] * e[1] + w[i] * e[0];
    v[3 * i + 2] = spin[i];
  }
}

void make_crank(trial *t, subset *s) {
  double *n = s->number, P[3][2], mass[3], inertia[3];
  char law[120];
  s->lane = random_lane(t);
  n[CRANK] = draw(t, 0.3, 1);
  n[ROD] = n[CRANK] * draw(t, 1.5, 3);
  n[ANGLE] = draw(t, -3, 3);
  n[SWING] = draw(t, 0.2, 4);
  n[SPEED] = draw(t, 0.5, 3);
  s->law[0] = draw_broken_law(t, draw(t, -4, 4), 1 + draw_below(t, 2));
  for (int i = 0; i < 3; i++) {
    mass[i] = draw_log(t, 0.2, 5);
    inertia[i] = draw_log(t, 0.02, 1);
  }
  add_bodies(t, s, 3, mass, inertia);
  for (int i = 0; i < 2; i++) {
    P[0][i] = s->lane.r[i];
    P[1][i] = 2 * t->pose[s->first][i] - s->lane.r[i];
    P[2][i] = t->pose[s->first + 2][i];
  }
  add_joint(t, "revolute", GROUND, s->first, P[0], NULL);
  add_joint(t, "revolute", s->first, s->first + 1, P[1], NULL);
  add_joint(t, "revolute", s->first + 1, s->first + 2, P[2], NULL);
  add_joint(t, "prismatic", GROUND, s->first + 2, P[2], s->lane.e);
  snprintf(law, sizeof law, "%.17g*sin(%.17g*@)", n[SWING], n[SPEED]);
  const bool relative = draw_chance(t, 0.5);
  add_motion(t, relative ? "angle" : "phi", relative ? GROUND : s->first, relative ? s->first : GROUND, NULL, NULL,
             s->kind->has_kinks ? s->law[0].text : law);
  double turn, rate;
  for (int i = 0; i <= s->law[0].n; i++) { /* the rate is largest after a kink, or at the end */
    crank_law(s, i < s->law[0].n ? s->law[0].kink[i].at + 1e-9 : t->end, &turn, &rate);
    t->rate = fmax(t->rate, fabs(rate));
  }
  if (!s->kind->has_kinks)
    t->rate = fmax(t->rate, n[SWING] * n[SPEED]);
}

/* ---- The table -----------------------------------------------------------------------------------------------------
 */

void make_oscillator(trial *t, subset *s);
void exact_oscillator(const trial *t, const subset *s, double time, double *q, double *v);

const subset_kind kinked_kinds[] = {
    {"pushed", make_pushed, exact_pushed, true, 0, 4, NULL},
    {"pushed_oscillator", make_oscillator, exact_oscillator, true, 0, 4, NULL},
    {"driven", make_driven, exact_driven, true, 0, 4, NULL},
    {"driven_crank", make_crank, exact_crank, true, 0, 3, NULL},
    {"turning_crank", make_crank, exact_crank, false, 0, 2, NULL},
};
const size_t n_kinked_kinds = sizeof kinked_kinds / sizeof *kinked_kinds;
