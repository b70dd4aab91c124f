/* Runs of trials through the public run library, and what is judged of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/generator/errors.h"
#include "tests/generator/run.h"

/* ---- Tracks ------------------------------------------------------------------------------------------------------ */

void trace_add(track *self, double time, const double *row) {
  if (self->n == self->room) {
    self->room = 2 * self->room + 256;
    self->time = realloc(self->time, (size_t)self->room * sizeof *self->time);
    self->value = realloc(self->value, (size_t)self->room * (size_t)(self->width + 1) * sizeof *self->value);
    if (self->time == NULL || self->value == NULL)
      abort();
  }
  self->time[self->n] = time;
  memcpy(self->value + self->width * self->n, row, (size_t)self->width * sizeof *row);
  self->n++;
}

void trace_free(track *self) {
  free(self->time);
  free(self->value);
}

/* ---- Layouts ----------------------------------------------------------------------------------------------------- */

static void add_quantity(layout *l, quantity_kind kind, int dimension, const char *owner, int number,
                         const char *what) {
  quantity *q = &l->quantity[l->n++];
  *q = (quantity){.kind = kind, .column = l->width, .dimension = dimension};
  snprintf(q->name, sizeof q->name, "%s%d.%s", owner, number, what);
  l->width += dimension;
}

void layouts_of(const trial *t, layout layouts[N_TRACKS]) {
  memset(layouts, 0, N_TRACKS * sizeof *layouts);
  for (int b = 0; b < t->n_bodies; b++) {
    add_quantity(&layouts[IN_ROWS], PLACE, 2, "b", b, "x");
    add_quantity(&layouts[IN_ROWS], ANGLE, 1, "b", b, "phi");
    add_quantity(&layouts[IN_ROWS], VELOCITY, 2, "b", b, "vx");
    add_quantity(&layouts[IN_ROWS], RATE, 1, "b", b, "omega");
  }
  for (const rail *r = t->rail; r < t->rail + t->n_rails; r++)
    for (const rail_control *c = r->control; c < r->control + r->n_controls; c++) {
      layout *l = &layouts[c->has_signals ? AT_MACRO_POINTS : IN_ROWS];
      add_quantity(l, SIGNAL, 1, "c", c->number, "F");
      add_quantity(l, SIGNAL, 1, "c", c->number, "I");
    }
  for (int k = 0; k < t->network.n_blocks; k++) {
    add_quantity(&layouts[AT_MACRO_POINTS], SIGNAL, 1, "n", k, "y");
    if (t->network.block[k].is_second)
      add_quantity(&layouts[AT_MACRO_POINTS], SIGNAL, 1, "n", k, "yd");
  }
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

typedef struct bench {
  const trial *trial;
  error_run *out;
  bool is_cut;
  layout layouts[N_TRACKS];
  size_t column[N_TRACKS][MAX_QUANTITIES]; /* of the first component of each quantity */
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
  mbs_assembly assembly;
  cosim_simulation *simulation;
  seam_run *run;
} bench;

static void straighten_quantity(const frame *f, quantity_kind kind, const double *in, double *out) {
  const double c = cos(f->angle), s = sin(f->angle), unit = kind == PLACE ? f->length : f->length / f->time;
  const double x = kind == PLACE ? in[0] - f->shift[0] : in[0],
               y = kind == ANGLE ? 0 : in[1] - f->shift[1] * (kind == PLACE);
  if (kind == PLACE || kind == VELOCITY) {
    out[0] = (c * x + s * y) / unit;
    out[1] = (c * y - s * x) / unit;
  } else {
    out[0] = kind == ANGLE ? in[0] - f->angle : kind == RATE ? in[0] * f->time : in[0];
  }
}

static seam_status take(void *context, seam_run_table table, const double *row, const seam_run_label *label,
                        seam_error *error) {
  bench *b = context;
  (void)label;
  (void)error;
  const int k = table == SEAM_TRAJECTORY_TABLE ? IN_ROWS : AT_MACRO_POINTS;
  if (table != SEAM_TRAJECTORY_TABLE && table != SEAM_SIGNALS_TABLE)
    return SEAM_OK;
  double plain[MAX_COLUMNS], in[2];
  for (int i = 0; i < b->layouts[k].n; i++) {
    const quantity *q = &b->layouts[k].quantity[i];
    in[0] = row[b->column[k][i]];
    in[1] = row[b->column[k][i] + (size_t)q->dimension - 1];
    straighten_quantity(&b->trial->frame, q->kind, in, plain + q->column);
  }
  trace_add(&b->out->track[k], row[0] / b->trial->frame.time, plain);
  return SEAM_OK;
}

static seam_status open_file(bench *b, seam_error *error) {
  const trial *t = b->trial;
  seam_status status = seam_model_file_parse("trial.yaml", t->yaml.at, t->yaml.length, NULL, 0, &b->file, error);
  if (status == SEAM_OK && !b->is_cut)
    status = seam_model_whole(b->file, &b->model, error);
  else if (status == SEAM_OK)
    b->model = seam_model_mechanism(b->file);
  if (status == SEAM_OK)
    status = mbs_workspace_create(b->model, &b->workspace, error);
  if (status == SEAM_OK)
    status = mbs_state_create(b->model, &b->state, error);
  if (status == SEAM_OK)
    status = mbs_assemble(b->workspace, b->state, &b->assembly, NULL, error);
  if (status == SEAM_OK && b->is_cut)
    status = cosim_create(seam_model_cosim(b->file), &b->simulation, error);
  return status;
}

static seam_status find_columns(bench *b, seam_error *error) {
  static const seam_run_table tables[N_TRACKS] = {SEAM_TRAJECTORY_TABLE, SEAM_SIGNALS_TABLE};
  char list[256] = "default";
  for (int i = 0; i < b->layouts[IN_ROWS].n; i++) {
    const quantity *q = &b->layouts[IN_ROWS].quantity[i];
    if (q->kind == SIGNAL)
      snprintf(list + strlen(list), sizeof list - strlen(list), ",%s", q->name);
  }
  seam_status status = b->layouts[IN_ROWS].n > 0 ? seam_run_choose_columns(b->run, list, error) : SEAM_OK;
  for (int k = 0; k < N_TRACKS && status == SEAM_OK; k++) {
    b->out->track[k].width = b->layouts[k].width;
    for (int i = 0; i < b->layouts[k].n && status == SEAM_OK; i++) {
      const seam_table *table = seam_run_columns(b->run, tables[k]);
      b->column[k][i] = table == NULL ? SEAM_NONE : seam_table_find(table, b->layouts[k].quantity[i].name);
      if (b->column[k][i] == SEAM_NONE)
        status = SEAM_BAD_STATE;
    }
  }
  return status;
}

static void take_printed(const bench *b, printed *p) {
  const seam_run_facts facts = seam_run_facts_of(b->run);
  if (facts.verdict == NULL)
    return;
  const seam_deviation *e = &facts.verdict->error;
  *p = (printed){.word = facts.verdict->word, .by = e->by, .is_bound = e->is_bound, .error = e->of_travel};
  p->time = e->time / b->trial->frame.time;
  /* Runs are judged up to just before the point where two undivided ones part. */
  p->until = isfinite(e->until) ? (1 - 3e-9) * e->until / b->trial->frame.time : b->trial->end;
  if (e->by == SEAM_TRUTH_NONE || e->diverges)
    p->error = NAN;
  snprintf(p->name, sizeof p->name, "%.23s", e->quantity);
  snprintf(p->why, sizeof p->why, "%s%.140s", e->diverges ? "diverges " : "", e->why);
}

static void take_scales(const bench *b, error_run *run) {
  const mbs_scales scales = mbs_scales_of(b->model);
  const frame *f = &b->trial->frame;
  run->length = scales.length / f->length;
  run->speed = scales.speed / f->length * f->time;
  run->rate = f->time / scales.time;
}

static seam_status carry_out(bench *b, seam_error *error) {
  seam_run_def def = {.file = b->file,
                      .model = b->model,
                      .workspace = b->workspace,
                      .state = b->state,
                      .assembly = &b->assembly,
                      .simulation = b->simulation,
                      .builder = b->simulation != NULL ? seam_model_cosim(b->file) : NULL};
  seam_error unchecked = {0};
  seam_status status = seam_run_create(&def, &b->run, error);
  if (status == SEAM_OK)
    status = find_columns(b, error);
  if (status != SEAM_OK)
    return status;
  const seam_run_sink sink = {.context = b, .take = take};
  if (seam_run_carry_out(b->run, &sink, error) == SEAM_OK)
    seam_run_find_error(b->run, NULL, &unchecked);
  status = seam_run_conclude(b->run, error);
  take_printed(b, &b->out->printed);
  take_scales(b, b->out);
  return status;
}

void error_run_carry_out(const trial *t, bool whole, error_run *run) {
  bench b = {.trial = t, .out = run, .is_cut = t->run == CUT && !whole};
  *run = (error_run){.late = b.is_cut ? t->macro_step : 1e-4 * t->end, .printed = {.error = NAN, .until = t->end}};
  layouts_of(t, b.layouts);
  if (whole) /* user equations are columns of the trajectory there */
    b.layouts[AT_MACRO_POINTS].n = b.layouts[AT_MACRO_POINTS].width = 0;
  seam_status status = open_file(&b, &run->error);
  if (status == SEAM_OK)
    status = carry_out(&b, &run->error);
  run->error.status = status;
  seam_run_destroy(b.run);
  cosim_destroy(b.simulation);
  mbs_state_destroy(b.state);
  mbs_workspace_destroy(b.workspace);
  seam_model_file_destroy(b.file);
}

void error_run_free(error_run *run) {
  for (int k = 0; k < N_TRACKS; k++)
    trace_free(&run->track[k]);
}
