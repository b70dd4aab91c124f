/** @file
 * Equations added to a mechanism: laws of force elements that depend on any quantities, and variables with their own
 * equations (controllers, motors, hydraulics).
 *
 *   load of a force element   F  = f(x)
 *   variable                  z' = f(x);   sampled variable, at the times k T   z⁺ = f(x)
 *
 * x are quantities (<seam/measures.h>): coordinates, measures, variables, reactions. Intermediate values, inputs and
 * outputs are measures of the kind expression. Equations and sources: mbs/model/laws.h and docs/theory.md. */
#ifndef SEAM_EQUATIONS_H
#define SEAM_EQUATIONS_H

#include <seam/measures.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_laws Laws of quantities
 * Laws are added to a builder after the quantities that they name.
 * @{ */

typedef struct mbs_law_def {
  int cookie;
  const char *force;         /**< force element added with law_is_state_dependent (mbs_force_def) */
  int component;             /**< 0; force: 0 is the x component, 1 the y component */
  const char *const *inputs; /**< (n_inputs) names of the quantities x. If accelerations or reactions are among them,
                                the law is solved together with the equations of motion */
  size_t n_inputs;
  mbs_function function; /**< value as in the element's own law: N (positive pulls), Nm, or spool position */
} mbs_law_def;

SEAM_PUBLIC mbs_law_def mbs_default_law_def(void);

/** Adds a law. The builder takes ownership of the function in `def`, also on failure. It does not if `def` is not
 * initialised or an argument is NULL. SEAM_BAD_INPUT: the element is unknown, has no such component, or already has a
 * law; a quantity is unknown, or is the load of an element with a law of quantities. */
SEAM_PUBLIC seam_status mbs_add_law(mbs_builder *builder, const mbs_law_def *def, seam_error *error);
/** @} */

/** @defgroup mbs_variables Variables
 * @{ */

typedef struct mbs_variable_def {
  int cookie;
  const char *name; /**< unique among bodies, joints, force elements and measures; may contain a dot: "motor.i" */
  double start;     /**< value at t = 0 */
  double sample;    /**< s: period T, > 0; 0: continuous */
  double nominal;   /**< usual size for error control, > 0; 0 (default): see mbs_state_info */
  const char *unit; /**< NULL: "" */
  bool is_input;    /**< set from outside during a run, as inputs of FMUs are */
} mbs_variable_def;

SEAM_PUBLIC mbs_variable_def mbs_default_variable_def(void);

/** Adds a variable: a quantity with its name, and a state of the model, numbered after those of force elements. */
SEAM_PUBLIC seam_status mbs_add_variable(mbs_builder *builder, const mbs_variable_def *def, seam_error *error);
/** Sets f, the rate of a continuous variable or the next value of a sampled variable. A variable without f is constant.
 * Function and inputs follow the rules of mbs_add_law(). Sampled variables of one period change together, and their
 * functions read the values before the sample. Samples of different periods at one time are taken in the order in which
 * their variables were added. */
SEAM_PUBLIC seam_status mbs_set_rate(mbs_builder *builder, const char *variable, const char *const *inputs,
                                     size_t n_inputs, const mbs_function *function, seam_error *error);

SEAM_PUBLIC size_t mbs_n_variables(const mbs_model *model);
typedef struct mbs_variable_info {
  const char *name; /**< NULL: there is no such variable */
  double sample;    /**< s, period; 0: continuous */
  bool is_input;    /**< set from outside during a run */
  size_t state;     /**< number among the states of the model (mbs_n_states()) */
} mbs_variable_info;
SEAM_PUBLIC mbs_variable_info mbs_variable_of(const mbs_model *model, size_t variable);
/** Returns the number of a variable; SEAM_NONE: no such variable. */
SEAM_PUBLIC size_t mbs_find_variable(const mbs_model *model, const char *name);
/** Returns the rate of a variable at a state whose a and lambda are evaluated (mbs_evaluate()); for a sampled variable,
 * the value that a sample at this state would give. NaN: no such variable. */
SEAM_PUBLIC double mbs_variable_rate(mbs_workspace *workspace, const mbs_state *state, size_t variable);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
