/* Cost of one evaluation of all accelerations of a chain, stage by stage. Three yardsticks are measured for comparison:
 *
 *   limit code        bench/limit.h; it must give the same accelerations
 *   saddle point      KLU refactorises and solves the system [M Gᵀ; G 0], 5 rows per body
 *   Schur complement  KLU refactorises and solves the system S = G M⁻¹ Gᵀ, 2 rows per body
 *
 * KLU has default settings. M is the mass matrix, G the constraint Jacobian. */
#include <klu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/limit.h"
#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"

/* ---- One job: a stage, repeated often enough to be timed ---- */

typedef struct job {
  mbs_workspace *ws;
  mbs_state *state;
  int n_calls;
  /* matrix of a yardstick, and its factors */
  int order;
  int *start, *row;
  double *value, *b;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  klu_common common;
} job;

static void update_kinematics(job *j) { mbs_stage_kinematics(j->ws, j->state->q, j->state->v); }
static void update_forces(job *j) { mbs_stage_forces(j->ws, 0, j->state->z); }
static void update_constraints(job *j) { mbs_stage_constraints(j->ws, 0); }
static void fill_matrix(job *j) {
  mbs_elimination_fill(&j->ws->model->elimination, (const double(*)[6])j->ws->G, j->ws->model->inverse_mass, NULL,
                       j->ws->solver);
}
static void factor(job *j) { mbs_stage_factor(j->ws, j->ws->model->inverse_mass); }
static void solve(job *j) { seam_ldl_solve(j->ws->solver, j->ws->model->n_rows, j->ws->row); }
static void evaluate(job *j) { mbs_evaluate(j->ws, j->state, NULL); }
static void klu(job *j) {
  klu_refactor(j->start, j->row, j->value, j->symbolic, j->numeric, &j->common);
  klu_solve(j->symbolic, j->numeric, j->order, 1, j->b, &j->common);
}

typedef struct stage {
  void (*once)(job *j);
  job *job;
} stage;

static void repeat_stage(void *data) {
  const stage *s = data;
  for (int i = 0; i < s->job->n_calls; i++)
    s->once(s->job);
}

static bench_spread scaled(bench_spread t, double factor) {
  return (bench_spread){t.median * factor, t.least * factor, t.most * factor};
}

static double report(const char *name, void (*once)(job *j), job *j) {
  stage s = {once, j};
  bench_job repeated = {.run = repeat_stage, .data = &s, .parts = j->n_calls};
  bench_take_turns(&repeated, 1, 11);
  const bench_spread body = scaled(repeated.time, 1e6 / j->ws->model->n_bodies);
  bench_print(name, body, "");
  bench_row("chain", "stage", name, j->ws->model->n_bodies, body);
  return body.median;
}

/* ---- Yardstick matrices ---- */

static void analyse(job *j) {
  klu_defaults(&j->common);
  j->symbolic = klu_analyze(j->order, j->start, j->row, &j->common);
  j->numeric = klu_factor(j->start, j->row, j->value, j->symbolic, &j->common);
  j->b = calloc((size_t)j->order, sizeof *j->b);
}

static void release(job *j) {
  klu_free_symbolic(&j->symbolic, &j->common);
  klu_free_numeric(&j->numeric, &j->common);
  free(j->start);
  free(j->row);
  free(j->value);
  free(j->b);
}

/* Computes entry (i, k) of G M⁻¹ Gᵀ. False: the entry is zero, because constraints i and k have no body in common. */
static bool schur_entry(const mbs_workspace *ws, int i, int k, double *value) {
  const mbs_model *model = ws->model;
  bool has_common_body = false;
  *value = 0;
  for (int s = 0; s < 2; s++)
    for (int t = 0; t < 2; t++) {
      const int body = model->joints[model->joint_of_row[i]].body[s];
      if (body == 0 || body != model->joints[model->joint_of_row[k]].body[t])
        continue;
      has_common_body = true;
      for (int d = 0; d < 3; d++)
        *value += ws->G[i][3 * s + d] * model->inverse_mass[3 * body + d] * ws->G[k][3 * t + d];
    }
  return has_common_body;
}

static void use_schur(job *j) {
  const int m = j->ws->model->n_rows;
  int n = 0;
  j->order = m;
  j->start = calloc((size_t)m + 1, sizeof *j->start);
  j->row = malloc(6 * (size_t)m * sizeof *j->row); /* entries of a column: 2 for each of at most 3 joints */
  j->value = malloc(6 * (size_t)m * sizeof *j->value);
  for (int c = 0; c < m; c++, j->start[c] = n)
    for (int r = 0; r < m; r++)
      if (schur_entry(j->ws, r, c, &j->value[n]))
        j->row[n++] = r;
  analyse(j);
}

/* Fills the saddle-point matrix [M Gᵀ; G 0] column by column. The column of a coordinate has its mass and a column of
 * G; the column of a constraint has a row of G. */
static void use_saddle(job *j) {
  const mbs_workspace *ws = j->ws;
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  j->order = n + model->n_rows;
  j->start = calloc((size_t)j->order + 1, sizeof *j->start);
  j->row = malloc((size_t)(n + 12 * model->n_rows) * sizeof *j->row);
  j->value = malloc((size_t)(n + 12 * model->n_rows) * sizeof *j->value);
  int k = 0;
  for (int c = 0; c < j->order; c++) {
    j->start[c] = k;
    if (c < n)
      j->row[k] = c, j->value[k++] = model->mass[3 + c];
    for (int i = 0; i < model->n_rows; i++)
      for (int s = 0; s < 2; s++)
        for (int d = 0; d < 3; d++) {
          const int body = model->joints[model->joint_of_row[i]].body[s];
          const int coordinate = 3 * (body - 1) + d;
          if (body == 0 || (c < n ? coordinate != c : i != c - n))
            continue;
          j->row[k] = c < n ? n + i : coordinate;
          j->value[k++] = ws->G[i][3 * s + d];
        }
  }
  j->start[j->order] = k;
  analyse(j);
}

