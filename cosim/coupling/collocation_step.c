/* Corrections of a step with collocation couplings, by Newton's method. The first correction uses the derivatives D of
 * outputs from an earlier step, adapted to the present one. Let an input of a part change by δu over a step of length
 * H. With relative errors of order H³, the accelerations a, velocities v and positions x of the part then change by
 *
 *   δa = α δu + β ∫δu dt + κ ∬δu dt dt,   δv = ∫δa dt,   δx = ∬δa dt dt.
 *
 * α is the feedthrough from δu to a. β is the further acceleration by dampers, due to the change of v. κ is the one by
 * springs, due to the change of x. All three are known at the ends of steps, α and β also in the middle; polynomials
 * interpolate them. L denotes these changes δa, δv and δx for the present step, L₀ those for the earlier step of length
 * H₀. The adapted derivatives are
 *
 *   L                       if inertia dominates
 *   L + (D - L₀) growth     otherwise, with α alone in L and L₀
 *
 * D - L₀ has one power of H more than L. Therefore growth is H / H₀ for a, its square for v, and its cube for x.
 *
 * Derivatives are evaluated again when increments contract badly. If an increment is small enough to be the last one,
 * the step is not repeated: the parts add the effect of this increment to their end states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/then.h"
#include "cosim/coupling/master.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* Integrals of a new value's signal b(τ) from 0 to a node or the end, for a step of length 1. of[n][k][m] is the n-fold
 * integral of τ^m b_k(τ), where b_k is the k-fold integral of b. The 0-fold integral is the function itself. */
enum { COSIM_N_POWERS = 4 };
struct cosim_kernel {
  double of[3][3][COSIM_N_POWERS];
};

static size_t n_feedthrough(const cosim_member *m) { return (size_t)m->part->n_inputs * (size_t)m->part->n_outputs; }

bool cosim_allocate_kernels(cosim_master *master) {
  master->adapts = master->reuses && master->collocates && !master->options.differences;
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    master->adapts = master->adapts &&
                     (!m->repeats || (m->part->ops->get_feedthrough != NULL && m->part->ops->apply_impulses != NULL));
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    cosim_part_data *of = &master->of_part[p];
    const size_t size = n_feedthrough(m);
    double *memory = calloc(COSIM_N_FEEDTHROUGH * size + (size_t)m->part->n_outputs + 1, sizeof *memory);
    of->feedthrough = (cosim_feedthrough){memory, memory + size, memory + 2 * size, memory + 3 * size};
    of->kernels = calloc((size_t)(m->n_seeds * (m->n_nodes + 1)) + 1, sizeof *of->kernels);
    of->expected = memory + COSIM_N_FEEDTHROUGH * size;
    if (memory == NULL || of->kernels == NULL)
      return false;
  }
  return true;
}

/* ---- Kernels ---- */

/* Returns the kernel of a signal of one piece, with integrals from 0 to tau. */
static cosim_kernel kernel_of(const cosim_signal *signal, double tau) {
  cosim_kernel kernel = {.of = {{{0}}}};
  double c[COSIM_MAX_DEGREE + 1];
  double first = 1; /* τ^fold */
  memcpy(c, signal->c[0], sizeof c);
  for (int fold = 0; fold < 3; fold++, first *= tau) {
    double power = first;
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++, power *= tau) {
      double value = c[j] * power;
      for (int m = 0; m < COSIM_N_POWERS; m++, value *= tau) {
        const int degree = j + fold + m;
        kernel.of[0][fold][m] += value;
        kernel.of[1][fold][m] += value * tau / (degree + 1);
        kernel.of[2][fold][m] += value * tau * tau / ((degree + 1) * (degree + 2));
      }
      c[j] /= j + fold + 1;
    }
  }
  return kernel;
}

void cosim_set_kernels(cosim_master *master) {
  bool are_constant = master->all_collocate;
  for (int p = 0; p < master->parts->n && master->adapts && !master->kernels_are_constant; p++) {
    const cosim_member *m = &master->parts->member[p];
    for (int d = 0; d < m->n_seeds; d++) {
      are_constant = are_constant && !master->of_part[p].refs[d].is_rate;
      for (int row = 0; row <= m->n_nodes; row++)
        master->of_part[p].kernels[d * (m->n_nodes + 1) + row] =
            kernel_of(&m->seeds[d].signal, row < m->n_nodes ? master->parts->nodes[row] : 1);
    }
  }
  master->kernels_are_constant = are_constant;
}

