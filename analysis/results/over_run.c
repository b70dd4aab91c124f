/* Statistics of quantities from samples of a run, with uncertainties.
 *
 * A run consists of smooth pieces. Between them quantities may jump: where an integrator restarts, at kinks of
 * functions, where equations are sampled, at impacts, and where contacts open or close. Both ends of each piece have a
 * sample, so no interval crosses a jump. figures.c bounds a curve by its samples.
 *
 * Quantities that depend explicitly on time may change faster than the samples show. To detect this, the state is held
 * constant between two samples. The quantity f(t) is then compared with the cubic through its values at four nodes. The
 * positions of comparison in the intervals are evenly distributed, whatever the period of f. The difference from the
 * cubic counts as the departure of f from its samples.
 *
 * Four or more samples in a step resolve the integrator's polynomial. But a quantity may vary faster than the motion,
 * as the sine of an angle does. Therefore the probes of figures.c read states between samples, at evenly distributed
 * positions. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/over_run.h"

#include "analysis/results/figures.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "mbs/integrate/integrator.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"

enum { IN_A_STEP = SEAM_GROUP - 1, NEWEST = SEAM_NEWEST, N_NODES = 4, N_PROBES = 4 };

/* The integrator's last step. */
typedef struct last_step {
  double length;     /* s; 0: unknown */
  double end;        /* s, time at which it ended */
  double is_doubted; /* 1: an event between samples may have been missed */
} last_step;

/* The piece that was sampled last. All members are numbers, so that an image has no padding. */
typedef struct last_piece {
  double from;         /* s, start of the piece */
  double is_at_start;  /* 1: values may have jumped where it starts */
  double ends_at_kink; /* 1: a kink of a watched function is at its end */
} last_piece;

struct seam_over_run {
  mbs_readout *readout;
  bool *of_time;         /* (n) true: the quantity depends explicitly on time */
  bool *needs_reactions; /* (n) true: the quantity depends on accelerations or reactions */
  bool has_corners;      /* a quantity is, or reads, a watched function (mbs/output/readout.h) with corners */
  mbs_state *between;    /* scratch state between samples; NULL: no quantity depends explicitly on time */
  double *probed;        /* ((N_NODES + N_PROBES) x n) values of the quantities at nodes and probes */
  last_step step;
  struct {
    mbs_integrator *integrator; /* the integrator whose steps are sampled; NULL: none */
    mbs_workspace *workspace;
    double distance; /* s, largest distance between samples */
    double rtol;
  } sampled;
  mbs_state *at; /* scratch */
  last_piece last;
  seam_record *before; /* (n) records before the last piece, to restore if it is sampled again */
  seam_record *begin;  /* (n) records before the present smooth part of the last piece */
  size_t n;
  double *values;       /* (n) values of a sample */
  seam_record *records; /* (n) */
};

/* ---- Quantities that depend on time explicitly ---- */

/* Returns the value at s of the cubic through the values f at 0, 1/3, 2/3 and 1. */
static double cubic_at(const double f[N_NODES], double s) {
  const double a = s - 1.0 / 3, b = s - 2.0 / 3;
  return 4.5 * (-a * b * (s - 1) * f[0] + 3 * s * b * (s - 1) * f[1] - 3 * s * a * (s - 1) * f[2] + s * a * b * f[3]);
}

/* Returns the position of a probe in its interval, 0 to 1: the fractional part of number times the golden ratio. */
static double probe_position(double number) {
  const double golden = 0.61803398874989485;
  return number * golden - floor(number * golden);
}

/* Raises bounds and uncertainties of a record by the values f of the last interval, at the nodes 0, 1/3, 2/3 and 1,
 * then at the probes. If the cubic through the nodes predicts a probe's value x, only the distance of x from it counts.
 * Else the curve may depart from the line between the interval's ends slightly more than x does. */
