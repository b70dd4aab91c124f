/** @file
 * Plane curves, fixed on bodies by the joints and contacts that name them: cams, roads, slots. A curve is constant; its
 * place in the mechanism is that of the marker at[0] of the element, so that several elements may share one.
 * docs/theory.md has the equations. Misuse: see <seam/status.h>. */
#ifndef SEAM_CURVES_H
#define SEAM_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>
#include <seam/mbs.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_curves Curves
 * @{ */

typedef struct mbs_curve_def {
  int cookie;
  const char *name;    /**< unlike those of other curves */
  seam_law x, y;       /**< m, of the parameter s = x0; pure, with jet(); kinks that next_kink() knows are corners */
  double from, to;     /**< range of s, from < to */
  bool is_closed;      /**< it ends where it begins */
  const double *knots; /**< (n_knots) s, ascending, at which a derivative up to the third may jump; copied */
  size_t n_knots;
} mbs_curve_def;

SEAM_PUBLIC mbs_curve_def mbs_default_curve_def(void);

/** Adds a curve, before the elements that name it. Its laws are owned by the builder as those of mbs_add_joint().
 * SEAM_BAD_INPUT where it is not finite, has no direction somewhere, crosses itself, or is closed and does not close.
 */
SEAM_PUBLIC seam_status mbs_add_curve(mbs_builder *builder, const mbs_curve_def *def, seam_error *error);

/** Range of s, and true if the curve is closed. NaN and false for one that does not exist. */
SEAM_PUBLIC bool mbs_curve_range(const mbs_model *model, size_t curve, double range[2]);
/** Place at s within the range, m, in the frame of whatever carries the curve, its first, second and third derivative
 * by s (2 each; NULL skips). NaN elsewhere. */
SEAM_PUBLIC void mbs_curve_at(const mbs_model *model, size_t curve, double s, double place[2], double d[2],
                              double dd[2], double ddd[2]);
/** Signed distance of a place from a curve, m: positive on its left, and the parameter s of the nearest point (may be
 * NULL). NaN for what does not exist. */
SEAM_PUBLIC double mbs_curve_distance(const mbs_model *model, size_t curve, const double place[2], double *s);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
