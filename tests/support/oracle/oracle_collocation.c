/* Every quantity of a macro step is a linear function of the state at its beginning and of the unknown coefficients of
 * the coupling variables, which are polynomials in powers of τ:
 *
 *   λ(τ) = Σ λ_k τ^k, k = 0 .. s        of the side that moves the other:  x̃(τ) = x(0) + v(0) τ + Σ q_k τ^k, k = 2 .. s
 * + 2
 *
 * Sides: m x'' = -c x - d x' ± λ  or, driven by the motion of the other,  m x'' = -c x - d x' - cc (x - x̃) - dc (x' -
 * x̃'), by matrix exponentials over [0, c_j] and [0, 1]. Conditions: r(c_j) = 0, r(1) = 0, r'(1) = 0 with
 *
 *   r = λ - cc (x2 - x1) - dc (x2' - x1')    of the force at a spring-damper, x̃ for the x of the side that moves the
 *                                            other
 *   r = x̃ - x                                of a motion
 *   r = x2 - x1                              of the force at a joint
 *
 * and c_j the zeros of the polynomial that is orthogonal on [0, 1] to all lower ones under the weight (1 - τ)^2; where
 * both sides are moved, e_j, those under the weight τ^2 (1 - τ)^2. */
#include "tests/support/oracle/oracle_collocation.h"

#include <string.h>

enum { MAX_STAGES = 5, MAX_POWERS = MAX_STAGES + 3, MAX_COEFFICIENTS = MAX_STAGES + 1 };
enum { N_BEGIN = 4, MAX_UNKNOWNS = 2 * MAX_COEFFICIENTS, N_COLUMNS = N_BEGIN + MAX_UNKNOWNS };

/* Of the state at the beginning, then of the unknown coefficients. */
typedef struct linear {
  quad of[N_COLUMNS];
} linear;

typedef struct polynomial {
  linear c[MAX_POWERS + 1]; /* the last is zero */
} polynomial;

typedef struct work {
  const oracle_model *model;
  const oracle_collocation *scheme;
  int n_unknowns, n_conditions;
  bool has_force;
  polynomial force;
  polynomial motion[2]; /* x̃ of each side, where the other is driven by it */
  polynomial input[2];  /* acceleration of each side by what drives it */
  linear condition[MAX_UNKNOWNS];
} work;

bool oracle_collocation_read(const char *name, bool rigid, oracle_collocation *scheme) {
  static const struct {
    const char *name;
    bool moves[2];
  } decompositions[] = {{"ff", {false, false}}, {"fd", {false, true}}, {"df", {true, false}}, {"dd", {true, true}}};
  static const char method[] = "-colloc-s";
  const size_t length = sizeof method - 1;
  for (int i = 0; i < (rigid ? 1 : 4); i++) {
    if (strncmp(name, decompositions[i].name, 2) != 0 || strncmp(name + 2, method, length) != 0)
      continue;
    scheme->s = name[2 + length] - '0';
    memcpy(scheme->moves, decompositions[i].moves, sizeof scheme->moves);
    return scheme->s >= 1 && scheme->s <= MAX_STAGES;
  }
  return false;
}

/* ---- Nodes ---- */

/* The monic polynomial p of degree n with ∫ τ^(i+power) p (1 - τ)^2 = 0, i < n; ∫ τ^k (1 - τ)^2 = 2 / ((k+1) (k+2)
 * (k+3)). */
static void orthogonal(int n, int power, quad *p) {
  quad A[MAX_STAGES * MAX_STAGES];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++) {
      const quad k = i + j + power;
      const quad moment = 2 / ((k + 1) * (k + 2) * (k + 3));
      if (j < n)
        A[i * n + j] = moment;
      else
        p[i] = -moment;
    }
  quad_solve(n, 1, A, p);
  p[n] = 1;
}

