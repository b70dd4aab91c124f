/* Co-simulation: a mechanism cut into subsystems that are integrated on their own over macro steps, or subsystems of
 * one's own, coupled by a master.
 *
 * Words are those of docs/theory.md: side 1 of a cut is the side of the first body that the cut element lists; λ is the
 * wrench on side 1; x̃, ṽ, ã are what a side is told of the other's motion. Units are SI. */
#ifndef SEAM_COSIM_H
#define SEAM_COSIM_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/mbs.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Signals -----------------------------------------------------------------------------------------------------
 * What a master gives to the inputs of a subsystem: piecewise polynomials over one macro step, in τ = (t - T) / H. */

enum { cosim_most_pieces = 3, cosim_most_degree = 3 };

/* Piece p lies between τ = p / n_pieces and (p + 1) / n_pieces; its polynomial is in powers of the distance from there.
 */
typedef struct cosim_signal {
  int n_pieces;
  double c[cosim_most_pieces][cosim_most_degree + 1];
} cosim_signal;

/* Value at τ from 0 to 1; at a boundary of pieces that of the left one. */
SEAM_PUBLIC double cosim_signal_value(const cosim_signal *signal, double tau);

/* ---- Subsystems --------------------------------------------------------------------------------------------------
 * A subsystem as the master sees it: inputs in, one macro step on, outputs out. To write one in C, embed cosim_part as
 * first member and fill it in. Different parts are advanced at the same time from different threads. */

/* A way in which the inputs of a step may change: by a factor of `signal` added to one input. */
typedef struct cosim_direction {
  int input;
  cosim_signal signal;
} cosim_direction;

typedef struct cosim_step {
  double t, H;                /* s: from t to t + H */
  const cosim_signal *inputs; /* (n_inputs) */
  int n_directions;           /* 0: no derivatives are wanted */
  const cosim_direction *directions;
} cosim_step;

typedef struct cosim_part cosim_part;

typedef struct cosim_part_ops {
  /* Takes the step and writes the outputs (n_outputs) at its end, under the inputs there; and, where the part gives
   * derivatives, the exact ones of the outputs along each direction: changes (n_directions x n_outputs). */
  seam_status (*advance)(cosim_part *self, const cosim_step *step, double *outputs, double *changes, seam_error *error);
  /* The outputs at the present state, under the inputs at the end of the last step (zeros before the first). */
  void (*measure)(cosim_part *self, double *outputs);
  /* State (n_state numbers) out and back in, to the bit; NULL: the part cannot go back. */
  void (*save)(const cosim_part *self, double *state);
  void (*restore)(cosim_part *self, const double *state);
  void (*destroy)(cosim_part *self);
} cosim_part_ops;

struct cosim_part {
  const cosim_part_ops *ops;
  const char *name;
  int n_inputs, n_outputs;
  size_t n_state;
  bool gives_derivatives; /* else the master takes differences, if the part can go back */
};

#ifdef __cplusplus
}
#endif
#endif
