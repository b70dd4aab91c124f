/* A chain of n rods. Joint i attaches rod i to rod i - 1; the first joint attaches rod 1 to the ground. Rods have
 * length 2h, mass m and inertia J about their centres c_i. Rod i has the angle φ_i. Its direction is u_i = (cos φ_i,
 * sin φ_i), its normal w_i = (-sin φ_i, cos φ_i). Joint i has the force f_i on rod i and -f_i on rod i - 1; f_n+1 = 0.
 * g: acceleration of gravity.
 *
 *   m c_i'' = m g + f_i - f_i+1,    J φ_i'' = -h w_i·(f_i + f_i+1)
 *
 * The constraint of joint i is c_i - h u_i = c_i-1 + h u_i-1. For i = 1 it is c_1 - h u_1 = 0. The second derivatives
 * of all constraints, with u'' = φ'' w - φ'² u, are a block-tridiagonal system for the forces. Its blocks are 2x2
 * matrices (1: unit matrix),
 *
 *   O_i-1 f_i-1 + (B_i-1 + B_i) f_i + O_i f_i+1 = r_i-1 + r_i,
 *   B = 1/m + (h²/J) w wᵀ,    O = -1/m + (h²/J) w wᵀ,    r = -h φ'² u,
 *
 * with B_0 = O_0 = 0 and r_0 = -g. The system is positive definite. So block elimination from the first joint to the
 * last needs no pivoting. It gives the diagonal blocks D_i = B_i-1 + B_i - O_i-1 D_i-1⁻¹ O_i-1 [Golub-Van Loan,
 * 4.5.1]. */
#include "bench/limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, h = 0.5, J = 1.0 / 12; /* m = 1 */

typedef struct vector {
  double x, y;
} vector;

typedef struct symmetric {
  double xx, xy, yy;
} symmetric;

/* Blocks of joint i and rod i, with the symbols above. */
typedef struct link {
  symmetric inverse;      /* D⁻¹ */
  symmetric off_diagonal; /* O */
  vector rhs;             /* q: right-hand side after elimination */
} link;

/* A chain with the stages of a Runge-Kutta step. A stage consists of angles, then angular velocities. Stage 0 is the
 * state at the beginning of the step. */
struct limit_chain {
  int n;
  vector *direction; /* (n) u */
  link *links;       /* (n) */
  double *stage[4];  /* (2n) */
  double *slope[4];  /* (n) angular accelerations of each stage; the slopes of the angles are the angular velocities */
};

static vector times(symmetric a, vector b) { return (vector){a.xx * b.x + a.xy * b.y, a.xy * b.x + a.yy * b.y}; }

/* Eliminates the joints in order. The elimination of a joint adds terms to the equation of the next one: B - O D⁻¹ O
 * to its diagonal block D, r - O D⁻¹ q to its right-hand side. */
static void eliminate(limit_chain *self, const double *rate) {
  symmetric B_before = {0};
  vector r_before = {0, g};
  for (int i = 0; i < self->n; i++) {
    const vector u = self->direction[i];
    const double k = h * h / J;
    const double hw = -h * rate[i] * rate[i];
    const symmetric W = {k * u.y * u.y, -k * u.y * u.x, k * u.x * u.x};
    const symmetric B = {1 + W.xx, W.xy, 1 + W.yy};
    const symmetric O = {W.xx - 1, W.xy, W.yy - 1};
    const symmetric D = {B_before.xx + B.xx, B_before.xy + B.xy, B_before.yy + B.yy};
    const double reciprocal = 1 / (D.xx * D.yy - D.xy * D.xy);
    const symmetric P = {D.yy * reciprocal, -D.xy * reciprocal, D.xx * reciprocal}; /* D⁻¹ */
    const double T[2][2] = {{O.xx * P.xx + O.xy * P.xy, O.xx * P.xy + O.xy * P.yy},
                            {O.xy * P.xx + O.yy * P.xy, O.xy * P.xy + O.yy * P.yy}}; /* O D⁻¹ */
    const vector r = {hw * u.x, hw * u.y};
    const vector q = {r_before.x + r.x, r_before.y + r.y};
    self->links[i] = (link){.inverse = P, .off_diagonal = O, .rhs = q};
    B_before = (symmetric){B.xx - (T[0][0] * O.xx + T[0][1] * O.xy), B.xy - (T[0][0] * O.xy + T[0][1] * O.yy),
                           B.yy - (T[1][0] * O.xy + T[1][1] * O.yy)};
    r_before = (vector){r.x - (T[0][0] * q.x + T[0][1] * q.y), r.y - (T[1][0] * q.x + T[1][1] * q.y)};
  }
}

/* Computes the forces from the last joint to the first, f = D⁻¹ (q - O f_next). The forces give the angular
 * accelerations. */
static void substitute(const limit_chain *self, double *acceleration) {
  vector next = {0, 0};
  for (int i = self->n - 1; i >= 0; i--) {
    const link *l = &self->links[i];
    const vector u = self->direction[i];
    const vector Of = times(l->off_diagonal, next);
    const vector f = times(l->inverse, (vector){l->rhs.x - Of.x, l->rhs.y - Of.y});
    acceleration[i] = -h / J * (u.x * (f.y + next.y) - u.y * (f.x + next.x));
    next = f;
  }
}

void limit_chain_evaluate(limit_chain *self, const double *angle, const double *rate, double *acceleration) {
  for (int i = 0; i < self->n; i++)
    self->direction[i] = (vector){cos(angle[i]), sin(angle[i])};
  eliminate(self, rate);
  substitute(self, acceleration);
}

void limit_chain_start(limit_chain *self) { memset(self->stage[0], 0, 2 * (size_t)self->n * sizeof(double)); }

void limit_chain_step(limit_chain *self, double step) {
  static const double length[] = {0.5, 0.5, 1};
  const int n = self->n;
  double *const *y = self->stage;
  double *const *k = self->slope;
  for (int s = 0; s < 4; s++) {
    limit_chain_evaluate(self, y[s], y[s] + n, k[s]);
    for (int i = 0; i < n && s < 3; i++) {
      y[s + 1][i] = y[0][i] + length[s] * step * y[s][n + i];
      y[s + 1][n + i] = y[0][n + i] + length[s] * step * k[s][i];
    }
  }
  for (int i = 0; i < n; i++) {
    y[0][i] += step / 6 * (y[0][n + i] + 2 * y[1][n + i] + 2 * y[2][n + i] + y[3][n + i]);
    y[0][n + i] += step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static void *zeros(size_t n, size_t size) {
  void *memory = calloc(n, size);
  if (memory == NULL) {
    fprintf(stderr, "bench: no memory for the limit code\n");
    exit(1);
  }
  return memory;
}

limit_chain *limit_chain_create(int n) {
  limit_chain *self = zeros(1, sizeof *self);
  self->n = n;
  self->direction = zeros((size_t)n, sizeof(vector));
  self->links = zeros((size_t)n, sizeof(link));
  for (int s = 0; s < 4; s++) {
    self->stage[s] = zeros(2 * (size_t)n, sizeof(double));
    self->slope[s] = zeros((size_t)n, sizeof(double));
  }
  return self;
}

void limit_chain_destroy(limit_chain *self) {
  for (int s = 0; s < 4; s++) {
    free(self->stage[s]);
    free(self->slope[s]);
  }
  free(self->direction);
  free(self->links);
  free(self);
}
