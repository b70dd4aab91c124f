/* `corrections:` of `cosim:`. */
#include <stdio.h>
#include <string.h>

#include "models/sections/cosim_section.h"
#include "models/sections/user_equations.h"

enum { COUPLING, BOND, SUBSYSTEM, MU, NU, LIMIT, N_ENERGY };
static const form form_auto = {FORM_ONE_OF("auto")};
static const form form_mu = {FORM_ANY_OF(&form_not_negative, &form_auto)};
static const map_key energy_keys[N_ENERGY] = {
    [COUPLING] = {"coupling", false, &form_name, "", "coupling with an '-exchange' scheme; or 'bond'"},
    [BOND] = {"bond", false, &form_name, "", "power bond; or 'coupling'"},
    [SUBSYSTEM] = {"subsystem", false, &form_name, "",
                   "subsystem whose received force is corrected, without 'coupling' and 'bond' the sum of all that "
                   "couplings give it; default: the side of the coupling that receives the force"},
    [MU] = {"mu", false, &form_mu, "",
            "share of the residual energy that counts as error, or auto, by the rules for the macro steps of both "
            "sides; default: auto"},
    [NU] = {"nu", false, &form_not_negative, "", "integral gain of the correction; default: 0"},
    [LIMIT] = {"limit", false, &form_positive, "",
               "largest correction, relative to the whole force with its preload; default: 0.1"},
};
static const form form_energy_correction = {
    .name = "energy_correction", .meaning = "removes energy that a coupling has created", FORM_KEYS(energy_keys)};
static const form form_energy_list = {.kind = FORM_LIST, .of = &form_energy_correction};
static const form form_energy = {FORM_ANY_OF(&form_energy_correction, &form_energy_list)};

enum { INPUT, INTEGRAL, SPREAD, SHAPE, N_BALANCE };
static const form form_spread = {.kind = FORM_COUNT, .least = 1, .most = COSIM_MAX_SPREAD};
static const form form_shape = {FORM_ONE_OF("constant", "smooth")};
static const map_key balance_keys[N_BALANCE] = {
    [INPUT] = {"input", true, &form_name, "", "input that a signal gives"},
    [INTEGRAL] = {"integral", false, &form_name, "",
                  "output of the source with the exact integral of the signal over its last macro step"},
    [SPREAD] = {"spread", false, &form_spread, "",
                "number of macro steps over which the difference is returned; default: 1"},
    [SHAPE] = {"shape", false, &form_shape, "", "course of the correction over a macro step; default: constant"},
};
static const form form_balance_correction = {.name = "balance_correction",
                                             .meaning = "returns what a hold gave too much or too little",
                                             FORM_KEYS(balance_keys)};
static const form form_balance_list = {.kind = FORM_LIST, .of = &form_balance_correction};
static const form form_balance = {FORM_ANY_OF(&form_balance_correction, &form_balance_list)};

enum { ALPHA, LAGS, MODEL_TOLERANCE, MEMORY, EXCITATION, KNOWLEDGE, N_MODEL };
static const form form_lags = {.kind = FORM_COUNT, .least = 1, .most = COSIM_MAX_LAGS};
static const map_key model_keys[N_MODEL] = {
    [ALPHA] =
        {"alpha", false, &form_not_negative, "",
         "share of the error of the states that the next step removes, 0 to 2; 0 corrects outputs alone; default: 1"},
    [LAGS] = {"lags", false, &form_lags, "",
              "number of past outputs that determine the state of a subsystem without exact derivatives; default: 2"},
    [MODEL_TOLERANCE] = {"tolerance", false, &form_positive, "",
                         "tolerance of the identified model, relative to the largest change of each output since the "
                         "start, to 1; above it identification starts again; default: 1e-4"},
    [MEMORY] =
        {"memory", false, &form_positive, "",
         "factor by which a macro step loses weight with each later one in the identification, to 1; default: 0.98"},
    [EXCITATION] = {"excitation", false, &form_not_negative, "",
                    "largest change of an input during identification, relative to the largest one since the start, to "
                    "1; default: 1e-5"},
    [KNOWLEDGE] = {"knowledge", false, &form_not_negative, "",
                   "factor of the derivatives, to 10, which studies imperfect knowledge of the subsystems; default: 1"},
};
static const form form_model_based = {
    .name = "model_based", .meaning = "removes the effect of extrapolated inputs", FORM_KEYS(model_keys)};