static void note_probes(seam_record *r, const double f[N_NODES + N_PROBES]) {
  const seam_point *last = &r->window[NEWEST];
  const double higher_end = fmax(f[0], f[N_NODES - 1]);
  const double lower_end = fmin(f[0], f[N_NODES - 1]);
  double mean_errors[2] = {0, 0}; /* errors of the means of x and of x² */
  for (int k = 0; k < N_PROBES; k++) {
    const double s = probe_position(N_PROBES * r->n + k);
    const double x = f[N_NODES + k];
    const double cubic = cubic_at(f, s);
    const double line = f[0] + s * (f[N_NODES - 1] - f[0]);
    const double cubic_error = fabs(x - cubic);
    const double part = cubic_error > 0 ? fmin(1, analysis_probe_factor * cubic_error / fabs(x - line)) : 0;
    const double excess[2] = {part * analysis_probe_between * fmax(0, x - higher_end),
                              part * analysis_probe_between * fmax(0, lower_end - x)};
    const double errors[2] = {part * fabs(x - line) + cubic_error,
                              part * fabs(x * x - line * line) + fabs(x * x - cubic * cubic)};
    for (int i = 0; i < 2; i++) {
      const double sign = i == 0 ? 1 : -1;
      seam_extreme *of = &r->highest[i];
      const double bound = fmax(sign * last[-1].x, sign * last[0].x) + excess[i];
      of->bound = isfinite(bound) ? fmax(of->bound, bound) : INFINITY;
      mean_errors[i] = isfinite(errors[i]) ? fmax(mean_errors[i], errors[i]) : INFINITY;
    }
  }
  for (int i = 0; i < 2; i++)
    r->moment[i].uncertainty += (last[0].t - last[-1].t) * mean_errors[i];
}

/* Reads all quantities at nodes and probes since the last sample. Only the time varies; all else is as in `state`. */
static void probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  const seam_record *r = &self->records[0];
  const double from = r->window[NEWEST].t;
  mbs_state_copy(self->between, state);
  for (int k = 0; k < N_NODES + N_PROBES; k++) {
    const double s = k < N_NODES ? k / 3.0 : probe_position(N_PROBES * (r->n + 1) + k - N_NODES);
    self->between->t = from + s * (state->t - from);
    mbs_read(self->readout, workspace, self->between, self->probed + (size_t)k * self->n);
  }
}

/* ---- Creation ---- */

static seam_status find_dependences(seam_over_run *self, const mbs_model *model, const mbs_quantity *quantities,
                                    seam_error *error) {
  bool any = false;
  bool *bodies = calloc(mbs_n_bodies(model) + mbs_n_forces(model) + 1, sizeof *bodies);
  if (bodies == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of a run");
  for (size_t i = 0; i < self->n; i++) {
    mbs_dependence of = {.bodies = bodies, .forces = bodies + mbs_n_bodies(model)};
    mbs_add_dependence(model, quantities[i], &of);
    self->of_time[i] = of.of_time;
    self->needs_reactions[i] = of.needs_dynamics;
    any = any || of.of_time;
  }
  free(bodies);
  for (int i = 0; i < self->readout->n_measures; i++) {
    const mbs_watched watched = mbs_watched_of(model, self->readout->measures[i]);
    self->has_corners = self->has_corners || (watched.function != NULL && watched.function->n_corners > 0);
  }
  return any ? mbs_state_create(model, &self->between, error) : SEAM_OK;
}

#define ARRAYS(X)                                                                                                      \
  X(self, values, n)                                                                                                   \
  X(self, records, n)                                                                                                  \
  X(self, before, n)                                                                                                   \
  X(self, begin, n)                                                                                                    \
  X(self, of_time, n)                                                                                                  \
  X(self, needs_reactions, n)                                                                                          \
  X(self, probed, (N_NODES + N_PROBES) * n)

seam_status seam_over_run_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                 seam_over_run **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  seam_over_run *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of a run");
  self->n = n;
  const bool enough = true ARRAYS(ALLOCATE_ARRAY);
  seam_status status = mbs_readout_create(model, quantities, n, &self->readout, error);
  THEN(status, mbs_state_create(model, &self->at, error));
  THEN(status, enough ? find_dependences(self, model, quantities, error)
                      : seam_fail(error, SEAM_NO_MEMORY, "no memory for statistics of %zu quantities", n));
  RETURN_CREATED(status, self, created, seam_over_run_destroy);
}

