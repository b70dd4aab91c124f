/* Values of variations in the runs of a sweep (<seam/sweep.h>). The value in one of n runs follows from a number u, 0 <
 * u < 1, which the code calls share. u is random or from a Latin hypercube ([McKay], M. D. McKay, R. J. Beckman, W. J.
 * Conover: A comparison of three methods for selecting values of input variables, Technometrics 21 (1979) 239-245).
 * Runs are counted from 0:
 *
 *     u = (π(run) + r)/n,     π a random permutation of 0 .. n-1 for each variation, r random between 0 and 1
 *
 * A distribution gives its quantile of u. A range or a list of m values gives value number floor(m u), counted from
 * 0. */
#include "analysis/sweep/design.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/sweep.h>

#include "base/arena.h"
#include "base/argument.h"
#include "base/number.h"
#include "base/then.h"

/* A value of a model file that varies, written KEY=VALUES. */
typedef struct varied {
  const char *key, *given;
  size_t n_values;     /* number of values of a range or a list; 0: a distribution */
  const double *value; /* (n_values) */
  const char **text;   /* (n_values) texts of a list whose entries are not all numbers; else NULL */
  double a, b;         /* ends of a uniform distribution, or mean and standard deviation of a normal one */
  bool is_normal;
} varied;

struct seam_design {
  arena memory;
  seam_design_options options;
  size_t n_runs, n;
  varied *variations; /* (n) */
  uint32_t **strata; /* (n) permutation π (n_runs) of each variation for a Latin hypercube; NULL: no Latin hypercube */
};

/* ---- Random bits ---- */

/* Philox-4x32 ([Salmon], section 3.3, J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as
 * easy as 1, 2, 3, SC 2011). Each number depends only on its counter and the seed.
 *
 * Ten rounds change the four words of the counter. A round multiplies words 0 and 2 by the constants M. The lower half
 * of each product becomes a word. The upper half becomes another word, after exclusive or with word 1 or 3 and with a
 * word of the key. Each round adds the constants W to the key (Weyl sequences). */
enum { N_ROUNDS = 10 };
static const uint32_t M[2] = {0xD2511F53U, 0xCD9E8D57U}, W[2] = {0x9E3779B9U, 0xBB67AE85U};

random_bits random_bits_at(random_bits counter, uint64_t key) {
  uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  for (int round = 0; round < N_ROUNDS; round++) {
    const uint32_t *x = counter.word;
    const uint64_t product[2] = {(uint64_t)M[0] * x[0], (uint64_t)M[1] * x[2]};
    counter = (random_bits){{(uint32_t)(product[1] >> 32) ^ x[1] ^ k[0], (uint32_t)product[1],
                             (uint32_t)(product[0] >> 32) ^ x[3] ^ k[1], (uint32_t)product[0]}};
    k[0] += W[0];
    k[1] += W[1];
  }
  return counter;
}

/* ---- The normal distribution ---- */

/* PPND16 of [Wichura] (M. J. Wichura: Algorithm AS 241, the percentage points of the normal distribution, Applied
 * Statistics 37 (1988) 477-484). The quantile of the probability p is, with the sign of q instead of ±,
 *
 *     |q| <= 0.425           q A(r)/B(r),      q = p - 1/2, r = 0.425² - q²
 *     else, with s = sqrt(-ln(min(p, 1 - p)))
 *     s <= 5                 ± C(s - 1.6)/D(s - 1.6)
 *     s > 5                  ± E(s - 5)/F(s - 5)
 *
 * A to F are polynomials of degree 7. */
enum { N_COEFFICIENTS = 8 };
typedef struct quotient {
  double above[N_COEFFICIENTS], below[N_COEFFICIENTS]; /* coefficients of numerator, denominator; the constant first */
} quotient;

static const quotient middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
static const quotient tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
static const quotient far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

static double polynomial(const double *c, double x) {
  double value = 0;
  for (int i = N_COEFFICIENTS - 1; i >= 0; i--)
    value = value * x + c[i];
  return value;
}

static double evaluate(const quotient *of, double x) { return polynomial(of->above, x) / polynomial(of->below, x); }

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (fabs(q) <= 0.425)
    return q * evaluate(&middle, 0.180625 - q * q);
  const double s = sqrt(-log(fmin(p, 1 - p)));
  const double size = s <= 5 ? evaluate(&tail, s - 1.6) : evaluate(&far_tail, s - 5);
  return copysign(size, q);
}

/* ---- Variations ---- */

static const char forms[] = "write KEY=FROM:TO:N, KEY=FROM:TO:N:log, KEY=[A, B, ...], KEY=uniform(A, B) or "
                            "KEY=normal(MEAN, SIGMA)";