enum { ENERGY, BALANCE, MODEL_BASED, N_CORRECTIONS };
static const map_key keys[N_CORRECTIONS] = {
    [ENERGY] = {"energy", false, &form_energy, "", "energy corrections, one or a list"},
    [BALANCE] = {"balance", false, &form_balance, "", "balance corrections, one or a list"},
    [MODEL_BASED] = {"model_based", false, &form_model_based, "", "model-based correction, {} with all defaults"},
};
const form form_corrections = {.name = "corrections", .meaning = "of explicit co-simulation", FORM_KEYS(keys)};

/* By default, the correcting force acts on the side that receives the coupling's force. */
static seam_status read_energy_correction(cosim_section *c, yaml_node *item) {
  reader *r = c->r;
  yaml_node *values[N_ENERGY];
  reader_set_subject(r, "an energy correction", NULL);
  cosim_energy_correction_def to = cosim_default_energy_correction_def();
  const cosim_definition *known = cosim_builder_definition(c->builder);
  TRY(reader_map(r, item, energy_keys, N_ENERGY, values));
  const yaml_node *coupling = values[COUPLING], *bond = values[BOND], *subsystem = values[SUBSYSTEM];
  const yaml_node *of = coupling != NULL ? coupling : bond != NULL ? bond : subsystem;
  if ((coupling != NULL && bond != NULL) || of == NULL)
    return reader_fail(
        r, coupling != NULL ? reader_message_node(bond) : reader_message_node(item),
        "write 'coupling: NAME' with a coupling that has an '-exchange' scheme, 'bond: NAME', or 'subsystem: NAME' "
        "for the sum of all forces of couplings on this subsystem",
        "%s needs either 'coupling', 'bond' or 'subsystem'", r->subject);
  const char *text = NULL;
  TRY(coupling != NULL ? cosim_section_check_coupling(c, coupling) : reader_text(r, bond, &text));
  if (text != NULL && table_find(&c->bonds, text, strlen(text)) == NULL) {
    nearest search = nearest_to(text);
    for (size_t i = 0; i < known->n_bonds; i++)
      nearest_try(&search, known->bonds[i].name);
    return reader_fail_unknown(r, bond, &search, "give it under 'bonds:'", "unknown bond '%.60s' in %s", text,
                               r->subject);
  }
  if (bond != NULL && subsystem == NULL)
    return reader_fail(r, reader_message_node(bond), "name the subsystem that gets the correcting force",
                       "%s of bond '%.60s' needs 'subsystem'", r->subject, bond->text);
  to.bond = of != subsystem ? of->text : NULL;
  const cosim_subsystem_def *part = NULL;
  if (subsystem != NULL)
    TRY(cosim_section_subsystem(c, subsystem, &part));
  to.part = part != NULL ? part->name : to.part;
  TRY(cosim_section_check_unique(c, &c->energy_corrected, of, "the energy correction of", of->text));
  yaml_node *mu = values[MU];
  const bool is_automatic = mu != NULL && mu->text != NULL && strcmp(mu->text, "auto") == 0;
  TRY(reader_number(r, is_automatic ? NULL : mu, NOT_NEGATIVE, &to.mu));
  TRY(reader_number(r, values[NU], NOT_NEGATIVE, &to.nu));
  TRY(reader_number(r, values[LIMIT], POSITIVE, &to.limit));
  return cosim_add_energy_correction(c->builder, &to, r->error);
}

