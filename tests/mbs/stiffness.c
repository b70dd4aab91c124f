/* The sparse stiffness of free motions against the dense one of minimal coordinates. */
#include "mbs/statics/stiffness.h"

#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/minimal.h"
#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

typedef struct sample {
  mechanism m;
  mbs_minimal *minimal;
  mbs_stiffness *stiffness;
  double *eigenvalues; /* (f) ascending, of the dense K */
} sample;

static void find_eigenvalues(sample *s) {
  const int f = s->minimal->f;
  double *K = calloc((size_t)f * (size_t)f + 1, sizeof *K);
  s->eigenvalues = calloc((size_t)f + 1, sizeof *s->eigenvalues);
  cr_assert(K != NULL && s->eigenvalues != NULL);
  for (int j = 0; j < f; j++)
    for (int i = 0; i < f; i++)
      K[i + j * f] = (s->minimal->K[i + j * f] + s->minimal->K[j + i * f]) / 2;
  cr_assert_eq(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', f, K, f, s->eigenvalues), 0);
  free(K);
}

/* At rest at its loops' closing, wherever forces drive it from there. */
static sample sample_of(mechanism m) {
  sample s = {.m = m};
  mbs_linearised *linear = new_linearised(m.model);
  memset(m.state->v, 0, 3 * mbs_n_bodies(m.model) * sizeof *m.state->v);
  cr_assert_eq(mbs_close_loops(m.ws, m.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_accelerate_from_rest(m.ws, m.state, NULL), SEAM_OK);
  mbs_linearise(linear, m.ws, m.state);
  cr_assert_eq(mbs_minimal_create(m.model, 0, &s.minimal, NULL), SEAM_OK);
  cr_assert_eq(mbs_minimal_compute(s.minimal, m.ws, linear, NULL), SEAM_OK);
  cr_assert_eq(mbs_stiffness_create(m.ws, &s.stiffness, NULL), SEAM_OK);
  cr_assert_eq(mbs_stiffness_compute(s.stiffness, m.state, NULL), SEAM_OK);
  find_eigenvalues(&s);
  mbs_linearised_destroy(linear);
  return s;
}

static void sample_free(sample *s) {
  free(s->eigenvalues);
  mbs_stiffness_destroy(s->stiffness);
  mbs_minimal_destroy(s->minimal);
  mechanism_free(&s->m);
}

static double size_of(const sample *s) {
  return fmax(fabs(s->eigenvalues[0]), fabs(s->eigenvalues[s->minimal->f - 1]));
}

Test(stiffness, a_small_mechanism_has_all_eigenvalues) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    sample s = sample_of(random_mechanism(seed));
    cr_assert_eq(mbs_stiffness_order(s.stiffness), s.minimal->f);
    if (s.minimal->f > 0) {
      const double size = size_of(&s);
      cr_expect_float_eq(mbs_stiffness_growth(s.stiffness), s.eigenvalues[s.minimal->f - 1], 1e-12 * size + 1e-30);
      cr_expect_float_eq(mbs_stiffness_neutral(s.stiffness), 1e-12 * size, 1e-22 * size + 1e-30);
    }
    sample_free(&s);
  }
}

/* N (σ - K)⁻¹ Nᵀ Q back through σ - K is Nᵀ Q. */
static void expect_solution(const sample *s, double sigma) {
  const mbs_minimal *m = s->minimal;
  const double *mass = s->m.model->mass + 3;
  double *forces = calloc((size_t)m->n + 1, sizeof *forces);
  double *u = calloc((size_t)m->n + 1, sizeof *u);
  double *z = calloc((size_t)m->f + 1, sizeof *z);
  cr_assert(forces != NULL && u != NULL && z != NULL);
  for (int i = 0; i < m->n; i++)
    forces[i] = sin(1 + 2.4 * i);
  cr_assert_eq(mbs_stiffness_solve(s->stiffness, sigma, forces, u), SEAM_OK);
  for (int j = 0; j < m->f; j++)
    for (int i = 0; i < m->n; i++)
      z[j] += m->N[i + j * m->n] * mass[i] * u[i];
  for (int j = 0; j < m->f; j++) {
    double left = sigma * z[j];
    double right = 0;
    double size = fabs(left);
    for (int i = 0; i < m->f; i++) {
      left -= m->K[j + i * m->f] * z[i];
      size += fabs(m->K[j + i * m->f] * z[i]);
    }
    for (int i = 0; i < m->n; i++)
      right += m->N[i + j * m->n] * forces[i];
    cr_expect_float_eq(left, right, 1e-9 * fmax(size, 1), "%g instead of %g", left, right);
  }
  free(forces);
  free(u);
  free(z);
}

Test(stiffness, solves_what_minimal_coordinates_solve) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    sample s = sample_of(random_mechanism(seed));
    if (s.minimal->f > 0)
      expect_solution(&s, 2 * fmax(s.eigenvalues[s.minimal->f - 1], 1));
    sample_free(&s);
  }
}

/* Straight, from one end to the other along (c, s), pulled by its weight. */
static mechanism straight(int n, double c, double s) {
  mechanism m = chain(n);
  for (int i = 0; i < n; i++) {
    m.state->q[3 * i] = (i + 0.5) * c;
    m.state->q[3 * i + 1] = (i + 0.5) * s;
    m.state->q[3 * i + 2] = atan2(s, c);
  }
  return m;
}

/* The slowest swing of the hanging chain is a millionth of the largest eigenvalue. */
Test(stiffness, a_large_mechanism_has_its_largest_eigenvalue) {
  static const double directions[][2] = {{0, -1}, {0, 1}, {1, 0}, {0.6, 0.8}};
  for (size_t k = 0; k < sizeof directions / sizeof *directions; k++) {
    sample s = sample_of(straight(150, directions[k][0], directions[k][1]));
    const double exact = s.eigenvalues[s.minimal->f - 1];
    cr_expect_float_eq(mbs_stiffness_growth(s.stiffness), exact, 1e-3 * fabs(exact) + 1e-12 * size_of(&s),
                       "%g instead of %g", mbs_stiffness_growth(s.stiffness), exact);
    cr_expect_float_eq(mbs_stiffness_neutral(s.stiffness), 1e-12 * size_of(&s), 0.05e-12 * size_of(&s));
    expect_solution(&s, 2 * fmax(exact, 1));
    sample_free(&s);
  }
}

Test(stiffness, the_same_state_gives_the_same_bits) {
  sample s = sample_of(straight(100, 0.6, 0.8));
  double u[2][300];
  const double growth = mbs_stiffness_growth(s.stiffness);
  mbs_stiffness_growing(s.stiffness, u[0]);
  cr_assert_eq(mbs_stiffness_find_neutral(s.stiffness, NULL), SEAM_OK);
  cr_assert_eq(mbs_accelerate_from_rest(s.m.ws, s.m.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_stiffness_compute(s.stiffness, s.m.state, NULL), SEAM_OK);
  mbs_stiffness_growing(s.stiffness, u[1]);
  cr_expect_eq(mbs_stiffness_growth(s.stiffness), growth);
  cr_expect_arr_eq(u[0], u[1], sizeof u[0]);
  sample_free(&s);
}
