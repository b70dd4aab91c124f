/* The monolithic run, integrated once for a macro step: it serves all schemes. Before it judges anything it is judged
 * itself: by its own energies and residuals, and by a second run with another method at other tolerances. */
#include "analysis/reference.h"
#include "base/argument.h"
#include "mbs/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Tolerances of the reference; where steps that are too short stop at a singular configuration, which longer ones
 * pass, the next ones. */
static const double tighter[] = {100, 10, 1};
enum { N_TIGHTER = sizeof tighter / sizeof *tighter };
static const double least_rtol = 1e-13;
static const double least_atol = 1e-15;
static const double looser = 10;                           /* of the run that checks it, than those of the reference */
static const size_t max_checked = 100;                     /* points of it */
static const double largest_disagreement[2] = {0.01, 0.1}; /* of positions, velocities: a tenth of what is accurate */

static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ---- The monolithic run ---- */

size_t seam_measured_quantities(const mbs_model *model, mbs_quantity *list) {
  size_t n = 0;
  for (size_t m = 0; m < mbs_n_measures(model); m++)
    for (size_t i = 0; i < mbs_n_quantities(model, MBS_MEASURES, m); i++, n++)
      if (list != NULL)
        list[n] = (mbs_quantity){MBS_MEASURES, m, i};
  return n;
}

seam_status analysis_reader_make(const mbs_model *model, analysis_reader *made, seam_error *error) {
  *made = (analysis_reader){.model = model, .n_measured = seam_measured_quantities(model, NULL)};
  mbs_quantity *list = calloc(made->n_measured + 1, sizeof *list);
  made->measured = calloc(made->n_measured + 1, sizeof *made->measured);
  if (list == NULL || made->measured == NULL) {
    free(list);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu measures", made->n_measured);
  }
  seam_measured_quantities(model, list);
  seam_status status = mbs_readout_create(model, list, made->n_measured, &made->measures, error);
  free(list);
  if (status == SEAM_OK)
    status = mbs_workspace_create(model, &made->workspace, error);
  return status;
}

void analysis_reader_free(analysis_reader *self) {
  mbs_workspace_destroy(self->workspace);
  mbs_readout_destroy(self->measures);
  free(self->measured);
  free(self->bodies);
  free(self->columns);
}

static bool has_name(const mbs_model *model, mbs_quantity quantity, const mbs_quantity_info *wanted) {
  const mbs_quantity_info info = mbs_quantity_of(model, quantity);
  return strcmp(info.element, wanted->element) == 0 && strcmp(info.name, wanted->name) == 0;
}

static seam_status match_measures(analysis_reader *self, const mbs_model *whole, seam_error *error) {
  const size_t n = seam_measured_quantities(whole, NULL);
  mbs_quantity *of_whole = calloc(n + 1, sizeof *of_whole);
  mbs_quantity *own = calloc(self->n_measured + 1, sizeof *own);
  if (of_whole != NULL && own != NULL) {
    seam_measured_quantities(whole, of_whole);
    seam_measured_quantities(self->model, own);
    for (size_t i = 0; i < self->n_measured; i++) {
      const mbs_quantity_info info = mbs_quantity_of(self->model, own[i]);
      self->columns[i] = SEAM_NONE;
      for (size_t k = 0; k < n && self->columns[i] == SEAM_NONE; k++)
        self->columns[i] = has_name(whole, of_whole[k], &info) ? k : SEAM_NONE;
    }
  }
  const bool is_done = of_whole != NULL && own != NULL;
  free(of_whole);
  free(own);
  return is_done ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu measures", n);
}

