/* Bounds. With the tolerance tol = rtol S + atol, S the largest coordinate that the integrator saw, and M by
 * how much coordinates change, an error of the motion grows along the run by the factor
 *
 *   growth = 1 + rate T           of closed forms
 *          = |δ(t)|/|δ(0)|        else: of a perturbation of the initial velocities, at least 1
 *
 * Adaptive methods: ONE_STEP or MULTISTEP tol growth. Fixed steps h of order p: FIXED (rate h)^p M growth, or an error
 * that h/4 makes 2^p times smaller at least (h/2 may leave steps between kinks as they are). Cut, with macro steps H
 * and a scheme of order p: OF_SCHEME (rate H)^p M growth more. Energies: the same as of closed forms, for forces times
 * S; momenta for masses times rates times S. */
#include "tests/generator/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/status.h>

#include "tests/generator/command.h"

const char *const judgement_names[N_JUDGEMENTS] = {"right",   "WRONG",     "admitted", "failed",
                                                   "refused", "undecided", "LOST"};

static const double ONE_STEP = 200, MULTISTEP = 1000, FIXED = 3, OF_SCHEME = 3;
static const double LARGEST_BOUND = 0.3; /* of the motion: beyond, nothing is judged */
static const double REFERENCE = 1e-11;   /* tolerance of references */
static const double PERTURBATION = 1e-6;

typedef struct examination {
  const trial *trial;
  const motion *motion;
  outcome *outcome;
  FILE *log;       /* of all findings; NULL: none */
  double safety;   /* by which errors may be above tolerances */
  double size;     /* S: of coordinates, and of rates over the trial's rate */
  double move;     /* M: by which they change */
  double tol;      /* of one step, relative to S */
  double of_steps; /* error of fixed steps, relative to M */
  double order;    /* the same, and that of the scheme */
} examination;

static void note(examination *x, const char *what, double error, double bound) {
  finding *worst = &x->outcome->worst;
  if (x->log != NULL)
    fprintf(x->log, "# %s: error %.3g, bound %.3g\n", what, error, bound);
  if (!(error * worst->bound <= worst->error * bound) || worst->what == NULL)
    *worst = (finding){what, error, bound};
}

/* ---- Scales ------------------------------------------------------------------------------------------------------ */

/* Of fixed steps, which kinks of the state lower. */
static int order_of_steps(const trial *t) {
  int order = t->order;
  for (const subset *s = t->subset; s < t->subset + t->n_subsets; s++)
    if (!t->smooth && s->kind->smoothness > 0 && s->kind->smoothness < order)
      order = s->kind->smoothness;
  return order;
}

static void measure_scales(examination *x) {
  const trial *t = x->trial;
  x->safety = strcmp(t->integrator, "ida") == 0 || strcmp(t->integrator, "cvode") == 0 ? MULTISTEP : ONE_STEP;
  const int n = 3 * t->n_bodies;
  const sample *first = x->motion->sample;
  for (const sample *s = first; s < first + x->motion->n; s++) {
    x->size = fmax(x->size, s->largest_place);
    for (int i = 0; i < n; i++)
      x->move = fmax(x->move, fmax(fabs(s->q[i] - first->q[i]), fabs(s->v[i]) / t->rate));
  }
  x->size = fmax(x->size, x->move);
  x->tol = t->step > 0 && t->run == WHOLE ? 1e-12 : t->rtol + t->atol / tolerance_unit(&t->frame);
  x->of_steps = t->step > 0 ? FIXED * pow(t->rate * t->step, order_of_steps(t)) : 0;
  x->order = x->of_steps;
  if (t->run == CUT)
    x->order += OF_SCHEME * pow(t->rate * t->macro_step, t->scheme_order);
}

static double bound_of(const examination *x, double growth) {
  return (x->safety * x->tol * x->size + x->order * x->move) * growth;
}

/* ---- Motion ------------------------------------------------------------------------------------------------------ */

static double distance(const trial *t, const double *q, const double *v, const double *q0, const double *v0, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double d = fmax(fabs(q[i] - q0[i]), fabs(v[i] - v0[i]) / t->rate);
    largest = d <= largest ? largest : d;
  }
  return largest;
}

