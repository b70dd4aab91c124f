#include "mbs/integrate/kinks.h"

#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/output/readout.h"

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
