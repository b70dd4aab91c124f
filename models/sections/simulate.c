/* `simulate:` duration, output and accuracy of a run. */
#include <string.h>

#include "models/reader.h"

enum { END, OUTPUT_STEP, INTEGRATOR, LARGEST_STEP = INTEGRATOR + N_INTEGRATOR_KEYS, BOUNDS, N_KEYS };

#define NAME(name, steps) #name,
const form form_integrator = {FORM_ONE_OF(MBS_METHOD_TABLE(NAME))};
#undef NAME

const form form_order = {.kind = FORM_COUNT, .least = 4, .most = 8};

static const form form_adaptive = {FORM_ONE_OF("adaptive")};
const form form_step = {FORM_ANY_OF(&form_positive, &form_adaptive)};

enum { ACCURATE, ROUGH, ENERGY, CONSTRAINTS, N_BOUNDS };

static const map_key bounds_keys[N_BOUNDS] = {
    [ACCURATE] = {"accurate", false, &form_positive, "",
                  "largest error of an accurate run, as a share of travel; default: 0.01"},
    [ROUGH] = {"rough", false, &form_positive, "", "largest error of a rough run, as a share of travel; default: 0.05"},
    [ENERGY] = {"energy", false, &form_positive, "",
                "energy that may be made or lost, as a share of what moved; default: 0.05"},
    [CONSTRAINTS] = {"constraints", false, &form_positive, "",
                     "residuals of constraints, as a share of the mechanism's size; default: 0.01"},
};
static const form form_bounds = {
    .name = "bounds", .meaning = "by which a run is accurate, rough or wrong", FORM_KEYS(bounds_keys)};

static const map_key keys[N_KEYS] = {
    [END] = {"end", true, &form_positive, "s", "end of the run"},
    [OUTPUT_STEP] = {"output_step", false, &form_positive, "s", "time between rows of results; default: end/1000"},
    [INTEGRATOR + INTEGRATOR_METHOD] = {"integrator", false, &form_integrator, "", "method; default: erk"},
    [INTEGRATOR + INTEGRATOR_ORDER] = {"order", false, &form_order, "", "order of erk: 4, 5 or 8; default: 8"},
    [INTEGRATOR + INTEGRATOR_RTOL] = {"rtol", false, &form_positive, "",
                                      "relative tolerance of positions, velocities and states; default: 1e-8"},
    [INTEGRATOR + INTEGRATOR_ATOL] =
        {"atol", false, &form_positive, "m, rad, m/s, rad/s",
         "absolute tolerance, each in its own unit; default: rtol times the scales of the mechanism"},
    [INTEGRATOR + INTEGRATOR_STEP] = {"step", false, &form_step, "s",
                                      "step of the integrator, adaptive or fixed; default: adaptive"},
    [LARGEST_STEP] = {"largest_step", false, &form_positive, "s", "largest adaptive step; default: none"},
    [BOUNDS] = {"bounds", false, &form_bounds, "", "bounds of the verdict"},
};
const form form_simulate = {.name = "simulate", .meaning = "how long and how accurately", FORM_KEYS(keys)};

seam_status simulate_read_integrator(reader *r, yaml_node *const *values, const form *methods,
                                     mbs_integrator_options *integrator) {
  yaml_node *order = values[INTEGRATOR_ORDER];
  yaml_node *step = values[INTEGRATOR_STEP];
  const bool is_adaptive = step != NULL && step->text != NULL && strcmp(step->text, "adaptive") == 0;
  double number = integrator->order;
  size_t chosen = 0;
  TRY(reader_word(r, values[INTEGRATOR_METHOD], methods, &chosen));
  if (values[INTEGRATOR_METHOD] != NULL)
    integrator->method = methods->words[chosen];
  TRY(reader_number(r, order, ANY_NUMBER, &number));
  if (order != NULL && number != 4 && number != 5 && number != 8)
    return reader_fail(r, order, NULL, "'order' in %s must be 4, 5 or 8, but is %.6g", r->subject, number);
  integrator->order = (int)number;
  TRY(reader_number(r, values[INTEGRATOR_RTOL], POSITIVE, &integrator->rtol));
  TRY(reader_number(r, values[INTEGRATOR_ATOL], POSITIVE, &integrator->atol));
  if (!is_adaptive)
    return reader_number(r, step, POSITIVE, &integrator->step);
  integrator->step = 0;
  return SEAM_OK;
}

seam_status simulate_read(reader *r) {
  yaml_node *section = yaml_get(r->root, "simulate");
  if (section == NULL)
    return SEAM_OK;
  seam_simulation *simulation = &r->result->simulation;
  seam_verdict_bounds *bounds = &simulation->bounds;
  yaml_node *values[N_KEYS];
  reader_set_subject(r, "simulate", NULL);
  TRY(reader_map(r, section, keys, N_KEYS, values));
  TRY(reader_number(r, values[END], POSITIVE, &simulation->end));
  simulation->output_step = simulation->end / 1000;
  TRY(reader_number(r, values[OUTPUT_STEP], POSITIVE, &simulation->output_step));
  TRY(simulate_read_integrator(r, values + INTEGRATOR, &form_integrator, &simulation->integrator));
  TRY(reader_number(r, values[LARGEST_STEP], POSITIVE, &simulation->integrator.largest_step));
  if (values[BOUNDS] == NULL)
    return SEAM_OK;
  double *const shares[N_BOUNDS] = {&bounds->accurate, &bounds->rough, &bounds->energy, &bounds->constraints};
  yaml_node *limits[N_BOUNDS];
  TRY(reader_map(r, values[BOUNDS], bounds_keys, N_BOUNDS, limits));
  for (int i = 0; i < N_BOUNDS; i++)
    TRY(reader_number(r, limits[i], POSITIVE, shares[i]));
  if (bounds->rough < bounds->accurate)
    return reader_fail(r, values[BOUNDS], NULL, "'rough' in %s must be at least 'accurate', %.6g, but is %.6g",
                       r->subject, bounds->accurate, bounds->rough);
  return SEAM_OK;
}
