/* `cosim:` partition of the mechanism into subsystems, and their coupling. */
#include "models/sections/cosim_section.h"

#include <string.h>

#include "base/then.h"
#include "models/thresholds.h"

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
    [INTEGRATOR] = INTEGRATOR_KEYS(&form_integrator, "erk", "5", "1e-8", "rtol times the scales of the mechanism"),
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
    [REUSE] = {"reuse", false, &form_flag, "",
               "keep interface derivatives over macro steps while corrections contract well; default: false"},
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
  const char *copy = arena_text(&c->r->memory, key, length);
  return copy && table_add(seen, copy, length, 0) ? SEAM_OK : reader_no_memory(c->r);
}

static seam_status read_implicit(cosim_section *c, yaml_node *value) {
  yaml_node *values[N_IMPLICIT];
  reader_set_subject(c->r, "implicit", NULL);
  seam_status status = reader_map(c->r, value, implicit_keys, N_IMPLICIT, values);
  THEN(status, reader_number(c->r, values[IMPLICIT_TOLERANCE], POSITIVE, &c->options.implicit_tolerance));
  THEN(status, reader_count(c->r, values[IMPLICIT_ITERATIONS], 1, 1e6, &c->options.implicit_iterations));
  return status;
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
  seam_status status = reader_map(r, root, keys, N_KEYS, values);
  THEN(status, simulate_read_integrator(r, values + INTEGRATOR, &form_integrator, &c->options.integrator));
  c->has_macro_step = values[MACRO_STEP] != NULL;
  c->has_rtol = values[INTEGRATOR + INTEGRATOR_RTOL] != NULL;
  c->has_atol = values[INTEGRATOR + INTEGRATOR_ATOL] != NULL;
  THEN(status, reader_number(r, values[MACRO_STEP], POSITIVE, &c->options.macro_step));
  THEN(status, values[SCHEME] != NULL ? cosim_section_scheme(c, values[SCHEME]) : SEAM_OK);
  c->collocates = cosim_section_collocates(c, values[COUPLINGS]);
  if (status == SEAM_OK && !c->has_macro_step && !c->collocates)
    return reader_fail(r, reader_message_node(root),
                       "collocation schemes such as ff-colloc-s3 go without it: they choose their macro steps",
                       "cosim needs 'macro_step'");
  /* Without a macro step in the file, step control by the local error of positions chooses the macro steps. */
  const double end = r->result->simulation.end; /* NaN without `simulate:` */
  if (!c->has_macro_step)
    c->options.macro_step = end > 0 ? end / models_steps_of_run : models_macro_step;
  THEN(status, !c->has_macro_step && values[STEP_CONTROL] == NULL ? cosim_section_default_control(c) : SEAM_OK);
  if (status == SEAM_OK && values[STEP_CONTROL] != NULL) /* first, as subsystems inherit its tolerances */
    status = cosim_section_step_control(c, values[STEP_CONTROL]);
  reader_set_subject(r, "cosim", NULL);
  THEN(status, reader_either(r, values[SEQUENCE], &form_sequence, &is_second));
  c->options.sequence = is_second ? COSIM_GAUSS_SEIDEL : COSIM_JACOBI;
  if (status == SEAM_OK && values[EXCHANGE] != NULL)
    return reader_fail(r, values[EXCHANGE], "write 'sequence: jacobi' or 'sequence: gauss-seidel'",
                       "'exchange' is now called 'sequence', the order in which the subsystems advance");
  THEN(status, reader_either(r, values[HISTORY], &form_history, &c->options.exact_history));
  THEN(status, reader_either(r, values[DERIVATIVES], &form_derivatives, &c->options.differences));
  THEN(status, reader_flag(r, values[REUSE], &c->options.reuse));
  const size_t n = r->is_shown ? N_SHOWN : sizeof key_readers / sizeof *key_readers;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (values[key_readers[i].key] != NULL)
      status = key_readers[i].read(c, values[key_readers[i].key]);
  if (status != SEAM_OK || r->is_shown || values[REFERENCE] == NULL)
    return status;
  const char *text = NULL;
  reader_set_subject(r, "cosim", NULL);
  status = reader_text(r, values[REFERENCE], &text);
  const char *path = status == SEAM_OK ? reader_path(r, values[REFERENCE]) : NULL;
  return status == SEAM_OK ? reader_copy_text(r, path, &r->result->reference) : status;
}

seam_status cosim_read(reader *r) {
  const yaml_node *root = yaml_get(r->root, "cosim");
  if (root == NULL)
    return SEAM_OK;
  cosim_section c = {.r = r, .options = cosim_default_options()};
  c.subsystem_of = arena_allocate(&r->memory, (r->n_entries + 1) * sizeof *c.subsystem_of);
  if (c.subsystem_of == NULL || cosim_builder_create(r->result->mechanism, &r->result->cosim, NULL) != SEAM_OK)
    return reader_no_memory(r);
  c.builder = r->result->cosim;
  seam_status status = read_all(&c, root);
  THEN(status, cosim_set_options(c.builder, &c.options, r->error));
  table *const tables[] = {&c.subsystems, &c.listed,           &c.cuts,    &c.coupled, &c.connected,
                           &c.bonds,      &c.energy_corrected, &c.balanced};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    table_release(tables[i]);
  return status;
}
