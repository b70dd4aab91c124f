/* When hard contacts hit, velocities jump from v⁻ to v⁺. M, G, N and T are those of mbs/model/unilateral.h, f' the
 * prescribed rates of joints. u are the gap rates u_N and slips u_T of all contacts that touch; A is the change of u
 * per impulse. Λ are the impulses Λ_N and Λ_T of these contacts, which contact_rows.c finds; Λ_G are the impulses of
 * the joints. μ are the coefficients of friction, e those of restitution:
 *
 *   M (v⁺ - v⁻) + Gᵀ Λ_G = Nᵀ Λ_N + Tᵀ Λ_T,   G v⁺ = f',      u⁺ = u⁻ + A Λ
 *
 *   Newton     0 <= u_N⁺ + e u_N⁻  ⊥  Λ_N >= 0                                    -Λ_T in μ Λ_N Sgn(u_T⁺)
 *   Poisson    compression, as Newton's with e = 0, gives impulses Λ_C (normal: Λ_NC) and rates u_C; then
 *              0 <= u_N⁺  ⊥  Λ_N - e Λ_NC >= 0,   u⁺ = u_C + A Λ                  -Λ_T in μ Λ_N Sgn(u_T⁺)
 *
 * ([Moreau], [Pfeiffer-Glocker] 8.) In the last line Λ are the impulses of the expansion, which begins at the rates
 * u_C. Contacts dissipate the energy -Λ · (u⁻ + u⁺)/2. With friction this loss may be negative under both laws (Kane's
 * paradox). Then all e of this impact are multiplied by the largest factor with which the loss is not negative, and a
 * note reports the factor. With e = 0 the loss is never negative.
 *
 * Two-sided contacts have impulses of either sign, caused by the impacts of other contacts, and e = 0.
 *
 * During an impact, sticking joints can move, against the impulses of their friction (impact_friction.c). The
 * velocities after the impact decide whether these joints slip or stick.
 *
 * All contacts that touch and do not separate receive impulses in the same step. Further steps follow for contacts
 * that touch and still approach, until no contact approaches. So a body between two others, without clearance, loses
 * energy in a sequence of impacts, as it would with a small clearance.
 *
 * Impacts that accumulate (Zeno): after the impact the gap has the rate u_N⁺ and the second rate g̈. So the contact
 * would be open for the time D = 2 u_N⁺/-g̈, after the next impact for e D, and so on. It stays closed if D is below D°
 * = 1.6e-5 √(L/-g̈), with the size L of the mechanism, or below the resolution of t. (During the time D° the gap would
 * rise to 3e-11 L.) If n > 2 contacts touch or are closed, as in a pile of bodies, both bounds are multiplied by n/2,
 * at most by mbs_longest_multiple. The bounces would end at the time t + D/(1 - e), which is stored. Until then the
 * contact force replaces the bounces: its impulse equals the sum of theirs. With e = 1 bounces do not end.
 * MBS_HARD_MERGED_LOSS sums the energy that is lost because the contact stays closed. It leaves out bounces that would
 * end within a short time (mbs_soon_ended). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/largest.h"
#include "base/note.h"
#include "base/then.h"
#include "mbs/contact/impact.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Impulses ---- */

static void add_response(const mbs_frictional *p, const double *f, double *rate) {
  for (int i = 0; i < 2 * p->n; i++)
    for (int j = 0; j < 2 * p->n; j++)
      rate[i] += p->A[i + j * 2 * p->n] * f[j];
}

static seam_lcp_end find_by_newton(mbs_unilateral *self, double factor) {
  mbs_frictional *p = &self->problem;
  for (int k = 0; k < p->n; k++) {
    p->b[2 * k] = (1 + factor * self->restitution[k]) * self->before[2 * k] + (self->rate[2 * k] - self->before[2 * k]);
    p->b[2 * k + 1] = self->rate[2 * k + 1];
    p->friction_offset[k] = 0;
  }
  const seam_lcp_end end = mbs_frictional_solve(self);
  memcpy(self->impulse, p->f, 2 * (size_t)p->n * sizeof *p->f);
  return end;
}

