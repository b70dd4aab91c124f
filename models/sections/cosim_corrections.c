/* `corrections:` and `step_control:` of `cosim:`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "models/sections/cosim_section.h"
#include "models/sections/user_equations.h"

/* A list of maps, or one map. */
static size_t count_items(const yaml_node *value) { return value->kind == YAML_MAP ? 1 : value->n_children; }

static yaml_node *first_item(yaml_node *value) { return value->kind == YAML_MAP ? value : value->first; }

static yaml_node *next_item(const yaml_node *value, const yaml_node *item) { return item == value ? NULL : item->next; }

static seam_status check_items(const cosim_section *c, const yaml_node *value) {
  if (value->kind != YAML_SCALAR)
    return SEAM_OK;
  return reader_fail(c->r, value, "write {...}, or [{...}, {...}]",
                     "'%s' in corrections must be a map or a list of maps", value->key->text);
}

/* ---- Energy ------------------------------------------------------------------------------------------------------ */

static seam_status check_bond(const cosim_section *c, const yaml_node *name) {
  const char *text = NULL;
  const seam_status status = reader_text(c->r, name, &text);
  if (status || table_find(&c->bonds, text, strlen(text)))
    return status;
  char fix[128];
  nearest search = nearest_to(text);
  for (size_t i = 0; i < c->options->n_bonds; i++)
    nearest_try(&search, c->options->bonds[i].name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(c->r, name, fix[0] ? fix : "give it under 'bonds:'", "unknown bond '%.60s' in %s", text,
                     c->r->subject);
}

/* Where energy is corrected. At a coupling the side that is told the force is known. */
static seam_status read_place(const cosim_section *c, const yaml_node *item, const yaml_node *coupling,
                              const yaml_node *bond, const yaml_node *subsystem, cosim_energy_correction_def *to) {
  reader *r = c->r;
  if ((coupling != NULL) == (bond != NULL))
    return reader_fail(r, coupling ? reader_place(bond) : reader_place(item), NULL,
                       "%s needs either 'coupling' or 'bond'", r->subject);
  seam_status status = coupling ? cosim_section_check_coupling(c, coupling) : check_bond(c, bond);
  if (status)
    return status;
  to->bond = cosim_section_keep(c, coupling ? coupling->text : bond->text);
  if (!to->bond)
    return reader_no_memory(r);
  if (!subsystem && bond)
    return reader_fail(r, reader_place(bond), "name the subsystem that gets the correcting force",
                       "%s of bond '%.60s' needs 'subsystem'", r->subject, bond->text);
  size_t number = 0;
  status = subsystem ? cosim_section_subsystem(c, subsystem, &number) : SEAM_OK;
  if (!status && subsystem)
    to->part = c->options->subsystems[number].name;
  return status;
}

static seam_status read_energy_correction(cosim_section *c, yaml_node *item, cosim_energy_correction_def *to) {
  enum { COUPLING, BOND, SUBSYSTEM, MU, NU, LIMIT, N_KEYS };
  static const map_key keys[N_KEYS] = {{"coupling", false}, {"bond", false}, {"subsystem", false},
                                       {"mu", false},       {"nu", false},   {"limit", false}};
  yaml_node *values[N_KEYS];
  reader_set_subject(c->r, "an energy correction", NULL);
  *to = (cosim_energy_correction_def){.mu = NAN, .limit = 0.1};
  seam_status status = reader_take_map(c->r, item, keys, N_KEYS, values);
  if (!status)
    status = read_place(c, item, values[COUPLING], values[BOND], values[SUBSYSTEM], to);
  if (!status)
    status = cosim_section_once(c, values[COUPLING] ? values[COUPLING] : values[BOND], "the energy correction of '%s'",
                                to->bond);
  const yaml_node *mu = values[MU];
  if (!status && mu && !(mu->text && strcmp(mu->text, "auto") == 0))
    status = reader_number(c->r, values[MU], NOT_NEGATIVE, &to->mu);
  if (!status && values[NU])
    status = reader_number(c->r, values[NU], NOT_NEGATIVE, &to->nu);
  if (!status && values[LIMIT])
    status = reader_number(c->r, values[LIMIT], POSITIVE, &to->limit);
  return status;
}

static seam_status read_energy(cosim_section *c, yaml_node *value) {
  cosim_definition *options = c->options;
  seam_status status = check_items(c, value);
  cosim_energy_correction_def *corrections = cosim_section_take(c, count_items(value), sizeof *corrections);
  if (!corrections)
    return reader_no_memory(c->r);
  options->energy_corrections = corrections;
  for (yaml_node *item = first_item(value); item && !status; item = next_item(value, item))
    status = read_energy_correction(c, item, &corrections[options->n_energy_corrections++]);
  return status;
}

/* ---- Balance ----------------------------------------------------------------------------------------------------- */

/* Only subsystems of one's own equations integrate their outputs. */
static seam_status check_integral(const cosim_section *c, const yaml_node *value) {
  const size_t length = strcspn(value->text, ".");
  const table_slot *slot = table_find(&c->names, value->text, length);
  const cosim_subsystem *of = &c->options->subsystems[slot->value];
  char known[100] = "";
  if (of->user && user_equations_is_integral(of->user, value->text + length + 1, known, sizeof known))
    return SEAM_OK;
  char fix[200];
  if (known[0])
    snprintf(fix, sizeof fix, "known: %s", known);
  else if (of->user)
    snprintf(fix, sizeof fix, "write integrals: {NAME: EXPRESSION} in subsystem '%.60s'", of->name);
  else
    snprintf(fix, sizeof fix, "leave it out: then a polynomial through macro points is integrated");
  return reader_fail(c->r, value, fix, "'%.128s' is no integral over the macro step", value->text);
}

static seam_status read_balance_correction(cosim_section *c, const yaml_node *item, cosim_balance_correction_def *to) {
  enum { INPUT, INTEGRAL, SPREAD, SHAPE, N_KEYS };
  static const map_key keys[N_KEYS] = {{"input", true}, {"integral", false}, {"spread", false}, {"shape", false}};
  yaml_node *values[N_KEYS];
  size_t spread = 1;
  reader_set_subject(c->r, "a balance correction", NULL);
  seam_status status = reader_take_map(c->r, item, keys, N_KEYS, values);
  if (!status)
    status = cosim_section_signal(c, values[INPUT], true, &to->input);
  if (!status)
    status = cosim_section_once(c, values[INPUT], "the balance correction of '%s'", to->input);
  if (!status && values[INTEGRAL])
    status = cosim_section_signal(c, values[INTEGRAL], false, &to->integral);
  if (!status && values[INTEGRAL])
    status = check_integral(c, values[INTEGRAL]);
  if (!status && values[SPREAD])
    status = reader_count(c->r, values[SPREAD], 1, COSIM_MAX_SPREAD, &spread);
  to->spread = (int)spread;
  return status ? status : cosim_section_flag(c->r, values[SHAPE], "constant", "smooth", &to->smooth);
}

static seam_status read_balance(cosim_section *c, yaml_node *value) {
  cosim_definition *options = c->options;
  seam_status status = check_items(c, value);
  cosim_balance_correction_def *corrections = cosim_section_take(c, count_items(value), sizeof *corrections);
  if (!corrections)
    return reader_no_memory(c->r);
  options->balance_corrections = corrections;
  for (yaml_node *item = first_item(value); item && !status; item = next_item(value, item))
    status = read_balance_correction(c, item, &corrections[options->n_balance_corrections++]);
  return status;
}

/* ---- Model-based ------------------------------------------------------------------------------------------------- */

/* Refuses a number that is greater than 1. */
static seam_status read_fraction(const cosim_section *c, yaml_node *value, number_range range, double *number) {
  if (!value)
    return SEAM_OK;
  const seam_status status = reader_number(c->r, value, range, number);
  if (status || *number <= 1)
    return status;
  return reader_fail(c->r, value, NULL, "'%s' in %s must be at most 1, but is %.6g", value->key->text, c->r->subject,
                     *number);
}

static seam_status read_model_based(cosim_section *c, yaml_node *value) {
  enum { ALPHA, LAGS, TOLERANCE, MEMORY, EXCITATION, N_KEYS };
  static const map_key keys[N_KEYS] = {
      {"alpha", false}, {"lags", false}, {"tolerance", false}, {"memory", false}, {"excitation", false}};
  yaml_node *values[N_KEYS];
  cosim_model_based_def *def = cosim_section_take(c, 1, sizeof *def);
  if (!def)
    return reader_no_memory(c->r);
  *def = cosim_default_model_based_def();
  c->options->model_based = def;
  size_t lags = (size_t)def->lags;
  reader_set_subject(c->r, "'model_based'", NULL);
  seam_status status = reader_take_map(c->r, value, keys, N_KEYS, values);
  if (!status)
    status = read_fraction(c, values[ALPHA], NOT_NEGATIVE, &def->alpha);
  if (!status && values[LAGS])
    status = reader_count(c->r, values[LAGS], 1, COSIM_MAX_LAGS, &lags);
  def->lags = (int)lags;
  if (!status)
    status = read_fraction(c, values[TOLERANCE], POSITIVE, &def->tolerance);
  if (!status)
    status = read_fraction(c, values[MEMORY], POSITIVE, &def->memory);
  return status ? status : read_fraction(c, values[EXCITATION], NOT_NEGATIVE, &def->excitation);
}

seam_status cosim_section_corrections(cosim_section *c, yaml_node *value) {
  static const map_key keys[] = {{"energy", false}, {"balance", false}, {"model_based", false}};
  static seam_status (*const read[])(cosim_section *, yaml_node *) = {read_energy, read_balance, read_model_based};
  yaml_node *values[3];
  reader_set_subject(c->r, "corrections", NULL);
  seam_status status = reader_take_map(c->r, value, keys, 3, values);
  for (size_t i = 0; i < 3 && !status; i++)
    if (values[i])
      status = read[i](c, values[i]);
  return status;
}

/* ---- Control of the macro step ----------------------------------------------------------------------------------- */

enum { METHOD, TOLERANCE, RELATIVE_WEIGHT, SAFETY, SHRINKAGE, GROWTH, SHORTEST, LONGEST, ENERGY_SCALE, N_CONTROL_KEYS };

static seam_status check_bounds(const cosim_section *c, yaml_node *const *values, const cosim_step_control *control) {
  reader *r = c->r;
  if (values[SHRINKAGE] && control->shrinkage_limit >= 1)
    return reader_fail(r, values[SHRINKAGE], "it is the smallest factor from one macro step to the next",
                       "'shrinkage' in %s must be below 1, but is %.6g", r->subject, control->shrinkage_limit);
  if (values[GROWTH] && control->growth_limit < 1)
    return reader_fail(r, values[GROWTH], "it is the largest factor from one macro step to the next",
                       "'growth' in %s must be at least 1, but is %.6g", r->subject, control->growth_limit);
  if (values[SHORTEST] && values[LONGEST] && control->shortest > control->longest)
    return reader_fail(r, values[SHORTEST], NULL, "'shortest' in %s is longer than 'longest'", r->subject);
  return SEAM_OK;
}

/* Bonds that do not say what energy is typical of them take that of all. */
static void complete_bonds(const cosim_section *c) {
  cosim_bond_def *bonds = (cosim_bond_def *)c->options->bonds;
  for (size_t i = 0; i < c->options->n_bonds; i++)
    if (bonds[i].energy_scale == 0)
      bonds[i].energy_scale = c->options->energy_scale;
}

static seam_status read_control_numbers(const cosim_section *c, yaml_node *const *values, cosim_step_control *control) {
  double *const numbers[] = {
      [RELATIVE_WEIGHT] = &control->relative_weight,
      [SAFETY] = &control->safety,
      [SHRINKAGE] = &control->shrinkage_limit,
      [GROWTH] = &control->growth_limit,
      [SHORTEST] = &control->shortest,
      [LONGEST] = &control->longest,
      [ENERGY_SCALE] = &c->options->energy_scale,
  };
  seam_status status = SEAM_OK;
  for (int i = RELATIVE_WEIGHT; i < N_CONTROL_KEYS && !status; i++)
    if (values[i])
      status = reader_number(c->r, values[i], i == RELATIVE_WEIGHT ? NOT_NEGATIVE : POSITIVE, numbers[i]);
  return status;
}

seam_status cosim_section_step_control(cosim_section *c, yaml_node *value) {
  static const map_key keys[N_CONTROL_KEYS] = {
      [METHOD] = {"method", true},
      [TOLERANCE] = {"tolerance", true},
      [RELATIVE_WEIGHT] = {"relative_weight", false},
      [SAFETY] = {"safety", false},
      [SHRINKAGE] = {"shrinkage", false},
      [GROWTH] = {"growth", false},
      [SHORTEST] = {"shortest", false},
      [LONGEST] = {"longest", false},
      [ENERGY_SCALE] = {"energy_scale", false},
  };
  static const char *const methods[] = {"ecco", "predictor", "error"};
  static const cosim_step_indicator indicators[] = {COSIM_ENERGY_INDICATOR, COSIM_PREDICTION_INDICATOR,
                                                    COSIM_ERROR_INDICATOR};
  cosim_step_control *control = cosim_section_take(c, 1, sizeof *control);
  if (!control)
    return reader_no_memory(c->r);
  yaml_node *values[N_CONTROL_KEYS];
  size_t method = 0;
  double tolerance = 0;
  reader_set_subject(c->r, "step_control", NULL);
  seam_status status = reader_take_map(c->r, value, keys, N_CONTROL_KEYS, values);
  if (!status)
    status = reader_keyword(c->r, values[METHOD], methods, sizeof methods / sizeof *methods, &method);
  if (!status)
    status = reader_number(c->r, values[TOLERANCE], POSITIVE, &tolerance);
  if (status)
    return status;
  *control = cosim_default_step_control(indicators[method], tolerance);
  c->options->step_control = control;
  status = read_control_numbers(c, values, control);
  complete_bonds(c);
  return status ? status : check_bounds(c, values, control);
}
