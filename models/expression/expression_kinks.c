/* Kinks in time. A switch is an `if`, abs, sign, floor, min, max, a table or an exponential. Exponentials are exp,
 * sinh, cosh, tanh, and c^u with a number c; beyond exponents of ±20 they or their reciprocals are negligible. If the
 * arguments of a switch depend on time alone, its state (branch, sign, integer, piece, negligible or not) is a function
 * of time. The expression is smooth while no such state changes.
 *
 * The search goes forwards in intervals. Interval arithmetic encloses all arguments over an interval. If every switch
 * has one state for all enclosed values, no state changes in the interval. Otherwise the interval is halved, down to
 * the shortest length, 1e-12 |t|. Then the states at both of its ends are compared, and a change is bisected to
 * neighbouring floating-point numbers. So the search misses only a state that changes and changes back within the
 * shortest length. While an argument stays zero, every interval is undecided. To pass such a time, the shortest length
 * doubles after every 100 undecided intervals; it stays below a few hundredths of the time passed. */
#include "models/expression/expression.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "models/expression/program.h"
#include "models/expression/ranges.h"
#include "models/thresholds.h"

/* A value on the stack: the range of its values over the interval. */
typedef struct operand {
  range of;
  bool is_of_time; /* true: depends on the time only, or is constant */
} operand;

typedef struct walk {
  const expression *e;
  unsigned time; /* index of the time among the variables; UINT_MAX: no variable is the time */
  range t;
  bool is_smooth;  /* no switch can change its state in the interval t */
  bool jumps;      /* there is a switch that depends on other variables, and at which the value may jump */
  uint64_t states; /* hash of the states of all switches */
  operand stack[PROGRAM_DEEPEST];
  operand *end; /* one past the top */
} walk;

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

static void add_switch(walk *w, const function *f, range u, range v) {
  const double state = function_state(f, u.low, v.low) + 0.0; /* -0 becomes 0, since their hashes differ */
  uint64_t bits = 0;
  w->is_smooth &= range_is_one_state(f, u, v);
  memcpy(&bits, &state, sizeof bits);
  w->states = hash_word(w->states, bits ^ (bits >> 32));
}

static void apply(walk *w, const function *f) {
  static const operand zero = {{0, 0}, true};
  if (f->arity == 2)
    w->end--;
  operand *u = &w->end[-1];
  const operand *v = f->arity == 2 ? &w->end[0] : &zero;
  u->is_of_time &= v->is_of_time;
  if (!u->is_of_time) {
    w->jumps |= function_jumps(f);
    return;
  }
  if (function_has_states(f))
    add_switch(w, f, u->of, v->of);
  u->of = range_apply(f, u->of, v->of);
}

static void walk_code(walk *w, size_t i, size_t end);

/* Evaluates the code of an `if` at instruction i, and returns the index of the instruction after the `if`. If the
 * condition depends on other variables than the time, evaluates both branches. The compiler limits the depth of the
 * recursion. NOLINTNEXTLINE(misc-no-recursion) */
static size_t branch(walk *w, size_t i) {
  const instruction *test = &w->e->code[i];
  const size_t other = test->index;
  w->end -= 2;
  const operand u = w->end[0];
  const operand v = w->end[1];
  if (u.is_of_time && v.is_of_time) {
    add_switch(w, test->call, u.of, v.of);
    return test->call->of_two(u.of.low, v.of.low) != 0 ? i + 1 : other;
  }
  const size_t after = w->e->code[other - 1].index;
  w->jumps = true;
  walk_code(w, i + 1, other - 1);
  w->end--;
  walk_code(w, other, after);
  w->end[-1].is_of_time = false;
  return after;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_code(walk *w, size_t i, size_t end) {
  while (i < end) {
    const instruction *now = &w->e->code[i];
    const size_t next = now->op == OP_UNLESS ? branch(w, i) : now->op == OP_JUMP ? now->index : i + 1;
    if (now->op == OP_NUMBER)
      *w->end++ = (operand){{now->number, now->number}, true};
    else if (now->op == OP_VARIABLE)
      *w->end++ = (operand){w->t, now->index == w->time};
    else if (instruction_calls(now->op))
      apply(w, now->call);
    i = next;
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

static bool has_one(const expression *e, bool (*is_one)(const function *)) {
  for (size_t i = 0; i < e->n_code; i++)
    if (e->code[i].op == OP_UNLESS || (instruction_calls(e->code[i].op) && is_one(e->code[i].call)))
      return true;
  return false;
}

bool expression_has_kinks(const expression *e) { return has_one(e, function_has_kinks); }

static uint64_t states_at(const expression *e, double t) { return walk_over(e, 0, t, t).states; }

/* Bisects between a and b, whose states differ, to neighbouring numbers. `before` is the state at a. */
static seam_kink bisect(const expression *e, double a, double b, uint64_t before) {
  for (;;) {
    const double middle = a + (b - a) / 2;
    if (!(middle > a && middle < b))
      return (seam_kink){a, b};
    *(states_at(e, middle) == before ? &a : &b) = middle;
  }
}

/* Bisects again within a cell of a fixed grid around the kink, so that searches from different times find the same
 * number. Otherwise its last digits, in which rounding may let the state alternate, would depend on the start of the
 * search. */
static seam_kink bisect_on_grid(const expression *e, double start, double a, double b) {
  const uint64_t before = states_at(e, a);
  const seam_kink found = bisect(e, a, b, before);
  if (found.at == 0) /* bisection towards 0 always ends at this number */
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
  if (!has_one(e, function_has_states))
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
