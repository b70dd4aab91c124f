/* Outputs with feedthrough, y = g(t, x, u), whose inputs u are outputs of other parts. The outputs z of a loop are
 * found together,
 *
 *   z = G(z),   G: one pass, which evaluates the outputs in sequence, each under the newest values of the others,
 *
 * first by repeated passes, then by Newton's method with difference quotients of G. Passes suffice for an apparent
 * loop, which exists only because a part does not declare which of its outputs depend on which inputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/coupling/exchange.h"
#include "cosim/thresholds.h"
#include "solvers/dense.h"

static cosim_part *part_of(const cosim_exchange *self, int member) { return self->parts->member[member].part; }

static double *newest(const cosim_exchange *self, cosim_terminal output) {
  return &self->history[output.member].past[output.number];
}

/* ---- The order of outputs: strongly connected components, by the depth-first search of Tarjan ---- */

typedef struct search {
  const cosim_exchange *exchange;
  cosim_occasion occasion;
  cosim_order *order;
  int *first;    /* (members) index of a member's first output among all outputs */
  int *found;    /* (outputs) position in the search; 0: not found yet */
  int *low;      /* (outputs) least position reached from the output */
  bool *is_open; /* (outputs) true on the stack `open` */
  cosim_terminal *open;
  bool *follows; /* (outputs) true: the output may jump at a sample, through feedthrough from sampled outputs */
  int n_open, n_found;
} search;

/* Returns true if the occasion evaluates outputs of a part. Mechanical parts have none with feedthrough. */
static bool is_evaluated(const search *s, const cosim_part *part) {
  const bool can = part->ops->evaluate_outputs != NULL;
  if (part->is_mechanical)
    return false;
  if (s->occasion == COSIM_AT_START)
    return can || cosim_part_can_repeat(part);
  return can &&
         (s->occasion == COSIM_AT_POINTS ? part->is_algebraic || part->feedthrough != NULL : !cosim_is_sampled(part));
}

static int number_of(const search *s, cosim_terminal output) { return s->first[output.member] + output.number; }

/* Moves *link to the next one (NULL: the first) that may affect the output directly. Returns false if there is none. */
static bool next_source(const search *s, cosim_terminal output, const cosim_link **link) {
  const cosim_part *part = part_of(s->exchange, output.member);
  const cosim_link *end = s->exchange->links + s->exchange->history[output.member + 1].first_link;
  if (*link == NULL)
    *link = s->exchange->links + s->exchange->history[output.member].first_link;
  else
    ++*link;
  while (*link < end &&
         (cosim_is_held(part, output.number) ||
          (part->feedthrough != NULL && !part->feedthrough[output.number * part->n_inputs + (*link)->input])))
    ++*link;
  return *link < end;
}

static bool depends(const search *s, cosim_terminal output, const cosim_terminal *on, int n) {
  bool some = false;
  for (const cosim_link *link = NULL; next_source(s, output, &link);)
    for (int i = 0; i < n; i++)
      some |= link->from == on[i].member && link->output == on[i].number;
  return some;
}

/* Adds the outputs (n) that the search has found together, one output or a loop, if the occasion evaluates them. One
 * output joins the last group if it belongs to the same member and does not depend on that group. */
static void add_group(search *s, const cosim_terminal *outputs, int n) {
  cosim_order *order = s->order;
  cosim_group *last = order->n_groups > 0 ? &order->groups[order->n_groups - 1] : NULL;
  const bool is_loop = depends(s, *outputs, outputs, n); /* each output of a loop depends on another */
  bool is_selected =
      s->occasion == COSIM_AT_START ||
      (s->occasion == COSIM_AT_POINTS && (is_loop || part_of(s->exchange, outputs->member)->is_algebraic));
  if (s->occasion == COSIM_AT_SAMPLES) {
    for (int i = 0; i < n; i++) /* selects outputs that may jump at samples */
      for (const cosim_link *link = NULL; next_source(s, outputs[i], &link);)
        is_selected |= cosim_is_sampled(part_of(s->exchange, link->from)) ||
                       s->follows[number_of(s, (cosim_terminal){link->from, link->output})];
    for (int i = 0; i < n; i++)
      s->follows[number_of(s, outputs[i])] = is_selected;
  }
  if (!is_selected)
    return;
  if (last != NULL && !is_loop && !last->is_loop && order->nodes[last->first].member == outputs->member &&
      !depends(s, *outputs, order->nodes + last->first, last->n))
    last->n += n;
  else
    order->groups[order->n_groups++] = (cosim_group){.first = order->n_nodes, .n = n, .is_loop = is_loop};
  memcpy(order->nodes + order->n_nodes, outputs, (size_t)n * sizeof *outputs);
  order->n_nodes += n;
  order->n_in_loop = is_loop && n > order->n_in_loop ? n : order->n_in_loop;
}

