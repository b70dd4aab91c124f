/* Hard contacts in the stabilised form of ggl.c. Each has three unknowns after all others: λ_N, λ_T, μ_N. */
#ifndef MBS_GGL_CONTACTS_H
#define MBS_GGL_CONTACTS_H

#include "mbs/model/workspace.h"
#include "solvers/pattern.h"

enum { MBS_GGL_NORMAL, MBS_GGL_TANGENTIAL, MBS_GGL_MU, MBS_GGL_OF_CONTACT };

/* The first function returns the number of the contacts' unknowns, the second the index of the first one. */
static inline int mbs_ggl_n_of_contacts(const mbs_model *model) { return MBS_GGL_OF_CONTACT * model->n_hard; }
static inline int mbs_ggl_first_of_contacts(const mbs_model *model) {
  return (int)mbs_n_controlled(model) + 2 * model->n_rows;
}

/* Returns 1 if unknown i of the contacts counts as a rate, 2 if it counts as an acceleration; see `rates` of
 * seam_dae. */
int mbs_ggl_rates_of_contact(int i);

/* Returns the power that driven lengths of hard cables put in, W, after mbs_ggl_add_contacts(). */
double mbs_ggl_drive_of_contacts(const mbs_workspace *ws, const double *y);
/* Adds the contacts' part of f(y) to out; frames must be in the workspace, modes in z. Returns the power that friction
 * dissipates, W. */
double mbs_ggl_add_contacts(const mbs_workspace *ws, const double *y, const double *z, double *out);
/* Adds the contacts' entries of ∂f/∂y; the pattern is the same in all modes. */
void mbs_ggl_add_contact_entries(seam_pattern *s, const mbs_workspace *ws, const double *y, const double *z);

#endif
