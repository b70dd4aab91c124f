/* Modes of the linearised mechanism ζ'' = K ζ + D ζ', with minimal coordinates ζ and the matrices K, D and N of
 * mbs/dynamics/minimal.c. Poses change by δq = N ζ. LAPACK finds the eigenvalues s and eigenvectors (ζ, s ζ) of
 *
 *   ( 0  1 )
 *   ( K  D )
 *
 * and N ζ is the shape of a mode. The code calls a system with this matrix second-order. With states z, or laws that
 * read forces, the matrix is A of minimal_state.c, with eigenvectors (ζ, s ζ, z). A is balanced, since its states have
 * different units. An eigenvalue of A counts as zero if |s| <= 10 ε ‖A‖ / c. Here ε is the machine precision and c the
 * reciprocal condition number of s. This is ten times the bound of the rounding error of s ([Golub-Van Loan] 7.2.2). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <seam/analysis.h>

#include "analysis/linearised/minimal_state.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"
#include "solvers/lapack.h"

static const double pi = 3.14159265358979323846;

/* Eigenvalues and eigenvectors of the first-order system. */
typedef struct spectrum {
  analysis_first_order of;
  double *real;    /* (n) real parts of the eigenvalues */
  double *imag;    /* (n) imaginary parts of the eigenvalues */
  double *vectors; /* (n x n) columns packed by LAPACK; a conjugate pair has two: its real and its imaginary part */
  /* the members below are used only if the system is not second-order: */
  double *left;      /* (n x n) left eigenvectors, packed in the same way */
  double *condition; /* (n) reciprocal condition number c of each eigenvalue */
  double *scale;     /* (n) factors by which balancing scales the states */
  double norm;       /* ‖A‖ */
} spectrum;

static seam_status no_memory(const mbs_minimal *m, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the modes of %d bodies", m->model->n_bodies);
}

/* Fails with SEAM_NO_MEMORY, SEAM_NOT_FINITE or SEAM_NOT_CONVERGED. */
static seam_status spectrum_find(spectrum *s, const mbs_minimal *m, seam_error *error) {
  const int n = s->of.n;
  const size_t of_matrix = (size_t)n * (size_t)n;
  s->vectors = calloc(2 * of_matrix + 4 * (size_t)n + 1, sizeof *s->vectors);
  if (s->vectors == NULL)
    return no_memory(m, error);
  s->left = s->vectors + of_matrix;
  s->real = s->left + of_matrix;
  s->imag = s->real + n;
  s->condition = s->imag + n;
  s->scale = s->condition + n;
  if (!finite_all(s->of.matrix, n * n))
    return seam_fail(error, SEAM_NOT_FINITE, "the linearised mechanism is not finite: check the derivatives of laws");
  lapack_int info = 0;
  if (!s->of.is_second_order) {
    lapack_int low = 0, high = 0;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): seam_modes_create() frees s->vectors */
    info = LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'E', n, s->of.matrix, n, s->real, s->imag, s->left, n,
                          s->vectors, n, &low, &high, s->scale, &s->norm, s->condition, NULL);
    for (int i = 0; i < n; i++) /* rows that balancing isolates are not scaled */
      if (i < low - 1 || i >= high)
        s->scale[i] = 1;
  } else if (n > 0)
    info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, s->of.matrix, n, s->real, s->imag, NULL, 1, s->vectors, n);
  return seam_lapack_check(info, SEAM_NOT_CONVERGED, "the eigenvalues of the linearised mechanism", error);
}

/* ---- One mode ---- */

/* Returns true if the mode is neutral: up to rounding, eigenvalue k and, in a second-order system, K ζ are zero. */
static bool is_neutral(const mbs_minimal *m, const spectrum *s, int k) {
  const double size = hypot(s->real[k], s->imag[k]);
  if (!s->of.is_second_order)
    return size * s->condition[k] <= analysis_zero_bound * DBL_EPSILON * s->norm;
  const size_t n = (size_t)m->f * (size_t)m->f;
  const double K = largest_size(m->K, n);
  const double D = largest_size(m->D, n);
  double force_squares = 0, squares = 0;
  for (int part = 0; part < (s->imag[k] > 0 ? 2 : 1); part++) {
    const double *zeta = s->vectors + (k + part) * s->of.n;
    for (int i = 0; i < m->f; i++) {
      double force = 0;
      for (int j = 0; j < m->f; j++)
        force += m->K[i + j * m->f] * zeta[j];
      force_squares += force * force;
      squares += zeta[i] * zeta[i];
    }
  }
  return sqrt(force_squares) <= analysis_neutral_force * K * sqrt(squares) &&
         size <= sqrt(analysis_neutral_force) * (sqrt(K) + D);
}

/* Returns the index of the largest of n complex numbers x + i y; the first if several are equal. Every third number is
 * an angle in a shape; the length `angle_scale` multiplies it. */
static int largest_component(int n, const double *x, const double *y, double angle_scale) {
  int largest = 0;
  double largest_size = 0;
  for (int i = 0; i < n; i++) {
    const double size = hypot(x[i], y[i]) * (i % 3 == 2 ? angle_scale : 1);
    if (size > largest_size * (1 + analysis_larger_entry)) {
      largest_size = size;
      largest = i;
    }
  }
  return largest;
}

