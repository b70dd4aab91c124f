/* What variables offer: themselves. */
#include "mbs/quantity.h"
#include "mbs/workspace.h"

static void read(const mbs_workspace *ws, const mbs_state *state, int variable, double *values) {
  *values = state->z[ws->model->laws.first_state + variable];
}

static void change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int variable,
                   double *changes) {
  (void)state;
  *changes = along->z != NULL ? along->z[ws->model->laws.first_state + variable] : 0;
}

static const mbs_quantity_group itself = {
    .n = 1, .row = {{"", NULL, "variable of an equation"}}, .is_usual = true, .read = read, .change = change};
const mbs_quantity_group *const mbs_quantities_of_variable[] = {&itself, NULL};