void seam_over_run_destroy(seam_over_run *self) {
  if (self == NULL)
    return;
  mbs_readout_destroy(self->readout);
  mbs_state_destroy(self->between);
  mbs_state_destroy(self->at);
  ARRAYS(FREE_ARRAY)
  free(self);
}

/* Returns the distance in time, s, below which two samples count as one. */
static double rounding_at(const seam_over_run *self, double t) {
  return fmax(analysis_same_time * fabs(t), analysis_same_in_step * self->step.length);
}

static bool is_later(const seam_over_run *self, double t) {
  return self->records[0].n == 0 || t > self->records[0].window[NEWEST].t + rounding_at(self, t);
}

/* Adds a state between samples, for extremes; also to self->before, so that it remains if the last piece is sampled
 * again. */
static void add_between(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  mbs_read(self->readout, workspace, state, self->values);
  for (size_t i = 0; i < self->n; i++) {
    const seam_point p = {state->t, self->values[i]};
    seam_record_add_between(&self->records[i], p);
    if (self->before[i].n > 0)
      seam_record_add_between(&self->before[i], p);
  }
}

static void add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  const bool probes = self->between != NULL && self->records[0].n > 0;
  if (probes)
    probe(self, workspace, state);
  mbs_read(self->readout, workspace, state, self->values);
  for (size_t i = 0; i < self->n; i++)
    seam_record_add(&self->records[i], (seam_point){state->t, self->values[i]});
  if (probes) {
    double f[N_NODES + N_PROBES];
    for (size_t i = 0; i < self->n; i++) {
      for (size_t k = 0; k < N_NODES + N_PROBES; k++)
        f[k] = self->probed[k * self->n + i];
      if (self->of_time[i])
        note_probes(&self->records[i], f);
    }
  }
}

void seam_over_run_add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  if (self == NULL || self->n == 0)
    return;
  (is_later(self, state->t) ? add : add_between)(self, workspace, state);
}

/* ---- Probes ---- */

double seam_over_run_probe_time(const seam_over_run *self, double next) {
  if (self == NULL || self->n == 0 || self->records[0].n == 0)
    return next;
  const seam_record *r = &self->records[0];
  const double from = r->window[NEWEST].t;
  const double at = from + probe_position(r->n) * (next - from);
  return is_later(self, at) && at + rounding_at(self, at) < next ? at : next;
}

void seam_over_run_probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  mbs_read(self->readout, workspace, state, self->values);
  for (size_t i = 0; i < self->n; i++)
    seam_record_probe(&self->records[i], (seam_point){state->t, self->values[i]});
}

void seam_over_run_probe_cosim(seam_over_run *self, const cosim_simulation *simulation, mbs_workspace *workspace,
                               double next, mbs_state *scratch) {
  const double t = seam_over_run_probe_time(self, next);
  if (!(t < next))
    return;
  bool needs_reactions = false;
  for (size_t i = 0; i < self->n; i++)
    needs_reactions |= self->needs_reactions[i];
  (needs_reactions ? cosim_evaluate_between : cosim_state_between)(simulation, t, scratch);
  seam_over_run_probe(self, workspace, scratch);
}

/* ---- Jumps and steps ---- */

static void begin_pieces(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state) {
  if (is_later(self, state->t))
    add(self, workspace, state);
  mbs_read(self->readout, workspace, state, self->values);
  for (size_t i = 0; i < self->n; i++)
    seam_record_begin_piece(&self->records[i], (seam_point){state->t, self->values[i]});
}

void seam_over_run_jump(seam_over_run *self, mbs_workspace *workspace, const mbs_state *left, const mbs_state *right) {
  if (self == NULL || self->n == 0)
    return;
  mbs_state_copy(self->at, left);
  self->at->t = right->t - 2 * mbs_same_time(right->t); /* just before the jump, which matters for functions of time */
  seam_over_run_add(self, workspace, self->at);
  begin_pieces(self, workspace, right);
}

/* ---- Extremes between samples ---- */

/* Halvings of an interval so far, for x ([0]) and -x ([1]). */
typedef struct halvings {
  int depth;
  double excess[2]; /* highest excess of a bound above the highest known value, in the first half of the halvings */
  bool rises[2];    /* each middle after the first ANALYSIS_FREE_HALVINGS was higher than the end that it replaced */
} halvings;

