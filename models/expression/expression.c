/* Evaluates compiled expressions on a stack without allocation. The compiler has checked its depth. */
#include "models/expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "models/expression/lookup.h"
#include "models/expression/program.h"
#include "models/thresholds.h"

static const double pi = 3.14159265358979323846;

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

/* ---- Value and derivatives --------------------------------------------------------------------------------------- */

static void note_undefined(const function *f, double u, double value) {
  if (f->table != NULL && isnan(value) && isfinite(u))
    lookup_note_undefined(f->table, u);
}

static double call_one(const function *f, double u) {
  if (f->of_one != NULL)
    return f->of_one(u);
  if (f->caller != NULL)
    return caller_value(f->caller, u, 0);
  const double value = lookup_value(f->table, u);
  note_undefined(f, u, value);
  return value;
}

double expression_value(const expression *e, const double *x) {
  double stack[PROGRAM_DEEPEST];
  double *end = stack; /* one past the top */
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    switch (now->op) {
    case OP_NUMBER:
      *end++ = now->number;
      break;
    case OP_VARIABLE:
      *end++ = x[now->index];
      break;
    case OP_ONE:
      end[-1] = call_one(now->call, end[-1]);
      break;
    case OP_TWO:
      end--;
      end[-1] = now->call->of_two(end[-1], end[0]);
      break;
    case OP_CALLER:
      end--;
      end[-1] = caller_value(now->call->caller, end[-1], end[0]);
      break;
    case OP_UNLESS:
      end -= 2;
      if (now->call->of_two(end[0], end[1]) == 0)
        i = now->index;
      break;
    case OP_JUMP:
      i = now->index;
      break;
    }
  }
  return end[-1];
}

typedef struct rate {
  double value, change;
} rate;

double expression_change(const expression *e, const double *x, const double *dx) {
  rate stack[PROGRAM_DEEPEST];
  rate *end = stack; /* one past the top */
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    if (now->op == OP_NUMBER) {
      *end++ = (rate){.value = now->number};
    } else if (now->op == OP_VARIABLE) {
      *end++ = (rate){x[now->index], dx[now->index]};
    } else if (now->op == OP_JUMP) {
      i = now->index;
    } else if (now->op == OP_UNLESS) {
      end -= 2;
      i = now->call->of_two(end[0].value, end[1].value) == 0 ? now->index : i;
    } else {
      const bool is_two = now->call->arity == 2;
      end -= is_two;
      const rate u = end[-1];
      const rate v = is_two ? end[0] : (rate){0};
      partials d = {0};
      if (u.change != 0 || v.change != 0)
        function_slopes(now->call, u.value, v.value, &d);
      end[-1] = (rate){.value = function_value(now->call, u.value, v.value),
                       .change = (u.change != 0 && isfinite(d.u) ? d.u * u.change : 0) +
                                 (v.change != 0 && isfinite(d.v) ? d.v * v.change : 0)};
    }
  }
  return isfinite(end[-1].change) ? end[-1].change : 0;
}

void expression_jet(const expression *e, const double x[2], seam_jet *out) {
  seam_jet stack[PROGRAM_DEEPEST];
  seam_jet *end = stack; /* one past the top */
  bool not_finite = false;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    if (now->op == OP_NUMBER) {
      *end++ = (seam_jet){.value = now->number};
    } else if (now->op == OP_VARIABLE) {
      *end++ = (seam_jet){.value = x[now->index], .d = {now->index == 0, now->index == 1}};
    } else if (now->op == OP_JUMP) {
      i = now->index;
    } else if (now->op == OP_UNLESS) {
      end -= 2;
      i = now->call->of_two(end[0].value, end[1].value) == 0 ? now->index : i;
    } else {
      const bool is_two = now->call->arity == 2;
      end -= is_two;
      const double argument = end[-1].value;
      not_finite |= function_jet(now->call, &end[-1], is_two ? &end[0] : NULL, &end[-1]);
      note_undefined(now->call, argument, end[-1].value);
    }
  }
  *out = end[-1];
  double *const all[] = {&out->d[0], &out->d[1], &out->dd[0], &out->dd[1], &out->dd[2]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!isfinite(*all[i])) { /* products of finite derivatives may overflow */
      *all[i] = 0;
      not_finite |= isfinite(out->value);
    }
  if (not_finite && !atomic_flag_test_and_set(e->noted))
    seam_note("a derivative of '%s' is not finite at (%g, %g) and is taken as 0", e->text, x[0], x[1]);
}

/* ---- Phase advance ----------------------------------------------------------------------------------------------- */