/* ---- Adapted derivatives ---- */

/* Feedthrough of one input to all outputs at n times of a step of length H: at[i] (n_outputs) at the time tau[i] H. */
typedef struct input_feedthrough {
  double H;
  int n, n_kappa; /* number of times; κ is known at the first n_kappa of them */
  double tau[COSIM_N_FEEDTHROUGH];
  const double *at[COSIM_N_FEEDTHROUGH];
} input_feedthrough;

typedef struct adaptation {
  input_feedthrough now, last; /* feedthrough of the present step, and of the earlier step to which D belongs */
  bool by_inertia;             /* the derivatives become L; else L + (D - L₀) growth (head of this file) */
  double growth[3];            /* growth of D - L₀: H / H₀ for a, its square for v, its cube for x */
  double rate;                 /* factor of D: H₀ / H if the seed is the rate of a variable; else 1 */
} adaptation;

/* Lists the times of a step at which feedthrough is known. at->before belongs to the beginning of the previous step, of
 * length H / ratio; ratio = 0: there was none. first: index of the input's first entry. */
static input_feedthrough feedthrough_of(const cosim_master *master, int part, double H, double ratio,
                                        const cosim_feedthrough *at, int first) {
  const cosim_parts *parts = master->parts;
  input_feedthrough all = {.H = H, .n = 2, .tau = {0, 1}, .at = {at->begin + first, at->end + first}};
  if (ratio > 0) {
    all.tau[all.n] = -1 / ratio;
    all.at[all.n++] = at->before + first;
  }
  all.n_kappa = all.n;
  if (parts->middle >= 0 && parts->member[part].n_nodes > 0) {
    all.tau[all.n] = parts->nodes[parts->middle];
    all.at[all.n++] = at->middle + first;
  }
  return all;
}

/* Finds the polynomial in τ through the feedthrough to `output` at the first n times, by divided differences. */
static void interpolate(const input_feedthrough *of, int n, int output, double c[COSIM_N_POWERS]) {
  double difference[COSIM_N_FEEDTHROUGH];
  for (int i = 0; i < n; i++)
    difference[i] = of->at[i][output];
  for (int k = 1; k < n; k++)
    for (int i = n - 1; i >= k; i--)
      difference[i] = (difference[i] - difference[i - 1]) / (of->tau[i] - of->tau[i - k]);
  memset(c, 0, COSIM_N_POWERS * sizeof *c);
  for (int i = n - 1; i >= 0; i--) {
    for (int m = COSIM_N_POWERS - 1; m > 0; m--)
      c[m] = c[m - 1] - of->tau[i] * c[m];
    c[0] = difference[i] - of->tau[i] * c[0];
  }
}

/* Adds α, β and κ (n_folds = 3) or α alone (1) to the factors of one coordinate of a marker. The inner product of these
 * factors with a signal's kernel is the effect L of the signal on the coordinate. `outputs`: indices of a, v and x of
 * the coordinate; the feedthrough has α, β and κ there. `scale` multiplies the factors for a, v and x. */
static void add_factors(const input_feedthrough *of, int n_folds, const int outputs[3], const double scale[3],
                        cosim_kernel *factors) {
  double power = 1;
  for (int fold = 0; fold < n_folds; fold++, power *= of->H) {
    double c[COSIM_N_POWERS];
    interpolate(of, fold < 2 ? of->n : of->n_kappa, outputs[fold], c);
    for (int m = 0; m < COSIM_N_POWERS; m++) {
      factors->of[0][fold][m] += scale[0] * power * c[m];
      factors->of[1][fold][m] += scale[1] * power * of->H * c[m];
      factors->of[2][fold][m] += scale[2] * power * of->H * of->H * c[m];
    }
  }
}

