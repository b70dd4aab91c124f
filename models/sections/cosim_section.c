/* `cosim:` how the mechanism is cut into subsystems and coupled again. */
#include "models/sections/cosim_section.h"

#include <stdarg.h>
#include <stdio.h>
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
  EXCHANGE,
  HISTORY,
  DERIVATIVES,
  REUSE,
  IMPLICIT,
  N_KEYS
};

static const map_key keys[N_KEYS] = {
    {"macro_step", true},
    INTEGRATOR_KEYS,
    [SUBSYSTEMS] = {"subsystems", true},
    [SCHEME] = {"scheme", false},
    [COUPLINGS] = {"couplings", false},
    [SIGNALS] = {"signals", false},
    [BONDS] = {"bonds", false},
    [CORRECTIONS] = {"corrections", false},
    [STEP_CONTROL] = {"step_control", false},
    [EXCHANGE] = {"exchange", false},
    [HISTORY] = {"history", false},
    [DERIVATIVES] = {"derivatives", false},
    [REUSE] = {"reuse", false},
    [IMPLICIT] = {"implicit", false},
};

const char *cosim_section_keep(const cosim_section *c, const char *text) {
  return arena_text(&c->r->result->memory, text, strlen(text));
}

void *cosim_section_take(const cosim_section *c, size_t n, size_t size) {
  return arena_take(&c->r->result->memory, (n + 1) * size);
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

seam_status cosim_section_once(cosim_section *c, const yaml_node *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *words = arena_take(&c->r->memory, (size_t)length + 1);
  if (!words)
    return reader_no_memory(c->r);
  va_start(arguments, format);
  vsnprintf(words, (size_t)length + 1, format, arguments);
  va_end(arguments);
  if (table_find(&c->once, words, (size_t)length))
    return reader_fail(c->r, at, "say it once", "%.300s is there twice", words);
  return table_add(&c->once, words, (size_t)length, 0) ? SEAM_OK : reader_no_memory(c->r);
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
  if (!status && values[INTEGRATOR_ORDER])
    status = simulate_read_order(r, values[INTEGRATOR_ORDER], &integrator->order);
  if (!status && values[INTEGRATOR_RTOL])
    status = reader_number(r, values[INTEGRATOR_RTOL], POSITIVE, &integrator->rtol);
  if (!status && values[INTEGRATOR_ATOL])
    status = reader_number(r, values[INTEGRATOR_ATOL], POSITIVE, &integrator->atol);
  yaml_node *step = values[INTEGRATOR_STEP];
  if (status || !step)
    return status;
  integrator->step = 0;
  if (step->text && strcmp(step->text, "adaptive") == 0)
    return SEAM_OK;
  return reader_number(r, step, POSITIVE, &integrator->step);
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static seam_status read_macro_step(cosim_section *c, yaml_node *value) {
  return reader_number(c->r, value, POSITIVE, &c->options->macro_step);
}

static seam_status read_exchange(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "jacobi", "gauss-seidel", &c->options->gauss_seidel);
}

static seam_status read_history(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "raise", "exact", &c->options->exact_history);
}

static seam_status read_derivatives(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "exact", "differences", &c->options->differences);
}

static seam_status read_reuse(cosim_section *c, yaml_node *value) {
  return cosim_section_flag(c->r, value, "false", "true", &c->options->reuse);
}

static seam_status read_implicit(cosim_section *c, yaml_node *value) {
  static const map_key implicit_keys[] = {{"tolerance", false}, {"iterations", false}};
  yaml_node *values[2];
  reader_set_subject(c->r, "implicit", NULL);
  seam_status status = reader_take_map(c->r, value, implicit_keys, 2, values);
  if (!status && values[0])
    status = reader_number(c->r, values[0], POSITIVE, &c->options->implicit_tolerance);
  if (!status && values[1])
    status = reader_count(c->r, values[1], 1, 1e6, &c->options->implicit_iterations);
  return status;
}

static const struct {
  int key;
  seam_status (*read)(cosim_section *c, yaml_node *value);
} steps[] = {
    {MACRO_STEP, read_macro_step},
    {EXCHANGE, read_exchange},
    {HISTORY, read_history},
    {DERIVATIVES, read_derivatives},
    {REUSE, read_reuse},
    {SUBSYSTEMS, cosim_section_subsystems},
    {SCHEME, cosim_section_scheme},
    {COUPLINGS, cosim_section_couplings},
    {SIGNALS, cosim_section_signals},
    {BONDS, cosim_section_bonds},
    {STEP_CONTROL, cosim_section_step_control},
    {CORRECTIONS, cosim_section_corrections},
    {IMPLICIT, read_implicit},
};

static seam_status read_all(cosim_section *c, const yaml_node *root) {
  yaml_node *values[N_KEYS];
  reader_set_subject(c->r, "cosim", NULL);
  seam_status status = reader_take_map(c->r, root, keys, N_KEYS, values);
  if (!status)
    status = cosim_section_integrator(c->r, values + INTEGRATOR, simulate_methods, SIMULATE_N_METHODS,
                                      &c->options->integrator);
  for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
    reader_set_subject(c->r, "cosim", NULL);
    if (values[steps[i].key])
      status = steps[i].read(c, values[steps[i].key]);
  }
  return status;
}

seam_status cosim_read(reader *r) {
  const yaml_node *root = yaml_get(r->root, "cosim");
  if (!root)
    return SEAM_OK;
  r->result->cosim = cosim_default_definition();
  r->result->has_cosim = true;
  cosim_section c = {.r = r,
                     .options = &r->result->cosim,
                     .subsystem_of = arena_take(&r->memory, (r->n_entries + 1) * sizeof *c.subsystem_of)};
  if (!c.subsystem_of)
    return reader_no_memory(r);
  const seam_status status = read_all(&c, root);
  table_release(&c.names);
  table_release(&c.bonds);
  table_release(&c.couplings);
  table_release(&c.once);
  return status;
}
