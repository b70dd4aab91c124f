/* Elimination of bodies and joints: S λ = r solved, whatever the mechanism's graph; work that grows as it should;
 * pivots that are lost where constraints depend on each other, and nowhere else. */
#include "mbs/model/elimination.h"
#include "mbs/stages/stages.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/dense.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

/* ---- Mechanisms: every body a rod, by number ---- */

typedef struct assembly_kit {
  mbs_builder *builder;
  int n_bodies, n_joints;
} assembly_kit;

/* Its number; mass m. */
static int rod(assembly_kit *kit, double x1, double y1, double x2, double y2, double m) {
  char name[16];
  snprintf(name, sizeof name, "%d", kit->n_bodies);
  add_rod(kit->builder, name, (double[2]){x1, y1}, (double[2]){x2, y2}, m);
  return kit->n_bodies++;
}

/* -1: the ground. */
static void join(assembly_kit *kit, mbs_joint_kind kind, int first, int second, double x, double y) {
  char name[16];
  char bodies[2][16];
  snprintf(name, sizeof name, "j%d", kit->n_joints++);
  snprintf(bodies[0], sizeof bodies[0], first < 0 ? "ground" : "%d", first);
  snprintf(bodies[1], sizeof bodies[1], "%d", second);
  add_joint(kit->builder, name, kind, bodies[0], bodies[1], (double[2]){x, y});
}

/* Each rod pinned or welded to an earlier one or the ground. */
static void add_tree(assembly_kit *kit, int n, uint64_t seed) {
  double end[100][2];
  for (int i = 0; i < n; i++) {
    const int on = random_below(&seed, i + 1) - 1;
    const double x = on < 0 ? 0 : end[on][0];
    const double y = on < 0 ? 0 : end[on][1];
    end[i][0] = x + random_between(&seed, 0.2, 1);
    end[i][1] = y + random_between(&seed, -1, 1);
    rod(kit, x, y, end[i][0], end[i][1], random_between(&seed, 0.5, 2));
    join(kit, random_below(&seed, 4) == 0 ? MBS_FIXED : MBS_REVOLUTE, on, i, x, y);
  }
}

/* Pendulums of some rods each on a rod, itself pinned to `on` or, below -1, free. */
static int add_hub(assembly_kit *kit, int on, int n_arms, int length, double x, double y, double mass) {
  const int hub = rod(kit, x, y, x + 2, y, mass);
  if (on >= -1)
    join(kit, MBS_REVOLUTE, on, hub, x, y);
  for (int i = 0; i < n_arms; i++) {
    int last = hub;
    for (int k = 0; k < length; k++) {
      const double y1 = y + k + 0.1 * i;
      const int next = rod(kit, x + i, y1, x + i, y1 + 1, 1);
      join(kit, MBS_REVOLUTE, last, next, x + i, y1);
      last = next;
    }
  }
  return hub;
}

/* A free platform on legs of two rods, the last of which is stretched. */
static void add_platform(assembly_kit *kit, int n_legs) {
  const int platform = rod(kit, 0, 2, 5, 2, 1);
  for (int i = 0; i < n_legs; i++) {
    const double knee = i == n_legs - 1 ? 0 : 0.7;
    const int lower = rod(kit, i, 0, i + knee, 1, 1);
    const int upper = rod(kit, i + knee, 1, i, 2, 1);
    join(kit, MBS_REVOLUTE, -1, lower, i, 0);
    join(kit, MBS_REVOLUTE, lower, upper, i + knee, 1);
    join(kit, MBS_REVOLUTE, platform, upper, i, 2);
  }
}

/* Four-bars on the same rod, which is free. */
static void add_loops(assembly_kit *kit, int n) {
  const int hub = rod(kit, 0, 0, 10, 0, 1);
  for (int i = 0; i < n; i++) {
    const int left = rod(kit, i, 0, i + 0.2, 1, 1);
    const int right = rod(kit, i + 0.6, 0, i + 0.7, 1.2, 1);
    const int coupler = rod(kit, i + 0.2, 1, i + 0.7, 1.2, 1);
    join(kit, MBS_REVOLUTE, hub, left, i, 0);
    join(kit, MBS_REVOLUTE, hub, right, i + 0.6, 0);
    join(kit, MBS_REVOLUTE, left, coupler, i + 0.2, 1);
    join(kit, MBS_REVOLUTE, right, coupler, i + 0.7, 1.2);
  }
}