/* Returns the inner product of f->of[n] and k->of[n]. */
static inline double dot(const cosim_kernel *f, const cosim_kernel *k, int n) {
  seam_lanes sum[2] = {{0}, {0}};
  for (int fold = 0; fold < 3; fold++)
    for (int l = 0; l < 2; l++)
      sum[l] += seam_lanes_load(&f->of[n][fold][2 * l]) * seam_lanes_load(&k->of[n][fold][2 * l]);
  sum[0] += sum[1];
  return sum[0][0] + sum[0][1];
}

static void adapt_multiplier(const adaptation *to, const cosim_member *m, int output, const cosim_kernel *kernel,
                             double *D) {
  double now[COSIM_N_POWERS];
  double last[COSIM_N_POWERS] = {0};
  interpolate(&to->now, to->now.n, output, now);
  if (!to->by_inertia)
    interpolate(&to->last, to->last.n, output, last);
  for (int row = 0; row <= m->n_nodes; row++, D += m->part->n_outputs) {
    D[output] *= to->by_inertia ? 0 : to->rate * to->growth[0];
    for (int k = 0; k < COSIM_N_POWERS; k++)
      D[output] += (now[k] - to->growth[0] * last[k]) * kernel[row].of[0][0][k];
  }
}

/* Adapts the derivatives of one side's outputs by the seeds `first` to `end` - 1 of one input. */
static void adapt_side(const adaptation *to, const cosim_member *m, const cosim_cut *cut, int side,
                       const cosim_kernel *kernels, int first, int end) {
  static const double now[3] = {1, 1, 1};
  double scale[3] = {0};
  const double last[3] = {-to->growth[0], -to->growth[1], -to->growth[2]};
  const cosim_side *at = &cut->side[side];
  /* Conditions on gaps need only derivatives of x at nodes, and of x and v at the end. */
  const bool of_gaps = cut->element->n_rows > 0 && cosim_conditions_add_motions(cut);
  for (int n = 0; n < 3 && !to->by_inertia; n++)
    scale[n] = to->rate * to->growth[n];
  for (int i = 0; i < cut->element->n_dims && at->acceleration >= 0; i++) {
    const int c = cut->element->dim[i];
    const int outputs[3] = {at->acceleration + c, at->velocity + c, at->position + c};
    cosim_kernel factors = {.of = {{{0}}}}; /* factors of L or, if D - L₀ is used, of L - growth · L₀ */
    add_factors(&to->now, to->by_inertia ? 3 : 1, outputs, now, &factors);
    if (!to->by_inertia)
      add_factors(&to->last, 1, outputs, last, &factors);
    for (int d = first; d < end; d++) {
      const cosim_kernel *kernel = kernels + d * (m->n_nodes + 1);
      double *D = cosim_member_derivatives(m, d);
      for (int row = 0; row <= m->n_nodes; row++, D += m->part->n_outputs)
        for (int n = (row < m->n_nodes) + of_gaps; n < 3; n++)
          D[outputs[n]] = scale[n] * D[outputs[n]] + dot(&factors, &kernel[row], n);
    }
  }
  for (int row = 0; row < cut->element->n_rows && at->multiplier >= 0; row++)
    for (int d = first; d < end; d++)
      adapt_multiplier(to, m, at->multiplier + row, kernels + d * (m->n_nodes + 1), cosim_member_derivatives(m, d));
}

/* Returns the index of the first seed after `first` that belongs to another input. */
static int end_of_input(const cosim_member *m, int first) {
  int end = first + 1;
  while (end < m->n_seeds && m->seeds[end].input == m->seeds[first].input)
    end++;
  return end;
}

/* of[i][j]: largest absolute entry of α, β or κ; NaN: an entry is unknown. Entries are accelerations of markers in
 * translation (j = 0) or rotation (j = 1), by inputs in translation (i = 0) or rotation (i = 1). */
typedef struct sizes {
  double of[2][2];
} sizes;

