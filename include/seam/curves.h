/** @file
 * Plane curves (cams, roads, slots), fixed on bodies by the joints and contacts that name them. A curve is given in the
 * frame of the element's marker at[0]; several elements may share it. docs/theory.md has the equations. Misuse: see
 * <seam/status.h>. */
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
  const char *name; /**< unique among curves */
  seam_law x, y;    /**< m, functions of the parameter s = x0; pure, with jet(); next_kink() returns the s of kinks */
  double from, to;  /**< range of s, from < to */
  bool is_closed;   /**< the curve ends at its beginning */
  const double *knots; /**< (n_knots) ascending s at which a derivative up to the third may jump; copied */
  size_t n_knots;
} mbs_curve_def;

SEAM_PUBLIC mbs_curve_def mbs_default_curve_def(void);

/** Adds a curve, before the elements that name it. Ownership of its laws: as in mbs_add_joint(). SEAM_BAD_INPUT: the
 * curve is not finite, has a point without direction, crosses itself, or is_closed and does not close. */
SEAM_PUBLIC seam_status mbs_add_curve(mbs_builder *builder, const mbs_curve_def *def, seam_error *error);

/** Fills the range of s and returns true if the curve is closed; NaN and false: no such curve. */
SEAM_PUBLIC bool mbs_curve_range(const mbs_model *model, size_t curve, double range[2]);
/** Fills the point at s, m, in the curve's frame. Also fills its first to third derivatives by s (2 each; NULL: not
 * wanted). NaN: s is outside the range. */
SEAM_PUBLIC void mbs_curve_at(const mbs_model *model, size_t curve, double s, double place[2], double d[2],
                              double dd[2], double ddd[2]);
/** Returns the distance of a point from a curve, m. It is positive on the left of the curve. Writes to *s (NULL: not
 * wanted) the parameter of the nearest point of the curve. NaN: no such curve. */
SEAM_PUBLIC double mbs_curve_distance(const mbs_model *model, size_t curve, const double place[2], double *s);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
