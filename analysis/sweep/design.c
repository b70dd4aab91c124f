/* The value of a variation in one of n runs follows from a number u, 0 < u < 1, which the code calls share. u is random
 * or from a Latin hypercube ([McKay], M. D. McKay, R. J. Beckman, W. J. Conover: A comparison of three methods for
 * selecting values of input variables, Technometrics 21 (1979) 239-245). Runs are counted from 0:
 *
 *     u = (π(run) + r)/n,     π a random permutation of 0 .. n-1 for each variation, r random between 0 and 1
 *
 * A distribution gives its quantile of u. A range or a list of m values gives value number floor(m u), counted from
 * 0. */
#include <math.h>
#include <seam/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sweep/random_bits.h"
#include "analysis/sweep/variation.h"
#include "base/argument.h"
#include "base/number.h"

struct seam_design {
  arena memory;
  seam_design_options options;
  size_t n_runs, n;
  varied *variations; /* (n) */
  uint32_t **strata; /* (n) permutation π (n_runs) of each variation for a Latin hypercube; NULL: no Latin hypercube */
};

static seam_status no_memory(seam_error *error) { return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted"); }

/* Last word of the counter for random_bits_at(). It makes random numbers for different uses independent. */
enum { OF_SHARES, OF_PERMUTATIONS };

static random_bits bits_of(const seam_design *self, size_t number, size_t variation, uint32_t use) {
  const random_bits counter = {{(uint32_t)number, (uint32_t)((uint64_t)number >> 32), (uint32_t)variation, use}};
  return random_bits_at(counter, self->options.seed);
}

/* ---- Shares u ---- */

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
  return of->n_values > 0 ? of->type->at_value(of, number_of_value(design, run, variation))
                          : of->type->at_share(of, share_of(design, run, variation));
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
    if (self->strata[i] == NULL)
      return no_memory(error);
    permute(self, i, self->strata[i]);
  }
  return self->strata != NULL ? SEAM_OK : no_memory(error);
}

static seam_status make(seam_design *self, const char *const *texts, seam_error *error) {
  seam_status status = check_options(&self->options, error);
  if (status != SEAM_OK)
    return status;
  self->variations = arena_allocate(&self->memory, self->n * sizeof *self->variations);
  if (self->variations == NULL)
    return no_memory(error);
  for (size_t i = 0; i < self->n; i++) {
    varied *read = &self->variations[i];
    status = variation_read(texts[i], &self->memory, read, error);
    if (status != SEAM_OK)
      return status;
    for (size_t k = 0; k < i; k++)
      if (strcmp(self->variations[k].key, read->key) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "'%s' is varied twice; give all its values at once", read->key);
  }
  self->n_runs = self->options.count;
  if (self->options.sampling == SEAM_GRID) {
    double n = 1;
    for (size_t i = 0; i < self->n; i++) {
      if (self->variations[i].n_values == 0)
        return seam_fail(error, SEAM_BAD_INPUT,
                         "'%s' of '%s' has no values for a grid; give a count of runs and sample by lhs or random",
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
  if (self == NULL)
    return no_memory(error);
  self->options = *options;
  self->n = n;
  const seam_status status = make(self, variations, error);
  if (status == SEAM_OK)
    *created = self;
  else
    seam_design_destroy(self);
  return status;
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