/* ---- The limit ---- */

typedef struct limit_job {
  limit_chain *chain;
  double *angle, *rate, *acceleration; /* (n) */
  int n, n_calls;
} limit_job;

static void run_limit(void *data) {
  const limit_job *r = data;
  for (int i = 0; i < r->n_calls; i++)
    limit_chain_evaluate(r->chain, r->angle, r->rate, r->acceleration);
}

static void check_agreement(const mbs_state *state, const limit_job *r) {
  double largest = 0;
  for (int i = 0; i < r->n; i++)
    largest = fmax(largest, fabs(r->acceleration[i]));
  for (int i = 0; i < r->n; i++) {
    const double difference = fabs(state->a[3 * i + 2] - r->acceleration[i]);
    if (difference <= 1e-10 * largest)
      continue;
    fprintf(stderr,
            "bench_evaluation: Seam and the limit code (bench/limit.c) give rod %d of a chain of %d angular "
            "accelerations that differ by %.1e of the largest one, rounding is below 1e-10: one of them is wrong\n",
            i + 1, r->n, difference / largest);
    exit(1);
  }
}

static void report_ratio(const job *j, const char *to, bench_spread ratio) {
  printf("  all accelerations / %s: %.2f [%.2f, %.2f]\n", to, ratio.median, ratio.least, ratio.most);
  bench_row("chain", "all accelerations /", to, j->ws->model->n_bodies, ratio);
}

static void compare(job *j) {
  const int n = j->ws->model->n_bodies;
  double *vectors = malloc(3 * (size_t)n * sizeof *vectors);
  limit_job r = {limit_chain_create(n), vectors, vectors + n, vectors + (ptrdiff_t)2 * n, n, j->n_calls};
  for (int i = 0; i < n; i++) {
    r.angle[i] = j->state->q[3 * i + 2];
    r.rate[i] = j->state->v[3 * i + 2];
  }
  stage all = {evaluate, j};
  const bench_job seam = {.run = repeat_stage, .data = &all, .parts = j->n_calls};
  bench_job beside_limit[] = {{.run = run_limit, .data = &r, .parts = r.n_calls}, seam};
  bench_job beside_unit[] = {bench_unit(), seam};
  bench_take_turns(beside_limit, 2, 15);
  check_agreement(j->state, &r);
  bench_take_turns(beside_unit, 2, 15);
  bench_row("chain", "stage", "limit code", r.n, scaled(beside_limit[0].time, 1e6 / r.n));
  report_ratio(j, "the limit code's", beside_limit[1].ratio);
  report_ratio(j, "U, both a body", scaled(beside_unit[1].ratio, 1000.0 / r.n));
  limit_chain_destroy(r.chain);
  free(vectors);
}

/* ---- The report ---- */

/* Sets a state of a chain of rods of 1 m in motion. Angles and angular velocities differ from rod to rod. */
static void set_motion(mbs_state *state, int n) {
  double end[2] = {0, 0};
  double end_rate[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    const double phi = sin(i);
    const double omega = cos(3 * i);
    const double half[2] = {cos(phi) / 2, sin(phi) / 2};
    const double q[3] = {end[0] + half[0], end[1] + half[1], phi};
    const double v[3] = {end_rate[0] - omega * half[1], end_rate[1] + omega * half[0], omega};
    for (int d = 0; d < 2; d++) {
      end[d] = 2 * q[d] - end[d];
      end_rate[d] = 2 * v[d] - end_rate[d];
    }
    memcpy(&state->q[3 * i], q, sizeof q);
    memcpy(&state->v[3 * i], v, sizeof v);
  }
}

static void run_chain(int n) {
  char override[64];
  snprintf(override, sizeof override, "parameters.N=%d", n);
  bench_run run = bench_run_of(bench_model("pendulum_chain", (const char *const[2]){override, NULL}), 0);
  job j = {.state = run.start, .n_calls = 400000 / n};
  bench_check(mbs_workspace_create(run.model, &j.ws, &bench_error));
  set_motion(j.state, n);
  printf("chain of %d: microseconds a body, median [least, most]\n", n);
  report("positions, sines and cosines", update_kinematics, &j);
  report("forces", update_forces, &j);
  report("constraints, Jacobian, gamma", update_constraints, &j);
  report("matrix of joints", fill_matrix, &j);
  report("the same and its factorisation", factor, &j);
  report("its solution", solve, &j);
  const double all = report("all accelerations", evaluate, &j);
  job saddle = j;
  job schur = j;
  use_saddle(&saddle);
  use_schur(&schur);
  const double klu_saddle = report("KLU, saddle-point system", klu, &saddle);
  const double klu_schur = report("KLU, Schur complement", klu, &schur);
  compare(&j);
  printf("  all accelerations / KLU: %.2f of the saddle-point system, %.2f of the Schur complement\n\n",
         all / klu_saddle, all / klu_schur);
  release(&saddle);
  release(&schur);
  mbs_workspace_destroy(j.ws);
  bench_run_destroy(&run);
}

int main(int argc, char **argv) {
  bench_csv(argc, argv);
  for (int n = 10; n <= 1000; n *= 10)
    run_chain(n);
  return 0;
}
