/* Modes: with the linearised mechanism z'' = K z + D z' in minimal coordinates (mbs/minimal.c) and z = ζ e^(s t), the
 * eigenvalues s and vectors (ζ, s ζ) of
 *
 *   ( 0  1 )
 *   ( K  D )
 *
 * by LAPACK, and the shapes δq = N ζ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <seam/analysis.h>

#include "analysis/linearised/modal_measures.h"
#include "base/argument.h"
#include "mbs/model.h"
#include "solvers/lapack.h"

static const double pi = 3.14159265358979323846;
static const double rounding = 1e-12;         /* of K, against its largest entry */
static const double growth_rounding = 1e-9;   /* of Re s, against |s| */
static const double modulus_rounding = 1e-12; /* of Re s, against the largest |s| */

/* Eigenvalues and vectors of the first-order system, of order n = 2 f. */
typedef struct spectrum {
  int n;
  double *matrix;  /* (n x n) */
  double *real;    /* (n) */
  double *imag;    /* (n) */
  double *vectors; /* (n x n) as LAPACK packs them: of a conjugate pair, real part and imaginary part */
} spectrum;

static seam_status no_memory(const mbs_minimal *m, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the modes of %d bodies", m->model->n_bodies);
}

static bool spectrum_create(spectrum *s, const mbs_minimal *m) {
  const int f = m->f;
  const size_t n = 2 * (size_t)f;
  s->n = 2 * f;
  s->matrix = calloc(2 * n * n + 2 * n + 1, sizeof *s->matrix);
  if (s->matrix == NULL)
    return false;
  s->vectors = s->matrix + n * n;
  s->real = s->vectors + n * n;
  s->imag = s->real + n;
  for (int j = 0; j < f; j++) {
    s->matrix[j + (f + j) * s->n] = 1;
    for (int i = 0; i < f; i++) {
      s->matrix[f + i + j * s->n] = m->K[i + j * f];
      s->matrix[f + i + (f + j) * s->n] = m->D[i + j * f];
    }
  }
  return true;
}

static seam_status spectrum_find(spectrum *s, seam_error *error) {
  for (int i = 0; i < s->n * s->n; i++)
    if (!isfinite(s->matrix[i]))
      return seam_fail(error, SEAM_NOT_FINITE, "the linearised mechanism is not finite: check the derivatives of laws");
  const int info = s->n == 0 ? 0
                             : LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', s->n, s->matrix, s->n, s->real, s->imag, NULL,
                                             1, s->vectors, s->n);
  return seam_lapack_check(info, SEAM_NOT_CONVERGED, "the eigenvalues of the linearised mechanism", error);
}

/* ---- One mode ---- */

static double largest_entry(const double *matrix, int f) {
  double largest = 0;
  for (int i = 0; i < f * f; i++)
    largest = fmax(largest, fabs(matrix[i]));
  return largest;
}

/* Whether K ζ is rounding, and s too. ζ lies in (f) and, where s is not real, (f) of the next column. */
static bool is_neutral(const mbs_minimal *m, double s, const double *zeta, int n_parts) {
  const double K = largest_entry(m->K, m->f);
  const double D = largest_entry(m->D, m->f);
  double force = 0;
  double size = 0;
  for (int part = 0; part < n_parts; part++) {
    const double *z = zeta + 2 * part * m->f;
    for (int i = 0; i < m->f; i++) {
      double sum = 0;
      for (int j = 0; j < m->f; j++)
        sum += m->K[i + j * m->f] * z[j];
      force += sum * sum;
      size += z[i] * z[i];
    }
  }
  return sqrt(force) <= rounding * K * sqrt(size) && s <= sqrt(rounding) * (sqrt(K) + D);
}

/* Turns and scales x + i y so that its largest component, radians counting as the mechanism's size, is 1. */
static void normalise(const mbs_model *model, double *x, double *y) {
  const int n = 3 * model->n_bodies;
  int largest = 0;
  double largest_size = 0;
  for (int i = 0; i < n; i++) {
    const double size = hypot(x[i], y[i]) * (i % 3 == 2 ? model->size : 1);
    if (size > largest_size * (1 + 1e-9)) { /* of equal ones the first */
      largest_size = size;
      largest = i;
    }
  }
  const double re = x[largest];
  const double im = y[largest];
  const double square = re * re + im * im;
  for (int i = 0; i < n && square > 0; i++) {
    const double real = (x[i] * re + y[i] * im) / square;
    y[i] = (y[i] * re - x[i] * im) / square;
    x[i] = real;
  }
}