/* Squares of rods, distorted. */
static void add_grid(assembly_kit *kit, int n) {
  int last[100];
  for (int k = 0; k < (n + 1) * (n + 1); k++)
    last[k] = k == 0 ? -1 : -2;
  for (int k = 0; k < (n + 1) * (n + 1); k++)
    for (int up = 0; up < 2; up++) {
      const int node[2] = {k, k + (up ? n + 1 : 1)};
      double at[2][2];
      if ((up ? k / (n + 1) : k % (n + 1)) == n)
        continue;
      for (int end = 0; end < 2; end++) {
        at[end][0] = node[end] % (n + 1) + 0.1 * sin(node[end]);
        const int line = node[end] / (n + 1);
        at[end][1] = line + 0.1 * cos(3 * node[end]);
      }
      const int next = rod(kit, at[0][0], at[0][1], at[1][0], at[1][1], 1);
      for (int end = 0; end < 2; end++) {
        if (last[node[end]] != -2)
          join(kit, MBS_REVOLUTE, last[node[end]], next, at[end][0], at[end][1]);
        last[node[end]] = next;
      }
    }
}

static assembly_kit new_kit(void) { return (assembly_kit){.builder = new_builder()}; }

/* ---- Solutions ---- */

/* S λ = r, S taken as the product of its factors G W Gᵀ: to rounding of the largest numbers in it. */
static void expect_solved(mechanism *m, const double *weight, const char *name) {
  const int rows = m->model->n_rows;
  const size_t n = 3 * (size_t)m->model->n_bodies;
  uint64_t seed = 1;
  double *r = calloc(3 * (size_t)rows + n + 1, sizeof *r);
  cr_assert_not_null(r);
  double *lambda = r + rows;
  double *product = lambda + rows;
  double *moved = product + rows;
  double heaviest = 0;
  for (size_t i = 0; i < n; i++)
    heaviest = fmax(heaviest, weight[3 + i]);
  mbs_stage_kinematics(m->ws, m->state->q, m->state->v);
  mbs_stage_constraints(m->ws, 0);
  cr_assert_eq(mbs_stage_factor(m->ws, weight), -1, "%s", name);
  for (int i = 0; i < rows; i++)
    r[i] = lambda[i] = random_between(&seed, -1, 1);
  mbs_solve(m->ws, lambda);
  mbs_add_WGt(m->ws, weight, 1, lambda, moved);
  mbs_multiply_G(m->ws, moved, product);
  for (int i = 0; i < rows; i++)
    cr_expect_float_eq(product[i], r[i], 1e-13 * heaviest * largest_of(lambda, rows), "%s, row %d: %g", name, i,
                       product[i] - r[i]);
  free(r);
}

static void expect_all_solved(assembly_kit *kit, const char *name) {
  mechanism m = mechanism_build(kit->builder);
  cr_assert_eq(m.model->n_redundant, 0, "%s", name);
  expect_solved(&m, m.model->inverse_mass, name);
  expect_solved(&m, m.model->assembly_weight, name);
  mechanism_free(&m);
}

Test(elimination, trees_are_solved) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    assembly_kit kit = new_kit();
    add_tree(&kit, 1 + (int)(2 * seed), seed);
    expect_all_solved(&kit, "tree");
  }
}

Test(elimination, hubs_are_solved) {
  for (int on = -2; on <= -1; on++) {
    assembly_kit kit = new_kit();
    add_hub(&kit, on, 12, 3, 0, 0, 1);
    expect_all_solved(&kit, "hub");
  }
}

Test(elimination, hubs_on_hubs_are_solved) {
  assembly_kit kit = new_kit();
  const int first = add_hub(&kit, -1, 9, 1, 0, 0, 1);
  for (int i = 0; i < 8; i++) {
    const int second = add_hub(&kit, first, 8, 2, i, 0, 1);
    add_hub(&kit, second, 7, 1, i, 0, 1);
  }
  expect_all_solved(&kit, "hubs on hubs");
}

Test(elimination, hubs_much_lighter_or_heavier_than_their_arms_are_solved) {
  static const double masses[] = {1e-9, 1e-6, 1e6, 1e9};
  for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
    assembly_kit kit = new_kit();
    add_hub(&kit, -1, 12, 2, 0, 0, masses[i]);
    mechanism m = mechanism_build(kit.builder);
    expect_solved(&m, m.model->inverse_mass, "mass");
    mechanism_free(&m);
  }
}

Test(elimination, loops_on_a_hub_are_solved) {
  assembly_kit kit = new_kit();
  add_loops(&kit, 10);
  expect_all_solved(&kit, "loops");
}