/* Divides the n complex numbers x + i y by re + i im. Does nothing if the divisor is zero. */
static void divide(int n, double re, double im, double *x, double *y) {
  const double square = re * re + im * im;
  for (int i = 0; i < n && square > 0; i++) {
    const double real = (x[i] * re + y[i] * im) / square;
    y[i] = (y[i] * re - x[i] * im) / square;
    x[i] = real;
  }
}

/* Returns true if bodies move by more than rounding in the mode of eigenvalue k. */
static bool moves_bodies(const spectrum *s, int k) {
  double bodies = 0, all = 0;
  for (int part = 0; part < (s->imag[k] > 0 ? 2 : 1); part++)
    for (int i = 0; i < s->of.n; i++) {
      const double x = s->vectors[i + (k + part) * s->of.n] / (s->of.is_second_order ? 1 : s->scale[i]);
      all += x * x;
      bodies += i < 2 * s->of.f ? x * x : 0;
    }
  return bodies > analysis_body_rounding * analysis_body_rounding * all;
}

/* Returns the mode of eigenvalue k, which points into `shape`. Fills `shape`, zero on entry: real and imaginary part of
 * δq (n each), then of δz (n_states each), divided by the largest component of δq or, if no body moves, of δz. */
static seam_mode mode_of(const mbs_minimal *m, const spectrum *s, int k, double *shape) {
  const double *vector = s->vectors + (size_t)k * (size_t)s->of.n;
  const int n_z = m->model->n_states;
  double *const q[2] = {shape, shape + m->n};
  double *const z[2] = {shape + 2 * m->n, shape + 2 * m->n + n_z};
  const bool of_bodies = moves_bodies(s, k);
  for (int part = 0; part < (s->imag[k] > 0 ? 2 : 1); part++) {
    if (of_bodies) {
      const double *zeta = vector + part * s->of.n;
      for (int i = 0; i < m->n; i++) {
        q[part][i] = 0;
        for (int j = 0; j < m->f; j++)
          q[part][i] += m->N[i + j * m->n] * zeta[j];
      }
    }
    for (int i = 0; i < s->of.n_z; i++)
      z[part][s->of.state[i]] = vector[part * s->of.n + 2 * s->of.f + i];
  }
  double *const *leading = of_bodies ? q : z;
  const int largest =
      of_bodies ? largest_component(m->n, q[0], q[1], m->model->size) : largest_component(n_z, z[0], z[1], 1);
  const double re = leading[0][largest], im = leading[1][largest];
  divide(m->n, re, im, q[0], q[1]);
  divide(n_z, re, im, z[0], z[1]);
  const bool neutral = is_neutral(m, s, k);
  return (seam_mode){.s = {s->real[k], s->imag[k]},
                     .frequency = neutral ? 0 : s->imag[k] / (2 * pi),
                     .damping_ratio = neutral ? 0 : -s->real[k] / hypot(s->real[k], s->imag[k]),
                     .neutral = neutral,
                     .shape = {q[0], q[1]},
                     .states = {z[0], z[1]}};
}

/* ---- Measures in modes ---- */

/* In a mode of eigenvalue s and shape φ, poses change by δq = Re(φ e^(s t)) about a state at rest, and velocities have
 * the amplitude s φ. From φ, s φ and the amplitude of z, the linearised mechanism gives the amplitudes of accelerations
 * a and multipliers λ. The amplitude of a measure, an element that only defines quantities, is its derivative in the
 * direction of (q, v, z, a, λ), separately for real and imaginary parts. */

typedef struct modal_reading {
  const mbs_model *model;
  const mbs_state *state;
  const analysis_minimal_state *at;
  mbs_readout *measures;
  size_t n;               /* number of quantities of all measures */
  double *v, *a, *lambda; /* (3n, 3n, m) direction in v, a and λ, for n bodies and m constraints */
} modal_reading;

/* Computes the real (part 0) or imaginary part (part 1) of the amplitudes of all measures. With s = σ + i ω and φ = φ_r
 * + i φ_i, δv is Re(s φ) = σ φ_r - ω φ_i, or Im(s φ) = σ φ_i + ω φ_r. */
static void read_part(const modal_reading *r, const seam_mode *mode, int part, double *amplitudes) {
  const mbs_model *model = r->model;
  const double sign = part == 0 ? -1 : 1;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    r->v[i] = mode->s[0] * mode->shape[part][i] + sign * mode->s[1] * mode->shape[1 - part][i];
  memset(r->a, 0, 3 * (size_t)model->n_bodies * sizeof *r->a);
  memset(r->lambda, 0, (size_t)model->n_rows * sizeof *r->lambda);
  mbs_linearised_solve(r->at->linear, r->at->ws, mode->shape[part], r->v, mode->states[part], r->a, r->lambda);
  for (int i = 0; i < model->n_rows && model->n_redundant > 0; i++) /* redundant constraints: λ is not unique */
    r->lambda[i] = NAN;
  const mbs_direction along = {mode->shape[part], r->v, r->a, r->lambda, mode->states[part], NULL};
  mbs_read_changes(r->measures, r->at->ws, r->state, &along, amplitudes);
}

