/* Compares a quantity x of a run with the same quantity r of a reference, at common times t_i. The error is the largest
 * difference, divided by the travel of r:
 *
 *   error = max_i |x(t_i) - r(t_i)| / travel,
 *   travel = max_ij |p_i - p_j|,   p_i = r(t_i) - (line from the first to the last r)   for positions and angles,
 *                                  p_i = r(t_i)                                         for other quantities.
 *
 * Positions and velocities are vectors. The error is independent of units, of the frame of reference and of a uniform
 * velocity of this frame. The travel has lower limits; the largest of a quantity's limits counts:
 *
 *   positions, angles   1e-3 S T; S: scale of length, 1 rad
 *   velocities, rates   1e-3 S T; S: scale of speed, 1/(scale of time); rates are angular velocities
 *   forces              3 % of the scale of their unit; 3 % of their largest value (accelerations count as forces)
 *   signals             1000 atol; their noise
 *
 * S is the size of a motion; a nominal size that the model gives replaces the scale. T is a largest travel in units of
 * S, but at most 1: that of all positions and angles, or that of all velocities and rates. atol and rtol are members of
 * deviation_rule. A signal has one of four sizes, the first that is known: the nominal size of its state; the scale of
 * its unit; a size by its derivatives in the undivided model (find_sizes() in track.c); the largest value of the
 * signals with its unit. The noise of a signal is 1e-7 of its size. If the model gives the nominal size, 1e-3 of it
 * replaces the noise.
 *
 * A motion is constant if it travels less than rtol times its size. Its lower limit is then 1e-3 of its size. Let
 * `larger` be the larger of a signal's size and its largest value. A signal is constant if it travels less than rtol
 * times `larger`. Its lower limit is then 1e-3 of `larger`. The travel of a signal is at least the range of r over the
 * ends of integration steps.
 *
 * A run may jump earlier or later than its reference, by at most `late` (s). Within `late` of a jump of r, x(t) is
 * compared with all values of r in this time, and with those just before and after the jump. The least distance is the
 * error. Positions and angles of bodies do not jump. */
#include "analysis/deviation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/thresholds.h"
#include "base/arrays.h"
#include "mbs/integrate/kinks.h"

enum { MAX_FARTHEST = 8 };

/* ---- Jumps ---- */

static double *record_of(const track_jumps *self, size_t jump) {
  return self->records + jump * (1 + 2 * self->n_values);
}

static double time_of(const track_jumps *self, size_t jump) { return record_of(self, jump)[0]; }

/* left_of() and right_of() return a quantity's value just before and just after a jump. */
static const double *left_of(const track_jumps *self, size_t jump, const compared_quantity *of) {
  return record_of(self, jump) + 1 + of->first;
}

static const double *right_of(const track_jumps *self, size_t jump, const compared_quantity *of) {
  return left_of(self, jump, of) + self->n_values;
}

seam_status track_jumps_add(track_jumps *self, double t, const double *left, const double *right, seam_error *error) {
  if (self->n == ANALYSIS_MAX_JUMPS)
    return SEAM_OK;
  const size_t size = self->n_values * sizeof(double);
  double *records = array_grow(self->records, &self->capacity, self->n + 1, sizeof(double) + 2 * size);
  if (records == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the jumps of a reference");
  self->records = records;
  double *record = record_of(self, self->n++);
  record[0] = t;
  memcpy(record + 1, left, size);
  memcpy(record + 1 + self->n_values, right, size);
  return SEAM_OK;
}

void track_jumps_free(track_jumps *self) {
  free(self->records);
  *self = (track_jumps){.n_values = self->n_values};
}

/* ---- Travel ---- */

static double distance(const double *a, const double *b, int n) {
  return n == 1 ? fabs(a[0] - b[0]) : hypot(a[0] - b[0], a[1] - b[1]);
}

/* Fills `path` with the points p_i (see above) of the reference's first n rows, of->n numbers each. Omits rows with
 * NaN. Returns the number of points. */
static size_t find_path(const compared_quantity *of, const track *reference, size_t n, double *path) {
  const bool is_position = of->kind == COMPARED_POSITION || of->kind == COMPARED_ANGLE;
  size_t begin = 0;
  size_t end = n;
  size_t n_known = 0;
  while (begin < end && isnan(track_row(reference, begin)[of->first]))
    begin++;
  while (begin < end && isnan(track_row(reference, end - 1)[of->first]))
    end--;
  if (begin == end)
    return 0;
  const double *first = track_row(reference, begin) + of->first;
  const double *last = track_row(reference, end - 1) + of->first;
  const double span = reference->times[end - 1] - reference->times[begin];
  for (size_t i = begin; i < end; i++) {
    const double share = is_position && span > 0 ? (reference->times[i] - reference->times[begin]) / span : 0;
    const double *row = track_row(reference, i) + of->first;
    if (isnan(row[0]))
      continue;
    for (int k = 0; k < of->n; k++)
      path[(size_t)of->n * n_known + (size_t)k] = row[k] - share * (last[k] - first[k]);
    n_known++;
  }
  return n_known;
}

/* Returns the largest distance between two of n points, each of `width` (1 or 2) numbers. Goes from the first point to
 * the farthest from it, and so on while the distance grows, at most MAX_FARTHEST times. In two dimensions the result
 * may be too small. */
static double diameter(const double *path, size_t n, int width) {
  double largest = 0;
  const double *from = path;
  for (int round = 0; round < MAX_FARTHEST; round++) {
    const double *farthest = from;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
      const double d = distance(from, path + (size_t)width * i, width);
      if (d > most)
        most = d, farthest = path + (size_t)width * i;
    }
    if (!(most > largest))
      break;
    largest = most;
    from = farthest;
  }
  return largest;
}

