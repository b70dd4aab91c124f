/** @file
 * Laws of force elements and joints: scalar functions of one or two variables with exact derivatives. */
#ifndef SEAM_LAW_H
#define SEAM_LAW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value and derivatives of a law f(x0, x1). A law of one variable leaves derivatives by x1 zero. */
typedef struct seam_jet {
  double value;
  double d[2];  /**< ∂f/∂x0, ∂f/∂x1 */
  double dd[3]; /**< ∂²f/∂x0², ∂²f/∂x0∂x1, ∂²f/∂x1² */
} seam_jet;

/** Time at which a law of time is not smooth: its value or a derivative jumps. */
typedef struct seam_kink {
  double before; /**< s, last floating-point number before the kink */
  double at;     /**< s, first number after the kink; infinite: no kink */
} seam_kink;

/** Argument of a table, a condition, abs, floor, min or max inside a law. Its value selects the smooth piece of the
 * law: the law is smooth while the value stays between `below` and `above`, the nearest corners. A corner is a value at
 * which the law is not smooth. An infinite bound is never reached. */
typedef struct seam_corner {
  double value;
  double rate;  /**< rate of the argument while x changes at the rate dx (seam_law.corners); NaN: unknown */
  double noise; /**< round-off error of the argument's value */
  double below, above;
  double resolve; /**< largest change of the value that one step may make where the law is steep; infinite: no limit */
  bool is_single; /**< the law has one corner in this argument, like abs. If `rate` is unknown, a step may cross the
                     corner once, because the error test of the step detects the crossing */
} seam_corner;

/** A law with its data. All functions are pure and may be called from several threads at once. `next_kink` (NULL:
 * unknown) is for laws of time, x0 = t, and returns the first kink with `at` > t. Integrators end a step at each kink;
 * within a step they evaluate the law on the step's side of the kink. A kink reported where the law is smooth is
 * harmless. A function that takes a law by value owns its data and calls `destroy` (unless NULL) once. */
typedef struct seam_law {
  double (*value)(const void *data, const double x[2]);
  void (*jet)(const void *data, const double x[2], seam_jet *out);
  void (*destroy)(void *data);
  void *data;
  seam_kink (*next_kink)(const void *data, double t);
  bool has_kinks; /**< the law or its slope jumps at some x0, x1; false: smooth, or unknown */
  double period;  /**< f(x0 + period, x1) = f(x0, x1); integrals over many periods use it; 0: none, or unknown */
  unsigned long long identity; /**< equal only for equal laws; images of models with another identity are refused; 0:
                                  unknown, the value and derivatives at 0 are compared instead */
  /** For laws that do not depend on time: fills the corners (n_corners) at x = (x0, x1), which changes at the rate dx.
   * Integrators end a step where the argument passes a bound. An argument at a bound is on the side to which its rate
   * leads. n_corners 0: none, or unknown. */
  void (*corners)(const void *data, const double *x, const double *dx, seam_corner *corners);
  size_t n_corners;
} seam_law;

#ifdef __cplusplus
}
#endif
#endif
