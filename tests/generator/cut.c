/* Cuts a trial into subsystems at random, and draws scheme, macro step and how subsystems are integrated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

enum { MAX_SUBSYSTEMS = 3, MAX_MACRO_STEPS = 300, MANY_MACRO_STEPS = 400, MAX_NAME = 64 };

static const char *pick(trial *t, const char *const *from, int n) { return from[draw_below(t, n)]; }
#define PICK(t, from) pick(t, from, (int)(sizeof(from) / sizeof *(from)))

/* ---- Subsystems -------------------------------------------------------------------------------------------------- */

typedef struct partition {
  int n, of[MAX_BODIES];
  bool cuts_joint, cuts_force, cuts_turning;
  const cuttable *force; /* one of the force elements that are cut */
  /* What its schemes ask of integrators */
  bool corrects, prescribes, extends; /* repeated steps; accelerations; integrals over a macro step */
  bool repeats_all, exchanges;        /* all couplings have a corrector; those at force elements are exchanged */
} partition;

/* Every body somewhere, no subsystem empty. */
static partition random_partition(trial *t) {
  partition p = {.n = 1 + (t->n_bodies > 1) + (t->n_bodies > 2 ? draw_below(t, MAX_SUBSYSTEMS - 1) : 0)};
  for (int b = 0; b < t->n_bodies; b++)
    p.of[b] = b < p.n ? b : draw_below(t, p.n);
  for (const cuttable *c = t->cuttable; c < t->cuttable + t->n_cuttable; c++)
    if (p.of[c->body[0]] != p.of[c->body[1]]) {
      p.cuts_joint |= c->is_joint;
      p.cuts_force |= !c->is_joint;
      p.force = c->is_joint ? p.force : c;
      p.cuts_turning |= c->is_joint && c->turns;
    }
  return p;
}

static void write_partition(trial *t, const partition *p) {
  text_add(&t->cosim, "  subsystems:\n");
  for (int i = 0; i < p->n; i++) {
    const char *separator = "";
    text_add(&t->cosim, "    part%d: [", i);
    for (int b = 0; b < t->n_bodies; b++)
      if (p->of[b] == i) {
        text_add(&t->cosim, "%sb%d", separator, b);
        separator = ", ";
      }
    text_add(&t->cosim, "]\n");
  }
  text_add(&t->cosim, "%s", t->parts.at);
}

static void write_signals(trial *t, const partition *p) {
  for (const rail *r = t->rail; r < t->rail + t->n_rails; r++)
    write_actuators(t, r, p->of);
  if (t->signals.length > 0)
    text_add(&t->cosim, "  signals:\n%s", t->signals.at);
}

/* ---- Schemes ----------------------------------------------------------------------------------------------------- */

/* The first steps are of lower order, and so are those over kinks. */
static void note_order(trial *t, int k) {
  const int order = k == 0 || !t->smooth ? 1 : 2;
  t->scheme_order = order < t->scheme_order ? order : t->scheme_order;
}

static void force_scheme(trial *t, partition *p, char name[MAX_NAME]) {
  static const char *const decompositions[] = {"ff", "ff", "ff", "fd", "df", "dd"};
  static const char *const methods[] = {"", "", "", "-d", "-i"};
  static const char *const iterations[] = {"-explicit", "", "", "-implicit", "-exchange"};
  const char *decomposition = PICK(t, decompositions);
  const char *method = PICK(t, methods);
  const char *iteration = PICK(t, iterations);
  int k = draw_below(t, 3);
  if (t->any_step && strcmp(method, "-i") == 0 && !t->is_linear)
    method = "-d";
  const bool is_ff = strcmp(decomposition, "ff") == 0;
  if (strcmp(iteration, "-exchange") == 0 && (is_ff || strcmp(decomposition, "dd") == 0))
    decomposition = "fd";
  if (strcmp(iteration, "-explicit") == 0 || strcmp(iteration, "-exchange") == 0)
    method = "";
  snprintf(name, MAX_NAME, "%s%s-k%d%s", decomposition, method, k, iteration);
  t->keeps_momentum &= strcmp(decomposition, "ff") == 0;
  p->extends = strcmp(method, "-i") == 0;
  p->exchanges = strcmp(iteration, "-exchange") == 0;
  p->repeats_all = strcmp(iteration, "-explicit") != 0 && !p->exchanges;
  p->corrects |= p->repeats_all;
  note_order(t, k);
}

