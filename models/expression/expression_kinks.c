/* Switches of an expression, at a point and in time. The state of a switch is constant while its argument is between
 * two bounds:
 *
 *   switch                       argument   bounds                                            state
 *   `if`, comparison, min, max   u - v      0                                                 branch, or sign
 *   abs, sign                    u          0                                                 sign
 *   floor                        u          the integers                                      integer
 *   table                        u          its knots                                         piece
 *   exp, sinh, cosh, tanh        u          ±20: beyond them e^u or e^-u is negligible        negligible or not
 *   c^v with a number c          v log c    ±20                                               negligible or not */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "models/expression/program.h"
#include "models/thresholds.h"

/* ---- Switches at a point ----------------------------------------------------------------------------------------- */

typedef struct operand {
  double value, rate; /* rate: along dx */
  double noise;       /* rounding error */
  bool is_of_time;    /* true: depends on the time only, or is constant */
} operand;

static bool is_switch(const instruction *at) {
  return at->op == OP_UNLESS || (instruction_calls(at->op) && function_has_states(at->call));
}

static size_t count_switches(const expression *e, size_t from, size_t to) {
  size_t n = 0;
  for (size_t i = from; i < to; i++)
    n += is_switch(&e->code[i]);
  return n;
}

size_t expression_n_corners(const expression *e) { return count_switches(e, 0, e->n_code); }

/* Returns a term of the chain rule; 0 if the slope is not finite. */
static double chain_term(double slope, double rate) { return rate == 0 || !isfinite(slope) ? 0 : slope * rate; }

static operand apply(const function *f, operand u, operand v) {
  partials d = {0};
  function_slopes(f, u.value, v.value, &d);
  const double value = function_value(f, u.value, v.value);
  return (operand){value, chain_term(d.u, u.rate) + chain_term(d.v, v.rate),
                   models_switch_rounding * fabs(value) + chain_term(fabs(d.u), u.noise) +
                       chain_term(fabs(d.v), v.noise),
                   u.is_of_time && v.is_of_time};
}

/* If an argument equals a bound within rounding, the motion continues to the side of its rate. Returns the
 * argument, moved by its rounding error in the direction of its rate. */
static double next_value(const seam_corner *at) {
  return at->value + (at->rate > 0 ? at->noise : at->rate < 0 ? -at->noise : 0);
}

/* Returns the argument of a switch, whose operands are u and v. */
static operand argument_of(const function *f, operand u, operand v) {
  const bool is_of_time = u.is_of_time && v.is_of_time;
  if (f == &function_exponential) {
    const double scale = log(u.value);
    const double noise = fabs(scale) * (v.noise + models_switch_rounding * fabs(v.value));
    return (operand){scale * v.value, scale * v.rate, noise, is_of_time};
  }
  return f->arity == 1 ? u : (operand){u.value - v.value, u.rate - v.rate, u.noise + v.noise, is_of_time};
}

static seam_corner corner_of(const function *f, operand u, operand v) {
  const bool is_comparison = f->arity == 2 && f->slopes_of_two == NULL;
  const operand argument = argument_of(f, u, v);
  seam_corner at = {.value = argument.value,
                    .rate = argument.rate,
                    .noise = argument.noise,
                    .below = -INFINITY,
                    .above = INFINITY,
                    .resolve = INFINITY,
                    .is_single = f->table == NULL && f->of_one != floor && !is_comparison && !function_has_decay(f)};
  if (argument.is_of_time || !isfinite(at.value))
    return at;
  const double next = next_value(&at);
  const range piece = function_piece(f, next);
  at.below = piece.low;
  at.above = piece.high;
  at.resolve = function_largest_change(f, next);
  return at;
}

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

