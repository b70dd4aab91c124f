/* Corners within the steps of an integrator, as switching functions: two for each, how far its argument is from the
 * bounds that it has where the step begins. */
#include <math.h>

#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/modes.h"
#include "mbs/thresholds.h"

void mbs_watcher_read_row(mbs_watcher *watcher, const mbs_watched_row *row, mbs_workspace *ws, const mbs_state *state,
                          bool has_forces, mbs_switch *f) {
  const mbs_corner_source *source = row->corners;
  const seam_corner *at = watcher->corner + source->first;
  const mbs_bounds *bounds = watcher->bounds + source->first;
  mbs_corners_read(&watcher->corners, source, ws, state, has_forces, watcher->corner + source->first);
  for (int k = 0; k < source->n; k++) {
    f[row->first + 2 * k] = (mbs_switch){at[k].value - bounds[k].below, at[k].rate, at[k].noise};
    f[row->first + 2 * k + 1] = (mbs_switch){bounds[k].above - at[k].value, -at[k].rate, at[k].noise};
  }
}

void mbs_watcher_read_corners(mbs_watcher *watcher, mbs_workspace *ws, const mbs_state *state, const bool *wanted,
                              bool has_forces, mbs_switch *f) {
  for (int i = watcher->n_rows - watcher->corners.n; i < watcher->n_rows; i++)
    if (wanted == NULL || wanted[i])
      mbs_watcher_read_row(watcher, &watcher->rows[i], ws, state, has_forces, f);
}

void mbs_watcher_keep_corners(mbs_watcher *watcher) {
  for (int k = 0; k < watcher->corners.n_corners; k++)
    watcher->corner_seen[k] = watcher->corner[k];
}

/* A step begins between the bounds that corners have there. */
void mbs_watcher_take_bounds(mbs_watcher *watcher) {
  const int first = watcher->n - 2 * watcher->corners.n_corners;
  for (int k = 0; k < watcher->corners.n_corners; k++) {
    const seam_corner *at = &watcher->corner_seen[k];
    watcher->bounds[k] = (mbs_bounds){at->below, at->above};
    watcher->begin[first + 2 * k].value = at->value - at->below;
    watcher->begin[first + 2 * k + 1].value = at->above - at->value;
  }
}

bool mbs_is_corner(const mbs_watcher *watcher, int number) {
  return number >= watcher->n - 2 * watcher->corners.n_corners;
}

bool mbs_watcher_leave(mbs_watcher *watcher, int number) {
  if (!mbs_is_corner(watcher, number))
    return false;
  watcher->is_left[(number - watcher->n + 2 * watcher->corners.n_corners) / 2] = true;
  return true;
}

/* Share of the step at which a corner is passed by its values at both ends; NaN: on both it is within its bounds. */
static double passed_at(const mbs_watcher *watcher, int k) {
  const int first = watcher->n - 2 * watcher->corners.n_corners + 2 * k;
  for (int i = first; i < first + 2; i++)
    if (mbs_is_beyond(&watcher->end[i]))
      return watcher->begin[i].value / (watcher->begin[i].value - watcher->end[i].value);
  return NAN;
}

/* Single corners of one source that are passed at the same place, and no other one: the error test has seen both sides.
 * Where the rate of an argument is not known, as that of a velocity, single corners are left to that test, too. */
static void pass_by(const mbs_watcher *watcher, const mbs_corner_source *source) {
  double least = INFINITY;
  double most = -INFINITY;
  for (int k = source->first; k < source->first + source->n; k++) {
    const double at = passed_at(watcher, k);
    least = fmin(least, at);
    most = fmax(most, at);
  }
  for (int k = source->first; k < source->first + source->n; k++) {
    const bool is_passed_alone = most - least <= mbs_same_corner && !isnan(passed_at(watcher, k));
    const bool is_known = !isnan(watcher->corner_seen[k].rate);
    watcher->passes_by[k] =
        watcher->is_left[k] || (watcher->corner_seen[k].is_single && (!is_known || is_passed_alone));
  }
}

void mbs_watcher_pass_by(const mbs_watcher *watcher) {
  for (int i = 0; i < watcher->corners.n; i++)
    pass_by(watcher, &watcher->corners.source[i]);
}
