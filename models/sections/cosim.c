/* `cosim:` partition of the mechanism into subsystems, and their coupling. This file reads its options; cosim_*.c read
 * subsystems, couplings, signals and corrections. */
#include "models/sections/cosim_section.h"

#include <math.h>
#include <string.h>

#include "models/thresholds.h"

/* ---- `scheme:`, also of couplings -------------------------------------------------------------------------------- */

static const map_key kind_keys[] = {
    {"constitutive", false, &form_name, "", "scheme of cut force elements, such as ff-k1"},
    {"constraint", false, &form_name, "", "scheme of cut joints, such as ff-index2-k1"},
};
static const form form_kinds = {
    .name = "schemes", .meaning = "a scheme for each kind of coupling", FORM_KEYS(kind_keys)};
static const form form_scheme = {FORM_ANY_OF(&form_name, &form_kinds)};

typedef enum scheme_kind { CONSTITUTIVE, CONSTRAINT, EITHER } scheme_kind;

static seam_status read_scheme(const cosim_section *c, const yaml_node *value, scheme_kind kind, cosim_scheme *scheme) {
  static const struct {
    const char *name, *fix;
  } kinds[] = {[CONSTITUTIVE] = {"force elements", "take a scheme of force elements, such as ff-k1"},
               [CONSTRAINT] = {"joints", "take a scheme of joints, such as ff-index2-k1"}};
  const char *text = NULL;
  TRY(reader_text(c->r, value, &text));
  if (text == NULL)
    return SEAM_OK;
  size_t column = 0;
  if (cosim_scheme_parse(text, scheme, &column, &c->r->cause) != SEAM_OK) {
    yaml_node at = *value;
    at.offset += column;
    return reader_fail(c->r, &at,
                       "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1, or "
                       "DECOMPOSITION-colloc-sSTAGES[-ITERATION], such as ff-colloc-s3",
                       "'%.60s' is not the name of a scheme: %s", text, c->r->cause.message);
  }
  if (kind == EITHER || scheme->at_both || kind == (scheme->at_constraint ? CONSTRAINT : CONSTITUTIVE))
    return SEAM_OK;
  return reader_fail(c->r, value, kinds[kind].fix, "'%.60s' is a scheme of %s, not of %s", value->text,
                     kinds[1 - kind].name, kinds[kind].name);
}

seam_status cosim_section_scheme_name(const cosim_section *c, const yaml_node *value, bool at_joint,
                                      const char **name) {
  cosim_scheme scheme = {0};
  TRY(read_scheme(c, value, at_joint ? CONSTRAINT : CONSTITUTIVE, &scheme));
  *name = scheme.name;
  return SEAM_OK;
}

static seam_status read_schemes(cosim_section *c, yaml_node *value) {
  yaml_node *values[2] = {NULL, NULL};
  if (value->kind != YAML_MAP) {
    TRY(read_scheme(c, value, EITHER, &c->of_kind[CONSTITUTIVE]));
    c->of_kind[CONSTRAINT] = c->of_kind[CONSTITUTIVE];
  } else
    TRY(reader_map(c->r, value, kind_keys, 2, values));
  for (int kind = 0; kind < 2; kind++)
    TRY(read_scheme(c, values[kind], (scheme_kind)kind, &c->of_kind[kind]));
  c->options.constitutive_scheme = c->of_kind[CONSTITUTIVE].name;
  c->options.constraint_scheme = c->of_kind[CONSTRAINT].name;
  return SEAM_OK;
}

/* Returns true if the file names schemes, and all are collocation schemes: in `scheme:`, read before, and in
 * `couplings:` (NULL: none). The reader of couplings later rejects invalid names. */
static bool collocates(const cosim_section *c, const yaml_node *couplings) {
  bool any = false;
  bool all = true;
  for (const cosim_scheme *scheme = c->of_kind; scheme < c->of_kind + 2; scheme++) {
    any = any || scheme->name != NULL;
    all = all && (scheme->name == NULL || scheme->method == COSIM_COLLOCATION);
  }
  for (const yaml_node *one = yaml_first(couplings, YAML_MAP); one != NULL; one = one->next) {
    const yaml_node *scheme = yaml_get(one, "scheme");
    const bool is_given = scheme != NULL && scheme->text != NULL;
    cosim_scheme parsed;
    any = any || is_given;
    all = all && !(is_given && cosim_scheme_parse(scheme->text, &parsed, NULL, NULL) == SEAM_OK &&
                   parsed.method != COSIM_COLLOCATION);
  }
  return any && all;
}