static seam_lcp_end find_by_poisson(mbs_unilateral *self, double factor) {
  mbs_frictional *p = &self->problem;
  seam_lcp_end end = find_by_newton(self, 0);
  if (end != SEAM_LCP_SOLVED)
    return end;
  memcpy(p->b, self->rate, 2 * (size_t)p->n * sizeof *p->b);
  for (int k = 0; k < p->n; k++) {
    const double returned = factor * self->restitution[k] * self->impulse[2 * k];
    p->friction_offset[k] = p->mu[k] * returned;
    self->impulse[2 * k] += returned;
  }
  add_response(p, self->impulse, p->b);
  end = mbs_frictional_solve(self);
  for (int i = 0; i < 2 * p->n; i++)
    self->impulse[i] += p->f[i];
  return end;
}

typedef seam_lcp_end (*impact_law)(mbs_unilateral *self, double factor);
/* Finds the impulses of contacts by a law of impact, with all restitutions times `factor`, together with the impulses
 * of joints' friction. SEAM_LCP_FAILED: the law finds no impulses of contacts, or the impulses of contacts and joints,
 * found alternately, do not converge. */
static seam_lcp_end find_with_joints(mbs_workspace *ws, impact_law law, double factor) {
  mbs_unilateral *self = ws->unilateral;
  const size_t size = 2 * (size_t)self->problem.n * sizeof *self->rate;
  memcpy(self->rate, self->before, size);
  if (ws->model->n_frictions == 0)
    return law(self, factor);
  for (int r = 0; r < ws->model->n_frictions; r++)
    self->joint_friction[r].impulse = 0;
  for (int i = 0; i < MBS_MAX_JOINT_SWEEPS; i++) {
    const seam_lcp_end end = law(self, factor);
    if (end != SEAM_LCP_SOLVED || mbs_joint_friction_sweep(ws))
      return end;
    memcpy(self->rate, self->before, size);
    mbs_joint_friction_add_rates(ws, self->rate);
  }
  return SEAM_LCP_FAILED;
}

/* Returns the energy, J, that contacts and joints dissipate in the impact, and writes the rates of contacts after the
 * impact to problem.rate. */
static double loss_of(const mbs_workspace *ws) {
  const mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  double loss = mbs_joint_friction_loss(ws);
  memcpy(p->rate, self->rate, 2 * (size_t)p->n * sizeof *p->rate);
  add_response(p, self->impulse, p->rate);
  for (int i = 0; i < 2 * p->n; i++)
    loss -= self->impulse[i] * (self->before[i] + p->rate[i]) / 2;
  return loss;
}

static seam_status refuse_impact(const mbs_workspace *ws, double t, seam_error *error) {
  const mbs_frictional *p = &ws->unilateral->problem;
  const mbs_force *of = mbs_hard_force(ws, p->contact[0]);
  const double ratio = mbs_ratio_of_touching(ws);
  char cause[128] = "the equations of the impact have no solution";
  if (ratio > mbs_ratio_of_masses)
    snprintf(cause, sizeof cause,
             "masses of bodies that touch differ by the factor %.2g, too much for the precision of numbers", ratio);
  for (int k = p->n - 1; k >= 0; k--) {
    const double free = mbs_free_response(ws, p->contact[k], 0, ws->unilateral->kinematics[p->contact[k]].row[0]);
    if (!(p->A[(2 * k) * (2 * p->n + 1)] > mbs_impulse_blocked * free)) { /* joints cancel almost all of an impulse */
      of = mbs_hard_force(ws, p->contact[k]);
      snprintf(cause, sizeof cause, "joints prevent their relative motion");
    }
  }
  return seam_fail(error, SEAM_JAMMED,
                   "t = %.9g s: no impulses were found that keep the bodies of %s '%s'%s apart: %s; make it compliant "
                   "(leave out 'hard')",
                   t, mbs_hard_noun(of), of->name, p->n > 1 ? " and others" : "", cause);
}