Test(elimination, grids_are_solved) {
  for (int n = 1; n <= 7; n++) {
    assembly_kit kit = new_kit();
    add_grid(&kit, n);
    expect_all_solved(&kit, "grid");
  }
}

/* If the platform were held, the stretched leg would be a singular mechanism; free, it is none. */
Test(elimination, a_platform_on_a_stretched_leg_is_solved) {
  assembly_kit kit = new_kit();
  add_platform(&kit, 6);
  expect_all_solved(&kit, "platform");
}

/* Two gears lock both angles; with the hub held, they would lock that of the arm twice. */
Test(elimination, gears_on_a_hub_are_solved) {
  assembly_kit kit = new_kit();
  char hub[16];
  snprintf(hub, sizeof hub, "%d", add_hub(&kit, -1, 8, 1, 0, 0, 1));
  add_gear(kit.builder, "gear", hub, "3", 2);
  add_gear(kit.builder, "other gear", hub, "3", -1);
  expect_all_solved(&kit, "gears");
}

Test(elimination, random_mechanisms_are_solved) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    double solution[MAX_UNKNOWNS];
    mechanism m = random_mechanism(seed);
    const int n = 3 * m.model->n_bodies;
    cr_assert_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_OK, "%s", m.error.message);
    solve_dense(&m, solution);
    const double size = largest_of(solution, n + m.model->n_rows);
    for (int i = 0; i < n; i++)
      cr_expect_float_eq(m.state->a[i], solution[i], 1e-10 * size, "seed %d, a[%d]", (int)seed, i);
    for (int i = 0; i < m.model->n_rows; i++)
      cr_expect_float_eq(m.state->lambda[i], solution[n + i], 1e-10 * size, "seed %d, row %d", (int)seed, i);
    mechanism_free(&m);
  }
}

/* ---- Redundant and singular ---- */

Test(elimination, what_is_redundant_on_a_hub_is_set_aside) {
  double solution[MAX_UNKNOWNS];
  assembly_kit kit = new_kit();
  mbs_set_gravity(kit.builder, standard_gravity);
  add_hub(&kit, -1, 7, 1, 0, 0, 1);
  join(&kit, MBS_FIXED, 0, 3, 2, 0.2);
  mechanism m = mechanism_build(kit.builder);
  const int n = 3 * m.model->n_bodies;
  cr_expect_eq(m.model->elimination.n_hubs, 1);
  cr_expect_eq(m.model->n_redundant, 2);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_OK, "%s", m.error.message);
  solve_dense(&m, solution);
  for (int i = 0; i < n; i++)
    cr_expect_float_eq(m.state->a[i], solution[i], 1e-10, "a[%d]", i);
  for (int i = 0; i < m.model->n_rows; i++)
    cr_expect_float_eq(m.state->lambda[i], solution[n + i], 1e-10, "row %d", i);
  mechanism_free(&m);
}

/* A parallelogram on a hub of pendulums, turned flat: a row of its joints is named. */
Test(elimination, a_flat_loop_on_a_hub_is_named) {
  assembly_kit kit = new_kit();
  const int hub = add_hub(&kit, -1, 8, 1, 0, 0, 1);
  const int first = kit.n_joints;
  const int left = rod(&kit, 10, 0, 11, 0, 1);
  const int right = rod(&kit, 12, 0, 13, 0, 1);
  const int coupler = rod(&kit, 11, 0, 13, 0, 2);
  join(&kit, MBS_REVOLUTE, hub, left, 10, 0);
  join(&kit, MBS_REVOLUTE, hub, right, 12, 0);
  join(&kit, MBS_REVOLUTE, left, coupler, 11, 0);
  join(&kit, MBS_REVOLUTE, right, coupler, 13, 0);
  mechanism m = mechanism_build(kit.builder);
  mbs_stage_kinematics(m.ws, m.state->q, m.state->v);
  mbs_stage_constraints(m.ws, 0);
  const int row = mbs_stage_factor(m.ws, m.model->inverse_mass);
  cr_assert_geq(row, 0);
  cr_expect_geq(m.model->joint_of_row[row], first, "row %d", row);
  cr_expect_eq(m.model->elimination.n_hubs, 1);
  mechanism_free(&m);
}

/* ---- Work ---- */

static double cost(void add(assembly_kit *kit, int n), int n) {
  assembly_kit kit = new_kit();
  add(&kit, n);
  mechanism m = mechanism_build(kit.builder);
  const double found = seam_ldl_cost(m.model->elimination.plan);
  mechanism_free(&m);
  return found;
}

