/* Corrections of a step with collocation couplings, by Newton's method with derivatives of earlier steps that are
 * adapted to the present one. What a change δu of an input does to a part over a step is, but for terms of order H²,
 *
 *   L:   δa = α δu + β ∫δu dt + κ ∬δu dt dt,   δv = ∫δa dt,   δx = ∬δa dt dt,
 *
 * α the instant derivatives of its accelerations, β and κ what the velocities and positions that α changes do to them,
 * known at the ends of steps and quadratic in time through three of them. Derivatives D of an earlier step become
 *
 *   D + L - L₀,   where the rest D - L₀ grows with one power of H more than L.
 *
 * They are taken anew where corrections contract badly. A last correction that is small enough is not worth a pass: α
 * brings the states after it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/master/master_internal.h"
#include "cosim/parts/signal.h"

/* ---- Which masters can ---- */

static bool adapts(const cosim_master *master) {
  bool all = master->keeps && !master->options.differences;
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    all =
        all && (!m->repeats || (m->part->ops->get_instant_derivatives != NULL && m->part->ops->apply_impulses != NULL));
  return all;
}

static size_t n_instants(const cosim_member *m) { return (size_t)m->part->n_inputs * (size_t)m->part->n_outputs; }

bool cosim_allocate_kernels(cosim_master *master) {
  const size_t n = (size_t)master->parts->n + 1;
  master->adapts = adapts(master);
  master->kernels = calloc(n, sizeof *master->kernels);
  master->instants = calloc(n, sizeof *master->instants);
  if (master->kernels == NULL || master->instants == NULL)
    return false;
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    const size_t size = n_instants(m);
    double *memory = calloc(3 * size + 1, sizeof *memory);
    master->kernels[p] = calloc((size_t)(m->n_seeds * (m->n_nodes + 1)) + 1, sizeof **master->kernels);
    master->instants[p] = (cosim_instants){memory, memory + size, memory + 2 * size};
    if (memory == NULL || master->kernels[p] == NULL)
      return false;
  }
  return true;
}

void cosim_free_kernels(cosim_master *master) {
  for (int p = 0; p < master->parts->n; p++) {
    if (master->kernels != NULL)
      free(master->kernels[p]);
    if (master->instants != NULL)
      free(master->instants[p].before);
  }
  free(master->kernels);
  free(master->instants);
}

/* ---- Kernels ---- */

/* Of a polynomial on one piece. */
static cosim_kernel kernel_of(const cosim_signal *signal, double tau) {
  cosim_kernel kernel = {.of = {{{0}}}};
  double c[COSIM_MAX_DEGREE + 1];
  memcpy(c, signal->c[0], sizeof c);
  for (int fold = 0; fold < 3; fold++)
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++) {
      const int degree = j + fold;
      for (int m = 0; m < 3; m++) {
        const double value = c[j] * pow(tau, degree + m);
        kernel.of[fold][m][0] += value;
        kernel.of[fold][m][1] += value * tau / (degree + m + 1);
        kernel.of[fold][m][2] += value * tau * tau / ((degree + m + 1) * (degree + m + 2));
      }
      c[j] /= degree + 1;
    }
  return kernel;
}

static double node_of(const cosim_master *master, const cosim_member *m, int row) {
  return row < m->n_nodes ? master->parts->nodes[row] : 1;
}

void cosim_set_kernels(cosim_master *master) {
  bool stay = master->all_collocate;
  for (int p = 0; p < master->parts->n && master->adapts && !master->kernels_stay; p++) {
    const cosim_member *m = &master->parts->member[p];
    for (int d = 0; d < m->n_seeds; d++) {
      stay = stay && !master->refs[p][d].is_rate;
      for (int row = 0; row <= m->n_nodes; row++)
        master->kernels[p][d * (m->n_nodes + 1) + row] = kernel_of(&m->seeds[d].signal, node_of(master, m, row));
    }
  }
  master->kernels_stay = stay;
}

/* ---- Adapted derivatives ---- */

/* Instant derivatives of an input (n_outputs each) over a step of length H: at the beginning of the step before, and at
 * both ends. */
typedef struct instants {
  double H, ratio; /* to the step before; 0: there was none */
  const double *before, *begin, *end;
} instants;

typedef struct adaptation {
  instants now, last; /* last: of the step that the derivatives are for */
  int n_folds;        /* 3; 1: without β and κ */
  double growth[3];   /* of the rest of a, v, x: (H / H0)^1, ^2, ^3 */
  double rate;        /* by which signals of rates shrink: H0 / H; else 1 */
} adaptation;

