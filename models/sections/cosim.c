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
  EXCHANGE, /* old name of `sequence` up to version 0.1, refused */
  HISTORY,
  DERIVATIVES,
  REUSE,
  IMPLICIT,
  REFERENCE,
  N_KEYS
};

static const char *const sequences[] = {"jacobi", "gauss-seidel"};
static const form form_sequence = {FORM_WORDS(sequences)};
static const char *const histories[] = {"raise", "exact"};
static const form form_history = {FORM_WORDS(histories)};
static const char *const derivatives[] = {"exact", "differences"};
static const form form_derivatives = {FORM_WORDS(derivatives)};

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

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static seam_status read_macro_step(cosim_section *c, yaml_node *value) {
  return reader_number(c->r, value, POSITIVE, &c->options.macro_step);
}

static seam_status read_sequence(cosim_section *c, yaml_node *value) {
  size_t chosen = 0;
  const seam_status status = reader_word(c->r, value, &form_sequence, &chosen);
  c->options.sequence = chosen == 0 ? COSIM_JACOBI : COSIM_GAUSS_SEIDEL;
  return status;
}

static seam_status read_exchange(cosim_section *c, yaml_node *value) {
  return reader_fail(c->r, value, "write 'sequence: jacobi' or 'sequence: gauss-seidel'",
                     "'exchange' is now called 'sequence', the order in which the subsystems advance");
}

static seam_status read_history(cosim_section *c, yaml_node *value) {
  return cosim_section_either(c->r, value, &form_history, &c->options.exact_history);
}

static seam_status read_derivatives(cosim_section *c, yaml_node *value) {
  return cosim_section_either(c->r, value, &form_derivatives, &c->options.differences);
}

static seam_status read_reuse(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, &c->options.reuse);
}

static seam_status read_implicit(cosim_section *c, yaml_node *value) {
  yaml_node *values[N_IMPLICIT];
  reader_set_subject(c->r, "implicit", NULL);
  seam_status status = reader_take_map(c->r, value, implicit_keys, N_IMPLICIT, values);
  if (status == SEAM_OK && values[IMPLICIT_TOLERANCE])
    status = reader_number(c->r, values[IMPLICIT_TOLERANCE], POSITIVE, &c->options.implicit_tolerance);
  if (status == SEAM_OK && values[IMPLICIT_ITERATIONS])
    status = reader_count(c->r, values[IMPLICIT_ITERATIONS], 1, 1e6, &c->options.implicit_iterations);
  return status;
}

/* Without a macro step, the error of positions controls it; only collocation schemes allow this. */
static seam_status begin_macro_step(cosim_section *c, const yaml_node *root, yaml_node *const *values) {
  if (values[MACRO_STEP] != NULL)
    return SEAM_OK;
  if (!c->collocates)
    return reader_fail(c->r, reader_place(root),
                       "collocation schemes such as ff-colloc-s3 go without it: they choose their macro steps",
                       "cosim needs 'macro_step'");
  const double end = c->r->result->simulation.end;
  c->options.macro_step = end > 0 ? end / models_steps_of_run : models_macro_step; /* NaN without `simulate:` */
  return values[STEP_CONTROL] == NULL ? cosim_section_default_control(c) : SEAM_OK;
}

typedef struct key_reader {
  int key;
  seam_status (*read)(cosim_section *c, yaml_node *value);
} key_reader;

static seam_status read_reference(cosim_section *c, yaml_node *value) {
  const char *text = NULL;
  const seam_status status = reader_text(c->r, value, &text);
  const char *path = status == SEAM_OK ? reader_path(c->r, value) : NULL;
  if (status != SEAM_OK)
    return status;
  c->r->result->reference = path != NULL ? arena_text(&c->r->result->memory, path, strlen(path)) : NULL;
  return c->r->result->reference != NULL ? SEAM_OK : reader_no_memory(c->r);
}

static const key_reader first_keys[] = {{MACRO_STEP, read_macro_step}, {SCHEME, cosim_section_scheme}};

/* Keys up to the subsystems; others are not shown. */
enum { N_SHOWN = 7 };
static const key_reader other_keys[] = {
    {STEP_CONTROL, cosim_section_step_control}, /* before subsystems, which inherit its tolerances */
    {SEQUENCE, read_sequence},
    {EXCHANGE, read_exchange},
    {HISTORY, read_history},
    {DERIVATIVES, read_derivatives},
    {REUSE, read_reuse},
    {SUBSYSTEMS, cosim_section_subsystems},
    {COUPLINGS, cosim_section_couplings},
    {SIGNALS, cosim_section_signals},
    {BONDS, cosim_section_bonds},
    {CORRECTIONS, cosim_section_corrections},
    {IMPLICIT, read_implicit},
    {REFERENCE, read_reference},
};

static seam_status read_keys(cosim_section *c, yaml_node *const *values, const key_reader *readers, size_t n) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    reader_set_subject(c->r, "cosim", NULL);
    if (values[readers[i].key])
      status = readers[i].read(c, values[readers[i].key]);
  }
  return status;
}

static seam_status read_all(cosim_section *c, const yaml_node *root) {
  yaml_node *values[N_KEYS];
  reader_set_subject(c->r, "cosim", NULL);
  seam_status status = reader_take_map(c->r, root, keys, N_KEYS, values);
  THEN(status, cosim_section_integrator(c->r, values + INTEGRATOR, &form_integrator, &c->options.integrator));
  c->has_macro_step = values[MACRO_STEP] != NULL;
  c->has_rtol = values[INTEGRATOR + INTEGRATOR_RTOL] != NULL;
  c->has_atol = values[INTEGRATOR + INTEGRATOR_ATOL] != NULL;
  THEN(status, read_keys(c, values, first_keys, sizeof first_keys / sizeof *first_keys));
  c->collocates = cosim_section_collocates(c, values[COUPLINGS]);
  THEN(status, begin_macro_step(c, root, values));
  const size_t n = c->r->is_shown ? N_SHOWN : sizeof other_keys / sizeof *other_keys;
  return status == SEAM_OK ? read_keys(c, values, other_keys, n) : status;
}

static void release(cosim_section *c) {
  table *const tables[] = {&c->subsystems, &c->listed,           &c->cuts,    &c->coupled, &c->connected,
                           &c->bonds,      &c->energy_corrected, &c->balanced};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    table_release(tables[i]);
}

seam_status cosim_read(reader *r) {
  const yaml_node *root = yaml_get(r->root, "cosim");
  if (!root)
    return SEAM_OK;
  cosim_section c = {.r = r, .options = cosim_default_options()};
  c.subsystem_of = cosim_section_take(&c, r->n_entries, sizeof *c.subsystem_of);
  if (!c.subsystem_of || cosim_builder_create(r->result->mechanism, &r->result->cosim, NULL))
    return reader_no_memory(r);
  c.builder = r->result->cosim;
  seam_status status = read_all(&c, root);
  THEN(status, cosim_set_options(c.builder, &c.options, r->error));
  release(&c);
  return status;
}