static void add_large_hub(assembly_kit *kit, int n) { add_hub(kit, -1, n, 1, 0, 0, 1); }

/* Chains hang in a row. */
static void add_chain(assembly_kit *kit, int n) {
  for (int i = 0; i < n; i++) {
    rod(kit, i, sin(i), i + 1, sin(i + 1), 1);
    join(kit, MBS_REVOLUTE, i - 1, i, i, sin(i));
  }
}

Test(elimination, the_work_of_hubs_and_chains_grows_with_their_bodies) {
  cr_expect_lt(cost(add_large_hub, 800), 8.1 * cost(add_large_hub, 100));
  cr_expect_lt(cost(add_loops, 80), 8.1 * cost(add_loops, 10));
  cr_expect_lt(cost(add_chain, 800), 8.1 * cost(add_chain, 100));
}

/* A block of 2 x 2 costs 3 multiplications for each of its pivots and rows below, and 3 where these meet. */
Test(elimination, a_chain_costs_no_more_than_its_blocks) { cr_expect_leq(cost(add_chain, 100), 100 * (3 * 3 + 2 * 3)); }

/* ---- Accuracy on long chains ---- */

/* r - G W Gᵀ λ in extended precision. */
static void find_residual(const mechanism *m, const double *r, const long double *lambda, double *residual) {
  const mbs_model *model = m->model;
  long double *moved = calloc(3 * (size_t)model->n_bodies + 3, sizeof *moved);
  cr_assert_not_null(moved);
  for (int i = 0; i < model->n_rows; i++)
    for (int k = 0; k < 6; k++) {
      const int at = 3 * model->joints[model->joint_of_row[i]].body[k / 3] + k % 3;
      moved[at] += (long double)model->inverse_mass[at] * m->ws->G[i][k] * lambda[i];
    }
  for (int i = 0; i < model->n_rows; i++) {
    long double sum = r[i];
    for (int k = 0; k < 6; k++)
      sum -= m->ws->G[i][k] * moved[3 * model->joints[model->joint_of_row[i]].body[k / 3] + k % 3];
    residual[i] = (double)sum;
  }
  free(moved);
}

/* Error of a solution over its largest multiplier, by refinement. */
static double error_of_solution(mechanism *m) {
  const int n = m->model->n_rows;
  double *r = calloc(3 * (size_t)n, sizeof *r);
  long double *exact = calloc((size_t)n, sizeof *exact);
  double largest = 0;
  cr_assert(r != NULL && exact != NULL);
  double *lambda = r + n;
  double *change = lambda + n;
  mbs_stage_kinematics(m->ws, m->state->q, m->state->v);
  mbs_stage_constraints(m->ws, 0);
  cr_assert_eq(mbs_stage_factor(m->ws, m->model->inverse_mass), -1);
  for (int i = 0; i < n; i++)
    r[i] = lambda[i] = cos(i);
  mbs_solve(m->ws, lambda);
  for (int i = 0; i < n; i++)
    exact[i] = lambda[i];
  for (int turn = 0; turn < 3; turn++) {
    find_residual(m, r, exact, change);
    mbs_solve(m->ws, change);
    for (int i = 0; i < n; i++)
      exact[i] += change[i];
  }
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs((double)(lambda[i] - exact[i])));
  largest /= largest_of(lambda, n);
  free(r);
  free(exact);
  return largest;
}

/* Rod i at an angle of amplitude sin(turn i). */
static double error_of_chain(int n, double amplitude, double turn) {
  assembly_kit kit = new_kit();
  double x = 0;
  double y = 0;
  for (int i = 0; i < n; i++) {
    const double angle = amplitude * sin(turn * i);
    const int next = rod(&kit, x, y, x + cos(angle), y + sin(angle), 1);
    join(&kit, MBS_REVOLUTE, next - 1, next, x, y);
    x += cos(angle);
    y += sin(angle);
  }
  mechanism m = mechanism_build(kit.builder);
  const double error = error_of_solution(&m);
  mechanism_free(&m);
  return error;
}

/* Straight, waving, folded. S of a straight chain has a condition that grows with the square of its length. */
Test(elimination, long_chains_are_solved_to_rounding) {
  static const int lengths[] = {100, 1000, 10000};
  static const double poses[][2] = {{0, 0}, {0.3, 0.05}, {1.5, 2}};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
      const double error = error_of_chain(lengths[k], poses[i][0], poses[i][1]);
      cr_expect_lt(error, 6e-16 * lengths[k], "%d rods, pose %zu: %g", lengths[k], i, error);
    }
}