/* Coefficients of the quadratic in τ through the values at -1 / ratio, 0 and 1; without the first those of the line. */
static void interpolate(const instants *of, int output, double c[3]) {
  const double rise = of->end[output] - of->begin[output];
  const double rise_before = (of->begin[output] - of->before[output]) * of->ratio;
  c[0] = of->begin[output];
  c[2] = of->ratio > 0 ? (rise - rise_before) / (1 + 1 / of->ratio) : 0;
  c[1] = rise - c[2];
}

/* What L - L₀ multiplies the kernels of a coordinate by; `outputs`: its a, v, x, the places of α, β, κ. */
static void add_factors(const instants *of, int n_folds, const int outputs[3], const double scale[3],
                        cosim_kernel *factors) {
  double power = 1;
  for (int fold = 0; fold < n_folds; fold++, power *= of->H) {
    double c[3];
    interpolate(of, outputs[fold], c);
    for (int m = 0; m < 3; m++) {
      factors->of[fold][m][0] += scale[0] * power * c[m];
      factors->of[fold][m][1] += scale[1] * power * of->H * c[m];
      factors->of[fold][m][2] += scale[2] * power * of->H * of->H * c[m];
    }
  }
}

/* L - L₀ of a (n = 0), v or x. */
static double lead(const cosim_kernel *factors, const cosim_kernel *kernel, int n) {
  double sum = 0;
  for (int fold = 0; fold < 3; fold++)
    for (int m = 0; m < 3; m++)
      sum += factors->of[fold][m][n] * kernel->of[fold][m][n];
  return sum;
}

/* The derivatives of a coordinate at the nodes and at the end. */
static void adapt_coordinate(const adaptation *to, const cosim_member *m, const int outputs[3],
                             const cosim_kernel *kernel, double *D) {
  const double now[3] = {1, 1, 1};
  const double last[3] = {-to->growth[0], -to->growth[1], -to->growth[2]};
  cosim_kernel factors = {.of = {{{0}}}};
  add_factors(&to->now, to->n_folds, outputs, now, &factors);
  add_factors(&to->last, to->n_folds, outputs, last, &factors);
  for (int row = 0; row <= m->n_nodes; row++, D += m->part->n_outputs)
    for (int n = row == m->n_nodes ? 0 : 1; n < 3; n++)
      D[outputs[n]] = to->rate * to->growth[n] * D[outputs[n]] + lead(&factors, &kernel[row], n);
}

static void adapt_multiplier(const adaptation *to, const cosim_member *m, int output, const cosim_kernel *kernel,
                             double *D) {
  double now[3];
  double last[3];
  interpolate(&to->now, output, now);
  interpolate(&to->last, output, last);
  for (int row = 0; row <= m->n_nodes; row++, D += m->part->n_outputs) {
    D[output] *= to->rate * to->growth[0];
    for (int k = 0; k < 3; k++)
      D[output] += (now[k] - to->growth[0] * last[k]) * kernel[row].of[0][k][0];
  }
}

static void adapt_side(const adaptation *to, const cosim_member *m, const cosim_cut *cut, int side,
                       const cosim_kernel *kernel, double *D) {
  const cosim_side *at = &cut->side[side];
  for (int i = 0; i < cut->element->n_dims && at->acceleration >= 0; i++) {
    const int c = cut->element->dim[i];
    const int outputs[3] = {at->acceleration + c, at->velocity + c, at->position + c};
    adapt_coordinate(to, m, outputs, kernel, D);
  }
  for (int row = 0; row < cut->element->n_rows && at->multiplier >= 0; row++)
    adapt_multiplier(to, m, at->multiplier + row, kernel, D);
}

/* Largest α (0), β (1) or κ of an input. */
static double largest_of(const cosim_master *master, int part, const double *instant, int level) {
  double largest = 0;
  for (int i = 0; i < master->n_incidences[part]; i++) {
    const cosim_incidence *incidence = &master->incidences[part][i];
    const cosim_cut *cut = master->couplings[incidence->coupling].cut;
    const cosim_side *at = &cut->side[incidence->side];
    const int first[3] = {at->acceleration, at->velocity, at->position};
    for (int k = 0; k < cut->element->n_dims && at->acceleration >= 0; k++)
      largest = fmax(largest, fabs(instant[first[level] + cut->element->dim[k]]));
  }
  return largest;
}

