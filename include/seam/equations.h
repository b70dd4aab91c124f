/** @file
 * Equations that drive a mechanism beside its own elements: laws that are functions of any quantities, and variables
 * with equations of their own (controllers, motors, hydraulics).
 *
 *   load of a force element   F  = f(x)
 *   variable                  z' = f(x),   or at the times k T of a sampled one   z⁺ = f(x)
 *
 * where x are quantities (<seam/measures.h>): coordinates, measures, variables, reactions. Intermediate values, inputs
 * and outputs of such equations are measures that are expressions. Equations, with their sources: mbs/model/laws.h and
 * docs/theory.md. */
#ifndef SEAM_EQUATIONS_H
#define SEAM_EQUATIONS_H

#include <seam/measures.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_laws Laws of quantities
 * Added to a builder after the quantities that they name.
 * @{ */

typedef struct mbs_law_def {
  int cookie;
  const char *force;         /**< force element that was added without a law: force, torque, spring_damper, torsion,
                                hydraulic_cylinder */
  int component;             /**< 0; 1: the y component of a force */
  const char *const *inputs; /**< (n_inputs) names of the quantities that are x; accelerations and reactions are
                                solved for together with the law */
  size_t n_inputs;
  mbs_function function; /**< value as of the element's own law: N, positive pulls; Nm; place of the spool */
} mbs_law_def;

SEAM_PUBLIC mbs_law_def mbs_default_law_def(void);

/** The function in `def` is owned by the builder whatever the result, but where `def` is not initialised or an argument
 * is NULL. SEAM_BAD_INPUT: the element takes no such law or has one, a quantity is unknown, or is the load of an
 * element that has such a law itself. */
SEAM_PUBLIC seam_status mbs_add_law(mbs_builder *builder, const mbs_law_def *def, seam_error *error);
/** @} */

/** @defgroup mbs_variables Variables
 * @{ */

typedef struct mbs_variable_def {
  int cookie;
  const char *name; /**< unlike those of bodies, joints, force elements and measures; may have a point: "motor.i" */
  double start;     /**< at time 0 */
  double sample;    /**< s: period T, > 0; 0: continuous */
  double nominal;   /**< its usual size, > 0: error control compares with it; 0 (default): as mbs_state_info says */
  const char *unit; /**< NULL: "" */
  bool is_input;    /**< set from outside, as inputs of FMUs are */
} mbs_variable_def;

SEAM_PUBLIC mbs_variable_def mbs_default_variable_def(void);

/** A variable is a quantity of its own name, and one of the states of the model behind those of force elements. */
SEAM_PUBLIC seam_status mbs_add_variable(mbs_builder *builder, const mbs_variable_def *def, seam_error *error);
/** Sets its rate, or next value: a variable without one stays as it is. Rules for function and inputs are those of
 * mbs_add_law(). Sampled variables of one period change at once, all by the values before; where periods meet, in the
 * order in which variables were added. */
SEAM_PUBLIC seam_status mbs_set_rate(mbs_builder *builder, const char *variable, const char *const *inputs,
                                     size_t n_inputs, const mbs_function *function, seam_error *error);

SEAM_PUBLIC size_t mbs_n_variables(const mbs_model *model);
typedef struct mbs_variable_info {
  const char *name; /**< NULL: there is no such variable */
  double sample;    /**< s, its period; 0: it is continuous */
  bool is_input;    /**< set from outside */
  size_t state;     /**< its number among the states of the model (mbs_n_states()) */
} mbs_variable_info;
SEAM_PUBLIC mbs_variable_info mbs_variable_of(const mbs_model *model, size_t variable);
/** SEAM_NONE when there is no such variable. */
SEAM_PUBLIC size_t mbs_find_variable(const mbs_model *model, const char *name);
/** Rate of a variable at a state with its a and lambda (mbs_evaluate()); of a sampled one its value after a sample
 * there. NaN for a variable that does not exist. */
SEAM_PUBLIC double mbs_variable_rate(mbs_workspace *workspace, const mbs_state *state, size_t variable);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
