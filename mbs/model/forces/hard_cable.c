/* Hard cable: a rope over discs that does not stretch. It is a hard contact without friction (mbs/model/unilateral.h)
 * with the free length L° and the gap
 *
 *   g = L° - L        N = -∂L/∂q        ġ = N v + L°'        g̈ = N a - vᵀ ∂²L/∂q² v + L°''
 *
 * L is the length of its path (mbs/model/cable.c); the normal force is the tension T. The row N has entries for the
 * bodies of all spans: the first span's element is the contact, the other elements add their entries to its row. A
 * winch, which changes L°, supplies the power -T L°'. A two-sided cable keeps g = 0 with a tension of either sign: it
 * is a contact that is always closed. */
#include "mbs/model/cable.h"

#include <string.h>

#include "mbs/model/forces/hard_contact.h"

void mbs_cable_row(const mbs_force *span, const mbs_frame *frames, const double *z, mbs_relative_coordinate *row,
                   mbs_curvature *c) {
  const mbs_pair pair = mbs_force_pair(span, frames);
  memset(row, 0, sizeof *row);
  if (c != NULL)
    memset(c, 0, sizeof *c);
  if (!mbs_cable_has(span, frames, z))
    return;
  mbs_cable_coordinate(span, &pair, row);
  mbs_scale_coordinate(-1, row);
  if (c == NULL)
    return;
  mbs_cable_curvature(span, &pair, c);
  mbs_scale_curvature(-1, c);
}

#define PATH .find_coordinates = mbs_cable_coordinate, .curvature = mbs_cable_curvature, .compliant = &mbs_force_cable
#define SPAN PATH, .load = mbs_hard_load, .derivatives = mbs_no_derivatives, .n_coordinates = 1
const mbs_force_type mbs_hard_cable = {MBS_HARD, PATH};
const mbs_force_type mbs_hard_cable_span = {SPAN};
const mbs_force_type mbs_hard_cable_from_disc = {SPAN, .switches = &mbs_cable_switches};