static void joint_scheme(trial *t, partition *p, char name[MAX_NAME]) {
  static const char *const methods[] = {"baumgarte", "weighted", "projection", "index2", "index1"};
  static const char *const decompositions[] = {"ff", "ff", "fd", "df"};
  static const char *const iterations[] = {"", "", "-implicit"};
  const char *method = PICK(t, methods);
  const char *decomposition = PICK(t, decompositions);
  const char *iteration = PICK(t, iterations);
  char options[48] = "";
  const int k = draw_below(t, 3);
  if (p->cuts_turning || strncmp(method, "index", 5) == 0)
    decomposition = "ff";
  if (strcmp(method, "baumgarte") == 0)
    snprintf(options, sizeof options, "(index=%d,mu=%.17g)", 1 + draw_below(t, 3), draw(t, 0.7, 3));
  if (strcmp(method, "weighted") == 0)
    snprintf(options, sizeof options, "(a=%.4g,b=%.4g)", draw(t, 0.5, 2), draw(t, 0.5, 2));
  snprintf(name, MAX_NAME, "%s-%s%s-k%d%s", decomposition, method, options, k, iteration);
  t->keeps_momentum &= strcmp(decomposition, "ff") == 0;
  p->prescribes = strcmp(decomposition, "ff") != 0;
  p->corrects = true;
  note_order(t, k);
}

/* In place of what was drawn. */
static void collocate(trial *t, partition *p, char at_force[MAX_NAME], char at_joint[MAX_NAME]) {
  static const char *const iterations[] = {"", "", "-implicit"};
  snprintf(at_force, MAX_NAME, "ff-colloc-s%d%s", 1 + draw_below(t, 5), PICK(t, iterations));
  memcpy(at_joint, at_force, MAX_NAME);
  p->corrects = p->repeats_all = true;
  p->prescribes = p->extends = p->exchanges = false;
}

static void write_scheme(trial *t, partition *p) {
  char at_force[MAX_NAME], at_joint[MAX_NAME];
  t->keeps_momentum = p->repeats_all = true;
  t->scheme_order = 2;
  if (p->cuts_force)
    force_scheme(t, p, at_force);
  if (p->cuts_joint)
    joint_scheme(t, p, at_joint);
  if (t->any_step && draw_chance(t, 0.12))
    collocate(t, p, at_force, at_joint);
  text_add(&t->cosim, "  scheme: {");
  if (p->cuts_force)
    text_add(&t->cosim, "constitutive: \"%s\"%s", at_force, p->cuts_joint ? ", " : "");
  if (p->cuts_joint)
    text_add(&t->cosim, "constraint: \"%s\"", at_joint);
  text_add(&t->cosim, "}\n");
  snprintf(t->label, sizeof t->label, "%s", p->cuts_force ? at_force : at_joint);
}

/* ---- Steps and integrators --------------------------------------------------------------------------------------- */

/* The period of sampled controllers is a multiple of the macro step, or divides it. */
static void choose_any_step(trial *t) {
  double H = fmax(draw_log(t, 0.01, 1) / t->rate, t->end / MANY_MACRO_STEPS);
  H = fmin(H, t->end / 6);
  if (t->period > 0)
    H = H > t->period ? t->period * round(H / t->period) : t->period / round(t->period / H);
  t->macro_step = H;
  t->rtol = draw_log(t, 1e-10, 1e-4);
  t->atol = fmax(least_tolerance(&t->frame), t->rtol * draw_log(t, 0.01, 1) * tolerance_unit(&t->frame));
}

static void choose_method(trial *t, const partition *p) {
  static const struct {
    const char *name;
    int weight;
    bool corrects, prescribes, extends; /* what it can do */
  } methods[] = {{"erk", 4, true, true, true},
                 {"rk4", 2, true, true, false},
                 {"radau", 2, true, false, false},
                 {"cvode", 1, false, true, false},
                 {"ida", 1, false, false, false}};
  int i;
  do {
    i = 0;
    for (int left = draw_below(t, 10); left >= methods[i].weight; i++)
      left -= methods[i].weight;
  } while (p->corrects > methods[i].corrects || p->prescribes > methods[i].prescribes ||
           p->extends > methods[i].extends || (t->is_hard && i > 2));
  snprintf(t->integrator, sizeof t->integrator, "%s", methods[i].name);
  t->macro_step = fmax(draw_log(t, 0.005, 0.1) / t->rate, t->end / MAX_MACRO_STEPS);
  t->macro_step = fmin(t->macro_step, t->end / 10);
  t->rtol = draw_log(t, 1e-10, 1e-6);
  t->atol = fmax(least_tolerance(&t->frame), t->rtol * draw_log(t, 0.01, 1) * tolerance_unit(&t->frame));
  if (t->any_step)
    choose_any_step(t);
  const double micro = t->macro_step / (1 + draw_below(t, 4));
  if (strcmp(t->integrator, "rk4") == 0) {
    t->step = micro;
    t->order = 4;
  }
}