/* ---- `step_control:` --------------------------------------------------------------------------------------------- */

enum {
  METHOD,
  TOLERANCE,
  PREDICTION_ORDER,
  RELATIVE_WEIGHT,
  SAFETY,
  SHRINKAGE,
  GROWTH,
  SHORTEST,
  LONGEST,
  ENERGY_SCALE,
  INTEGRAL_GAIN,
  PROPORTIONAL_GAIN,
  N_CONTROL_KEYS
};
static const form form_method = {FORM_ONE_OF(
    [COSIM_ENERGY_INDICATOR] = "ecco", [COSIM_PREDICTION_INDICATOR] = "predictor", [COSIM_ERROR_INDICATOR] = "error")};
static const form form_prediction = {.kind = FORM_COUNT, .least = 0, .most = COSIM_MAX_HOLD + 1};
static const map_key control_keys[N_CONTROL_KEYS] = {
    [METHOD] = {"method", true, &form_method, "",
                "ecco: residual energy of couplings and bonds; predictor: outputs against their extrapolation; error: "
                "local error, with repetition"},
    [TOLERANCE] = {"tolerance", false, &form_positive, "",
                   "tolerance of one macro step; default: 1e-6 with error and collocation schemes, else required"},
    [PREDICTION_ORDER] =
        {"prediction_order", false, &form_prediction, "",
         "order of the polynomial of predictor, at couplings at most 2; default: that of the holds + 1"},
    [RELATIVE_WEIGHT] = {"relative_weight", false, &form_not_negative, "",
                         "weight of the size of an output in the tolerance of predictor; default: 1e-4"},
    [SAFETY] = {"safety", false, &form_positive, "", "safety factor of the next macro step; default: 0.8"},
    [SHRINKAGE] = {"shrinkage", false, &form_positive, "",
                   "smallest ratio of a macro step to the one before, below 1; default: 0.2"},
    [GROWTH] = {"growth", false, &form_positive, "",
                "largest ratio of a macro step to the one before, at least 1; default: 1.5"},
    [SHORTEST] = {"shortest", false, &form_positive, "s", "shortest macro step; default: none"},
    [LONGEST] = {"longest", false, &form_positive, "s", "longest macro step; default: as the motion allows"},
    [ENERGY_SCALE] = {"energy_scale", false, &form_positive, "J", "energy that typically passes, for ecco"},
    [INTEGRAL_GAIN] =
        {"integral_gain", false, &form_not_negative, "",
         "kI of the controller of ecco and predictor; default: 0.3/(m + 2), with predictor 0.3/(m + 1), m the "
         "order of the holds"},
    [PROPORTIONAL_GAIN] = {"proportional_gain", false, &form_not_negative, "",
                           "its kP; default: 0.4/(m + 2), with predictor 0.4/(m + 1)"},
};
static const form form_step_control = {
    .name = "step_control", .meaning = "control of the macro step", FORM_KEYS(control_keys)};

/* Sets options that the file does not give. has_longest: the file gives the longest macro step. rtol and atol are
 * tolerances inside subsystems.
 *
 *   COSIM_ERROR_INDICATOR with collocation schemes only:
 *     longest macro step   a twentieth of the run
 *     rtol, atol           rtol: the tolerance of step control; atol: 0
 *   else:
 *     longest macro step   the smaller of ten output steps and a hundredth of the run
 *     rtol                 the smaller of the default rtol and a tenth of the tolerance of step control;
 *                          COSIM_PREDICTION_INDICATOR: the default rtol
 *
 * Limits: the longest macro step is at least `macro_step`, and at least `shortest`; rtol is at least
 * models_least_tolerance. */
static void set_defaults(cosim_section *c, bool has_longest, cosim_step_control *control) {
  const seam_simulation *simulation = &c->r->result->simulation;
  mbs_integrator_options *integrator = &c->options.integrator;
  const bool is_by_positions = control->indicator == COSIM_ERROR_INDICATOR && c->collocates;
  control->follows_motion = !has_longest;
  control->chooses_first = !c->has_macro_step && is_by_positions;
  const double longest =
      is_by_positions ? simulation->end / 20 : fmin(10 * simulation->output_step, simulation->end / 100);
  if (!has_longest)
    control->longest = fmax(longest, fmax(c->options.macro_step, control->shortest));
  if (is_by_positions) {
    integrator->rtol = c->has_rtol ? integrator->rtol : fmax(control->tolerance, models_least_tolerance);
    integrator->atol = c->has_atol ? integrator->atol : 0;
    return;
  }
  const double factor = fmax(control->tolerance / 10, models_least_tolerance) / cosim_default_options().integrator.rtol;
  if (control->indicator != COSIM_PREDICTION_INDICATOR && factor < 1 && !c->has_rtol)
    integrator->rtol *= factor;
}

