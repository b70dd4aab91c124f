/* The truth of a trial at the times of a run: closed forms, the generator's own equations, or where a subset has
 * neither an integrator that its check does not use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/errors.h"
#include "tests/generator/run.h"

static const double REFERENCE = 1e-12; /* tolerance of the integrator */
static const double BESIDE = 1e-9;     /* of the run: from a jump to its edges */
static const double NEAR = 1e-6;       /* of the run: between times of the same jump */

/* ---- Motions of subsets ------------------------------------------------------------------------------------------ */

static void put_body(const layout *l, track *x, int row, int body, const double q[3], const double v[3]) {
  double *at = x->value + x->width * row + l->quantity[4 * body].column;
  at[0] = q[0];
  at[1] = q[1];
  at[2] = q[2];
  at[3] = v[0];
  at[4] = v[1];
  at[5] = v[2];
}

static void take_closed_form(const trial *t, const layout *l, const subset *s, track *x) {
  double q[3 * MAX_BODIES], v[3 * MAX_BODIES];
  for (int i = 0; i < x->n; i++) {
    s->kind->exact(t, s, x->time[i], q, v);
    for (int b = 0; b < s->n; b++)
      put_body(l, x, i, s->first + b, q + 3 * b, v + 3 * b);
  }
}

static const rail *rail_of(const trial *t, const subset *s) {
  for (const rail *r = t->rail; r < t->rail + t->n_rails; r++)
    if (r->subset == s - t->subset)
      return r;
  return NULL;
}

static int column_of(const layout *l, int control, const char *what) {
  for (const quantity *q = l->quantity; q < l->quantity + l->n; q++)
    if (q->kind == SIGNAL && q->name[0] == 'c' && q->name[1] == '0' + control && strcmp(q->name + 3, what) == 0)
      return q->column;
  return -1;
}

/* Row i of edges lies left or right of jump i / 2; where it is one of the rail itself, which two walks find at times
 * that differ by their errors, it is what the walk has there. */
static void take_own_edges(const rail_jumps *jumps, const track *x, double end, rail_point *points) {
  for (int i = 0; i < x->n; i++) {
    const double at = x->time[i] + (i % 2 == 0 ? BESIDE : -BESIDE) * end;
    int nearest = -1;
    double distance = NEAR * end;
    for (int j = 0; j < jumps->n; j++)
      if (fabs(jumps->at[j] - at) <= distance) {
        distance = fabs(jumps->at[j] - at);
        nearest = j;
      }
    if (nearest >= 0)
      points[i] = (i % 2 == 0 ? jumps->left : jumps->right)[nearest];
  }
}

static void put_rail(const trial *t, const layout *l, const subset *s, const rail *r, bool has_bodies,
                     const rail_point *points, track *x) {
  for (int i = 0; i < x->n; i++) {
    const rail_point *p = &points[i];
    for (int m = 0; has_bodies && m < r->n; m++) {
      double q[3], qd[3];
      on_lane(t, &s->lane, x->time[i], r->place[m] + p->x[m], p->v[m], r->guided, q, qd);
      put_body(l, x, i, r->first + m, q, qd);
    }
    for (int k = 0; k < r->n_controls; k++) {
      const int F = column_of(l, r->control[k].number, "F");
      if (F >= 0)
        memcpy(x->value + x->width * i + F, p->out + 2 * k, 2 * sizeof *p->out);
    }
  }
}

static bool take_rail(const trial *t, const layout *l, const subset *s, const rail *r, bool has_bodies, truth *found,
                      track *x) {
  rail_point *points = calloc((size_t)x->n, sizeof *points);
  rail_jumps *jumps = malloc(sizeof *jumps);
  const bool done = points != NULL && jumps != NULL && rail_follow(r, t->rate, 1, x->time, x->n, points, jumps);
  if (done && found->is_edges)
    take_own_edges(jumps, x, t->end, points);
  if (done)
    put_rail(t, l, s, r, has_bodies, points, x);
  for (int j = 0; done && has_bodies && j < jumps->n; j++)
    found->jump[found->n_jumps++] = jumps->at[j];
  free(points);
  free(jumps);
  return done;
}

/* ---- By an integrator -------------------------------------------------------------------------------------------- */

/* A row of a track that is wanted of a run. */
typedef struct wanted_row {
  double time;
  track *track;
  int row;
} wanted_row;

static int by_time(const void *a, const void *b) {
  const double x = ((const wanted_row *)a)->time, y = ((const wanted_row *)b)->time;
  return (x > y) - (x < y);
}

static void put_reference(const trial *t, const layout *l, const wanted_row *at, const sample *from) {
  for (const subset *s = t->subset; s < t->subset + t->n_subsets; s++)
    for (int b = s->first; s->kind->exact == NULL && rail_of(t, s) == NULL && b < s->first + s->n; b++)
      put_body(l, at->track, at->row, b, from->q + 3 * b, from->v + 3 * b);
}

