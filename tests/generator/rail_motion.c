/* The motion of a rail: classical Runge-Kutta steps far below what resolves it, which end at samples and, by bisection,
 * where masses hit walls, leave them, stick or slip. Nothing of Seam is used. */
#include <math.h>
#include <string.h>

#include "tests/generator/rail.h"
#include "tests/generator/trial.h"

enum { MAX_STATES = 2 * MAX_MASSES + 2 * MAX_CONTROLS, BISECTIONS = 60 };
static const double STEP = 2e-3;  /* of the fastest motion's time */
static const double REST = 1e-9;  /* of the speeds: a mass that leaves a wall as slowly stays */
static const double SAME = 1e-12; /* of the run: times */

typedef struct walk {
  const rail *rail;
  double t, z[MAX_STATES];                         /* x, v, then I, f of controllers */
  double held[MAX_CONTROLS], I_held[MAX_CONTROLS]; /* forces of sampled ones, by this I */
  long n_samples[MAX_CONTROLS];
  int slip[MAX_MASSES];      /* 1, -1; 0: sticks */
  bool is_closed[MAX_LINKS]; /* walls that a mass stays at */
  double speed;              /* the largest one so far */
} walk;

/* ---- Equations --------------------------------------------------------------------------------------------------- */

static double pull_of(const rail_link *l, double s, double v) {
  const double depth = -(s + l->at);
  switch (l->law) {
  case RAIL_SPRING:
    return l->c * s + l->d * v;
  case RAIL_CUBIC:
    return l->c * s + l->e * s * s * s + l->d * v;
  case RAIL_TANH:
    return l->c * tanh(v / l->e);
  case RAIL_ZONE:
    return l->c * exp(-pow((s - l->at) / l->e, 2));
  case RAIL_CONTACT:
    return depth > 0 ? -fmax(0, l->c * depth * (1 - l->d * v)) : 0;
  default:
    return 0;
  }
}

static double force_of_control(const walk *w, int k, const double *z) {
  const rail *r = w->rail;
  const rail_control *c = &r->control[k];
  if (c->period > 0)
    return w->held[k];
  const double *own = z + 2 * r->n + 2 * k;
  return c->kp * (c->target - z[c->mass]) - c->kd * own[1] + c->ki * own[0];
}

/* All forces on masses but those of walls and dry friction. */
static void add_forces(const walk *w, double t, const double *z, double *F) {
  const rail *r = w->rail;
  for (int i = 0; i < r->n; i++) {
    F[i] = r->mass[i] * r->weight + r->F[i] * cos(r->W[i] * t + r->P[i]);
    if (r->pulse[i] != 0)
      F[i] += r->pulse[i] * exp(-pow((t - r->pulse_at[i]) / r->pulse_width[i], 2));
  }
  for (const rail_link *l = r->link; l < r->link + r->n_links; l++) {
    const double s = z[l->b] - (l->a < 0 ? 0 : z[l->a]);
    const double pull = pull_of(l, s, z[r->n + l->b] - (l->a < 0 ? 0 : z[r->n + l->a]));
    F[l->b] -= pull;
    if (l->a >= 0)
      F[l->a] += pull;
  }
  for (int k = 0; k < r->n_controls; k++)
    F[r->control[k].mass] += force_of_control(w, k, z);
}

static bool is_held(const walk *w, int mass) {
  const rail *r = w->rail;
  for (int j = 0; j < r->n_links; j++)
    if (w->is_closed[j] && r->link[j].b == mass)
      return true;
  return r->rubs[mass] > 0 && w->slip[mass] == 0;
}

static void rates_of(const walk *w, double t, const double *z, double *zd) {
  const rail *r = w->rail;
  double F[MAX_MASSES];
  add_forces(w, t, z, F);
  for (int i = 0; i < r->n; i++) {
    zd[i] = z[r->n + i];
    zd[r->n + i] = is_held(w, i) ? 0 : (F[i] - w->slip[i] * r->rubs[i]) / r->mass[i];
  }
  for (int k = 0; k < r->n_controls; k++) {
    const rail_control *c = &r->control[k];
    const int own = 2 * r->n + 2 * k;
    zd[own] = c->period > 0 ? 0 : c->target - z[c->mass];
    zd[own + 1] = c->period > 0 ? 0 : c->filter * (z[r->n + c->mass] - z[own + 1]);
  }
}

static void take_step(const walk *w, double h, double *z) {
  const int n = 2 * w->rail->n + 2 * w->rail->n_controls;
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[MAX_STATES] = {0}, at[MAX_STATES];
  memcpy(z, w->z, sizeof w->z);
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < n; i++)
      at[i] = w->z[i] + node[stage] * h * k[i];
    rates_of(w, w->t + node[stage] * h, at, k);
    for (int i = 0; i < n; i++)
      z[i] += weight[stage] * h * k[i];
  }
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

