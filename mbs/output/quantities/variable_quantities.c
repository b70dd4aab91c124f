/* The value of a variable. */
#include "mbs/model/quantity.h"
#include "mbs/model/workspace.h"

static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int variable,
                 double *values) {
  const double *z = along == NULL ? state->z : along->z;
  *values = z != NULL ? z[ws->model->laws.first_state + variable] : 0;
}

static const mbs_quantity_group itself = {
    .n = 1, .row = {{"", NULL, "variable of an equation"}}, .is_usual = true, .find = find};
const mbs_quantity_group *const mbs_quantities_of_variable[] = {&itself, NULL};
