/* Curves that tests share. */
#ifndef TESTS_SUPPORT_CURVES_H
#define TESTS_SUPPORT_CURVES_H

#include "mbs/model/curve.h"

/* y = 0.05 sin x, made once. */
const mbs_curve *wave_curve(void);

/* Adds a curve x = -0.01 y², or with a corner x = -8 |y|, and lets the contact meet it on its right, where x is larger.
 */
void meet_bulge(mbs_builder *builder, mbs_force_def *def, bool is_corner);

#endif
