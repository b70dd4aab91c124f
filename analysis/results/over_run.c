/* Statistics of quantities over samples of a run, and what samples leave open about them.
 *
 * Integrals of x and x² go by Simpson's rule on groups of four intervals; where a group ends early, by the parabola
 * through the last three samples. Each group adds the difference from Simpson's rule on every second sample to the
 * uncertainty, an early end that from trapezoids: signs do not cancel, so that a kink or an oscillation that the
 * samples do not resolve shows.
 *
 * Between two samples a curve that bends one way stays below the lines through the samples on either side, prolonged:
 * where they cross is the highest that it can reach. In the first and last interval a parabola stands for the line that
 * is missing. Where a curve bends both ways from sample to sample, the lines bound nothing, but neither does the curve
 * through its neighbours predict a sample: what it is wrong by may lie above it. The uncertainty of a maximum is what
 * the highest of these is above all samples.
 *
 * What depends on time by itself may change faster than all this sees. Between two samples the state is held, and f(t)
 * compared with the cubic through four points, at times that fill the interval evenly over a run, with whatever period
 * f comes back to samples. Where they differ, f leaves its samples as far as it is seen to do.
 *
 * A step of the integrator follows the motion by a polynomial of its order: four samples in each, at the least, resolve
 * what the motion resolves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/results.h>

#include "base/argument.h"
#include "mbs/model.h"
#include "mbs/readout.h"

enum { GROUP = 5, WINDOW = 5, NEWEST = WINDOW - 1, IN_A_STEP = GROUP - 1, N_NODES = 4, N_PROBES = 4 };

typedef struct point {
  double t, x;
} point;

typedef struct integral {
  double sum, uncertainty;
} integral;

typedef struct extreme {
  double value, time; /* of the samples */
  double bound;       /* of the curve between them */
} extreme;

/* Without pointers and gaps: it is what a checkpoint holds. */
typedef struct record {
  double n;             /* samples */
  double start;         /* s */
  double n_group;       /* samples of `group` */
  point before;         /* the sample before the group */
  point group[GROUP];   /* equally far apart */
  point window[WINDOW]; /* the last samples, newest last */
  integral moment[2];   /* of x, x² */
  extreme highest[2];   /* of x, -x */
} record;

/* The integrator's last step. */
typedef struct last_step {
  double length; /* s; 0: none is known */
  double end;    /* s */
} last_step;

struct seam_over_run {
  mbs_readout *readout;
  bool *of_time;   /* (n) depends on time by itself */
  mbs_state *held; /* NULL: none does */
  double *probed;  /* (N_NODES + N_PROBES x n) */
  last_step step;
  size_t n;
  double *values;  /* (n) of a sample */
  record *records; /* (n) */
};

/* ---- Integrals ---- */

static double power_of(double x, int power) { return power == 1 ? x : x * x; }

static double trapezoid(const point *p, int power) {
  return (p[1].t - p[0].t) * (power_of(p[0].x, power) + power_of(p[1].x, power)) / 2;
}

static double simpson(point a, point b, point c, int power) {
  return (c.t - a.t) * (power_of(a.x, power) + 4 * power_of(b.x, power) + power_of(c.x, power)) / 6;
}

/* Over the last interval, by the parabola through three samples. */
static double parabola(point a, point b, point c, int power) {
  const double h = b.t - a.t;
  const double k = c.t - b.t;
  const double weight_a = -k * k / (6 * h * (h + k));
  const double weight_b = (k + 3 * h) / (6 * h);
  const double weight_c = (2 * k + 3 * h) / (6 * (h + k));
  return k * (weight_a * power_of(a.x, power) + weight_b * power_of(b.x, power) + weight_c * power_of(c.x, power));
}

static integral of_group(const point *p, int power) {
  const double fine = simpson(p[0], p[1], p[2], power) + simpson(p[2], p[3], p[4], power);
  return (integral){fine, fabs(fine - simpson(p[0], p[2], p[4], power))};
}