enum { MAX_SWITCHES = MAX_LINKS + MAX_MASSES };

/* What is positive until something happens, at links and then of masses. */
static void switches_of(const walk *w, double t, const double *z, double *s) {
  const rail *r = w->rail;
  double F[MAX_MASSES];
  add_forces(w, t, z, F);
  for (int j = 0; j < r->n_links; j++) {
    const rail_link *l = &r->link[j];
    s[j] = l->law != RAIL_HARD ? 1 : w->is_closed[j] ? -F[l->b] : z[l->b] + l->at;
  }
  for (int i = 0; i < r->n; i++)
    s[MAX_LINKS + i] = r->rubs[i] == 0 ? 1 : w->slip[i] == 0 ? r->rubs[i] - fabs(F[i]) : w->slip[i] * z[r->n + i];
}

/* The first switch that is passed between before and after; -1. What was passed before counts only where it goes on. */
static int passed(const walk *w, const double *before, const double *after) {
  for (int j = 0; j < w->rail->n_links; j++)
    if (after[j] < 0 && after[j] < before[j])
      return j;
  for (int i = MAX_LINKS; i < MAX_LINKS + w->rail->n; i++)
    if (after[i] < 0 && after[i] < before[i])
      return i;
  return -1;
}

static rail_point point_of(const walk *w) {
  const rail *r = w->rail;
  rail_point p = {0};
  memcpy(p.x, w->z, (size_t)r->n * sizeof *p.x);
  memcpy(p.v, w->z + r->n, (size_t)r->n * sizeof *p.v);
  for (int k = 0; k < r->n_controls; k++) {
    const bool is_output = r->control[k].has_signals && r->control[k].period > 0;
    p.out[2 * k] = force_of_control(w, k, w->z);
    p.out[2 * k + 1] = is_output ? w->I_held[k] : w->z[2 * r->n + 2 * k];
  }
  return p;
}

static void note_jump(const walk *w, const rail_point *left, rail_jumps *jumps) {
  if (jumps->n < MAX_JUMPS) {
    jumps->at[jumps->n] = w->t;
    jumps->left[jumps->n] = *left;
    jumps->right[jumps->n] = point_of(w);
  }
  jumps->n++;
}

static void hit_wall(walk *w, int j) {
  const rail_link *l = &w->rail->link[j];
  double *x = &w->z[l->b], *v = &w->z[w->rail->n + l->b];
  *x = -l->at;
  *v = -l->e * *v;
  w->is_closed[j] = *v < REST * (1 + w->speed);
  if (w->is_closed[j])
    *v = 0;
}

static void stick_or_turn(walk *w, int i) {
  double F[MAX_MASSES];
  add_forces(w, w->t, w->z, F);
  if (w->slip[i] == 0) {
    w->slip[i] = F[i] > 0 ? 1 : -1;
    return;
  }
  w->z[w->rail->n + i] = 0;
  w->slip[i] = fabs(F[i]) <= w->rail->rubs[i] ? 0 : F[i] > 0 ? 1 : -1;
}

/* An impact or a sample changes forces at once: walls and friction that cannot hold them let go. */
static void let_go(walk *w) {
  double s[MAX_SWITCHES] = {0}, F[MAX_MASSES];
  switches_of(w, w->t, w->z, s);
  add_forces(w, w->t, w->z, F);
  for (int j = 0; j < w->rail->n_links; j++)
    w->is_closed[j] &= s[j] >= 0;
  for (int i = 0; i < w->rail->n; i++)
    if (w->rail->rubs[i] > 0 && w->slip[i] == 0 && s[MAX_LINKS + i] < 0)
      w->slip[i] = F[i] > 0 ? 1 : -1;
}

static void carry_out(walk *w, int event, rail_jumps *jumps) {
  const rail_point left = point_of(w);
  const bool lets_go = event >= MAX_LINKS ? w->slip[event - MAX_LINKS] == 0 : w->is_closed[event];
  if (event >= MAX_LINKS)
    stick_or_turn(w, event - MAX_LINKS);
  else if (w->is_closed[event])
    w->is_closed[event] = false;
  else
    hit_wall(w, event);
  let_go(w);
  if (!lets_go)
    note_jump(w, &left, jumps);
}