/* A rate that jumps may be that of either side. */
static bool is_at_kink(const trial *t, double time) {
  for (const double *kink = t->kink; kink < t->kink + t->n_kinks; kink++)
    if (fabs(time - *kink) < 1e-9 * t->end)
      return true;
  return false;
}

static void examine_closed_form(examination *x, const subset *s) {
  const trial *t = x->trial;
  double q[3 * MAX_BODIES], v[3 * MAX_BODIES], error = 0;
  for (const sample *at = x->motion->sample; at < x->motion->sample + x->motion->n; at++) {
    if (is_at_kink(t, at->time))
      continue;
    s->kind->exact(t, s, at->time, q, v);
    const double off = distance(t, at->q + 3 * s->first, at->v + 3 * s->first, q, v, 3 * s->n);
    error = fmax(error, s->kind->amplification != NULL ? off / s->kind->amplification(t, s, at->time) : off);
  }
  note(x, s->kind->name, error, bound_of(x, 1 + s->rate * t->end));
}

static double distance_of_motions(const trial *t, const subset *s, const sample *a, const sample *b, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const sample *p = &a[i], *q = &b[i];
    if (!is_at_kink(t, p->time))
      largest = fmax(largest, distance(t, p->q + 3 * s->first, p->v + 3 * s->first, q->q + 3 * s->first,
                                       q->v + 3 * s->first, 3 * s->n));
  }
  return largest;
}

/* Another integrator in another frame. */
static void examine_by_reference(examination *x, const subset *s, const sample *reference, const sample *perturbed) {
  const trial *t = x->trial;
  const int n = x->motion->n;
  const double moved = distance_of_motions(t, s, reference, perturbed, n);
  const double growth = fmax(1, moved / (PERTURBATION / t->rate));
  const double bound = bound_of(x, growth);
  x->outcome->growth = fmax(x->outcome->growth, growth);
  if (bound > LARGEST_BOUND * x->move)
    x->outcome->judgement = UNDECIDED;
  note(x, s->kind->name, distance_of_motions(t, s, x->motion->sample, reference, n), bound);
}

static void examine_unknown(examination *x) {
  const trial *t = x->trial;
  static const char *const other[] = {"erk", "radau"};
  trial plain;
  double times[N_ROWS + 1];
  sample reference[N_ROWS + 1], perturbed[N_ROWS + 1];
  const int n = x->motion->n;
  for (int i = 0; i < n; i++)
    times[i] = x->motion->sample[i].time;
  trial_make(&plain, t->seed, true);
  const bool by_radau = strcmp(t->integrator, "erk") == 0;
  const reference_options options = {other[by_radau], by_radau ? 10 * REFERENCE : REFERENCE, 0};
  const reference_options moved = {"erk", REFERENCE, PERTURBATION};
  if (!run_reference(&plain, &options, times, n, reference) || !run_reference(&plain, &moved, times, n, perturbed)) {
    x->outcome->judgement = UNDECIDED;
    return;
  }
  for (const subset *s = t->subset; s < t->subset + t->n_subsets; s++)
    if (s->kind->exact == NULL)
      examine_by_reference(x, s, reference, perturbed);
}

/* ---- Energy and momentum ----------------------------------------------------------------------------------------- */

static void examine_energy(examination *x) {
  const motion *m = x->motion;
  double error = 0, scale = 0;
  for (int i = 0; i < m->n; i++) {
    const double e = fabs(m->sample[i].balance - m->sample[0].balance);
    error = e <= error ? error : e;
    scale = fmax(scale, m->sample[i].energy_scale);
  }
  const double T = 1 + x->trial->rate * x->trial->end;
  note(x, "energy", error, (x->safety * x->tol + x->of_steps) * T * scale);
}

static void momentum_of(const trial *t, const subset *s, const sample *at, double p[3]) {
  p[0] = p[1] = p[2] = 0;
  for (int b = s->first; b < s->first + s->n; b++) {
    const double *q = at->q + 3 * b, *v = at->v + 3 * b;
    for (int i = 0; i < 2; i++)
      p[i] += t->mass[b] * (v[i] - t->gravity[i] * at->time);
    p[2] += t->inertia[b] * v[2] + t->mass[b] * (q[0] * v[1] - q[1] * v[0]);
  }
}

