/* At a kink of a law of time, positions are continuous. If a prescribed rate f' jumps from f'⁻ to f'⁺, constraint
 * impulses Λ make the velocities jump. With the masses M and the Jacobian G of the constraints,
 *
 *   M (v⁺ - v⁻) = -Gᵀ Λ,   G v⁺ = f'⁺     so that     v⁺ = v⁻ - M⁻¹ Gᵀ S⁻¹ (G v⁻ - f'⁺),   S = G M⁻¹ Gᵀ
 *
 * which is the projection of project.c ([Pfeiffer-Glocker], impulsive motion of bilateral constraints). Only impulses
 * of prescribed motions do work, which is
 *
 *   -Λᵀ (f'⁻ + f'⁺) / 2 = (v⁺ᵀ M v⁺ - v⁻ᵀ M v⁻) / 2 */
#include "mbs/integrate/kinks.h"

#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/friction.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/output/readout.h"

/* ---- The next kink ---- */

static const seam_kink none = {INFINITY, INFINITY};

/* Returns next(data, t), or `none` if next() is NULL or does not return a kink after t. */
static seam_kink kink_after(seam_kink (*next)(const void *data, double t), const void *data, double t) {
  const seam_kink kink = next != NULL ? next(data, t) : none;
  return kink.at > t && kink.before <= kink.at ? kink : none;
}

seam_kink mbs_next_kink_of(const seam_law *law, double t) {
  return kink_after(law->value != NULL ? law->next_kink : NULL, law->data, t);
}

static seam_kink kink_of_function(const mbs_function *f, double t) {
  return kink_after(f->value != NULL ? f->next_kink : NULL, f->data, t);
}

static seam_kink earlier(seam_kink a, seam_kink b) { return b.at < a.at ? b : a; }

/* Returns the first kink after t of all laws of time, of laws and equations of quantities, and of the measures that
 * they read. */
static seam_kink kink_of_laws(const mbs_model *model, double t) {
  seam_kink first = none;
  for (int j = 0; j < model->n_joints; j++)
    first = earlier(first, mbs_next_kink_of(&model->joints[j].law, t));
  for (int i = 0; i < model->n_forces; i++)
    for (int k = 0; k < 2; k++)
      first = earlier(first, mbs_next_kink_of(&model->forces[i].load[k], t));
  for (int i = 0; i < mbs_n_responses(&model->laws); i++)
    first = earlier(first, kink_of_function(&mbs_response_of(&model->laws, i)->function, t));
  for (int phase = 0; phase < MBS_EVAL_PHASES && mbs_n_responses(&model->laws) > 0; phase++) {
    const mbs_readout *readout = model->laws.at[phase].readout;
    for (int i = 0; i < readout->n_measures; i++)
      first = earlier(first, kink_of_function(&model->measures[readout->measures[i]].function, t));
  }
  return first;
}

seam_kink mbs_next_watched_kink(const mbs_model *model, double t) {
  seam_kink first = none;
  for (int i = 0; i < mbs_n_watched(model); i++) {
    const mbs_watched watched = mbs_watched_of(model, i);
    first = watched.function != NULL ? earlier(first, kink_of_function(watched.function, t)) : first;
  }
  return first;
}

/* Returns the first kink or sample after t. A sample reads laws as they are after all kinks at its time. A condition of
 * a law may change just before this time (t < k T) or just after it (t <= k T), and the time k T of the sample has
 * round-off. So the sample and the kinks at its time, up to round-off, become one kink. */
seam_kink mbs_next_kink(const mbs_model *model, double t) {
  enum { MOST = 10 };
  if (model == NULL || isnan(t))
    return none;
  const double sample = mbs_next_sample(model, t);
  seam_kink first = kink_of_laws(model, t);
  if (!isfinite(sample) || !(fabs(first.at - sample) <= mbs_same_time(sample)))
    return earlier(first, (seam_kink){.before = sample, .at = sample});
  for (int i = 0; i < MOST; i++) {
    const double next = kink_of_laws(model, first.at).at;
    if (!(next - sample <= mbs_same_time(sample)))
      break;
    first.at = next;
  }
  return (seam_kink){.before = fmin(first.before, sample), .at = fmax(first.at, sample)};
}

seam_kink mbs_begin_smooth(mbs_workspace *ws, double t) {
  const seam_kink next = mbs_next_kink(ws->model, t);
  ws->smooth.from = t;
  ws->smooth.to = next.before;
  return next;
}

void mbs_set_laws_before(mbs_workspace *ws, double t) {
  ws->smooth.from = -INFINITY;
  ws->smooth.to = nextafter(t, -INFINITY);
}

seam_status mbs_refuse_kink(const mbs_model *model, const seam_kink *kink, seam_error *error) {
  const char *kind = "force";
  const char *name = "";
  double first = INFINITY;
  for (int j = 0; j < model->n_joints; j++) {
    const double at = mbs_next_kink_of(&model->joints[j].law, kink->before).at;
    if (at < first)
      first = at, kind = "joint", name = model->joints[j].name;
  }
  for (int i = 0; i < 2 * model->n_forces; i++) {
    const mbs_force *force = &model->forces[i / 2];
    const double at = mbs_next_kink_of(&force->load[i % 2], kink->before).at;
    if (at < first)
      first = at, kind = "force", name = force->name;
  }
  return seam_fail(error, SEAM_STEP_FAILED,
                   "t = %.9g s: the law of %s '%s' switches between its branches again and again within almost no "
                   "time, because its condition is zero except for rounding: write the condition in another form",
                   kink->at, kind, name);
}

