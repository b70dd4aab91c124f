/* The woodpecker toy of the catalogue against a program of its own: three coordinates, modes and impacts found by
 * trying all of them. With small angles that program repeats the periodic motion that [Leine-Glocker] print; with the
 * exact geometry it is what the catalogue's file must do. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/model_run.h"

enum { N = 3, CONTACTS = 3, ROWS = 2 * CONTACTS };
enum { OPEN, STICKS, UPWARDS, DOWNWARDS, MODES };

static const double r_pole = 2.5e-3, r_bore = 3.1e-3, h_bore = 5.8e-3, l_spring = 0.01, l_bird = 0.015;
static const double h_beak = 0.02, l_beak = 0.0201, m_sleeve = 3e-4, j_sleeve = 5e-9, m_bird = 4.5e-3, j_bird = 7e-7;
static const double stiffness = 5.6e-3, g = 9.81, mu = 0.3;
static const double restitution[CONTACTS] = {0.5, 0, 0};

/* q = (height, tilt of the sleeve, tilt of the bird) and its rates. */
typedef struct toy {
  bool is_exact;
  double t, q[N], v[N];
  int mode[CONTACTS];
  double force[ROWS]; /* normal and tangential of each contact, at the last accelerations */
  int n_impacts;
} toy;

/* ---- Equations: M a = h + Σ Jᵀ λ, second rates J a + convection ---- */

typedef struct equations {
  double M[N][N], h[N], gap[CONTACTS], J[ROWS][N], convection[ROWS];
} equations;

static void add_contact(equations *e, int k, const double normal[N], const double tangent[N], double second_normal,
                        double second_tangent) {
  memcpy(e->J[2 * k], normal, sizeof e->J[0]);
  memcpy(e->J[2 * k + 1], tangent, sizeof e->J[0]);
  e->convection[2 * k] = second_normal;
  e->convection[2 * k + 1] = second_tangent;
}

static equations equations_of(const toy *s) {
  const double a = s->q[1];
  const double b = s->q[2];
  const double ca = s->is_exact ? cos(a) : 1;
  const double sa = s->is_exact ? sin(a) : 0;
  const double cb = s->is_exact ? cos(b) : 1;
  const double sb = s->is_exact ? sin(b) : 0;
  const double a2 = s->is_exact ? s->v[1] * s->v[1] : 0;
  const double b2 = s->is_exact ? s->v[2] * s->v[2] : 0;
  const double x[N] = {0, -l_spring * sa, -l_bird * sb}; /* of the bird */
  const double y[N] = {1, l_spring * ca, l_bird * cb};
  const double second[2] = {-l_spring * ca * a2 - l_bird * cb * b2, -l_spring * sa * a2 - l_bird * sb * b2};
  const double lever = l_bird - l_beak;
  equations e = {.M = {{m_sleeve, 0, 0}, {0, j_sleeve, 0}, {0, 0, j_bird}},
                 .h = {-m_sleeve * g, -stiffness * (a - b), stiffness * (a - b)}};
  for (int i = 0; i < N; i++) {
    e.h[i] -= m_bird * (x[i] * second[0] + y[i] * (second[1] + g));
    for (int j = 0; j < N; j++)
      e.M[i][j] += m_bird * (x[i] * x[j] + y[i] * y[j]);
  }
  add_contact(&e, 0, (double[]){0, -l_spring * sa, -lever * sb - h_beak * cb},
              (double[]){1, l_spring * ca, lever * cb - h_beak * sb},
              -l_spring * ca * a2 - (lever * cb - h_beak * sb) * b2,
              -l_spring * sa * a2 - (lever * sb + h_beak * cb) * b2);
  e.gap[0] = s->is_exact ? l_spring * ca + lever * cb - h_beak * sb - r_pole : l_spring + lever - h_beak * b - r_pole;
  for (int k = 1; k < CONTACTS; k++) {
    const double h = k == 1 ? -h_bore : h_bore;
    add_contact(&e, k, (double[]){0, -r_bore * sa - h * ca, 0}, (double[]){1, r_bore * ca - h * sa, 0},
                (-r_bore * ca + h * sa) * a2, (-r_bore * sa - h * ca) * a2);
    e.gap[k] = s->is_exact ? r_bore * ca - h * sa - r_pole : r_bore - h * a - r_pole;
  }
  return e;
}

