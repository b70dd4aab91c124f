/* Draws rails and writes them as model files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/generator/trial.h"

/* ---- Masses ------------------------------------------------------------------------------------------------------ */

static void draw_masses(trial *t, rail *r) {
  r->n = 1 + draw_below(t, MAX_MASSES);
  r->first = t->n_bodies;
  r->guided = draw_chance(t, 0.4);
  const bool unlike = draw_chance(t, 0.25); /* light ones beside heavy ones */
  for (int i = 0; i < r->n; i++) {
    r->mass[i] = unlike ? draw_log(t, 1e-3, 1e3) : draw_log(t, 0.3, 3);
    r->inertia[i] = draw_log(t, 0.1, 10);
    r->v0[i] = draw_chance(t, 0.7) ? draw(t, -2, 2) : 0;
    r->place[i] = RAIL_SPACING * i;
  }
}

static void draw_loads(trial *t, rail *r) {
  for (int i = 0; i < r->n; i++) {
    if (draw_chance(t, 0.3)) {
      r->F[i] = r->mass[i] * draw(t, -5, 5);
      r->W[i] = draw_log(t, 0.5, 20);
      r->P[i] = draw(t, -3, 3);
      t->rate = fmax(t->rate, r->W[i]);
    }
    if (draw_chance(t, 0.08)) {
      r->pulse_width[i] = t->end * draw_log(t, 2e-4, 2e-2);
      r->pulse_at[i] = draw(t, 0.1, 0.8) * t->end;
      r->pulse[i] = r->mass[i] * draw(t, 0.5, 3) / r->pulse_width[i];
    }
  }
}

/* ---- Links ------------------------------------------------------------------------------------------------------- */

static double mobility_of(const rail *r, const rail_link *l) {
  return 1 / r->mass[l->b] + (l->a < 0 ? 0 : 1 / r->mass[l->a]);
}

static rail_link *new_link(rail *r, rail_law law, int a, int b) {
  rail_link *l = &r->link[r->n_links++];
  *l = (rail_link){.law = law, .a = a, .b = b};
  return l;
}

static void draw_spring(trial *t, rail *r, int a, int b) {
  rail_link *l = new_link(r, draw_chance(t, 0.7) ? RAIL_SPRING : RAIL_CUBIC, a, b);
  const double w = draw_log(t, 1, 40), m = 1 / mobility_of(r, l);
  l->c = m * w * w;
  l->d = draw_chance(t, 0.6) ? 2 * m * w * draw_log(t, 0.005, 0.7) : 0;
  l->e = l->law == RAIL_CUBIC ? l->c * draw_log(t, 0.1, 10) : 0;
  t->rate = fmax(t->rate, w);
}

static void draw_contact(trial *t, rail *r, int a, int b) {
  rail_link *l = new_link(r, RAIL_CONTACT, a, b);
  const double w = draw_log(t, 5, 150);
  l->c = w * w / mobility_of(r, l);
  l->d = draw_chance(t, 0.5) ? draw(t, 0, 0.5) : 0;
  l->at = draw_log(t, 0.005, 0.3);
  t->rate = fmax(t->rate, w);
}

static void draw_other(trial *t, rail *r, int a, int b) {
  switch (draw_below(t, 4)) {
  case 0: {
    rail_link *l = new_link(r, RAIL_TANH, a, b);
    l->e = draw_log(t, 0.01, 0.3);
    l->c = draw_log(t, 0.3, 3) / mobility_of(r, l);
    t->rate = fmax(t->rate, l->c * mobility_of(r, l) / l->e / 3);
    break;
  }
  case 1: {
    rail_link *l = new_link(r, RAIL_ZONE, GROUND, b);
    l->at = draw(t, -0.5, 0.5);
    l->e = draw_log(t, 0.003, 0.1);
    l->c = draw(t, -0.5, 1) * r->mass[b] / l->e;
    t->rate = fmax(t->rate, 2 / l->e / 3);
    break;
  }
  case 2: {
    rail_link *l = new_link(r, RAIL_HARD, GROUND, b);
    l->at = draw_log(t, 0.01, 0.3);
    l->e = draw_chance(t, 0.25) ? 0 : draw(t, 0.3, 0.95);
    break;
  }
  default:
    draw_contact(t, r, a, b);
  }
}