static seam_status read_step_control(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_CONTROL_KEYS];
  size_t chosen = 0;
  double tolerance = models_control_tolerance;
  reader_set_subject(r, "step_control", NULL);
  TRY(reader_map(r, value, control_keys, N_CONTROL_KEYS, values));
  TRY(reader_word(r, values[METHOD], &form_method, &chosen));
  TRY(reader_number(r, values[TOLERANCE], POSITIVE, &tolerance));
  const cosim_step_indicator indicator = (cosim_step_indicator)chosen;
  if (values[TOLERANCE] == NULL && !(indicator == COSIM_ERROR_INDICATOR && c->collocates))
    return reader_fail(r, reader_message_node(value), "", "%s needs 'tolerance'", r->subject);
  cosim_step_control control = cosim_default_step_control(indicator, tolerance);
  double *const numbers[] = {
      [RELATIVE_WEIGHT] = &control.relative_weight,
      [SAFETY] = &control.safety,
      [SHRINKAGE] = &control.shrinkage_limit,
      [GROWTH] = &control.growth_limit,
      [SHORTEST] = &control.shortest,
      [LONGEST] = &control.longest,
      [ENERGY_SCALE] = &c->options.energy_scale,
      [INTEGRAL_GAIN] = &control.integral_gain,
      [PROPORTIONAL_GAIN] = &control.proportional_gain,
  };
  size_t order = 0;
  TRY(reader_count(r, values[PREDICTION_ORDER], 0, COSIM_MAX_HOLD + 1, &order));
  if (values[PREDICTION_ORDER] != NULL)
    control.prediction_order = (int)order;
  for (int i = RELATIVE_WEIGHT; i < N_CONTROL_KEYS; i++)
    TRY(reader_number(r, values[i], control_keys[i].form->within, numbers[i]));
  if (values[SHRINKAGE] != NULL && control.shrinkage_limit >= 1)
    return reader_fail(r, values[SHRINKAGE],
                       "'shrinkage' is the smallest ratio of a macro step to the previous macro step",
                       "'shrinkage' in %s must be below 1, but is %.6g", r->subject, control.shrinkage_limit);
  if (values[GROWTH] != NULL && control.growth_limit < 1)
    return reader_fail(r, values[GROWTH], "'growth' is the largest ratio of a macro step to the previous macro step",
                       "'growth' in %s must be at least 1, but is %.6g", r->subject, control.growth_limit);
  if (values[SHORTEST] != NULL && values[LONGEST] != NULL && control.shortest > control.longest)
    return reader_fail(r, values[SHORTEST], NULL, "'shortest' in %s must be at most 'longest', %.6g s, but is %.6g s",
                       r->subject, control.longest, control.shortest);
  set_defaults(c, values[LONGEST] != NULL, &control);
  return cosim_set_step_control(c->builder, &control, r->error);
}

/* ---- All keys ---------------------------------------------------------------------------------------------------- */

enum {
  MACRO_STEP,
  INTEGRATOR,
  SUBSYSTEMS = INTEGRATOR + N_INTEGRATOR_KEYS,
  SCHEME,
  COUPLINGS,
  SIGNALS,
  BONDS,
  CORRECTIONS,
  STEP_CONTROL,
  SEQUENCE,
  EXCHANGE, /* name of `sequence` up to version 0.1; now an error */
  HISTORY,
  DERIVATIVES,
  REUSE,
  IMPLICIT,
  REFERENCE,
  N_KEYS
};

static const form form_sequence = {FORM_ONE_OF("jacobi", "gauss-seidel")};
static const form form_history = {FORM_ONE_OF("raise", "exact")};
static const form form_derivatives = {FORM_ONE_OF("exact", "differences")};

