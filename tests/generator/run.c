#include "tests/generator/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/cosim.h>
#include <seam/mbs.h>
#include <seam/runs.h>

/* ---- What runs share --------------------------------------------------------------------------------------------- */

typedef struct bench {
  const trial *trial;
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
  sample *samples;
  int n;
  seam_error *error;
  mbs_statistics statistics;
} bench;

static seam_status bench_open(bench *b, const trial *t, sample *samples, seam_error *error) {
  *b = (bench){.trial = t, .samples = samples, .error = error};
  seam_status status = seam_model_file_parse("trial.yaml", t->yaml.at, t->yaml.length, NULL, 0, &b->file, b->error);
  if (status != SEAM_OK)
    return status;
  b->model = seam_model_mechanism(b->file);
  status = mbs_workspace_create(b->model, &b->workspace, b->error);
  if (status == SEAM_OK)
    status = mbs_state_create(b->model, &b->state, b->error);
  return status == SEAM_OK ? mbs_assemble(b->workspace, b->state, NULL, NULL, b->error) : status;
}

static void bench_close(bench *b) {
  mbs_state_destroy(b->state);
  mbs_workspace_destroy(b->workspace);
  seam_model_file_destroy(b->file);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

void straighten(const trial *t, double time, const double *coordinates, const double *rates, sample *s) {
  const frame *f = &t->frame;
  const double c = cos(f->angle), sn = sin(f->angle), speed = f->length / f->time;
  s->time = time / f->time;
  s->largest_place = 0;
  for (int b = 0; b < t->n_bodies; b++) {
    const double *q = coordinates + 3 * b, *v = rates + 3 * b;
    const double x = (q[0] - f->shift[0]) / f->length, y = (q[1] - f->shift[1]) / f->length;
    const double place[3] = {c * x + sn * y, c * y - sn * x, q[2] - f->angle};
    const double rate[3] = {(c * v[0] + sn * v[1]) / speed, (c * v[1] - sn * v[0]) / speed, v[2] * f->time};
    memcpy(s->q + 3 * b, place, sizeof place);
    memcpy(s->v + 3 * b, rate, sizeof rate);
    s->largest_place = fmax(s->largest_place, hypot(q[0], q[1]) / f->length);
    s->largest_place = fmax(s->largest_place, fabs(q[2]));
  }
}

/* An error δ of all coordinates changes the energy by up to scale * δ. */
static double energy_scale(const trial *t, const mbs_state *state, const mbs_energy *energy, double place) {
  const frame *f = &t->frame;
  double scale = fabs(energy->kinetic) + fabs(energy->potential) + fabs(energy->dissipated) + fabs(energy->driven);
  scale /= f->mass * pow(f->length / f->time, 2);
  for (int b = 0; b < t->n_bodies; b++) {
    const double *a = state->a + 3 * b;
    const double acceleration = (hypot(a[0], a[1]) / f->length) * f->time * f->time;
    scale += place * (t->mass[b] * (acceleration + hypot(t->gravity[0], t->gravity[1])) +
                      t->inertia[b] * fabs(a[2]) * f->time * f->time);
  }
  return scale;
}

static void take_sample(bench *b, const mbs_state *state, double created) {
  const trial *t = b->trial;
  sample *s = &b->samples[b->n++];
  straighten(t, state->t, state->q, state->v, s);
  const mbs_energy e = mbs_energy_of(b->workspace, state);
  s->balance =
      (e.total + e.dissipated - e.driven - created) / (t->frame.mass * pow(t->frame.length / t->frame.time, 2));
  s->energy_scale = energy_scale(t, state, &e, s->largest_place);
}

/* ---- Whole ------------------------------------------------------------------------------------------------------- */

static seam_status advance(bench *b, mbs_integrator *integrator, double t) {
  const seam_status status = mbs_integrator_advance(integrator, t, b->state, b->error);
  if (status == SEAM_OK)
    take_sample(b, b->state, 0);
  return status;
}

/* Samples are taken at n times, of which the first is the start; NULL: at equal distances. */
static seam_status integrate(bench *b, const mbs_integrator_options *options, const double *times, int n) {
  const double end = b->trial->end * b->trial->frame.time;
  mbs_integrator *integrator = NULL;
  seam_status status = mbs_integrator_create(b->model, options, &integrator, b->error);
  if (status == SEAM_OK)
    status = mbs_integrator_start(integrator, b->state, b->error);
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, end);
    take_sample(b, b->state, 0);
  }
  for (int i = 1; i < n && status == SEAM_OK; i++)
    status = advance(b, integrator, times != NULL ? fmin(times[i], end) : i == n - 1 ? end : end * i / (n - 1));
  if (integrator != NULL)
    b->statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
  return status;
}

/* ---- Cut --------------------------------------------------------------------------------------------------------- */

static double created_of(const cosim_simulation *simulation) {
  double created = 0;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    created += cosim_coupling_created(simulation, k);
  return created;
}

