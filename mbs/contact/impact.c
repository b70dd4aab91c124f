/* Hard contacts when a mode has ended: impacts change velocities, then the accelerations decide the new modes.
 *
 * M, G, N and T are those of mbs/model/unilateral.h, f' the prescribed rates of joints. u are the gap rates u_N and
 * slips u_T of all contacts that touch. An impact changes the velocities from v⁻ to v⁺, and u from u⁻ to u⁺. Λ are the
 * impulses Λ_N and Λ_T of these contacts, and Λ_G those of the joints. A is the change of u per impulse Λ
 * (contact_rows.c). μ are coefficients of friction, e those of restitution. Poisson's law has two phases. In the
 * compression, Newton's law with e = 0 gives impulses Λ_C, with the normal impulses Λ_NC, and rates u_C. The expansion
 * begins at u_C:
 *
 *   M (v⁺ - v⁻) + Gᵀ Λ_G = Nᵀ Λ_N + Tᵀ Λ_T,   G v⁺ = f',      u⁺ = u⁻ + A Λ
 *
 *   Newton                 0 <= u_N⁺ + e u_N⁻  ⊥  Λ_N >= 0                        -Λ_T in μ Λ_N Sgn(u_T⁺)
 *   Poisson, expansion     0 <= u_N⁺  ⊥  Λ_N - e Λ_NC >= 0,   u⁺ = u_C + A Λ      -Λ_T in μ Λ_N Sgn(u_T⁺)
 *
 * ([Moreau], [Pfeiffer-Glocker] 8.) Contacts dissipate the energy -Λ · (u⁻ + u⁺)/2. Friction can make this loss
 * negative under both laws (Kane's paradox), but not for e = 0. If the loss would be negative, one factor multiplies
 * all e of the impact: the largest without a negative loss. A note reports the factor. Two-sided contacts have e = 0;
 * the impacts of other contacts cause their impulses, which have either sign.
 *
 * The impulse of a joint's reaction causes an impulse P of friction along the joint's coordinate. w are the rates of
 * these coordinates. C is the change of w per impulse of a contact, E the change of w per impulse of friction. ρ is the
 * lever. R is the normal force of mbs/model/friction.c, computed from the impulses Λ_G and without the preload:
 *
 *   -P in ρ μ R(Λ_G) Sgn(w⁺),      w⁺ = w⁻ + C Λ + E P,      u⁺ = u⁻ + A Λ + Cᵀ P,      Λ_G = Λ_G(Λ, P)
 *
 * Joints that stick can move during an impact, against P. The velocities after the impact decide whether they slip or
 * stick. Two steps alternate until neither Λ nor P changes: find Λ for given P; find P for given Λ by a projected
 * Gauss-Seidel sweep ([Stewart-Trinkle] does so for contacts).
 *
 * All contacts that touch and do not separate receive impulses in the same pass. Further passes follow until no
 * touching contact approaches. So a body between two others, without clearance, loses energy as in the sequence of
 * impacts that a small clearance would cause.
 *
 * Impacts that accumulate (Zeno): after an impact the gap has the rate u_N⁺ and the second rate g̈. The contact would
 * open for the time D = 2 u_N⁺/-g̈, after the next impact for e D, and so on. It stays closed if D is below a bound:
 * the larger of D° = 1.6e-5 √(L/-g̈), with the size L of the mechanism, and the resolution of t. (The gap would rise to
 * 3e-11 L in D°.) If n > 2 contacts touch or are closed, as in a pile, n/2 multiplies the bound, up to
 * mbs_longest_multiple. The bounces would end at t + D/(1 - e). This time is stored; for e = 1, t + D is stored. Until
 * then the contact force replaces the bounces: its impulse equals the sum of their impulses. MBS_HARD_MERGED_LOSS sums
 * the energy that merging takes. It leaves out bounces that would end soon (mbs_soon_ended).
 *
 * At the time of a switch the old modes still agree with the accelerations. So the search for modes prefers new ones if
 * the accelerations allow them. A contact opens if its normal force has fallen to zero, and slides if its friction has
 * reached its limit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/note.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/contact/impact.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Checks ---- */

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

