/* An end-only pass repeats a step after a small correction of the inputs. Parts then give outputs only at the end of
 * the step. An output at an inner node is then the sum of three terms: its value in the pass before, the change that
 * the derivatives D of the step predict, and an estimate of the error e of this prediction. τ is the time since the
 * beginning of the step, divided by its length. D is exact at τ = 0, and corrections of an extrapolation grow towards
 * the end. Therefore e grows with high powers of τ. It is estimated by
 *
 *   e(τ) = τ⁶ (a + b τ²)
 *
 * where a and b follow from e and its rate at the end, where the new outputs are known. At the nodes the estimate
 * leaves errors of 1/20 of the largest e (mean over the joints of the model catalogue, s = 3 to 5 stages). If e(τ) were
 * cubic, these errors would be 1/6 of the largest e. (docs/theory.md, Collocation) */
#include <math.h>
#include <string.h>

#include "cosim/coupling/master.h"

static void add_multiple(double *restrict sum, double factor, const double *restrict x, int n) {
  for (int i = 0; i < n; i++)
    sum[i] += factor * x[i];
}

void cosim_predict_outputs(cosim_master *master) {
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    const int n_outputs = m->part->n_outputs;
    const int n_inner = m->n_nodes * n_outputs;
    double *expected = master->expected[p];
    memcpy(expected, m->outputs, (size_t)n_outputs * sizeof *expected);
    for (int d = 0; d < m->n_seeds; d++) {
      const double change = -master->increment[master->refs[p][d].unknown];
      const double *D = cosim_member_derivatives(m, d);
      add_multiple(m->node_outputs, change, D, n_inner);
      add_multiple(expected, change, D + n_inner, n_outputs);
    }
  }
}

/* Adds the estimate e(τ) for one coordinate of a side to the outputs at the nodes. Returns the larger of |e| and |e'|
 * at the end, each divided by its tolerance. */
static double add_prediction_error(const cosim_master *master, int part, double H, const cosim_side *side,
                                   int component) {
  const int position = side->position + component;
  const int velocity = side->velocity + component;
  const cosim_member *m = &master->parts->member[part];
  const double *expected = master->expected[part];
  const double e = m->outputs[position] - expected[position];
  const double rate = H * (m->outputs[velocity] - expected[velocity]);
  const double b = rate / 2 - 3 * e;
  const double a = e - b;
  for (int node = 0; node < m->n_nodes; node++) {
    const double tau = master->parts->nodes[node];
    double *outputs = m->node_outputs + node * m->part->n_outputs;
    const double fifth = tau * tau * tau * tau * tau;
    outputs[position] += fifth * tau * (a + b * tau * tau);
    outputs[velocity] += fifth * (6 * a + 8 * b * tau * tau) / H;
  }
  return fmax(fabs(e) / cosim_tolerance_of(master, component, false, m->outputs[position]),
              fabs(rate / H) / cosim_tolerance_of(master, component, true, m->outputs[velocity]));
}

seam_status cosim_repeat_end_only(cosim_master *master, double H, double *prediction_error, seam_error *error) {
  master->parts->with_feedthrough = false;
  cosim_parts_roll_back(master->parts);
  const seam_status status = cosim_parts_repeat(master->parts, master->t, H, error);
  *prediction_error = 0;
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++)
    for (int i = 0; i < master->n_incidences[p] && !master->parts->member[p].has_node_outputs; i++) {
      const cosim_incidence *at = &master->incidences[p][i];
      const cosim_cut *cut = master->couplings[at->coupling].cut;
      const cosim_side *side = &cut->side[at->side];
      for (int k = 0; k < cut->element->n_dims && side->position >= 0; k++) {
        const double e = add_prediction_error(master, p, H, side, cut->element->dim[k]);
        if (!(e <= *prediction_error))
          *prediction_error = e;
      }
    }
  cosim_master_collect_outputs(master);
  return status;
}
