/* Finds the period of an expression in x[0], with other variables constant, from its code. x[0], its multiples, and its
 * sums with constants are linear. sin, cos, tan and periodic tables of linear operands are periodic. Functions of
 * periodic and constant operands are periodic if all periods divide the longest. */
#include "models/expression/expression.h"

#include <math.h>
#include <string.h>

#include "models/expression/lookup.h"
#include "models/expression/program.h"
#include "models/thresholds.h"

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

/* Returns the kind of f(u, v) from the kinds of u and v alone; the result holds for any function f. */
static operand join(operand u, operand v) {
  if (u.kind == OTHER || u.kind == LINEAR || v.kind == OTHER || v.kind == LINEAR)
    return unknown;
  if (u.kind == CONSTANT || v.kind == CONSTANT)
    return u.kind == CONSTANT && v.kind == CONSTANT ? (operand){CONSTANT, NAN} : u.kind == CONSTANT ? v : u;
  const double longest = fmax(u.number, v.number);
  const double n = longest / fmin(u.number, v.number);
  return fabs(n - nearbyint(n)) <= models_integer_periods * n ? (operand){PERIODIC, longest} : unknown;
}

static bool is(const function *f, const char *name) {
  return f->table == NULL && f->caller == NULL && strcmp(f->name, name) == 0;
}

static operand of_one(const function *f, operand u) {
  const double pi = 3.14159265358979323846;
  if (u.kind != LINEAR)
    return join(u, u);
  if (f == &function_negate)
    return (operand){LINEAR, -u.number};
  const double period = f->table != NULL               ? lookup_period(f->table)
                        : is(f, "sin") || is(f, "cos") ? 2 * pi
                        : is(f, "tan")                 ? pi
                                                       : 0;
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

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

static void walk_code(walk *w, size_t i, size_t end);

/* Evaluates both branches of an `if` at instruction i, and returns the index of the instruction after the `if`. The
 * compiler limits the depth of the recursion. NOLINTNEXTLINE(misc-no-recursion) */
static size_t branch(walk *w, size_t i) {
  const size_t other = w->e->code[i].index;
  const size_t after = w->e->code[other - 1].index;
  w->end -= 2;
  const operand condition = join(w->end[0], w->end[1]);
  walk_code(w, i + 1, other - 1);
  walk_code(w, other, after);
  w->end--;
  w->end[-1] = join(join(w->end[-1], w->end[0]), condition);
  return after;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_code(walk *w, size_t i, size_t end) {
  while (i < end) {
    const instruction *now = &w->e->code[i];
    const size_t next = now->op == OP_UNLESS ? branch(w, i) : now->op == OP_JUMP ? now->index : i + 1;
    if (now->op == OP_NUMBER) {
      *w->end++ = (operand){CONSTANT, now->number};
    } else if (now->op == OP_VARIABLE) {
      *w->end++ = now->index == 0 ? (operand){LINEAR, 1} : (operand){CONSTANT, NAN};
    } else if (now->op == OP_ONE) {
      w->end[-1] = of_one(now->call, w->end[-1]);
    } else if (instruction_calls(now->op)) {
      w->end--;
      w->end[-1] = of_two(now->call, w->end[-1], w->end[0]);
    }
    i = next;
  }
}

double expression_period(const expression *e) {
  walk w = {.e = e};
  w.end = w.stack;
  walk_code(&w, 0, e->n_code);
  return w.end[-1].kind == PERIODIC && isfinite(w.end[-1].number) ? w.end[-1].number : 0;
}

/* NOLINTEND(clang-analyzer-core.*) */