/* Raises `largest` to the sizes of α (level 0), β (1) or κ (2) for the input of a seed. */
static void add_sizes(const cosim_master *master, int part, const double *known, int seed, int level, sizes *largest) {
  const cosim_member *m = &master->parts->member[part];
  const double *feedthrough = known + m->seeds[seed].input * m->part->n_outputs;
  double *of_input = largest->of[master->of_part[part].refs[seed].slot->component >= 2];
  for (int i = 0; i < master->of_part[part].n_incidences; i++) {
    const cosim_incidence *incidence = &master->of_part[part].incidences[i];
    const cosim_cut *cut = master->couplings[incidence->coupling].cut;
    const cosim_side *at = &cut->side[incidence->side];
    const int first[3] = {at->acceleration, at->velocity, at->position};
    for (int k = 0; k < cut->element->n_dims && at->acceleration >= 0; k++) {
      const int c = cut->element->dim[k];
      const double value = fabs(feedthrough[first[level] + c]);
      if (!(value <= of_input[c >= 2]))
        of_input[c >= 2] = value;
    }
  }
}

/* Returns the sizes of α, for comparison with β H and κ H². Constraints may make entries small: those between
 * translation and rotation are raised to their bound √(α_ii α_jj) >= |α_ij|, and all to 1e-10 of the larger α_ii. */
static sizes inertia_of(const cosim_master *master, int part, const double *known) {
  const cosim_member *m = &master->parts->member[part];
  sizes alpha = {.of = {{0}}};
  for (int d = 0; d < m->n_seeds; d = end_of_input(m, d))
    add_sizes(master, part, known, d, 0, &alpha);
  const double least = cosim_inertia_rounding * fmax(alpha.of[0][0], alpha.of[1][1]);
  const double cross = sqrt(alpha.of[0][0] * alpha.of[1][1]);
  for (int i = 0; i < 4; i++)
    alpha.of[i / 2][i % 2] = fmax(alpha.of[i / 2][i % 2], fmax(i % 3 == 0 ? 0 : cross, least));
  return alpha;
}

/* Returns true if inertia dominates the effect of the input of `seed`: dampers and springs of the part are not stiff
 * over the step length H. `known`: feedthrough of the part; `alpha`: its inertia_of(). */
static bool inertia_dominates_for(const cosim_master *master, int part, const double *known, const sizes *alpha,
                                  int seed, double H) {
  sizes beta = {.of = {{0}}};
  sizes kappa = {.of = {{0}}};
  bool all = true;
  add_sizes(master, part, known, seed, 1, &beta);
  add_sizes(master, part, known, seed, 2, &kappa);
  for (int i = 0; i < 4; i++) {
    const double most = cosim_stiff * alpha->of[i / 2][i % 2];
    all = all && H * beta.of[i / 2][i % 2] <= most && H * H * kappa.of[i / 2][i % 2] <= most;
  }
  return all;
}

bool cosim_needs_derivatives(const cosim_master *master, double H) {
  bool needs = !master->adapts;
  for (int p = 0; p < master->parts->n; p++) {
    const cosim_member *m = &master->parts->member[p];
    const double *known = master->of_part[p].feedthrough.end;
    if (needs || m->n_seeds == 0)
      continue;
    const sizes alpha = inertia_of(master, p, known);
    for (int d = 0; d < m->n_seeds && !needs; d = end_of_input(m, d))
      needs = !inertia_dominates_for(master, p, known, &alpha, d, H);
  }
  return needs;
}

static void adapt_part(cosim_master *master, int part, double H) {
  const cosim_member *m = &master->parts->member[part];
  const cosim_feedthrough *known = &master->of_part[part].feedthrough;
  const cosim_feedthrough now = {known->begin, known->end, m->at_middle, m->feedthrough};
  const double H0 = master->kernel_H;
  const double ratio = H0 > 0 ? H / H0 : 0;
  const sizes alpha = inertia_of(master, part, m->feedthrough);
  int end = 0;
  for (int first = 0; first < m->n_seeds; first = end) { /* seeds of one input */
    const int input_offset = m->seeds[first].input * m->part->n_outputs;
    const adaptation to = {.now = feedthrough_of(master, part, H, ratio, &now, input_offset),
                           .last = feedthrough_of(master, part, H0, master->kernel_ratio, known, input_offset),
                           .by_inertia = inertia_dominates_for(master, part, m->feedthrough, &alpha, first, H),
                           .growth = {ratio, ratio * ratio, ratio * ratio * ratio},
                           .rate = master->of_part[part].refs[first].is_rate && ratio > 0 ? 1 / ratio : 1};
    end = end_of_input(m, first);
    for (int i = 0; i < master->of_part[part].n_incidences; i++) {
      const cosim_incidence *at = &master->of_part[part].incidences[i];
      adapt_side(&to, m, master->couplings[at->coupling].cut, at->side, master->of_part[part].kernels, first, end);
    }
  }
}

