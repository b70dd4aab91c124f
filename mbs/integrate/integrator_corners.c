/* Corners within the steps of an integrator, as switching functions: two for each, the distances of its argument from
 * its bounds at the beginning of the step. */
#include <math.h>

#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/modes.h"
#include "mbs/thresholds.h"

void mbs_root_finder_read_row(mbs_root_finder *finder, const mbs_watched_row *row, mbs_workspace *ws,
                              const mbs_state *state, bool has_forces, mbs_switch *f) {
  const mbs_corner_source *source = row->corners;
  const seam_corner *at = finder->corner + source->first;
  const mbs_bounds *bounds = finder->bounds + source->first;
  mbs_corners_read(&finder->corners, source, ws, state, has_forces, finder->corner + source->first);
  for (int k = 0; k < source->n; k++) {
    f[row->first + 2 * k] = (mbs_switch){at[k].value - bounds[k].below, at[k].rate, at[k].noise};
    f[row->first + 2 * k + 1] = (mbs_switch){bounds[k].above - at[k].value, -at[k].rate, at[k].noise};
  }
}

void mbs_root_finder_read_corners(mbs_root_finder *finder, mbs_workspace *ws, const mbs_state *state,
                                  const bool *wanted, bool has_forces, mbs_switch *f) {
  for (int i = finder->n_rows - finder->corners.n; i < finder->n_rows; i++)
    if (wanted == NULL || wanted[i])
      mbs_root_finder_read_row(finder, &finder->rows[i], ws, state, has_forces, f);
}

void mbs_root_finder_keep_corners(mbs_root_finder *finder) {
  for (int k = 0; k < finder->corners.n_corners; k++)
    finder->corner_seen[k] = finder->corner[k];
}

void mbs_root_finder_take_bounds(mbs_root_finder *finder) {
  const int first = finder->n - 2 * finder->corners.n_corners;
  for (int k = 0; k < finder->corners.n_corners; k++) {
    const seam_corner *at = &finder->corner_seen[k];
    finder->bounds[k] = (mbs_bounds){at->below, at->above};
    finder->begin[first + 2 * k].value = at->value - at->below;
    finder->begin[first + 2 * k + 1].value = at->above - at->value;
  }
}

bool mbs_is_corner(const mbs_root_finder *finder, int number) {
  return number >= finder->n - 2 * finder->corners.n_corners;
}

bool mbs_root_finder_leave(mbs_root_finder *finder, int number) {
  if (!mbs_is_corner(finder, number))
    return false;
  finder->is_left[(number - finder->n + 2 * finder->corners.n_corners) / 2] = true;
  return true;
}

/* Returns the share of the step at which a corner is passed, by values at both ends; NaN: it ends within its bounds. */
static double passed_at(const mbs_root_finder *finder, int k) {
  const int first = finder->n - 2 * finder->corners.n_corners + 2 * k;
  for (int i = first; i < first + 2; i++)
    if (mbs_is_beyond(&finder->end[i]))
      return finder->begin[i].value / (finder->begin[i].value - finder->end[i].value);
  return NAN;
}

/* Passes by single corners of a source if all that are passed lie at one place: the error test has seen both sides.
 * Single corners of an argument with unknown rate, such as a velocity, are left to that test, too. */
static void pass_by(const mbs_root_finder *finder, const mbs_corner_source *source) {
  double least = INFINITY;
  double most = -INFINITY;
  for (int k = source->first; k < source->first + source->n; k++) {
    const double at = passed_at(finder, k);
    least = fmin(least, at);
    most = fmax(most, at);
  }
  for (int k = source->first; k < source->first + source->n; k++) {
    const bool is_passed_alone = most - least <= mbs_same_corner && !isnan(passed_at(finder, k));
    const bool is_known = !isnan(finder->corner_seen[k].rate);
    finder->passes_by[k] = finder->is_left[k] || (finder->corner_seen[k].is_single && (!is_known || is_passed_alone));
  }
}

void mbs_root_finder_pass_by(const mbs_root_finder *finder) {
  for (int i = 0; i < finder->corners.n; i++)
    pass_by(finder, &finder->corners.source[i]);
}