/* Of a group of fewer samples. */
static integral of_rest(const record *r, int power) {
  const int n = (int)r->n_group;
  const point *p = r->group;
  double plain = 0;
  for (int i = 0; i + 1 < n; i++)
    plain += trapezoid(p + i, power);
  if (n < 2)
    return (integral){0, 0};
  if (n == 2 && r->n == 2)
    return (integral){plain, fabs(p[1].t - p[0].t) * fabs(power_of(p[1].x, power) - power_of(p[0].x, power)) / 2};
  const point last = n == 2 ? r->before : p[n - 3];
  double fine = n > 2 ? simpson(p[0], p[1], p[2], power) : 0;
  if (n != 3)
    fine += parabola(last, p[n - 2], p[n - 1], power);
  return (integral){fine, fabs(fine - plain)};
}

static void close_group(record *r, integral (*rule)(const record *r, int power)) {
  const int n = (int)r->n_group;
  for (int k = 0; k < 2; k++) {
    const integral part = rule(r, k + 1);
    r->moment[k].sum += part.sum;
    r->moment[k].uncertainty += part.uncertainty;
  }
  r->before = r->group[n - 2];
  r->group[0] = r->group[n - 1];
  r->n_group = 1;
}

static integral of_whole_group(const record *r, int power) { return of_group(r->group, power); }

static bool goes_on(const record *r, double t) {
  const int n = (int)r->n_group;
  const double step = r->group[1].t - r->group[0].t;
  return n < 2 || fabs(t - r->group[n - 1].t - step) <= 1e-6 * step;
}

static void add_to_group(record *r, point p) {
  if (!goes_on(r, p.t))
    close_group(r, of_rest);
  r->group[(int)r->n_group] = p;
  r->n_group++;
  if (r->n_group == GROUP)
    close_group(r, of_whole_group);
}

/* ---- Extremes ---- */

/* The highest of the parabola through three samples, within their first interval. */
static double parabola_above(point a, point b, point c) {
  const double first = (b.x - a.x) / (b.t - a.t);
  const double bend = ((c.x - b.x) / (c.t - b.t) - first) / (c.t - a.t);
  const double s = (1 - first / (bend * (b.t - a.t))) / 2; /* of the vertex, from a to b */
  const double width = b.t - a.t;
  return bend < 0 && s > 0 && s < 1 ? a.x + s * width * (first - bend * width * (1 - s)) : fmax(a.x, b.x);
}

/* The highest below the line through l and a and that through b and r, between a and b. */
static double bound_between(point l, point a, point b, point r) {
  const double rise = (a.x - l.x) / (a.t - l.t);
  const double fall = (r.x - b.x) / (r.t - b.t);
  const double width = b.t - a.t;
  const double s = (b.x - a.x - fall * width) / (rise - fall);
  return rise > fall && s > 0 && s < width ? a.x + rise * s : fmax(a.x, b.x);
}

static point turned(point p, double sign) { return (point){p.t, sign * p.x}; }

static void turn_window(const record *r, double sign, point w[WINDOW]) {
  for (int i = 0; i < WINDOW; i++)
    w[i] = turned(r->window[i], sign);
}

/* Lagrange's cubic through the neighbours of the middle one of five samples, there. */
static double cubic_at_middle(const point w[WINDOW]) {
  static const int others[] = {0, 1, 3, 4};
  const double t = w[2].t;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double weight = 1;
    for (int k = 0; k < 4; k++)
      if (k != i)
        weight *= (t - w[others[k]].t) / (w[others[i]].t - w[others[k]].t);
    sum += weight * w[others[i]].x;
  }
  return sum;
}

static double line_at_middle(const point w[WINDOW]) {
  return w[1].x + (w[3].x - w[1].x) * (w[2].t - w[1].t) / (w[3].t - w[1].t);
}

static bool are_equal(const point *p) { return p[0].x == p[1].x && p[1].x == p[2].x; }

/* Of the middle one of five samples. Of far unequal distances the line knows more than the cubic; on the level on
 * either side of a jump there is nothing to predict. */
