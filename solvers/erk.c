/* One step from (t, y) of length h:
 *
 *   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ b_i k_i,   e = h Σ (b_i - d_i) k_i
 *
 * then projection. Step sizes follow a PI controller on the largest |e| / (rtol |y| + atol). (Hairer, Nørsett, Wanner:
 * Solving Ordinary Differential Equations I, II.4; II, IV.2.) The tables are ARKODE's.
 *
 * Fehlberg's 7(8) pair has one flaw: its e = 41/840 h (k₁ + k₁₁ - k₁₂ - k₁₃) is zero where f depends on t alone, however
 * wrong the step. Seven of its stages lie at 0, 1/6, ..., 1, and their sixth difference h Δ⁶k ~ h⁷ f⁽⁶⁾/6⁶ sees what e does
 * not; it is also zero to order 5 for any f. With F = h mean|k|, 2e-3 |hΔ⁶k|^(4/3) / F^(1/3) is of the order of the step,
 * stays below e where e sees, and is 1.8 times the true error for f = sin ωt. */
#include "solvers/erk.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_butcher_erk.h>

enum { most_stages = 13 };

/* ---- Tables ---- */

static const struct {
  int order;
  ARKODE_ERKTableID id;
  bool blind_to_time;
} methods[] = {
    {4, ARKODE_ZONNEVELD_5_3_4, false},
    {5, ARKODE_DORMAND_PRINCE_7_4_5, false},
    {8, ARKODE_FEHLBERG_13_7_8, true},
};
enum { n_methods = sizeof methods / sizeof *methods };

typedef struct tableau {
  int n_stages;
  int control_order; /* e = O(h ^ control_order) */
  bool blind_to_time;
  double A[most_stages][most_stages], c[most_stages], b[most_stages], e[most_stages];
} tableau;

/* Stages of Fehlberg's pair at 0, 1/6, ..., 1, and the weights of their sixth difference. */
static const int sixths[7] = {11, 7, 9, 5, 8, 6, 12};
static const double sixth_difference[7] = {1, -6, 15, -20, 15, -6, 1};

static bool load_tableau(int order, tableau *table) {
  for (int m = 0; m < n_methods; m++) {
    if (methods[m].order != order) continue;
    ARKodeButcherTable source = ARKodeButcherTable_LoadERK(methods[m].id);
    if (source == NULL) return false;
    *table = (tableau){.n_stages = source->stages,
                       .control_order = source->p + 1,
                       .blind_to_time = methods[m].blind_to_time};
    for (int i = 0; i < source->stages; i++) {
      memcpy(table->A[i], source->A[i], (size_t)source->stages * sizeof(double));
      table->c[i] = source->c[i];
      table->b[i] = source->b[i];
      table->e[i] = source->b[i] - source->d[i];
    }
    ARKodeButcherTable_Free(source);
    return true;
  }
  return false;
}

/* ---- The integrator ---- */

/* Followed in memory by y at the beginning and y at the end of the last step. */
typedef struct history {
  double begin, end; /* times */
  double next_step;  /* adaptive: proposed; 0: to be found */
  double last_error; /* of the step before, for the PI controller; 0: none */
  double origin;     /* fixed steps: end = origin + count * step */
  double count;
  double stop;
  seam_erk_statistics statistics;
} history;

struct seam_erk {
  seam_ode ode;
  seam_erk_options options;
  tableau table;
  history *past;    /* the block of seam_erk_image_size() */
  double *y_begin, *y_end;
  bool have_slope;  /* k[0] = f(begin, y_begin) */
  double *k[most_stages];
  double *trial;    /* (n) end of the step being tried */
  double *stage;    /* (n) */
  size_t worst_entry;
};