/* Fills `amplitudes` and `measures` of the modes about *state, where *at is linearised; NaN if bodies move in *state,
 * or if its constraints are redundant. */
static seam_status read_measures(const mbs_model *model, const mbs_state *state, const analysis_minimal_state *at,
                                 seam_modes *modes, seam_error *error) {
  modal_reading r = {.model = model, .state = state, .at = at, .n = seam_measured_quantities(model, NULL)};
  const size_t n = 3 * (size_t)model->n_bodies;
  if (r.n == 0)
    return SEAM_OK;
  mbs_quantity *list = calloc(r.n, sizeof *list);
  r.v = calloc(2 * n + (size_t)model->n_rows + 1, sizeof *r.v);
  modes->amplitudes = calloc(2 * r.n * modes->n + 1, sizeof *modes->amplitudes);
  if (list != NULL && r.v != NULL && modes->amplitudes != NULL) {
    r.a = r.v + n;
    r.lambda = r.a + n;
    seam_measured_quantities(model, list);
    (void)mbs_readout_create(model, list, r.n, &r.measures, NULL);
  }
  const bool has_memory = r.measures != NULL;
  const bool is_possible =
      has_memory && largest_size(state->v, n) == 0 && mbs_stage_factor(at->ws, model->inverse_mass) < 0;
  for (size_t k = 0; k < modes->n && has_memory; k++)
    for (int part = 0; part < 2; part++) {
      double *amplitudes = modes->amplitudes + (2 * k + (size_t)part) * r.n;
      modes->mode[k].measures[part] = amplitudes;
      if (is_possible)
        read_part(&r, &modes->mode[k], part, amplitudes);
      else
        mbs_fill_nan(amplitudes, r.n);
    }
  mbs_readout_destroy(r.measures);
  free(r.v);
  free(list);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for measures of %zu modes", modes->n);
}

/* ---- All modes ---- */

static double modulus(const seam_mode *mode) { return hypot(mode->s[0], mode->s[1]); }

static int compare_modes(const void *a, const void *b) {
  const double x = modulus(a), y = modulus(b);
  return (x > y) - (x < y);
}

/* Makes all modes. Their shapes share one block of memory. */
static seam_modes *collect(const mbs_minimal *m, const spectrum *s) {
  const size_t max_modes = (size_t)s->of.n;
  const size_t n = (size_t)m->n + (size_t)m->model->n_states;
  seam_modes *modes = calloc(1, sizeof *modes);
  if (modes == NULL)
    return NULL;
  modes->mode = calloc(max_modes + 1, sizeof *modes->mode);
  modes->shapes = calloc(2 * n * max_modes + 1, sizeof *modes->shapes);
  if (modes->mode == NULL || modes->shapes == NULL) {
    seam_modes_destroy(modes);
    return NULL;
  }
  for (int k = 0; k < s->of.n; k++)
    if (s->imag[k] >= 0) {
      modes->mode[modes->n] = mode_of(m, s, k, modes->shapes + 2 * n * modes->n);
      modes->n++;
    }
  qsort(modes->mode, modes->n, sizeof *modes->mode, compare_modes);
  return modes;
}

seam_status seam_modes_create(const mbs_model *model, const mbs_state *state, seam_modes **modes, seam_error *error) {
  ARGUMENTS(error, model, state, modes);
  analysis_minimal_state at = {0};
  spectrum s = {0};
  seam_modes *found = NULL;
  seam_status status = mbs_state_check(__func__, model, state, error);
  THEN(status, analysis_minimal_state_create(&at, model, NULL, state, error));
  THEN(status, analysis_first_order_create(&s.of, &at, error));
  THEN(status, spectrum_find(&s, at.minimal, error));
  if (status == SEAM_OK) {
    found = collect(at.minimal, &s);
    status = found != NULL ? SEAM_OK : no_memory(at.minimal, error);
  }
  THEN(status, read_measures(model, state, &at, found, error));
  if (status == SEAM_OK)
    *modes = found;
  else
    seam_modes_destroy(found);
  free(s.vectors);
  analysis_first_order_free(&s.of);
  analysis_minimal_state_destroy(&at);
  return status;
}

void seam_modes_destroy(seam_modes *modes) {
  if (modes == NULL)
    return;
  free(modes->mode);
  free(modes->shapes);
  free(modes->amplitudes);
  free(modes);
}

double seam_modes_growth(const seam_modes *modes) {
  if (modes == NULL)
    return NAN;
  double fastest = 0, growth = 0;
  for (size_t k = 0; k < modes->n; k++)
    fastest = fmax(fastest, modulus(&modes->mode[k]));
  for (const seam_mode *mode = modes->mode; mode < modes->mode + modes->n; mode++)
    if (!mode->neutral &&
        mode->s[0] > fmax(analysis_growth_rounding * modulus(mode), analysis_modulus_rounding * fastest))
      growth = fmax(growth, mode->s[0]);
  return growth;
}
