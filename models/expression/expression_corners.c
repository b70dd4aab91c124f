/* Finds the argument of each switch for given variables, and the bounds between which the switch's state is constant.
 *
 *   switch                       argument   bounds
 *   `if`, comparison, min, max   u - v      0
 *   abs, sign                    u          0
 *   floor                        u          the integers
 *   table                        u          its knots
 *   exp, sinh, cosh, tanh        u          ±20: beyond them e^u or e^-u is negligible
 *   c^v with a number c          v log c    ±20
 *
 * If an argument equals a bound within rounding, its rate gives the side on which the motion continues. */
#include "models/expression/expression.h"

#include <math.h>

#include "models/expression/program.h"
#include "models/thresholds.h"

/* A value on the stack: value, rate along dx, and rounding error (noise). */
typedef struct operand {
  double value, rate;
  double noise;
  bool is_of_time; /* true: depends on the time only, or is constant */
} operand;

static bool is_corner(const instruction *at) {
  return at->op == OP_UNLESS || (instruction_calls(at->op) && function_has_states(at->call));
}

static size_t count(const expression *e, size_t from, size_t to) {
  size_t n = 0;
  for (size_t i = from; i < to; i++)
    n += is_corner(&e->code[i]);
  return n;
}

size_t expression_n_corners(const expression *e) { return count(e, 0, e->n_code); }

/* Returns slope * rate, a term of the chain rule; 0 if the slope is not finite. */
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

/* Returns the argument's value, changed by its rounding error in the direction of its rate. */
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
      if (is_corner(now))
        *corner++ = corner_of(now->call, end[-1], v);
      end[-1] = apply(now->call, end[-1], v);
    }
    corner += count(e, i, next);
    i = next;
  }
}

/* NOLINTEND(clang-analyzer-core.*) */