static bool allocate(seam_erk *erk) {
  const size_t n = erk->ode.n;
  erk->past = calloc(1, seam_erk_image_size(erk));
  erk->k[0] = calloc((size_t)erk->table.n_stages * n + 1, sizeof(double));
  erk->trial = calloc(n + 1, sizeof(double));
  erk->stage = calloc(n + 1, sizeof(double));
  if (erk->past == NULL || erk->k[0] == NULL || erk->trial == NULL || erk->stage == NULL) return false;
  for (int i = 1; i < erk->table.n_stages; i++) erk->k[i] = erk->k[0] + (size_t)i * n;
  erk->y_begin = (double *)(erk->past + 1);
  erk->y_end = erk->y_begin + n;
  return true;
}

seam_status seam_erk_create(const seam_ode *ode, const seam_erk_options *options, seam_erk **erk_out,
                            seam_error *error) {
  seam_erk *erk = calloc(1, sizeof *erk);
  if (erk == NULL) return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  erk->ode = *ode;
  erk->options = *options;
  if (!load_tableau(options->order, &erk->table)) {
    seam_erk_destroy(erk);
    return seam_fail(error, SEAM_BAD_INPUT, "erk has no method of order %d: take 4, 5 or 8", options->order);
  }
  if (!allocate(erk)) {
    seam_erk_destroy(erk);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  }
  erk->past->stop = INFINITY;
  *erk_out = erk;
  return SEAM_OK;
}

void seam_erk_destroy(seam_erk *erk) {
  if (erk == NULL) return;
  free(erk->past);
  free(erk->k[0]);
  free(erk->trial);
  free(erk->stage);
  free(erk);
}

void seam_erk_start(seam_erk *erk, double t, const double *y) {
  *erk->past = (history){.begin = t, .end = t, .origin = t, .stop = INFINITY};
  memcpy(erk->y_begin, y, erk->ode.n * sizeof *y);
  memcpy(erk->y_end, y, erk->ode.n * sizeof *y);
  erk->have_slope = false;
}

void seam_erk_set_stop(seam_erk *erk, double t) { erk->past->stop = t; }

seam_erk_statistics seam_erk_statistics_of(const seam_erk *erk) { return erk->past->statistics; }

size_t seam_erk_worst_entry(const seam_erk *erk) { return erk->worst_entry; }

size_t seam_erk_image_size(const seam_erk *erk) { return sizeof(history) + 2 * erk->ode.n * sizeof(double); }

void seam_erk_save(const seam_erk *erk, void *image) { memcpy(image, erk->past, seam_erk_image_size(erk)); }

void seam_erk_restore(seam_erk *erk, const void *image) {
  memcpy(erk->past, image, seam_erk_image_size(erk));
  erk->have_slope = false;
}

/* ---- One step ---- */

static seam_status slope(seam_erk *erk, double t, const double *y, double *k, seam_error *error) {
  erk->past->statistics.evaluations++;
  return erk->ode.rhs(erk->ode.context, t, y, k, error);
}

static seam_status slope_at_begin(seam_erk *erk, seam_error *error) {
  if (erk->have_slope) return SEAM_OK;
  const seam_status status = slope(erk, erk->past->begin, erk->y_begin, erk->k[0], error);
  erk->have_slope = status == SEAM_OK;
  return status;
}

/* out = y + h Σ_j weight[j] k_j over the first n_stages stages. */
static void combine(const seam_erk *erk, double h, const double *weight, int n_stages, double *restrict out) {
  const size_t n = erk->ode.n;
  memcpy(out, erk->y_begin, n * sizeof *out);
  for (int j = 0; j < n_stages; j++) {
    const double w = h * weight[j];
    const double *restrict k = erk->k[j];
    if (weight[j] == 0) continue;
    for (size_t i = 0; i < n; i++) out[i] += w * k[i];
  }
}

/* Stages and end of a step of length h from the beginning; the end lies in `trial`, projected. */
static seam_status try_step(seam_erk *erk, double h, seam_error *error) {
  const tableau *table = &erk->table;
  const double t = erk->past->begin;
  seam_status status = slope_at_begin(erk, error);
  for (int i = 1; i < table->n_stages && status == SEAM_OK; i++) {
    combine(erk, h, table->A[i], i, erk->stage);
    status = slope(erk, t + table->c[i] * h, erk->stage, erk->k[i], error);
  }
  if (status != SEAM_OK) return status;
  combine(erk, h, table->b, table->n_stages, erk->trial);
  return erk->ode.project == NULL ? SEAM_OK : erk->ode.project(erk->ode.context, t + h, erk->trial, error);
}

