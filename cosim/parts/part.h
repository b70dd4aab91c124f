/* A part of a co-simulation as the engines use it (struct cosim_part of <seam/parts.h>).
 *
 *   create    cosim_multibody_part_create(), cosim_linear_part_create(), cosim_ode_part_create(), or a user's function
 *   begin     the start function of the part's type sets its state; then get_outputs() gives outputs
 *   step      save(); advance() from T to T + H with inputs, and derivatives along seeds; restore() and
 *             advance() again under corrected inputs, as often as the engine needs
 *   image     the n_state numbers that save() writes and restore() reads; they determine how the part continues
 *   destroy   the engine that owns the part destroys it */
#ifndef COSIM_PARTS_PART_H
#define COSIM_PARTS_PART_H

#include <string.h>

#include <seam/cosim.h>

#include "cosim/thresholds.h"

/* Cookie that default functions write into definitions. */
enum { COSIM_COOKIE = 0x1e4c };

/* Fails because a macro step takes too many micro steps. `micro_step`: s, fixed length; 0: under error control. */
static inline seam_status cosim_too_many_micro_steps(double t, double micro_step, seam_error *error) {
  if (micro_step > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "t = %.9g s: %d micro steps of %g s do not reach the end of the macro step: take a longer "
                     "micro_step or a smaller macro step",
                     t, COSIM_MAX_MICRO_STEPS, micro_step);
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: %d micro steps did not reach the end of the macro step: take a smaller macro step", t,
                   COSIM_MAX_MICRO_STEPS);
}

/* Interrupts an integrator after too many micro steps; `count`: int, their number so far. */
static inline bool cosim_count_micro_step(void *count, double t) {
  (void)t;
  return ++*(int *)count > COSIM_MAX_MICRO_STEPS;
}

/* Returns true if the dense output of erk is accurate enough at n_nodes nodes; if not, steps must end at the nodes.
 * Forces interpolated at n nodes have degrees up to n + 1, positions up to n + 3; dense output is exact up to degree
 * order - 1. `order`: that of erk; 0 for other methods. */
static inline bool cosim_interpolates_nodes(int order, int n_nodes) { return n_nodes + 3 < order; }

/* One side of a coupling: indices of the first coordinates of vectors among the part's inputs or outputs; -1: none. */
typedef struct cosim_side {
  int part;
  int force_input;                      /* wrench on this side's marker (fx, fy, torque) */
  int position_input, velocity_input;   /* motion of the other side's marker, x̃ and ṽ */
  int acceleration_input;               /* prescribed acceleration ã of this side's marker */
  int position, velocity, acceleration; /* outputs: motion of this side's marker */
  int position_integral;                /* output: integral of the position over the present macro step */
  int multiplier; /* output: force that the prescribed acceleration requires, with the sign of λ */
} cosim_side;

/* Returns the count `saved` from an image; `least` if a damaged image has a count outside [least, most]. */
static inline int cosim_saved_count(double saved, int least, int most) {
  return saved >= least && saved <= most ? (int)saved : least;
}

/* Copies an object to an image, from which it continues with bit-identical results, or from the image. */
typedef struct cosim_image {
  double *at; /* next number; NULL: numbers are only counted */
  bool saves; /* true: to the image, or counts; false: from the image */
  size_t n;   /* count of numbers so far */
} cosim_image;

static inline void cosim_image_copy(cosim_image *image, double *numbers, size_t n) {
  image->n += n;
  if (image->at == NULL)
    return;
  memcpy(image->saves ? image->at : numbers, image->saves ? numbers : image->at, n * sizeof *numbers);
  image->at += n;
}

static inline bool cosim_part_can_repeat(const cosim_part *self) { return self->ops->restore != NULL; }

static inline void cosim_part_destroy(cosim_part *self) {
  if (self != NULL)
    self->ops->destroy(self);
}

/* ---- Parts of equations (ode_part.c, linear_part.c) ---- */

bool cosim_is_linear_part(const cosim_part *part);

/* Creates a part in discrete time, x⁺ = A x + B u, y = C x + D u, with `period` in s; linear->restarts is not used.
 * Matrices and start (n_states) are copied; `states`, names for messages, are not. SEAM_NO_MEMORY. */
seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error);

/* Returns the definition of a part of ode_part.c; NULL: the part is of another kind. *period (may be NULL) becomes the
 * period, s; 0: continuous time. In discrete time `rates` of the definition gives the next states. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part, double *period);

/* Gives a part of ode_part.c ownership of its context. */
void cosim_ode_part_own(cosim_part *part, void *context);

#endif