static void draw_links(trial *t, rail *r) {
  for (int i = 0; i < r->n; i++) {
    const int a = i == 0 ? GROUND : i - 1;
    if (i == 0 ? draw_chance(t, 0.5) : draw_chance(t, 0.75))
      draw_spring(t, r, a, i);
    else if (i > 0)
      draw_contact(t, r, a, i);
    if (draw_chance(t, 0.35))
      draw_other(t, r, a, i);
  }
}

/* ---- Friction and controllers ------------------------------------------------------------------------------------ */

static void draw_friction(trial *t, rail *r) {
  for (int i = 0; i < r->n; i++) {
    bool is_free = r->guided && r->v0[i] != 0;
    for (int j = 0; j < r->n_links; j++)
      is_free &= r->link[j].law != RAIL_HARD || r->link[j].b != i;
    if (is_free && draw_chance(t, 0.25))
      r->rubs[i] = r->mass[i] * draw(t, 0.3, 4);
  }
}

static void draw_controls(trial *t, rail *r, bool cut) {
  if (!draw_chance(t, 0.5))
    return;
  const int n = 1 + (r->n > 1 && draw_chance(t, 0.3));
  const double w = draw_log(t, 1, 15), any = draw_log(t, 0.003, 0.5) / w;
  const bool sampled = draw_chance(t, 0.5);
  if (sampled && t->period == 0)
    t->period = any;
  for (int k = 0; k < n; k++) {
    rail_control *c = &r->control[r->n_controls++];
    c->mass = k == 0 ? draw_below(t, r->n) : (r->control[0].mass + 1) % r->n;
    const double m = r->mass[c->mass];
    c->kp = m * w * w * draw(t, 0.3, 1);
    c->kd = 2 * m * w * draw(t, 0.05, 1);
    c->ki = draw_chance(t, 0.5) ? c->kp * w * draw(t, 0, 0.1) : 0;
    c->filter = draw(t, 2, 10) * w;
    c->target = draw(t, -0.5, 0.5);
    c->period = sampled ? t->period * (1 + k) : 0;
    c->has_signals = cut && draw_chance(t, 0.5);
    c->is_listed = cut && !sampled && draw_chance(t, 0.7);
    c->order = draw_below(t, 3);
    c->number = t->n_controls++;
    t->rate = fmax(t->rate, sampled ? w : c->filter);
  }
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void write_link(trial *t, const subset *s, const rail *r, const rail_link *l) {
  const int a = l->a < 0 ? GROUND : r->first + l->a, b = r->first + l->b;
  const lane *on = &s->lane;
  double P[2], Q[2];
  char law[160];
  lane_place(on, l->a < 0 ? r->place[l->b] - RAIL_SPACING : r->place[l->a], P);
  lane_place(on, r->place[l->b], Q);
  switch (l->law) {
  case RAIL_SPRING:
    add_spring(t, a, P, b, Q, on->e, l->c, l->d);
    return;
  case RAIL_CUBIC:
    snprintf(law, sizeof law, "%.17g*@ + %.17g*@^3 + %.17g*#", l->c, l->e, l->d);
    break;
  case RAIL_TANH:
    snprintf(law, sizeof law, "%.17g*tanh(#/%.17g)", l->c, l->e);
    break;
  case RAIL_ZONE:
    snprintf(law, sizeof law, "%.17g*exp(-((@ - (%.17g))/%.17g)^2)", l->c, l->at, l->e);
    break;
  case RAIL_CONTACT:
    if (a != GROUND)
      add_contact(t, a, P, b, Q, RAIL_SPACING - l->at, l->c, l->d);
    else
      add_wall(t, b, Q, on->e, l->at, l->c, l->d);
    return;
  case RAIL_HARD:
    add_hard_wall(t, b, Q, on->e, l->at, l->e);
    return;
  }
  add_spring_law(t, a, P, b, Q, on->e, law, 0);
}

static void write_loads(trial *t, const subset *s, const rail *r) {
  char law[160];
  for (int i = 0; i < r->n; i++) {
    if (r->F[i] != 0) {
      snprintf(law, sizeof law, "%.17g*cos(%.17g*@ + %.17g)", r->F[i], r->W[i], r->P[i]);
      add_force_along(t, r->first + i, &s->lane, law);
    }
    if (r->pulse[i] != 0) {
      snprintf(law, sizeof law, "%.17g*exp(-((@ - %.17g)/%.17g)^2)", r->pulse[i], r->pulse_at[i], r->pulse_width[i]);
      add_force_along(t, r->first + i, &s->lane, law);
    }
  }
}

static void write_guides(trial *t, const subset *s, const rail *r) {
  const double across = fabs(t->gravity[1] * s->lane.e[0] - t->gravity[0] * s->lane.e[1]);
  for (int i = 0; r->guided && i < r->n; i++) {
    double P[2];
    lane_place(&s->lane, r->place[i], P);
    if (r->rubs[i] == 0)
      add_joint(t, "prismatic", GROUND, r->first + i, P, s->lane.e);
    else
      add_rubbing_guide(t, r->first + i, P, s->lane.e, r->rubs[i], across * r->mass[i]);
  }
}

static void make_rail(trial *t, subset *s) {
  rail *r = &t->rail[t->n_rails++];
  const double own = t->rate;
  r->subset = (int)(s - t->subset);
  s->lane = random_lane(t);
  draw_masses(t, r);
  draw_loads(t, r);
  draw_links(t, r);
  draw_friction(t, r);
  draw_controls(t, r, t->may_be_cut);
  r->weight = gravity_along(t, &s->lane);
  s->n = r->n;
  s->first = r->first;
  const double rate = fmax(own, t->rate); /* as drawn: elements add what does not act along the lane */
  for (int i = 0; i < r->n; i++) {
    double q[3], v[3];
    on_lane(t, &s->lane, 0, r->place[i], r->v0[i], r->guided, q, v);
    add_body(t, r->mass[i], r->inertia[i], q, v);
  }
  for (int j = 0; j < r->n_links; j++)
    write_link(t, s, r, &r->link[j]);
  write_loads(t, s, r);
  write_guides(t, s, r);
  for (int k = 0; k < r->n_controls; k++)
    add_control(t, &s->lane, r, &r->control[k]);
  t->rate = rate;
}

const subset_kind rail_kinds[] = {{"rail", make_rail, NULL, false, 0, 1, NULL}};
const size_t n_rail_kinds = 1;

/* ---- Bodies at rest, in uniform motion and turning -----------------------------------------------------------------
 */

static void make_still(trial *t, subset *s) {
  const double mass = draw_chance(t, 0.5) ? draw_log(t, 1e2, 1e4) : draw_log(t, 0.1, 10),
               inertia = draw_log(t, 0.1, 10);
  s->lane = random_lane(t);
  s->number[0] = draw_chance(t, 0.5) ? draw(t, -30, 30) : 0;
  s->lane.across = s->number[0] != 0 ? s->lane.across : 0;
  s->lane.rate = draw_chance(t, 0.5) ? draw(t, -10, 10) : 0;
  add_bodies(t, s, 1, &mass, &inertia);
}

static void exact_still(const trial *t, const subset *s, double time, double *q, double *v) {
  const double g = gravity_along(t, &s->lane);
  on_lane(t, &s->lane, time, s->number[0] * time + g * time * time / 2, s->number[0] + g * time, false, q, v);
}

const subset_kind still_kinds[] = {{"still", make_still, exact_still, false, 0, 1, NULL}};
const size_t n_still_kinds = 1;
