#include "tests/support/curves.h"

#include <criterion/criterion.h>
#include <math.h>

/* ---- A wave ---- */

static void wave_jet(const void *data, const double x[2], seam_jet *out) {
  const double high = *(const double *)data;
  *out = high == 0 ? (seam_jet){.value = x[0], .d = {1}}
                   : (seam_jet){high * sin(x[0]), {high * cos(x[0])}, {-high * sin(x[0])}};
}

static double wave_value(const void *data, const double x[2]) {
  seam_jet jet;
  wave_jet(data, x, &jet);
  return jet.value;
}

const mbs_curve *wave_curve(void) {
  static double high[2] = {0, 0.05};
  static mbs_curve *made;
  mbs_curve_def def = mbs_default_curve_def();
  def.name = "wave";
  def.x = (seam_law){.value = wave_value, .jet = wave_jet, .data = &high[0]};
  def.y = (seam_law){.value = wave_value, .jet = wave_jet, .data = &high[1]};
  def.from = -20;
  def.to = 20;
  if (made == NULL)
    cr_assert_eq(mbs_curve_create(&def, &made, NULL), SEAM_OK);
  return made;
}

/* ---- A bulge ---- */

static void bulge_jet(const void *data, const double x[2], seam_jet *out) {
  const double *c = data;
  const double rise = x[0] < 0 ? -1 : 1;
  *out = (seam_jet){
      c[0] * x[0] * x[0] + c[1] * fabs(x[0]) + c[2] * x[0], {2 * c[0] * x[0] + c[1] * rise + c[2]}, {2 * c[0]}};
}

static double bulge_value(const void *data, const double x[2]) {
  seam_jet jet;
  bulge_jet(data, x, &jet);
  return jet.value;
}

void meet_bulge(mbs_builder *builder, mbs_force_def *def, bool is_corner) {
  static double round[3] = {-0.01, 0, 0};
  static double sharp[3] = {0, -8, 0};
  static double along[3] = {0, 0, 1};
  static const double knots[3] = {-60, 0, 60};
  mbs_curve_def curve = mbs_default_curve_def();
  curve.name = "bulge";
  curve.x = (seam_law){.value = bulge_value, .jet = bulge_jet, .data = is_corner ? sharp : round};
  curve.y = (seam_law){.value = bulge_value, .jet = bulge_jet, .data = along};
  curve.from = -60;
  curve.to = 60;
  curve.knots = knots;
  curve.n_knots = 3;
  cr_assert_eq(mbs_add_curve(builder, &curve, NULL), SEAM_OK);
  def->contact.curve = "bulge";
  def->contact.side = MBS_RIGHT;
  def->contact.has_line = def->has_axis = false;
}
