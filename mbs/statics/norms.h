/* Sizes of displacements in the search for equilibria. Vectors have 3n entries, the coordinates of all bodies. */
#ifndef MBS_NORMS_H
#define MBS_NORMS_H

#include <math.h>

#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

/* Returns uᵀ M v. */
static inline double mbs_mass_product(const mbs_model *model, const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    sum += model->mass[3 + i] * u[i] * v[i];
  return sum;
}

/* Returns the largest of |dx|/L, |dy|/L, |dφ| over all bodies, with the size L of the mechanism. */
static inline double mbs_displacement_length(const mbs_model *model, const double *dq) {
  double largest = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    largest = fmax(largest, fabs(dq[i]) / (i % 3 == 2 ? 1 : model->size));
  return largest;
}

/* Sets displaced[b] (n_bodies; may be NULL) to true for bodies that dq moves by more than mbs_neutral_displacement
 * times the largest displacement. Other entries keep their values. */
static inline void mbs_mark_displaced(const mbs_model *model, const double *dq, bool *displaced) {
  const double length = mbs_displacement_length(model, dq);
  for (int i = 0; i < 3 * model->n_bodies && displaced != NULL; i++)
    if (fabs(dq[i]) > mbs_neutral_displacement * length * (i % 3 == 2 ? 1 : model->size))
      displaced[i / 3] = true;
}

/* Returns twice the work, J, of the resultant forces M a between two states, by the trapezoidal rule. */
static inline double mbs_work_of_displacement(const mbs_model *model, const mbs_state *from, const mbs_state *to) {
  double sum = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    sum += model->mass[3 + i] * (from->a[i] + to->a[i]) * (to->q[i] - from->q[i]);
  return sum;
}

/* Returns true if a body is farther from its pose in *start than mbs_equilibrium_farthest, in sizes of the mechanism or
 * rad: the search has no prospect of success. */
static inline bool mbs_has_run_away(const mbs_model *model, const mbs_state *start, const mbs_state *state) {
  for (int i = 0; i < 3 * model->n_bodies; i++)
    if (fabs(state->q[i] - start->q[i]) > mbs_equilibrium_farthest * (i % 3 == 2 ? 1 : model->size))
      return true;
  return false;
}

#endif
