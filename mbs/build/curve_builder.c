/* Functions that add curves to a model, find them for elements, and return their properties. */
#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/build/builder.h"

mbs_curve_def mbs_default_curve_def(void) {
  return (mbs_curve_def){.cookie = MBS_DEFINITION_COOKIE, .from = NAN, .to = NAN};
}

static mbs_curve *find(const mbs_model *model, const char *name) {
  for (int i = 0; i < model->n_curves; i++)
    if (strcmp(model->curves[i]->name, name) == 0)
      return model->curves[i];
  return NULL;
}

seam_status mbs_add_curve(mbs_builder *builder, const mbs_curve_def *def, seam_error *error) {
  ARGUMENTS(error, builder, def);
  mbs_model *model = builder->model;
  const size_t n = (size_t)model->n_curves;
  TRY(mbs_check_cookie(def->cookie, "curve", error));
  seam_status status = SEAM_OK;
  if (def->name == NULL || *def->name == '\0')
    status = seam_fail(error, SEAM_BAD_INPUT, "a curve has no name: give it one");
  else if (find(model, def->name) != NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "curve '%s': the name is taken by another curve", def->name);
  else if (!mbs_grow((void **)&model->curves, &builder->capacity_curves, n + 1, sizeof(mbs_curve *)))
    status = mbs_no_memory(def->name, error);
  THEN(status, mbs_curve_create(def, &model->curves[n], error));
  model->n_curves += status == SEAM_OK;
  if (status != SEAM_OK) {
    mbs_destroy_law(&def->x);
    mbs_destroy_law(&def->y);
  }
  return status;
}

/* ---- Elements on curves ---- */

static seam_status find_curve(const mbs_model *model, const char *what, const char *name, const char *curve,
                              mbs_side side, mbs_curve_side *found, seam_error *error) {
  if (curve == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' names no curve: give it one", what, name);
  found->curve = find(model, curve);
  if (found->curve == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': curve '%s' is not defined: add it first", what, name, curve);
  const bool is_closed = found->curve->is_closed;
  if ((int)side < 0 || (int)side >= MBS_SIDES)
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': there is no side %d: take one of <seam/mbs.h>", what, name,
                     (int)side);
  if (!is_closed && (side == MBS_INSIDE || side == MBS_OUTSIDE))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': curve '%s' is open and has no inside: take its left or right",
                     what, name, curve);
  if (side == MBS_LEFT || side == MBS_RIGHT)
    found->side = side == MBS_LEFT ? 1 : -1;
  else if (!is_closed)
    found->side = 1;
  else
    found->side = side == MBS_INSIDE ? found->curve->inside : -found->curve->inside;
  return SEAM_OK;
}

/* Refuses a circle that would touch the curve at two points. On the circle's side the curve then has a concave corner,
 * or a concave arc whose radius of curvature is not above the radius of the circle. SEAM_BAD_INPUT. */
static seam_status check_roller(const mbs_curve_side *of, double radius, const char *what, const char *name,
                                seam_error *error) {
  const int k = of->side > 0;
  const mbs_curve *curve = of->curve;
  if (radius == 0)
    return SEAM_OK;
  if (!isnan(curve->corner[k]))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s': curve '%s' has a concave corner at s = %.6g, where a circle would touch twice: round "
                     "the corner, take radius 0, or two curves with a contact each",
                     what, name, curve->name, curve->corner[k]);
  if (of->side * curve->curvature[k] * radius >= 1)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s': the radius %.6g is not below the radius of curvature %.6g of curve '%s' at s = %.6g, so "
                     "the circle would touch twice: take a smaller radius",
                     what, name, radius, 1 / fabs(curve->curvature[k]), curve->name, curve->s_of_curvature[k]);
  return SEAM_OK;
}

seam_status mbs_find_joint_curve(const mbs_model *model, const mbs_joint_def *def, mbs_curve_side *curve,
                                 seam_error *error) {
  TRY(find_curve(model, "joint", def->name, def->curve, def->side, curve, error));
  curve->ends_at_end = true;
  const double *corner = curve->curve->corner;
  const int k = isnan(corner[0]);
  if (!isnan(corner[k]))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "joint '%s': curve '%s' has a corner at s = %.6g, where its direction jumps: round the corner",
                     def->name, curve->curve->name, corner[k]);
  return check_roller(curve, def->radii[0], "joint", def->name, error);
}

seam_status mbs_find_contact_curve(const mbs_model *model, const mbs_force_def *def, mbs_curve_side *curve,
                                   seam_error *error) {
  const mbs_contact *contact = &def->contact;
  TRY(find_curve(model, "contact", def->name, contact->curve, contact->side, curve, error));
  return check_roller(curve, def->radii[0] + def->radii[1], "contact", def->name, error);
}

/* ---- Properties ---- */

static const mbs_curve *at(const mbs_model *model, size_t curve) {
  return model != NULL && curve < (size_t)model->n_curves ? model->curves[curve] : NULL;
}

bool mbs_curve_range(const mbs_model *model, size_t curve, double range[2]) {
  const mbs_curve *of = at(model, curve);
  range[0] = of != NULL ? of->from : NAN;
  range[1] = of != NULL ? of->to : NAN;
  return of != NULL && of->is_closed;
}

void mbs_curve_at(const mbs_model *model, size_t curve, double s, double place[2], double d[2], double dd[2],
                  double ddd[2]) {
  const mbs_curve *of = at(model, curve);
  const mbs_vector none = {NAN, NAN};
  mbs_curve_point point = {none, none, none};
  mbs_vector third = none;
  if (of != NULL && s >= of->from && s <= of->to) {
    int arc = 0; /* s lies in one of the arcs number `arc` ... `end` - 1 */
    for (int end = of->n_arcs; end - arc > 1;) {
      const int middle = arc + (end - arc) / 2;
      *(of->arcs[middle].s[0] <= s ? &arc : &end) = middle;
    }
    point = mbs_curve_point_at(of, arc, s);
    third = ddd != NULL ? mbs_curve_third(of, arc, s) : none;
  }
  double *const to[4] = {place, d, dd, ddd};
  const mbs_vector found[4] = {point.c, point.d, point.dd, third};
  for (int i = 0; i < 4; i++)
    if (to[i] != NULL)
      memcpy(to[i], (double[2]){found[i].x, found[i].y}, 2 * sizeof(double));
}

double mbs_curve_distance(const mbs_model *model, size_t curve, const double place[2], double *s) {
  const mbs_curve *of = at(model, curve);
  mbs_foot foot = {.distance = NAN, .s = NAN};
  if (of != NULL)
    foot = mbs_curve_foot(of, (mbs_vector){place[0], place[1]});
  if (s != NULL)
    *s = foot.s;
  return foot.distance;
}