void expression_corners(const expression *e, bool has_time, const double *x, const double *dx, seam_corner *corners) {
  static const operand nothing = {0, 0, 0, true};
  operand stack[PROGRAM_DEEPEST];
  operand *end = stack; /* one past the top */
  seam_corner *corner = corners;
  const size_t n = expression_n_corners(e);
  for (size_t i = 0; i < n; i++)
    corners[i] = (seam_corner){.below = -INFINITY, .above = INFINITY, .resolve = INFINITY};
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    size_t next = i;
    if (now->op == OP_NUMBER) {
      *end++ = (operand){now->number, 0, models_switch_rounding * fabs(now->number), true};
    } else if (now->op == OP_VARIABLE) {
      *end++ = (operand){x[now->index], dx[now->index], models_switch_rounding * fabs(x[now->index]),
                         has_time && now->index == 0};
    } else if (now->op == OP_JUMP) {
      next = now->index;
    } else if (now->op == OP_UNLESS) {
      end -= 2;
      *corner = corner_of(now->call, end[0], end[1]);
      next = now->call->of_two(next_value(corner++), 0) == 0 ? now->index : i;
    } else {
      const bool is_of_two = now->call->arity == 2;
      end -= is_of_two;
      const operand v = is_of_two ? end[0] : nothing;
      if (is_switch(now))
        *corner++ = corner_of(now->call, end[-1], v);
      end[-1] = apply(now->call, end[-1], v);
    }
    corner += count_switches(e, i, next);
    i = next;
  }
}

/* NOLINTEND(clang-analyzer-core.*) */

/* ---- Switches in time -------------------------------------------------------------------------------------------- */

/* If the arguments of a switch depend on time alone, its state is a function of time. The expression is smooth while no
 * such state changes.
 *
 * The search goes forwards in intervals. Interval arithmetic encloses all arguments over an interval. If every switch
 * has one state for all enclosed values, no state changes in the interval. Otherwise the interval is halved, down to
 * the shortest length, 1e-12 |t|. Then the states at both of its ends are compared, and a change is bisected to
 * neighbouring floating-point numbers. So the search misses only a state that changes and changes back within the
 * shortest length.
 *
 * While an argument stays zero, every interval is undecided. To pass such a time, the shortest length doubles after
 * every 100 undecided intervals. It stays below a few hundredths of the time passed. */

/* A value on the stack: the range of its values over the interval. */
typedef struct enclosed {
  range of;
  bool is_of_time; /* true: depends on the time only, or is constant */
} enclosed;

typedef struct walk {
  const expression *e;
  unsigned time; /* index of the variable that is the time; UINT_MAX: none */
  range t;
  bool is_smooth;  /* no switch can change its state in the interval t */
  bool jumps;      /* the value may jump at a switch that depends on other variables */
  uint64_t states; /* hash of the states of all switches */
  enclosed stack[PROGRAM_DEEPEST];
  enclosed *end; /* one past the top */
} walk;

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

static void add_switch(walk *w, const function *f, range u, range v) {
  const double state = function_state(f, u.low, v.low) + 0.0; /* -0 becomes 0, since their hashes differ */
  uint64_t bits = 0;
  w->is_smooth &= range_is_one_state(f, u, v);
  memcpy(&bits, &state, sizeof bits);
  w->states = hash_word(w->states, bits ^ (bits >> 32));
}

static void enclose(walk *w, const function *f) {
  static const enclosed zero = {{0, 0}, true};
  if (f->arity == 2)
    w->end--;
  enclosed *u = &w->end[-1];
  const enclosed *v = f->arity == 2 ? &w->end[0] : &zero;
  u->is_of_time &= v->is_of_time;
  if (!u->is_of_time) {
    w->jumps |= function_jumps(f);
    return;
  }
  if (function_has_states(f))
    add_switch(w, f, u->of, v->of);
  u->of = range_apply(f, u->of, v->of);
}

/* Evaluates both branches of an `if` whose condition depends on more than the time. The compiler limits the depth of
 * the recursion. NOLINTNEXTLINE(misc-no-recursion) */
