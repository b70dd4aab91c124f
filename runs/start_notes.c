/* Notes on the start of a run, although nothing has failed. */
#include <math.h>
#include <stdio.h>

#include "mbs/model/force.h"
#include "mbs/model/model.h"
#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* Returns the depth of the smaller circle's centre on the wrong side; for points a tenth of the mechanism's size. */
static double largest_depth(const mbs_model *model, const mbs_force *contact) {
  double depth = INFINITY;
  for (int side = 0; side < 2; side++)
    if (contact->radius[side] != 0)
      depth = fmin(depth, fabs(contact->radius[side]));
  return isinf(depth) ? runs_contact_depth * model->size : depth;
}

/* Writes a note if a compliant contact begins so deep that it pushes its bodies apart with an unexpected energy. */
static void note_contact(const seam_run *run, const mbs_force *contact) {
  char text[512];
  mbs_measure gap = {0};
  const mbs_pair pair = mbs_force_pair(contact, run->def.workspace->frames);
  contact->type->measure(contact, &pair, &gap);
  if (!(-gap.s > largest_depth(run->def.model, contact)))
    return;
  snprintf(
      text, sizeof text,
      "contact '%s' begins %.3g m deep, with %.3g J, and pushes its bodies apart: let it begin on the free side, or "
      "change its `side` or `line`",
      contact->name, -gap.s, contact->type->potential(contact, &pair));
  run->sink->note(run->sink->context, text);
}

void run_note_start(const seam_run *run) {
  const mbs_model *model = run->def.model;
  if (run->sink->note == NULL || run->is_restored)
    return;
  mbs_stage_kinematics(run->def.workspace, run->def.state->q, run->def.state->v);
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    if (force->kind == MBS_CONTACT && force->elastic[0].exponent > 0)
      note_contact(run, force);
}