/* Rejects an output that is not an integral of equations over a macro step. */
static seam_status check_integral(const cosim_section *c, const yaml_node *value) {
  const cosim_subsystem_def *of = cosim_section_owner(c, value->text);
  const bool has_equations = of != NULL && of->user != NULL && user_equations_of(of->user) != NULL;
  char known[100] = "";
  if (has_equations && user_equations_is_integral(of->user, strchr(value->text, '.') + 1, known, sizeof known))
    return SEAM_OK;
  char fix[200];
  if (known[0] != '\0')
    snprintf(fix, sizeof fix, "known: %s", known);
  else if (has_equations)
    snprintf(fix, sizeof fix, "write integrals: {NAME: EXPRESSION} in subsystem '%.60s'", of->name);
  else
    snprintf(fix, sizeof fix,
             "name an integral, or leave 'integral' out: a polynomial through macro points is then integrated");
  return reader_fail(c->r, value, fix, "'%.128s' is not an integral over the macro step", value->text);
}

static seam_status read_balance_correction(cosim_section *c, yaml_node *item) {
  yaml_node *values[N_BALANCE];
  size_t spread = 1;
  cosim_balance_correction_def to = cosim_default_balance_correction_def();
  reader_set_subject(c->r, "a balance correction", NULL);
  TRY(reader_map(c->r, item, balance_keys, N_BALANCE, values));
  TRY(cosim_section_signal(c, values[INPUT], true, &to.input));
  TRY(cosim_section_check_unique(c, &c->balanced, values[INPUT], "the balance correction of", to.input));
  TRY(cosim_section_signal(c, values[INTEGRAL], false, &to.integral));
  if (values[INTEGRAL] != NULL)
    TRY(check_integral(c, values[INTEGRAL]));
  TRY(reader_count(c->r, values[SPREAD], 1, COSIM_MAX_SPREAD, &spread));
  to.spread = (int)spread;
  TRY(reader_either(c->r, values[SHAPE], &form_shape, &to.smooth));
  return cosim_add_balance_correction(c->builder, &to, c->r->error);
}

static seam_status read_model_based(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_MODEL];
  cosim_model_based_def def = cosim_default_model_based_def();
  const struct {
    int key;
    double most, *number;
  } numbers[] = {{ALPHA, COSIM_MAX_ALPHA, &def.alpha},
                 {MODEL_TOLERANCE, 1, &def.tolerance},
                 {MEMORY, 1, &def.memory},
                 {EXCITATION, 1, &def.excitation},
                 {KNOWLEDGE, COSIM_MAX_KNOWLEDGE, &def.knowledge}};
  size_t lags = (size_t)def.lags;
  reader_set_subject(r, "'model_based'", NULL);
  TRY(reader_map(r, value, model_keys, N_MODEL, values));
  TRY(reader_count(r, values[LAGS], 1, COSIM_MAX_LAGS, &lags));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    yaml_node *given = values[numbers[i].key];
    TRY(reader_number(r, given, model_keys[numbers[i].key].form->within, numbers[i].number));
    if (given != NULL && *numbers[i].number > numbers[i].most)
      return reader_fail(r, given, NULL, "'%s' in %s must be at most %g, but is %.6g", given->key->text, r->subject,
                         numbers[i].most, *numbers[i].number);
  }
  def.lags = (int)lags;
  return cosim_set_model_based(c->builder, &def, r->error);
}

seam_status cosim_section_corrections(cosim_section *c, yaml_node *value) {
  static seam_status (*const read_one[])(cosim_section *, yaml_node *) = {
      [ENERGY] = read_energy_correction, [BALANCE] = read_balance_correction};
  yaml_node *values[N_CORRECTIONS];
  reader_set_subject(c->r, "corrections", NULL);
  TRY(reader_map(c->r, value, keys, N_CORRECTIONS, values));
  for (int i = ENERGY; i <= BALANCE; i++) {
    yaml_node *items = values[i]; /* a list of maps, or a single map */
    if (items != NULL && items->kind == YAML_SCALAR)
      return reader_fail(c->r, items, "write {...}, or [{...}, {...}]",
                         "'%s' in corrections must be a map or a list of maps", items->key->text);
    if (items != NULL && items->kind == YAML_MAP)
      TRY(read_one[i](c, items));
    for (yaml_node *item = yaml_first(items, YAML_LIST); item != NULL; item = item->next)
      TRY(read_one[i](c, item));
  }
  return values[MODEL_BASED] != NULL ? read_model_based(c, values[MODEL_BASED]) : SEAM_OK;
}