/* Adapts the derivatives after the first pass of a step, unless the pass has evaluated them (`refresh`). Then stores α,
 * β and κ of this step; those at the end of the last step become those at its beginning. */
static void store_feedthrough(cosim_master *master, double H, bool refresh) {
  for (int p = 0; p < master->parts->n; p++) {
    cosim_member *m = &master->parts->member[p];
    cosim_feedthrough *known = &master->of_part[p].feedthrough;
    const size_t size = n_feedthrough(m) * sizeof *known->end;
    if (!refresh && m->n_seeds > 0)
      adapt_part(master, p, H);
    memcpy(known->before, known->begin, size);
    memcpy(known->begin, known->end, size);
    memcpy(known->middle, m->at_middle, size);
    memcpy(known->end, m->feedthrough, size);
  }
  master->kernel_ratio = master->kernel_H > 0 ? H / master->kernel_H : 0;
  master->kernel_H = H;
}

void cosim_begin_feedthrough(cosim_master *master) {
  if (!master->adapts)
    return;
  master->kernel_H = 0;
  for (int p = 0; p < master->parts->n; p++) {
    const cosim_member *m = &master->parts->member[p];
    if (m->repeats)
      m->part->ops->get_feedthrough(m->part, m->feedthrough);
    memcpy(master->of_part[p].feedthrough.end, m->feedthrough, n_feedthrough(m) * sizeof *m->feedthrough);
  }
}

void cosim_sum_changes(const cosim_master *master, int part, double H, const double *change, int n, double *integrals) {
  const cosim_member *m = &master->parts->member[part];
  const int n_inputs = m->part->n_inputs;
  memset(integrals, 0, (size_t)(n * n_inputs) * sizeof *integrals);
  for (int d = 0; d < m->n_seeds; d++) {
    const double by = change[master->of_part[part].refs[d].unknown];
    const cosim_kernel *kernel = &master->of_part[part].kernels[d * (m->n_nodes + 1) + m->n_nodes];
    double power = H;
    for (int k = 1; k <= n; k++, power *= H)
      integrals[(k - 1) * n_inputs + m->seeds[d].input] +=
          by * power * (k < 3 ? kernel->of[k][0][0] : kernel->of[2][k - 2][0]);
  }
}

/* Applies the last increment without repeating the step: parts add the effect of the changed inputs to their end
 * states. *is_made is false if the estimated error of some end state exceeds cosim_remaining_at_end times its
 * tolerance. If inertia does not dominate, parts that receive motions have no such limit: springs cancel most terms. */
static seam_status apply_impulses(cosim_master *master, double H, bool inertia_dominates, bool *is_made,
                                  seam_error *error) {
  seam_status status = SEAM_OK;
  *is_made = true;
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    const cosim_member *m = &master->parts->member[p];
    const int n_integrals = COSIM_N_INTEGRALS * m->part->n_inputs;
    double *integrals = master->impulses;
    double *end = integrals + n_integrals;
    bool is_made_by_part = true;
    if (!m->repeats)
      continue;
    bool receives_motion = false; /* motions of other sides drive the part */
    for (int d = 0; d < m->n_seeds; d++)
      receives_motion |= master->of_part[p].refs[d].slot->rules->variable->kind != COSIM_FORCE;
    const double limit = inertia_dominates || !receives_motion ? cosim_remaining_at_end : INFINITY;
    cosim_sum_changes(master, p, H, master->increment, COSIM_N_INTEGRALS, integrals);
    for (int i = 0; i < n_integrals; i++)
      integrals[i] = -integrals[i];
    for (int i = 0; i < m->part->n_inputs; i++)
      end[i] = cosim_signal_end(&m->inputs[i]);
    status = m->part->ops->apply_impulses(m->part, integrals, end, limit, &is_made_by_part, error);
    m->part->ops->get_outputs(m->part, m->outputs);
    *is_made = *is_made && is_made_by_part;
  }
  cosim_master_collect_outputs(master);
  return status;
}

