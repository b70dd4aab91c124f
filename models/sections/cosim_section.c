/* `cosim:` how the mechanism is cut into subsystems and coupled again. */
#include "models/sections/cosim_section.h"

#include <string.h>

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
  EXCHANGE, /* its name up to version 0.1 */
  HISTORY,
  DERIVATIVES,
  REUSE,
  IMPLICIT,
  N_KEYS
};

static const map_key keys[N_KEYS] = {
    {"macro_step", false},
    INTEGRATOR_KEYS,
    [SUBSYSTEMS] = {"subsystems", true},
    [SCHEME] = {"scheme", false},
    [COUPLINGS] = {"couplings", false},
    [SIGNALS] = {"signals", false},
    [BONDS] = {"bonds", false},
    [CORRECTIONS] = {"corrections", false},
    [STEP_CONTROL] = {"step_control", false},
    [SEQUENCE] = {"sequence", false},
    [EXCHANGE] = {"exchange", false},
    [HISTORY] = {"history", false},
    [DERIVATIVES] = {"derivatives", false},
    [REUSE] = {"reuse", false},
    [IMPLICIT] = {"implicit", false},
};

void *cosim_section_take(const cosim_section *c, size_t n, size_t size) {
  return arena_take(&c->r->memory, (n + 1) * size);
}

seam_status cosim_section_flag(reader *r, const yaml_node *value, const char *off, const char *on, bool *flag) {
  const char *const words[] = {off, on};
  size_t chosen = 0;
  if (!value)
    return SEAM_OK;
  const seam_status status = reader_keyword(r, value, words, 2, &chosen);
  *flag = chosen == 1;
  return status;
}

seam_status cosim_section_once(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                               const char *key) {
  const size_t length = strlen(key);
  if (table_find(seen, key, length))
    return reader_fail(c->r, at, "keep one of the two", "%s '%.300s' is given twice", what, key);
  const char *kept = arena_text(&c->r->memory, key, length);
  return kept && table_add(seen, kept, length, 0) ? SEAM_OK : reader_no_memory(c->r);
}

/* A method whose steps may be fixed needs micro_step; the engine refuses what does not go together. */
seam_status cosim_section_integrator(reader *r, yaml_node *const *values, const char *const *methods, size_t n_methods,
                                     mbs_integrator_options *integrator) {
  seam_status status = SEAM_OK;
  if (values[INTEGRATOR_METHOD]) {
    size_t chosen = 0;
    status = reader_keyword(r, values[INTEGRATOR_METHOD], methods, n_methods, &chosen);
    integrator->method = methods[chosen];
  }
  if (status == SEAM_OK && values[INTEGRATOR_ORDER])
    status = simulate_read_order(r, values[INTEGRATOR_ORDER], &integrator->order);
  if (status == SEAM_OK && values[INTEGRATOR_RTOL])
    status = reader_number(r, values[INTEGRATOR_RTOL], POSITIVE, &integrator->rtol);
  if (status == SEAM_OK && values[INTEGRATOR_ATOL])
    status = reader_number(r, values[INTEGRATOR_ATOL], POSITIVE, &integrator->atol);
  yaml_node *step = values[INTEGRATOR_STEP];
  if (status != SEAM_OK || !step)
    return status;
  integrator->step = 0;
  if (step->text && strcmp(step->text, "adaptive") == 0)
    return SEAM_OK;
  return reader_number(r, step, POSITIVE, &integrator->step);
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static seam_status read_macro_step(cosim_section *c, yaml_node *value) {
  return reader_number(c->r, value, POSITIVE, &c->options.macro_step);
}

static seam_status read_sequence(cosim_section *c, yaml_node *value) {
  static const char *const words[] = {"jacobi", "gauss-seidel"};
  size_t chosen = 0;
  const seam_status status = reader_keyword(c->r, value, words, 2, &chosen);
  c->options.sequence = chosen == 0 ? COSIM_JACOBI : COSIM_GAUSS_SEIDEL;
  return status;
}

static seam_status read_exchange(cosim_section *c, yaml_node *value) {
  return reader_fail(c->r, value, "write 'sequence: jacobi' or 'sequence: gauss-seidel'",
                     "'exchange' is now called 'sequence', the order in which the subsystems advance");
}

static seam_status read_history(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "raise", "exact", &c->options.exact_history);
}

static seam_status read_derivatives(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "exact", "differences", &c->options.differences);
}

static seam_status read_reuse(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "false", "true", &c->options.reuse);
}

static seam_status read_implicit(cosim_section *c, yaml_node *value) {
  static const map_key implicit_keys[] = {{"tolerance", false}, {"iterations", false}};
  yaml_node *values[2];
  reader_set_subject(c->r, "implicit", NULL);
  seam_status status = reader_take_map(c->r, value, implicit_keys, 2, values);
  if (status == SEAM_OK && values[0])
    status = reader_number(c->r, values[0], POSITIVE, &c->options.implicit_tolerance);
  if (status == SEAM_OK && values[1])
    status = reader_count(c->r, values[1], 1, 1e6, &c->options.implicit_iterations);
  return status;
}

/* Without a macro step the error of positions controls it, where all schemes allow that: those of collocation. */
static seam_status begin_macro_step(cosim_section *c, const yaml_node *root, yaml_node *const *values) {
  if (values[MACRO_STEP] != NULL)
    return SEAM_OK;
  if (!c->collocates)
    return reader_fail(c->r, reader_place(root),
                       "collocation schemes such as ff-colloc-s3 go without it: they choose their macro steps",
                       "cosim needs 'macro_step'");
  const double end = c->r->result->simulation.end;
  c->options.macro_step = end > 0 ? end / 1000 : 1e-3; /* without `simulate:` */
  return values[STEP_CONTROL] == NULL ? cosim_section_default_control(c) : SEAM_OK;
}

typedef struct key_reader {
  int key;
  seam_status (*read)(cosim_section *c, yaml_node *value);
} key_reader;

static const key_reader first_keys[] = {{MACRO_STEP, read_macro_step}, {SCHEME, cosim_section_scheme}};

static const key_reader other_keys[] = {
    {STEP_CONTROL, cosim_section_step_control}, /* subsystems inherit the tolerances */
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
  if (status == SEAM_OK)
    status = cosim_section_integrator(c->r, values + INTEGRATOR, simulate_methods, SIMULATE_N_METHODS,
                                      &c->options.integrator);
  c->has_macro_step = values[MACRO_STEP] != NULL;
  c->has_rtol = values[INTEGRATOR + INTEGRATOR_RTOL] != NULL;
  c->has_atol = values[INTEGRATOR + INTEGRATOR_ATOL] != NULL;
  if (status == SEAM_OK)
    status = read_keys(c, values, first_keys, sizeof first_keys / sizeof *first_keys);
  c->collocates = cosim_section_collocates(c, values[COUPLINGS]);
  if (status == SEAM_OK)
    status = begin_macro_step(c, root, values);
  return status == SEAM_OK ? read_keys(c, values, other_keys, sizeof other_keys / sizeof *other_keys) : status;
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
  if (status == SEAM_OK)
    status = cosim_set_options(c.builder, &c.options, r->error);
  release(&c);
  return status;
}