static void visit(search *s, cosim_terminal output) {
  const int me = number_of(s, output);
  const int bottom = s->n_open;
  s->found[me] = s->low[me] = ++s->n_found;
  s->is_open[me] = true;
  s->open[s->n_open++] = output;
  for (const cosim_link *link = NULL; next_source(s, output, &link);) {
    const cosim_terminal source = {link->from, link->output};
    const int other = number_of(s, source);
    if (!is_evaluated(s, part_of(s->exchange, link->from)))
      continue;
    if (s->found[other] == 0)
      visit(s, source);
    if (s->is_open[other] && s->low[other] < s->low[me])
      s->low[me] = s->low[other];
  }
  if (s->low[me] < s->found[me])
    return;
  for (int i = bottom; i < s->n_open; i++)
    s->is_open[number_of(s, s->open[i])] = false;
  add_group(s, s->open + bottom, s->n_open - bottom);
  s->n_open = bottom;
}

seam_status cosim_order_find(const cosim_exchange *exchange, cosim_occasion occasion, cosim_order *order,
                             seam_error *error) {
  size_t n = 1;
  for (int m = 0; m < exchange->n; m++)
    n += (size_t)part_of(exchange, m)->n_outputs;
  int *numbers = calloc((size_t)exchange->n + 1 + 2 * n, sizeof *numbers);
  bool *marks = calloc(2 * n, sizeof *marks);
  cosim_terminal *open = calloc(n, sizeof *open);
  order->nodes = calloc(n, sizeof *order->nodes);
  order->groups = calloc(n, sizeof *order->groups);
  const bool enough = numbers != NULL && marks != NULL && open != NULL && order->nodes != NULL && order->groups != NULL;
  if (enough) {
    search s = {exchange, occasion, order, numbers, .is_open = marks, .open = open, .follows = marks + n};
    s.found = s.first + exchange->n + 1;
    s.low = s.found + n;
    for (int m = 0; m < exchange->n; m++)
      s.first[m + 1] = s.first[m] + part_of(exchange, m)->n_outputs;
    for (int m = 0; m < exchange->n; m++)
      for (int o = 0; o < part_of(exchange, m)->n_outputs && is_evaluated(&s, part_of(exchange, m)); o++)
        if (s.found[s.first[m] + o] == 0)
          visit(&s, (cosim_terminal){m, o});
  }
  free(numbers);
  free(marks);
  free(open);
  return enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the order of %d subsystems", exchange->n);
}

void cosim_order_free(cosim_order *order) {
  free(order->nodes);
  free(order->groups);
  free(order->scratch);
  free(order->pivots);
}

/* ---- Outputs under the newest values ---- */

typedef struct evaluation {
  cosim_exchange *exchange;
  cosim_order *order;
  const cosim_terminal *nodes; /* (n) outputs of the group */
  int n;
  double t, H;
  seam_error *error;
} evaluation;

seam_status cosim_exchange_check_outputs(const cosim_exchange *self, int part, const double *outputs,
                                         seam_error *error) {
  const cosim_part *of = self->parts->member[part].part;
  for (int i = 0; i < of->n_outputs; i++)
    if (!isfinite(outputs[i]))
      return seam_fail(
          error, SEAM_NOT_FINITE,
          "t = %.9g s: subsystem '%s': its outputs are not finite%s: check its equations and initial values", self->t,
          of->name, self->begun ? "" : " at the start");
  return SEAM_OK;
}

/* Evaluates n outputs of one member under the newest inputs, perhaps by a short step; sets *changed if one changes. */
static seam_status update_outputs(const evaluation *e, const cosim_terminal *nodes, int n, bool *changed) {
  cosim_exchange *x = e->exchange;
  const int number = nodes->member;
  cosim_member *member = &x->parts->member[number];
  cosim_part *part = member->part;
  seam_status status = SEAM_OK;
  if (x->history[number].t != e->t)
    return SEAM_OK;
  for (int i = 0; i < part->n_inputs; i++)
    member->inputs[i] = (cosim_signal){.n_pieces = 1};
  for (int k = x->history[number].first_link; k < x->history[number + 1].first_link; k++) {
    const cosim_link *link = &x->links[k];
    const cosim_participant_history *from = &x->history[link->from];
    const double value = from->t == e->t ? from->past[link->output] : link->end_value;
    member->inputs[link->input].c[0][0] += link->gain * value + link->offset;
  }
  if (part->ops->evaluate_outputs != NULL) {
    part->ops->evaluate_outputs(part, e->t, member->inputs, x->sampled);
    status = cosim_exchange_check_outputs(x, number, x->sampled, e->error);
  } else {
    part->ops->save(part, member->saved);
    status = cosim_parts_advance_one(x->parts, number, e->t, cosim_short_step * e->H, false, e->error);
    part->ops->restore(part, member->saved);
  }
  const double *outputs = part->ops->evaluate_outputs != NULL ? x->sampled : member->outputs;
  for (int i = 0; i < n && status == SEAM_OK; i++) {
    const double value = outputs[nodes[i].number];
    *changed |= value != *newest(x, nodes[i]);
    *newest(x, nodes[i]) = member->outputs[nodes[i].number] = value;
  }
  return status;
}

/* ---- Loops ---- */

static seam_status evaluate_once(const evaluation *e, bool *changed) {
  for (int i = 0; i < e->n; i++)
    TRY(update_outputs(e, e->nodes + i, 1, changed));
  return SEAM_OK;
}