/* ---- End-only passes ----
 *
 * A pass that follows a small correction may give outputs at the end of the step only. An output at an inner node is
 * then predicted. The prediction is the value in the pass before, plus the change by the derivatives D. The error e of
 * this prediction is estimated and added:
 *
 *   e(τ) = τ⁶ (a + b τ²).
 *
 * a and b follow from e and its rate at the end, where the new outputs are known. The prediction is exact at τ = 0, and
 * corrections of an extrapolation grow towards the end: therefore e grows with high powers of τ. At the nodes the
 * estimate leaves errors of 1/20 of the largest e (mean over the joints of the model catalogue, s = 3 to 5 stages). A
 * cubic e(τ) would leave 1/6. (docs/theory.md, Collocation) */

static void add_multiple(double *restrict sum, double factor, const double *restrict x, int n) {
  for (int i = 0; i < n; i++)
    sum[i] += factor * x[i];
}

void cosim_predict_outputs(cosim_master *master) {
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    const int n_outputs = m->part->n_outputs;
    const int n_inner = m->n_nodes * n_outputs;
    double *expected = master->of_part[p].expected;
    memcpy(expected, m->outputs, (size_t)n_outputs * sizeof *expected);
    for (int d = 0; d < m->n_seeds; d++) {
      const double change = -master->increment[master->of_part[p].refs[d].unknown];
      const double *D = cosim_member_derivatives(m, d);
      add_multiple(m->node_outputs, change, D, n_inner);
      add_multiple(expected, change, D + n_inner, n_outputs);
    }
  }
}

/* Adds e(τ) for one coordinate of a side to the outputs at the nodes. Returns the larger of |e| and |e'| at the end,
 * each divided by its tolerance. */
