/* Finds kinks and jumps of a cut element's law W(x, v), caused by a closing contact, dry friction or play. Conditions
 * at nodes miss kinks between nodes. The motion is known at the beginning, the nodes and the end of the step, with
 * cubics in between. Over a short interval from a to b, positions change by Δx, velocities by Δv, and W by ΔW. The
 * gradients Wx = ∂W/∂x and Wv = ∂W/∂v predict ΔW. The law counts as smooth there if the prediction is good, both with
 * the gradients at a and with those at b:
 *
 *   |ΔW - (Wx Δx + Wv Δv)| <= 0.3 max(|ΔW|, |Wx Δx| + |Wv Δv|),   on the right: the larger of a and b
 *
 * Round-off of W is allowed, too. Otherwise the law has a kink there. The transmitted force λ then differs from W. By
 * inertia alone, the defect λ - W causes errors of positions and velocities on both sides:
 *
 *   δx = α H² ∫ (1 - τ) (λ - W) dτ,   δv = α H ∫ (λ - W) dτ
 *
 * α is the feedthrough from forces to accelerations, H the length of the step, τ the time since its beginning divided
 * by H. Smooth laws cause no such error, since collocation makes λ - W orthogonal to the kernels of these integrals
 * (docs/theory.md, Collocation: the order). Only couplings with collocation, a force variable and a law that is not
 * affine are checked. If derivatives are not adapted, α is unknown, and no coupling is checked. */
#include <math.h>

#include "cosim/coupling/master.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/scales.h"

/* A point of the motion, with the law's force W and its gradients. */
typedef struct law_point {
  double tau;
  cosim_motion m[2];
  double W[COSIM_MAX_FORCES];
  cosim_gradient Wx, Wv;
} law_point;

/* Integrals of the defect of a step: ∫ (λ - W) dτ and ∫ (1 - τ) (λ - W) dτ. */
typedef struct defect {
  double mean[COSIM_MAX_FORCES], moment[COSIM_MAX_FORCES];
  bool has_kink;
} defect;

static void evaluate(const cosim_element *element, law_point *at) {
  element->ops->wrench(element, at->m, at->W);
  element->ops->wrench_gradients(element, at->m, at->Wx, at->Wv);
}

/* Change of a force as gradients predict it: the part by positions and the part by velocities, which may cancel. */
typedef struct prediction {
  double by_x, by_v;
} prediction;

static prediction predict(const law_point *at, int component, const law_point *a, const law_point *b) {
  prediction change = {0, 0};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < COSIM_MAX_DIMS; i++) {
      change.by_x += at->Wx[component][side * COSIM_MAX_DIMS + i] * (b->m[side].x[i] - a->m[side].x[i]);
      change.by_v += at->Wv[component][side * COSIM_MAX_DIMS + i] * (b->m[side].v[i] - a->m[side].v[i]);
    }
  return change;
}

/* Estimates the round-off of forces; smaller errors of predicted changes are ignored. */
static double noise(const cosim_element *element, const law_point *at) {
  double largest = 0;
  for (int k = 0; k < element->n_forces; k++) {
    const int c = element->force[k];
    double made = 0;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < COSIM_MAX_DIMS; i++)
        made += fabs(at->Wx[c][side * COSIM_MAX_DIMS + i] * at->m[side].x[i]);
    largest = fmax(largest, fmax(cosim_rounding_of_force * fabs(at->W[c]), cosim_kink_rounding * made));
  }
  return largest;
}

static bool has_kink_between(const cosim_element *element, const law_point *a, const law_point *b) {
  const double least = fmax(noise(element, a), noise(element, b));
  bool is_kinked = false;
  for (int k = 0; k < element->n_forces; k++) {
    const int c = element->force[k];
    const double change = b->W[c] - a->W[c];
    const prediction by_a = predict(a, c, a, b);
    const prediction by_b = predict(b, c, a, b);
    const double deviation = fmax(fabs(change - by_a.by_x - by_a.by_v), fabs(change - by_b.by_x - by_b.by_v));
    const double size = fmax(fabs(by_a.by_x) + fabs(by_a.by_v), fabs(by_b.by_x) + fabs(by_b.by_v));
    is_kinked |= deviation > fmax(cosim_kink_of_force * fmax(fabs(change), size), least);
  }
  return is_kinked;
}

bool cosim_law_has_kink(const cosim_element *element, const cosim_motion begin[2], const cosim_motion end[2]) {
  law_point a = {.m = {begin[0], begin[1]}};
  law_point b = {.m = {end[0], end[1]}};
  evaluate(element, &a);
  evaluate(element, &b);
  return has_kink_between(element, &a, &b);
}

/* The motion between the nodes τ = `from` and τ = `to` of a step of length H. */
typedef struct path {
  const cosim_element *element;
  const cosim_snapshot *begin, *end;
  double from, to, H;
} path;