/* ---- Error and step size ---- */

static double weight_of(const seam_erk *erk, size_t i) {
  return erk->options.atol + erk->options.rtol * fmax(fabs(erk->y_begin[i]), fabs(erk->trial[i]));
}

/* Cube of the part of the error that Fehlberg's estimate does not see, over its weight. */
static double unseen_cubed(const seam_erk *erk, double h, size_t i, double weight) {
  double difference = 0;
  double mean = 0;
  for (int s = 0; s < 7; s++) {
    const double k = erk->k[sixths[s]][i];
    difference += sixth_difference[s] * k;
    mean += fabs(k) / 7;
  }
  if (mean == 0) return 0;
  const double x = fabs(h * difference);
  const double scale = 2e-3 / weight;
  return scale * scale * scale * x * x * x * (x / (h * mean));
}

static double error_of(seam_erk *erk, double h) {
  const tableau *table = &erk->table;
  double largest = 0;
  double unseen = 0;
  for (size_t i = 0; i < erk->ode.n_controlled; i++) {
    double e = 0;
    for (int s = 0; s < table->n_stages; s++)
      if (table->e[s] != 0) e += table->e[s] * erk->k[s][i];
    const double weight = weight_of(erk, i);
    const double relative = fabs(h * e) / weight;
    if (!(relative <= largest)) {
      largest = relative;
      erk->worst_entry = i;
    }
    if (table->blind_to_time) unseen = fmax(unseen, unseen_cubed(erk, h, i, weight));
  }
  return fmax(largest, cbrt(unseen));
}

/* Hairer's guess: a step over which an Euler step would move y and f by a hundredth. */
static seam_status guess_step(seam_erk *erk, seam_error *error) {
  const size_t n = erk->ode.n_controlled;
  const seam_status status = slope_at_begin(erk, error);
  if (status != SEAM_OK) return status;
  memcpy(erk->trial, erk->y_begin, erk->ode.n * sizeof(double));
  double size = 0;
  double rate = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(erk->y_begin[i]) / weight_of(erk, i));
    rate = fmax(rate, fabs(erk->k[0][i]) / weight_of(erk, i));
  }
  const double first = size < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * size / rate;
  const double one = 1;
  combine(erk, first, &one, 1, erk->stage);
  double bend = 0;
  if (slope(erk, erk->past->begin + first, erk->stage, erk->k[1], NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++) bend = fmax(bend, fabs(erk->k[1][i] - erk->k[0][i]) / weight_of(erk, i) / first);
  const double steepest = fmax(rate, bend);
  const double second =
      steepest <= 1e-15 ? fmax(1e-6, first * 1e-3) : pow(0.01 / steepest, 1.0 / erk->table.control_order);
  erk->past->next_step = fmin(100 * first, second);
  return SEAM_OK;
}

/* PI controller: factor by which the step may grow after an accepted step of the given error. */
static double growth(const seam_erk *erk, double error) {
  const double k = erk->table.control_order;
  const double small = 1e-10;
  const double now = fmax(error, small);
  const double before = erk->past->last_error > 0 ? erk->past->last_error : now;
  return fmin(5, fmax(0.2, 0.9 * pow(now, -0.7 / k) * pow(before, 0.4 / k)));
}

/* End of the next step of about h: the stop time when it is near, and no sliver of a step before it. */
static double step_end(const seam_erk *erk, double h) {
  const double t = erk->past->begin;
  const double left = erk->past->stop - t;
  if (h * 1.01 >= left) return erk->past->stop;
  if (h * 2 > left) return t + left / 2;
  return t + h;
}