enum { IMPLICIT_TOLERANCE, IMPLICIT_ITERATIONS, N_IMPLICIT };
static const form form_iterations = {.kind = FORM_COUNT, .least = 1, .most = 1000000};
static const map_key implicit_keys[N_IMPLICIT] = {
    [IMPLICIT_TOLERANCE] = {"tolerance", false, &form_positive, "",
                            "tolerance of the coupling conditions; default: 1e-10"},
    [IMPLICIT_ITERATIONS] = {"iterations", false, &form_iterations, "", "largest number of corrections; default: 20"},
};
static const form form_implicit = {.name = "implicit", .meaning = "iterated correctors", FORM_KEYS(implicit_keys)};

static const map_key keys[N_KEYS] = {
    [MACRO_STEP] = {"macro_step", false, &form_positive, "s",
                    "macro step, fixed unless 'step_control' is given; required unless all schemes are collocation"},
    [INTEGRATOR] = INTEGRATOR_KEYS(&form_integrator, "erk", "5, with collocation 8", "1e-8",
                                   "rtol times the scales of the mechanism"),
    [SUBSYSTEMS] = {"subsystems", true, &form_subsystems, "",
                    "two or more subsystems, or one FMU; every body belongs to exactly one"},
    [SCHEME] = {"scheme", false, &form_scheme, "", "coupling scheme, one name for all couplings or one for each kind"},
    [COUPLINGS] = {"couplings", false, &form_couplings, "",
                   "single couplings with a scheme of their own, and couplings of equations and FMUs"},
    [SIGNALS] = {"signals", false, &form_signals, "", "connections of outputs to inputs"},
    [BONDS] = {"bonds", false, &form_bonds, "", "pairs of inputs and outputs through which power passes"},
    [CORRECTIONS] = {"corrections", false, &form_corrections, "", "corrections of explicit co-simulation"},
    [STEP_CONTROL] = {"step_control", false, &form_step_control, "",
                      "control of the macro step; default: none, and by error for collocation without 'macro_step'"},
    [SEQUENCE] = {"sequence", false, &form_sequence, "",
                  "jacobi: all subsystems at once; gauss-seidel: one after the other, in the order of the file; "
                  "default: jacobi"},
    [EXCHANGE] = {"exchange", false, NULL, "", ""},
    [HISTORY] = {"history", false, &form_history, "",
                 "history of couplings at the start: raise the order step by step, or take it from the exact motion; "
                 "default: raise"},
    [DERIVATIVES] = {"derivatives", false, &form_derivatives, "",
                     "interface derivatives, exact or by differences; default: exact"},
    [REUSE] =
        {"reuse", false, &form_flag, "",
         "keep interface derivatives over macro steps: true while corrections contract well, false never; default: "
         "with ff at force elements without kinks, while errors do not change"},
    [IMPLICIT] = {"implicit", false, &form_implicit, "", "limits of iterated correctors"},
    [REFERENCE] = {"reference", false, &form_name, "",
                   "model file of the undivided mechanism, for compare and converge; default: this file"},
};
const form form_cosim = {
    .name = "cosim", .meaning = "how the mechanism is cut into subsystems and coupled again", FORM_KEYS(keys)};

seam_status cosim_section_check_unique(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                                       const char *key) {
  const size_t length = strlen(key);
  if (table_find(seen, key, length))
    return reader_fail(c->r, at, "keep one of the two", "%s '%.300s' is given twice", what, key);
  const char *copy = arena_text(c->r->memory, key, length);
  return reader_check_memory(c->r, copy != NULL && table_add(seen, copy, length, 0));
}

static seam_status read_implicit(cosim_section *c, yaml_node *value) {
  yaml_node *values[N_IMPLICIT];
  reader_set_subject(c->r, "implicit", NULL);
  TRY(reader_map(c->r, value, implicit_keys, N_IMPLICIT, values));
  TRY(reader_number(c->r, values[IMPLICIT_TOLERANCE], POSITIVE, &c->options.implicit_tolerance));
  return reader_count(c->r, values[IMPLICIT_ITERATIONS], 1, 1e6, &c->options.implicit_iterations);
}

/* Readers of keys, in the order of the calls. For seam_model_file_show(), only the first N_SHOWN are called. */
enum { N_SHOWN = 1 };
static const struct {
  int key;
  seam_status (*read)(cosim_section *c, yaml_node *value);
} key_readers[] = {
    {SUBSYSTEMS, cosim_section_subsystems}, {COUPLINGS, cosim_section_couplings},     {SIGNALS, cosim_section_signals},
    {BONDS, cosim_section_bonds},           {CORRECTIONS, cosim_section_corrections}, {IMPLICIT, read_implicit},
};

