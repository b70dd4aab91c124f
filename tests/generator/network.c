#include "tests/generator/network.h"

#include <math.h>
#include <string.h>

#include "tests/generator/trial.h"

/* ---- Motion: classical Runge-Kutta steps far below what resolves it, which end at samples --------------------------
 */

enum { MAX_STATES = 2 * MAX_BLOCKS };
static const double STEP = 1e-3;  /* of the fastest motion's time */
static const double SAME = 1e-12; /* of the run: times */

static double input_of(const network *net, int k, double t, const double *z) {
  const block *b = &net->block[k];
  double u = b->F * cos(b->W * t);
  for (const wire *w = net->wire; w < net->wire + net->n_wires; w++)
    if (w->to == k)
      u += w->gain * z[2 * w->from + w->takes_rate] + w->offset;
  return u;
}

static void rates_of(const network *net, double t, const double *z, double *zd) {
  for (int k = 0; k < net->n_blocks; k++) {
    const block *b = &net->block[k];
    const double x = z[2 * k], v = z[2 * k + 1];
    const double u = b->period > 0 ? 0 : input_of(net, k, t, z);
    zd[2 * k] = b->period > 0 ? 0 : b->is_second ? v : u - b->w * x;
    zd[2 * k + 1] = b->is_second ? u - b->w * b->w * x - 2 * b->d * v - b->c * x * x * x : 0;
  }
}

static void take_step(const network *net, double t, double h, double *z) {
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[MAX_STATES] = {0}, at[MAX_STATES], end[MAX_STATES];
  memcpy(end, z, sizeof end);
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 2 * net->n_blocks; i++)
      at[i] = z[i] + node[stage] * h * k[i];
    rates_of(net, t + node[stage] * h, at, k);
    for (int i = 0; i < 2 * net->n_blocks; i++)
      end[i] += weight[stage] * h * k[i];
  }
  memcpy(z, end, sizeof end);
}

/* Sampled blocks whose time has come, by what was there before. A sampled block gives its state of before the sample.
 */
typedef struct sampling {
  long n[MAX_BLOCKS];
  double state[MAX_BLOCKS];
} sampling;

static double next_of(const network *net, const sampling *s, int k) {
  return net->block[k].period > 0 ? (double)s->n[k] * net->block[k].period : INFINITY;
}

static void take_samples(const network *net, sampling *s, double t, double end, double *z) {
  double before[MAX_STATES];
  memcpy(before, z, sizeof before);
  for (int k = 0; k < net->n_blocks; k++) {
    const block *b = &net->block[k];
    if (next_of(net, s, k) > t + SAME * end)
      continue;
    z[2 * k] = s->state[k];
    s->state[k] = b->a * s->state[k] + b->b * input_of(net, k, t, before);
    s->n[k]++;
  }
}