static bool is_motion(compared_kind kind) { return kind <= COMPARED_RATE; }

/* Returns the index in most[] (find_travels()) for a kind of motion. Kinds with one index share one largest travel. */
static compared_kind leader_of(compared_kind kind) {
  return kind == COMPARED_POSITION || kind == COMPARED_ANGLE ? COMPARED_POSITION : COMPARED_VELOCITY;
}

/* Fills travel[q], the travel of each quantity over the first n rows, without lower limits. Also fills
 * most[leader_of()] of each kind of motion with T (head of this file). `path` is scratch. */
static void find_travels(const compared_list *list, const track *reference, size_t n, double *path, double *travel,
                         double most[COMPARED_RATE + 1]) {
  for (size_t q = 0; q < list->n; q++) {
    const compared_quantity *of = &list->quantities[q];
    travel[q] = diameter(path, find_path(of, reference, n, path), of->n);
    if (of->kind == COMPARED_SIGNAL)
      travel[q] = fmax(travel[q], reference->high[of->first] - reference->low[of->first]);
    if (is_motion(of->kind)) {
      double *largest = &most[leader_of(of->kind)];
      *largest = fmin(1, fmax(*largest, travel[q] / of->size));
    }
  }
}

/* Returns the lower limit of a travel (see the head of the file). Forces have a larger limit than other quantities,
 * because at rest they vary by stiffness times rounding. largest, travel (list->n): largest |value| and travel of each
 * quantity; most: see find_travels(). */
static double least_of(const compared_list *list, size_t quantity, const deviation_rule *rule, const double *largest,
                       const double *travel, const double *most) {
  const compared_quantity *of = &list->quantities[quantity];
  if (of->kind == COMPARED_FORCE)
    return fmax(of->least, analysis_least_range * largest[quantity]);
  if (is_motion(of->kind)) {
    const bool is_constant = travel[quantity] < rule->rtol * of->size;
    return is_constant ? of->least : of->least * most[leader_of(of->kind)];
  }
  double size = of->size;
  for (size_t q = 0; q < list->n && !(of->size > 0); q++) /* the largest value of the signals with this unit */
    if (list->quantities[q].kind == COMPARED_SIGNAL && strcmp(list->quantities[q].unit, of->unit) == 0)
      size = fmax(size, largest[q]);
  const double larger = fmax(size, largest[quantity]);
  return fmax(fmax(of->size > 0 ? of->least : analysis_noise_of_signal * size, analysis_least_signal * rule->atol),
              travel[quantity] < rule->rtol * larger ? analysis_least_travel * larger : 0);
}

/* ---- Deviations ---- */

/* Returns the index of the first jump, from index `from` on, at which the quantity changes by more than
 * analysis_least_jump times its travel. SEAM_NONE: there is none, or the quantity never jumps. */
static size_t next_jump(const compared_quantity *of, const track_jumps *jumps, size_t from, double travel) {
  const size_t n = jumps == NULL || of->never_jumps ? 0 : jumps->n;
  while (from < n &&
         distance(left_of(jumps, from, of), right_of(jumps, from, of), of->n) <= analysis_least_jump * travel)
    from++;
  return from < n ? from : SEAM_NONE;
}

/* Returns the index of the quantity's jump nearest to t, or SEAM_NONE if it does not jump. `jump` is the result for an
 * earlier t; for the first t, it is the result of next_jump(). */
static size_t nearest_jump(const compared_quantity *of, const track_jumps *jumps, double t, double travel,
                           size_t jump) {
  size_t next = jump == SEAM_NONE ? SEAM_NONE : next_jump(of, jumps, jump + 1, travel);
  while (next != SEAM_NONE && fabs(time_of(jumps, next) - t) <= fabs(time_of(jumps, jump) - t)) {
    jump = next;
    next = next_jump(of, jumps, jump + 1, travel);
  }
  return jump;
}

/* Returns the least distance of x, the run's value in row `row`, from the reference near a jump: just before it, just
 * after it, and in rows within `late` seconds of it. */
static double least_deviation(const compared_quantity *of, const double *x, const track *reference, size_t n,
                              size_t row, const track_jumps *jumps, size_t jump, double late) {
  const double at = time_of(jumps, jump);
  const double reach = late + mbs_same_time(at);
  double least = fmin(distance(x, left_of(jumps, jump, of), of->n), distance(x, right_of(jumps, jump, of), of->n));
  for (size_t i = row; i < n && reference->times[i] <= at + reach; i++)
    least = fmin(least, distance(x, track_row(reference, i) + of->first, of->n));
  for (size_t i = row; i-- > 0 && reference->times[i] >= at - reach;)
    least = fmin(least, distance(x, track_row(reference, i) + of->first, of->n));
  return least;
}