/* Returns true if halvings do not lower the excess of a bound enough to believe it. Beside a pole the excess grows. At
 * the end of a piece and beside a logarithmic pole it stays while middles rise; in round-off middles do not rise. */
static bool is_open(const halvings *h, int which, double excess, double range) {
  const double settled = h->rises[which] ? analysis_settled_excess : 1 / analysis_settled_excess;
  return h->excess[which] > 0 && excess > fmax(settled * h->excess[which], analysis_pole_excess * range);
}

/* Halves an interval of quantity i recursively, as long as its bound of x or -x is too high. It is too high if it
 * exceeds the highest known value by more than a tolerance. Then raises the record's bounds. */
static seam_status refine(seam_over_run *self, size_t i, const seam_interval *of, halvings h, seam_error *error) {
  seam_record *r = &self->records[i];
  const double t = (of->a.t + of->b.t) / 2;
  const double range = r->highest[0].value + r->highest[1].value;
  const double size = fmax(fabs(r->highest[0].value), fabs(r->highest[1].value));
  const double tolerance = fmax(self->sampled.rtol * range, analysis_value_rounding * size);
  double excess[2];
  for (int k = 0; k < 2; k++) {
    excess[k] = seam_interval_bound(of, k) - r->highest[k].value;
    h.excess[k] = 2 * h.depth < ANALYSIS_MAX_HALVINGS ? fmax(h.excess[k], excess[k]) : h.excess[k];
  }
  if (!(fmax(excess[0], excess[1]) > tolerance) || h.depth == ANALYSIS_MAX_HALVINGS || !(t > of->a.t && t < of->b.t)) {
    for (int k = 0; k < 2; k++)
      r->highest[k].bound = excess[k] > tolerance && is_open(&h, k, excess[k], range)
                                ? INFINITY
                                : fmax(r->highest[k].bound, r->highest[k].value + excess[k]);
    return SEAM_OK;
  }
  TRY(mbs_integrator_reach(self->sampled.integrator, t, self->at, NULL, self->needs_reactions[i], error));
  mbs_read(self->readout, self->sampled.workspace, self->at, self->values);
  const seam_point middle = {t, self->values[i]};
  seam_record_add_between(r, middle);
  h.depth++;
  halvings to_b = h;
  for (int k = 0; k < 2 && h.depth > ANALYSIS_FREE_HALVINGS; k++) {
    const double sign = k == 0 ? 1 : -1;
    h.rises[k] = h.rises[k] && sign * middle.x > sign * of->b.x;
    to_b.rises[k] = to_b.rises[k] && sign * middle.x > sign * of->a.x;
  }
  TRY(refine(self, i, &(seam_interval){of->left, of->a, middle, of->b, of->begins - 1, 0}, h, error));
  return refine(self, i, &(seam_interval){of->a, middle, of->b, of->right, 0, of->ends - 1}, to_b, error);
}

static seam_status refine_all(seam_over_run *self, double from, bool is_last, seam_error *error) {
  const halvings none = {.rises = {true, true}};
  for (size_t i = 0; i < self->n; i++) {
    seam_interval interval;
    if (!seam_record_interval(&self->records[i], is_last, &interval) || interval.a.t < from)
      continue;
    if (is_last && self->last.ends_at_kink == 0)
      interval.ends /= 2; /* fewer halvings look for a pole: the curve may jump by round-off at the end of a step */
    TRY(refine(self, i, &interval, none, error));
  }
  return SEAM_OK;
}

/* Samples a piece of a step at n equal intervals, in complete groups for Boole's rule, every second with a probe. */
static seam_status sample_at(seam_over_run *self, const mbs_step_piece *piece, double n, seam_error *error) {
  const double length = piece->to - piece->from;
  for (double k = piece->is_at_start ? 0 : 1; k <= n; k++) {
    const double t = k < n ? piece->from + k / n * length : piece->to;
    const double probe_time = fmod(k, 2) == 1 ? seam_over_run_probe_time(self, t) : t;
    if (probe_time < t) {
      TRY(mbs_integrator_reach(self->sampled.integrator, probe_time, self->at, NULL, true, error));
      seam_over_run_probe(self, self->sampled.workspace, self->at);
    }
    TRY(mbs_integrator_reach(self->sampled.integrator, t, self->at, NULL, true, error));
    (k == 0 ? begin_pieces : seam_over_run_add)(self, self->sampled.workspace, self->at);
    TRY(refine_all(self, piece->from, false, error));
  }
  return refine_all(self, piece->from, true, error);
}

