/* Corrections of a step with collocation couplings, by Newton's method with derivatives of earlier steps that are
 * adapted to the present one. What a change δu of an input does to a part over a step is, but for terms of order H,
 *
 *   L:   δa = α δu,   δv = ∫α δu dt,   δx = ∬α δu dt dt,   α the instant derivatives of its accelerations,
 *
 * α known at the beginning and at the end of every step and linear between them. Derivatives D of an earlier step
 * become
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
    double *memory = calloc(2 * size + 1, sizeof *memory);
    master->kernels[p] = calloc((size_t)(m->n_seeds * (m->n_nodes + 1)) + 1, sizeof **master->kernels);
    master->instants[p] = (cosim_instants){memory, memory + size};
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
      free(master->instants[p].begin);
  }
  free(master->kernels);
  free(master->instants);
}

/* ---- Kernels ---- */

/* Of a polynomial on one piece, and of its product with τ. */
static cosim_kernel kernel_of(const cosim_signal *signal, double tau) {
  cosim_kernel kernel = {.value = {0}};
  double power = 1;
  for (int j = 0; j <= COSIM_MAX_DEGREE; j++, power *= tau) {
    const double c = signal->c[0][j] * power;
    const double shifted = c * tau; /* of τ^(j + 1) */
    kernel.value[0] += c;
    kernel.value[1] += shifted;
    kernel.velocity[0] += c * tau / (j + 1);
    kernel.velocity[1] += shifted * tau / (j + 2);
    kernel.position[0] += c * tau * tau / ((j + 1) * (j + 2));
    kernel.position[1] += shifted * tau * tau / ((j + 2) * (j + 3));
  }
  return kernel;
}

static double node_of(const cosim_master *master, const cosim_member *m, int row) {
  return row < m->n_nodes ? master->parts->nodes[row] : 1;
}

void cosim_set_kernels(cosim_master *master) {
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    for (int d = 0; d < m->n_seeds; d++)
      for (int row = 0; row <= m->n_nodes; row++)
        master->kernels[p][d * (m->n_nodes + 1) + row] = kernel_of(&m->seeds[d].signal, node_of(master, m, row));
  }
}

/* ---- Adapted derivatives ---- */

/* What changes between the derivatives at hand, of a step of length H0, and those of the present one. */
typedef struct adaptation {
  double power[3], power0[3];  /* of H and of H0: 0, 1, 2 */
  double growth[3];            /* of the rest of what is of that power: (H / H0)^(power + 1) */
  const double *begin, *end;   /* α of an input (n_outputs) in the present step */
  const double *begin0, *end0; /* and in that one */
  double rate;                 /* by which kernels of rates shrink: H0 / H; else 1 */
} adaptation;

/* What the kernel makes of α, which changes linearly over the step. */
static double lead(const double kernel[2], double begin, double end) {
  return kernel[0] * begin + kernel[1] * (end - begin);
}

/* The derivative D of an output, of order H^power; `alpha`: the instant derivative that it goes with. */
static double adapted(const adaptation *to, double D, int power, const double kernel[2], int alpha) {
  const double before = lead(kernel, to->begin0[alpha], to->end0[alpha]) / to->rate * to->power0[power];
  const double rest = (D - before) * to->rate * to->growth[power];
  return lead(kernel, to->begin[alpha], to->end[alpha]) * to->power[power] + rest;
}

static void adapt_row(const adaptation *to, const cosim_cut *cut, int side, bool is_end, const cosim_kernel *kernel,
                      double *D) {
  const cosim_side *at = &cut->side[side];
  for (int i = 0; i < cut->element->n_dims && at->acceleration >= 0; i++) {
    const int c = cut->element->dim[i];
    const int a = at->acceleration + c;
    D[at->position + c] = adapted(to, D[at->position + c], 2, kernel->position, a);
    D[at->velocity + c] = adapted(to, D[at->velocity + c], 1, kernel->velocity, a);
    if (is_end)
      D[a] = adapted(to, D[a], 0, kernel->value, a);
  }
  for (int row = 0; row < cut->element->n_rows && at->multiplier >= 0; row++)
    D[at->multiplier + row] = adapted(to, D[at->multiplier + row], 0, kernel->value, at->multiplier + row);
}