/* Accepts overlaps that may come from rounded coordinates: projection will remove them. A note reports larger ones. */
seam_status mbs_refuse_overlaps(mbs_workspace *ws, const mbs_state *state, seam_error *error) {
  if (ws->unilateral == NULL)
    return SEAM_OK;
  mbs_load_stick_states(ws, state->z);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t); /* sets ws->unilateral->t */
  mbs_contact_kinematics_all(ws);
  for (int k = 0; k < ws->unilateral->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    const char *unit = mbs_is_angle_stop(force) ? "rad" : "m";
    const double rounding = mbs_overlap_refused * mbs_size_of_gap(ws, k);
    const double silent = mbs_overlap_unreported * mbs_size_of_gap(ws, k);
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

/* ---- Impulses of friction in joints ---- */

/* Returns the force element of joint friction `number`; these are the last elements of a model. */
static const mbs_force *friction_element(const mbs_workspace *ws, int number) {
  return &ws->model->forces[ws->model->n_forces - ws->model->n_frictions + number];
}

/* Fills the Jacobians of the joints' coordinates, and the effects of friction impulses on each other and on contacts.
 * Sets the friction impulses to 0. The workspace must have the kinematics of contacts, the list problem.contact and the
 * factors of S = G M⁻¹ Gᵀ. */
static void begin_joint_friction(mbs_workspace *ws, const double *v) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  const int n = ws->model->n_frictions;
  const size_t m = (size_t)ws->model->n_rows;
  for (int r = 0; r < n; r++) {
    const mbs_force *force = friction_element(ws, r);
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    mbs_relative_coordinate s;
    force->type->find_coordinates(force, &pair, &s);
    memcpy(self->joint_friction[r].row, s.J, sizeof s.J);
    self->joint_friction[r].before = mbs_row_times(force, s.J, v);
    self->joint_friction[r].impulse = 0;
  }
  for (int r = 0; r < n; r++) {
    mbs_load_influence(ws, friction_element(ws, r), self->joint_friction[r].row, self->a,
                       self->friction_lambda + (size_t)r * m);
    for (int l = 0; l < n; l++)
      self->friction_by_friction[l + r * n] =
          mbs_row_times(friction_element(ws, l), self->joint_friction[l].row, self->a);
    for (int i = 0; i < 2 * p->n; i++) {
      const int k = p->contact[i / 2];
      self->friction_by_contact[r + i * n] = mbs_contact_times(ws, k, i % 2, self->kinematics[k].row[i % 2], self->a);
    }
  }
  for (int i = 0; i < 2 * p->n && n > 0; i++)
    mbs_contact_influence(ws, p->contact[i / 2], i % 2, self->kinematics[p->contact[i / 2]].row[i % 2], self->a,
                          self->of_lambda + (size_t)i * m);
}

/* Returns the present rate w of the coordinate of joint friction r. */
static double rate_of(const mbs_workspace *ws, int r) {
  const mbs_unilateral *self = ws->unilateral;
  const int n = ws->model->n_frictions;
  double w = self->joint_friction[r].before;
  for (int l = 0; l < n; l++)
    w += self->friction_by_friction[r + l * n] * self->joint_friction[l].impulse;
  for (int i = 0; i < 2 * self->problem.n; i++)
    w += self->friction_by_contact[r + i * n] * self->impulse[i];
  return w;
}

/* Returns ρ μ N for the present impulses. */
static double limit_of(const mbs_workspace *ws, const mbs_joint *joint) {
  const mbs_unilateral *self = ws->unilateral;
  const int m = ws->model->n_rows;
  double lambda[mbs_max_rows] = {0};
  double by_lambda[mbs_max_rows];
  for (int row = 0; row < mbs_n_reactions(joint->type); row++) {
    for (int i = 0; i < 2 * self->problem.n; i++)
      lambda[row] += self->of_lambda[i * m + joint->row + row] * self->impulse[i];
    for (int l = 0; l < ws->model->n_frictions; l++)
      lambda[row] += self->friction_lambda[l * m + joint->row + row] * self->joint_friction[l].impulse;
  }
  return mbs_friction_lever(joint) * joint->friction.coefficient *
         joint->type->friction->normal(&joint->friction, lambda, by_lambda);
}

/* Updates the impulses of joints' friction once for the impulses of contacts, ws->unilateral->impulse. Returns true if
 * no change of an impulse changes the rate along it by more than round-off. If contacts make the same rate zero, each
 * sweep moves impulses between joints and contacts by this round-off. share: part of each change that is made. */