/* Finds the impulses of the listed contacts. Multiplies all restitutions by one factor, the largest one up to 1 with
 * which the impact creates no energy. */
static seam_status find_impulses(mbs_workspace *ws, double t, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  const bool by_newton = mbs_hard_force(ws, p->contact[0])->contact.impact == MBS_IMPACT_NEWTON;
  const impact_law law = by_newton ? find_by_newton : find_by_poisson;
  const double rounding = -mbs_energy_of_impact * mbs_kinetic_energy(ws->model, self->v);
  double low = 0;
  double high = 1;
  seam_lcp_end end = find_with_joints(ws, law, 1);
  if (end == SEAM_LCP_SOLVED && loss_of(ws) >= rounding)
    return SEAM_OK;
  for (int i = 0; i < 60 && end == SEAM_LCP_SOLVED; i++) {
    const double middle = (low + high) / 2;
    end = find_with_joints(ws, law, middle);
    *(loss_of(ws) >= rounding ? &low : &high) = middle;
  }
  if (end == SEAM_LCP_SOLVED)
    end = find_with_joints(ws, law, low);
  if (end != SEAM_LCP_SOLVED)
    return refuse_impact(ws, t, error);
  (void)loss_of(ws);
  const mbs_force *first = mbs_hard_force(ws, p->contact[0]);
  seam_note("t = %.9g s: the impact of %s '%s' would create energy: its restitution is multiplied by %.6g", t,
            mbs_hard_noun(first), first->name, low);
  return SEAM_OK;
}

/* ---- Records ---- */

/* Adds impulses and losses of the last find_impulses() to `impact`, the sums of all calls for the impact at this
 * time. */
static void add_impacts(const mbs_workspace *ws) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  const double least = mbs_impulse_none * largest_size(self->impulse, 2 * (size_t)p->n);
  (void)loss_of(ws);
  for (int k = 0; k < p->n; k++) {
    const double *impulse = self->impulse + 2 * k;
    const double *before = self->before + 2 * k;
    const double *after = p->rate + 2 * k;
    if (!(fabs(impulse[0]) > least))
      continue;
    mbs_impact_result *impact = &self->impact[p->contact[k]];
    impact->normal += impulse[0];
    impact->tangential += impulse[1];
    impact->loss -= (impulse[0] * (before[0] + after[0]) + impulse[1] * (before[1] + after[1])) / 2;
  }
}

static void record_impacts(mbs_workspace *ws, mbs_state *state) {
  const mbs_unilateral *self = ws->unilateral;
  for (int k = 0; k < self->n; k++) {
    const mbs_impact_result *impact = &self->impact[k];
    double *z = state->z + mbs_hard_force(ws, k)->state;
    if (!(fabs(impact->normal) > 0))
      continue;
    if (z[MBS_HARD_COUNT] == 0)
      z[MBS_HARD_FIRST] = state->t;
    z[MBS_HARD_LATEST] = state->t;
    z[MBS_HARD_COUNT]++;
    z[MBS_HARD_NORMAL] += impact->normal;
    z[MBS_HARD_TANGENTIAL] += impact->tangential;
    z[MBS_HARD_LOSS] += impact->loss;
  }
}

/* Divides two energies, J, equally among the contacts whose bounces are merged. `loss` is the energy that
 * stop_bounces() has removed; its shares are added to MBS_HARD_LOSS. `taken` is the energy that is lost because bounces
 * are merged; its shares are added to MBS_HARD_MERGED_LOSS. If `accumulate` is true, the shares of `taken` for contacts
 * whose bounces end soon are left out. */
