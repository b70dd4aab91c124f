/* A function of other quantities, or another name for one. */
#include "mbs/readout.h"

static void read(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  mbs_read_at_hand(measure->inputs, ws, state, ws->inputs);
  *values =
      measure->function.value != NULL ? measure->function.value(measure->function.data, ws->inputs) : ws->inputs[0];
}

static void change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                   double *changes) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  mbs_read_at_hand(measure->inputs, ws, state, ws->inputs);
  mbs_change_at_hand(measure->inputs, ws, state, along, ws->input_changes);
  *changes = measure->function.value != NULL
                 ? measure->function.change(measure->function.data, ws->inputs, ws->input_changes)
                 : ws->input_changes[0];
}

static const mbs_quantity_group result = {
    .n = 1, .row = {{"", NULL, "function of other quantities"}}, .is_usual = true, .read = read, .change = change};
static const mbs_quantity_group *const quantities[] = {&result, NULL};

const mbs_measure_type mbs_measured_expression = {.has_function = true, .quantities = quantities};
