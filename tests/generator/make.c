/* A trial from its seed: frame, subsets, how it is run, and the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

enum { MAX_FIXED_STEPS = 3000 };
static const double pi = 3.14159265358979323846;

/* ---- Frame ------------------------------------------------------------------------------------------------------- */

frame random_frame(trial *t) {
  frame f = {.length = 1, .mass = 1, .time = 1};
  t->turned = draw_chance(t, 0.6);
  const double angle = draw(t, -pi, pi);
  f.angle = t->turned ? angle : 0;
  if (draw_chance(t, 0.5))
    for (int i = 0; i < 2; i++)
      f.shift[i] = draw(t, -20, 20);
  t->scaled = draw_chance(t, 0.4);
  if (t->scaled) {
    f.length = draw_log(t, 1e-3, 1e3);
    f.mass = draw_log(t, 1e-4, 1e4);
    f.time = draw_log(t, 0.01, 100);
    for (int i = 0; i < 2; i++)
      f.shift[i] *= f.length;
  }
  return f;
}

/* ---- Subsets ----------------------------------------------------------------------------------------------------- */

/* By their weights. */
const subset_kind *random_kind_of(trial *t, const subset_kind *kinds, size_t n) {
  int total = 0;
  for (size_t i = 0; i < n; i++)
    total += kinds[i].weight;
  int left = draw_below(t, total);
  size_t i = 0;
  while (left >= kinds[i].weight)
    left -= kinds[i++].weight;
  return &kinds[i];
}

static const subset_kind *random_kind(trial *t) {
  const struct {
    const subset_kind *kinds;
    size_t n;
    double share;
  } groups[] = {{smooth_kinds, n_smooth_kinds, t->smooth ? 0.7 : 0.2},
                {kinked_kinds, n_kinked_kinds, t->smooth ? 0 : 0.35},
                {contact_kinds, n_contact_kinds, t->smooth ? 0 : 0.2},
                {wild_kinds, n_wild_kinds, 1}};
  double at = draw(t, 0, 1);
  size_t g = 0;
  while (g < 3 && at >= groups[g].share)
    at -= groups[g++].share;
  return random_kind_of(t, groups[g].kinds, groups[g].n);
}

void add_subset(trial *t, const subset_kind *kind) {
  subset *s = &t->subset[t->n_subsets++];
  const double fastest = t->rate;
  s->kind = kind;
  t->rate = 1;
  kind->make(t, s);
  s->rate = t->rate;
  t->rate = fmax(fastest, s->rate);
}

static void add_subsets(trial *t) {
  const int n = 1 + (draw_chance(t, 0.4) ? 1 : 0) + (draw_chance(t, 0.15) ? 1 : 0);
  for (int i = 0; i < n; i++)
    add_subset(t, random_kind(t));
}

/* ---- How it is run ----------------------------------------------------------------------------------------------- */

void choose_integrator(trial *t) {
  static const struct {
    const char *name;
    int order;
    bool fixed;
    int weight;
  } methods[] = {{"erk", 8, false, 5},  {"erk", 5, false, 2},
                 {"erk", 4, false, 2},  {"radau", 0, false, 5},
                 {"ida", 0, false, 3},  {"cvode", 0, false, 3},
                 {"rk4", 4, true, 4},   {"rk2", 2, true, 1},
                 {"euler", 1, true, 1}, {"symplectic_euler", 1, true, 1}};
  int i;
  do {
    i = 0;
    for (int left = draw_below(t, 27); left >= methods[i].weight; i++)
      left -= methods[i].weight;
  } while (t->is_hard && (strcmp(methods[i].name, "ida") == 0 || strcmp(methods[i].name, "cvode") == 0));
  snprintf(t->integrator, sizeof t->integrator, "%s", methods[i].name);
  t->order = methods[i].order;
  t->rtol = draw_log(t, 1e-10, 1e-5);
  t->atol = fmax(least_tolerance(&t->frame), t->rtol * draw_log(t, 0.01, 1) * tolerance_unit(&t->frame));
  const double step = draw_log(t, 0.002, 0.05) / t->rate;
  if (t->any_step) {
    t->rtol = draw_log(t, 1e-9, 1e-2);
    t->atol = fmax(least_tolerance(&t->frame), t->rtol * draw_log(t, 0.01, 1) * tolerance_unit(&t->frame));
  }
  const double any = t->any_step ? draw_log(t, 0.01, 1) / t->rate : step;
  if (methods[i].fixed)
    t->step = fmax(fmin(any, t->end / 20), t->end / MAX_FIXED_STEPS);
}

