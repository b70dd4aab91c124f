/* Functions for definitions of all kinds: growing arrays, checks, bodies by name. */
#include "mbs/build/builder.h"

#include <math.h>
#include <stdio.h>

#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/thresholds.h"

bool mbs_grow(void **array, size_t *capacity, size_t needed, size_t item) {
  void *grown = array_grow(*array, capacity, needed, item);
  if (grown != NULL)
    *array = grown;
  return grown != NULL;
}

seam_status mbs_check_cookie(int cookie, const char *what, seam_error *error) {
  if (cookie == MBS_DEFINITION_COOKIE)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s definition is not initialised: start from its default", what);
}

seam_status mbs_no_memory(const char *name, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to add '%s'", name);
}

seam_status mbs_check_name(const mbs_model *model, const char *name, const char *what, seam_error *error) {
  if (name == NULL || *name == '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "a %s has no name: give it one", what);
  if (mbs_names_find(model->names, name) != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s': the name is taken: names are unique among bodies, joints, forces and measures", what,
                     name);
  return SEAM_OK;
}

seam_status mbs_check_n_bodies(const char *what, const char *name, size_t n, size_t least, size_t most,
                               seam_error *error) {
  char wanted[64];
  if (n >= least && n <= most)
    return SEAM_OK;
  if (least == most)
    snprintf(wanted, sizeof wanted, "needs %zu", least);
  else if (most == SIZE_MAX)
    snprintf(wanted, sizeof wanted, "needs %zu or more", least);
  else
    snprintf(wanted, sizeof wanted, "takes %zu to %zu", least, most);
  return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' names %zu bodies, but its type %s", what, name, n, wanted);
}

seam_status mbs_find_bodies(const mbs_model *model, const char *what, const char *name, const char *const *bodies,
                            size_t n, int *body, seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    const mbs_name *found = bodies[i] == NULL ? NULL : mbs_names_find(model->names, bodies[i]);
    if (found == NULL || found->kind != MBS_NAME_BODY)
      return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': body '%s' is not defined: add it first", what, name,
                       bodies[i] == NULL ? "" : bodies[i]);
    body[i] = found->index + 1;
  }
  if (n == 2 && body[0] == body[1])
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' joins '%s' to itself: name two bodies", what, name, bodies[0]);
  return SEAM_OK;
}

seam_status mbs_check_kind(int kind, int n_kinds, const char *what, const char *name, seam_error *error) {
  if (kind >= 0 && kind < n_kinds)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': there is no kind %d: take one of <seam/mbs.h>", what, name, kind);
}

seam_status mbs_check_point(const double point[2], const char *what, const char *name, seam_error *error) {
  if (fabs(point[0]) <= mbs_farthest_position && fabs(point[1]) <= mbs_farthest_position)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s '%s': its place (%g, %g) is farther than %g m from the origin: correct the place", what, name,
                   point[0], point[1], mbs_farthest_position);
}

seam_status mbs_check_markers(const mbs_marker_def at[2], const char *what, const char *name, seam_error *error) {
  for (int side = 0; side < 2; side++) {
    if (at[side].frame != MBS_INITIAL && at[side].frame != MBS_BODY)
      return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': the frame of its place is %d: take MBS_INITIAL or MBS_BODY",
                       what, name, (int)at[side].frame);
    if (!finite_all(at[side].position, 2))
      return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': its place is not finite", what, name);
    TRY(mbs_check_point(at[side].position, what, name, error));
  }
  return SEAM_OK;
}

mbs_vector mbs_marker_position(const mbs_frame *frame, const mbs_marker_def *marker) {
  const mbs_vector p = {marker->position[0], marker->position[1]};
  if (marker->frame == MBS_BODY)
    return p;
  return mbs_rotate_back(frame, (mbs_vector){p.x - frame->x, p.y - frame->y});
}