static void share_loss(const mbs_workspace *ws, mbs_state *state, double loss, double taken, bool accumulate) {
  const mbs_unilateral *self = ws->unilateral;
  int n = 0;
  for (int k = 0; k < self->n; k++)
    n += self->merges[k];
  for (int k = 0; k < self->n; k++) {
    double *z = state->z + mbs_hard_force(ws, k)->state;
    if (!self->merges[k])
      continue;
    z[MBS_HARD_LOSS] += loss / n;
    if (!accumulate || !self->ends_soon[k])
      z[MBS_HARD_MERGED_LOSS] += fmax(taken, 0) / n;
  }
}

/* ---- Velocities ---- */

/* Adds the effect of all impulses to v (3n); returns the energy, J, that prescribed motions and driven cables add. */
static double apply(mbs_workspace *ws, double *v) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  double driven = mbs_joint_friction_apply(ws, v);
  for (int i = 0; i < 2 * p->n; i++) {
    const int k = p->contact[i / 2];
    mbs_contact_influence(ws, k, i % 2, self->kinematics[k].row[i % 2], self->a, self->lambda);
    driven -= i % 2 == 0 ? self->impulse[i] * self->kinematics[k].drive : 0;
    for (int j = 0; j < 3 * ws->model->n_bodies; j++)
      v[j] += self->impulse[i] * self->a[j];
    for (int j = 0; j < ws->model->n_rows; j++)
      driven -= self->impulse[i] * self->lambda[j] * ws->prescribed_rate[j];
  }
  return driven;
}

/* Lists in ws->unilateral->problem the contacts that touch and do not separate at the velocities of the state, with
 * their rates and restitutions. Two-sided contacts are always listed. Returns true if a listed contact approaches, or
 * if the gap of a two-sided contact has a nonzero rate. */
static bool list_touching(mbs_workspace *ws, const mbs_state *state) {
  mbs_unilateral *self = ws->unilateral;
  mbs_frictional *p = &self->problem;
  bool hits = false;
  p->n = 0;
  for (int k = 0; k < self->n; k++) {
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const mbs_force *force = mbs_hard_force(ws, k);
    const bool two_sided = mbs_is_two_sided(force);
    if (!two_sided && !mbs_hard_is_closed(state->z[force->state]) &&
        !(kinematics->gap <= mbs_contact_kinematics_distance(ws, k)))
      continue;
    const double rate = mbs_contact_rate(ws, k, 0, state->v);
    const double zero_rate = mbs_contact_zero_rate(ws, k);
    const bool approaches = rate < -zero_rate || (two_sided && rate > zero_rate);
    if (rate > zero_rate && !two_sided)
      continue;
    self->before[2 * p->n] = rate;
    self->before[2 * p->n + 1] = mbs_contact_rate(ws, k, 1, state->v);
    self->restitution[p->n] = approaches && !two_sided && !self->merges[k] ? force->contact.restitution : 0;
    p->two_sided[p->n] = two_sided;
    p->mu[p->n] = force->contact.friction;
    p->direction[p->n] = 0;
    p->contact[p->n++] = k;
    hits = hits || approaches;
  }
  return hits;
}

/* Applies impulses repeatedly until no touching contact approaches. Sets *has_hit to true if there are impulses.
 * *driven: energy, J, that prescribed motions and driven cables add. SEAM_JAMMED; SEAM_STEP_FAILED: the repetition does
 * not end. */
