/** @file
 * Drawings and animations of mechanisms as SVG. Misuse: see <seam/status.h>. */
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
  const double *q;   /* (n x 3 mbs_n_bodies()) poses x, y, phi of all bodies, row by row */
  size_t n;          /* at least 2 */
  const char *label; /* name of the motion, shown if there is a second one */
} seam_motion;

/** Draws a mechanism in motion as animated SVG (SMIL, repeated); the caller frees the text with free(). `ghost`:
 * second motion in dashed outlines; NULL: none. `with_cuts`: shows subsystems and couplings. `speed`: seconds of the
 * motion in one second of the animation; NaN: 1 if the motion lasts 2 to 20 s, else a round value. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_animation_svg(const seam_model_file *file, const seam_motion *shown,
                                           const seam_motion *ghost, bool with_cuts, double speed, char **text,
                                           seam_error *error);

/** Draws one pose of all bodies, q (3 mbs_n_bodies()), with names. */
SEAM_PUBLIC seam_status seam_drawing_svg(const seam_model_file *file, const double *q, bool with_cuts, char **text,
                                         seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
