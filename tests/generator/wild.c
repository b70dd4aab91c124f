/* Random trees of bodies with some loops, every kind of joint and force element: their motion is known to other
 * integrators and in other frames only, their energy and momentum are known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

static const double pi = 3.14159265358979323846;

static int any_body(trial *t, const subset *s) { return s->first + draw_below(t, s->n); }

/* A body, or where the subset does not float sometimes the ground. */
static int other_body(trial *t, const subset *s, int body) {
  if (!s->floats && (s->n == 1 || draw_chance(t, 0.4)))
    return GROUND;
  return s->n == 1 ? GROUND : s->first + (body - s->first + 1 + draw_below(t, s->n - 1)) % s->n;
}

static void place_near(trial *t, int body, double P[2]) {
  for (int i = 0; i < 2; i++)
    P[i] = t->pose[body][i] + draw(t, -0.7, 0.7);
}

/* ---- Joints ------------------------------------------------------------------------------------------------------ */

static void add_wild_motion(trial *t, int parent, int body) {
  char law[200];
  if (draw_chance(t, t->smooth ? 1 : 0.5)) {
    snprintf(law, sizeof law, "%.17g*sin(%.17g*@)", draw(t, 0.1, 0.6), draw(t, 0.5, 6));
    add_motion(t, "angle", parent, body, NULL, NULL, law);
  } else {
    const broken_law broken = draw_broken_law(t, draw(t, -1, 1), 1 + draw_below(t, 2));
    add_motion(t, "angle", parent, body, NULL, NULL, broken.text);
  }
}

static void add_wild_joint(trial *t, int parent, int body) {
  static const char *const types[] = {"revolute", "revolute", "revolute", "prismatic", "slot",
                                      "distance", "fixed",    NULL,       NULL,        "driven"};
  const char *type = types[draw_below(t, sizeof types / sizeof *types)];
  const double angle = draw(t, -pi, pi), axis[2] = {cos(angle), sin(angle)};
  double P[2];
  if (type == NULL) /* held by force elements alone */
    return;
  place_near(t, body, P);
  const double Q[2] = {P[0] + 1.5 * axis[0], P[1] + 1.5 * axis[1]};
  if (strcmp(type, "distance") == 0) {
    add_distance(t, parent, Q, body, P);
  } else if (strcmp(type, "driven") == 0) {
    add_joint(t, "revolute", parent, body, P, NULL);
    add_wild_motion(t, parent, body);
  } else {
    const bool has_axis = strcmp(type, "prismatic") == 0 || strcmp(type, "slot") == 0;
    add_joint(t, type, parent, body, P, has_axis ? axis : NULL);
  }
}

/* ---- Force elements ---------------------------------------------------------------------------------------------- */

static void add_wild_spring(trial *t, const subset *s) {
  const int first = any_body(t, s), second = other_body(t, s, first);
  const double angle = draw(t, -pi, pi), axis[2] = {cos(angle), sin(angle)};
  const double c = draw_log(t, 1, 50);
  double P[2];
  char law[200];
  place_near(t, first, P);
  const double Q[2] = {P[0] + 2 * axis[0], P[1] + 2 * axis[1]};
  switch (draw_below(t, t->smooth ? 3 : 5)) {
  case 0:
    add_spring(t, first, P, second, Q, NULL, c, draw_chance(t, 0.5) ? draw(t, 0, 1) : 0);
    return;
  case 1:
    add_spring(t, first, P, second, Q, s->floats ? NULL : axis, c, draw(t, 0, 1));
    return;
  case 2:
    snprintf(law, sizeof law, "%.17g*@ + %.17g*@^3 + %.17g*#", c, c / 4, draw(t, 0, 1));
    break;
  case 3:
    snprintf(law, sizeof law, "%.17g*max(@, %.17g)", c, draw(t, -0.2, 0.2));
    break;
  default:
    snprintf(law, sizeof law, "if(@ > %.17g, %.17g*(@ - %.17g), 0) + %.17g*#", 0.05, c, 0.05, draw(t, 0, 0.5));
  }
  add_spring_law(t, first, P, second, Q, NULL, law, 2 * c);
}

