#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/coupling/master.h"
#include "cosim/thresholds.h"

cosim_master_options cosim_default_master_options(void) {
  return (cosim_master_options){.tolerance = cosim_implicit_tolerance,
                                .iterations = COSIM_MAX_ITERATIONS,
                                .rtol = cosim_rtol,
                                .scales = {1, 1, 1, 1, 1, 1, 0}};
}

#define MASTER_ARRAYS(X)                                                                                               \
  X(master, cuts, (size_t)master->n_couplings)                                                                         \
  X(master, couplings, (size_t)master->n_couplings)                                                                    \
  X(master, slots, (size_t)master->n_slots)                                                                            \
  X(master, of_part, (size_t)master->parts->n)                                                                         \
  X(master, residual, 4 * n_unknowns)                                                                                  \
  X(master, impulses, (COSIM_N_INTEGRALS + 1) * (size_t)master->parts->max_inputs)

/* All "weighted" couplings must have the same weights, since each level (g, g', g'') is solved for all together. */
static seam_status check_weights(cosim_master *master, seam_error *error) {
  const cosim_cut *first = NULL;
  master->n_levels = 1;
  master->weight[0] = 1;
  for (const cosim_cut *cut = master->cuts; cut < master->cuts + master->n_couplings; cut++) {
    if (cut->scheme.method != COSIM_WEIGHTED)
      continue;
    if (first != NULL &&
        (first->scheme.weight[1] != cut->scheme.weight[1] || first->scheme.weight[2] != cut->scheme.weight[2]))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "couplings '%s' and '%s' have different weights: give all 'weighted' schemes the same a and b",
                       first->name == NULL ? "" : first->name, cut->name == NULL ? "" : cut->name);
    first = cut;
    memcpy(master->weight, cut->scheme.weight, sizeof master->weight);
    master->n_levels = cut->scheme.weight[2] > 0 ? 3 : 2;
  }
  if (first != NULL)
    master->options.reuse = COSIM_REUSE_NEVER;
  return SEAM_OK;
}

/* Returns the largest relative error of a correction by reused derivatives, by default; 0: no reuse. */
static double largest_error_by_reuse(const cosim_cut *cut) {
  static const double limit[cosim_n_methods] = {[COSIM_PLAIN] = cosim_reuse_original, [COSIM_D] = cosim_reuse_extended};
  const bool is_allowed = cut->scheme.decomposition == COSIM_FF && !cut->element->has_kinks;
  return is_allowed ? limit[cut->scheme.method] : 0;
}

static void fill_couplings(cosim_master *master) {
  cosim_slot *slot = master->slots;
  bool only_collocation_corrects = true;
  bool reuse_is_stable = true;
  double limit = INFINITY;
  master->all_collocate = true;
  master->updates = true;
  for (int k = 0; k < master->n_couplings; k++) {
    cosim_coupling *c = &master->couplings[k];
    const cosim_scheme *scheme = &master->cuts[k].scheme;
    const bool collocates = scheme->method == COSIM_COLLOCATION;
    cosim_coupling_init(c, &master->cuts[k], slot, master->n_unknowns);
    slot += c->n_slots;
    master->n_unknowns += c->n_unknowns;
    master->iterates = master->iterates || scheme->iteration == COSIM_IMPLICIT;
    master->updates = master->updates && (!c->corrects || scheme->iteration == COSIM_UPDATE);
    master->collocates = master->collocates || collocates;
    master->all_collocate = master->all_collocate && collocates;
    only_collocation_corrects = only_collocation_corrects && (collocates || !c->corrects);
    reuse_is_stable = reuse_is_stable && (scheme->method != COSIM_INDEX2 || scheme->order == 0);
    limit = c->corrects ? fmin(limit, largest_error_by_reuse(&master->cuts[k])) : limit;
    master->projects = master->projects || scheme->method == COSIM_PROJECTION;
    for (int side = 0; side < 2 && c->corrects; side++)
      master->parts->member[master->cuts[k].side[side].part].repeats = true;
  }
  master->updates = master->updates && master->n_unknowns > 0;
  /* Older matrices with "index2" of order above 0 need iterations: else errors of g and g' grow from step to step. */
  if (master->options.reuse != COSIM_REUSE_EXACT)
    limit =
        master->options.reuse == COSIM_REUSE_ALWAYS && (reuse_is_stable || master->iterates) ? cosim_reuse_wanted : 0;
  else if (master->iterates || master->collocates)
    limit = 0;
  master->reuse_limit = limit;
  master->reuses = !master->updates && (limit > 0 || (master->collocates && only_collocation_corrects));
  for (int k = 0; k < master->n_couplings && master->updates; k++)
    for (int side = 0; side < 2; side++) {
      cosim_member *m = &master->parts->member[master->cuts[k].side[side].part];
      const int wanted = master->cuts[k].element->n_rows > 0 ? 3 : 2;
      m->n_terms = m->n_terms > wanted ? m->n_terms : wanted;
    }
}