static bool sweep_joint_friction(mbs_workspace *ws, double share) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_scales *scales = &ws->model->scales;
  const double rounding = mbs_slip_noise * mbs_largest_motion(ws->model, self->v, scales->speed); /* m/s */
  bool stays = true;
  int r = 0;
  for (int j = 0; j < ws->model->n_joints; j++) {
    const mbs_joint *joint = &ws->model->joints[j];
    if (!mbs_joint_has_friction(joint))
      continue;
    const double own = self->friction_by_friction[r + r * ws->model->n_frictions];
    const double limit = limit_of(ws, joint);
    const double wanted = own > 0 ? self->joint_friction[r].impulse - rate_of(ws, r) / own : 0;
    const double found = fmin(fmax(wanted, -limit), limit);
    const double change = found - self->joint_friction[r].impulse;
    stays = stays && own * fabs(change) * (joint->friction.radius > 0 ? scales->length : 1) <= rounding;
    self->joint_friction[r++].impulse += share * change;
  }
  return stays;
}

/* ---- Impulses of contacts ---- */

/* Adds to the contacts' rates (2n) their changes by the impulses of contacts. */
static void add_response(const mbs_unilateral *self, double *rate) {
  const mbs_frictional *p = &self->problem;
  for (int i = 0; i < 2 * p->n; i++)
    for (int j = 0; j < 2 * p->n; j++)
      rate[i] += p->A[i + j * 2 * p->n] * self->impulse[j];
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
  add_response(self, p->b);
  end = mbs_frictional_solve(self);
  for (int i = 0; i < 2 * p->n; i++)
    self->impulse[i] += p->f[i];
  return end;
}

typedef seam_lcp_end (*impact_law)(mbs_unilateral *self, double factor);

/* Finds the impulses of contacts and of joints' friction; `factor` multiplies all restitutions. If the search has not
 * converged after half of its sweeps, it may go to and fro, which smaller changes prevent. SEAM_LCP_FAILED: the law
 * finds no impulses of contacts, or the search does not converge. */
static seam_lcp_end find_with_joints(mbs_workspace *ws, impact_law law, double factor) {
  mbs_unilateral *self = ws->unilateral;
  const size_t size = 2 * (size_t)self->problem.n * sizeof *self->rate;
  const int n = ws->model->n_frictions;
  memcpy(self->rate, self->before, size);
  if (n == 0)
    return law(self, factor);
  for (int r = 0; r < n; r++)
    self->joint_friction[r].impulse = 0;
  for (int i = 0; i < MBS_MAX_JOINT_SWEEPS; i++) {
    const seam_lcp_end end = law(self, factor);
    if (end != SEAM_LCP_SOLVED || sweep_joint_friction(ws, 2 * i < MBS_MAX_JOINT_SWEEPS ? 1 : mbs_share_of_sweep))
      return end;
    memcpy(self->rate, self->before, size);
    for (int k = 0; k < 2 * self->problem.n; k++)
      for (int r = 0; r < n; r++)
        self->rate[k] += self->friction_by_contact[r + k * n] * self->joint_friction[r].impulse;
  }
  return SEAM_LCP_FAILED;
}

/* Returns the energy, J, that contacts and joints dissipate. Writes the rates of contacts after the impact to
 * problem.rate. */
static double loss_of(const mbs_workspace *ws) {
  const mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  double loss = 0;
  for (int r = 0; r < ws->model->n_frictions; r++)
    loss -= self->joint_friction[r].impulse * (self->joint_friction[r].before + rate_of(ws, r)) / 2;
  memcpy(p->rate, self->rate, 2 * (size_t)p->n * sizeof *p->rate);
  add_response(self, p->rate);
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
    if (!(p->A[(2 * k) * (2 * p->n + 1)] > mbs_response_blocked * free)) { /* joints cancel almost all of an impulse */
      of = mbs_hard_force(ws, p->contact[k]);
      snprintf(cause, sizeof cause, "joints prevent their relative motion");
    }
  }
  return seam_fail(error, SEAM_JAMMED,
                   "t = %.9g s: no impulses were found that keep the bodies of %s '%s'%s apart: %s; make it compliant "
                   "(leave out 'hard')",
                   t, mbs_hard_noun(of), of->name, p->n > 1 ? " and others" : "", cause);
}