/* Where dampers and springs of a part are stiff over the step, inertia is not what leads. */
static int n_folds_of(const cosim_master *master, int part, const double *instant, double H) {
  const double stiff = 10;
  const double most = stiff * largest_of(master, part, instant, 0);
  const bool is_stiff =
      H * largest_of(master, part, instant, 1) > most || H * H * largest_of(master, part, instant, 2) > most;
  return is_stiff ? 1 : 3;
}

static void adapt_seed(cosim_master *master, int part, int d, double H) {
  cosim_member *m = &master->parts->member[part];
  const cosim_instants *known = &master->instants[part];
  const int first = m->seeds[d].input * m->part->n_outputs;
  const double H0 = master->kernel_H;
  const double ratio = H / H0;
  const adaptation to = {
      .now = {H, ratio, known->begin + first, known->end + first, m->instant + first},
      .last = {H0, master->kernel_ratio, known->before + first, known->begin + first, known->end + first},
      .n_folds = n_folds_of(master, part, m->instant + first, H),
      .growth = {ratio, ratio * ratio, ratio * ratio * ratio},
      .rate = master->refs[part][d].is_rate ? 1 / ratio : 1};
  for (int i = 0; i < master->n_incidences[part]; i++) {
    const cosim_incidence *at = &master->incidences[part][i];
    adapt_side(&to, m, master->couplings[at->coupling].cut, at->side, master->kernels[part] + d * (m->n_nodes + 1),
               cosim_member_derivatives(m, d));
  }
}

/* After the first pass of a step, which has given α, β and κ at its end; `fresh`: the derivatives too. The end of the
 * step before is the beginning of this one. */
static void take_instants(cosim_master *master, double H, bool fresh) {
  for (int p = 0; p < master->parts->n; p++) {
    cosim_member *m = &master->parts->member[p];
    cosim_instants *known = &master->instants[p];
    const size_t n = n_instants(m);
    for (int d = 0; d < m->n_seeds && !fresh; d++)
      adapt_seed(master, p, d, H);
    memcpy(known->before, known->begin, n * sizeof *known->end);
    memcpy(known->begin, known->end, n * sizeof *known->end);
    memcpy(known->end, m->instant, n * sizeof *known->end);
  }
  master->kernel_ratio = master->kernel_H > 0 ? H / master->kernel_H : 0;
  master->kernel_H = H;
}

void cosim_begin_instants(cosim_master *master) {
  if (!master->adapts)
    return;
  master->kernel_H = 0;
  cosim_parts_get_instants(master->parts);
  for (int p = 0; p < master->parts->n; p++)
    memcpy(master->instants[p].end, master->parts->member[p].instant,
           n_instants(&master->parts->member[p]) * sizeof(double));
}

/* ---- Impulses ---- */

void cosim_sum_changes(const cosim_master *master, int part, double H, const double *change, double *first,
                       double *second) {
  const cosim_member *m = &master->parts->member[part];
  memset(first, 0, (size_t)m->part->n_inputs * sizeof *first);
  memset(second, 0, (size_t)m->part->n_inputs * sizeof *second);
  for (int d = 0; d < m->n_seeds; d++) {
    const double by = change[master->refs[part][d].unknown];
    const cosim_kernel *kernel = &master->kernels[part][d * (m->n_nodes + 1) + m->n_nodes];
    first[m->seeds[d].input] += by * H * kernel->of[0][0][1];
    second[m->seeds[d].input] += by * H * H * kernel->of[0][0][2];
  }
}

/* Makes the correction without a pass. */
static seam_status apply_impulses(cosim_master *master, double H, seam_error *error) {
  seam_status status = SEAM_OK;
  cosim_apply_correction(master);
  cosim_set_corrected_inputs(master);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    cosim_member *m = &master->parts->member[p];
    double *first = master->impulses;
    double *second = first + m->part->n_inputs;
    double *end = second + m->part->n_inputs;
    if (!m->repeats)
      continue;
    cosim_sum_changes(master, p, H, master->correction, first, second);
    for (int i = 0; i < m->part->n_inputs; i++) {
      first[i] = -first[i];
      second[i] = -second[i];
      end[i] = cosim_signal_end(&m->inputs[i]);
    }
    status = m->part->ops->apply_impulses(m->part, first, second, end, error);
    m->part->ops->get_outputs(m->part, m->outputs);
  }
  cosim_master_collect_outputs(master);
  return status;
}

/* ---- Corrections ---- */

