/* Response of a part to its inputs, identified from its past steps. It replaces derivatives that a part does not give.
 *
 * All macro steps are equal. y(n) are the outputs at macro point n. Over the step that begins there, the inputs are the
 * polynomials Σ c_m(n) τ^m, with the values u(n) at the end of this step. If the part is linear, and its states follow
 * from its last `lags` outputs, constant matrices A_l, B_lm, E and a vector e exist such that
 *
 *   y(n+1) = Σ_l A_l y(n-l) + Σ_l Σ_m B_lm c_m(n-l) + E u(n-lags) + e,     l = 0 .. lags-1.
 *
 * B_0m is the result: the derivative of the outputs at the end of a step by the coefficient of τ^m. Recursive least
 * squares in square-root form ([Golub-Van Loan] 6.5) find the matrices: every step adds one equation to an upper
 * triangle by rotations. Smooth inputs do not separate B_0m from the other matrices; therefore small random excitations
 * are added. */
#ifndef COSIM_IDENTIFY_H
#define COSIM_IDENTIFY_H

#include "cosim/parts/part.h"

typedef struct cosim_identifier cosim_identifier;

/* Creates an identifier for holds up to degree `order`; does not read def->alpha. NULL: no memory. */
cosim_identifier *cosim_identifier_create(int n_inputs, int n_outputs, int order, const cosim_model_based_def *def);
void cosim_identifier_destroy(cosim_identifier *self);

/* Forgets all steps and starts to learn again. */
void cosim_identifier_start(cosim_identifier *self);
/* While learning, adds an excitation to the inputs (n_inputs, of one piece) before a step. */
void cosim_identifier_excite(cosim_identifier *self, cosim_signal *inputs);
/* Receives the inputs over a step of length H and the outputs at its end. Learns from the step or, once identified,
 * checks the predicted outputs. Starts again if H differs from the length of the steps before. */
void cosim_identifier_observe(cosim_identifier *self, double H, const cosim_signal *inputs, const double *outputs);

/* Returns true if the derivatives are identified. A prediction with a larger error than the tolerance drops them. */
bool cosim_identifier_is_identified(const cosim_identifier *self);
bool cosim_identifier_learns(const cosim_identifier *self);
/* Returns the derivative of an output at the end of a step by the coefficient of τ^power of an input; 0: the excitation
 * changes the output too little to identify this derivative. */
double cosim_identifier_derivative(const cosim_identifier *self, int output, int input, int power);
/* Returns the relative error of the last step's prediction; INFINITY: no prediction was possible. */
double cosim_identifier_prediction_error(const cosim_identifier *self);

size_t cosim_identifier_n_state(const cosim_identifier *self);
void cosim_identifier_copy_state(cosim_identifier *self, cosim_image *image);

#endif
