/* Elements of a trial, moved to its frame and written as YAML. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/trial.h"
#include "tests/support/random.h"

/* ---- Texts and numbers ------------------------------------------------------------------------------------------- */

void text_add(text *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(self->at + self->length, MAX_TEXT - self->length, format, arguments);
  va_end(arguments);
  if (n < 0 || self->length + (size_t)n >= MAX_TEXT) {
    fputs("generator: MAX_TEXT is too small\n", stderr);
    abort();
  }
  self->length += (size_t)n;
}

double draw(trial *t, double low, double high) { return random_between(&t->random, low, high); }
double draw_log(trial *t, double low, double high) { return exp(random_between(&t->random, log(low), log(high))); }
int draw_below(trial *t, int n) { return random_below(&t->random, n); }
bool draw_chance(trial *t, double probability) { return random_between(&t->random, 0, 1) < probability; }

broken_law draw_broken_law(trial *t, double size, int least) {
  const broken_law law = random_broken_law(&t->random, size, t->end, least);
  for (int i = 0; i < law.n; i++) {
    if (t->n_kinks == MAX_SUBSETS * MAX_TRIAL_KINKS)
      abort();
    t->kink[t->n_kinks++] = law.kink[i].at;
  }
  return law;
}

/* ---- The frame --------------------------------------------------------------------------------------------------- */

static void turn(const frame *f, const double r[2], double out[2]) {
  out[0] = cos(f->angle) * r[0] - sin(f->angle) * r[1];
  out[1] = sin(f->angle) * r[0] + cos(f->angle) * r[1];
}

static void place(const frame *f, const double P[2], double out[2]) {
  turn(f, P, out);
  for (int i = 0; i < 2; i++)
    out[i] = f->shift[i] + f->length * out[i];
}

double tolerance_unit(const frame *f) { return fmin(fmin(1, f->length), fmin(1, f->length) / f->time); }

double least_tolerance(const frame *f) { return 2e-11 * fmax(tolerance_unit(f), fmax(f->length, f->length / f->time)); }

static double force_unit(const frame *f) { return f->mass * f->length / (f->time * f->time); }
static double torque_unit(const frame *f) { return force_unit(f) * f->length; }
static double stiffness_unit(const frame *f) { return f->mass / (f->time * f->time); }
static double damping_unit(const frame *f) { return f->mass / f->time; }

/* Adds a law, '@' and '#' replaced by variables that are scaled to plain units. */
static void add_law(text *out, const char *law, const char *first, double first_scale, const char *second,
                    double second_scale) {
  for (const char *c = law; *c != '\0'; c++)
    if (*c == '@' && first_scale == 1)
      text_add(out, "%s", first);
    else if (*c == '@')
      text_add(out, "(%.17g*%s)", first_scale, first);
    else if (*c == '#')
      text_add(out, "(%.17g*%s)", second_scale, second);
    else
      text_add(out, "%c", *c);
}

