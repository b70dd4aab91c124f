/* Input of a part: the quantity of the whole at a port. */
#include "mbs/model/quantity.h"
#include "mbs/model/workspace.h"

static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int port,
                 double *values) {
  (void)state;
  if (along == NULL)
    *values = ws->frames[mbs_frame_of_port(ws->model, port)].x;
  else
    *values = along->inputs != NULL ? along->inputs[port] : 0;
}

static const mbs_quantity_group itself = {
    .n = 1, .row = {{"", "", "what the part receives"}}, .needs = MBS_FRAMES, .find = find};
const mbs_quantity_group *const mbs_quantities_of_input[] = {&itself, NULL};