static void find_point(const path *on, double s, law_point *at) {
  at->tau = on->from + s * (on->to - on->from);
  for (int side = 0; side < 2; side++)
    at->m[side] =
        cosim_motion_between(&on->begin->motion[side], &on->end->motion[side], (on->to - on->from) * on->H, s);
  evaluate(on->element, at);
}

/* Subtracts from *sum the integrals of W from a to b. Intervals with a kink are bisected, up to `halvings` times. In
 * the final ones W is the cubic through values and slopes at both ends or, with a kink, the line through the values. */
static void integrate_piece(const path *on, const law_point *a, const law_point *b, int halvings, defect *sum) {
  const bool is_kinked = has_kink_between(on->element, a, b);
  const double middle = (a->tau + b->tau) / 2;
  sum->has_kink |= is_kinked;
  if (is_kinked && halvings > 0) {
    law_point between;
    find_point(on, (middle - on->from) / (on->to - on->from), &between);
    integrate_piece(on, a, &between, halvings - 1, sum);
    integrate_piece(on, &between, b, halvings - 1, sum);
    return;
  }
  for (int k = 0; k < on->element->n_forces; k++) {
    const int c = on->element->force[k];
    const prediction by_a = predict(a, c, a, b);
    const prediction by_b = predict(b, c, a, b);
    const double curved = is_kinked ? 0 : ((by_a.by_x + by_a.by_v) - (by_b.by_x + by_b.by_v)) / 12;
    const double integral = (b->tau - a->tau) * ((a->W[c] + b->W[c]) / 2 + curved);
    sum->mean[c] -= integral;
    sum->moment[c] -= (1 - middle) * integral;
  }
}

static defect defect_of(const cosim_coupling *c, double H) {
  const double *inner;
  const int n_inner = cosim_inner_nodes(&c->cut->scheme, &inner);
  defect sum = {.has_kink = c->gradients_are_frozen};
  path on = {.element = c->cut->element, .to = 0, .H = H, .end = &c->begin};
  for (int node = n_inner - 1; node >= -1; node--) { /* inner nodes are in descending order */
    law_point points[2];
    on.from = on.to;
    on.begin = on.end;
    on.to = node >= 0 ? inner[node] : 1;
    on.end = node >= 0 ? &c->last.inner[node] : &c->last.end;
    find_point(&on, 0, &points[0]);
    for (int p = 1; p <= COSIM_SEARCH_INTERVALS; p++) {
      find_point(&on, (double)p / COSIM_SEARCH_INTERVALS, &points[p % 2]);
      integrate_piece(&on, &points[1 - p % 2], &points[p % 2], COSIM_KINK_HALVINGS, &sum);
    }
  }
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    if (slot->rules->variable->kind != COSIM_FORCE)
      continue;
    const cosim_signal signal = cosim_corrected_signal(slot);
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++) {
      sum.mean[slot->component] += signal.c[0][j] / (j + 1);
      sum.moment[slot->component] += signal.c[0][j] / ((j + 1) * (j + 2));
    }
  }
  return sum;
}

/* Returns the largest acceleration of a side's marker by `force` (4); along x and y divided by the scale of length. */
static double known_acceleration(const cosim_master *master, const cosim_coupling *c, int side, const double *force) {
  const cosim_side *at = &c->cut->side[side];
  const int n_outputs = master->parts->member[at->part].part->n_outputs;
  double largest = 0;
  for (int i = 0; i < c->cut->element->n_dims && at->acceleration >= 0; i++) {
    double sum = 0;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      const int input = cosim_input_of(c->cut, side, slot);
      if (slot->rules->variable->kind == COSIM_FORCE && input >= 0)
        sum +=
            master->of_part[at->part].feedthrough.end[input * n_outputs + at->acceleration + c->cut->element->dim[i]] *
            force[slot->component];
    }
    largest = fmax(largest, fabs(sum) / mbs_coordinate_scale(&master->options.scales, c->cut->element->dim[i], false));
  }
  return largest;
}

void cosim_find_law_kinks(cosim_master *master, double H) {
  master->law_kink = (cosim_law_kink){.coupling = -1};
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_coupling *c = &master->couplings[k];
    if (!master->adapts || c->cut->scheme.method != COSIM_COLLOCATION || c->cut->element->n_rows > 0 ||
        c->cut->element->is_affine || c->rules[0].variable->kind != COSIM_FORCE)
      continue;
    const defect found = defect_of(c, H);
    for (int side = 0; side < 2 && found.has_kink; side++) {
      const double change = H * known_acceleration(master, c, side, found.mean);
      if (change >= master->law_kink.velocity)
        master->law_kink = (cosim_law_kink){H * H * known_acceleration(master, c, side, found.moment), change, k};
    }
  }
}