static double misprediction(const point w[WINDOW]) {
  if (are_equal(w) || are_equal(w + 2))
    return 0;
  return fmin(fabs(w[2].x - cubic_at_middle(w)), fabs(w[2].x - line_at_middle(w)));
}

/* Between the two samples before the last one, and at the one before these. */
static void raise_bound(const record *r, double sign, extreme *of) {
  point w[WINDOW];
  turn_window(r, sign, w);
  if (r->n >= 5)
    of->bound = fmax(of->bound, w[2].x + misprediction(w));
  if (r->n >= 4)
    of->bound = fmax(of->bound, bound_between(w[1], w[2], w[3], w[4]));
  else if (r->n == 3)
    of->bound = fmax(of->bound, parabola_above(w[2], w[3], w[4]));
}

/* With the last interval. */
static double last_bound(const record *r, double sign, const extreme *of) {
  point w[WINDOW];
  turn_window(r, sign, w);
  return fmax(of->bound, parabola_above(w[4], w[3], w[2]));
}

static void raise_extreme(extreme *of, point p, bool is_first) {
  if (is_first || p.x > of->value) {
    of->value = p.x;
    of->time = p.t;
  }
  of->bound = !isfinite(p.x) ? INFINITY : is_first ? p.x : fmax(of->bound, p.x);
}

static void add_to_record(record *r, point p) {
  if (r->n > 0 && !(p.t > r->window[NEWEST].t))
    return;
  r->start = r->n == 0 ? p.t : r->start;
  memmove(r->window, r->window + 1, (WINDOW - 1) * sizeof *r->window);
  r->window[NEWEST] = p;
  add_to_group(r, p);
  r->n++;
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? 1 : -1;
    raise_extreme(&r->highest[k], turned(p, sign), r->n == 1);
    raise_bound(r, sign, &r->highest[k]);
  }
}

/* ---- What depends on time by itself ---- */

/* Through values at 0, 1/3, 2/3 and 1. */
static double cubic_at(const double f[N_NODES], double s) {
  const double a = s - 1.0 / 3;
  const double b = s - 2.0 / 3;
  return 4.5 * (-a * b * (s - 1) * f[0] + 3 * s * b * (s - 1) * f[1] - 3 * s * a * (s - 1) * f[2] + s * a * b * f[3]);
}

/* The place of a probe in its interval; multiples of the golden section are even in [0, 1). */
static double place_of(double number) {
  const double golden = 0.61803398874989485;
  return number * golden - floor(number * golden);
}

/* Of one probe: x at s, f at the nodes. Where the cubic is right f is resolved, and how it leaves the line between its
 * ends is known from samples; where it is not, f may leave the samples in the same way, and further. */
typedef struct probed {
  double beyond[2]; /* the higher end, the lower one */
  double off[2];    /* of x, x² */
} probed;

static probed judge(const double f[N_NODES], double s, double x) {
  const double generous = 8;
  const double between = 1.05; /* probes */
  const double cubic = cubic_at(f, s);
  const double line = f[0] + s * (f[N_NODES - 1] - f[0]);
  const double wrong = fabs(x - cubic);
  const double part = wrong > 0 ? fmin(1, generous * wrong / fabs(x - line)) : 0;
  const double above = fmax(0, x - fmax(f[0], f[N_NODES - 1]));
  const double below = fmax(0, fmin(f[0], f[N_NODES - 1]) - x);
  return (probed){{part * between * above, part * between * below},
                  {part * fabs(x - line) + wrong, part * fabs(x * x - line * line) + fabs(x * x - cubic * cubic)}};
}

static double raised(double largest, double x) { return isfinite(x) ? fmax(largest, x) : INFINITY; }