/* The phase advance is 2π times the largest change of an argument, divided by the function's period. Periodic functions
 * are sin, cos, tan, periodic tables, periodic functions of the caller, and floor (period 1). */

/* A value on the stack, at x (from) and at y (to). */
typedef struct pair {
  double from, to;
} pair;

/* Returns the largest phase advance from x to y, rad. At an `if`, y is evaluated in the branch of x, as if no kink were
 * between x and y. */
static double phase_advance(const void *data, const double *x, const double *y) {
  const expression *e = data;
  pair stack[PROGRAM_DEEPEST];
  pair *end = stack; /* one past the top */
  double largest = 0;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    if (now->op == OP_NUMBER)
      *end++ = (pair){now->number, now->number};
    else if (now->op == OP_VARIABLE)
      *end++ = (pair){x[now->index], y[now->index]};
    else if (now->op == OP_JUMP)
      i = now->index;
    else if (now->op == OP_UNLESS) {
      end -= 2;
      i = now->call->of_two(end[0].from, end[1].from) == 0 ? now->index : i;
    } else {
      const function *f = now->call;
      end -= f->arity == 2;
      pair *u = &end[-1];
      const pair v = f->arity == 2 ? end[0] : (pair){0, 0};
      if (f->period > 0)
        largest = fmax(largest, 2 * pi * fabs(u->to - u->from) / f->period);
      *u = (pair){function_value(f, u->from, v.from), function_value(f, u->to, v.to)};
    }
  }
  return largest;
}

static bool has_periodic_function(const expression *e) {
  bool some = false;
  for (size_t i = 0; i < e->n_code; i++)
    some |= instruction_calls(e->code[i].op) && e->code[i].call->period > 0;
  return some;
}

/* ---- Period ------------------------------------------------------------------------------------------------------ */

/* The period in x[0], with other variables constant, follows from the code. x[0], its multiples, and its sums with
 * constants are linear. sin, cos, tan and periodic tables of linear operands are periodic. Functions of periodic and
 * constant operands are periodic if all periods divide the longest. */

typedef enum kind { CONSTANT, LINEAR, PERIODIC, OTHER } kind;

typedef struct operand {
  kind kind;
  double number; /* CONSTANT: value, NaN if unknown; LINEAR: slope; PERIODIC: period */
} operand;

typedef struct walk {
  const expression *e;
  operand stack[PROGRAM_DEEPEST];
  operand *end; /* one past the top */
} walk;

static const operand unknown = {OTHER, NAN};

/* Returns the kind of f(u, v) if nothing is known about f. */
static operand join(operand u, operand v) {
  if (u.kind == OTHER || u.kind == LINEAR || v.kind == OTHER || v.kind == LINEAR)
    return unknown;
  if (u.kind == CONSTANT || v.kind == CONSTANT)
    return u.kind == CONSTANT && v.kind == CONSTANT ? (operand){CONSTANT, NAN} : u.kind == CONSTANT ? v : u;
  const double longest = fmax(u.number, v.number);
  const double n = longest / fmin(u.number, v.number);
  return fabs(n - nearbyint(n)) <= models_integer_periods * n ? (operand){PERIODIC, longest} : unknown;
}

static bool is(const function *f, const char *name) { return strcmp(f->name, name) == 0; }

static operand of_one(const function *f, operand u) {
  if (u.kind != LINEAR)
    return join(u, u);
  if (f == &function_negate)
    return (operand){LINEAR, -u.number};
  const double period = f->caller != NULL || is(f, "floor") ? 0 : f->period;
  return period > 0 && u.number != 0 ? (operand){PERIODIC, period / fabs(u.number)} : unknown;
}

static operand of_two(const function *f, operand u, operand v) {
  if (u.kind != LINEAR && v.kind != LINEAR)
    return join(u, v);
  if (u.kind == LINEAR && v.kind == CONSTANT) {
    if (is(f, "+") || is(f, "-"))
      return u;
    if ((is(f, "*") || is(f, "/")) && !isnan(v.number))
      return (operand){LINEAR, f->of_two(u.number, v.number)};
  }
  if (v.kind == LINEAR && u.kind == CONSTANT) {
    if (is(f, "+") || is(f, "-"))
      return (operand){LINEAR, is(f, "+") ? v.number : -v.number};
    if (is(f, "*") && !isnan(u.number))
      return (operand){LINEAR, u.number * v.number};
  }
  return unknown;
}