/* Of a subset on which nothing but gravity acts from outside. */
static void examine_momentum(examination *x, const subset *s) {
  const trial *t = x->trial;
  double p0[3], p[3], linear = 0, angular = 0, mass = 0, inertia = 0;
  momentum_of(t, s, x->motion->sample, p0);
  const bool weightless = t->gravity[0] == 0 && t->gravity[1] == 0;
  for (const sample *at = x->motion->sample; at < x->motion->sample + x->motion->n; at++) {
    momentum_of(t, s, at, p);
    linear = fmax(linear, fmax(fabs(p[0] - p0[0]), fabs(p[1] - p0[1])));
    angular = fmax(angular, fabs(p[2] - p0[2]));
  }
  for (int b = s->first; b < s->first + s->n; b++) {
    mass += t->mass[b];
    inertia += t->inertia[b] + t->mass[b] * x->size;
  }
  const double unit = x->safety * x->tol * x->size * t->rate * (1 + t->rate * t->end);
  if (t->run == WHOLE || t->keeps_momentum)
    note(x, "linear momentum", linear, unit * mass);
  if (t->run == WHOLE && weightless)
    note(x, "angular momentum", angular, unit * inertia + x->of_steps * x->move * t->rate * inertia);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

enum { BY_COMMAND = 16 /* one trial of so many */ };

/* It ends with the status and the state of the library. It finds the error of the run too, which may be wrong then. */
static void examine_command(examination *x, seam_status status) {
  const trial *t = x->trial;
  sample last;
  const int exit_status = run_by_command(t, &last);
  const bool is_done = status == SEAM_OK || status == SEAM_WRONG;
  const bool agrees = is_done ? exit_status == 0 || exit_status == seam_status_exit(SEAM_WRONG)
                              : exit_status == seam_status_exit(status);
  note(x, "exit status of the command", agrees ? 0 : 1, 0.5);
  if (!agrees || !is_done)
    return;
  const sample *own = &x->motion->sample[x->motion->n - 1];
  note(x, "last row of the command", distance(t, last.q, last.v, own->q, own->v, 3 * t->n_bodies), 1e-9 * x->size);
}

/* ---- The judgement ----------------------------------------------------------------------------------------------- */

static judgement of_status(seam_status status) {
  static const judgement of_exit[] = {RIGHT, FAILED, REFUSED, ADMITTED};
  return of_exit[seam_status_exit(status)];
}

static void examine(examination *x) {
  const trial *t = x->trial;
  bool is_known = true;
  examine_energy(x);
  for (const subset *s = t->subset; s < t->subset + t->n_subsets; s++) {
    is_known &= s->kind->exact != NULL;
    if (s->kind->exact != NULL)
      examine_closed_form(x, s);
    if (s->floats)
      examine_momentum(x, s);
  }
  if (!is_known)
    examine_unknown(x);
}

/* Judges a run whose fixed steps are divided into so many parts. */
static void judge_divided(const trial *t, int parts, outcome *o, FILE *log) {
  motion m;
  *o = (outcome){.judgement = RIGHT};
  run_trial(t, parts, &m);
  o->steps = m.steps;
  snprintf(o->why, sizeof o->why, "%.399s", m.error.message);
  o->judgement = of_status(m.error.status);
  examination x = {.trial = t, .motion = &m, .outcome = o, .log = log};
  measure_scales(&x);
  if (t->seed % BY_COMMAND == 0)
    examine_command(&x, m.error.status);
  if (o->judgement == RIGHT)
    examine(&x);
  if (!(o->worst.error <= o->worst.bound))
    o->judgement = WRONG;
}

void judge(const trial *t, outcome *o, FILE *log) {
  outcome finer;
  judge_divided(t, 1, o, log);
  if (o->judgement != WRONG || t->run != WHOLE || !(t->step > 0))
    return;
  judge_divided(t, 4, &finer, log);
  if (finer.worst.what != NULL && strcmp(finer.worst.what, o->worst.what) == 0 &&
      finer.worst.error * pow(2, order_of_steps(t)) <= o->worst.error)
    o->judgement = RIGHT;
}