seam_status analysis_reader_match(analysis_reader *self, const seam_reference *reference, seam_error *error) {
  const size_t n = mbs_n_bodies(self->model);
  self->bodies = calloc(n + 1, sizeof *self->bodies);
  self->columns = calloc(self->n_measured + 1, sizeof *self->columns);
  if (self->bodies == NULL || self->columns == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu bodies", n);
  for (size_t i = 0; i < n; i++) {
    self->bodies[i] = mbs_find_body(reference->model, mbs_body_name(self->model, i));
    if (self->bodies[i] == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam_comparison_create(): the reference has no body '%s': name bodies alike in both",
                       mbs_body_name(self->model, i));
  }
  return match_measures(self, reference->model, error);
}

static seam_status allocate(seam_reference *self, const mbs_state *start, seam_error *error) {
  seam_status status = analysis_reader_make(self->model, &self->reader, error);
  const size_t n = self->plan.count * (self->n_values + self->reader.n_measured);
  if (status == SEAM_OK)
    status = mbs_state_create(self->model, &self->start, error);
  if (status != SEAM_OK)
    return status;
  self->values = malloc((n + 1) * sizeof *self->values);
  self->residuals = calloc(2 * mbs_n_constraints(self->model) + 1, sizeof *self->residuals);
  if (self->values == NULL || self->residuals == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference of %zu macro points", self->plan.count);
  mbs_state_copy(self->start, start);
  return SEAM_OK;
}

static seam_status create_integrator(const seam_reference *self, const mbs_integrator_options *options,
                                     const seam_interrupt *interrupt, mbs_integrator **integrator, seam_error *error) {
  seam_status status = mbs_integrator_create(self->model, options, integrator, error);
  if (status != SEAM_OK)
    return status;
  if (interrupt != NULL)
    mbs_integrator_set_interrupt(*integrator, interrupt->is_requested, interrupt->context);
  return mbs_integrator_start(*integrator, self->start, error);
}

/* What the run costs without observation. */
static seam_status time_plain_run(seam_reference *self, const mbs_integrator_options *options, double end,
                                  const seam_interrupt *interrupt, seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->model, &state, error);
  if (status != SEAM_OK)
    return status;
  status = create_integrator(self, options, interrupt, &integrator, error);
  const double start = cpu_now();
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, end);
    status = mbs_integrator_advance(integrator, end, state, error);
  }
  self->cpu = cpu_now() - start;
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

static void observe(seam_reference *self, const mbs_state *state) {
  seam_bounds_add(&self->bounds, self->model, state);
  seam_run_record_add(&self->record, self->model, self->reader.workspace, state, self->residuals);
}

static void keep_point(seam_reference *self, size_t point, const mbs_state *state) {
  const size_t n = self->n_values / 2;
  double *values = self->values + point * (self->n_values + self->reader.n_measured);
  memcpy(values, state->q, n * sizeof *values);
  memcpy(values + n, state->v, n * sizeof *values);
  mbs_read(self->reader.measures, self->reader.workspace, state, values + 2 * n);
  observe(self, state);
}

/* erk at the options' tolerances, `factor` times tighter. */
static mbs_integrator_options tighten(const mbs_integrator_options *options, double factor) {
  mbs_integrator_options tight = mbs_default_integrator_options();
  tight.rtol = fmax(options->rtol / factor, least_rtol);
  tight.atol = options->atol > 0 ? fmax(options->atol / factor, least_atol) : 0;
  tight.largest_step = options->largest_step;
  return tight;
}

static seam_status integrate(seam_reference *self, const mbs_integrator_options *options,
                             const seam_interrupt *interrupt, seam_error *error) {
  const mbs_integrator_options tight = tighten(options, self->tightness);
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->model, &state, error);
  if (status != SEAM_OK)
    return status;
  status = create_integrator(self, &tight, interrupt, &integrator, error);
  observe(self, self->start);
  double t = self->start->t;
  for (size_t i = 1; i <= self->plan.count && status == SEAM_OK; i++) {
    t += cosim_step_plan_length(&self->plan, i - 1);
    status = mbs_integrator_advance(integrator, t, state, error);
    if (status == SEAM_OK)
      keep_point(self, i - 1, state);
  }
  if (integrator != NULL)
    self->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

static seam_status integrate_tightly(seam_reference *self, const mbs_integrator_options *options,
                                     const seam_interrupt *interrupt, seam_error *error) {
  seam_status status = SEAM_BECAME_SINGULAR;
  for (int i = 0; i < N_TIGHTER && status == SEAM_BECAME_SINGULAR; i++) {
    self->tightness = tighter[i];
    self->bounds = (seam_bounds){0};
    self->record = (seam_run_record){0};
    status = integrate(self, options, interrupt, error);
  }
  return status;
}

/* ---- A co-simulation in its place ---- */

