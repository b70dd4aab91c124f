/* Hard contacts in the stabilised index-2 form of ggl.c. Each contact has three unknowns, λ_N, λ_T and μ_N, at the end
 * of y. */
#ifndef MBS_GGL_CONTACTS_H
#define MBS_GGL_CONTACTS_H

#include "mbs/model/workspace.h"
#include "solvers/pattern.h"

enum { MBS_GGL_NORMAL, MBS_GGL_TANGENTIAL, MBS_GGL_MU, MBS_GGL_OF_CONTACT };

/* mbs_ggl_n_of_contacts() returns the number of unknowns λ_N, λ_T and μ_N of all contacts. mbs_ggl_first_of_contacts()
 * returns the index of the first of them in y. */
static inline int mbs_ggl_n_of_contacts(const mbs_model *model) { return MBS_GGL_OF_CONTACT * model->n_hard; }
static inline int mbs_ggl_first_of_contacts(const mbs_model *model) {
  return (int)mbs_n_controlled(model) + 2 * model->n_rows;
}

/* Adds the terms of contacts in f(y) to out; frames must be in the workspace, modes in z. Returns the power that
 * friction dissipates, and the power that hard cables with prescribed free lengths supply to the mechanism. */
mbs_power mbs_ggl_add_contacts(const mbs_workspace *ws, const double *y, const double *z, double *out);
/* Adds the terms of contacts in ∂f/∂y; their pattern is the same in all modes. */
void mbs_ggl_add_contact_entries(seam_pattern *s, const mbs_workspace *ws, const double *y, const double *z);

#endif
