#include "models/sections/cosim_section.h"

#include <string.h>

void *cosim_section_take(const cosim_section *c, size_t n, size_t size) {
  return arena_take(&c->r->memory, (n + 1) * size);
}

seam_status cosim_section_either(reader *r, const yaml_node *value, const form *words, bool *flag) {
  size_t chosen = 0;
  if (!value)
    return SEAM_OK;
  const seam_status status = reader_word(r, value, words, &chosen);
  *flag = chosen == 1;
  return status;
}

seam_status cosim_section_flag(reader *r, const yaml_node *value, bool *flag) {
  return value ? reader_flag(r, value, flag) : SEAM_OK;
}

seam_status cosim_section_once(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                               const char *key) {
  const size_t length = strlen(key);
  if (table_find(seen, key, length))
    return reader_fail(c->r, at, "keep one of the two", "%s '%.300s' is given twice", what, key);
  const char *kept = arena_text(&c->r->memory, key, length);
  return kept && table_add(seen, kept, length, 0) ? SEAM_OK : reader_no_memory(c->r);
}

/* The engine refuses keys that contradict each other. */
seam_status cosim_section_integrator(reader *r, yaml_node *const *values, const form *methods,
                                     mbs_integrator_options *integrator) {
  seam_status status = SEAM_OK;
  if (values[INTEGRATOR_METHOD]) {
    size_t chosen = 0;
    status = reader_word(r, values[INTEGRATOR_METHOD], methods, &chosen);
    integrator->method = methods->words[chosen];
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