/* With macro steps of that length at most, between points. */
static seam_status follow(seam_reference *self, cosim_simulation *simulation, double fine,
                          const seam_interrupt *interrupt, seam_error *error) {
  const double rounding = 1e-9;
  seam_status status = cosim_start(simulation, self->start, error);
  observe(self, self->start);
  for (size_t i = 0; i < self->plan.count && status == SEAM_OK; i++) {
    const double length = cosim_step_plan_length(&self->plan, i);
    const size_t n = (size_t)fmax(1, ceil(length / fine - rounding));
    for (size_t k = 0; k < n && status == SEAM_OK; k++)
      status = cosim_advance(simulation, length / (double)n, error);
    const double t = cosim_state(simulation)->t;
    if (status == SEAM_OK && interrupt != NULL && interrupt->is_requested != NULL &&
        interrupt->is_requested(interrupt->context, t))
      status = seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s", t);
    if (status == SEAM_OK)
      keep_point(self, i, cosim_state(simulation));
  }
  return status;
}

static seam_status run_finely(seam_reference *self, const cosim_builder *builder, double fine,
                              const seam_interrupt *interrupt, seam_error *error) {
  cosim_options options = cosim_options_of(builder);
  cosim_builder *copy = NULL;
  cosim_simulation *simulation = NULL;
  options.macro_step = fine;
  seam_status status = cosim_builder_copy(builder, &copy, error);
  if (status == SEAM_OK)
    status = cosim_set_options(copy, &options, error);
  if (status == SEAM_OK)
    status = cosim_create(copy, &simulation, error);
  const double begin = cpu_now();
  if (status == SEAM_OK)
    status = follow(self, simulation, fine, interrupt, error);
  self->cpu = cpu_now() - begin;
  cosim_destroy(simulation);
  cosim_builder_destroy(copy);
  return status;
}

/* ---- Creation ---- */

static seam_status new_reference(const mbs_model *model, const mbs_integrator_options *options, double macro_step,
                                 double end, seam_reference **made, seam_error *error) {
  cosim_step_plan plan;
  const seam_status status = cosim_step_plan_make(macro_step, end, &plan, error);
  if (status != SEAM_OK)
    return status;
  *made = calloc(1, sizeof **made);
  if (*made == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a reference");
  (*made)->model = model;
  (*made)->options = *options;
  (*made)->tightness = 1;
  (*made)->n_values = 6 * mbs_n_bodies(model);
  (*made)->plan = plan;
  return SEAM_OK;
}

seam_status seam_reference_of_run(const cosim_builder *builder, const mbs_state *start,
                                  const mbs_integrator_options *options, double fine, double macro_step, double end,
                                  const seam_interrupt *interrupt, seam_reference **created, seam_error *error) {
  ARGUMENTS(error, builder, start, options, created);
  const mbs_model *model = cosim_builder_model(builder);
  seam_reference *self = NULL;
  if (!(fine > 0) || !isfinite(fine))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): a macro step of %g s", __func__, fine);
  seam_status status = mbs_state_check(__func__, model, start, error);
  if (status == SEAM_OK)
    status = new_reference(model, options, macro_step, end, &self, error);
  if (status != SEAM_OK)
    return status;
  self->is_of_run = true;
  status = allocate(self, start, error);
  if (status == SEAM_OK)
    status = run_finely(self, builder, fine, interrupt, error);
  if (status == SEAM_OK)
    *created = self;
  else
    seam_reference_destroy(self);
  return status;
}

seam_status seam_reference_create(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                                  double macro_step, double end, const seam_interrupt *interrupt,
                                  seam_reference **created, seam_error *error) {
  ARGUMENTS(error, model, start, options, created);
  const seam_status fits = mbs_state_check(__func__, model, start, error);
  if (fits != SEAM_OK)
    return fits;
  seam_reference *self = NULL;
  seam_status status = new_reference(model, options, macro_step, end, &self, error);
  if (status != SEAM_OK)
    return status;
  status = allocate(self, start, error);
  if (status == SEAM_OK)
    status = time_plain_run(self, options, end, interrupt, error);
  if (status == SEAM_OK)
    status = integrate_tightly(self, options, interrupt, error);
  if (status == SEAM_OK)
    *created = self;
  else
    seam_reference_destroy(self);
  return status;
}

void seam_reference_destroy(seam_reference *self) {
  if (self == NULL)
    return;
  analysis_reader_free(&self->reader);
  mbs_state_destroy(self->start);
  free(self->values);
  free(self->residuals);
  free(self);
}

double seam_reference_cpu(const seam_reference *self) {
  if (self == NULL)
    return NAN;
  return self->cpu;
}

mbs_integrator_options seam_reference_options(const seam_reference *self) {
  if (self == NULL)
    return mbs_default_integrator_options();
  return tighten(&self->options, self->tightness);
}

double seam_reference_tightness(const seam_reference *self) { return self == NULL ? NAN : self->tightness; }