static seam_status read_all(cosim_section *c, const yaml_node *root) {
  reader *r = c->r;
  yaml_node *values[N_KEYS];
  bool is_second = false;
  reader_set_subject(r, "cosim", NULL);
  TRY(reader_map(r, root, keys, N_KEYS, values));
  TRY(simulate_read_integrator(r, values + INTEGRATOR, &form_integrator, &c->options.integrator));
  c->has_macro_step = values[MACRO_STEP] != NULL;
  c->has_rtol = values[INTEGRATOR + INTEGRATOR_RTOL] != NULL;
  c->has_atol = values[INTEGRATOR + INTEGRATOR_ATOL] != NULL;
  TRY(reader_number(r, values[MACRO_STEP], POSITIVE, &c->options.macro_step));
  if (values[SCHEME] != NULL)
    TRY(read_schemes(c, values[SCHEME]));
  c->collocates = collocates(c, values[COUPLINGS]);
  if (!c->has_macro_step && !c->collocates)
    return reader_fail(
        r, reader_message_node(root),
        "add 'macro_step: SECONDS', or take a collocation scheme such as ff-colloc-s3, which chooses its macro steps",
        "'cosim' needs 'macro_step'");
  const double end = r->result->simulation.end; /* NaN without `simulate:` */
  if (!c->has_macro_step)
    c->options.macro_step = end > 0 ? end / models_steps_of_run : models_macro_step;
  if (values[STEP_CONTROL] != NULL) /* before subsystems, which inherit its tolerances */
    TRY(read_step_control(c, values[STEP_CONTROL]));
  else if (!c->has_macro_step) {
    cosim_step_control control = cosim_default_step_control(COSIM_ERROR_INDICATOR, models_control_tolerance);
    set_defaults(c, false, &control);
    TRY(cosim_set_step_control(c->builder, &control, r->error));
  }
  reader_set_subject(r, "cosim", NULL);
  TRY(reader_either(r, values[SEQUENCE], &form_sequence, &is_second));
  c->options.sequence = is_second ? COSIM_GAUSS_SEIDEL : COSIM_JACOBI;
  if (values[EXCHANGE] != NULL)
    return reader_fail(r, values[EXCHANGE], "write 'sequence: jacobi' or 'sequence: gauss-seidel'",
                       "'exchange' is now called 'sequence', the order in which the subsystems advance");
  TRY(reader_either(r, values[HISTORY], &form_history, &c->options.exact_history));
  TRY(reader_either(r, values[DERIVATIVES], &form_derivatives, &c->options.differences));
  bool reuses = false;
  TRY(reader_flag(r, values[REUSE], &reuses));
  if (values[REUSE] != NULL)
    c->options.reuse = reuses ? COSIM_REUSE_ALWAYS : COSIM_REUSE_NEVER;
  const size_t n = r->is_shown ? N_SHOWN : sizeof key_readers / sizeof *key_readers;
  for (size_t i = 0; i < n; i++)
    if (values[key_readers[i].key] != NULL)
      TRY(key_readers[i].read(c, values[key_readers[i].key]));
  if (r->is_shown || values[REFERENCE] == NULL)
    return SEAM_OK;
  const char *text = NULL;
  reader_set_subject(r, "cosim", NULL);
  TRY(reader_text(r, values[REFERENCE], &text));
  r->result->reference = reader_path(r, values[REFERENCE]);
  return reader_check_memory(r, r->result->reference != NULL);
}

seam_status cosim_read(reader *r) {
  const yaml_node *root = yaml_get(r->root, "cosim");
  if (root == NULL)
    return SEAM_OK;
  cosim_section c = {.r = r, .options = cosim_default_options()};
  c.subsystem_of = reader_allocate(r, r->n_entries, sizeof *c.subsystem_of);
  TRY(reader_check_memory(r, c.subsystem_of != NULL));
  TRY(reader_check_memory(r, cosim_builder_create(r->result->mechanism, &r->result->cosim, NULL) == SEAM_OK));
  c.builder = r->result->cosim;
  seam_status status = read_all(&c, root);
  THEN(status, cosim_set_options(c.builder, &c.options, r->error));
  table *const tables[] = {&c.subsystems, &c.listed,           &c.cuts,    &c.coupled, &c.connected,
                           &c.bonds,      &c.energy_corrected, &c.balanced};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    table_release(tables[i]);
  return status;
}
