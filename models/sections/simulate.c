/* `simulate:` how long and how accurately. */
#include <string.h>

#include "models/reader.h"

enum { END, OUTPUT_STEP, INTEGRATOR, ORDER, RTOL, ATOL, STEP, LARGEST_STEP, N_KEYS };

static const map_key keys[N_KEYS] = {
    [END] = {"end", true},
    [OUTPUT_STEP] = {"output_step", false},
    [INTEGRATOR] = {"integrator", false},
    [ORDER] = {"order", false},
    [RTOL] = {"rtol", false},
    [ATOL] = {"atol", false},
    [STEP] = {"step", false},
    [LARGEST_STEP] = {"largest_step", false},
};

#define NAME(name, steps) #name,
const char *const simulate_methods[SIMULATE_N_METHODS] = {MBS_METHOD_TABLE(NAME)};
#undef NAME

seam_status simulate_read_order(reader *r, yaml_node *value, int *order) {
  double number = 0;
  const seam_status status = reader_number(r, value, ANY_NUMBER, &number);
  if (status == SEAM_OK && number != 4 && number != 5 && number != 8)
    return reader_fail(r, value, NULL, "'order' in %s must be 4, 5 or 8, but is %.6g", r->subject, number);
  *order = (int)number;
  return status;
}

static seam_status read_method(reader *r, yaml_node *const *values, mbs_integrator_options *options) {
  seam_status status = SEAM_OK;
  if (values[INTEGRATOR] != NULL) {
    size_t chosen = 0;
    status = reader_keyword(r, values[INTEGRATOR], simulate_methods, SIMULATE_N_METHODS, &chosen);
    options->method = simulate_methods[chosen];
  }
  return status == SEAM_OK && values[ORDER] != NULL ? simulate_read_order(r, values[ORDER], &options->order) : status;
}

static seam_status read_steps(reader *r, yaml_node *const *values, mbs_integrator_options *options) {
  seam_status status = SEAM_OK;
  yaml_node *step = values[STEP];
  if (step != NULL && step->text != NULL && strcmp(step->text, "adaptive") == 0)
    options->step = 0;
  else if (step != NULL)
    status = reader_number(r, step, POSITIVE, &options->step);
  if (status == SEAM_OK && values[RTOL] != NULL)
    status = reader_number(r, values[RTOL], POSITIVE, &options->rtol);
  if (status == SEAM_OK && values[ATOL] != NULL)
    status = reader_number(r, values[ATOL], POSITIVE, &options->atol);
  return status == SEAM_OK && values[LARGEST_STEP] != NULL
             ? reader_number(r, values[LARGEST_STEP], POSITIVE, &options->largest_step)
             : status;
}

seam_status simulate_read(reader *r) {
  yaml_node *section = yaml_get(r->root, "simulate");
  if (section == NULL)
    return SEAM_OK;
  seam_simulation *simulation = &r->result->simulation;
  yaml_node *values[N_KEYS];
  reader_set_subject(r, "simulate", NULL);
  seam_status status = reader_take_map(r, section, keys, N_KEYS, values);
  if (status == SEAM_OK)
    status = reader_number(r, values[END], POSITIVE, &simulation->end);
  if (status != SEAM_OK)
    return status;
  simulation->output_step = simulation->end / 1000;
  simulation->integrator.largest_step = simulation->end / 100; /* laws that cannot be searched for kinks */
  if (values[OUTPUT_STEP] != NULL)
    status = reader_number(r, values[OUTPUT_STEP], POSITIVE, &simulation->output_step);
  if (status == SEAM_OK)
    status = read_method(r, values, &simulation->integrator);
  return status != SEAM_OK ? status : read_steps(r, values, &simulation->integrator);
}