void network_follow(const network *net, double rate, double fineness, const double *times, int n, double *out) {
  double z[MAX_STATES] = {0}, t = 0;
  const double end = times[n - 1], h = STEP / rate / fineness;
  sampling s = {.n = {0}};
  for (int k = 0; k < net->n_blocks; k++) {
    const block *b = &net->block[k];
    s.state[k] = b->x0;
    z[2 * k] = b->x0;
    z[2 * k + 1] = b->v0;
  }
  take_samples(net, &s, 0, end, z);
  for (int row = 0; row < n; row++) {
    while (t < times[row] - SAME * end) {
      double stop = times[row];
      for (int k = 0; k < net->n_blocks; k++)
        stop = fmin(stop, next_of(net, &s, k));
      const double step = fmin(h, stop - t);
      take_step(net, t, step, z);
      t = stop - t <= h ? stop : t + step;
      take_samples(net, &s, t, end, z);
    }
    memcpy(out + MAX_STATES * row, z, (size_t)(2 * net->n_blocks) * sizeof *z);
  }
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

static void draw_block(trial *t, block *b, double period) {
  b->w = draw_log(t, 0.5, 20);
  b->is_second = draw_chance(t, 0.6);
  b->d = b->is_second ? b->w * draw_log(t, 0.01, 1) : 0;
  b->c = b->is_second && draw_chance(t, 0.25) ? b->w * b->w * draw(t, 0, 2) : 0;
  b->x0 = draw(t, -1, 1);
  b->v0 = b->is_second ? b->w * draw(t, -1, 1) : 0;
  if (draw_chance(t, 0.3)) {
    b->F = b->w * draw(t, -2, 2);
    b->W = draw_log(t, 0.5, 10);
    t->rate = fmax(t->rate, b->W);
  }
  if (period > 0 && draw_chance(t, 0.3)) {
    *b = (block){.period = period, .a = draw(t, 0, 0.9), .b = draw(t, -0.5, 0.5), .x0 = draw(t, -1, 1)};
    return;
  }
  b->is_linear_section = b->c == 0 && b->F == 0 && draw_chance(t, 0.5);
  t->rate = fmax(t->rate, b->w);
}

static bool has_wire(const network *net, const wire *like) {
  for (const wire *w = net->wire; w < net->wire + net->n_wires; w++)
    if (w->from == like->from && w->to == like->to && w->takes_rate == like->takes_rate)
      return true;
  return false;
}

/* A ring, so that each block has an input, and some more. */
static void draw_wires(trial *t, network *net) {
  const int n = net->n_blocks + draw_below(t, 3);
  for (int i = 0; i < n; i++) {
    const bool in_ring = i < net->n_blocks;
    wire w = {.from = in_ring ? i : draw_below(t, net->n_blocks)};
    w.to = (w.from + 1 + (in_ring ? 0 : draw_below(t, net->n_blocks - 1))) % net->n_blocks;
    const block *from = &net->block[w.from], *to = &net->block[w.to];
    w.takes_rate = from->is_second && draw_chance(t, 0.4);
    w.gain = draw(t, -0.7, 0.7) * (to->period > 0 ? 1 : to->is_second ? to->w * to->w : to->w);
    if (w.takes_rate)
      w.gain /= from->w;
    w.offset = draw_chance(t, 0.2) ? draw(t, -1, 1) : 0;
    w.order = from->period > 0 ? 0 : draw_below(t, 3);
    const bool are_sampled =
        from->period > 0 && to->period > 0; /* what they read of each other at the start is a rule */
    if (!are_sampled && !has_wire(net, &w))
      net->wire[net->n_wires++] = w;
  }
}

void add_idle_part(text *parts, text *signals, const char *from) {
  text_add(parts, "    idle: {inputs: [u], states: {z: 0, J: 0}, linear: {A: [[-1, 0], [0, 0]], B: [[0], [1]], C: "
                  "[[1, 0]], restarts: [J]}, outputs: [z]}\n");
  text_add(signals, "    - {from: %s, to: idle.u}\n", from);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void write_linear(text *out, const block *b) {
  if (b->is_second)
    text_add(out, "linear: {A: [[0, 1], [%.17g, %.17g]], B: [[0], [1]], C: [[1, 0], [0, 1]]}, outputs: [y, yd]",
             -b->w * b->w, -2 * b->d);
  else
    text_add(out, "linear: {A: [[%.17g]], B: [[1]], C: [[1]]}, outputs: [y]", -b->w);
}

static void write_block(text *out, const block *b, int k) {
  text_add(out, "    n%d: {inputs: [u], states: {x: %.17g", k, b->x0);
  if (b->is_second)
    text_add(out, ", v: %.17g", b->v0);
  text_add(out, "}, ");
  if (b->period > 0)
    text_add(out, "sample: %.17g, updates: {x: \"%.17g*x + (%.17g)*u\"}, outputs: {y: x}", b->period, b->a, b->b);
  else if (b->is_linear_section)
    write_linear(out, b);
  else if (b->is_second)
    text_add(out,
             "rates: {x: v, v: \"u - %.17g*x - %.17g*v - %.17g*x^3 + (%.17g)*cos(%.17g*t)\"}, outputs: {y: x, yd: v}",
             b->w * b->w, 2 * b->d, b->c, b->F, b->W);
  else
    text_add(out, "rates: {x: \"u - %.17g*x + (%.17g)*cos(%.17g*t)\"}, outputs: {y: x}", b->w, b->F, b->W);
  text_add(out, "}\n");
}

static double macro_step_of(trial *t, double period) {
  double H = fmin(fmax(draw_log(t, 0.005, 1) / t->rate, t->end / 500), t->end / 6);
  if (period > 0)
    H = H > period ? period * round(H / period) : period / round(period / H);
  return H;
}

static void write_network(trial *t, bool has_whole) {
  const network *net = &t->network;
  text *out = &t->yaml;
  text_add(out, "seam: 1\nname: seed_%llu\nsimulate: {end: %.17g, output_step: %.17g}\ncosim:\n  macro_step: %.17g\n",
           (unsigned long long)t->seed, t->end, t->end / 200, t->macro_step);
  if (draw_chance(t, 0.3))
    text_add(out, "  sequence: gauss-seidel\n");
  text_add(out, "  subsystems:\n");
  for (int k = 0; k < net->n_blocks; k++)
    write_block(out, &net->block[k], k);
  text signals = {.length = 0};
  if (!has_whole)
    add_idle_part(out, &signals, "n0.y");
  text_add(out, "  signals:\n%s", signals.at);
  for (const wire *w = net->wire; w < net->wire + net->n_wires; w++)
    text_add(out, "    - {from: n%d.%s, to: n%d.u, gain: %.17g, offset: %.17g, order: %d}\n", w->from,
             w->takes_rate ? "yd" : "y", w->to, w->gain, w->offset, w->order);
}

void make_network(trial *t, bool has_whole) {
  network *net = &t->network;
  const double period = draw_chance(t, 0.4) ? draw_log(t, 0.005, 0.1) * t->end : 0;
  net->n_blocks = 2 + draw_below(t, MAX_BLOCKS - 1);
  for (int k = 0; k < net->n_blocks; k++)
    draw_block(t, &net->block[k], period);
  draw_wires(t, net);
  t->run = CUT;
  t->macro_step = macro_step_of(t, period);
  write_network(t, has_whole);
}