static void add_wild_torsion(trial *t, const subset *s) {
  const int first = any_body(t, s), second = other_body(t, s, first);
  const double c = draw_log(t, 0.5, 30);
  char law[200];
  if (draw_chance(t, 0.5)) {
    add_torsion(t, first, second, c, draw_chance(t, 0.5) ? draw(t, 0, 0.5) : 0);
    return;
  }
  if (t->smooth)
    snprintf(law, sizeof law, "%.17g*sin(@) + %.17g*#", c, draw(t, 0, 0.5));
  else
    snprintf(law, sizeof law, "%.17g*min(@, 0) + %.17g*#", c, draw(t, 0, 0.5));
  add_torsion_law(t, first, second, law, c);
}

static void add_wild_bushing(trial *t, const subset *s) {
  const int first = any_body(t, s), second = other_body(t, s, first);
  const bool consistent = s->floats || draw_chance(t, 0.5), damped = draw_chance(t, 0.5);
  double c[3], d[3], P[2];
  for (int i = 0; i < 3; i++) {
    c[i] = i == 1 && t->turned ? c[0] : draw_log(t, 2, 50);
    d[i] = i == 1 && t->turned ? d[0] : damped ? draw(t, 0, 1) : 0;
  }
  place_near(t, first, P);
  add_bushing(t, first, second, P, c, d, consistent);
}

static void add_wild_load(trial *t, const subset *s) {
  char law[MAX_LAW];
  snprintf(law, sizeof law, "%.17g*cos(%.17g*@ + 1)", draw(t, -5, 5), draw(t, 0.5, 8));
  if (!t->smooth && draw_chance(t, 0.6))
    memcpy(law, draw_broken_law(t, draw(t, -5, 5), 0).text, sizeof law);
  if (draw_chance(t, 0.5))
    add_torque(t, any_body(t, s), law);
  else
    add_force(t, any_body(t, s), law, NULL);
}

static void add_wild_forces(trial *t, const subset *s) {
  static void (*const internal[])(trial *, const subset *) = {add_wild_spring, add_wild_torsion, add_wild_bushing};
  for (int n = s->n + draw_below(t, 3); n > 0; n--)
    internal[draw_below(t, 3)](t, s);
  if (s->floats)
    return;
  for (int n = draw_below(t, 3); n > 0; n--)
    add_wild_load(t, s);
  if (!t->scaled && draw_chance(t, 0.15)) {
    const int body = any_body(t, s);
    double Q[2];
    place_near(t, body, Q);
    add_cylinder(t, (const double[2]){Q[0] - 1.2, Q[1] - 1.5}, body, Q);
  }
  if (draw_chance(t, 0.4))
    add_viscous(t, any_body(t, s), draw(t, 0, 0.5), draw(t, 0, 0.5));
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static void make_wild(trial *t, subset *s) {
  s->n = 1 + draw_below(t, 5);
  s->first = t->n_bodies;
  s->floats = s->n > 1 && draw_chance(t, 0.35);
  s->lane = random_lane(t);
  for (int i = 0; i < s->n; i++) {
    const double pose[3] = {s->lane.r[0] + 1.2 * i + draw(t, -0.5, 0.5), s->lane.r[1] + draw(t, -1, 1), draw(t, -3, 3)};
    const double velocity[3] = {draw(t, -1, 1), draw(t, -1, 1), draw(t, -2, 2)};
    add_body(t, draw_log(t, 0.3, 5), draw_log(t, 0.3, 2), pose, velocity);
  }
  for (int i = s->floats ? 1 : 0; i < s->n; i++)
    add_wild_joint(t, i == 0 ? GROUND : s->first + draw_below(t, i), s->first + i);
  if (s->n > 3 && draw_chance(t, 0.3)) { /* a loop */
    double P[2];
    place_near(t, s->first + s->n - 1, P);
    add_joint(t, "slot", s->first + s->n - 1, s->floats ? s->first : GROUND, P, (const double[2]){0.6, 0.8});
  }
  add_wild_forces(t, s);
  t->rate = fmax(t->rate, 5);
}

const subset_kind wild_kinds[] = {{"wild", make_wild, NULL, false, 2, 1, NULL}};
const size_t n_wild_kinds = 1;