static void walk_code(walk *w, size_t i, size_t end) {
  while (i < end) {
    const instruction *now = &w->e->code[i++];
    if (now->op == OP_NUMBER) {
      *w->end++ = (enclosed){{now->number, now->number}, true};
    } else if (now->op == OP_VARIABLE) {
      *w->end++ = (enclosed){w->t, now->index == w->time};
    } else if (now->op == OP_JUMP) {
      i = now->index;
    } else if (now->op == OP_UNLESS) {
      const size_t other = now->index;
      w->end -= 2;
      const enclosed u = w->end[0];
      const enclosed v = w->end[1];
      if (u.is_of_time && v.is_of_time) {
        add_switch(w, now->call, u.of, v.of);
        i = now->call->of_two(u.of.low, v.of.low) != 0 ? i : other;
      } else {
        const size_t after = w->e->code[other - 1].index;
        w->jumps = true;
        walk_code(w, i, other - 1);
        w->end--;
        walk_code(w, other, after);
        w->end[-1].is_of_time = false;
        i = after;
      }
    } else {
      enclose(w, now->call);
    }
  }
}

/* NOLINTEND(clang-analyzer-core.*) */

static walk walk_over(const expression *e, unsigned time, double from, double to) {
  walk w = {.e = e, .time = time, .t = {from, to}, .is_smooth = true, .states = HASH_START};
  w.end = w.stack;
  walk_code(&w, 0, e->n_code);
  return w;
}

bool expression_jumps(const expression *e, bool has_time) { return walk_over(e, has_time ? 0 : UINT_MAX, 0, 0).jumps; }

bool expression_has_kinks(const expression *e) {
  for (const instruction *at = e->code; at < e->code + e->n_code; at++)
    if (at->op == OP_UNLESS || (instruction_calls(at->op) && at->call->has_kinks))
      return true;
  return false;
}

static uint64_t states_at(const expression *e, double t) { return walk_over(e, 0, t, t).states; }

/* Bisects between a, with the state `before`, and b, with another, to neighbouring numbers. */
static seam_kink bisect(const expression *e, double a, double b, uint64_t before) {
  for (;;) {
    const double middle = a + (b - a) / 2;
    if (!(middle > a && middle < b))
      return (seam_kink){a, b};
    *(states_at(e, middle) == before ? &a : &b) = middle;
  }
}

/* Bisects, and then again in a cell of a fixed grid around the kink. Rounding may let the state alternate near it;
 * without the grid, the last digits of the kink would depend on the start of the search. */
static seam_kink bisect_on_grid(const expression *e, double start, double a, double b) {
  const uint64_t before = states_at(e, a);
  const seam_kink found = bisect(e, a, b, before);
  if (found.at == 0) /* the same from any start */
    return found;
  const double cell = ldexp(1, ilogb(found.at) - 30);
  const double low = floor(found.before / cell) * cell;
  const double high = low + cell;
  const bool is_only_change =
      low >= start && high >= found.at && states_at(e, low) == before && states_at(e, high) == states_at(e, found.at);
  return is_only_change ? bisect(e, low, high, before) : found;
}

seam_kink expression_next_kink(const expression *e, double t) {
  const double start = t;
  double length = INFINITY;
  int n_undecided = 0;
  if (expression_n_corners(e) == 0)
    return (seam_kink){INFINITY, INFINITY};
  for (int n = 0; n < MODELS_MAX_INTERVALS; n++) {
    const double shortest =
        fmax(models_shortest_interval * fabs(t), DBL_MIN) * exp2((double)n_undecided / MODELS_INTERVALS_OF_LENGTH);
    length = fmax(length, shortest);
    const double end = t + length;
    if (walk_over(e, 0, t, end).is_smooth) {
      if (isinf(end))
        return (seam_kink){INFINITY, INFINITY};
      t = end;
      length *= 2;
    } else if (length > shortest) {
      length = isinf(length) ? 2 * fmax(1, fabs(t)) : length / 2;
    } else if (states_at(e, t) != states_at(e, end)) {
      return bisect_on_grid(e, start, t, end);
    } else {
      t = end;
      n_undecided++;
    }
  }
  return (seam_kink){t, t};
}