static void write_simulation(trial *t, double rows) {
  const double unit = t->frame.time;
  text_add(&t->yaml, "simulate:\n  end: %.17g\n  output_step: %.17g\n", unit * t->end, unit * t->end / rows);
  if (t->run == CUT) /* the bounds of its motion */
    return;
  if (t->is_twin)
    return;
  text_add(&t->yaml, "  integrator: %s\n", t->integrator);
  if (t->step > 0) {
    text_add(&t->yaml, "  step: %.17g\n", unit * t->step);
    return;
  }
  if (strcmp(t->integrator, "erk") == 0)
    text_add(&t->yaml, "  order: %d\n", t->order);
  text_add(&t->yaml, "  rtol: %.17g\n  atol: %.17g\n", t->rtol, t->atol);
}

void write_model(trial *t, double rows) {
  const frame *f = &t->frame;
  const double g = f->length / (f->time * f->time);
  const double c = cos(f->angle), s = sin(f->angle);
  text_add(&t->yaml, "seam: 1\nname: seed_%llu\ngravity: [%.17g, %.17g]\nbodies:\n%s", (unsigned long long)t->seed,
           g * (c * t->gravity[0] - s * t->gravity[1]), g * (s * t->gravity[0] + c * t->gravity[1]), t->bodies.at);
  if (t->joints.length > 0)
    text_add(&t->yaml, "joints:\n%s", t->joints.at);
  if (t->forces.length > 0)
    text_add(&t->yaml, "forces:\n%s", t->forces.at);
  if (t->equations.length > 0)
    text_add(&t->yaml, "equations:\n%s", t->equations.at);
  write_simulation(t, rows);
  if (t->run == CUT)
    text_add(&t->yaml, "cosim:\n%s", t->cosim.at);
}

/* Lines from the last to the first. */
static void reverse_lines(text *self) {
  static text turned;
  turned.length = 0;
  for (size_t end = self->length, at = end; at > 0; end = at) {
    for (at--; at > 0 && self->at[at - 1] != '\n';)
      at--;
    text_add(&turned, "%.*s", (int)(end - at), self->at + at);
  }
  *self = turned;
}

/* f: the frame to take in place of its own; NULL: its own. */
static void make(trial *t, const frame *f) {
  const frame own = random_frame(t);
  t->frame = f != NULL ? *f : own;
  t->turned = t->turned || t->is_twin;
  t->scaled = t->scaled || t->is_twin;
  t->smooth = draw_chance(t, 0.4);
  const bool cut = draw_chance(t, 0.4);
  t->end = cut ? draw(t, 0.3, 0.8) : draw(t, 0.5, 2);
  if (draw_chance(t, 0.5)) {
    const double g = draw(t, 1, 10), angle = draw(t, -pi, pi);
    t->gravity[0] = g * cos(angle);
    t->gravity[1] = g * sin(angle);
  }
  add_subsets(t);
  if (cut && t->n_bodies > 1 && !t->whole_only && !t->is_twin)
    cut_at_random(t);
  if (t->run == WHOLE)
    choose_integrator(t);
  if (t->frame.is_reversed) {
    reverse_lines(&t->bodies);
    reverse_lines(&t->joints);
    reverse_lines(&t->forces);
  }
  write_model(t, N_ROWS);
}

void trial_make(trial *t, uint64_t seed, bool plain) {
  static const frame plain_one = {.length = 1, .mass = 1, .time = 1};
  *t = (trial){.seed = seed, .random = seed, .rate = 1};
  make(t, plain ? &plain_one : NULL);
}

void trial_make_twin(trial *t, uint64_t seed, const frame *f) {
  *t = (trial){.seed = seed, .random = seed, .rate = 1, .is_twin = true};
  make(t, f);
}