/* ---- Steps ---- */

static void accept(seam_erk *erk, double end) {
  history *past = erk->past;
  seam_erk_statistics *statistics = &past->statistics;
  const double h = end - past->begin;
  past->end = end;
  memcpy(erk->y_end, erk->trial, erk->ode.n * sizeof(double));
  statistics->smallest_step = statistics->steps == 0 ? h : fmin(statistics->smallest_step, h);
  statistics->largest_step = fmax(statistics->largest_step, h);
  statistics->steps++;
}

static seam_status step_too_small(const seam_erk *erk, seam_status cause, seam_error *error) {
  if (cause != SEAM_OK) return cause; /* already explained by rhs or project */
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: the error stays above the tolerance however small the step",
                   erk->past->begin);
}

static seam_status adaptive_step(seam_erk *erk, seam_error *error) {
  history *past = erk->past;
  seam_status status = past->next_step > 0 ? SEAM_OK : guess_step(erk, error);
  if (status != SEAM_OK) return status;
  bool rejected = false;
  double wanted = fmin(past->next_step, erk->options.largest_step);
  for (;;) {
    const double end = step_end(erk, wanted);
    const double h = end - past->begin;
    if (!(h > 1e-14 * fmax(1, fabs(past->begin))) && end != past->stop) return step_too_small(erk, status, error);
    status = try_step(erk, h, error);
    const double e = status == SEAM_OK ? error_of(erk, h) : INFINITY;
    if (e <= 1) {
      const double factor = growth(erk, e);
      const double proposed = h * (rejected ? fmin(1, factor) : factor);
      /* a step cut short by the stop time says little about longer ones */
      past->next_step = h < 0.99 * wanted ? fmax(wanted, proposed) : proposed;
      past->last_error = fmax(e, 1e-4);
      accept(erk, end);
      return SEAM_OK;
    }
    past->statistics.rejected++;
    rejected = true;
    wanted = h * (isfinite(e) ? fmax(0.1, 0.9 * pow(e, -1.0 / erk->table.control_order)) : 0.25);
  }
}

static seam_status fixed_step(seam_erk *erk, seam_error *error) {
  history *past = erk->past;
  double end = past->origin + (past->count + 1) * erk->options.step;
  past->count++;
  if (end > past->stop - 1e-9 * erk->options.step) {
    end = past->stop;
    past->origin = end;
    past->count = 0;
  }
  const seam_status status = try_step(erk, end - past->begin, error);
  if (status == SEAM_OK) accept(erk, end);
  return status;
}

static seam_status next_step(seam_erk *erk, seam_error *error) {
  history *past = erk->past;
  if (past->end > past->begin) {
    past->begin = past->end;
    memcpy(erk->y_begin, erk->y_end, erk->ode.n * sizeof(double));
    erk->have_slope = false;
  }
  return erk->options.step > 0 ? fixed_step(erk, error) : adaptive_step(erk, error);
}

/* State at a time inside the last step, or at one of its ends. */
static seam_status state_at(seam_erk *erk, double t, double *y, seam_error *error) {
  const history *past = erk->past;
  const double *source = t >= past->end ? erk->y_end : erk->y_begin;
  seam_status status = SEAM_OK;
  if (t > past->begin && t < past->end) {
    status = try_step(erk, t - past->begin, error);
    source = status == SEAM_OK ? erk->trial : erk->y_begin;
  }
  memcpy(y, source, erk->ode.n * sizeof *y);
  return status;
}

seam_status seam_erk_advance(seam_erk *erk, double t, double *y, double *reached, seam_error *error) {
  while (t > erk->past->end) {
    const seam_status status = next_step(erk, error);
    if (status != SEAM_OK) {
      *reached = erk->past->begin;
      memcpy(y, erk->y_begin, erk->ode.n * sizeof *y);
      return status;
    }
  }
  const seam_status status = state_at(erk, t, y, error);
  *reached = status == SEAM_OK ? t : erk->past->begin;
  return status;
}
