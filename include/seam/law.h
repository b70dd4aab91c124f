/** @file
 * Laws: scalar functions of one or two variables with exact derivatives, given to force elements and joints. */
#ifndef SEAM_LAW_H
#define SEAM_LAW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value and derivatives of a law f(x0, x1). A law of one variable leaves the rest zero. */
typedef struct seam_jet {
  double value;
  double d[2];  /**< ∂f/∂x0, ∂f/∂x1 */
  double dd[3]; /**< ∂²f/∂x0², ∂²f/∂x0∂x1, ∂²f/∂x1² */
} seam_jet;

/** Time at which a law of time is not smooth: its value or a derivative jumps, or bends without a derivative. */
typedef struct seam_kink {
  double before; /**< s, the last time before it */
  double at;     /**< s, the first time after it; infinite: there is none */
} seam_kink;

/** An argument that decides which piece of a law is in force: of a table, a condition, abs, floor, min or max. The law
 * is smooth as long as the argument stays between its bounds; nothing ends at one that is infinite. */
typedef struct seam_corner {
  double value;
  double rate;  /**< along the direction that was asked for; NaN: unknown */
  double noise; /**< of the value: its rounding */
  double below, above;
  double resolve; /**< largest change of the value in a step, where the law is steep in it; infinite: any */
  bool is_single; /**< one place alone divides its law in two, as that of abs: a step that begins on one side and ends
                       on the other has seen both */
} seam_corner;

/** A law with its data. All functions are pure: they may be called from several threads at once.
 * `next_kink` is optional (NULL: unknown) and used of laws of time, x0 = t: the first kink with `at` > t. Integrators
 * end a step at each kink and see the law from the side on which the step is. A kink where there is none does no harm.
 * The function that takes a law by value owns its data from then on and calls `destroy` (unless NULL) once. */
typedef struct seam_law {
  double (*value)(const void *data, const double x[2]);
  void (*jet)(const void *data, const double x[2], seam_jet *out);
  void (*destroy)(void *data);
  void *data;
  seam_kink (*next_kink)(const void *data, double t);
  bool has_kinks; /**< it jumps or bends for some x0, x1, as far as is known; false: smooth, or unknown */
  double period;  /**< f(x0 + period, x1) = f(x0, x1): its effect over many is exact; 0: none, or unknown */
  unsigned long long identity; /**< equal of equal laws, other of others: an image of a model with another law is
                                  refused by it; 0: unknown, then value and derivatives at 0 count */
  /** Its corners (n_corners) at (x0, x1), which moves along dx, for laws that do not depend on time: integrators end a
   * step where one is passed, but for a single one on which both sides of a step differ. An argument at a bound is on
   * the side that its rate leads to. 0: there are none, or they are unknown. */
  void (*corners)(const void *data, const double *x, const double *dx, seam_corner *corners);
  size_t n_corners;
} seam_law;

#ifdef __cplusplus
}
#endif
#endif