/* Returns true if the samples since self->begin leave the integral of some x² more uncertain than the tolerance. */
static bool is_coarse(const seam_over_run *self) {
  bool some = false;
  for (size_t i = 0; i < self->n; i++) {
    const seam_piece_integral *of = &self->records[i].moment[1];
    const double added = of->uncertainty - self->begin[i].moment[1].uncertainty;
    some = some || added > self->sampled.rtol * of->sum;
  }
  return some;
}

/* Samples a smooth piece. Between corners of watched functions it may be a pulse that the integrator's steps do not
 * resolve. Therefore the intervals are halved until they resolve it. */
static seam_status sample_smooth(seam_over_run *self, const mbs_step_piece *piece, seam_error *error) {
  const double length = piece->to - piece->from;
  double n = IN_A_STEP * ceil(fmax(1, (1 - analysis_slack_of_sample) * length / (IN_A_STEP * self->sampled.distance)));
  if (self->has_corners)
    memcpy(self->begin, self->records, self->n * sizeof *self->records);
  TRY(sample_at(self, piece, n, error));
  for (int i = 0; i < ANALYSIS_MAX_RESAMPLINGS && self->has_corners && is_coarse(self); i++) {
    memcpy(self->records, self->begin, self->n * sizeof *self->records);
    n *= 2;
    TRY(sample_at(self, piece, n, error));
  }
  return SEAM_OK;
}

/* Samples a piece of a step, in which watched functions may have kinks and corners. */
static seam_status sample(seam_over_run *self, const mbs_step_piece *piece, seam_error *error) {
  mbs_step_piece part = *piece;
  do {
    const seam_kink kink = mbs_integrator_watched_kink(self->sampled.integrator, part.from, piece->to);
    part.to = fmin(piece->to, kink.before);
    self->last.ends_at_kink = isfinite(kink.at);
    if (part.to > part.from)
      TRY(sample_smooth(self, &part, error));
    part = (mbs_step_piece){kink.at, piece->to, true};
  } while (part.from < piece->to);
  return SEAM_OK;
}

seam_status seam_over_run_sample_piece(void *context, const mbs_step_piece *piece, seam_error *error) {
  seam_over_run *self = context;
  if (self == NULL || self->n == 0)
    return SEAM_OK;
  const bool is_at_start = piece->is_at_start || self->last.ends_at_kink > 0;
  memcpy(self->before, self->records, self->n * sizeof *self->records);
  self->last = (last_piece){piece->from, is_at_start, 0};
  return sample(self, &(mbs_step_piece){piece->from, piece->to, is_at_start}, error);
}

void seam_over_run_attach(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace, double distance) {
  if (self == NULL || self->n == 0 || integrator == NULL)
    return;
  self->sampled.integrator = integrator;
  self->sampled.workspace = workspace;
  self->sampled.distance = distance;
  self->sampled.rtol = mbs_integrator_rtol(integrator);
  for (size_t i = 0; i < self->n; i++)
    self->records[i].is_refined = 1;
}

void seam_over_run_sample_steps(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace,
                                double distance) {
  if (self == NULL || self->n == 0 || integrator == NULL)
    return;
  seam_over_run_attach(self, integrator, workspace, distance);
  mbs_integrator_set_step_listener(integrator, seam_over_run_sample_piece, self);
}

seam_status seam_over_run_end(seam_over_run *self, double t, seam_error *error) {
  if (self == NULL || self->sampled.integrator == NULL)
    return SEAM_OK;
  mbs_integrator_set_step_listener(self->sampled.integrator, NULL, NULL);
  if (!(self->before[0].n > 0 && t > self->last.from && t < self->records[0].window[NEWEST].t))
    return SEAM_OK;
  memcpy(self->records, self->before, self->n * sizeof *self->records);
  const mbs_step_piece final_piece = {self->last.from, t, self->last.is_at_start > 0};
  return sample(self, &final_piece, error);
}

