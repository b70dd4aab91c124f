#include "tests/support/cosim_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

seam_status create_simulation(const mbs_model *model, const cosim_definition *definition, cosim_simulation **created,
                              seam_error *error) {
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_of(model, definition, &builder, NULL), SEAM_OK);
  const seam_status status = cosim_create(builder, created, error);
  cosim_builder_destroy(builder);
  return status;
}

cosim_fixture cosim_fixture_read(const char *text_or_name, const char *const *overrides) {
  cosim_fixture p = {0};
  seam_error error = {0};
  const char *catalogue = seam_catalogue_text(text_or_name);
  const char *text = catalogue != NULL ? catalogue : text_or_name;
  size_t n = 0;
  while (overrides != NULL && overrides[n] != NULL)
    n++;
  const seam_status status = seam_model_file_parse("text", text, strlen(text), overrides, n, &p.file, &error);
  cr_assert_eq(status, SEAM_OK, "%s", error.message);
  p.model = seam_model_mechanism(p.file);
  p.workspace = new_workspace(p.model);
  p.state = new_state(p.model);
  cr_assert_eq(mbs_assemble(p.workspace, p.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_not_null(seam_model_cosim(p.file));
  p.definition = *cosim_builder_definition(seam_model_cosim(p.file));
  return p;
}

void cosim_fixture_free(cosim_fixture *p) {
  cosim_destroy(p->run);
  mbs_state_destroy(p->state);
  mbs_workspace_destroy(p->workspace);
  seam_model_file_destroy(p->file);
}

void use_scheme(cosim_fixture *p, const char *scheme) {
  p->definition.options.constitutive_scheme = p->definition.options.constraint_scheme = scheme;
  p->definition.n_coupling_options = 0;
}

void start(cosim_fixture *p) {
  seam_error error = {0};
  cosim_destroy(p->run);
  p->run = NULL;
  cr_assert_eq(create_simulation(p->model, &p->definition, &p->run, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(p->run, p->state, &error), SEAM_OK, "%s", error.message);
}

void expect_no_start(cosim_fixture *p, const char *part) {
  seam_error error = {0};
  const seam_status status = create_simulation(p->model, &p->definition, &p->run, &error);
  cr_assert_eq(status, SEAM_BAD_INPUT, "'%s' was expected, not '%s'", part, error.message);
  cr_expect_not_null(strstr(error.message, part), "'%s' is not in '%s'", part, error.message);
  cr_expect_null(p->run);
}

void advance(cosim_fixture *p, size_t n) {
  seam_error error = {0};
  for (size_t i = 0; i < n; i++)
    cr_assert_eq(cosim_advance(p->run, p->definition.options.macro_step, &error), SEAM_OK, "%s", error.message);
}

mbs_integrator *start_monolithic(const cosim_fixture *p, mbs_state *state) {
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-12;
  options.atol = 1e-13;
  mbs_state_copy(state, p->state);
  cr_assert_eq(mbs_integrator_create(p->model, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK, "%s", error.message);
  return integrator;
}

double error_of(const cosim_fixture *p) {
  seam_error error = {0};
  mbs_state *state = new_state(p->model);
  mbs_integrator *integrator = start_monolithic(p, state);
  const mbs_state *now = cosim_state(p->run);
  cr_assert_eq(mbs_integrator_advance(integrator, now->t, state, &error), SEAM_OK, "%s", error.message);
  double largest = 0;
  for (size_t i = 0; i < 6 * mbs_n_bodies(p->model); i++)
    largest = fmax(largest, fabs(now->q[i] - state->q[i]));
  mbs_state_destroy(state);
  mbs_integrator_destroy(integrator);
  return largest;
}

double error_at_macro_step(cosim_fixture *p, double H, double end) {
  p->definition.options.macro_step = H;
  start(p);
  advance(p, (size_t)floor(end / H + 0.5));
  return error_of(p);
}

void deviation_add(deviation *self, double value, double reference) {
  self->square += pow(value - reference, 2);
  self->sum += reference;
  self->sum2 += pow(reference, 2);
  self->n++;
}

double deviation_of(const deviation *self) {
  return sqrt(self->square / (self->sum2 - pow(self->sum, 2) / (double)self->n));
}

void expect_error_near(const char *scheme, double measured, double listed) {
  cr_expect_leq(measured, 3 * listed + 1e-10, "%s: %g, listed %g", scheme, measured, listed);
  if (listed > 1e-9)
    cr_expect_leq(listed, 3 * measured, "%s: %g, listed %g", scheme, measured, listed);
}

bool same_bits(const mbs_state *a, const mbs_state *b) {
  return a->t == b->t && memcmp(a->q, b->q, a->n_values * sizeof *a->q) == 0;
}
