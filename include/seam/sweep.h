/** @file
 * Sweeps: runs of one model with different values in its file, chosen by a design of experiments. A design is
 * constant: any number of threads may use it. Misuse: see <seam/status.h>. */
#ifndef SEAM_SWEEP_H
#define SEAM_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_design Design of experiments
 * A variation is a text KEY=VALUES. KEY is a path in the model file, as in `overrides` of <seam/models.h>:
 *
 *     KEY=FROM:TO:N          N equally spaced values, both ends included
 *     KEY=FROM:TO:N:log      with equal ratios
 *     KEY=[A, B, ...]        numbers, or other values of a model file
 *     KEY=uniform(A, B)      every value between A and B is equally probable
 *     KEY=normal(MEAN, SIGMA)
 *
 * A grid cannot use the last two forms.
 * @{ */

/** Arguments of X: code, name. */
#define SEAM_SAMPLING_TABLE(X)                                                                                         \
  X(SEAM_GRID, grid)           /* all combinations; the last variation changes fastest */                              \
  X(SEAM_LATIN_HYPERCUBE, lhs) /* one run in each of `count` equally probable intervals of each variation */           \
  X(SEAM_RANDOM, random)       /* independent random values */

typedef enum seam_sampling {
#define SEAM_SAMPLING(code, name) code,
  SEAM_SAMPLING_TABLE(SEAM_SAMPLING)
#undef SEAM_SAMPLING
      SEAM_N_SAMPLINGS
} seam_sampling;

typedef struct seam_design_options {
  seam_sampling sampling;
  size_t count;  /**< number of runs of lhs and random; grid: 0 */
  uint64_t seed; /**< seed of lhs and random */
} seam_design_options;

enum { SEAM_MAX_RUNS = 1000000 };

typedef struct seam_design seam_design;

/** Creates a design of n variations, whose texts are copied. A run's values follow from its number, the options and the
 * variations: random numbers are counter-based ([Salmon]), normal ones by the inverse distribution ([Wichura]); a
 * Latin hypercube permutes its intervals at random ([McKay]). SEAM_BAD_INPUT, SEAM_NO_MEMORY. Free with
 * seam_design_destroy(). */
SEAM_PUBLIC seam_status seam_design_create(const char *const *variations, size_t n, const seam_design_options *options,
                                           seam_design **created, seam_error *error);
SEAM_PUBLIC void seam_design_destroy(seam_design *design);

/** Return the number of runs, and of varied values per run. */
SEAM_PUBLIC size_t seam_design_n_runs(const seam_design *design);
SEAM_PUBLIC size_t seam_design_n_varied(const seam_design *design);
/** Return KEY and VALUES of a variation as they were given; NULL: no such variation. */
SEAM_PUBLIC const char *seam_design_key(const seam_design *design, size_t variation);
SEAM_PUBLIC const char *seam_design_given(const seam_design *design, size_t variation);
/** Returns the number of values of a variation that is a range or list; 0 for a distribution. */
SEAM_PUBLIC size_t seam_design_n_values(const seam_design *design, size_t variation);

/** Returns a value of a run (counted from 0). If a list has items other than numbers, returns the item's position in
 * the list (from 1). NaN: no such run or variation. */
SEAM_PUBLIC double seam_design_value(const seam_design *design, size_t run, size_t variation);
/** Writes the value as an override, "KEY=VALUE"; reading its number gives the same value bit for bit. Returns the
 * length of the complete text, as snprintf() does. */
SEAM_PUBLIC size_t seam_design_override(const seam_design *design, size_t run, size_t variation, char *text,
                                        size_t size);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
