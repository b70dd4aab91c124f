/* The corrector without a second pass. One correction of the new values w of a macro step,
 *
 *   R(w) + dR/dw Δw = 0,
 *
 * moves the ends x of the parts by their own derivatives, which are those that dR/dw was made of,
 *
 *   x ← x + ∂x/∂w Δw,
 *
 * in place of a second pass under w + Δw. Linear parts end at the same states; others but for terms of order Δw². At a
 * force element of order k, Δw = O(H^(k + 1)) and ∂x/∂w = O(H): the terms are O(H^(2k + 3)), beside a local error of
 * O(H^(k + 2)).
 *
 * The derivatives of a step are integrated beside it where springs and dampers of a part lead over H. Where inertia
 * leads they follow from its end alone, without a pass along seeds: with φ the signal of a new value, and to leading
 * order
 *
 *   ∂v/∂w = M⁻¹ Gᵀ H ∫φ dτ,   ∂q/∂w = M⁻¹ Gᵀ H² ∬φ dτ dτ,
 *
 * and up to third terms by the series of multibody_instants.c.
 *
 * A part that cannot move its end, or within whose step a switch, kink or event lay, takes the step again. The implicit
 * co-simulations whose Jacobians are had from instant inertia likewise repeat it: [Kraft-Klimmek]; linearly implicit
 * stabilisation of a modular integration: [Arnold]. (docs/theory.md, Update.) */
#include "cosim/master/master_internal.h"
#include "cosim/parts/signal.h"

static seam_status update(cosim_master *master, int part, seam_error *error) {
  cosim_member *m = &master->parts->member[part];
  bool is_made = m->n_seeds == 0;
  seam_status status = SEAM_OK;
  for (int d = 0; d < m->n_seeds; d++)
    m->change[d] = -master->correction[master->refs[part][d].unknown];
  for (int i = 0; i < m->part->n_inputs; i++)
    master->impulses[i] = cosim_signal_end(&m->inputs[i]);
  if (m->along_seeds && m->part->ops->update_end != NULL) {
    status = m->part->ops->update_end(m->part, m->change, master->impulses, &is_made, error);
    m->part->ops->get_outputs(m->part, m->outputs);
  }
  m->again = !is_made;
  return status;
}

seam_status cosim_correct_by_update(cosim_master *master, double H, bool fresh, seam_error *error) {
  seam_status status = cosim_find_correction(master, H, fresh, error);
  if (status != SEAM_OK)
    return status;
  cosim_count_refresh(master, fresh);
  cosim_apply_correction(master);
  cosim_set_corrected_inputs(master);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++)
    status = update(master, p, error);
  if (status == SEAM_OK)
    status = cosim_parts_advance_again(master->parts, master->t, H, error);
  cosim_master_collect_outputs(master);
  return status;
}
