/* Routines of LAPACK 3.11 that are written in Fortran 90, which f2c cannot read, rewritten in C. They do the same
 * operations and give the same bits. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <f2c.h>

/* Sums of squares of small, usual and large numbers. Small and large numbers are scaled, so that no square overflows or
 * underflows (Blue's algorithm). */
typedef struct squares {
  double small, usual, large;
} squares;

static const double smallest_usual = 0x1p-511, largest_usual = 0x1p486, scale_up = 0x1p537, scale_down = 0x1p-538;

static double square(double x) { return x * x; }

static squares sum_squares(integer n, const double *x, integer step) {
  squares sum = {0};
  bool has_large = false;
  long at = step < 0 ? -(long)(n - 1) * step : 0;
  for (integer i = 0; i < n; i++, at += step) {
    const double size = fabs(x[at]);
    if (size > largest_usual) {
      sum.large += square(size * scale_down);
      has_large = true;
    } else if (size < smallest_usual) {
      sum.small += has_large ? 0 : square(size * scale_up);
    } else {
      sum.usual += square(size);
    }
  }
  return sum;
}

/* Returns the sum of all squares, divided by *scale². */
static double total(squares sum, double *scale) {
  const bool is_usual = sum.usual > 0 || isnan(sum.usual);
  *scale = 1;
  if (sum.large > 0) {
    *scale = 1 / scale_down;
    return sum.large + (is_usual ? sum.usual * scale_down * scale_down : 0);
  }
  if (!(sum.small > 0))
    return sum.usual;
  if (!is_usual) {
    *scale = 1 / scale_up;
    return sum.small;
  }
  const double a = sqrt(sum.usual), b = sqrt(sum.small) / scale_up;
  return square(fmax(a, b)) * (1 + square(fmin(a, b) / fmax(a, b)));
}

double dnrm2_(integer *n, double *x, integer *step) {
  double scale;
  const double sum = total(sum_squares(*n, x, *step), &scale);
  return scale * sqrt(sum);
}

void dlassq_(integer *n, double *x, integer *step, double *scale, double *sum) {
  if (isnan(*scale) || isnan(*sum))
    return;
  if (*sum == 0)
    *scale = 1;
  if (*scale == 0) {
    *scale = 1;
    *sum = 0;
  }
  squares all = sum_squares(*n, x, *step);
  const double before = *scale * sqrt(*sum);
  if (*sum > 0 && before > largest_usual)
    all.large += square(*scale * scale_down) * *sum;
  else if (*sum > 0 && before < smallest_usual)
    all.small += all.large > 0 ? 0 : square(*scale * scale_up) * *sum;
  else if (*sum > 0)
    all.usual += square(*scale) * *sum;
  if (*n > 0)
    *sum = total(all, scale);
}

void dlartg_(double *f, double *g, double *c, double *s, double *r) {
  const double least = DBL_MIN, most = 1 / DBL_MIN, low = sqrt(least), high = sqrt(most / 2);
  const double a = *f, b = *g, f1 = fabs(a), g1 = fabs(b);
  if (b == 0) {
    *c = 1;
    *s = 0;
    *r = a;
  } else if (a == 0) {
    *c = 0;
    *s = copysign(1, b);
    *r = g1;
  } else if (f1 > low && f1 < high && g1 > low && g1 < high) {
    const double d = sqrt(a * a + b * b);
    *c = f1 / d;
    *r = copysign(d, a);
    *s = b / *r;
  } else {
    const double u = fmin(most, fmax(least, fmax(f1, g1))), d = sqrt(square(a / u) + square(b / u));
    *c = fabs(a / u) / d;
    *r = copysign(d, a);
    *s = b / u / *r;
    *r *= u;
  }
}

double dlamch_(char *of, ftnlen length) {
  static const struct {
    char of;
    double is;
  } table[] = {{'E', DBL_EPSILON / 2}, {'S', DBL_MIN}, {'B', 2},           {'P', DBL_EPSILON},
               {'N', DBL_MANT_DIG},    {'R', 1},       {'M', DBL_MIN_EXP}, {'U', DBL_MIN},
               {'L', DBL_MAX_EXP},     {'O', DBL_MAX}};
  (void)length;
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].of == (*of & ~32))
      return table[i].is;
  return 0;
}

double dlamc3_(double *a, double *b) {
  volatile double sum = *a + *b;
  return sum;
}

double droundup_lwork__(integer *size) { return *size; } /* exact: the integer has 32 bits, a double 53 */

void xerbla_(char *name, integer *info, ftnlen length) {
  fprintf(stderr, "LAPACK: argument %d of %.*s is not valid\n", (int)*info, (int)length, name);
}

int LAPACKE_lsame(char a, char b) { return (a | 32) == (b | 32); }
