/* Coefficients of explicit Runge-Kutta methods. */
#ifndef SOLVERS_TABLEAU_H
#define SOLVERS_TABLEAU_H

#include <stdbool.h>

enum { SEAM_MAX_STAGES = 13 };

/* k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y₁ = y + h Σ b_i k_i; of lower order: y + h Σ d_i k_i. */
typedef struct seam_tableau {
  const char *name;
  int n_stages;
  int n_sum;         /* stages that the end is made of; those after them serve the estimate alone */
  int control_order; /* h Σ (b_i - d_i) k_i = O(h ^ control_order); 0: no estimate */
  bool blind_to_time;
  double A[SEAM_MAX_STAGES][SEAM_MAX_STAGES], c[SEAM_MAX_STAGES], b[SEAM_MAX_STAGES], d[SEAM_MAX_STAGES];
} seam_tableau;

/* By name: "euler", "rk2", "rk4" (without an estimate); "erk4", "erk5", "erk8". NULL: there is none; static storage. */
const seam_tableau *seam_tableau_of(const char *name);

#endif