/* Reads a finite number with blanks around it, and advances *at beyond them. Returns false if there is none. */
static bool read_number(const char **at, double *number) {
  const char *end = NULL;
  *at += strspn(*at, " ");
  *number = seam_number(*at, &end);
  const bool is_one = end != *at && isfinite(*number);
  *at = end + strspn(end, " ");
  return is_one;
}

static bool skip_text(const char **at, const char *text) {
  const bool is_there = strncmp(*at, text, strlen(text)) == 0;
  *at += is_there ? strlen(text) : 0;
  return is_there;
}

/* ---- Ranges ---- */

static seam_status read_range(const char *at, arena *memory, varied *made, seam_error *error) {
  double a = 0, b = 0, n = 0;
  const bool is_range = read_number(&at, &a) && skip_text(&at, ":") && read_number(&at, &b) && skip_text(&at, ":") &&
                        read_number(&at, &n);
  const bool is_geometric = skip_text(&at, ":log");
  if (!is_range || *at != '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' says no values for '%s'; %s", made->given, made->key, forms);
  if (n != floor(n) || n < 2 || n > SEAM_MAX_RUNS)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the range '%s' of '%s' must have a whole number of values from 2 to %d; for one value write --set",
        made->given, made->key, SEAM_MAX_RUNS);
  if (a == b)
    return seam_fail(error, SEAM_BAD_INPUT, "the range '%s' of '%s' is empty; its ends must differ", made->given,
                     made->key);
  if (is_geometric && !(a > 0 && b > 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "both ends of the range '%s' of '%s' must be positive, for equal ratios; leave out ':log'",
                     made->given, made->key);
  made->n_values = (size_t)n;
  double *values = arena_allocate(memory, made->n_values * sizeof *values);
  TRY(seam_check_memory(values != NULL, error));
  for (size_t i = 0; i + 1 < made->n_values; i++) {
    const double share = (double)i / (n - 1);
    values[i] = is_geometric ? a * pow(b / a, share) : a + share * (b - a);
  }
  values[made->n_values - 1] = b;
  made->value = values;
  return SEAM_OK;
}

/* ---- Distributions ---- */

static seam_status read_distribution(const char *at, varied *made, seam_error *error) {
  made->is_normal = skip_text(&at, "normal(");
  const bool is_complete = (made->is_normal || skip_text(&at, "uniform(")) && read_number(&at, &made->a) &&
                           skip_text(&at, ",") && read_number(&at, &made->b) && skip_text(&at, ")") && *at == '\0';
  if (!is_complete)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not a distribution for '%s'; %s", made->given, made->key, forms);
  if (made->is_normal ? made->b <= 0 : made->a >= made->b)
    return seam_fail(error, SEAM_BAD_INPUT, "the distribution '%s' of '%s' does not exist; %s", made->given, made->key,
                     made->is_normal ? "SIGMA must be positive" : "A must be below B");
  return SEAM_OK;
}

/* ---- Lists ---- */

/* Returns the length of the text up to the comma or closing bracket that ends a list's entry. */
static size_t entry_length(const char *text) {
  int depth = 0;
  size_t i = 0;
  for (; text[i] != '\0' && (depth > 0 || strchr(",]", text[i]) == NULL); i++)
    depth += (strchr("[({", text[i]) != NULL) - (strchr("])}", text[i]) != NULL);
  return i;
}

static size_t count_entries(const char *at) {
  size_t n = 1;
  for (at += entry_length(at); *at == ','; at += entry_length(at)) {
    n++;
    at++;
  }
  return *at == ']' && at[1] == '\0' ? n : 0;
}

static const char *copy_entry(arena *memory, const char *at, size_t length) {
  while (length > 0 && *at == ' ') {
    at++;
    length--;
  }
  while (length > 0 && at[length - 1] == ' ')
    length--;
  return arena_text(memory, at, length);
}

static seam_status read_list(const char *at, arena *memory, varied *made, seam_error *error) {
  at++;
  made->n_values = count_entries(at);
  if (made->n_values == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "the list '%s' of '%s' has no closing bracket; write KEY=[A, B, ...]",
                     made->given, made->key);
  made->text = arena_allocate(memory, made->n_values * sizeof *made->text);
  double *values = arena_allocate(memory, made->n_values * sizeof *values);
  TRY(seam_check_memory(made->text != NULL && values != NULL, error));
  bool are_numbers = true;
  for (size_t i = 0; i < made->n_values; i++) {
    const size_t length = entry_length(at);
    made->text[i] = copy_entry(memory, at, length);
    TRY(seam_check_memory(made->text[i] != NULL, error));
    if (*made->text[i] == '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "value %zu in the list '%s' of '%s' is missing; write KEY=[A, B, ...]",
                       i + 1, made->given, made->key);
    const char *number = made->text[i];
    are_numbers = read_number(&number, &values[i]) && *number == '\0' && are_numbers;
    at += length + 1;
  }
  for (size_t i = 0; i < made->n_values && !are_numbers; i++)
    values[i] = (double)(i + 1);
  if (are_numbers)
    made->text = NULL;
  made->value = values;
  return SEAM_OK;
}

/* Reads a variation. Its strings and arrays are in `memory`. Fails with SEAM_BAD_INPUT or SEAM_NO_MEMORY. */
static seam_status read_variation(const char *text, arena *memory, varied *read, seam_error *error) {
  const char *sign = strchr(text, '=');
  if (sign == NULL || sign == text)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' has no key; %s", text, forms);
  *read = (varied){.key = arena_text(memory, text, (size_t)(sign - text)),
                   .given = arena_text(memory, sign + 1, strlen(sign + 1))};
  TRY(seam_check_memory(read->key != NULL && read->given != NULL, error));
  if (sign[1] == '[')
    return read_list(read->given, memory, read, error);
  return strchr(read->given, '(') != NULL ? read_distribution(read->given, read, error)
                                          : read_range(read->given, memory, read, error);
}

/* ---- Shares u ---- */

/* Last word of the counter for random_bits_at(). It makes random numbers for different uses independent. */
enum { OF_SHARES, OF_PERMUTATIONS };

static random_bits bits_of(const seam_design *self, size_t number, size_t variation, uint32_t use) {
  const random_bits counter = {{(uint32_t)number, (uint32_t)((uint64_t)number >> 32), (uint32_t)variation, use}};
  return random_bits_at(counter, self->options.seed);
}

static double share_of(const seam_design *self, size_t run, size_t variation) {
  const random_bits bits = bits_of(self, run, variation, OF_SHARES);
  if (self->strata == NULL) /* 52 random bits; never 0 or 1 */
    return ldexp((double)(((uint64_t)bits.word[1] << 32 | bits.word[0]) >> 12) + 0.5, -52);
  const double r = ldexp(bits.word[0] + 0.5, -32); /* 32 random bits; for π(run) below 2^20, π(run) + r is exact */
  return (self->strata[variation][run] + r) / (double)self->n_runs;
}

/* Fills `part` with a random permutation of 0 .. n_runs-1, by exchanges from the end (R. Durstenfeld: Algorithm 235,
 * Communications of the ACM 7 (1964) 420). */
static void permute(const seam_design *self, size_t variation, uint32_t *part) {
  for (size_t i = 0; i < self->n_runs; i++)
    part[i] = (uint32_t)i;
  for (size_t i = self->n_runs - 1; i > 0; i--) {
    const uint64_t bits = bits_of(self, i, variation, OF_PERMUTATIONS).word[0];
    const size_t k = (size_t)(bits * (i + 1) >> 32);
    const uint32_t kept = part[i];
    part[i] = part[k];
    part[k] = kept;
  }
}

/* ---- Values ---- */

/* Returns the index of the value that a run uses, among the values of a range or list. */
static size_t number_of_value(const seam_design *self, size_t run, size_t variation) {
  const size_t n = self->variations[variation].n_values;
  if (self->options.sampling == SEAM_GRID) {
    for (size_t i = self->n; --i > variation;)
      run /= self->variations[i].n_values;
    return run % n;
  }
  const size_t number = (size_t)((double)n * share_of(self, run, variation));
  return number < n ? number : n - 1;
}

static bool is_there(const seam_design *self, size_t run, size_t variation) {
  return self != NULL && run < self->n_runs && variation < self->n;
}

double seam_design_value(const seam_design *design, size_t run, size_t variation) {
  if (!is_there(design, run, variation))
    return NAN;
  const varied *of = &design->variations[variation];
  if (of->n_values > 0)
    return of->value[number_of_value(design, run, variation)];
  const double share = share_of(design, run, variation);
  return of->is_normal ? of->a + of->b * normal_quantile(share) : of->a + share * (of->b - of->a);
}

size_t seam_design_override(const seam_design *design, size_t run, size_t variation, char *text, size_t size) {
  char number[SHORTEST_ROOM + 1];
  if (!is_there(design, run, variation) || (text == NULL && size > 0))
    return 0;
  const varied *of = &design->variations[variation];
  const char *value = number;
  if (of->text != NULL)
    value = of->text[number_of_value(design, run, variation)];
  else
    *shortest_write(number, seam_design_value(design, run, variation)) = '\0';
  return (size_t)snprintf(text, size, "%s=%s", of->key, value);
}

/* ---- Creation ---- */

static seam_status check_options(const seam_design_options *options, seam_error *error) {
  if ((unsigned)options->sampling >= SEAM_N_SAMPLINGS)
    return seam_fail(error, SEAM_BAD_INPUT, "sampling %d does not exist; there are grid, lhs and random",
                     (int)options->sampling);
  if (options->sampling == SEAM_GRID && options->count != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the number of runs of a grid follows from its values; leave out the count, or sample by lhs or "
                     "random");
  if (options->sampling != SEAM_GRID && (options->count == 0 || options->count > SEAM_MAX_RUNS))
    return seam_fail(error, SEAM_BAD_INPUT, "lhs and random values need a count of runs from 1 to %d", SEAM_MAX_RUNS);
  return SEAM_OK;
}

static seam_status make_strata(seam_design *self, seam_error *error) {
  self->strata = arena_allocate(&self->memory, self->n * sizeof *self->strata);
  for (size_t i = 0; i < self->n && self->strata != NULL; i++) {
    self->strata[i] = arena_allocate(&self->memory, self->n_runs * sizeof *self->strata[i]);
    TRY(seam_check_memory(self->strata[i] != NULL, error));
    permute(self, i, self->strata[i]);
  }
  return seam_check_memory(self->strata != NULL, error);
}

static seam_status make(seam_design *self, const char *const *texts, seam_error *error) {
  TRY(check_options(&self->options, error));
  self->variations = arena_allocate(&self->memory, self->n * sizeof *self->variations);
  TRY(seam_check_memory(self->variations != NULL, error));
  for (size_t i = 0; i < self->n; i++) {
    varied *read = &self->variations[i];
    TRY(read_variation(texts[i], &self->memory, read, error));
    for (size_t k = 0; k < i; k++)
      if (strcmp(self->variations[k].key, read->key) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "'%s' is varied twice; give all its values at once", read->key);
  }
  self->n_runs = self->options.count;
  if (self->options.sampling == SEAM_GRID) {
    double n = 1;
    for (size_t i = 0; i < self->n; i++) {
      if (self->variations[i].n_values == 0)
        return seam_fail(
            error, SEAM_BAD_INPUT,
            "a grid cannot take '%s' of '%s', which is a distribution; sample by lhs or random, with a count of runs",
            self->variations[i].given, self->variations[i].key);
      n *= (double)self->variations[i].n_values;
    }
    if (n > SEAM_MAX_RUNS)
      return seam_fail(error, SEAM_BAD_INPUT, "the grid has %.4g runs; there can be %d: give fewer values", n,
                       SEAM_MAX_RUNS);
    self->n_runs = (size_t)n;
    return SEAM_OK;
  }
  return self->options.sampling == SEAM_LATIN_HYPERCUBE ? make_strata(self, error) : SEAM_OK;
}

seam_status seam_design_create(const char *const *variations, size_t n, const seam_design_options *options,
                               seam_design **created, seam_error *error) {
  ARGUMENTS(error, variations, options, created);
  for (size_t i = 0; i < n; i++)
    if (variations[i] == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s(): entry %zu of 'variations' is NULL: give KEY=VALUES", __func__, i);
  if (n == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "there is nothing to vary; give KEY=VALUES");
  seam_design *self = calloc(1, sizeof *self);
  TRY(seam_check_memory(self != NULL, error));
  self->options = *options;
  self->n = n;
  const seam_status status = make(self, variations, error);
  RETURN_CREATED(status, self, created, seam_design_destroy);
}

void seam_design_destroy(seam_design *design) {
  if (design == NULL)
    return;
  arena_release(&design->memory);
  free(design);
}

/* ---- Access ---- */

size_t seam_design_n_runs(const seam_design *design) { return design == NULL ? 0 : design->n_runs; }

size_t seam_design_n_varied(const seam_design *design) { return design == NULL ? 0 : design->n; }

const char *seam_design_key(const seam_design *design, size_t variation) {
  return variation < seam_design_n_varied(design) ? design->variations[variation].key : NULL;
}

const char *seam_design_given(const seam_design *design, size_t variation) {
  return variation < seam_design_n_varied(design) ? design->variations[variation].given : NULL;
}

size_t seam_design_n_values(const seam_design *design, size_t variation) {
  return variation < seam_design_n_varied(design) ? design->variations[variation].n_values : 0;
}