static void adapt_seed(cosim_master *master, int part, int d, double H) {
  cosim_member *m = &master->parts->member[part];
  const cosim_instants *known = &master->instants[part];
  const int first = m->seeds[d].input * m->part->n_outputs;
  const double H0 = master->kernel_H;
  const double ratio = H / H0;
  const adaptation to = {.power = {1, H, H * H},
                         .power0 = {1, H0, H0 * H0},
                         .growth = {ratio, ratio * ratio, ratio * ratio * ratio},
                         .begin = known->end + first,
                         .end = m->instant + first,
                         .begin0 = known->begin + first,
                         .end0 = known->end + first,
                         .rate = master->refs[part][d].is_rate ? 1 / ratio : 1};
  double *D = cosim_member_derivatives(m, d);
  const cosim_kernel *kernel = master->kernels[part] + d * (m->n_nodes + 1);
  for (int row = 0; row <= m->n_nodes; row++, D += m->part->n_outputs)
    for (int i = 0; i < master->n_incidences[part]; i++) {
      const cosim_incidence *at = &master->incidences[part][i];
      adapt_row(&to, master->couplings[at->coupling].cut, at->side, row == m->n_nodes, &kernel[row], D);
    }
}

/* After the first pass of a step, which has given α at its end; `fresh`: the derivatives too. The end of the step
 * before is the beginning of this one. */
static void take_instants(cosim_master *master, double H, bool fresh) {
  for (int p = 0; p < master->parts->n; p++) {
    cosim_member *m = &master->parts->member[p];
    cosim_instants *known = &master->instants[p];
    const size_t n = n_instants(m);
    for (int d = 0; d < m->n_seeds && !fresh; d++)
      adapt_seed(master, p, d, H);
    memcpy(known->begin, known->end, n * sizeof *known->end);
    memcpy(known->end, m->instant, n * sizeof *known->end);
  }
  master->kernel_H = H;
}

void cosim_begin_instants(cosim_master *master) {
  if (!master->adapts)
    return;
  cosim_parts_get_instants(master->parts);
  for (int p = 0; p < master->parts->n; p++)
    memcpy(master->instants[p].end, master->parts->member[p].instant,
           n_instants(&master->parts->member[p]) * sizeof(double));
}

/* ---- Impulses ---- */

/* Of all seeds together: ∫δu and ∬δu at the end of the step. */
static void sum_changes(const cosim_master *master, int part, double H, double *first, double *second) {
  const cosim_member *m = &master->parts->member[part];
  memset(first, 0, (size_t)m->part->n_inputs * sizeof *first);
  memset(second, 0, (size_t)m->part->n_inputs * sizeof *second);
  for (int d = 0; d < m->n_seeds; d++) {
    const double change = -master->correction[master->refs[part][d].unknown];
    const cosim_kernel *kernel = &master->kernels[part][d * (m->n_nodes + 1) + m->n_nodes];
    first[m->seeds[d].input] += change * H * kernel->velocity[0];
    second[m->seeds[d].input] += change * H * H * kernel->position[0];
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
    sum_changes(master, p, H, first, second);
    for (int i = 0; i < m->part->n_inputs; i++)
      end[i] = cosim_signal_end(&m->inputs[i]);
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

/* A correction that is larger than the one before it, by derivatives of this step, or much larger by others: passes
 * under such forces would take ever more micro steps. */
static bool diverges(int k, double size, double before, bool had_fresh) {
  const double rounding = 1e-3;
  return k > 0 && size > rounding && size > (had_fresh ? 1 : 10) * before;
}

seam_status cosim_correct_collocation(cosim_master *master, double H, bool fresh, seam_error *error) {
  const double good = 0.3;     /* contraction by derivatives that are kept */
  const double rounding = 1e3; /* what shrinks no more and is as small as this is due to it, */
  const double unseen = 0.01;  /* or as small as this beside the tolerance of the motion */
  double before = INFINITY;
  double size = INFINITY;
  bool had_fresh = false;
  int worst = 0;
  if (master->adapts)
    take_instants(master, H, fresh);
  for (int k = 0; k <= master->options.iterations; k++) {
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
  return cosim_not_converged(master, H, size, worst, error);
}