/* ---- Its check ---- */

void analysis_reference_add(const seam_reference *self, size_t point, const analysis_reader *reader,
                            const mbs_state *state, analysis_column *columns) {
  const size_t n = 3 * mbs_n_bodies(reader->model);
  const double *values = self->values + point * (self->n_values + self->reader.n_measured);
  for (size_t i = 0; i < n; i++) {
    const size_t at = reader->bodies != NULL ? 3 * reader->bodies[i / 3] + i % 3 : i;
    analysis_column_add(&columns[i], values[at], state->q[i]);
    analysis_column_add(&columns[n + i], values[self->n_values / 2 + at], state->v[i]);
  }
  mbs_read(reader->measures, reader->workspace, state, reader->measured);
  for (size_t i = 0; i < reader->n_measured; i++) {
    const size_t at = reader->columns != NULL ? reader->columns[i] : i;
    if (at != SEAM_NONE)
      analysis_column_add(&columns[2 * n + i], values[self->n_values + at], reader->measured[i]);
  }
}

/* By erk of order 5, at about `max_checked` points and the last. */
static seam_status run_again(const seam_reference *self, const seam_interrupt *interrupt, analysis_column *columns,
                             seam_error *error) {
  mbs_integrator_options options = tighten(&self->options, self->tightness / looser);
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  const size_t stride = (self->plan.count + max_checked - 1) / max_checked;
  options.order = 5;
  seam_status status = mbs_state_create(self->model, &state, error);
  if (status == SEAM_OK)
    status = create_integrator(self, &options, interrupt, &integrator, error);
  double t = self->start->t;
  for (size_t i = 0; i < self->plan.count && status == SEAM_OK; i++) {
    t += cosim_step_plan_length(&self->plan, i);
    if ((i + 1) % stride != 0 && i + 1 < self->plan.count)
      continue;
    status = mbs_integrator_advance(integrator, t, state, error);
    if (status == SEAM_OK)
      analysis_reference_add(self, i, &self->reader, state, columns);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  return status;
}

static seam_status compare_runs(const seam_reference *self, const analysis_column *columns, seam_agreement *agreement,
                                seam_error *error) {
  static const char *const what[2] = {"positions", "velocities"};
  const size_t n = self->n_values / 2;
  double *const differences[2] = {&agreement->position, &agreement->velocity};
  for (int i = 0; i < 2; i++) {
    const analysis_column *some = columns + (size_t)i * n;
    *differences[i] = analysis_combined(some, n, &self->options);
    if (*differences[i] > largest_disagreement[i])
      return seam_fail(error, SEAM_SUSPECT,
                       "suspect: the reference: erk of order 8 and of order 5 at 10 times looser tolerances differ by "
                       "%.3g of the motion (%s; at most %g): no errors are judged; tighten the tolerances, or compare "
                       "over a shorter time",
                       *differences[i], what[i], largest_disagreement[i]);
  }
  return SEAM_OK;
}

static seam_status check(const seam_reference *self, const seam_interrupt *interrupt, seam_agreement *agreement,
                         seam_error *error) {
  const mbs_integrator_options tight = tighten(&self->options, self->tightness);
  seam_run_verdict verdict;
  seam_error cause = {0};
  if (seam_run_judge(&self->record, self->model, &tight, &self->statistics, &verdict, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_SUSPECT, "suspect: the reference, so that no errors are judged: %s",
                     strchr(cause.message, ' ') + 1);
  analysis_column *columns = calloc(self->n_values + self->reader.n_measured + 1, sizeof *columns);
  if (columns == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to check a reference of %zu columns", self->n_values);
  seam_status status = run_again(self, interrupt, columns, &cause);
  if (status == SEAM_OK)
    status = compare_runs(self, columns, agreement, error);
  else if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    seam_fail(error, status, "%s", cause.message);
  else
    status = seam_fail(error, SEAM_SUSPECT,
                       "suspect: the reference cannot be confirmed by erk of order 5: no errors are judged; %s",
                       cause.message);
  free(columns);
  return status;
}

seam_status seam_reference_check(seam_reference *self, const seam_interrupt *interrupt, seam_agreement *agreement,
                                 seam_error *error) {
  ARGUMENTS(error, self);
  seam_agreement found = {NAN, NAN};
  const seam_status status = check(self, interrupt, &found, error);
  self->is_refused = status != SEAM_OK;
  if (agreement != NULL)
    *agreement = found;
  return status;
}