/* shape (n) = N ζ. */
static void take_shape(const mbs_minimal *m, const double *zeta, double *shape) {
  for (int i = 0; i < m->n; i++) {
    shape[i] = 0;
    for (int j = 0; j < m->f; j++)
      shape[i] += m->N[i + j * m->n] * zeta[j];
  }
}

/* That of eigenvalue k; shape (2 n) becomes the mode's. */
static seam_mode mode_of(const mbs_minimal *m, const spectrum *s, int k, double *shape) {
  const double *zeta = s->vectors + (size_t)k * (size_t)s->n;
  const bool is_pair = s->imag[k] > 0;
  const double size = hypot(s->real[k], s->imag[k]);
  const bool neutral = is_neutral(m, size, zeta, is_pair ? 2 : 1);
  take_shape(m, zeta, shape);
  if (is_pair)
    take_shape(m, zeta + s->n, shape + m->n);
  normalise(m->model, shape, shape + m->n);
  return (seam_mode){.s = {s->real[k], s->imag[k]},
                     .frequency = neutral ? 0 : s->imag[k] / (2 * pi),
                     .damping_ratio = neutral ? 0 : -s->real[k] / size,
                     .neutral = neutral,
                     .shape = {shape, shape + m->n}};
}

/* ---- All of them ---- */

static double modulus(const seam_mode *mode) { return hypot(mode->s[0], mode->s[1]); }

static int compare_modes(const void *a, const void *b) {
  const seam_mode *first = a;
  const seam_mode *second = b;
  const double x = modulus(first);
  const double y = modulus(second);
  return (x > y) - (x < y);
}

/* All shapes are in one block. */
static seam_modes *collect(const mbs_minimal *m, const spectrum *s) {
  const size_t max_modes = (size_t)s->n;
  const size_t n = (size_t)m->n;
  seam_modes *modes = malloc(sizeof *modes);
  double *shapes = calloc(2 * n * max_modes + 1, sizeof *shapes);
  seam_mode *mode = calloc(max_modes + 1, sizeof *mode);
  if (modes == NULL || shapes == NULL || mode == NULL) {
    free(modes);
    free(shapes);
    free(mode);
    return NULL;
  }
  *modes = (seam_modes){.mode = mode, .shapes = shapes};
  for (int k = 0; k < s->n; k++)
    if (s->imag[k] >= 0) {
      mode[modes->n] = mode_of(m, s, k, shapes + 2 * n * modes->n);
      modes->n++;
    }
  qsort(mode, modes->n, sizeof *mode, compare_modes);
  return modes;
}

static seam_status find_modes(const mbs_minimal *m, seam_modes **modes, seam_error *error) {
  spectrum s;
  if (!spectrum_create(&s, m))
    return no_memory(m, error);
  seam_status status = spectrum_find(&s, error);
  if (status == SEAM_OK) {
    *modes = collect(m, &s);
    status = *modes != NULL ? SEAM_OK : no_memory(m, error);
  }
  free(s.matrix);
  return status;
}

seam_status seam_modes_create(const mbs_model *model, const mbs_state *state, seam_modes **modes, seam_error *error) {
  ARGUMENTS(error, model, state, modes);
  const seam_status fits = mbs_state_check(__func__, model, state, error);
  if (fits != SEAM_OK)
    return fits;
  analysis_minimal_state at;
  seam_status status = analysis_minimal_state_create(&at, model, NULL, state, error);
  seam_modes *found = NULL;
  if (status == SEAM_OK)
    status = find_modes(at.minimal, &found, error);
  if (status == SEAM_OK)
    status = analysis_measure_modes(model, state, &at, found, error);
  if (status == SEAM_OK)
    *modes = found;
  else
    seam_modes_destroy(found);
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
  double fastest = 0;
  double growth = 0;
  for (size_t k = 0; k < modes->n; k++)
    fastest = fmax(fastest, modulus(&modes->mode[k]));
  for (const seam_mode *mode = modes->mode; mode < modes->mode + modes->n; mode++)
    if (!mode->neutral && mode->s[0] > fmax(growth_rounding * modulus(mode), modulus_rounding * fastest))
      growth = fmax(growth, mode->s[0]);
  return growth;
}