/* ---- Passing a kink ---- */

seam_status mbs_check_kink(const mbs_model *model, const mbs_joint *joint, const seam_kink *kink, seam_error *error) {
  const double after = mbs_joint_prescribed_law(joint, kink->at).value;
  const double jump = after - mbs_joint_prescribed_law(joint, kink->before).value;
  if (fabs(jump) <= mbs_kink_jump * model->size + mbs_kink_jump_far * fabs(after))
    return SEAM_OK;
  if (!isfinite(after))
    return seam_fail(error, SEAM_CONSTRAINT_LOST,
                     "t = %.9g s: joint '%s' cannot follow its law, which is not a finite number from then on",
                     kink->at, joint->name);
  return seam_fail(
      error, SEAM_CONSTRAINT_LOST,
      "t = %.9g s: joint '%s' cannot follow its law, which jumps by %.6g: replace the jump by a steep slope", kink->at,
      joint->name, jump);
}

/* Returns true if the rate L°' of the free length of a hard cable jumps at the kink. */
static bool free_length_rate_jumps(const mbs_model *model, const seam_kink *kink) {
  bool jump = false;
  for (int k = 0; k < model->n_hard; k++) {
    const mbs_cable *cable = model->forces[model->hard[k]].cable;
    jump = jump || (cable != NULL &&
                    mbs_cable_free_length(cable, kink->before).d[0] != mbs_cable_free_length(cable, kink->at).d[0]);
  }
  return jump;
}

/* Finds new modes of hard contacts after a kink. Also applies impacts if the rate of the free length of a cable jumps
 * (`jumps`). The caller has projected the state, because drift of the last step would count as impacts. */
static seam_status find_modes_at_kink(mbs_workspace *ws, mbs_state *state, bool jumps, seam_error *error) {
  mbs_unilateral *contacts = ws->unilateral;
  const bool drifts = contacts->drifts;
  contacts->drifts = false;
  contacts->is_due = jumps;
  const seam_status status = mbs_enter_modes(ws, state, false, error);
  contacts->drifts = drifts;
  return status;
}

/* Fails with SEAM_CONSTRAINT_LOST if the free length of a hard cable jumps below the length of its path. If the cable
 * is two-sided, also fails if the free length jumps above the length of the path. */
static seam_status check_cables(mbs_workspace *ws, const seam_kink *kink, const mbs_state *state, seam_error *error) {
  mbs_stage_kinematics(ws, state->q, state->v);
  for (int k = 0; k < ws->model->n_hard; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    if (force->cable == NULL || force->cable->length.value == NULL)
      continue;
    const double gap = mbs_cable_slack_of(force, ws->frames, state->z, kink->at).gap;
    if ((mbs_is_two_sided(force) ? fabs(gap) : -gap) > mbs_kink_jump * ws->model->size)
      return seam_fail(
          error, SEAM_CONSTRAINT_LOST,
          "t = %.9g s: cable '%s' cannot follow its length, which jumps by %.6g m: replace the jump by a steep slope",
          kink->at, force->name, gap);
  }
  return SEAM_OK;
}

seam_status mbs_pass_kink(mbs_workspace *ws, const seam_kink *kink, mbs_state *state, seam_kink *next,
                          seam_error *error) {
  const mbs_model *model = ws->model;
  bool differ = false; /* a prescribed motion or its rate jumps at the kink */
  seam_status status = SEAM_OK;
  for (int j = 0; j < model->n_joints && status == SEAM_OK; j++) {
    const seam_jet before = mbs_joint_prescribed_law(&model->joints[j], kink->before);
    const seam_jet after = mbs_joint_prescribed_law(&model->joints[j], kink->at);
    differ |= after.value != before.value || after.d[0] != before.d[0];
    status = mbs_check_kink(model, &model->joints[j], kink, error);
  }
  const bool jumps = free_length_rate_jumps(model, kink);
  THEN(status, check_cables(ws, kink, state, error));
  if (jumps && status == SEAM_OK && ws->unilateral->drifts) {
    mbs_load_stick_states(ws, state->z);
    status = mbs_project(ws, state->t, state->q, state->v, error);
  }
  if (status != SEAM_OK)
    return status;
  *next = mbs_begin_smooth(ws, kink->at);
  state->t = kink->at;
  if (differ) {
    const double before = mbs_kinetic_energy(model, state->v);
    status = mbs_project(ws, state->t, state->q, state->v, error);
    state->work[1] += mbs_kinetic_energy(model, state->v) - before;
  }
  if (model->n_hard > 0)
    THEN(status, find_modes_at_kink(ws, state, jumps, error));
  THEN(status, mbs_sample(ws, state, error));
  return status == SEAM_OK ? mbs_resolve_friction_modes(ws, state, error) : status;
}
