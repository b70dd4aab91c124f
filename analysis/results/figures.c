/* A piece is a smooth part of a curve, between jumps or kinks. Integrals of x and x² use Boole's rule on groups of four
 * equal intervals. If a group ends early, the parabola through its last three samples replaces the rule. If a piece
 * begins with unequal intervals, the parabola through its first three samples replaces it. The uncertainty of a
 * complete group is the difference between Simpson's rule on all samples and on every second one. The uncertainty of
 * other groups is the difference from the trapezoidal rule. Absolute uncertainties are summed; kinks and unresolved
 * oscillations increase them.
 *
 * Between two samples a and b, a curve without inflection stays below two lines: through a and the sample before, and
 * through b and the sample after. The bound is the point where they cross. In the first and last interval a parabola
 * replaces the missing line. A curve with inflections has no such bound. A cubic and a line through a sample's
 * neighbours predict the sample. The curve may exceed the sample by the smaller error of these predictions. The
 * uncertainty of a maximum is the height of the highest of these bounds above all samples.
 *
 * If the motion is known between samples, intervals that may contain an extreme by these bounds are halved, until the
 * bound is within the tolerance of the run (over_run.c). If that does not lower it, as beside a pole, extremes and
 * integrals are not known.
 *
 * A quantity with the same value at every sample would appear smooth. Therefore probes, further values between samples,
 * are compared with the polynomial through the group. Over a run, their positions in the intervals are evenly
 * distributed. */
#include "analysis/results/figures.h"

#include <math.h>
#include <string.h>

#include "analysis/thresholds.h"

enum { GROUP = SEAM_GROUP, WINDOW = SEAM_WINDOW, NEWEST = SEAM_NEWEST };

/* Returns the sign of x (which = 0) or of -x (which = 1). */
static double sign_of(int which) { return which == 0 ? 1 : -1; }

/* ---- Integrals ---- */

static double power_of(double x, int power) { return power == 1 ? x : x * x; }

static double trapezoid(const seam_point *p, int power) {
  return (p[1].t - p[0].t) * (power_of(p[0].x, power) + power_of(p[1].x, power)) / 2;
}

static double simpson(seam_point a, seam_point b, seam_point c, int power) {
  return (c.t - a.t) * (power_of(a.x, power) + 4 * power_of(b.x, power) + power_of(c.x, power)) / 6;
}

/* Returns the integral from b to c of the parabola through x^power of the samples a, b and c. Their times ascend or
 * descend. */
static double parabola(seam_point a, seam_point b, seam_point c, int power) {
  const double h = b.t - a.t, k = c.t - b.t;
  const double weight_a = -k * k / (6 * h * (h + k));
  const double weight_b = (k + 3 * h) / (6 * h);
  const double weight_c = (2 * k + 3 * h) / (6 * (h + k));
  return k * (weight_a * power_of(a.x, power) + weight_b * power_of(b.x, power) + weight_c * power_of(c.x, power));
}

static seam_piece_integral of_complete_group(const seam_record *r, int power) {
  const seam_point *p = r->group;
  const double fine = simpson(p[0], p[1], p[2], power) + simpson(p[2], p[3], p[4], power);
  const double coarse = simpson(p[0], p[2], p[4], power);
  return (seam_piece_integral){fine + (fine - coarse) / 15, fabs(fine - coarse)};
}

/* Evaluates at t, by Lagrange's formula, the polynomial through the values x^power of n samples. */
static double curve_at(const seam_point *p, int n, double t, int power) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double weight = 1;
    for (int k = 0; k < n; k++)
      if (k != i)
        weight *= (t - p[k].t) / (p[i].t - p[k].t);
    sum += weight * power_of(p[i].x, power);
  }
  return sum;
}

/* Returns the distance of a probe's x^power from the polynomial through its group. For an incomplete group, the
 * polynomial also passes through the last sample before the group, if the piece has one. */
static double probe_error(const seam_record *r, seam_point probe, int power) {
  const int n = (int)r->n_group;
  const bool uses_before = n < GROUP && r->n_piece > n;
  seam_point p[GROUP] = {r->before};
  memcpy(p + uses_before, r->group, (size_t)n * sizeof *p);
  return fabs(power_of(probe.x, power) - curve_at(p, n + uses_before, probe.t, power));
}

/* Estimates the error of the group's integral: twice the mean error of its probes times its duration. The factor two
 * allows for the uneven distribution of a few probes. */