/* Evaluates both branches of an `if`. NOLINTNEXTLINE(misc-no-recursion) */
static void walk_code(walk *w, size_t i, size_t end) {
  while (i < end) {
    const instruction *now = &w->e->code[i++];
    if (now->op == OP_NUMBER) {
      *w->end++ = (operand){CONSTANT, now->number};
    } else if (now->op == OP_VARIABLE) {
      *w->end++ = now->index == 0 ? (operand){LINEAR, 1} : (operand){CONSTANT, NAN};
    } else if (now->op == OP_JUMP) {
      i = now->index;
    } else if (now->op == OP_UNLESS) {
      const size_t other = now->index;
      const size_t after = w->e->code[other - 1].index;
      w->end -= 2;
      const operand condition = join(w->end[0], w->end[1]);
      walk_code(w, i, other - 1);
      walk_code(w, other, after);
      w->end--;
      w->end[-1] = join(join(w->end[-1], w->end[0]), condition);
      i = after;
    } else if (now->op == OP_ONE) {
      w->end[-1] = of_one(now->call, w->end[-1]);
    } else {
      w->end--;
      w->end[-1] = of_two(now->call, w->end[-1], w->end[0]);
    }
  }
}

double expression_period(const expression *e) {
  walk w = {.e = e};
  w.end = w.stack;
  walk_code(&w, 0, e->n_code);
  return w.end[-1].kind == PERIODIC && isfinite(w.end[-1].number) ? w.end[-1].number : 0;
}

/* NOLINTEND(clang-analyzer-core.*) */

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

void expression_destroy(expression *e) { free(e); }

const expression *expression_move(expression *e, arena *memory) {
  const size_t size = sizeof *e + e->n_code * sizeof *e->code + strlen(e->text) + 1;
  expression *copy = arena_allocate(memory, size);
  if (copy != NULL) {
    memcpy(copy, e, size);
    copy->noted = &copy->noted_once;
    copy->text = (const char *)(copy->code + copy->n_code);
  }
  expression_destroy(e);
  return copy;
}

static double law_value(const void *data, const double x[2]) { return expression_value(data, x); }

static void law_jet(const void *data, const double x[2], seam_jet *out) { expression_jet(data, x, out); }

static void law_destroy(void *data) { expression_destroy(data); }

static double law_change(const void *data, const double *x, const double *dx) { return expression_change(data, x, dx); }

static void law_corners(const void *data, const double *x, const double *dx, seam_corner *corners) {
  expression_corners(data, false, x, dx, corners);
}

static void law_corners_without_time(const void *data, const double *x, const double *dx, seam_corner *corners) {
  expression_corners(data, true, x, dx, corners);
}

static seam_kink law_next_kink(const void *data, double t) { return expression_next_kink(data, t); }

unsigned long long expression_identity(const expression *e) {
  uint64_t hash = HASH_START;
  for (const instruction *now = e->code; now < e->code + e->n_code; now++) {
    hash = hash_word(hash_word(hash, now->op), now->index);
    if (now->op == OP_NUMBER)
      hash = HASH_NUMBERS(hash, now->number);
    if (!instruction_calls(now->op) && now->op != OP_UNLESS)
      continue;
    if (now->call->table == NULL)
      hash = hash_text(hash, now->call->name);
    if (now->call->table != NULL || now->call->caller != NULL)
      hash = hash_word(hash, now->call->identity);
  }
  return hash != 0 ? hash : 1;
}

void law_discard(const seam_law *law) {
  if (law->destroy != NULL)
    law->destroy(law->data);
}

bool expression_depends(const expression *e, size_t number) {
  bool depends = false;
  for (size_t i = 0; i < e->n_code; i++)
    depends = depends || (e->code[i].op == OP_VARIABLE && e->code[i].index == number);
  return depends;
}

seam_law expression_law(expression *e) {
  return (seam_law){.value = law_value,
                    .jet = law_jet,
                    .destroy = law_destroy,
                    .data = e,
                    .next_kink = law_next_kink,
                    .has_kinks = expression_has_kinks(e),
                    .period = expression_period(e),
                    .identity = expression_identity(e),
                    .corners = law_corners,
                    .n_corners = expression_n_corners(e)};
}

mbs_function expression_function(expression *e, bool has_time) {
  return (mbs_function){.value = law_value,
                        .change = law_change,
                        .destroy = law_destroy,
                        .data = e,
                        .next_kink = has_time ? law_next_kink : NULL,
                        .jumps = expression_jumps(e, has_time),
                        .turning = has_periodic_function(e) ? phase_advance : NULL,
                        .corners = has_time ? law_corners_without_time : law_corners,
                        .n_corners = expression_n_corners(e)};
}