/* Finds the impulses of the listed contacts. If the impact would create energy, bisects for the largest common factor
 * of the restitutions with which it does not. */
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
  const mbs_force *first = mbs_hard_force(ws, p->contact[0]);
  seam_note("t = %.9g s: the impact of %s '%s' would create energy: its restitution is multiplied by %.6g", t,
            mbs_hard_noun(first), first->name, low);
  return SEAM_OK;
}

/* ---- Records ---- */

/* Adds impulses and losses of the last find_impulses() to self->impact, the sums of all passes. */
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

/* Divides two energies, J, equally among the contacts whose bounces are merged. Adds `loss`, which
 * stop_bounces() has removed, to MBS_HARD_LOSS. Adds `taken`, the energy that merging takes, to MBS_HARD_MERGED_LOSS;
 * if `accumulate` is true, leaves out the shares of contacts whose bounces end soon. */
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

/* Adds the effect of all impulses to v (3n). Returns the energy, J, that prescribed motions and driven cables add. */
static double apply(mbs_workspace *ws, double *v) {
  mbs_unilateral *self = ws->unilateral;
  const mbs_frictional *p = &self->problem;
  double driven = 0;
  for (int r = 0; r < ws->model->n_frictions; r++) {
    const double P = self->joint_friction[r].impulse;
    mbs_load_influence(ws, friction_element(ws, r), self->joint_friction[r].row, self->a, self->lambda);
    for (int j = 0; j < 3 * ws->model->n_bodies; j++)
      v[j] += P * self->a[j];
    for (int j = 0; j < ws->model->n_rows; j++)
      driven -= P * self->lambda[j] * ws->prescribed_rate[j];
  }
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

/* Lists contacts that touch and do not separate in ws->unilateral->problem, with their rates and restitutions. Lists
 * all two-sided contacts. Returns true if a listed contact approaches, or a two-sided one has a nonzero gap rate. */
static bool list_touching(mbs_workspace *ws, const mbs_state *state) {
  mbs_unilateral *self = ws->unilateral;
  mbs_frictional *p = &self->problem;
  bool hits = false;
  p->n = 0;
  for (int k = 0; k < self->n; k++) {
    const mbs_force *force = mbs_hard_force(ws, k);
    const bool two_sided = mbs_is_two_sided(force);
    if (!two_sided && !mbs_hard_is_closed(state->z[force->state]) && !mbs_contact_touches(ws, k))
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

/* Applies impulses until no touching contact approaches; sets *has_hit if there are any. *driven: energy, J, that
 * prescribed motions and driven cables add. SEAM_JAMMED; SEAM_STEP_FAILED: the repetition does not end. */
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
    begin_joint_friction(ws, state->v);
    TRY(find_impulses(ws, state->t, error));
    add_impacts(ws);
    *driven += apply(ws, state->v);
  }
  return SEAM_OK;
}

/* ---- Impacts that accumulate ---- */

/* Sets `merges` of contacts that would open for too short a time after the impact. They will stay closed, which merges
 * their bounces. *any: there are such contacts. */
static seam_status find_merged(mbs_workspace *ws, mbs_state *state, bool *any, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  *any = false;
  TRY(mbs_accelerate_again(ws, state, error));
  const double resolved = mbs_resolved_flight * fabs(state->t);
  int n_closed = 0; /* contacts that are closed or touch */
  for (int k = 0; k < self->n; k++)
    n_closed += mbs_hard_is_closed(state->z[mbs_hard_force(ws, k)->state]) || mbs_contact_touches(ws, k);
  const double multiple = fmin(fmax(1, 0.5 * n_closed), mbs_longest_multiple);
  for (int k = 0; k < self->n; k++) {
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const mbs_force *force = mbs_hard_force(ws, k);
    const double second = mbs_contact_second_rate(ws, k, 0, state->a);
    const double flight = 2 * kinematics->rate / -second;
    const double shortest = fmax(mbs_shortest_flight * sqrt(mbs_size_of_gap(ws, k) / fabs(second)), resolved);
    const bool returns = second < 0 && flight < multiple * shortest;
    if (!mbs_contact_touches(ws, k) || !(kinematics->rate > mbs_contact_zero_rate(ws, k)) || !returns ||
        mbs_is_two_sided(force))
      continue;
    const double e = force->contact.restitution;
    if (!self->merges[k]) {
      state->z[force->state + MBS_HARD_MERGED_UNTIL] = state->t + flight / (e < 1 ? 1 - e : 1);
      self->ends_soon[k] = e < 1 && flight / (1 - e) <= mbs_soon_ended * shortest;
    }
    *any = self->merges[k] = true;
  }
  return SEAM_OK;
}

/* Sets the modes of all contacts. A contact stays closed in three cases: its bounces are merged; its gap and gap rate
 * are zero; it is two-sided. It sticks if it has friction and no slip. Then a projection removes the gap rates of
 * closed contacts, as many small impacts would. */
static seam_status stop_bounces(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  for (int k = 0; k < self->n; k++) {
    const mbs_contact_kinematics *kinematics = &self->kinematics[k];
    const bool is_at_rest = mbs_contact_touches(ws, k) && fabs(kinematics->rate) <= mbs_contact_zero_rate(ws, k);
    const bool sticks = mbs_hard_force(ws, k)->contact.friction > 0 && fabs(kinematics->slip) <= self->zero_rate;
    self->mode[k] = !self->merges[k] && !is_at_rest && !mbs_is_two_sided(mbs_hard_force(ws, k)) ? MBS_HARD_OPEN
                    : sticks                                                                    ? MBS_HARD_STICKS
                                                                                                : MBS_HARD_SMOOTH;
  }
  return mbs_project_contacts(ws, state->t, state->q, state->v, error);
}

/* Closes contacts whose gap has come to zero in the last step, although its rate is positive: they were open for a
 * shorter time than a step resolves. The kinetic energy that closing removes counts as dissipated. */
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

/* Runs the stages that an impact needs: kinematics, constraints, contacts, and factors of S = G M⁻¹ Gᵀ.
 * SEAM_CONSTRAINT_LOST: a gap is far below zero, because a circle has passed an end of an open curve and is now on the
 * other side of the curve. */
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

/* Changes velocities by impulses if a touching contact approaches. *has_hit: there were impulses. SEAM_JAMMED: no
 * impulses were found; SEAM_STEP_FAILED, and errors of an evaluation. */
static seam_status apply_impact(mbs_workspace *ws, mbs_state *state, bool *has_hit, seam_error *error) {
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
    TRY(prepare(ws, state, error));
    TRY(apply_all(ws, state, &driven, has_hit, error));
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

/* ---- Modes after a switch ---- */

/* Returns true if the accelerations agree with the new modes. A contact whose normal force has fallen to zero must
 * open. One whose friction has reached its limit must start to slide against the friction, or slide already. */
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

seam_status mbs_switch_contacts(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  mbs_unilateral *self = ws->unilateral;
  bool has_hit = false;
  bool has_reached_limit = false; /* the friction of a sticking contact has reached its limit */
  seam_status status = SEAM_OK;
  if (self->drifts) { /* gaps of closed contacts, and gaps that have just come to zero, may have drifted */
    for (int k = 0; k < self->n; k++)
      self->mode[k] = mbs_hard_mode_in(mbs_hard_force(ws, k), state->z);
    mbs_load_stick_states(ws, state->z);
    status = mbs_project_contacts(ws, state->t, state->q, state->v, error);
  }
  THEN(status, apply_impact(ws, state, &has_hit, error));
  if (has_hit)
    forget_ends(self);
  for (int k = 0; k < self->n; k++)
    has_reached_limit = has_reached_limit || (self->has_ended[k] && !self->ended_normal[k]);
  /* In a limit mode, friction is at its limit, but other contacts keep the slip at zero. Once the friction of one of
   * those has reached its limit, this contact may slide: its mode counts as ended. */
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
  TRY(status);
  mbs_unilateral_store_stick_coordinates(ws, state->z);
  for (int k = 0; k < self->n; k++) {
    double *z = state->z + mbs_hard_force(ws, k)->state;
    z[MBS_HARD_MODE] = self->mode[k];
    if (!mbs_hard_is_closed(z[MBS_HARD_MODE]))
      z[MBS_HARD_MERGED_UNTIL] = MBS_HARD_NEVER;
  }
  return mbs_project_contacts(ws, state->t, state->q, state->v, error);
}
