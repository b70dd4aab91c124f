/* The corrector of update schemes, under which each step is taken once. w are the new values of a macro step of length
 * H, R(w) the residuals of the conditions. One increment Δw,
 *
 *   R(w) + dR/dw Δw = 0,
 *
 * corrects the end states x of the parts by the derivatives ∂x/∂w from which dR/dw was computed,
 *
 *   x ← x + ∂x/∂w Δw.
 *
 * The step is not repeated under w + Δw. Linear parts reach the same end states as by a repetition. For other parts the
 * end states differ from those of a repetition by terms of order Δw². At a force element of order k, Δw = O(H^(k + 1))
 * and ∂x/∂w = O(H). These terms are then O(H^(2k + 3)), below the local error O(H^(k + 2)).
 *
 * If inertia dominates, parts give derivatives of velocities v and positions q at the end of the step by inertia alone.
 * M is the mass matrix, φ(τ) the signal of a new value, and Gᵀ φ its generalised force:
 *
 *   ∂v/∂w = M⁻¹ Gᵀ H ∫φ dτ + ...,   ∂q/∂w = M⁻¹ Gᵀ H² ∬φ dτ dτ + ...,
 *
 * by the series of multibody_series.c. Two terms of the series are used at force elements, and three at joints,
 * whose schemes have smaller errors. dR/dw uses the same derivatives of x, so that R vanishes except for terms of order
 * Δw².
 *
 * A part repeats the step if it cannot correct its end state, or after an event, switch or kink within the step.
 *
 * Jacobians of implicit co-simulation by inertia, under which steps are repeated: [Kraft-Jacobian]; a linearly implicit
 * stabilisation of coupling terms: [Arnold]. (docs/theory.md, The master.) */
#include "cosim/coupling/master.h"
#include "cosim/parts/signal.h"

seam_status cosim_correct_by_update(cosim_master *master, double H, bool refresh, seam_error *error) {
  seam_status status = cosim_find_increment(master, H, refresh, error);
  if (status != SEAM_OK)
    return status;
  cosim_count_refresh(master, refresh);
  cosim_apply_increment(master);
  cosim_master_set_inputs(master, true);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    cosim_member *m = &master->parts->member[p];
    bool is_made = m->n_seeds == 0;
    for (int d = 0; d < m->n_seeds; d++)
      m->change[d] = -master->increment[master->refs[p][d].unknown];
    for (int i = 0; i < m->part->n_inputs; i++)
      master->impulses[i] = cosim_signal_end(&m->inputs[i]);
    if (m->has_exact_derivatives && m->part->ops->update_end != NULL) {
      status = m->part->ops->update_end(m->part, m->change, master->impulses, &is_made, error);
      m->part->ops->get_outputs(m->part, m->outputs);
    }
    m->again = !is_made;
  }
  if (status == SEAM_OK)
    status = cosim_parts_advance_again(master->parts, master->t, H, error);
  cosim_master_collect_outputs(master);
  return status;
}