static int index_of_node(const cosim_parts *parts, int n, double node) {
  int at = 0;
  while (at < n && parts->nodes[at] < node)
    at++;
  return at;
}

/* Lists the inner nodes of all schemes in ascending order. A part with inner nodes gives outputs at all of them. */
static void list_nodes(cosim_master *master) {
  cosim_parts *parts = master->parts;
  const double *inner;
  int n = 0;
  for (const cosim_cut *cut = master->cuts; cut < master->cuts + master->n_couplings; cut++) {
    const int n_inner = cosim_inner_nodes(&cut->scheme, &inner);
    for (int j = 0; j < n_inner; j++) {
      const int at = index_of_node(parts, n, inner[j]);
      if (at < n && parts->nodes[at] == inner[j])
        continue;
      memmove(parts->nodes + at + 1, parts->nodes + at, (size_t)(n++ - at) * sizeof *inner);
      parts->nodes[at] = inner[j];
    }
  }
  parts->middle = n - 1;
  for (int i = 0; i < n; i++)
    if (fabs(parts->nodes[i] - 0.5) < fabs(parts->nodes[parts->middle] - 0.5))
      parts->middle = i;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const int n_inner = cosim_inner_nodes(&c->cut->scheme, &inner);
    for (int j = 0; j < n_inner; j++)
      c->row[j] = index_of_node(parts, n, inner[j]);
    for (int side = 0; side < 2 && n_inner > 0; side++)
      parts->member[c->cut->side[side].part].n_nodes = n;
  }
}

/* Refuses the I-extension at parts that step from node to node: their integrals begin at the last node. */
static seam_status check_integrals(const cosim_master *master, seam_error *error) {
  for (const cosim_cut *cut = master->cuts; cut < master->cuts + master->n_couplings; cut++)
    for (int side = 0; side < 2 && cut->scheme.method == COSIM_I; side++) {
      const cosim_member *m = &master->parts->member[cut->side[side].part];
      if (m->n_nodes > 0 && !m->part->gives_nodes)
        return seam_fail(
            error, SEAM_BAD_INPUT,
            "coupling '%s': its I-extension needs integrals over entire macro steps, but subsystem '%s' also has a "
            "coupling with collocation, which integrates from node to node: give one of these couplings another scheme",
            cut->name == NULL ? "" : cut->name, m->part->name == NULL ? "" : m->part->name);
    }
  return SEAM_OK;
}

static seam_status check_memory(int n_parts, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", n_parts);
}

/* Adds a seed for a new value that drives the part of the side. counts: only counts it, before seeds are allocated. */
static void add_ref(cosim_master *master, cosim_unknown_ref ref, int side, bool counts) {
  const cosim_cut *cut = ref.coupling->cut;
  const int part = cut->side[side].part;
  const int input = (ref.is_rate ? cosim_rate_input_of : cosim_input_of)(cut, side, ref.slot);
  cosim_member *m = &master->parts->member[part];
  if (input < 0)
    return;
  if (!counts) {
    m->seeds[m->n_seeds].input = input;
    m->corrected[input] = true;
    master->of_part[part].refs[m->n_seeds] = ref;
  }
  m->n_seeds++;
}

static void add_refs(cosim_master *master, bool counts) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    int unknown = c->first_unknown;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++)
      for (int j = 0; j < slot->rules->n_new; j++, unknown++)
        for (int i = 0; i < 4; i++)
          add_ref(master, (cosim_unknown_ref){c, slot, j, unknown, i % 2 == 1}, i / 2, counts);
  }
}

static seam_status fill_refs(cosim_master *master, seam_error *error) {
  const int n = master->parts->n;
  bool enough = true;
  add_refs(master, true);
  for (int p = 0; p < n; p++) {
    master->of_part[p].refs = calloc((size_t)master->parts->member[p].n_seeds + 1, sizeof(cosim_unknown_ref));
    enough = enough && master->of_part[p].refs != NULL;
  }
  TRY(check_memory(n, enough, error));
  TRY(cosim_parts_allocate(master->parts, error));
  for (int p = 0; p < n; p++)
    master->parts->member[p].n_seeds = 0;
  add_refs(master, false);
  return SEAM_OK;
}