/* ---- Times of samples ---- */

void seam_over_run_doubt(seam_over_run *self) {
  if (self != NULL)
    self->step.is_doubted = 1;
}

bool seam_over_run_is_doubted(const seam_over_run *self) { return self != NULL && self->step.is_doubted > 0; }

void seam_over_run_note_step(seam_over_run *self, double t) {
  if (self == NULL)
    return;
  if (t > self->step.end)
    self->step.length = t - self->step.end;
  self->step.end = t;
}

/* Returns the time, s, from the last sample to the next. `remaining`: time to the next row; `step`: length of
 * integration steps. Samples of a group have equal distances, unless steps have become less than half as long. A new
 * group is at most as long as a step, and complete groups fill the remaining time. A remainder up to a quarter of a
 * step is one interval. */
static double next_distance(const seam_record *r, double remaining, double step) {
  const seam_point *last = &r->group[(int)r->n_group - 1];
  if (r->n_group > 1 && last[0].t - last[-1].t <= 2 * step / IN_A_STEP)
    return last[0].t - last[-1].t;
  return remaining <= step / IN_A_STEP ? remaining : remaining / (IN_A_STEP * ceil(remaining / step));
}

double seam_over_run_next(const seam_over_run *self, double row) {
  if (self == NULL || self->n == 0 || self->records[0].n == 0)
    return row;
  const seam_record *r = &self->records[0];
  const double t = r->window[NEWEST].t;
  const double remaining = row - t;
  /* The last step may be very short if it ended at a kink or a switch of a contact. If the time since its end is more
   * than IN_A_STEP times its length, that time replaces the length. */
  const double present = t - self->step.end;
  const double last = present > IN_A_STEP * self->step.length ? present : self->step.length;
  const double step = self->step.length > 0 ? last : analysis_assumed_step * remaining;
  const double distance = fmax(next_distance(r, remaining, step), 2 * rounding_at(self, row));
  return t + (1 + analysis_slack_of_row) * distance < row ? t + distance : row;
}

/* ---- Results ---- */

const char *seam_statistic_name(seam_statistic which) {
#define NAME(code, name) #name,
  static const char *const names[SEAM_N_STATISTICS] = {SEAM_STATISTIC_TABLE(NAME)};
#undef NAME
  return (unsigned)which < SEAM_N_STATISTICS ? names[which] : NULL;
}

seam_run_figure seam_over_run_of(const seam_over_run *self, size_t quantity, seam_statistic which) {
  if (self == NULL || quantity >= self->n || self->records[quantity].n == 0)
    return (seam_run_figure){NAN, NAN, NAN, NAN};
  seam_run_figure found = seam_record_figure(&self->records[quantity], which);
  if (seam_over_run_is_doubted(self))
    found.uncertainty = NAN;
  return found;
}

/* Head of an image; the records and the records before the last piece follow. */
typedef struct image_head {
  last_step step;
  last_piece last;
} image_head;

size_t seam_over_run_image_size(const seam_over_run *self) {
  return self == NULL ? 0 : sizeof(image_head) + 2 * self->n * sizeof *self->records;
}

void seam_over_run_save(seam_over_run *self, void *image) {
  if (self == NULL)
    return;
  const image_head head = {self->step, self->last};
  const size_t size = self->n * sizeof *self->records;
  char *records = (char *)image + sizeof head;
  memcpy(image, &head, sizeof head);
  memcpy(records, self->records, size);
  memcpy(records + size, self->before, size);
}

seam_status seam_over_run_restore(seam_over_run *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  if (size != seam_over_run_image_size(self))
    return seam_fail(error, SEAM_BAD_STATE, "the statistics are those of another run");
  image_head head;
  const char *records = (const char *)image + sizeof head;
  const size_t size_of_records = self->n * sizeof *self->records;
  memcpy(&head, image, sizeof head);
  self->step = head.step;
  self->last = head.last;
  memcpy(self->records, records, size_of_records);
  memcpy(self->before, records + size_of_records, size_of_records);
  return SEAM_OK;
}