/* Takes a step of h, or as much of it as nothing happens in. */
static void advance(walk *w, double h, rail_jumps *jumps) {
  double before[MAX_SWITCHES] = {0}, after[MAX_SWITCHES] = {0}, z[MAX_STATES], low = 0, high = h;
  switches_of(w, w->t, w->z, before);
  take_step(w, h, z);
  switches_of(w, w->t + h, z, after);
  int event = passed(w, before, after);
  for (int i = 0; event >= 0 && i < BISECTIONS; i++) {
    const double middle = (low + high) / 2;
    take_step(w, middle, z);
    switches_of(w, w->t + middle, z, after);
    const int found = passed(w, before, after);
    if (found >= 0) {
      event = found;
      high = middle;
    } else {
      low = middle;
    }
  }
  if (event >= 0)
    take_step(w, high, z);
  memcpy(w->z, z, sizeof z);
  w->t += high;
  for (int i = 0; i < w->rail->n; i++)
    w->speed = fmax(w->speed, fabs(w->z[w->rail->n + i]));
  if (event >= 0)
    carry_out(w, event, jumps);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

static double next_sample(const walk *w, int k) {
  return w->rail->control[k].period > 0 ? (double)w->n_samples[k] * w->rail->control[k].period : INFINITY;
}

/* All controllers whose time has come; what they hold depends on what was there before. */
static void take_samples(walk *w, double end, rail_jumps *jumps) {
  const rail *r = w->rail;
  const rail_point left = point_of(w);
  bool jumps_here = false;
  for (int k = 0; k < r->n_controls; k++) {
    const rail_control *c = &r->control[k];
    if (next_sample(w, k) > w->t + SAME * end)
      continue;
    double *I = &w->z[2 * r->n + 2 * k];
    const double miss = c->target - w->z[c->mass];
    w->held[k] = c->kp * miss - c->kd * w->z[r->n + c->mass] + c->ki * *I;
    w->I_held[k] = *I;
    *I += c->period * miss;
    w->n_samples[k]++;
    jumps_here = true;
  }
  let_go(w);
  if (jumps_here)
    note_jump(w, &left, jumps);
}

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

/* A step that resolves motion, pulses and zones. */
static double step_of(const walk *w, double rate, double fineness) {
  const rail *r = w->rail;
  double h = STEP / rate;
  for (int i = 0; i < r->n; i++)
    if (r->pulse[i] != 0 && fabs(w->t - r->pulse_at[i]) < 8 * r->pulse_width[i] + h)
      h = fmin(h, r->pulse_width[i] / 50);
  for (const rail_link *l = r->link; l < r->link + r->n_links; l++)
    if (l->law == RAIL_ZONE && w->speed > 0)
      h = fmin(h, l->e / (50 * w->speed));
    else if (l->law == RAIL_TANH) {
      const double v = fabs(w->z[r->n + l->b] - (l->a < 0 ? 0 : w->z[r->n + l->a]));
      h = fmin(h, fmax(l->e, v / 10) * r->mass[l->b] / (20 * l->c));
    }
  return h / fineness;
}

/* Circles that are pressed half through each other: their contact is another one then. */
static bool is_through(const walk *w) {
  for (const rail_link *l = w->rail->link; l < w->rail->link + w->rail->n_links; l++)
    if (l->law == RAIL_CONTACT && l->a >= 0 && w->z[l->b] - w->z[l->a] + l->at < -(RAIL_SPACING - l->at) / 2)
      return true;
  return false;
}

static void walk_to(walk *w, double target, double end, double rate, double fineness, rail_jumps *jumps) {
  while (w->t < target - SAME * end && jumps->n <= MAX_JUMPS) {
    double stop = target;
    for (int k = 0; k < w->rail->n_controls; k++)
      stop = fmin(stop, next_sample(w, k));
    advance(w, fmin(step_of(w, rate, fineness), stop - w->t), jumps);
    if (fabs(w->t - stop) <= SAME * end)
      w->t = stop;
    take_samples(w, end, jumps);
  }
}

static void begin(walk *w, const rail *r) {
  *w = (walk){.rail = r};
  for (int i = 0; i < r->n; i++) {
    w->z[r->n + i] = r->v0[i];
    w->slip[i] = r->v0[i] > 0 ? 1 : r->v0[i] < 0 ? -1 : 0;
    w->speed = fmax(w->speed, fabs(r->v0[i]));
  }
}

bool rail_follow(const rail *r, double rate, double fineness, const double *times, int n, rail_point *points,
                 rail_jumps *jumps) {
  walk w;
  bool is_known = true;
  jumps->n = 0;
  begin(&w, r);
  take_samples(&w, times[n - 1], jumps);
  for (int row = 0; row < n && is_known; row++) {
    is_known = !is_through(&w);
    walk_to(&w, times[row], times[n - 1], rate, fineness, jumps);
    points[row] = point_of(&w);
  }
  return is_known && jumps->n <= MAX_JUMPS;
}