static double dot(const double a[N], const double b[N]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Gauss with pivots, in place. False: singular. */
static bool solve(int n, double A[N + ROWS][N + ROWS + 1]) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k; i < n; i++)
      pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
    if (fabs(A[pivot][k]) < 1e-14)
      return false;
    for (int j = 0; j <= n; j++) {
      const double x = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = x;
    }
    for (int i = 0; i < n; i++)
      for (int j = n; i != k && j >= k; j--)
        A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  for (int k = 0; k < n; k++)
    A[k][n] /= A[k][k];
  return true;
}

/* M x = right + Σ Jᵀ f with J x = wanted in the rows that the modes hold. Slides have f_T = -μ f_N σ. Rows are scaled
 * by a length of 1 cm and a mass of 1 g, so that a pivot can be called zero. */
static bool solve_modes(const equations *e, const double right[N], const double wanted[ROWS], const int mode[CONTACTS],
                        double x[N], double f[ROWS]) {
  static const double scale[N] = {1, 100, 100};
  double A[N + ROWS][N + ROWS + 1] = {{0}};
  int row[ROWS];
  int n = N;
  memset(f, 0, ROWS * sizeof *f);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      A[i][j] = 1e3 * e->M[i][j] * scale[i] * scale[j];
    A[i][N + ROWS] = 1e3 * right[i] * scale[i];
  }
  for (int k = 0; k < CONTACTS; k++)
    for (int part = 0; part < (mode[k] == OPEN ? 0 : mode[k] == STICKS ? 2 : 1); part++) {
      const double sigma = mode[k] == UPWARDS ? 1 : mode[k] == DOWNWARDS ? -1 : 0;
      for (int i = 0; i < N; i++) {
        A[n][i] = e->J[2 * k + part][i] * scale[i];
        A[i][n] = -(e->J[2 * k + part][i] - (part == 0 ? sigma * mu * e->J[2 * k + 1][i] : 0)) * scale[i];
      }
      A[n][N + ROWS] = wanted[2 * k + part];
      row[n++ - N] = 2 * k + part;
    }
  for (int i = 0; i < n; i++)
    A[i][n] = A[i][N + ROWS];
  if (!solve(n, A))
    return false;
  for (int i = 0; i < N; i++)
    x[i] = A[i][n] * scale[i];
  for (int i = N; i < n; i++) {
    const int k = row[i - N] / 2;
    f[row[i - N]] = A[i][n] / 1e3;
    if (mode[k] > STICKS)
      f[2 * k + 1] = (mode[k] == UPWARDS ? -mu : mu) * f[2 * k];
  }
  return true;
}

/* ---- Switches ---- */

static const double none = 1e-11; /* m, m/s, and forces over those that there are */

/* All modes of the contacts in `may`, until one fits; after an impact (velocities) or at rest (accelerations). */
static bool find_modes(toy *s, bool is_impact, const bool may[CONTACTS], double x[N]) {
  const equations e = equations_of(s);
  double wanted[ROWS];
  double right[N];
  for (int i = 0; i < N; i++)
    right[i] = is_impact ? dot(e.M[i], s->v) : e.h[i];
  for (int r = 0; r < ROWS; r++)
    wanted[r] = is_impact ? (r % 2 == 0 ? -restitution[r / 2] * fmin(dot(e.J[r], s->v), 0) : 0) : -e.convection[r];
  for (int code = 0; code < MODES * MODES * MODES; code++) {
    const int mode[CONTACTS] = {code % MODES, code / MODES % MODES, code / MODES / MODES};
    bool fits = true;
    for (int k = 0; k < CONTACTS; k++)
      fits = fits && (mode[k] == OPEN || may[k]);
    if (!fits || !solve_modes(&e, right, wanted, mode, x, s->force))
      continue;
    for (int k = 0; k < CONTACTS && fits; k++) {
      const double *f = s->force + 2 * k;
      const double slip = dot(e.J[2 * k + 1], s->v);
      const double sigma = mode[k] == UPWARDS ? 1 : mode[k] == DOWNWARDS ? -1 : 0;
      const double normal = dot(e.J[2 * k], x) - wanted[2 * k];
      const double tangential = dot(e.J[2 * k + 1], x) - wanted[2 * k + 1];
      if (mode[k] == OPEN)
        fits = !may[k] || normal >= -1e3 * none;
      else if (mode[k] == STICKS)
        fits = f[0] >= 0 && fabs(f[1]) <= mu * f[0] && (is_impact || fabs(slip) <= 1e3 * none);
      else
        fits =
            f[0] >= 0 && (is_impact || fabs(slip) <= 1e3 * none ? sigma * tangential >= -1e3 * none : sigma * slip > 0);
    }
    if (fits) {
      memcpy(s->mode, mode, sizeof s->mode);
      return true;
    }
  }
  return false;
}