static void add_law_of_time(text *out, const frame *f, const char *law) {
  char time[40] = "t";
  if (f->begin != 0)
    snprintf(time, sizeof time, "(t - %.17g)", f->begin);
  add_law(out, law, time, 1 / f->time, "", 1);
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static const char *name_of(int body) {
  static const char *const names[MAX_BODIES] = {"b0", "b1", "b2",  "b3",  "b4",  "b5",  "b6",  "b7",
                                                "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15"};
  return body == GROUND ? "ground" : names[body];
}

int add_body(trial *t, double mass, double inertia, const double pose[3], const double velocity[3]) {
  const frame *f = &t->frame;
  const int body = t->n_bodies++;
  double at[2], v[2];
  if (body >= MAX_BODIES)
    abort();
  place(f, pose, at);
  turn(f, velocity, v);
  t->mass[body] = mass;
  t->inertia[body] = inertia;
  memcpy(t->pose[body], pose, sizeof t->pose[body]);
  const double speed = f->length / f->time;
  text_add(&t->bodies,
           "  %s: {mass: %.17g, inertia: %.17g, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g], rate: "
           "%.17g}\n",
           name_of(body), f->mass * mass, f->mass * f->length * f->length * inertia, at[0], at[1], pose[2] + f->angle,
           speed * v[0] + f->velocity[0], speed * v[1] + f->velocity[1], velocity[2] / f->time);
  return body;
}

/* ---- What elements share ----------------------------------------------------------------------------------------- */

static const char *begin_element(trial *t, text *out, const char *type, int first, int second) {
  snprintf(t->element, sizeof t->element, "e%d", t->n_elements++);
  text_add(out, "  %s: {type: %s, bodies: [%s, %s]", t->element, type, name_of(first), name_of(second));
  return t->element;
}

static void add_place(text *out, const frame *f, const double P[2]) {
  double at[2];
  place(f, P, at);
  text_add(out, ", at: [%.17g, %.17g]", at[0], at[1]);
}

static void add_places(text *out, const frame *f, const double P[2], const double Q[2]) {
  double p[2], q[2];
  place(f, P, p);
  place(f, Q, q);
  text_add(out, ", at: [[%.17g, %.17g], [%.17g, %.17g]]", p[0], p[1], q[0], q[1]);
}

static void add_axis(text *out, const frame *f, const double *axis) {
  double a[2];
  if (axis == NULL)
    return;
  turn(f, axis, a);
  text_add(out, ", axis: [%.17g, %.17g]", a[0], a[1]);
}

static void may_be_cut(trial *t, int first, int second, bool is_joint, bool turns, const char *name) {
  if (first == GROUND || second == GROUND || t->n_cuttable >= MAX_CUTTABLE)
    return;
  cuttable *c = &t->cuttable[t->n_cuttable++];
  *c = (cuttable){.body = {first, second}, .is_joint = is_joint, .turns = turns};
  snprintf(c->name, sizeof c->name, "%s", name);
}

/* 1/m of a point of a body in its most mobile direction. */
static double mobility(const trial *t, int body, const double P[2]) {
  if (body == GROUND)
    return 0;
  const double *r = t->pose[body];
  const double arm = P == NULL ? 0 : hypot(P[0] - r[0], P[1] - r[1]);
  return 1 / t->mass[body] + arm * arm / t->inertia[body];
}

static double turning_mobility(const trial *t, int first, int second) {
  return (first == GROUND ? 0 : 1 / t->inertia[first]) + (second == GROUND ? 0 : 1 / t->inertia[second]);
}

/* A spring c and a damper d that act against a mobility. */
static void note_rate(trial *t, double c, double d, double mobility) {
  t->rate = fmax(t->rate, fmax(sqrt(c * mobility), d * mobility));
}

/* ---- Joints ------------------------------------------------------------------------------------------------------ */

void add_joint(trial *t, const char *type, int first, int second, const double P[2], const double *axis) {
  const char *name = begin_element(t, &t->joints, type, first, second);
  add_place(&t->joints, &t->frame, P);
  add_axis(&t->joints, &t->frame, axis);
  text_add(&t->joints, "}\n");
  may_be_cut(t, first, second, true, axis != NULL, name);
}

void add_distance(trial *t, int first, const double P[2], int second, const double Q[2]) {
  const char *name = begin_element(t, &t->joints, "distance", first, second);
  add_places(&t->joints, &t->frame, P, Q);
  text_add(&t->joints, "}\n");
  may_be_cut(t, first, second, true, true, name);
}

void add_gear(trial *t, int first, int second, double ratio) {
  const char *name = begin_element(t, &t->joints, "gear", first, second);
  text_add(&t->joints, ", ratio: %.17g}\n", ratio);
  may_be_cut(t, first, second, true, true, name);
}

void add_motion(trial *t, const char *of, int first, int second, const double P[2], const double Q[2],
                const char *law) {
  const frame *f = &t->frame;
  const double *r = t->pose[first == GROUND ? second : first];
  const bool relative = strcmp(of, "angle") == 0 || strcmp(of, "distance") == 0;
  double at[2], start = 0, scale = f->length;
  const char *name = "";
  place(f, r, at);
  if (relative) {
    name = begin_element(t, &t->joints, "motion", first, second);
    text_add(&t->joints, ", of: %s", of);
  } else {
    text_add(&t->joints, "  e%d: {type: motion, body: %s, of: %s", t->n_elements++, name_of(first), of);
  }
  if (strcmp(of, "distance") == 0) {
    add_places(&t->joints, f, P, Q);
    start = f->length * hypot(Q[0] - P[0], Q[1] - P[1]);
  } else if (strcmp(of, "x") == 0 || strcmp(of, "y") == 0) {
    start = at[*of - 'x'];
  } else {
    const double at_first = first == GROUND ? 0 : t->pose[first][2] + f->angle;
    const double at_second = second == GROUND ? 0 : t->pose[second][2] + f->angle;
    start = relative ? at_second - at_first : at_first;
    scale = 1;
  }
  text_add(&t->joints, ", law: \"%.17g + %.17g*(", start, scale);
  add_law_of_time(&t->joints, f, law);
  text_add(&t->joints, ")\"}\n");
  if (relative)
    may_be_cut(t, first, second, true, strcmp(of, "distance") == 0, name);
}

/* ---- Force elements ---------------------------------------------------------------------------------------------- */

void add_spring(trial *t, int first, const double P[2], int second, const double Q[2], const double *axis, double c,
                double d) {
  const frame *f = &t->frame;
  const char *name = begin_element(t, &t->forces, "spring_damper", first, second);
  add_places(&t->forces, f, P, Q);
  add_axis(&t->forces, f, axis);
  text_add(&t->forces, ", stiffness: %.17g, damping: %.17g}\n", c * stiffness_unit(f), d * damping_unit(f));
  may_be_cut(t, first, second, false, false, name);
  note_rate(t, c, d, mobility(t, first, P) + mobility(t, second, Q));
}

void add_spring_law(trial *t, int first, const double P[2], int second, const double Q[2], const double *axis,
                    const char *law, double stiffness) {
  const frame *f = &t->frame;
  const char *name = begin_element(t, &t->forces, "spring_damper", first, second);
  add_places(&t->forces, f, P, Q);
  add_axis(&t->forces, f, axis);
  text_add(&t->forces, ", force: \"%.17g*(", force_unit(f));
  add_law(&t->forces, law, "s", 1 / f->length, "v", f->time / f->length);
  text_add(&t->forces, ")\"}\n");
  may_be_cut(t, first, second, false, false, name);
  note_rate(t, stiffness, 0, mobility(t, first, P) + mobility(t, second, Q));
}

void add_torsion(trial *t, int first, int second, double c, double d) {
  const frame *f = &t->frame;
  const char *name = begin_element(t, &t->forces, "torsion", first, second);
  text_add(&t->forces, ", stiffness: %.17g, damping: %.17g}\n", c * torque_unit(f), d * torque_unit(f) * f->time);
  may_be_cut(t, first, second, false, false, name);
  note_rate(t, c, d, turning_mobility(t, first, second));
}

void add_torsion_law(trial *t, int first, int second, const char *law, double stiffness) {
  const frame *f = &t->frame;
  const char *name = begin_element(t, &t->forces, "torsion", first, second);
  text_add(&t->forces, ", torque: \"%.17g*(", torque_unit(f));
  add_law(&t->forces, law, "s", 1, "v", f->time);
  text_add(&t->forces, ")\"}\n");
  may_be_cut(t, first, second, false, false, name);
  note_rate(t, stiffness, 0, turning_mobility(t, first, second));
}

void add_bushing(trial *t, int first, int second, const double P[2], const double c[3], const double d[3],
                 bool consistent) {
  const frame *f = &t->frame;
  const double C = stiffness_unit(f);
  const double D = damping_unit(f);
  const double L2 = f->length * f->length;
  const char *name = begin_element(t, &t->forces, "bushing", first, second);
  add_place(&t->forces, f, P);
  text_add(&t->forces, ", stiffness: [%.17g, %.17g, %.17g], damping: [%.17g, %.17g, %.17g], law: %s}\n", C * c[0],
           C * c[1], C * L2 * c[2], D * d[0], D * d[1], D * L2 * d[2], consistent ? "consistent" : "markers");
  may_be_cut(t, first, second, false, false, name);
  for (int i = 0; i < 2; i++)
    note_rate(t, c[i], d[i], mobility(t, first, P) + mobility(t, second, P));
  note_rate(t, c[2], d[2], turning_mobility(t, first, second));
}

void add_cylinder(trial *t, const double P[2], int second, const double Q[2]) {
  begin_element(t, &t->forces, "hydraulic_cylinder", GROUND, second);
  add_places(&t->forces, &t->frame, P, Q);
  text_add(&t->forces,
           ", area: 0.7, cylinder_length: 3, dissipation: 0.3, discharge: 0.67, density: 1.2, pump: 4, tank: 0.5, "
           "bulk: [0.4, -0.02], valve_area: 0.5, spool: \"0.45 + 0.1*cos(3*t)\"}\n");
  t->whole_only = true;
}

static void begin_load(trial *t, const char *type, int body) {
  text_add(&t->forces, "  e%d: {type: %s, body: %s", t->n_elements++, type, name_of(body));
}

void add_viscous(trial *t, int body, double linear, double angular) {
  const frame *f = &t->frame;
  const double D = damping_unit(f);
  begin_load(t, "viscous", body);
  text_add(&t->forces, ", damping: [%.17g, %.17g, %.17g]}\n", D * linear, D * linear,
           D * f->length * f->length * angular);
  note_rate(t, 0, linear, 1 / t->mass[body]);
  note_rate(t, 0, angular, 1 / t->inertia[body]);
}

/* Adds cx * x + cy * y of two laws in plain axes. */
static void add_component(trial *t, const char *key, double cx, const char *x, double cy, const char *y) {
  text_add(&t->forces, ", %s: \"0", key);
  if (x != NULL && cx != 0) {
    text_add(&t->forces, " + %.17g*(", cx);
    add_law_of_time(&t->forces, &t->frame, x);
    text_add(&t->forces, ")");
  }
  if (y != NULL && cy != 0) {
    text_add(&t->forces, " + %.17g*(", cy);
    add_law_of_time(&t->forces, &t->frame, y);
    text_add(&t->forces, ")");
  }
  text_add(&t->forces, "\"");
}

void add_force(trial *t, int body, const char *x, const char *y) {
  const frame *f = &t->frame;
  const double unit = force_unit(f);
  begin_load(t, "force", body);
  add_component(t, "x", unit * cos(f->angle), x, -unit * sin(f->angle), y);
  add_component(t, "y", unit * sin(f->angle), x, unit * cos(f->angle), y);
  text_add(&t->forces, "}\n");
}

void add_torque(trial *t, int body, const char *law) {
  begin_load(t, "torque", body);
  text_add(&t->forces, ", torque: \"%.17g*(", torque_unit(&t->frame));
  add_law_of_time(&t->forces, &t->frame, law);
  text_add(&t->forces, ")\"}\n");
}

/* ---- Rails ------------------------------------------------------------------------------------------------------- */

void add_contact(trial *t, int first, const double P[2], int second, const double Q[2], double reach, double c,
                 double d) {
  const frame *f = &t->frame;
  const char *name = begin_element(t, &t->forces, "contact", first, second);
  add_places(&t->forces, f, P, Q);
  text_add(&t->forces, ", radii: [%.17g, %.17g], stiffness: %.17g, exponent: 1, damping: %.17g}\n",
           f->length * reach / 2, f->length * reach / 2, c * stiffness_unit(f), d * f->time / f->length);
  may_be_cut(t, first, second, false, false, name);
}

/* Begins a wall across `e` behind a circle about the centre of a body. */
static void begin_wall(trial *t, int body, const double Q[2], const double e[2], double gap) {
  const frame *f = &t->frame;
  static const double radius = 0.2;
  const double P[2] = {Q[0] - (radius + gap) * e[0], Q[1] - (radius + gap) * e[1]}, along[2] = {e[1], -e[0]};
  double line[2];
  turn(f, along, line);
  begin_element(t, &t->forces, "contact", GROUND, body);
  add_places(&t->forces, f, P, Q);
  text_add(&t->forces, ", line: [%.17g, %.17g], radius: %.17g", line[0], line[1], f->length * radius);
}

void add_wall(trial *t, int body, const double Q[2], const double e[2], double gap, double c, double d) {
  const frame *f = &t->frame;
  begin_wall(t, body, Q, e, gap);
  text_add(&t->forces, ", stiffness: %.17g, exponent: 1, damping: %.17g}\n", c * stiffness_unit(f),
           d * f->time / f->length);
}

void add_hard_wall(trial *t, int body, const double Q[2], const double e[2], double gap, double restitution) {
  begin_wall(t, body, Q, e, gap);
  text_add(&t->forces, ", hard: true, restitution: %.17g}\n", restitution);
  t->is_hard = true;
}

void add_rubbing_guide(trial *t, int body, const double P[2], const double *axis, double friction, double load) {
  static const double largest = 0.3; /* coefficient */
  const double preload = fmax(0, friction / largest - load);
  begin_element(t, &t->joints, "prismatic", GROUND, body);
  add_place(&t->joints, &t->frame, P);
  add_axis(&t->joints, &t->frame, axis);
  text_add(&t->joints, ", friction: {coefficient: %.17g, preload: %.17g, hard: true}}\n", friction / (load + preload),
           preload * force_unit(&t->frame));
  t->is_rough = true;
}

/* ---- Controllers ------------------------------------------------------------------------------------------------- */

/* Way and speed of a mass along a lane in plain units, as a sum of its coordinates. */
static void write_sensor(trial *t, const lane *l, const rail *r, const rail_control *c) {
  const frame *f = &t->frame;
  const char *body = name_of(r->first + c->mass);
  double P[2], at[2], e[2];
  lane_place(l, r->place[c->mass], P);
  place(f, P, at);
  turn(f, l->e, e);
  const double x = e[0] / f->length, y = e[1] / f->length;
  if (!c->has_signals) {
    text_add(&t->equations, "    inputs: {s: \"%.17g*(%s.x - (%.17g)) + %.17g*(%s.y - (%.17g))\"", x, body, at[0], y,
             body, at[1]);
    text_add(&t->equations, ", v: \"%.17g*%s.vx + %.17g*%s.vy\"}\n", x * f->time, body, y * f->time, body);
    return;
  }
  const double gains[4] = {x, y, x * f->time, y * f->time};
  static const char *const outputs[4] = {"x", "y", "vx", "vy"};
  for (int i = 0; i < 4; i++)
    text_add(&t->signals, "    - {from: %s.%s, to: c%d.%s, gain: %.17g, offset: %.17g, order: %d}\n", body, outputs[i],
             c->number, i < 2 ? "s" : "v", gains[i], i < 2 ? -gains[i] * at[i] : 0, c->order);
}

static void write_law(text *out, const frame *f, const rail_control *c, const char *separator) {
  text_add(out, "states: {I: 0, f: 0}%s", separator);
  if (c->period > 0)
    text_add(out, "sample: %.17g%supdates: {I: \"I + %.17g*(%.17g - s)\", f: v}%s", f->time * c->period, separator,
             c->period, c->target, separator);
  else
    text_add(out, "rates: {I: \"%.17g*(%.17g - s)\", f: \"%.17g*(v - f)\"}%s", 1 / f->time, c->target,
             c->filter / f->time, separator);
  text_add(out, "outputs: {F: \"%.17g*(%.17g - s) - %.17g*%s + %.17g*I\"%s}", c->kp, c->target, c->kd,
           c->period > 0 ? "v" : "f", c->ki, c->has_signals ? ", I: I" : "");
}

void add_control(trial *t, const lane *l, const rail *r, rail_control *c) {
  const frame *f = &t->frame;
  double e[2];
  turn(f, l->e, e);
  const double unit = force_unit(f);
  c->element = t->n_elements++;
  text_add(&t->forces, "  e%d: {type: force, body: %s, ", c->element, name_of(r->first + c->mass));
  if (c->has_signals) {
    text_add(&t->forces, "x: 0, y: 0}\n");
    text_add(&t->parts, "    c%d: {inputs: [s, v], ", c->number);
    write_law(&t->parts, f, c, ", ");
    text_add(&t->parts, "}\n");
  } else {
    text_add(&t->forces, "x: \"%.17g*c%d.F\", y: \"%.17g*c%d.F\"}\n", unit * e[0], c->number, unit * e[1], c->number);
    text_add(&t->equations, "  c%d:\n", c->number);
  }
  write_sensor(t, l, r, c);
  if (!c->has_signals) {
    text_add(&t->equations, "    ");
    write_law(&t->equations, f, c, "\n    ");
    text_add(&t->equations, "\n");
  }
  if (!c->has_signals && c->is_listed)
    text_add(&t->parts, "    p%d: {equations: [c%d], signal_order: %d}\n", c->number, c->number, c->order);
}

void write_actuators(trial *t, const rail *r, const int *part_of) {
  double e[2];
  turn(&t->frame, t->subset[r->subset].lane.e, e);
  for (const rail_control *c = r->control; c < r->control + r->n_controls; c++)
    for (int i = 0; c->has_signals && i < 2; i++)
      text_add(&t->signals, "    - {from: c%d.F, to: part%d.e%d.f%c, gain: %.17g, order: %d}\n", c->number,
               part_of[r->first + c->mass], c->element, 'x' + i, force_unit(&t->frame) * e[i],
               c->period > 0 ? 0 : c->order);
}
