/** @file
 * Pictures of mechanisms, still and in motion, as SVG. Misuse: see <seam/status.h>. */
#ifndef SEAM_DRAWING_H
#define SEAM_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/models.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_drawing Drawings
 * @{ */

/** Poses of all bodies over time. */
typedef struct seam_motion {
  const double *t;   /* (n) s, ascending */
  const double *q;   /* (n) poses (x, y, phi) of the bodies of the model, 3 numbers a body, one row behind the other */
  size_t n;          /* at least 2 */
  const char *label; /* names it where there is a ghost */
} seam_motion;

/** A mechanism in motion, as SVG that moves (SMIL) for ever: text that the caller frees with free(). `ghost` is drawn
 * by dashed outlines beside it; NULL: there is none. `with_cuts`: subsystems and couplings are shown. `speed`: s of the
 * motion in a second; NaN: 1, where the motion lasts 2 to 20 s. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_animation_svg(const seam_model_file *file, const seam_motion *shown,
                                           const seam_motion *ghost, bool with_cuts, double speed, char **text,
                                           seam_error *error);

/** The same of one pose of all bodies, q (3 mbs_n_bodies()), which does not move, with names. */
SEAM_PUBLIC seam_status seam_drawing_svg(const seam_model_file *file, const double *q, bool with_cuts, char **text,
                                         seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