static seam_status apply_all(mbs_workspace *ws, mbs_state *state, double *driven, bool *has_hit, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  double kinetic = 0;
  *driven = 0;
  memset(self->impact, 0, (size_t)self->n * sizeof *self->impact);
  for (int pass = 0; list_touching(ws, state); pass++) {
    if (pass % MBS_HITS_BETWEEN_CHECKS == 0) { /* repeated impacts must dissipate energy */
      const double before = kinetic;
      kinetic = mbs_kinetic_energy(ws->model, state->v);
      const mbs_force *force = mbs_hard_force(ws, self->problem.contact[0]);
      if (pass > 0 && !(pass < MBS_MAX_HITS && kinetic < (1 - mbs_endless_hits) * before))
        return seam_fail(error, SEAM_STEP_FAILED,
                         "t = %.9g s: impacts of %s '%s' and others repeat without end, because there is no clearance "
                         "between the bodies: give a clearance, or a smaller restitution",
                         state->t, mbs_hard_noun(force), force->name);
    }
    *has_hit = true;
    mbs_frictional_fill(ws);
    mbs_joint_friction_begin(ws, state->v);
    const seam_status status = find_impulses(ws, state->t, error);
    if (status != SEAM_OK)
      return status;
    add_impacts(ws);
    *driven += apply(ws, state->v);
  }
  return SEAM_OK;
}

/* ---- Impacts that accumulate ---- */

/* Finds contacts that would open for too short a time after the impact, and sets their `merges`: they will stay closed,
 * which merges their bounces. *any: true if such contacts were found. */
static seam_status find_merged(mbs_workspace *ws, mbs_state *state, bool *any, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  const seam_status status = mbs_accelerate_again(ws, state, error);
  const double resolved = mbs_resolved_flight * fabs(state->t);
  int n_closed = 0; /* contacts that are closed or touch */
  for (int k = 0; k < self->n; k++)
    n_closed += mbs_hard_is_closed(state->z[mbs_hard_force(ws, k)->state]) ||
                fabs(self->kinematics[k].gap) <= mbs_contact_kinematics_distance(ws, k);
  const double multiple = fmin(fmax(1, 0.5 * n_closed), mbs_longest_multiple);
  *any = false;
  for (int k = 0; k < self->n && status == SEAM_OK; k++) {
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const mbs_force *force = mbs_hard_force(ws, k);
    const double second = mbs_contact_second_rate(ws, k, 0, state->a);
    const double flight = 2 * kinematics->rate / -second;
    const bool is_angle = force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE;
    const double shortest = fmax(mbs_shortest_flight * sqrt((is_angle ? 1 : ws->model->size) / fabs(second)), resolved);
    const bool returns = second < 0 && flight < multiple * shortest;
    if (fabs(kinematics->gap) > mbs_contact_kinematics_distance(ws, k) ||
        !(kinematics->rate > mbs_contact_zero_rate(ws, k)) || !returns || mbs_is_two_sided(force))
      continue;
    const double e = force->contact.restitution;
    if (!self->merges[k]) {
      state->z[force->state + MBS_HARD_MERGED_UNTIL] = state->t + flight / (e < 1 ? 1 - e : 1);
      self->ends_soon[k] = e < 1 && flight / (1 - e) <= mbs_soon_ended * shortest;
    }
    *any = self->merges[k] = true;
  }
  return status;
}

/* Sets the modes of all contacts. A contact stays closed if its bounces are merged, if its gap and gap rate are zero,
 * or if it is two-sided; it sticks if it has friction and its slip is zero. A projection removes the gap rates of
 * closed contacts; a sequence of many small impacts would do the same. */
static seam_status stop_bounces(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  for (int k = 0; k < self->n; k++) {
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const bool is_at_rest = fabs(kinematics->gap) <= mbs_contact_kinematics_distance(ws, k) &&
                            fabs(kinematics->rate) <= mbs_contact_zero_rate(ws, k);
    const bool sticks = mbs_hard_force(ws, k)->contact.friction > 0 && fabs(kinematics->slip) <= self->zero_rate;
    self->mode[k] = !self->merges[k] && !is_at_rest && !mbs_is_two_sided(mbs_hard_force(ws, k)) ? MBS_HARD_OPEN
                    : sticks                                                                    ? MBS_HARD_STICKS
                                                                                                : MBS_HARD_SMOOTH;
  }
  return mbs_project_contacts(ws, state->t, state->q, state->v, error);
}