double cosim_change_at_end(const cosim_master *master, int part, int output, const double *change) {
  const cosim_member *m = &master->parts->member[part];
  const size_t at = (size_t)m->n_nodes * (size_t)m->part->n_outputs + (size_t)output;
  double sum = 0;
  for (int d = 0; d < m->n_seeds; d++)
    sum += cosim_member_derivatives(m, d)[at] * change[master->refs[part][d].unknown];
  return sum;
}

/* Largest change, by the correction, of a position or velocity at the end over its tolerance. */
static double effect_on(const cosim_master *master, const cosim_coupling *c, int side) {
  const cosim_side *at = &c->cut->side[side];
  const double *outputs = master->parts->member[at->part].outputs;
  double largest = 0;
  for (int i = 0; i < 2 * c->cut->element->n_dims; i++) {
    const int component = c->cut->element->dim[i / 2];
    const int y = (i % 2 == 0 ? at->position : at->velocity) + component;
    const double change = cosim_change_at_end(master, at->part, y, master->correction);
    const double size = fabs(change) / (master->options.atol + master->options.rtol * fabs(outputs[y]));
    if (!(size <= largest))
      largest = size;
  }
  return largest;
}

static double effect_of_correction(const cosim_master *master) {
  double largest = 0;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int side = 0; side < 2 && c->corrects; side++) {
      const double effect = effect_on(master, c, side);
      if (!(effect <= largest))
        largest = effect;
    }
  return largest;
}

/* Whether contraction need not be seen again before a correction is made by impulses: it was good not many steps ago.
 */
static bool is_trusted(const cosim_master *master) {
  enum { often = 10 };
  const double good = 0.1;
  return master->adapts && master->contraction <= good && master->n_unseen < often;
}

static void see_contraction(cosim_master *master, int k, double contraction) {
  if (k == 1)
    master->contraction = contraction;
  master->n_unseen = k == 0 ? master->n_unseen + 1 : 0;
}

/* Whether the correction, or what impulses would leave of it, is small enough. */
static bool is_small(const cosim_master *master, double size) {
  const double left_by_impulses = 0.1; /* less, but for H beyond the scale of the motion */
  const double small = 0.01;           /* beside the tolerance: what is left adds up over many steps */
  if (master->iterates || size <= master->options.tolerance)
    return size <= master->options.tolerance;
  const double effect = effect_of_correction(master);
  return (master->adapts ? left_by_impulses : 1) * effect <= small;
}

/* The last correction, which is small. */
static seam_status end_corrections(cosim_master *master, double H, seam_error *error) {
  return master->adapts ? apply_impulses(master, H, error) : SEAM_OK;
}

/* A correction that is larger than the one before it, by derivatives of this step, or much larger by others, or still
 * large after so many: passes under such forces would take ever more micro steps. */
static bool diverges(int k, double size, double before, bool had_fresh) {
  enum { many = 8 };
  const double rounding = 1e-3;
  return k > 0 && size > rounding && (k >= many || size > (had_fresh ? 1 : 10) * before);
}

seam_status cosim_correct_collocation(cosim_master *master, double H, bool fresh, seam_error *error) {
  const double good = 0.3;     /* contraction by derivatives that are kept */
  const double rounding = 1e3; /* what shrinks no more and is as small as this is due to it, */
  const double unseen = 0.01;  /* or as small as this beside the tolerance of the motion */
  double before = INFINITY;
  double size = INFINITY;
  bool had_fresh = false;
  int worst = 0;
  int k = 0; /* corrections made */
  if (master->adapts)
    take_instants(master, H, fresh);
  for (;; k++) {
    seam_status status = cosim_find_correction(master, H, fresh || (k == 0 && master->adapts), error);
    if (status != SEAM_OK)
      return status;
    cosim_count_refresh(master, fresh);
    size = cosim_relative_size(master, master->correction, &worst);
    if ((k > 0 || is_trusted(master)) && is_small(master, size)) {
      see_contraction(master, k, size / before);
      return end_corrections(master, H, error);
    }
    see_contraction(master, k, size / before);
    if (k > 2 && size > 0.9 * before &&
        (size <= rounding * master->options.tolerance || effect_of_correction(master) <= unseen))
      return SEAM_OK;
    if (k == master->options.iterations || !isfinite(size) || diverges(k, size, before, had_fresh))
      break;
    had_fresh = fresh;
    fresh = !master->keeps || size > good * before;
    before = size;
    cosim_apply_correction(master);
    status = cosim_repeat_step(master, H, fresh, error);
    if (status != SEAM_OK)
      return status;
  }
  return cosim_not_converged(master, H, size, worst, k, error);
}
