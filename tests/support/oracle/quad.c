/* Textbook methods ([Golub-Van Loan] 3.4, 9.3, 7.4, 7.5), of basic arithmetic only. */
#include "tests/support/oracle/quad.h"

#include <math.h>
#include <string.h>

static const double epsilon = 0x1p-112;

static quad absolute(quad x) { return x < 0 ? -x : x; }

/* Newton's iteration doubles the digits that double precision has. */
static quad square_root(quad x) {
  quad root = sqrt((double)x);
  for (int i = 0; i < 2 && root > 0; i++)
    root = (root + x / root) / 2;
  return root;
}

static void swap_rows(int m, quad *a, quad *b) {
  for (int j = 0; j < m; j++) {
    const quad kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

/* a -= factor b */
static void subtract(int m, quad factor, const quad *b, quad *a) {
  for (int j = 0; j < m && factor != 0; j++)
    a[j] -= factor * b[j];
}

static int pivot_row(int n, const quad *A, int k) {
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (absolute(A[i * n + k]) > absolute(A[best * n + k]))
      best = i;
  return best;
}

bool quad_solve(int n, int m, quad *A, quad *B) {
  for (int k = 0; k < n; k++) {
    const int p = pivot_row(n, A, k);
    if (A[p * n + k] == 0)
      return false;
    swap_rows(n, A + k * n, A + p * n);
    swap_rows(m, B + k * m, B + p * m);
    for (int i = 0; i < n; i++) {
      const quad factor = A[i * n + k] / A[k * n + k];
      if (i == k)
        continue;
      subtract(n, factor, A + k * n, A + i * n);
      subtract(m, factor, B + k * m, B + i * m);
    }
  }
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      B[k * m + j] /= A[k * n + k];
  return true;
}

/* ---- Exponential: Taylor's series of A / 2^s, squared s times ---- */

static void multiply(int n, const quad *A, const quad *B, quad *C) {
  memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      subtract(n, -A[i * n + k], B + k * n, C + i * n);
}

static double largest_row_sum(int n, const quad *A) {
  double largest = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += fabs((double)A[i * n + j]);
    largest = fmax(largest, sum);
  }
  return largest;
}

void quad_expm(int n, const quad *A, quad *E) {
  enum { MAX_TERMS = 40 };
  const int size = n * n;
  quad scaled[QUAD_MAX_ORDER * QUAD_MAX_ORDER];
  quad term[QUAD_MAX_ORDER * QUAD_MAX_ORDER];
  quad next[QUAD_MAX_ORDER * QUAD_MAX_ORDER];
  const double norm = largest_row_sum(n, A);
  const int squarings = norm > 0.25 && isfinite(norm) ? (int)ceil(log2(norm / 0.25)) : 0;
  for (int i = 0; i < size; i++) {
    scaled[i] = A[i] * ldexp(1, -squarings);
    term[i] = E[i] = i % (n + 1) == 0 ? 1 : 0;
  }
  for (int k = 1; k < MAX_TERMS && largest_row_sum(n, term) > epsilon / 16; k++) {
    multiply(n, term, scaled, next);
    for (int i = 0; i < size; i++) {
      term[i] = next[i] / k;
      E[i] += term[i];
    }
  }
  for (int k = 0; k < squarings; k++) {
    multiply(n, E, E, next);
    memcpy(E, next, (size_t)size * sizeof *E);
  }
}

/* ---- Eigenvalues: Hessenberg form, then Francis's QR steps ---- */

/* Scales by powers of two, D⁻¹ A D, until the rows are about as large as the columns: units no longer count. */
static void balance(int n, quad *A) {
  bool changed = true;
  for (int sweep = 0; sweep < 20 && changed; sweep++) {
    changed = false;
    for (int i = 0; i < n; i++) {
      double row = 0;
      double column = 0;
      for (int j = 0; j < n; j++) {
        row += j == i ? 0 : fabs((double)A[i * n + j]);
        column += j == i ? 0 : fabs((double)A[j * n + i]);
      }
      if (row == 0 || column == 0)
        continue;
      const double factor = exp2(round(log2(row / column) / 2));
      changed |= factor != 1;
      for (int j = 0; j < n; j++) {
        A[i * n + j] /= factor;
        A[j * n + i] *= factor;
      }
    }
  }
}

/* Makes column k - 1 zero below row k, by eliminations that keep the eigenvalues. */
static void reduce_column(int n, quad *A, int k) {
  int p = k;
  for (int i = k + 1; i < n; i++)
    if (absolute(A[i * n + k - 1]) > absolute(A[p * n + k - 1]))
      p = i;
  if (A[p * n + k - 1] == 0)
    return;
  swap_rows(n, A + k * n, A + p * n);
  for (int i = 0; i < n; i++)
    swap_rows(1, A + i * n + k, A + i * n + p);
  for (int i = k + 1; i < n; i++) {
    const quad factor = A[i * n + k - 1] / A[k * n + k - 1];
    subtract(n, factor, A + k * n, A + i * n);
    for (int r = 0; r < n && factor != 0; r++)
      A[r * n + k] += factor * A[r * n + i];
  }
}

/* Reflects rows and columns k to k + m - 1 of the window [low, high] so that (x, y, z) points along its first axis. */
static void reflect(int n, quad *A, int low, int high, int k, int m, const quad *xyz) {
  quad u[3] = {xyz[0], xyz[1], xyz[2]};
  quad scale = 0;
  quad square = 0;
  for (int i = 0; i < m; i++)
    scale += absolute(u[i]);
  if (scale == 0)
    return;
  for (int i = 0; i < m; i++) {
    u[i] /= scale;
    square += u[i] * u[i];
  }
  const quad length = square_root(square);
  const quad twice = 2 * (square + absolute(u[0]) * length); /* uᵀu after the next line */
  u[0] += u[0] < 0 ? -length : length;
  for (int j = k > low ? k - 1 : low; j <= high; j++) {
    quad sum = 0;
    for (int i = 0; i < m; i++)
      sum += u[i] * A[(k + i) * n + j];
    for (int i = 0; i < m; i++)
      A[(k + i) * n + j] -= 2 * sum / twice * u[i];
  }
  for (int r = low; r <= high && r <= k + 3; r++) {
    quad sum = 0;
    for (int i = 0; i < m; i++)
      sum += A[r * n + k + i] * u[i];
    for (int i = 0; i < m; i++)
      A[r * n + k + i] -= 2 * sum / twice * u[i];
  }
}

static void francis_step(int n, quad *A, int low, int high, bool exceptional) {
#define H(i, j) A[(i)*n + (j)]
  quad trace = H(high - 1, high - 1) + H(high, high);
  quad det = H(high - 1, high - 1) * H(high, high) - H(high - 1, high) * H(high, high - 1);
  if (exceptional) {
    trace = 1.5 * (absolute(H(high, high - 1)) + absolute(H(high - 1, high - 2)));
    det = trace * trace / 2.25;
  }
  quad xyz[3] = {H(low, low) * (H(low, low) - trace) + H(low, low + 1) * H(low + 1, low) + det,
                 H(low + 1, low) * (H(low, low) + H(low + 1, low + 1) - trace), H(low + 1, low) * H(low + 2, low + 1)};
  for (int k = low; k < high; k++) {
    const int m = k + 2 <= high ? 3 : 2;
    if (k > low)
      for (int i = 0; i < m; i++)
        xyz[i] = H(k + i, k - 1);
    reflect(n, A, low, high, k, m, xyz);
    for (int i = 1; i < m && k > low; i++)
      H(k + i, k - 1) = 0;
  }
}

/* First row of the unreduced window that ends at `high`. */
static int window_start(int n, quad *A, int high, double negligible) {
  int low = high;
  while (low > 0 && absolute(H(low, low - 1)) > negligible)
    low--;
  if (low > 0)
    H(low, low - 1) = 0;
  return low;
}

/* Largest modulus of the eigenvalues of the window of order 2 at k. */
static quad modulus_of_pair(int n, const quad *A, int k) {
  const quad half = (H(k, k) + H(k + 1, k + 1)) / 2;
  const quad difference = (H(k, k) - H(k + 1, k + 1)) / 2;
  const quad discriminant = difference * difference + H(k, k + 1) * H(k + 1, k);
  if (discriminant < 0)
    return square_root(half * half - discriminant);
  return absolute(half) + square_root(discriminant);
}
#undef H

/* A bound of the eigenvalues of the window [low, high]: the 16th root of a norm of its 16th power. */
static double bound_of_window(int n, const quad *A, int low, int high) {
  const int m = high - low + 1;
  quad power[QUAD_MAX_ORDER * QUAD_MAX_ORDER];
  quad square[QUAD_MAX_ORDER * QUAD_MAX_ORDER];
  for (int i = 0; i < m; i++)
    memcpy(power + i * m, A + (low + i) * n + low, (size_t)m * sizeof *power);
  for (int k = 0; k < 4; k++) {
    multiply(m, power, power, square);
    memcpy(power, square, (size_t)m * (size_t)m * sizeof *power);
  }
  return pow(largest_row_sum(m, power), 1.0 / 16);
}

/* Clusters of zero eigenvalues, which histories bring, may never come apart: those need only lie below the largest. */
bool quad_spectral_radius(int n, quad *A, double *rho, double *uncertainty) {
  enum { MAX_STEPS = 60, exceptional_every = 10 };
  balance(n, A);
  const double negligible = epsilon * largest_row_sum(n, A);
  double unresolved = 0;
  int steps = 0;
  *rho = 0;
  *uncertainty = sqrt(epsilon) * largest_row_sum(n, A);
  for (int k = 1; k + 1 < n; k++)
    reduce_column(n, A, k);
  for (int high = n - 1; high >= 0;) {
    const int low = window_start(n, A, high, negligible);
    if (high - low >= 2 && steps++ < MAX_STEPS) {
      francis_step(n, A, low, high, steps % exceptional_every == 0);
      continue;
    }
    if (high - low >= 2)
      unresolved = fmax(unresolved, bound_of_window(n, A, low, high));
    else
      *rho = fmax(*rho, (double)(high == low ? absolute(A[high * n + high]) : modulus_of_pair(n, A, low)));
    high = low - 1;
    steps = 0;
  }
  return unresolved <= *rho;
}
