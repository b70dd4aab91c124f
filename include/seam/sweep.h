/** @file
 * Sweeps: many runs of one model with other values in its file, and the design of experiments that says which. A design
 * is constant: any number of threads may use it. Misuse: see <seam/status.h>. */
#ifndef SEAM_SWEEP_H
#define SEAM_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_design Design of experiments
 * A variation is a text KEY=VALUES, where KEY is a path in the model file as `overrides` of <seam/models.h> have it:
 *
 *     KEY=FROM:TO:N          N equally spaced values, both ends included
 *     KEY=FROM:TO:N:log      with equal ratios
 *     KEY=[A, B, ...]        these; numbers, or any other values of a model file
 *     KEY=uniform(A, B)      every value between A and B is equally probable
 *     KEY=normal(MEAN, SIGMA)
 *
 * The last two have no values to be counted, which a grid needs.
 * @{ */

/** Columns: code, name, meaning. */
#define SEAM_SAMPLING_TABLE(X)                                                                                         \
  X(SEAM_GRID, grid)           /* all combinations, the last variation fastest */                                      \
  X(SEAM_LATIN_HYPERCUBE, lhs) /* of `count` equally probable parts of each variation one run has one */               \
  X(SEAM_RANDOM, random)       /* independent */

typedef enum seam_sampling {
#define SEAM_SAMPLING(code, name) code,
  SEAM_SAMPLING_TABLE(SEAM_SAMPLING)
#undef SEAM_SAMPLING
      SEAM_N_SAMPLINGS
} seam_sampling;

typedef struct seam_design_options {
  seam_sampling sampling;
  size_t count;  /**< runs of a Latin hypercube and of random values; of a grid 0 */
  uint64_t seed; /**< of these two */
} seam_design_options;

enum { SEAM_MAX_RUNS = 1000000 };

typedef struct seam_design seam_design;

/** n variations, whose texts are copied. The values of a run follow from its number, the options and the variations:
 * random numbers are those of a counter ([Salmon]), normal ones their inverse distribution ([Wichura]), and a Latin
 * hypercube permutes its parts at random ([McKay]). SEAM_BAD_INPUT, SEAM_NO_MEMORY. Free with seam_design_destroy(). */
SEAM_PUBLIC seam_status seam_design_create(const char *const *variations, size_t n, const seam_design_options *options,
                                           seam_design **created, seam_error *error);
SEAM_PUBLIC void seam_design_destroy(seam_design *design);

/** Number of runs, and of values of each run. */
SEAM_PUBLIC size_t seam_design_n_runs(const seam_design *design);
SEAM_PUBLIC size_t seam_design_n_varied(const seam_design *design);
/** The path of a variation in the file, and its VALUES as they were given; NULL of one that does not exist. */
SEAM_PUBLIC const char *seam_design_key(const seam_design *design, size_t variation);
SEAM_PUBLIC const char *seam_design_given(const seam_design *design, size_t variation);
/** Number of values of a range or a list; 0: any number. */
SEAM_PUBLIC size_t seam_design_n_values(const seam_design *design, size_t variation);

/** A value of a run (from 0 on). For a list of other things than numbers it is the place in the list, from 1 on; NaN
 * where there is none. */
SEAM_PUBLIC double seam_design_value(const seam_design *design, size_t run, size_t variation);
/** The same as an override, "KEY=VALUE", where numbers read back to the bit: as snprintf(). */
SEAM_PUBLIC size_t seam_design_override(const seam_design *design, size_t run, size_t variation, char *text,
                                        size_t size);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