static void switch_modes(toy *s) {
  double x[N];
  bool may[CONTACTS];
  bool hits = false;
  equations e = equations_of(s);
  for (int k = 0; k < CONTACTS; k++) {
    may[k] = s->mode[k] != OPEN || e.gap[k] <= none;
    hits = hits || (may[k] && dot(e.J[2 * k], s->v) < -1e2 * none);
  }
  if (hits) {
    cr_assert(find_modes(s, true, may, x), "t = %g: no impact", s->t);
    memcpy(s->v, x, sizeof s->v);
    s->n_impacts++;
  }
  for (int k = 0; k < CONTACTS; k++)
    may[k] = may[k] && fabs(dot(e.J[2 * k], s->v)) <= 1e3 * none;
  cr_assert(find_modes(s, false, may, x), "t = %g: no accelerations", s->t);
}

/* ---- Motion ---- */

static void accelerate(toy *s, double a[N]) {
  const equations e = equations_of(s);
  double wanted[ROWS];
  for (int r = 0; r < ROWS; r++)
    wanted[r] = -e.convection[r];
  if (!solve_modes(&e, e.h, wanted, s->mode, a, s->force))
    cr_assert_fail("t = %g: dependent", s->t);
}

/* Runge and Kutta's step, with forces at its end. */
static toy step(const toy *from, double h) {
  static const double at[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[4][2 * N];
  toy to = *from;
  for (int stage = 0; stage < 4; stage++) {
    toy x = *from;
    for (int i = 0; i < N && stage > 0; i++) {
      x.q[i] += at[stage] * h * k[stage - 1][i];
      x.v[i] += at[stage] * h * k[stage - 1][N + i];
    }
    memcpy(k[stage], x.v, sizeof x.v);
    accelerate(&x, k[stage] + N);
    for (int i = 0; i < N; i++) {
      to.q[i] += weight[stage] * h * k[stage][i];
      to.v[i] += weight[stage] * h * k[stage][N + i];
    }
  }
  double last[N];
  accelerate(&to, last);
  to.t += h;
  return to;
}

static bool is_over(const toy *s) {
  const equations e = equations_of(s);
  bool over = false;
  for (int k = 0; k < CONTACTS; k++) {
    const double *f = s->force + 2 * k;
    const double slip = dot(e.J[2 * k + 1], s->v);
    over = over || (s->mode[k] == OPEN && e.gap[k] < 0 && dot(e.J[2 * k], s->v) < 0) ||
           (s->mode[k] != OPEN && f[0] < 0) || (s->mode[k] == STICKS && fabs(f[1]) > mu * f[0]) ||
           (s->mode[k] == UPWARDS && slip < 0) || (s->mode[k] == DOWNWARDS && slip > 0);
  }
  return over;
}

static void advance(toy *s, double end) {
  const double h = 4e-6;
  while (s->t < end) {
    const double length = fmin(h, end - s->t);
    toy next = step(s, length);
    if (is_over(&next)) {
      double low = 0;
      double high = length;
      for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        next = step(s, middle);
        *(is_over(&next) ? &high : &low) = middle;
      }
      next = step(s, high);
      *s = next;
      switch_modes(s);
    } else
      *s = next;
    if (length < h)
      s->t = end;
  }
}

/* On the way of [Leine-Glocker], where the corner below slides. */
static toy begin(bool is_exact, double tilt) {
  toy s = {.is_exact = is_exact, .q = {0, tilt, -0.2788}, .v = {-0.3411, 0, -7.4583}, .mode = {OPEN, DOWNWARDS, OPEN}};
  return s;
}

