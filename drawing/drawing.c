/* Pictures as text, for programs and Python (<seam/drawing.h>). */
#include <seam/drawing.h>

#include <math.h>
#include <string.h>

#include "base/memory_stream.h"
#include "base/then.h"
#include "drawing/svg.h"

/* m, largest coordinate: squares of lengths must not overflow */
static const double max_coordinate = 1e100;

static seam_status check(const mbs_model *model, const seam_motion *motion, seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(model);
  if (motion->n < 2 || motion->t == NULL || motion->q == NULL || n == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "there are fewer than two rows to animate, or no bodies");
  for (size_t row = 0; row < motion->n; row++)
    if (!isfinite(motion->t[row]) || (row > 0 && !(motion->t[row] > motion->t[row - 1])))
      return seam_fail(error, SEAM_BAD_INPUT, "the time of row %zu of the motion is not after that of the row before",
                       row);
  for (size_t i = 0; i < n * motion->n; i++)
    if (!(fabs(motion->q[i]) <= max_coordinate))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "body '%s' is farther than %g m at t = %.9g s; animate the motion up to an earlier time",
                       mbs_body_of(model, i % n / 3).name, max_coordinate, motion->t[i / n]);
  return SEAM_OK;
}

/* Writes a scene as SVG text, which the caller frees. moving: the animation; NULL: a picture at poses q. */
static seam_status write_text(const scene *drawn, const double *q, const animation *moving, char **text,
                              seam_error *error) {
  char *written = NULL;
  size_t size = 0;
  FILE *stream = memory_stream_open(&written, &size);
  TRY(seam_check_memory(stream != NULL, error));
  if (moving != NULL)
    animation_write_svg(stream, moving);
  else
    svg_draw(stream, drawn, q, true);
  TRY(seam_check_memory(memory_stream_close(stream, &written), error));
  *text = written;
  return SEAM_OK;
}

seam_status seam_animation_svg(const seam_model_file *file, const seam_motion *shown, const seam_motion *ghost,
                               bool with_cuts, double speed, char **text, seam_error *error) {
  scene drawn = {0};
  if (file == NULL || shown == NULL || text == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam_animation_svg(): an argument is NULL");
  const mbs_model *model = seam_model_mechanism(file);
  if (!isnan(speed) && !(speed > 0 && isfinite(speed)))
    return seam_fail(error, SEAM_BAD_INPUT, "the speed of an animation must be positive and finite, not %g", speed);
  seam_status status = check(model, shown, error);
  THEN(status, ghost != NULL ? check(model, ghost, error) : SEAM_OK);
  THEN(status, animation_scene(file, with_cuts, shown, ghost, &drawn, error));
  if (status == SEAM_OK) {
    const animation result = {&drawn, shown, ghost, animation_speed(shown, speed)};
    status = write_text(&drawn, NULL, &result, text, error);
  }
  scene_free(&drawn);
  return status;
}

seam_status seam_drawing_svg(const seam_model_file *file, const double *q, bool with_cuts, char **text,
                             seam_error *error) {
  scene drawn = {0};
  if (file == NULL || q == NULL || text == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam_drawing_svg(): an argument is NULL");
  for (size_t i = 0; i < 3 * mbs_n_bodies(seam_model_mechanism(file)); i++)
    if (!(fabs(q[i]) <= max_coordinate))
      return seam_fail(error, SEAM_BAD_INPUT, "a pose is not finite, or farther than %g m", max_coordinate);
  seam_status status = scene_create(file, with_cuts, (scene_poses){q, 1}, &drawn, error);
  THEN(status, write_text(&drawn, q, NULL, text, error));
  scene_free(&drawn);
  return status;
}