/* All zeros are positive: from 0, Newton's method rises to the smallest one, which is then divided out. */
void oracle_inner_nodes(int s, bool two_double_ends, quad *node) {
  enum { ENOUGH = 60 };
  quad p[MAX_STAGES];
  orthogonal(s - 1, two_double_ends ? 2 : 0, p);
  for (int n = s - 1; n > 0; n--) {
    quad x = 0;
    for (int k = 0; k < ENOUGH; k++) {
      quad value = 0;
      quad slope = 0;
      for (int i = n; i >= 0; i--) {
        slope = slope * x + value;
        value = value * x + p[i];
      }
      x -= value / slope;
    }
    node[s - 1 - n] = x;
    for (int i = n - 1; i >= 0; i--)
      p[i] += x * p[i + 1];
    memmove(p, p + 1, (size_t)n * sizeof *p);
  }
}

/* ---- Linear functions ---- */

static void add(linear *y, quad factor, const linear *x) {
  for (int i = 0; i < N_COLUMNS; i++)
    y->of[i] += factor * x->of[i];
}

/* dp/dτ */
static polynomial derivative(const polynomial *p) {
  polynomial slope = {0};
  for (int k = 1; k < MAX_POWERS; k++)
    add(&slope.c[k - 1], k, &p->c[k]);
  return slope;
}

static linear value(const polynomial *p, quad tau) {
  linear sum = {0};
  quad power = 1;
  for (int k = 0; k < MAX_POWERS; k++, power *= tau)
    add(&sum, power, &p->c[k]);
  return sum;
}

static void add_polynomial(polynomial *y, quad factor, const polynomial *x) {
  for (int k = 0; k < MAX_POWERS; k++)
    add(&y->c[k], factor, &x->c[k]);
}

/* ---- Coupling variables ---- */

static void take_unknowns(work *w, polynomial *p, int first_power) {
  for (int k = 0; k <= w->scheme->s; k++)
    p->c[first_power + k].of[N_BEGIN + w->n_unknowns++] = 1;
}

static void place_variables(work *w) {
  const oracle_model *o = w->model;
  w->has_force = !w->scheme->moves[0] || !w->scheme->moves[1];
  if (w->has_force)
    take_unknowns(w, &w->force, 0);
  for (int side = 0; side < 2; side++) {
    if (!w->scheme->moves[side]) {
      add_polynomial(&w->input[side], (side == 0 ? 1 : -1) / o->m[side], &w->force);
      continue;
    }
    polynomial *drive = &w->motion[1 - side];
    drive->c[0].of[2 * (1 - side)] = 1;
    drive->c[1].of[2 * (1 - side) + 1] = 1;
    take_unknowns(w, drive, 2);
    const polynomial rate = derivative(drive);
    add_polynomial(&w->input[side], o->cc / o->m[side], drive);
    add_polynomial(&w->input[side], o->dc / o->m[side], &rate);
  }
}

/* ---- Motions ---- */

typedef struct motion {
  linear x, v, a;
} motion;

/* x' = v, v' = -c x - d v + u_0, u_k' = (k + 1) u_(k+1) */
static motion motion_at(const work *w, int side, quad tau) {
  enum { ORDER = 2 + MAX_POWERS };
  const oracle_model *o = w->model;
  const bool moves = w->scheme->moves[side];
  const quad c = (o->c[side] + (moves ? o->cc : 0)) / o->m[side];
  const quad d = (o->d[side] + (moves ? o->dc : 0)) / o->m[side];
  quad G[ORDER * ORDER] = {0};
  quad E[ORDER * ORDER];
  G[1] = tau;
  G[ORDER] = -c * tau;
  G[ORDER + 1] = -d * tau;
  G[ORDER + 2] = tau;
  for (int k = 0; k + 1 < MAX_POWERS; k++)
    G[(2 + k) * ORDER + 3 + k] = (k + 1) * tau;
  quad_expm(ORDER, G, E);
  motion m = {.a = value(&w->input[side], tau)};
  for (int i = 0; i < 2; i++) {
    linear *z = i == 0 ? &m.x : &m.v;
    for (int j = 0; j < 2; j++)
      z->of[2 * side + j] = E[i * ORDER + j];
    for (int k = 0; k < MAX_POWERS; k++)
      add(z, E[i * ORDER + 2 + k], &w->input[side].c[k]);
  }
  add(&m.a, -c, &m.x);
  add(&m.a, -d, &m.v);
  return m;
}

/* ---- Conditions ---- */