/* Up to where the bird next falls through the tilt of the start while the corner below slides; time and fall. */
static void one_period(toy *s) {
  advance(s, s->t + 0.05);
  while (!(s->q[2] < -0.2788 && s->v[2] < 0 && s->mode[1] == DOWNWARDS)) {
    toy before = *s;
    advance(s, s->t + 1e-4);
    if (!(s->q[2] < -0.2788 && s->v[2] < 0 && s->mode[1] == DOWNWARDS))
      continue;
    double low = 0;
    double high = 1e-4;
    for (int i = 0; i < 40; i++) {
      *s = before;
      advance(s, before.t + (low + high) / 2);
      *(s->q[2] < -0.2788 ? &high : &low) = (low + high) / 2;
    }
    return;
  }
}

static double exact_tilt(void) { return atan2(h_bore, r_bore) - acos(r_pole / hypot(r_bore, h_bore)); }

/* Their state has four digits; the motion comes back to it as nearly as to its own fixed point. */
Test(woodpecker, small_angles_repeat_the_periodic_motion_in_print) {
  toy s = begin(false, (r_pole - r_bore) / h_bore);
  for (int k = 0; k < 6; k++) {
    one_period(&s);
    cr_expect_float_eq(s.v[0], -0.3411, 0.01 * 0.3411, "%.6g m/s", s.v[0]);
    cr_expect_float_eq(s.v[2], -7.4583, 0.002 * 7.4583, "%.6g 1/s", s.v[2]);
    cr_expect_eq(s.mode[1], DOWNWARDS);
  }
}

static model_run begin_file(void) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "erk";
  options.order = 8;
  options.rtol = options.atol = 1e-13;
  return model_run_begin(seam_catalogue_text("woodpecker"), NULL, &options, INFINITY);
}

static void advance_file(model_run *run, double t) {
  model_run_advance(run, t);
  cr_assert_eq(run->status, SEAM_OK, "%s", run->error.message);
}

/* Through three periods of jams, slips and impacts. */
Test(woodpecker, the_file_moves_as_the_program_does) {
  static const int coordinate[N] = {1, 2, 5};
  model_run run = begin_file();
  toy s = begin(true, exact_tilt());
  const double before = model_run_energy(&run);
  for (int k = 1; k <= 40; k++) {
    advance(&s, 0.01 * k);
    advance_file(&run, 0.01 * k);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    for (int i = 0; i < N; i++) {
      const double scale = i == 0 ? 0.01 : 1;
      const double off = run.state->q[coordinate[i]] - s.q[i];
      const double v_off = run.state->v[coordinate[i]] - s.v[i];
      cr_expect_lt(fabs(off), 1e-10 * scale, "t = %g, coordinate %d: %g", s.t, i, off);
      cr_expect_lt(fabs(v_off), 1e-7 * scale, "t = %g, rate %d: %g", s.t, i, v_off);
    }
    cr_expect_lt(fabs(e.total + e.dissipated - before), 1e-8 * before);
  }
  cr_expect_eq(s.n_impacts, 9);
  model_run_end(&run);
}

/* A period of 0.1307 s with a fall of 14.5 mm, against 0.1460 s and 19.4 mm with small angles. */
Test(woodpecker, the_file_comes_to_the_periodic_motion_of_the_program) {
  model_run run = begin_file();
  toy s = begin(true, exact_tilt());
  for (int k = 0; k < 9; k++)
    one_period(&s);
  toy end = s;
  one_period(&end);
  const double period = end.t - s.t;
  cr_expect_float_eq(period, 0.130747525, 1e-8);
  advance_file(&run, 1.2);
  const double height = run.state->q[1];
  const double sleeve = run.state->q[2];
  const double bird = run.state->q[5];
  advance_file(&run, 1.2 + period);
  cr_expect_float_eq(run.state->q[1] - height, end.q[0] - s.q[0], 1e-9);
  cr_expect_float_eq(run.state->q[2], sleeve, 1e-7);
  cr_expect_float_eq(run.state->q[5], bird, 1e-7);
  model_run_end(&run);
}