/* Evaluates G(z). */
static seam_status map(const evaluation *e, const double *z, double *G) {
  bool changed = false;
  for (int i = 0; i < e->n; i++)
    *newest(e->exchange, e->nodes[i]) = z[i];
  TRY(evaluate_once(e, &changed));
  for (int i = 0; i < e->n; i++)
    G[i] = *newest(e->exchange, e->nodes[i]);
  return SEAM_OK;
}

/* Sets A to I - dG/dz at z, column by column. `changed` is scratch. */
static seam_status differentiate(const evaluation *e, double *z, const double *G, double *A, double *changed) {
  for (int j = 0; j < e->n; j++) {
    const double at = z[j];
    const double size = fmax(fabs(at), fabs(G[j]));
    z[j] += cosim_change_of_position * (size > 0 ? size : 1);
    const double change = z[j] - at;
    TRY(map(e, z, changed));
    z[j] = at;
    for (int i = 0; i < e->n; i++)
      A[i + j * e->n] = (i == j) - (changed[i] - G[i]) / change;
  }
  return SEAM_OK;
}

static seam_status fail_loop(const evaluation *e, const char *why) {
  char names[200] = "";
  size_t used = 0;
  for (int i = 0; i < e->n && used < sizeof names; i++) {
    const char *name = part_of(e->exchange, e->nodes[i].member)->name;
    if (i == 0 || e->nodes[i].member != e->nodes[i - 1].member)
      used +=
          (size_t)snprintf(names + used, sizeof names - used, "%s'%.60s'", i > 0 ? ", " : "", name != NULL ? name : "");
  }
  return seam_fail(e->error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: outputs of subsystems %s form an algebraic loop %s: let one of the outputs depend on "
                   "states alone, or sample it",
                   e->t, names, why);
}

/* Newton's method: z += d, A d = G - z, until the largest change relative to the largest value so far is small. */
static seam_status solve(const evaluation *e, double *z) {
  const int n = e->n;
  double *G = z + n;
  double *changed = G + n;
  double *largest = changed + n;
  double *A = largest + n;
  double left = INFINITY;
  memset(largest, 0, (size_t)n * sizeof *largest);
  for (int k = 0; k < COSIM_MAX_ITERATIONS && !(left <= cosim_loop_tolerance); k++) {
    TRY(map(e, z, G));
    TRY(differentiate(e, z, G, A, changed));
    if (!seam_dense_factor(n, A, e->order->pivots))
      return fail_loop(e, "that has no single solution");
    for (int i = 0; i < n; i++) {
      largest[i] = fmax(largest[i], fmax(fabs(z[i]), fabs(G[i])));
      G[i] -= z[i];
    }
    seam_dense_solve(n, A, e->order->pivots, G);
    left = 0;
    for (int i = 0; i < n; i++) {
      z[i] += G[i];
      left = fmax(left, largest[i] > 0 ? fabs(G[i]) / largest[i] : fabs(G[i]));
    }
  }
  for (int i = 0; i < n; i++) {
    const cosim_terminal node = e->nodes[i];
    *newest(e->exchange, node) = e->exchange->parts->member[node.member].outputs[node.number] = z[i];
  }
  return left <= cosim_loop_tolerance ? SEAM_OK : fail_loop(e, "for which Newton's method finds no solution");
}

/* Finds the outputs of a loop by passes and, if these still change values, by Newton's method. The values of an
 * apparent loop of n outputs are final after n passes; one more pass shows it. If some member has not reached t, there
 * is one pass only. */
static seam_status close_loop(const evaluation *e) {
  const size_t n = (size_t)e->order->n_in_loop;
  bool changed = true;
  bool have_arrived = true;
  for (int i = 0; i < e->n; i++)
    have_arrived = have_arrived && e->exchange->history[e->nodes[i].member].t == e->t;
  if (!have_arrived)
    return evaluate_once(e, &changed);
  if (e->order->scratch == NULL)
    e->order->scratch = calloc(n * n + 4 * n, sizeof *e->order->scratch);
  if (e->order->pivots == NULL)
    e->order->pivots = calloc(n, sizeof *e->order->pivots);
  if (e->order->scratch == NULL || e->order->pivots == NULL)
    return seam_fail(e->error, SEAM_NO_MEMORY, "no memory for a loop of %d outputs", e->n);
  double *z = e->order->scratch;
  for (int i = 0; i < e->n; i++)
    z[i] = *newest(e->exchange, e->nodes[i]);
  for (int k = 0; k <= e->n && changed; k++) {
    changed = false;
    TRY(evaluate_once(e, &changed));
  }
  return changed ? solve(e, z) : SEAM_OK;
}

seam_status cosim_order_evaluate(cosim_exchange *exchange, cosim_order *order, double t, double H, seam_error *error) {
  bool changed = false;
  for (const cosim_group *group = order->groups; group < order->groups + order->n_groups; group++) {
    const evaluation e = {exchange, order, order->nodes + group->first, group->n, t, H, error};
    TRY(group->is_loop ? close_loop(&e) : update_outputs(&e, e.nodes, e.n, &changed));
  }
  return SEAM_OK;
}