static linear force_residual(const work *w, const motion m[2], quad tau) {
  const oracle_model *o = w->model;
  linear r = o->rigid ? (linear){0} : value(&w->force, tau);
  for (int side = 0; side < 2; side++) {
    const quad sign = (side == 0 ? 1 : -1) * (o->rigid ? -1 : 1);
    add(&r, sign * (o->rigid ? 1 : o->cc), &m[side].x);
    add(&r, sign * (o->rigid ? 0 : o->dc), &m[side].v);
  }
  return r;
}

static linear force_residual_rate(const work *w, const motion m[2]) {
  const polynomial rate = derivative(&w->force);
  const motion rates[2] = {{.x = m[0].v, .v = m[0].a}, {.x = m[1].v, .v = m[1].a}};
  const work of_rate = {.model = w->model, .force = rate};
  return force_residual(&of_rate, rates, 1);
}

static linear motion_residual(const polynomial *drive, const linear *own, quad tau) {
  linear r = value(drive, tau);
  add(&r, -1, own);
  return r;
}

/* Of the side that moves the other, what that one receives. */
static void motions_of_law(const work *w, const motion m[2], quad tau, motion of_law[2]) {
  memcpy(of_law, m, 2 * sizeof *m);
  for (int side = 0; side < 2; side++)
    if (w->scheme->moves[1 - side]) {
      const polynomial rate = derivative(&w->motion[side]);
      const polynomial second_rate = derivative(&rate);
      of_law[side] = (motion){value(&w->motion[side], tau), value(&rate, tau), value(&second_rate, tau)};
    }
}

static void put_conditions(work *w, const motion m[2], quad tau) {
  motion of_law[2];
  motions_of_law(w, m, tau, of_law);
  if (w->has_force)
    w->condition[w->n_conditions++] = force_residual(w, of_law, tau);
  if (w->has_force && tau == 1)
    w->condition[w->n_conditions++] = force_residual_rate(w, of_law);
  for (int side = 0; side < 2; side++) {
    if (!w->scheme->moves[1 - side])
      continue;
    const polynomial rate = derivative(&w->motion[side]);
    w->condition[w->n_conditions++] = motion_residual(&w->motion[side], &m[side].x, tau);
    if (tau == 1)
      w->condition[w->n_conditions++] = motion_residual(&rate, &m[side].v, tau);
  }
}

/* ---- The map ---- */

/* From condition = 0: the unknowns (n_unknowns x 4) by the state at the beginning. */
static bool solve(const work *w, quad *unknowns) {
  const int n = w->n_unknowns;
  quad M[MAX_UNKNOWNS * MAX_UNKNOWNS];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      M[i * n + j] = w->condition[i].of[N_BEGIN + j];
    for (int j = 0; j < N_BEGIN; j++)
      unknowns[i * N_BEGIN + j] = -w->condition[i].of[j];
  }
  return quad_solve(n, N_BEGIN, M, unknowns);
}

bool oracle_collocation_map(const oracle_model *model, const oracle_collocation *scheme, quad *Phi) {
  work w = {.model = model, .scheme = scheme};
  quad node[MAX_STAGES] = {0};
  quad unknowns[MAX_UNKNOWNS * N_BEGIN] = {0};
  motion m[2] = {0};
  place_variables(&w);
  oracle_inner_nodes(scheme->s, !w.has_force, node);
  node[scheme->s - 1] = 1;
  for (int j = 0; j < scheme->s; j++) {
    for (int side = 0; side < 2; side++)
      m[side] = motion_at(&w, side, node[j]);
    put_conditions(&w, m, node[j]);
  }
  if (!solve(&w, unknowns))
    return false;
  for (int i = 0; i < N_BEGIN; i++) {
    const linear *end = i % 2 == 0 ? &m[i / 2].x : &m[i / 2].v;
    for (int j = 0; j < N_BEGIN; j++) {
      Phi[i * N_BEGIN + j] = end->of[j];
      for (int k = 0; k < w.n_unknowns; k++)
        Phi[i * N_BEGIN + j] += end->of[N_BEGIN + k] * unknowns[k * N_BEGIN + j];
    }
  }
  return true;
}