static bool allocate(cosim_master *master, const cosim_cut *cuts) {
  const int *component;
  for (const cosim_cut *cut = cuts; cut < cuts + master->n_couplings; cut++) {
    master->n_unknowns += cosim_n_conditions(cut);
    for (int v = 0; v < cut->scheme.n_variables; v++)
      master->n_slots += cosim_components(cut->element, cut->scheme.variable[v].kind, &component);
  }
  const size_t n_unknowns = (size_t)master->n_unknowns;
  const bool enough = true MASTER_ARRAYS(ALLOCATE_ARRAY);
  master->interface = cosim_interface_create(master->n_unknowns);
  master->n_unknowns = 0;
  if (!enough || master->interface == NULL)
    return false;
  master->increment = master->residual + n_unknowns;
  master->work = master->increment + n_unknowns;
  master->rounding = master->work + n_unknowns;
  memcpy(master->cuts, cuts, (size_t)master->n_couplings * sizeof *cuts);
  for (int k = 0; k < master->n_couplings; k++)
    for (int side = 0; side < 2; side++)
      master->of_part[cuts[k].side[side].part].n_incidences++;
  for (int p = 0; p < master->parts->n; p++) {
    cosim_incidence *at = calloc((size_t)master->of_part[p].n_incidences + 1, sizeof *at);
    master->of_part[p].incidences = at;
    if (at == NULL)
      return false;
    for (int k = 0; k < master->n_couplings; k++)
      for (int side = 0; side < 2; side++)
        if (cuts[k].side[side].part == p)
          *at++ = (cosim_incidence){.coupling = k, .side = side};
  }
  return true;
}

static seam_status prepare(cosim_master *master, const cosim_cut *cuts, seam_error *error) {
  const int n = master->parts->n;
  TRY(check_memory(n, allocate(master, cuts), error));
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_cut *cut = &master->cuts[k];
    const cosim_part *sides[2] = {master->parts->member[cut->side[0].part].part,
                                  master->parts->member[cut->side[1].part].part};
    TRY(cosim_cut_check(cut, sides, master->options.project != NULL, error));
  }
  TRY(check_weights(master, error));
  fill_couplings(master);
  list_nodes(master);
  TRY(check_integrals(master, error));
  TRY(fill_refs(master, error));
  TRY(check_memory(n, cosim_allocate_kernels(master), error));
  if (master->n_unknowns == 0)
    return SEAM_OK;
  if (master->collocates)
    master->estimate = cosim_estimate_create(master);
  TRY(check_memory(n, !master->collocates || master->estimate != NULL, error));
  cosim_enter_interface(master, 1, 0);
  TRY(cosim_interface_end_pattern(master->interface, error));
  return cosim_initial_forces_create(master, error);
}

seam_status cosim_master_create(cosim_part **parts, int n_parts, const cosim_cut *cuts, int n_cuts,
                                const cosim_master_options *options, cosim_master **created, seam_error *error) {
  cosim_parts *all = NULL;
  TRY(cosim_parts_create(parts, n_parts, options->differences, options->gauss_seidel ? 1 : options->n_threads, &all,
                         error));
  cosim_master *master = calloc(1, sizeof *master);
  if (master == NULL)
    cosim_parts_destroy(all);
  TRY(check_memory(n_parts, master != NULL, error));
  master->options = *options;
  master->parts = all;
  master->n_couplings = n_cuts;
  const seam_status status = prepare(master, cuts, error);
  if (status == SEAM_OK)
    cosim_master_begin(master, 0, NULL, 0);
  RETURN_CREATED(status, master, created, cosim_master_destroy);
}

void cosim_master_destroy(cosim_master *master) {
  if (master == NULL)
    return;
  for (int p = 0; p < master->parts->n && master->of_part != NULL; p++) {
    free(master->of_part[p].refs);
    free(master->of_part[p].incidences);
    free(master->of_part[p].kernels);
    free(master->of_part[p].feedthrough.before);
  }
  cosim_estimate_destroy(master->estimate);
  cosim_initial_forces_destroy(master->initial_forces);
  cosim_interface_destroy(master->initial_interface);
  cosim_interface_destroy(master->interface);
  cosim_parts_destroy(master->parts);
  MASTER_ARRAYS(FREE_ARRAY)
  free(master);
}