static void write_method(trial *t) {
  text_add(&t->cosim, "  integrator: %s\n", t->integrator);
  if (t->step > 0)
    text_add(&t->cosim, "  micro_step: %.17g\n", t->frame.time * t->step);
  else
    text_add(&t->cosim, "  rtol: %.17g\n  atol: %.17g\n", t->rtol, t->atol);
}

/* The control of macro steps may make them longer where the file gives no longest one: 10 rows or end/100. It may make
 * them 25 times shorter: down to its own limit, order 0 with a tight tolerance takes millions of them. */
static void write_macro_steps(trial *t, const partition *p) {
  static const char *const methods[] = {"ecco", "ecco", "predictor"};
  const double longest = t->macro_step;
  const bool controlled = draw_chance(t, 0.2) && t->parts.length == 0 && t->n_controls == 0;
  const bool limited = draw_chance(t, 0.7);
  const frame *f = &t->frame;
  if (!controlled) {
    text_add(&t->cosim, "  macro_step: %.17g\n", f->time * longest);
    return;
  }
  const double tolerance = draw_log(t, 1e-6, t->any_step ? 0.1 : 1e-3);
  const char *method = p->repeats_all ? "error" : PICK(t, methods);
  if (t->scaled && !p->repeats_all) /* the tolerance of `predictor` has the units of the outputs */
    method = "ecco";
  text_add(&t->cosim, "  macro_step: %.17g\n  step_control: {method: %s, tolerance: %.3g", f->time * longest / 4,
           method, tolerance);
  text_add(&t->cosim, ", energy_scale: %.17g, shortest: %.17g", f->mass * pow(f->length / f->time, 2),
           f->time * longest / 100);
  if (limited)
    text_add(&t->cosim, ", longest: %.17g", f->time * longest);
  else
    t->macro_step = fmax(longest / 4, t->end / 100);
  text_add(&t->cosim, "}\n");
}

static void write_exchange(trial *t, const partition *p) {
  const char *name = p->force->name;
  const bool model_based = !p->cuts_joint && draw_chance(t, 0.2) && t->parts.length == 0;
  if (draw_chance(t, 0.3)) {
    text_add(&t->cosim, "  couplings: {%s: {orders: {force: %d, motion: %d}, smooth: %s}}\n", name, draw_below(t, 3),
             draw_below(t, 3), model_based || draw_chance(t, 0.5) ? "false" : "true");
    t->scheme_order = 1;
  }
  if (model_based)
    text_add(&t->cosim, "  corrections: {model_based: {}}\n");
  else if (!p->cuts_joint && draw_chance(t, 0.4))
    text_add(&t->cosim, "  corrections: {energy: {coupling: %s}}\n", name);
  else if (draw_chance(t, 0.5))
    text_add(&t->cosim, "  sequence: gauss-seidel\n");
  t->scheme_order = 1;
}

static void write_options(trial *t, const partition *p) {
  if (p->exchanges)
    write_exchange(t, p);
  else if (draw_chance(t, 0.25))
    text_add(&t->cosim, "  sequence: gauss-seidel\n");
  if (draw_chance(t, 0.2))
    text_add(&t->cosim, "  history: exact\n");
  if (draw_chance(t, 0.2))
    text_add(&t->cosim, "  derivatives: differences\n");
  if (draw_chance(t, 0.2))
    text_add(&t->cosim, "  reuse: true\n");
}

void cut_at_random(trial *t) {
  partition p = random_partition(t);
  const bool has_couplings = p.cuts_joint || p.cuts_force;
  if (!has_couplings && t->parts.length == 0)
    return;
  t->run = CUT;
  snprintf(t->label, sizeof t->label, "signals");
  write_partition(t, &p);
  if (has_couplings)
    write_scheme(t, &p);
  choose_method(t, &p);
  write_method(t);
  write_macro_steps(t, &p);
  write_options(t, &p);
  write_signals(t, &p);
}
