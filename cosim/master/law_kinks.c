/* Kinks and jumps of a cut element's law in the motion: a contact that closes, dry friction, play. Conditions at nodes
 * do not see what happens between them. The motion of the step is known at its beginning, nodes and end, cubics lie
 * between; over a short piece of it from a to b the law W(x, v) is smooth where its change follows from either
 * gradient,
 *
 *   |W_b - W_a - P| small beside |W_b - W_a| and |P|,   P = Wx Δx + Wv Δv at a and at b.
 *
 * Where it is not, the defect of the transmitted force, an additional force on both sides, is an error of the step of
 *
 *   δx = α H² ∫ (1 - τ) (λ - W) dτ,   δv = α H ∫ (λ - W) dτ
 *
 * by inertia alone, α the instant derivatives of accelerations. Smooth laws have no such error: λ - W is orthogonal to
 * the kernel there. (docs/theory.md, Collocation: the order.) */
#include <math.h>
#include <string.h>

#include "cosim/master/master_internal.h"

enum { pieces = 6 }; /* between two nodes */

static const double bent = 0.3;        /* of the change of a component, from where on a law is not smooth */
static const double negligible = 1e-9; /* of the largest component: one that rounding alone moves has no kinks */
static const double rounding = 1e-13;  /* of what a gradient makes of the markers' positions */

/* A point of the motion, and the law there. */
typedef struct law_point {
  double tau;
  cosim_motion m[2];
  double W[COSIM_MAX_FORCES];
  cosim_gradient Wx, Wv;
} law_point;

/* ∫ (λ - W) dτ and ∫ (1 - τ) (λ - W) dτ. */
typedef struct defect {
  double mean[COSIM_MAX_FORCES], moment[COSIM_MAX_FORCES];
  bool is_bent;
} defect;

static void evaluate(const cosim_element *element, law_point *at) {
  element->ops->wrench(element, at->m, at->W);
  element->ops->wrench_gradients(element, at->m, at->Wx, at->Wv);
}

static double predicted(const law_point *at, int component, const law_point *a, const law_point *b) {
  double change = 0;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < COSIM_MAX_DIMS; i++) {
      change += at->Wx[component][side * COSIM_MAX_DIMS + i] * (b->m[side].x[i] - a->m[side].x[i]);
      change += at->Wv[component][side * COSIM_MAX_DIMS + i] * (b->m[side].v[i] - a->m[side].v[i]);
    }
  return change;
}

/* Changes below it mean nothing. */
static double noise(const cosim_element *element, const law_point *at) {
  double largest = 0;
  for (int k = 0; k < element->n_forces; k++) {
    const int c = element->force[k];
    double made = 0;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < COSIM_MAX_DIMS; i++)
        made += fabs(at->Wx[c][side * COSIM_MAX_DIMS + i] * at->m[side].x[i]);
    largest = fmax(largest, fmax(negligible * fabs(at->W[c]), rounding * made));
  }
  return largest;
}

static bool is_bent(const cosim_element *element, const law_point *a, const law_point *b) {
  const double least = fmax(noise(element, a), noise(element, b));
  bool bends = false;
  for (int k = 0; k < element->n_forces; k++) {
    const int c = element->force[k];
    const double change = b->W[c] - a->W[c];
    const double by_a = predicted(a, c, a, b);
    const double by_b = predicted(b, c, a, b);
    const double largest = fmax(fabs(change), fmax(fabs(by_a), fabs(by_b)));
    bends |= fmax(fabs(change - by_a), fabs(change - by_b)) > fmax(bent * largest, least);
  }
  return bends;
}

/* Of a trapezoid. */
static void add_defects(const cosim_coupling *c, const law_point *at, double weight, defect *sum) {
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    if (slot->quantity->variable->kind != COSIM_FORCE)
      continue;
    const cosim_signal signal = cosim_corrected_signal(slot);
    const double missed = cosim_signal_value(&signal, at->tau) - at->W[slot->component];
    sum->mean[slot->component] += weight * missed;
    sum->moment[slot->component] += weight * (1 - at->tau) * missed;
  }
}

static defect defect_of(const cosim_coupling *c, double H) {
  const cosim_element *element = c->cut->element;
  const double *inner;
  const int n_inner = cosim_inner_nodes(&c->cut->scheme, &inner);
  defect sum = {.is_bent = false};
  law_point points[2] = {{.tau = 0, .m = {c->begin.motion[0], c->begin.motion[1]}}};
  double from = 0;
  evaluate(element, &points[0]);
  for (int node = 0, i = 1; node <= n_inner; node++) {
    const double to = node < n_inner ? inner[node] : 1;
    const cosim_snapshot *a = node == 0 ? &c->begin : &c->last.inner[node - 1];
    const cosim_snapshot *b = node < n_inner ? &c->last.inner[node] : &c->last.end;
    for (int p = 1; p <= pieces; p++, i++) {
      law_point *now = &points[i % 2];
      law_point *before = &points[1 - i % 2];
      const double s = (double)p / pieces;
      now->tau = from + s * (to - from);
      for (int side = 0; side < 2; side++)
        now->m[side] = cosim_motion_between(&a->motion[side], &b->motion[side], (to - from) * H, s);
      evaluate(element, now);
      sum.is_bent |= is_bent(element, before, now);
      add_defects(c, before, (to - from) / pieces / 2, &sum);
      add_defects(c, now, (to - from) / pieces / 2, &sum);
    }
    from = to;
  }
  return sum;
}

/* Of the marker of a side, by forces (4). */
static double acceleration(const cosim_master *master, const cosim_coupling *c, int side, const double *force) {
  const cosim_side *at = &c->cut->side[side];
  const int n_outputs = master->parts->member[at->part].part->n_outputs;
  double largest = 0;
  for (int i = 0; i < c->cut->element->n_dims && at->acceleration >= 0; i++) {
    double sum = 0;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      const int input = cosim_input_of(c->cut, side, slot->quantity->variable, slot->component);
      if (slot->quantity->variable->kind == COSIM_FORCE && input >= 0)
        sum += master->instants[at->part].end[input * n_outputs + at->acceleration + c->cut->element->dim[i]] *
               force[slot->component];
    }
    largest = fmax(largest, fabs(sum));
  }
  return largest;
}

static bool is_watched(const cosim_coupling *c) {
  return c->cut->scheme.method == COSIM_COLLOCATION && c->cut->element->n_rows == 0 && !c->cut->element->is_affine &&
         c->quantity[0].variable->kind == COSIM_FORCE;
}

void cosim_watch_laws(cosim_master *master, double H) {
  master->law_kink = (cosim_law_kink){.coupling = -1};
  for (int k = 0; k < master->n_couplings && master->adapts; k++) {
    const cosim_coupling *c = &master->couplings[k];
    if (!is_watched(c))
      continue;
    const defect found = defect_of(c, H);
    for (int side = 0; side < 2 && found.is_bent; side++) {
      const double change = H * acceleration(master, c, side, found.mean);
      if (change >= master->law_kink.velocity)
        master->law_kink = (cosim_law_kink){H * H * acceleration(master, c, side, found.moment), change, k};
    }
  }
}

cosim_law_kink cosim_master_law_kink(const cosim_master *master) { return master->law_kink; }