/* One run gives all rows, and the sides of jumps. */
static bool take_reference(const trial *t, const layout *l, track *rows, track *edges) {
  const int n = rows->n + edges->n;
  trial *plain = malloc(sizeof *plain);
  wanted_row *at = malloc((size_t)n * sizeof *at);
  double *times = calloc((size_t)n + 1, sizeof *times);
  sample *samples = malloc(((size_t)n + 1) * sizeof *samples);
  bool done = plain != NULL && at != NULL && times != NULL && samples != NULL;
  const reference_options options = {strcmp(t->integrator, "radau") == 0 ? "ida" : "cvode", REFERENCE, 0};
  if (done) {
    for (int i = 0; i < n; i++)
      at[i] = i < rows->n ? (wanted_row){rows->time[i], rows, i}
                          : (wanted_row){edges->time[i - rows->n], edges, i - rows->n};
    qsort(at, (size_t)n, sizeof *at, by_time);
    for (int i = 0; i < n; i++)
      times[i + 1] = at[i].time;
    error_trial_make(plain, t->seed, true);
    done = run_reference(plain, &options, times, n + 1, samples);
  }
  for (int i = 0; done && i < n; i++)
    put_reference(t, l, &at[i], &samples[i + 1]);
  free(plain);
  free(at);
  free(times);
  free(samples);
  return done;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void take_network(const trial *t, track *x) {
  const network *net = &t->network;
  double *out = calloc((size_t)x->n * 2 * MAX_BLOCKS, sizeof *out);
  network_follow(net, t->rate, 1, x->time, x->n, out);
  for (int i = 0; i < x->n; i++) {
    double *to = x->value + x->width * i;
    for (int k = 0; k < net->n_blocks; k++) {
      *to++ = out[2 * MAX_BLOCKS * i + 2 * k];
      if (net->block[k].is_second)
        *to++ = out[2 * MAX_BLOCKS * i + 2 * k + 1];
    }
  }
  free(out);
}

static bool take_subsets(const trial *t, const layout *l, int which, truth *found) {
  track *x = &found->track[which];
  bool is_known = true;
  for (const subset *s = t->subset; s < t->subset + t->n_subsets && is_known; s++) {
    const rail *r = rail_of(t, s);
    if (r != NULL)
      is_known = take_rail(t, l, s, r, which == IN_ROWS, found, x);
    else if (which == IN_ROWS && s->kind->exact != NULL)
      take_closed_form(t, l, s, x);
    else if (which == IN_ROWS)
      found->way = BY_INTEGRATOR;
    if (r != NULL && found->way < BY_OWN_EQUATIONS)
      found->way = BY_OWN_EQUATIONS;
  }
  return is_known;
}

/* All but what an integrator has to find. */
static bool find_tracks(const trial *t, const layout layouts[N_TRACKS], truth *found) {
  bool is_known = true;
  for (int k = 0; k < N_TRACKS && is_known; k++) {
    if (found->track[k].n == 0)
      continue;
    if (t->network.n_blocks > 0) {
      found->way = BY_OWN_EQUATIONS;
      take_network(t, &found->track[k]);
    } else {
      is_known = take_subsets(t, &layouts[k], k, found);
    }
  }
  return is_known;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Jumps in order, each once, none at the ends. */
static void sort_jumps(const trial *t, truth *found) {
  int n = 0;
  for (int i = 0; i < t->n_kinks; i++)
    found->jump[found->n_jumps++] = t->kink[i];
  qsort(found->jump, (size_t)found->n_jumps, sizeof *found->jump, ascending);
  for (int i = 0; i < found->n_jumps; i++)
    if (found->jump[i] - (n > 0 ? found->jump[n - 1] : 0) > 4 * BESIDE * t->end &&
        found->jump[i] < (1 - 4 * BESIDE) * t->end)
      found->jump[n++] = found->jump[i];
  found->n_jumps = n;
}

static bool find_edges(const trial *t, const layout layouts[N_TRACKS], truth *found) {
  static truth beside;
  const double empty[MAX_COLUMNS] = {0};
  beside = (truth){.way = BY_CLOSED_FORM, .is_edges = true};
  for (int k = 0; k < N_TRACKS; k++) {
    beside.track[k].width = layouts[k].width;
    for (int i = 0; found->track[k].n > 0 && i < 2 * found->n_jumps; i++)
      trace_add(&beside.track[k], found->jump[i / 2] + (i % 2 == 0 ? -BESIDE : BESIDE) * t->end, empty);
  }
  const bool is_known = find_tracks(t, layouts, &beside);
  memcpy(found->edges, beside.track, sizeof found->edges);
  return is_known;
}

bool truth_find(const trial *t, const error_run *run, truth *found) {
  const double empty[MAX_COLUMNS] = {0};
  layout layouts[N_TRACKS];
  layouts_of(t, layouts);
  *found = (truth){.way = BY_CLOSED_FORM};
  for (int k = 0; k < N_TRACKS; k++) {
    found->track[k].width = layouts[k].width;
    for (int i = 0; layouts[k].n > 0 && i < run->track[k].n; i++)
      trace_add(&found->track[k], run->track[k].time[i], empty);
  }
  if (!find_tracks(t, layouts, found))
    return false;
  sort_jumps(t, found);
  if (found->n_jumps > 0 && !find_edges(t, layouts, found))
    return false;
  return found->way != BY_INTEGRATOR ||
         take_reference(t, &layouts[IN_ROWS], &found->track[IN_ROWS], &found->edges[IN_ROWS]);
}

void truth_free(truth *self) {
  for (int k = 0; k < N_TRACKS; k++) {
    trace_free(&self->track[k]);
    trace_free(&self->edges[k]);
  }
}