static double probed_error(const seam_record *r, int power) {
  const int n = (int)r->n_group;
  double sum = 0;
  if (n < 2 || r->n_probes == 0)
    return 0;
  for (int i = 0; i < (int)r->n_probes; i++)
    sum += probe_error(r, r->probe[i], power);
  return analysis_group_factor * (r->group[n - 1].t - r->group[0].t) * sum / r->n_probes;
}

/* Returns the bound of x (which = 0) or -x (which = 1), raised by probes that are above both adjacent samples. The
 * curve may exceed such a probe by its probe_error(), but at most by its height above the higher sample. */
static double probed_bound(const seam_record *r, int which, double bound) {
  const double sign = sign_of(which);
  for (int i = 0; i < (int)r->n_probes; i++) {
    const seam_point p = r->probe[i];
    int k = 1;
    while (k + 1 < (int)r->n_group && r->group[k].t < p.t)
      k++;
    const double above = sign * p.x - fmax(sign * r->group[k - 1].x, sign * r->group[k].x);
    if (!isfinite(p.x))
      bound = INFINITY;
    else if (r->n_group > 1 && above > 0)
      bound = fmax(bound, sign * p.x + fmin(above, probe_error(r, p, 1)));
  }
  return bound;
}

void seam_record_probe(seam_record *r, seam_point p) {
  const int n = (int)r->n_probes;
  if (n < GROUP - 1 && (n == 0 || p.t > r->probe[n - 1].t)) {
    r->probe[n] = p;
    r->n_probes++;
  }
}

/* Returns the integral over a group with fewer than four intervals, or over the present incomplete group. */
static seam_piece_integral of_short_group(const seam_record *r, int power) {
  const int n = (int)r->n_group;
  const seam_point *p = r->group;
  double plain = 0;
  for (int i = 0; i + 1 < n; i++)
    plain += trapezoid(p + i, power);
  if (n < 2)
    return (seam_piece_integral){0, 0};
  if (n == 2 && r->n_piece == 2)
    return (seam_piece_integral){plain,
                                 fabs(p[1].t - p[0].t) * fabs(power_of(p[1].x, power) - power_of(p[0].x, power)) / 2};
  const seam_point last = n == 2 ? r->before : p[n - 3];
  double fine = n > 2 ? simpson(p[0], p[1], p[2], power) : 0;
  if (n != 3)
    fine += parabola(last, p[n - 2], p[n - 1], power);
  return (seam_piece_integral){fine, fabs(fine - plain)};
}

static void close_group(seam_record *r, seam_piece_integral (*rule)(const seam_record *r, int power)) {
  const int n = (int)r->n_group;
  if (n < 2)
    return;
  for (int k = 0; k < 2; k++) {
    const seam_piece_integral part = rule(r, k + 1);
    r->moment[k].sum += part.sum;
    r->moment[k].uncertainty += part.uncertainty + probed_error(r, k + 1);
    r->highest[k].bound = probed_bound(r, k, r->highest[k].bound);
  }
  r->n_probes = 0;
  r->before = r->group[n - 2];
  r->group[0] = r->group[n - 1];
  r->n_group = 1;
}

/* Returns the integral over the first three samples of a piece, at unequal intervals. */
static seam_piece_integral of_unequal(const seam_record *r, int power) {
  const seam_point *p = r->group;
  const double fine = parabola(p[0], p[1], p[2], power) - parabola(p[2], p[1], p[0], power);
  return (seam_piece_integral){fine, fabs(fine - trapezoid(p, power) - trapezoid(p + 1, power))};
}

static void add_to_group(seam_record *r, seam_point p) {
  const int n = (int)r->n_group;
  const double step = r->group[1].t - r->group[0].t;
  const bool is_unequal = n >= 2 && !(fabs(p.t - r->group[n - 1].t - step) <= analysis_even_samples * step);
  const bool is_third = r->n_piece == 2;
  if (is_unequal && !is_third)
    close_group(r, of_short_group);
  r->group[(int)r->n_group] = p;
  r->n_group++;
  if (is_unequal && is_third)
    close_group(r, of_unequal);
  else if (r->n_group == GROUP)
    close_group(r, of_complete_group);
}

/* ---- Extremes ---- */