seam_status deviation_find(const compared_list *list, const track *run, const track *reference,
                           const track_jumps *jumps, const deviation_rule *rule, double *relative, deviation *found,
                           deviation *forces, seam_error *error) {
  const deviation none = {.quantity = SEAM_NONE, .time = NAN, .value = NAN, .of_travel = NAN};
  size_t n = run->n < reference->n ? run->n : reference->n;
  while (n > 0 && reference->times[n - 1] > rule->until)
    n--;
  *found = none;
  if (forces != NULL)
    *forces = none;
  for (size_t i = 0; i < n && relative != NULL; i++)
    relative[i] = 0;
  if (n == 0)
    return SEAM_OK;
  double *path = calloc(2 * (n + list->n), sizeof *path);
  if (path == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to compare %zu rows", n);
  double *sizes = path + 2 * n, *travels = sizes + list->n;
  double most[COMPARED_RATE + 1] = {0};
  for (size_t q = 0; q < list->n; q++)
    for (size_t i = 0; i < n; i++)
      sizes[q] = fmax(sizes[q], fabs(track_row(reference, i)[list->quantities[q].first]));
  find_travels(list, reference, n, path, travels, most);
  for (size_t q = 0; q < list->n; q++) {
    const compared_quantity *of = &list->quantities[q];
    const double least = least_of(list, q, rule, sizes, travels, most);
    const double travel = fmax(travels[q], least);
    deviation *largest = of->kind == COMPARED_FORCE ? forces : found;
    size_t jump = next_jump(of, jumps, 0, travel);
    for (size_t i = 0; i < n && largest != NULL; i++) {
      const double *x = track_row(run, i) + of->first;
      const double t = run->times[i];
      double d = distance(x, track_row(reference, i) + of->first, of->n);
      jump = nearest_jump(of, jumps, t, travel, jump);
      if (jump != SEAM_NONE && fabs(time_of(jumps, jump) - t) <= rule->late + mbs_same_time(t))
        d = fmin(d, least_deviation(of, x, reference, n, i, jumps, jump, rule->late));
      if (isnan(d)) /* the quantity is missing in the run or in the reference */
        continue;
      const double share = d > 0 ? d / travel : 0;
      if (relative != NULL && of->kind != COMPARED_FORCE)
        relative[i] = fmax(relative[i], share);
      if (largest->quantity == SEAM_NONE || share > largest->of_travel)
        *largest =
            (deviation){.quantity = q, .time = t, .value = d, .of_travel = share, .of_least = travels[q] < least};
    }
  }
  free(path);
  return SEAM_OK;
}

void deviation_to_public(const compared_list *list, const deviation *found, seam_truth by, seam_deviation *made) {
  const bool is_there = found->quantity != SEAM_NONE;
  const compared_quantity *of = is_there ? &list->quantities[found->quantity] : NULL;
  made->by = is_there ? by : SEAM_TRUTH_NONE;
  made->time = found->time;
  made->value = found->value;
  made->of_travel = found->of_travel;
  made->of_least = found->of_least;
  made->unit = is_there ? of->unit : "";
  made->quantity[0] = '\0';
  if (!is_there)
    snprintf(made->why, sizeof made->why, "the reference has none of its quantities");
  else
    snprintf(made->quantity, sizeof made->quantity, "%.90s%s%.30s", of->element, *of->name != '\0' ? "." : "",
             of->name);
}

/* ---- Growth ---- */

/* L(t) is log10 of the largest difference up to t. The run is divided into eighths, of which the first two are ignored.
 * Growth is exponential if L grows by at least 4, of which the last three eighths have at least 35 %, and no eighth has
 * more than 50 %. A difference that is a power of time grows ever more slowly. An event makes L jump in one eighth. */
double deviation_tenfold_time(const track *rows, const double *relative, size_t n) {
  enum { PARTS = 8, FIRST = 2, MIDDLE = 5 };
  double grown[PARTS + 1]; /* [k]: log10 of the largest relative[i] before eighth k; [PARTS]: in the entire run */
  double most = 0;
  int part = 0;
  if (n < PARTS * PARTS)
    return NAN;
  const double start = rows->times[0], span = rows->times[n - 1] - start;
  for (size_t i = 0; i < n; i++) {
    for (; part < PARTS && PARTS * (rows->times[i] - start) >= part * span; part++)
      grown[part] = log10(most);
    most = fmax(most, relative[i]);
  }
  grown[PARTS] = log10(most);
  const double decades = grown[PARTS] - grown[FIRST];
  bool is_steady = decades >= analysis_least_decades && grown[PARTS] - grown[MIDDLE] >= analysis_late_growth * decades;
  for (int k = FIRST; k < PARTS; k++)
    is_steady &= grown[k + 1] - grown[k] <= analysis_growth_at_once * decades;
  return is_steady ? span * (PARTS - FIRST) / PARTS / decades : NAN;
}
