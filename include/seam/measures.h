/** @file
 * Quantities: named numbers with units, functions of a state. Bodies, joints, force elements and the entire mechanism
 * have them ("crank.omega", "spring.force", "energy.total"). Measures are elements that only define quantities: points,
 * distances, sets of bodies, reactions along chosen axes, functions of other quantities.
 *
 * Quantities are exact functions of the state's t, q, v, z, a and lambda, without finite differences.
 * docs/model-file.md lists them, docs/theory.md has the equations. */
#ifndef SEAM_MEASURES_H
#define SEAM_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/mbs.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_measures Measures
 * Measures are added to a builder after the elements that they name.
 * @{ */

/** Arguments of X: kind, its name in words. */
#define MBS_MEASURE_TABLE(X)                                                                                           \
  X(MBS_POINT, point)                                                                                                  \
  X(MBS_BETWEEN, distance)                                                                                             \
  X(MBS_SET, set)                                                                                                      \
  X(MBS_REACTION, reaction)                                                                                            \
  X(MBS_EXPRESSION, expression)

typedef enum mbs_measure_kind {
#define MBS_MEASURE_KIND(kind, name) kind,
  MBS_MEASURE_TABLE(MBS_MEASURE_KIND)
#undef MBS_MEASURE_KIND
      MBS_MEASURE_KINDS
} mbs_measure_kind;

/** Function f(x) of n numbers x. All members are pure: they may be called from several threads at once. `destroy`
 * (unless NULL) is called once. */
typedef struct mbs_function {
  double (*value)(const void *data, const double *x);
  double (*change)(const void *data, const double *x, const double *dx); /**< derivative along dx */
  void (*destroy)(void *data);
  void *data;
  seam_kink (*next_kink)(const void *data, double t); /**< next kink in x[0] = time, as in seam_law; NULL: unknown */
  bool jumps; /**< the value may jump at other points than the times of next_kink */
  /** Returns the largest change, from x to y, of an argument of a periodic function in f, rad; a period is 2 pi. The
   * search for events then divides steps into pieces that are short compared with periods. NULL: none, or unknown. */
  double (*turning)(const void *data, const double *x, const double *y);
  /** Fills the corners (n_corners) as in seam_law, except corners of arguments that depend on time alone. */
  void (*corners)(const void *data, const double *x, const double *dx, seam_corner *corners);
  size_t n_corners;
} mbs_function;

typedef struct mbs_measure_def {
  int cookie;
  const char *name; /**< unique among bodies, joints, force elements and measures */
  mbs_measure_kind kind;
  const char *const *bodies; /**< (n_bodies) point: 1; distance: 2; set: 1 or more, without the ground */
  size_t n_bodies;
  mbs_marker_def at[2];      /**< point: at[0]; distance: a point on each body */
  const char *axes;          /**< point, reaction: body along whose axes the components are taken; NULL: global axes */
  const char *joint;         /**< reaction: name of the joint */
  const char *const *inputs; /**< expression: (n_inputs) names of the quantities x, "element.quantity" */
  size_t n_inputs;
  mbs_function function; /**< expression: f(x) */
  bool is_watched;       /**< expression: figures over a run and its check see each kink and corner of the function */
  const char *unit; /**< unit of an expression; NULL: "" or, if function.value is NULL, the unit of the only input */
} mbs_measure_def;

SEAM_PUBLIC mbs_measure_def mbs_default_measure_def(void);

/** Adds a measure, after the bodies, joints and quantities that it names. SEAM_BAD_INPUT: a name is missing, taken or
 * unknown, or a member does not fit the kind. The builder takes ownership of the function in `def`, also on failure. It
 * does not if `def` is not initialised or an argument is NULL. Without function.value an expression is its only
 * input. */
SEAM_PUBLIC seam_status mbs_add_measure(mbs_builder *builder, const mbs_measure_def *def, seam_error *error);

/** @} */

/** @defgroup seam_statistics Statistics of a quantity over a run
 * @{ */

/** Arguments of X: code, name in the model file. */
#define SEAM_STATISTIC_TABLE(X)                                                                                        \
  X(SEAM_MIN, min)                                                                                                     \
  X(SEAM_MAX, max)                                                                                                     \
  X(SEAM_MEAN, mean)                                                                                                   \
  X(SEAM_INTEGRAL, integral)                                                                                           \
  X(SEAM_RMS, rms)

typedef enum seam_statistic {
#define SEAM_STATISTIC(code, name) code,
  SEAM_STATISTIC_TABLE(SEAM_STATISTIC)
#undef SEAM_STATISTIC
      SEAM_N_STATISTICS
} seam_statistic;
/** @} */

/** @defgroup mbs_quantities Quantities
 * @{ */

/** Kinds of elements that have quantities. */
typedef enum mbs_owner {
  MBS_WHOLE, /**< entire mechanism: element 0 is "time", 1 is "energy" */
  MBS_BODIES,
  MBS_JOINTS,
  MBS_FORCES,
  MBS_MEASURES,
  MBS_VARIABLES, /**< <seam/equations.h> */
  MBS_OWNERS
} mbs_owner;

typedef struct mbs_quantity {
  mbs_owner owner;
  size_t element; /**< number of the body, joint, ... among those of its kind */
  size_t number;  /**< index among the element's quantities */
} mbs_quantity;

typedef struct mbs_quantity_info {
  const char *element; /**< "crank"; NULL: there is no such quantity */
  const char *name;    /**< "omega"; "": the element's only quantity, called by the element's name */
  const char *unit;    /**< "rad/s"; "": not known */
  const char *meaning; /**< meaning in a few words */
  bool is_usual;       /**< it is among the default columns of results */
} mbs_quantity_info;

/** Return the number of elements of a kind, and the number of quantities of an element; 0: it does not exist. */
SEAM_PUBLIC size_t mbs_n_elements(const mbs_model *model, mbs_owner owner);
SEAM_PUBLIC size_t mbs_n_quantities(const mbs_model *model, mbs_owner owner, size_t element);
SEAM_PUBLIC mbs_quantity_info mbs_quantity_of(const mbs_model *model, mbs_quantity quantity);
/** Finds "element.quantity", or the element alone if it has only one. SEAM_BAD_INPUT names the nearest name. */
SEAM_PUBLIC seam_status mbs_find_quantity(const mbs_model *model, const char *name, mbs_quantity *found,
                                          seam_error *error);

/** A constant list of quantities, evaluated together to share intermediate results. Any number of threads may use it,
 * each with its own workspace. The model must outlive the list. */
typedef struct mbs_readout mbs_readout;

/** SEAM_BAD_INPUT: a quantity that does not exist; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_readout_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                           mbs_readout **created, seam_error *error);
SEAM_PUBLIC void mbs_readout_destroy(mbs_readout *readout);
/** Fills values (n) from a state. Its members a and lambda must come from an integrator, mbs_evaluate() or
 * cosim_state_between(). NaN: the state is that of another model. Allocates nothing. */
SEAM_PUBLIC void mbs_read(const mbs_readout *readout, mbs_workspace *workspace, const mbs_state *state, double *values);
/** @} */

/** @defgroup mbs_start Start
 * @{ */

/** Value of a coordinate or rate at the start: x, y, phi, vx, vy, omega of a body; angle, omega, slide, length or rate
 * of a joint; length and rate, angle and omega of a force element between two points. */
typedef struct mbs_prescribed {
  mbs_quantity quantity;
  double value; /**< value in the quantity's unit */
} mbs_prescribed;

/** Assembles as mbs_assemble() does, with n prescribed coordinates and rates. First come the coordinates, with least
 * change of the other coordinates, then the rates, with least change of other velocities. SEAM_BAD_INPUT: a quantity
 * cannot be prescribed. SEAM_NOT_ASSEMBLED: a quantity cannot have its value. The message names it, with the value that
 * joints and other prescribed values give it, or the last value that the search reached. */
SEAM_PUBLIC seam_status mbs_assemble_at(mbs_workspace *workspace, mbs_state *state, const mbs_prescribed *prescribed,
                                        size_t n, mbs_assembly *report, size_t *redundant, seam_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
