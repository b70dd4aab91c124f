/* Finds new modes of all hard contacts when a mode has ended: first applies impacts, then finds modes that agree with
 * the accelerations. At the time of the switch the old modes still agree with the accelerations. So the search prefers
 * new modes if the accelerations allow them: a contact whose normal force has fallen to zero should open, and a contact
 * whose friction has reached its limit should slide. */
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "base/then.h"
#include "mbs/contact/impact.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

seam_status mbs_check_hard(const mbs_model *model, seam_error *error) {
  const mbs_laws *laws = &model->laws;
  if (model->n_hard == 0)
    return SEAM_OK;
  const mbs_force *first = &model->forces[model->hard[0]];
  for (int k = 1; k < model->n_hard; k++)
    if (model->forces[model->hard[k]].contact.impact != first->contact.impact)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "'%s' and '%s' have different impact laws: give all hard elements the same 'impact'",
                       first->name, model->forces[model->hard[k]].name);
  for (int i = 0; i < laws->n_loop; i++) {
    const char *owner = NULL;
    const char *name = NULL;
    if (mbs_is_friction_law(model, laws->at[MBS_LATE].number[i]))
      continue;
    mbs_response_text(model, laws->at[MBS_LATE].number[i], &owner, &name);
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s '%s' depends on accelerations or reactions, which hard %s '%s' does not support: filter them "
                     "by a state of 'equations', or leave out 'hard'",
                     owner, name, mbs_hard_noun(first), first->name);
  }
  return SEAM_OK;
}

/* Small overlaps, from rounded coordinates in a file, are accepted: projection will remove them, and a note reports
 * them. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  const double rounding = mbs_overlap_refused * ws->model->size;
  const double silent = mbs_overlap_unreported * ws->model->size;
  if (ws->unilateral == NULL)
    return SEAM_OK;
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t); /* sets ws->unilateral->t */
  mbs_contact_kinematics_all(ws);
  for (int k = 0; k < ws->unilateral->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    const char *unit = force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE ? "rad" : "m";
    const double gap = ws->unilateral->kinematics[k].gap;
    const double depth = mbs_is_two_sided(force) ? fabs(gap) : -gap;
    if (depth > rounding && force->kind == MBS_CONTACT)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "t = %.9g s: bodies overlap by %.6g m at hard contact '%s': move them apart, or leave out 'hard'", state->t,
          depth, force->name);
    if (depth > rounding && mbs_is_two_sided(force))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "t = %.9g s: two-sided cable '%s' is %.6g m %s than its path at the start: leave out its "
                       "'length', or move its bodies",
                       state->t, force->name, depth, gap > 0 ? "longer" : "shorter");
    if (depth > rounding)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "t = %.9g s: hard %s '%s' is violated by %.6g %s at the start: place its bodies within its "
                       "bounds, or leave out 'hard'",
                       state->t, mbs_hard_noun(force), force->name, depth, unit);
    if (depth > silent)
      seam_note(
          "t = %.9g s: hard %s '%s' is violated by %.3g %s at the start: its bodies are moved to remove the violation",
          state->t, mbs_hard_noun(force), force->name, depth, unit);
  }
  return SEAM_OK;
}

/* Returns true if the accelerations agree with the new modes. Contacts whose normal force has fallen to zero must open.
 * Contacts whose friction has reached its limit must start to slide against the friction; contacts that already slide
 * in this direction are not tested. */
static bool modes_agree(const mbs_workspace *ws, const mbs_state *state) {
  const mbs_unilateral *self = ws->unilateral;
  const mbs_scales *scales = &ws->model->scales;
  const double none = -mbs_agrees * mbs_largest_motion(ws->model, state->a, scales->speed / scales->time);
  for (int k = 0; k < self->n; k++) {
    const int direction = mbs_hard_direction(self->mode[k]);
    const int row = direction != 0;
    if (row == 1 && direction * self->kinematics[k].slip > self->zero_rate)
      continue;
    const double second = mbs_contact_second_rate(ws, k, row, state->a);
    if (self->has_ended[k] && (row == 1 ? direction * second : second) * mbs_contact_unit(ws, k) < none)
      return false;
  }
  return true;
}

static void forget_ends(mbs_unilateral *self) {
  memset(self->has_ended, 0, (size_t)self->n * sizeof *self->has_ended);
  memset(self->stops, 0, (size_t)self->n * sizeof *self->stops);
  memset(self->returns, 0, (size_t)self->n * sizeof *self->returns);
}

static seam_status switch_all(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  bool has_hit = false;
  bool has_reached_limit = false; /* true if the friction of a sticking contact has reached its limit */
  seam_status status = SEAM_OK;
  if (self->drifts) { /* gaps of closed contacts, and gaps that have just come to zero, may have drifted */
    for (int k = 0; k < self->n; k++)
      self->mode[k] = mbs_hard_mode_in(mbs_hard_force(ws, k), state->z);
    mbs_load_stick_states(ws, state->z);
    status = mbs_project_contacts(ws, state->t, state->q, state->v, error);
  }
  THEN(status, mbs_impact(ws, state, &has_hit, error));
  if (has_hit)
    forget_ends(self);
  for (int k = 0; k < self->n; k++)
    has_reached_limit = has_reached_limit || (self->has_ended[k] && !self->ended_normal[k]);
  /* In a limit mode friction is at its limit, and only other contacts keep the slip at zero. When the friction of one
   * of the sticking contacts reaches its limit, contacts in limit modes start to slide as well. */
  for (int k = 0; k < self->n && has_reached_limit; k++)
    if (mbs_hard_direction(state->z[mbs_hard_force(ws, k)->state]) != 0 && !self->stops[k] && !self->has_ended[k]) {
      self->has_ended[k] = true;
      self->ended_normal[k] = false;
    }
  THEN(status, mbs_accelerate_again(ws, state, error));
  if (status == SEAM_OK && !modes_agree(ws, state)) {
    forget_ends(self);
    status = mbs_accelerate_again(ws, state, error);
  }
  forget_ends(self);
  if (status != SEAM_OK)
    return status;
  mbs_unilateral_store_stick_coordinates(ws, state->z);
  for (int k = 0; k < self->n; k++) {
    double *z = state->z + mbs_hard_force(ws, k)->state;
    z[MBS_HARD_MODE] = self->mode[k];
    if (!mbs_hard_is_closed(z[MBS_HARD_MODE]))
      z[MBS_HARD_MERGED_UNTIL] = MBS_HARD_NEVER;
  }
  return mbs_project_contacts(ws, state->t, state->q, state->v, error);
}

seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  ws->unilateral->is_switching = true;
  const seam_status status = switch_all(ws, state, error);
  ws->unilateral->is_switching = false;
  return status;
}