static void note_probes(record *r, const double f[N_NODES + N_PROBES]) {
  const point *last = &r->window[NEWEST];
  double off[2] = {0, 0};
  for (int k = 0; k < N_PROBES; k++) {
    const probed p = judge(f, place_of(N_PROBES * r->n + k), f[N_NODES + k]);
    for (int i = 0; i < 2; i++) {
      const double sign = i == 0 ? 1 : -1;
      extreme *of = &r->highest[i];
      of->bound = raised(of->bound, fmax(sign * last[-1].x, sign * last[0].x) + p.beyond[i]);
      off[i] = raised(off[i], p.off[i]);
    }
  }
  for (int i = 0; i < 2; i++)
    r->moment[i].uncertainty += (last[0].t - last[-1].t) * off[i];
}

/* Between the last sample and a state behind it. */
static void probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  const record *r = &self->records[0];
  const double from = r->window[NEWEST].t;
  mbs_state_copy(self->held, state);
  for (int k = 0; k < N_NODES + N_PROBES; k++) {
    const double s = k < N_NODES ? k / 3.0 : place_of(N_PROBES * (r->n + 1) + k - N_NODES);
    self->held->t = from + s * (state->t - from);
    mbs_read(self->readout, workspace, self->held, self->probed + (size_t)k * self->n);
  }
}

static void take_probes(seam_over_run *self) {
  double f[N_NODES + N_PROBES];
  for (size_t i = 0; i < self->n; i++) {
    for (size_t k = 0; k < N_NODES + N_PROBES; k++)
      f[k] = self->probed[k * self->n + i];
    if (self->of_time[i])
      note_probes(&self->records[i], f);
  }
}

/* ---- The object ---- */

static seam_status find_of_time(seam_over_run *self, const mbs_model *model, const mbs_quantity *quantities,
                                seam_error *error) {
  bool any = false;
  bool *bodies = calloc(mbs_n_bodies(model) + mbs_n_forces(model) + 1, sizeof *bodies);
  if (bodies == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of a run");
  for (size_t i = 0; i < self->n; i++) {
    mbs_dependence of = {.bodies = bodies, .forces = bodies + mbs_n_bodies(model)};
    mbs_add_dependence(model, quantities[i], &of);
    self->of_time[i] = of.of_time;
    any = any || of.of_time;
  }
  free(bodies);
  return any ? mbs_state_create(model, &self->held, error) : SEAM_OK;
}

seam_status seam_over_run_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                 seam_over_run **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  seam_over_run *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of a run");
  self->n = n;
  self->values = calloc(n + 1, sizeof *self->values);
  self->records = calloc(n + 1, sizeof *self->records);
  self->of_time = calloc(n + 1, sizeof *self->of_time);
  self->probed = calloc((N_NODES + N_PROBES) * n + 1, sizeof *self->probed);
  seam_status status = mbs_readout_create(model, quantities, n, &self->readout, error);
  if (status == SEAM_OK &&
      (self->values == NULL || self->records == NULL || self->of_time == NULL || self->probed == NULL))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of %zu quantities", n);
  else if (status == SEAM_OK)
    status = find_of_time(self, model, quantities, error);
  if (status == SEAM_OK)
    *created = self;
  else
    seam_over_run_destroy(self);
  return status;
}

void seam_over_run_destroy(seam_over_run *self) {
  if (self == NULL)
    return;
  mbs_readout_destroy(self->readout);
  mbs_state_destroy(self->held);
  free(self->of_time);
  free(self->probed);
  free(self->values);
  free(self->records);
  free(self);
}

void seam_over_run_add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  if (self == NULL || self->n == 0)
    return;
  const bool probes = self->held != NULL && self->records[0].n > 0 && state->t > self->records[0].window[NEWEST].t;
  if (probes)
    probe(self, workspace, state);
  mbs_read(self->readout, workspace, state, self->values);
  for (size_t i = 0; i < self->n; i++)
    add_to_record(&self->records[i], (point){state->t, self->values[i]});
  if (probes)
    take_probes(self);
}

/* ---- When to sample ---- */

void seam_over_run_note_step(seam_over_run *self, double t) {
  if (self == NULL)
    return;
  if (t > self->step.end)
    self->step.length = t - self->step.end;
  self->step.end = t;
}