/* Returns the maximum of the parabola through a, b and c over the time from a to b. */
static double parabola_above(seam_point a, seam_point b, seam_point c) {
  const double first = (b.x - a.x) / (b.t - a.t);
  const double curvature = ((c.x - b.x) / (c.t - b.t) - first) / (c.t - a.t);
  const double s = (1 - first / (curvature * (b.t - a.t))) / 2; /* position of the vertex: 0 at a, 1 at b */
  const double width = b.t - a.t;
  return curvature < 0 && s > 0 && s < 1 ? a.x + s * width * (first - curvature * width * (1 - s)) : fmax(a.x, b.x);
}

/* Returns the highest x between a and b that lies below two lines: through l and a, and through b and r. If the lines
 * do not cross between a and b, returns the larger of a.x and b.x. If the curve has an inflection there, it may follow
 * each line to the other end. */
static double bound_between(seam_point l, seam_point a, seam_point b, seam_point r) {
  const double rise = (a.x - l.x) / (a.t - l.t);
  const double fall = (r.x - b.x) / (r.t - b.t);
  const double width = b.t - a.t;
  const double s = (b.x - a.x - fall * width) / (rise - fall);
  const double middle = (b.x - a.x) / width;
  if ((middle - rise) * (fall - middle) < 0)
    return fmax(a.x + fmax(0, rise) * width, b.x + fmax(0, -fall) * width);
  return rise > fall && s > 0 && s < width ? a.x + rise * s : fmax(a.x, b.x);
}

/* Returns the bound of x at the end p of a piece, n and `far` being the samples beside it. The curve may exceed p by as
 * much as p exceeds their line, and goes on until the piece ends, which is known to a rounding of time. */
static double bound_at_end(seam_point p, seam_point n, seam_point far) {
  const double rise = fmax(0, (p.x - n.x) / fabs(p.t - n.t));
  const double line = n.x + (n.x - far.x) / (n.t - far.t) * (p.t - n.t);
  return p.x + fmax(0, p.x - line) + rise * analysis_same_time * fabs(p.t);
}

static seam_point signed_point(seam_point p, double sign) { return (seam_point){p.t, sign * p.x}; }

static void signed_window(const seam_record *r, int which, seam_point w[WINDOW]) {
  for (int i = 0; i < WINDOW; i++)
    w[i] = signed_point(r->window[i], sign_of(which));
}

static bool are_equal(const seam_point *p) { return p[0].x == p[1].x && p[1].x == p[2].x; }

/* Predicts the middle one of five samples by a cubic and by a line, which suits unequal intervals, and returns the
 * smaller error. Returns 0 if the first three or the last three values are equal, as near a jump. */
static double misprediction(const seam_point w[WINDOW]) {
  if (are_equal(w) || are_equal(w + 2))
    return 0;
  const double cubic = curve_at((seam_point[4]){w[0], w[1], w[3], w[4]}, 4, w[2].t, 1);
  const double line = w[1].x + (w[3].x - w[1].x) * (w[2].t - w[1].t) / (w[3].t - w[1].t);
  return fmin(fabs(w[2].x - cubic), fabs(w[2].x - line));
}

/* Raises the bound of x or -x to the bound of the interval before the last one. Also raises it to the sample at the
 * beginning of this interval plus the sample's misprediction. Never lowers the bound. */
static void raise_bound(seam_record *r, int which) {
  seam_extreme *of = &r->highest[which];
  seam_point w[WINDOW];
  signed_window(r, which, w);
  if (r->n_piece >= 5)
    of->bound = fmax(of->bound, w[2].x + misprediction(w));
  if (r->is_refined > 0)
    return;
  if (r->n_piece >= 4)
    of->bound = fmax(of->bound, bound_between(w[1], w[2], w[3], w[4]));
  else if (r->n_piece == 3)
    of->bound = fmax(of->bound, parabola_above(w[2], w[3], w[4]));
}

/* Returns the larger of two bounds of x or -x: the bound so far and the bound of the last interval of the piece. */
static double last_bound(const seam_record *r, int which) {
  const double bound = r->highest[which].bound;
  seam_point w[WINDOW];
  signed_window(r, which, w);
  return r->n_piece < 3 || r->is_refined > 0 ? bound : fmax(bound, parabola_above(w[4], w[3], w[2]));
}

/* Returns the point of the parabola through a, b and c at the time 2 t_a - t_b, as far from t_a as b. */
static seam_point before_first(seam_point a, seam_point b, seam_point c) {
  const double t = 2 * a.t - b.t;
  return (seam_point){t, curve_at((seam_point[3]){a, b, c}, 3, t, 1)};
}

