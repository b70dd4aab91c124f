/* Two groups with one quantity each: the value of a variable; and an input of a part. At a port, a part receives as
 * input a quantity of the mechanism from which it was cut. */
#include "mbs/model/workspace.h"

static void find_variable(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int variable,
                          double *values) {
  const double *z = along == NULL ? state->z : along->z;
  *values = z != NULL ? z[ws->model->laws.first_state + variable] : 0;
}

static const mbs_quantity_group variable_itself = {
    .n = 1, .row = {{"", NULL, "variable of an equation"}}, .is_usual = true, .find = find_variable};
const mbs_quantity_group *const mbs_quantities_of_variable[] = {&variable_itself, NULL};

static void find_input(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int port,
                       double *values) {
  (void)state;
  if (along == NULL)
    *values = ws->frames[mbs_frame_of_port(ws->model, port)].x;
  else
    *values = along->inputs != NULL ? along->inputs[port] : 0;
}

static const mbs_quantity_group input_itself = {
    .n = 1, .row = {{"", "", "what the part receives"}}, .needs = MBS_FRAMES, .find = find_input};
const mbs_quantity_group *const mbs_quantities_of_input[] = {&input_itself, NULL};
