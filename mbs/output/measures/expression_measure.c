/* A measure that is a function of quantities, or another name for one quantity. */
#include "mbs/output/readout.h"

static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                 double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const mbs_function *function = &measure->function;
  mbs_read_evaluated(measure->inputs, ws, state, NULL, ws->inputs);
  if (along == NULL) {
    *values = function->value != NULL ? function->value(function->data, ws->inputs) : ws->inputs[0];
    return;
  }
  mbs_read_evaluated(measure->inputs, ws, state, along, ws->input_changes);
  *values =
      function->value != NULL ? function->change(function->data, ws->inputs, ws->input_changes) : ws->input_changes[0];
}

static const mbs_quantity_group result = {
    .n = 1, .row = {{"", NULL, "function of other quantities"}}, .is_usual = true, .find = find};
static const mbs_quantity_group *const quantities[] = {&result, NULL};

const mbs_measure_type mbs_measured_expression = {.has_function = true, .quantities = quantities};