bool seam_record_interval(const seam_record *r, bool is_last, seam_interval *found) {
  const seam_point *w = r->window;
  if (r->n_piece < 3)
    return false;
  if (is_last)
    *found = (seam_interval){w[2], w[3], w[4], before_first(w[4], w[3], w[2]), 0, ANALYSIS_MAX_HALVINGS + 1};
  else if (r->n_piece > 3)
    *found = (seam_interval){w[1], w[2], w[3], w[4], 0, 0};
  else
    *found = (seam_interval){
        before_first(w[2], w[3], w[4]), w[2], w[3], w[4], w[2].t > r->start ? ANALYSIS_MAX_HALVINGS + 1 : 0, 0};
  return true;
}

double seam_interval_bound(const seam_interval *of, int which) {
  const double sign = sign_of(which);
  const seam_point left = signed_point(of->left, sign), a = signed_point(of->a, sign);
  const seam_point b = signed_point(of->b, sign), right = signed_point(of->right, sign);
  double bound = bound_between(left, a, b, right);
  if (of->begins > 0)
    bound = fmax(bound, bound_at_end(a, b, right));
  return of->ends > 0 ? fmax(bound, bound_at_end(b, a, left)) : bound;
}

void seam_record_add_between(seam_record *r, seam_point p) {
  for (int k = 0; k < 2; k++) {
    seam_extreme *of = &r->highest[k];
    const double x = sign_of(k) * p.x;
    if (r->n == 0 || x > of->value) {
      of->value = x;
      of->time = p.t;
    }
    of->bound = !isfinite(x) ? INFINITY : r->n == 0 ? x : fmax(of->bound, x);
  }
}

void seam_record_add(seam_record *r, seam_point p) {
  if (r->n_piece == 2 && r->group[1].t - r->group[0].t < analysis_close_second * (p.t - r->group[1].t)) {
    /* drops the second sample, which is so close to the first that the slope between them would be mere rounding */
    r->window[NEWEST] = r->group[0];
    r->n_group = r->n_piece = 1;
  }
  seam_record_add_between(r, p);
  r->start = r->n == 0 ? p.t : r->start;
  memmove(r->window, r->window + 1, (WINDOW - 1) * sizeof *r->window);
  r->window[NEWEST] = p;
  add_to_group(r, p);
  r->n++;
  r->n_piece++;
  for (int k = 0; k < 2; k++)
    raise_bound(r, k);
}

void seam_record_begin_piece(seam_record *r, seam_point p) {
  for (int k = 0; k < 2; k++)
    r->highest[k].bound = last_bound(r, k);
  seam_record_add_between(r, p);
  close_group(r, of_short_group);
  r->group[0] = r->window[NEWEST] = p;
  r->n_piece = 1;
}

/* ---- Results ---- */

seam_run_figure seam_record_figure(const seam_record *r, seam_statistic which) {
  if (which == SEAM_MAX || which == SEAM_MIN) {
    const int k = which == SEAM_MIN;
    const seam_extreme *of = &r->highest[k];
    const double above_samples = r->n >= 5 ? probed_bound(r, k, last_bound(r, k)) - of->value : NAN;
    return (seam_run_figure){sign_of(k) * of->value, of->time, isfinite(above_samples) ? above_samples : NAN, NAN};
  }
  const int power = which == SEAM_RMS ? 2 : 1;
  const seam_piece_integral short_group = of_short_group(r, power);
  const double sum = r->moment[power - 1].sum + short_group.sum;
  const bool is_bounded = isfinite(r->highest[0].bound) && isfinite(r->highest[1].bound);
  const double uncertainty =
      is_bounded ? r->moment[power - 1].uncertainty + short_group.uncertainty + probed_error(r, power) : NAN;
  const double length = r->window[NEWEST].t - r->start;
  if (which == SEAM_INTEGRAL)
    return (seam_run_figure){sum, NAN, uncertainty, NAN};
  const double mean = length > 0 ? sum / length : power_of(r->window[NEWEST].x, power);
  const double mean_uncertainty = length > 0 ? uncertainty / length : 0;
  if (which == SEAM_MEAN)
    return (seam_run_figure){mean, NAN, mean_uncertainty, NAN};
  const double root = sqrt(fmax(mean, 0));
  const double above = sqrt(fmax(mean, 0) + mean_uncertainty) - root;
  const double below = root - sqrt(fmax(mean - mean_uncertainty, 0));
  return (seam_run_figure){root, NAN, isnan(uncertainty) ? NAN : fmax(above, below), NAN};
}