/* Closes contacts whose gap has come to zero in the last step although its rate is positive. Such a contact was open
 * for a shorter time than a step resolves. The kinetic energy that closing removes counts as dissipated. */
static seam_status close_returned(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  bool any = false;
  for (int k = 0; k < self->n; k++) {
    self->merges[k] = self->returns[k] && self->kinematics[k].rate > mbs_contact_zero_rate(ws, k);
    any = any || self->merges[k];
  }
  const seam_status status = any ? stop_bounces(ws, state, error) : SEAM_OK;
  const double loss = mbs_kinetic_energy(ws->model, self->v) - mbs_kinetic_energy(ws->model, state->v);
  state->work[0] += loss;
  share_loss(ws, state, loss, loss, false);
  return status;
}

/* ---- An impact ---- */

/* Runs the stages of an evaluation that an impact needs: kinematics, constraints, contacts and factors of S = G M⁻¹ Gᵀ.
 * SEAM_CONSTRAINT_LOST: a gap has jumped far below zero, because the circle of a contact has passed an end of an open
 * curve and is now on the other side of the curve. */
static seam_status prepare(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_unilateral *self = ws->unilateral;
  const double deepest = mbs_deepest_jump * ws->model->size; /* larger than the overlap that is accepted at a start */
  mbs_release_stuck_joints(ws);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_set_port_frames(ws, state->t);
  mbs_stage_constraints(ws, state->t);
  mbs_contact_kinematics_all(ws);
  for (int k = 0; k < self->n; k++)
    if (mbs_hard_force(ws, k)->curve.curve != NULL && self->kinematics[k].gap < -deepest)
      return seam_fail(error, SEAM_CONSTRAINT_LOST,
                       "t = %.9g s: the circle of hard contact '%s' is %.3g m below the curve, because it has passed "
                       "an end of the open curve: close the curve, or make it longer",
                       state->t, mbs_hard_force(ws, k)->name, -self->kinematics[k].gap);
  const int dependent = mbs_stage_factor(ws, ws->model->inverse_mass);
  return dependent < 0 ? SEAM_OK : mbs_became_singular(ws->model, state->t, dependent, error);
}

seam_status mbs_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  const size_t n3 = 3 * (size_t)ws->model->n_bodies;
  seam_status status = SEAM_OK;
  bool any_merged = true;
  double driven = 0;
  double left = 0; /* kinetic energy after the impact if no bounces were merged */
  *has_hit = false;
  self->zero_rate = mbs_contact_kinematics_rate(ws, state->v);
  memcpy(self->v, state->v, n3 * sizeof *self->v);
  memset(self->merges, 0, (size_t)self->n * sizeof *self->merges);
  for (int pass = 0; pass < 2 && any_merged && status == SEAM_OK; pass++) {
    memcpy(state->v, self->v, n3 * sizeof *self->v);
    status = prepare(ws, state, error);
    THEN(status, apply_all(ws, state, &driven, has_hit, error));
    if (status != SEAM_OK)
      return status;
    if (!*has_hit)
      return close_returned(ws, state, error);
    left = pass == 0 ? mbs_kinetic_energy(ws->model, state->v) : left;
    mbs_stage_rates(ws, state->v);
    mbs_enter_frictions(ws, state);
    status = find_merged(ws, state, &any_merged, error);
  }
  record_impacts(ws, state);
  const double before = mbs_kinetic_energy(ws->model, state->v);
  if (any_merged)
    THEN(status, stop_bounces(ws, state, error));
  const double after = mbs_kinetic_energy(ws->model, state->v);
  if (status == SEAM_OK)
    share_loss(ws, state, before - after, left - after, true);
  state->work[0] += mbs_kinetic_energy(ws->model, self->v) - mbs_kinetic_energy(ws->model, state->v) + driven;
  state->work[1] += driven;
  return status;
}