/* Macro steps of equal length, or as the file controls them. */
static seam_status step_through(bench *b, cosim_simulation *simulation) {
  seam_growth growth = {0};
  const double end = b->trial->end * b->trial->frame.time;
  const cosim_builder *builder = seam_model_cosim(b->file);
  const bool is_controlled = cosim_builder_definition(builder)->step_control != NULL;
  cosim_step_plan plan;
  seam_status status =
      cosim_step_plan_make(cosim_builder_definition(builder)->options.macro_step, end, &plan, b->error);
  double t = 0;
  take_sample(b, cosim_state(simulation), 0);
  for (size_t i = 0; status == SEAM_OK && t < (1 - 1e-12) * end; i++) {
    status = is_controlled ? cosim_advance_controlled(simulation, end, b->error)
                           : cosim_advance(simulation, cosim_step_plan_length(&plan, i), b->error);
    t = is_controlled ? cosim_state(simulation)->t : cosim_step_plan_time(&plan, i + 1);
    if (status == SEAM_OK)
      status = seam_growth_check(&growth, b->model, b->state, simulation, t, end, b->error);
    if (status == SEAM_OK && t >= (b->n - 1e-9) * end / N_ROWS)
      take_sample(b, cosim_state(simulation), created_of(simulation));
  }
  return status;
}

static seam_status cosimulate(bench *b) {
  cosim_simulation *simulation = NULL;
  seam_status status = cosim_create(seam_model_cosim(b->file), &simulation, b->error);
  if (status == SEAM_OK)
    status = cosim_start(simulation, b->state, b->error);
  if (status == SEAM_OK)
    status = step_through(b, simulation);
  if (simulation != NULL)
    b->statistics = cosim_statistics_of(simulation).integrators;
  cosim_destroy(simulation);
  return status;
}

/* ---- The verdict ------------------------------------------------------------------------------------------------- */

/* What the run says of itself, once more through the library of runs; the state is the start again. */
static seam_status judge_run(bench *b) {
  const seam_run_sink sink = {.take = NULL};
  mbs_assembly assembly = {0};
  cosim_simulation *simulation = NULL;
  seam_run *run = NULL;
  seam_model_file *file = NULL;
  mbs_state *state = NULL;
  seam_error ending = {0};
  const trial *t = b->trial;
  seam_status status = seam_model_file_parse("trial.yaml", t->yaml.at, t->yaml.length, NULL, 0, &file, b->error);
  const mbs_model *model = status == SEAM_OK ? seam_model_mechanism(file) : NULL;
  mbs_workspace *workspace = NULL;
  if (status == SEAM_OK)
    status = mbs_workspace_create(model, &workspace, b->error);
  if (status == SEAM_OK)
    status = mbs_state_create(model, &state, b->error);
  if (status == SEAM_OK)
    status = mbs_assemble(workspace, state, &assembly, NULL, b->error);
  if (status == SEAM_OK && t->run == CUT)
    status = cosim_create(seam_model_cosim(file), &simulation, b->error);
  const seam_run_def def = {.file = file,
                            .model = model,
                            .workspace = workspace,
                            .state = state,
                            .assembly = &assembly,
                            .simulation = simulation,
                            .builder = simulation != NULL ? seam_model_cosim(file) : NULL,
                            .end = t->end * t->frame.time,
                            .output_step = t->end * t->frame.time / N_ROWS};
  if (status == SEAM_OK)
    status = seam_run_create(&def, &run, b->error);
  if (status == SEAM_OK)
    status = seam_run_carry_out(run, &sink, b->error);
  if (status == SEAM_OK)
    status = seam_run_find_error(run, NULL, b->error);
  if (status == SEAM_OK)
    status = seam_run_conclude(run, &ending);
  if (ending.status != SEAM_OK)
    *b->error = ending;
  seam_run_destroy(run);
  cosim_destroy(simulation);
  mbs_state_destroy(state);
  mbs_workspace_destroy(workspace);
  seam_model_file_destroy(file);
  return status;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

void run_trial(const trial *t, int parts, motion *m) {
  bench b;
  *m = (motion){.n = 0};
  seam_status status = bench_open(&b, t, m->sample, &m->error);
  if (status == SEAM_OK && t->run == CUT)
    status = cosimulate(&b);
  else if (status == SEAM_OK) {
    mbs_integrator_options options = seam_model_simulation(b.file)->integrator;
    options.step /= parts;
    status = integrate(&b, &options, NULL, N_ROWS + 1);
  }
  if (status == SEAM_OK)
    status = judge_run(&b);
  m->n = b.n;
  m->steps = b.statistics.steps;
  m->error.status = status;
  bench_close(&b);
}

bool run_reference(const trial *plain, const reference_options *options, const double *times, int n, sample *samples) {
  bench b;
  seam_error error = {0};
  mbs_integrator_options integrator = mbs_default_integrator_options();
  integrator.method = options->method;
  integrator.rtol = integrator.atol = options->tolerance;
  seam_status status = bench_open(&b, plain, samples, &error);
  if (status == SEAM_OK && options->perturbation != 0) {
    for (int i = 0; i < 3 * plain->n_bodies; i++)
      b.state->v[i] += options->perturbation * (i * i % 7 % 2 == 0 ? 1 : -1);
    status = mbs_assemble(b.workspace, b.state, NULL, NULL, b.error);
  }
  if (status == SEAM_OK)
    status = integrate(&b, &integrator, times, n);
  bench_close(&b);
  return status == SEAM_OK;
}
