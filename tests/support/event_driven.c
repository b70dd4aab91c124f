#include "tests/support/event_driven.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MAX_SIZE = EVENT_MAX_N + EVENT_MAX_ROWS };

static const double none = 1e-11;           /* m */
static const double still = 1e-8;           /* m/s, m/s² */
static const double shortest_flight = 5e-6; /* s, as docs/theory.md says of accumulating impacts */

static double times(const event_run *run, const double a[EVENT_MAX_N], const double b[EVENT_MAX_N]) {
  double sum = 0;
  for (int i = 0; i < run->n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double rate_of(const event_run *run, const event_equations *e, int row, const double *v) {
  return times(run, e->J[row], v) + e->drift[row];
}

static double direction_of(int mode) { return (mode == EVENT_UP) - (mode == EVENT_DOWN); }

/* Gauss with pivots, in place; the right-hand side is the last column. False: singular. */
static bool solve(int n, double A[MAX_SIZE][MAX_SIZE + 1]) {
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

/* M x = right + Σ Jᵀ f with J x = wanted in the rows that the modes hold; slides have f_T = -σ μ f_N. */
static bool solve_modes(const event_run *run, const event_equations *e, double mu, const double *right,
                        const double *wanted, const int *mode, double *x, double *f) {
  double A[MAX_SIZE][MAX_SIZE + 1] = {{0}};
  double b[MAX_SIZE] = {0};
  double scale[EVENT_MAX_N] = {0};
  int row[EVENT_MAX_ROWS];
  int n = run->n;
  memset(f, 0, EVENT_MAX_ROWS * sizeof *f);
  for (int i = 0; i < run->n; i++)
    scale[i] = run->is_angle[i] ? 1 / run->length : 1;
  for (int i = 0; i < run->n; i++) {
    for (int j = 0; j < run->n; j++)
      A[i][j] = e->M[i][j] * scale[i] * scale[j] / run->mass;
    b[i] = right[i] * scale[i] / run->mass;
  }
  for (int k = 0; k < run->n_contacts; k++)
    for (int part = 0; part < (mode[k] == EVENT_OPEN ? 0 : mode[k] == EVENT_STICKS ? 2 : 1); part++) {
      const double *J = e->J[2 * k + part];
      for (int i = 0; i < run->n; i++) {
        A[n][i] = J[i] * scale[i];
        A[i][n] = -(J[i] - (part == 0 ? direction_of(mode[k]) * mu * e->J[2 * k + 1][i] : 0)) * scale[i];
      }
      b[n] = wanted[2 * k + part];
      row[n++ - run->n] = 2 * k + part;
    }
  for (int i = 0; i < n; i++)
    A[i][n] = b[i];
  if (!solve(n, A))
    return false;
  for (int i = 0; i < run->n; i++)
    x[i] = A[i][n] * scale[i];
  for (int i = run->n; i < n; i++) {
    const int r = row[i - run->n];
    f[r] = A[i][n] * run->mass;
    if (mode[r / 2] > EVENT_STICKS)
      f[r + 1] = -direction_of(mode[r / 2]) * mu * f[r];
  }
  return true;
}

/* ---- Switches ---- */

typedef struct problem {
  bool is_impact;
  double mu;
  double right[EVENT_MAX_N], wanted[EVENT_MAX_ROWS];
  bool may[EVENT_MAX_CONTACTS];
} problem;

static bool fits(const event_run *run, const event_equations *e, const problem *p, int k, int mode, const double *x) {
  const double *f = run->force + 2 * k;
  const double normal = times(run, e->J[2 * k], x) - p->wanted[2 * k];
  const double tangential = times(run, e->J[2 * k + 1], x) - p->wanted[2 * k + 1];
  const double slip = rate_of(run, e, 2 * k + 1, run->v);
  const double sigma = direction_of(mode);
  const bool may_turn = p->is_impact || fabs(slip) <= still;
  if (mode == EVENT_OPEN)
    return !p->may[k] || normal >= -still;
  if (mode == EVENT_STICKS)
    return f[0] >= 0 && fabs(f[1]) <= p->mu * f[0] && may_turn;
  return f[0] >= 0 && (may_turn ? sigma * tangential >= -still : sigma * slip > 0);
}

/* All modes of the contacts that may press, until one fits. */
static bool find_modes(event_run *run, const event_equations *e, const problem *p, double *x) {
  int n_codes = 1;
  for (int k = 0; k < run->n_contacts; k++)
    n_codes *= EVENT_MODES;
  for (int code = 0; code < n_codes; code++) {
    int mode[EVENT_MAX_CONTACTS] = {0};
    bool is_fit = true;
    for (int k = 0, rest = code; k < run->n_contacts; k++, rest /= EVENT_MODES) {
      mode[k] = rest % EVENT_MODES;
      is_fit = is_fit && (mode[k] == EVENT_OPEN || p->may[k]);
    }
    if (!is_fit || !solve_modes(run, e, p->mu, p->right, p->wanted, mode, x, run->force))
      continue;
    for (int k = 0; k < run->n_contacts; k++)
      is_fit = is_fit && fits(run, e, p, k, mode[k], x);
    if (is_fit) {
      memcpy(run->mode, mode, sizeof run->mode);
      return true;
    }
  }
  return false;
}

/* Velocities behind an impact of the contacts that touch. */
static void strike(event_run *run, const event_equations *e, const bool *touches, bool rebounds, double mu) {
  problem p = {.is_impact = true, .mu = mu};
  double x[EVENT_MAX_N] = {0};
  for (int i = 0; i < run->n; i++)
    p.right[i] = times(run, e->M[i], run->v);
  for (int k = 0; k < run->n_contacts; k++) {
    const double before = fmin(rate_of(run, e, 2 * k, run->v), 0);
    p.may[k] = touches[k];
    p.wanted[2 * k] = (rebounds ? -run->restitution[k] * before : 0) - e->drift[2 * k];
    p.wanted[2 * k + 1] = -e->drift[2 * k + 1];
  }
  cr_assert(find_modes(run, e, &p, x), "t = %g: no impact", run->t);
  memcpy(run->v, x, sizeof run->v);
}

static void rest(event_run *run, const event_equations *e, const bool *touches, double *a) {
  problem p = {.mu = run->mu};
  memcpy(p.right, e->h, sizeof p.right);
  for (int r = 0; r < 2 * run->n_contacts; r++)
    p.wanted[r] = -e->convection[r];
  for (int k = 0; k < run->n_contacts; k++)
    p.may[k] = touches[k] && fabs(rate_of(run, e, 2 * k, run->v)) <= still;
  cr_assert(find_modes(run, e, &p, a), "t = %g: no accelerations", run->t);
}

/* Contacts whose next flight would be shorter than the rule allows lose what is left of their rate. */
static void settle(event_run *run, const bool *touches) {
  event_equations e = {0};
  bool settles[EVENT_MAX_CONTACTS] = {false};
  bool any = false;
  double a[EVENT_MAX_N] = {0};
  run->equations(run, &e);
  rest(run, &e, touches, a);
  for (int k = 0; k < run->n_contacts; k++) {
    const double rate = rate_of(run, &e, 2 * k, run->v);
    const double second = times(run, e.J[2 * k], a) + e.convection[2 * k];
    settles[k] = touches[k] && rate > still && second < 0 && -2 * rate / second < shortest_flight;
    any = any || settles[k];
  }
  for (int k = 0; k < run->n_contacts && any; k++)
    if (settles[k]) {
      const double rate = rate_of(run, &e, 2 * k, run->v);
      double f[EVENT_MAX_ROWS];
      double x[EVENT_MAX_N];
      double right[EVENT_MAX_N] = {0};
      double wanted[EVENT_MAX_ROWS] = {0};
      int mode[EVENT_MAX_CONTACTS] = {EVENT_OPEN};
      mode[k] = EVENT_UP;
      wanted[2 * k] = -rate;
      cr_assert(solve_modes(run, &e, 0, right, wanted, mode, x, f));
      for (int i = 0; i < run->n; i++)
        run->v[i] += x[i];
    }
}

static void switch_modes(event_run *run) {
  event_equations e = {0};
  bool touches[EVENT_MAX_CONTACTS] = {false};
  bool hits = false;
  double a[EVENT_MAX_N] = {0};
  run->equations(run, &e);
  for (int k = 0; k < run->n_contacts; k++) {
    touches[k] = run->mode[k] != EVENT_OPEN || e.gap[k] <= none;
    hits = hits || (touches[k] && rate_of(run, &e, 2 * k, run->v) < -0.1 * still);
  }
  if (hits) {
    strike(run, &e, touches, true, run->mu);
    run->n_impacts++;
    settle(run, touches);
  }
  memset(&e, 0, sizeof e);
  run->equations(run, &e);
  rest(run, &e, touches, a);
}

/* ---- Motion ---- */

static void accelerate(event_run *run, double *a) {
  event_equations e = {0};
  double wanted[EVENT_MAX_ROWS] = {0};
  run->equations(run, &e);
  for (int r = 0; r < 2 * run->n_contacts; r++)
    wanted[r] = -e.convection[r];
  if (!solve_modes(run, &e, run->mu, e.h, wanted, run->mode, a, run->force))
    cr_assert_fail("t = %g: contacts depend on each other", run->t);
}

/* Runge and Kutta's step, with forces at its end. */
static event_run step(const event_run *from, double h) {
  static const double at[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[4][2][EVENT_MAX_N] = {{{0}}};
  event_run to = *from;
  for (int stage = 0; stage < 4; stage++) {
    event_run x = *from;
    x.t += at[stage] * h;
    for (int i = 0; i < from->n && stage > 0; i++) {
      x.q[i] += at[stage] * h * k[stage - 1][0][i];
      x.v[i] += at[stage] * h * k[stage - 1][1][i];
    }
    memcpy(k[stage][0], x.v, sizeof x.v);
    accelerate(&x, k[stage][1]);
    for (int i = 0; i < from->n; i++) {
      to.q[i] += weight[stage] * h * k[stage][0][i];
      to.v[i] += weight[stage] * h * k[stage][1][i];
    }
  }
  double last[EVENT_MAX_N] = {0};
  to.t += h;
  accelerate(&to, last);
  return to;
}

static bool is_over(const event_run *run) {
  event_equations e = {0};
  bool is = false;
  run->equations(run, &e);
  for (int k = 0; k < run->n_contacts; k++) {
    const double *f = run->force + 2 * k;
    const double slip = rate_of(run, &e, 2 * k + 1, run->v);
    if (run->mode[k] == EVENT_OPEN)
      is = is || (e.gap[k] < 0 && rate_of(run, &e, 2 * k, run->v) < 0);
    else
      is = is || f[0] < 0 || direction_of(run->mode[k]) * slip < 0;
    is = is || (run->mode[k] == EVENT_STICKS && fabs(f[1]) > run->mu * f[0]);
  }
  return is;
}

void event_advance(event_run *run, double end) {
  while (run->t < end) {
    const double length = fmin(run->step, end - run->t);
    event_run next = step(run, length);
    if (is_over(&next)) {
      double low = 0;
      double high = length;
      for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        next = step(run, middle);
        *(is_over(&next) ? &high : &low) = middle;
      }
      *run = step(run, high);
      switch_modes(run);
      continue;
    }
    *run = next;
    if (length < run->step)
      run->t = end;
  }
}