bool seam_over_run_interrupt(void *context, double t) {
  const seam_noted_steps *self = context;
  if (self == NULL)
    return false;
  seam_over_run_note_step(self->over_run, t);
  return self->then.is_requested != NULL && self->then.is_requested(self->then.context, t);
}

/* A group is ended as it began, unless steps have become much shorter; then come groups of no more than a step. */
static double next_distance(const record *r, double rest, double step) {
  const point *last = &r->group[(int)r->n_group - 1];
  if (r->n_group > 1 && last[0].t - last[-1].t <= 2 * step / IN_A_STEP)
    return last[0].t - last[-1].t;
  return rest <= step / IN_A_STEP ? rest : rest / (IN_A_STEP * ceil(rest / step));
}

/* Of the last step, or of the present one, whose end is not known yet, where that has become much longer: a step that
 * ends at a kink or a switch may leave next to nothing. */
static double step_at(const last_step *last, double t) {
  const double present = t - last->end;
  return present > IN_A_STEP * last->length ? present : last->length;
}

double seam_over_run_next(const seam_over_run *self, double row) {
  const double slack = 1e-6;
  const double assumed = 1.0 / 16;
  if (self == NULL || self->n == 0 || self->records[0].n == 0)
    return row;
  const record *r = &self->records[0];
  const double t = r->window[NEWEST].t;
  const double rest = row - t;
  const double step = self->step.length > 0 ? step_at(&self->step, t) : assumed * rest;
  const double distance = next_distance(r, rest, step);
  return t + (1 + slack) * distance < row && t + distance > t ? t + distance : row;
}

/* ---- Results ---- */

static seam_run_figure extreme_of(const record *r, int which) {
  const double sign = which == 0 ? 1 : -1;
  const extreme *of = &r->highest[which];
  const double open = r->n >= 5 ? last_bound(r, sign, of) - of->value : NAN;
  return (seam_run_figure){sign * of->value, of->time, isfinite(open) ? open : NAN};
}

static seam_run_figure moment_of(const record *r, seam_statistic which) {
  const int power = which == SEAM_RMS ? 2 : 1;
  const integral rest = of_rest(r, power);
  const double sum = r->moment[power - 1].sum + rest.sum;
  const double open = r->moment[power - 1].uncertainty + rest.uncertainty;
  const double length = r->window[NEWEST].t - r->start;
  if (which == SEAM_INTEGRAL)
    return (seam_run_figure){sum, NAN, open};
  const double mean = length > 0 ? sum / length : power_of(r->window[NEWEST].x, power);
  const double open_mean = length > 0 ? open / length : 0;
  if (which == SEAM_MEAN)
    return (seam_run_figure){mean, NAN, open_mean};
  const double root = sqrt(fmax(mean, 0));
  return (seam_run_figure){root, NAN, sqrt(fmax(mean, 0) + open_mean) - root};
}

seam_run_figure seam_over_run_of(const seam_over_run *self, size_t quantity, seam_statistic which) {
  if (self == NULL || quantity >= self->n || self->records[quantity].n == 0)
    return (seam_run_figure){NAN, NAN, NAN};
  const record *r = &self->records[quantity];
  return which == SEAM_MAX ? extreme_of(r, 0) : which == SEAM_MIN ? extreme_of(r, 1) : moment_of(r, which);
}

size_t seam_over_run_image_size(const seam_over_run *self) {
  return self == NULL ? 0 : sizeof self->step + self->n * sizeof *self->records;
}

void seam_over_run_save(const seam_over_run *self, void *image) {
  if (self == NULL)
    return;
  memcpy(image, &self->step, sizeof self->step);
  memcpy((char *)image + sizeof self->step, self->records, self->n * sizeof *self->records);
}

seam_status seam_over_run_restore(seam_over_run *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  if (size != seam_over_run_image_size(self))
    return seam_fail(error, SEAM_BAD_STATE, "the statistics are those of another run");
  memcpy(&self->step, image, sizeof self->step);
  memcpy(self->records, (const char *)image + sizeof self->step, self->n * sizeof *self->records);
  return SEAM_OK;
}