static double add_prediction_error(const cosim_master *master, int part, double H, const cosim_side *side,
                                   int component) {
  const int position = side->position + component;
  const int velocity = side->velocity + component;
  const cosim_member *m = &master->parts->member[part];
  const double *expected = master->of_part[part].expected;
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
  const seam_status status = cosim_parts_advance(master->parts, master->t, H, COSIM_QUICK_REPETITION, false, error);
  *prediction_error = 0;
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++)
    for (int i = 0; i < master->of_part[p].n_incidences && !master->parts->member[p].has_node_outputs; i++) {
      const cosim_incidence *at = &master->of_part[p].incidences[i];
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

/* ---- Corrections ---- */

static bool has_contracted(const cosim_master *master, double by) {
  return master->adapts && master->contraction <= by && master->contraction_age < COSIM_CONTRACTION_AGE;
}

bool cosim_master_contracts(const cosim_master *master) { return has_contracted(master, cosim_fast_contraction); }

/* Returns true if the increment can be the last one of the step. `size`: relative size of the increment; `effect`:
 * largest change of a marker's motion at the end by the increment, divided by its tolerance; `contraction`: ratio of
 * the increment to the one before. If a scheme is implicit, `size` must be within options.tolerance. Else the error
 * after the increment may instead be at most 0.03 of the parts' tolerance. This error is `effect` times `contraction`,
 * which counts as at most 1, and as at least 0.1 unless inertia dominates. If derivatives are not adapted, it counts as
 * 1. */
static bool may_be_last(const cosim_master *master, double size, double effect, double contraction,
                        bool inertia_dominates) {
  const double remaining = inertia_dominates ? contraction : fmax(contraction, cosim_remaining_by_inertia);
  if (master->iterates || size <= master->options.tolerance)
    return size <= master->options.tolerance;
  return (master->adapts ? fmin(remaining, 1) : 1) * effect <= cosim_remaining_at_end;
}

/* Returns true if the corrections diverge; further passes under diverging forces would need ever more micro steps.
 * Increment k (k > 0) diverges if it exceeds 1e-3 of the variables, and either k >= 8 or it exceeds the increment
 * before. With derivatives of an earlier step it must exceed ten times the increment before. */
static bool diverges(int k, double size, double before, bool was_refreshed) {
  return k > 0 && size > cosim_diverges && (k >= COSIM_MANY_CORRECTIONS || size > (was_refreshed ? 1 : 10) * before);
}

/* Returns true if the next pass must evaluate derivatives: the master does not reuse them, or the increment exceeds 0.3
 * of the one before. If no scheme is implicit, an increment within noise needs none: its effect is at most the parts'
 * tolerance or, with derivatives of an earlier step, a tenth of it. */
static bool wants_derivatives(const cosim_master *master, double contraction, double effect, bool are_new) {
  const double noise = are_new ? 1 : cosim_old_jacobian_noise;
  return !master->reuses || (contraction > cosim_refresh_contraction && (effect > noise || master->iterates));
}

/* Returns true if an end-only pass is accurate enough. The increment must be at most 0.1 of the variables, its error
 * (`effect` times the contraction of the last step) at most 5 times the parts' tolerance. No law may have kinks. */
static bool may_be_end_only(const cosim_master *master, double size, double effect) {
  bool all = master->adapts && size <= cosim_end_only_limit && master->contraction * effect <= cosim_prediction_limit;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    all = all && !c->gradients_are_frozen && !c->cut->element->has_kinks;
  return all;
}

seam_status cosim_correct_collocation(cosim_master *master, double H, bool refresh, seam_error *error) {
  const int many = 3; /* number of increments within which corrections converge if laws are smooth */
  cosim_correction_sizes increments = {.last = INFINITY, .least = INFINITY};
  double prediction_error = 0; /* largest error of a predicted output in the last pass, divided by its tolerance */
  bool was_refreshed = false;
  if (master->adapts)
    store_feedthrough(master, H, refresh);
  const bool inertia_dominates = !cosim_needs_derivatives(master, H);
  for (int k = 0;; k++) { /* increments made */
    TRY(cosim_find_increment(master, H, refresh || (k == 0 && master->adapts), error));
    cosim_count_refresh(master, refresh);
    cosim_measure_increment(master, &increments);
    const double size = increments.last;
    const double contraction = size / increments.before;
    const double effect = cosim_effect_of_increment(master);
    const bool is_last =
        (k > 0 || has_contracted(master, cosim_sufficient_contraction)) && prediction_error <= cosim_prediction_limit &&
        may_be_last(master, size, effect, k > 0 ? contraction : master->contraction, inertia_dominates);
    if (k == 1)
      master->contraction = contraction;
    master->contraction_age = k == 0 ? master->contraction_age + 1 : 0;
    const bool crosses_kink = k > 0 && !is_last && size > cosim_freeze_contraction * increments.before &&
                              cosim_freeze_gradients(master, H, k > many);
    if (is_last && !master->adapts)
      return SEAM_OK;
    if (k > 2 && !is_last && cosim_has_stalled(master, H, &increments, cosim_remaining_at_end))
      return SEAM_OK;
    if (!is_last && !crosses_kink &&
        (k >= master->options.iterations || !isfinite(size) || diverges(k, size, increments.before, was_refreshed)))
      return cosim_not_converged(master, H, &increments, error);
    was_refreshed = refresh;
    refresh = wants_derivatives(master, contraction, effect, refresh);
    for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
      memcpy(c->before, c->last.end.motion, sizeof c->before);
    const bool is_short = !refresh && inertia_dominates && prediction_error <= cosim_prediction_limit &&
                          may_be_end_only(master, size, effect);
    if (is_short)
      cosim_predict_outputs(master);
    cosim_apply_increment(master);
    cosim_master_set_inputs(master, true);
    if (k == 0 && !is_last && master->options.may_continue != NULL && master->all_collocate &&
        cosim_master_contracts(master) && !master->options.may_continue(master->options.context, H))
      return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: the macro step is too long for its tolerance",
                       master->t + H);
    bool is_made = false;
    if (is_last)
      TRY(apply_impulses(master, H, inertia_dominates, &is_made, error));
    if (is_made || (is_last && (effect <= cosim_remaining_at_end || size <= master->options.tolerance)))
      return SEAM_OK;
    prediction_error = 0;
    TRY(is_short ? cosim_repeat_end_only(master, H, &prediction_error, error)
                 : cosim_repeat_step(master, H, refresh, error));
  }
}
