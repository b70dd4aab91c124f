/* Turning of periodic functions in an expression: changes of the arguments of sin, cos, tan, periodic tables, given
 * periodic functions and floor (period 1). */
#include <math.h>
#include <string.h>

#include "models/expression/expression.h"
#include "models/expression/lookup.h"
#include "models/expression/program.h"

/* A value of the stack at both places. */
typedef struct operand {
  double from, to;
} operand;

typedef struct walk {
  const double *x, *y;
  double largest;
  operand stack[PROGRAM_DEEPEST];
  operand *end; /* one past the top */
} walk;

/* Period of a function of one argument; 0: not periodic. */
static double period_of(const function *f) {
  const double pi = 3.14159265358979323846;
  if (f->table != NULL)
    return lookup_period(f->table);
  if (f->given != NULL)
    return f->given->period;
  if (strcmp(f->name, "sin") == 0 || strcmp(f->name, "cos") == 0)
    return 2 * pi;
  return strcmp(f->name, "tan") == 0 ? pi : strcmp(f->name, "floor") == 0 ? 1 : 0;
}

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

static void apply(walk *w, const function *f) {
  const double pi = 3.14159265358979323846;
  if (f->arity == 2)
    w->end--;
  operand *u = &w->end[-1];
  const operand v = f->arity == 2 ? w->end[0] : (operand){0, 0};
  const double period = period_of(f);
  if (period > 0)
    w->largest = fmax(w->largest, 2 * pi * fabs(u->to - u->from) / period);
  *u = (operand){function_value(f, u->from, v.from), function_value(f, u->to, v.to)};
}

/* Both places follow the branch of an `if` that x takes: the other branch begins at a kink. */
double expression_turning(const expression *e, const double *x, const double *y) {
  walk w = {.x = x, .y = y};
  w.end = w.stack;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    if (now->op == OP_NUMBER)
      *w.end++ = (operand){now->number, now->number};
    else if (now->op == OP_VARIABLE)
      *w.end++ = (operand){x[now->index], y[now->index]};
    else if (instruction_calls(now->op))
      apply(&w, now->call);
    else if (now->op == OP_JUMP)
      i = now->index;
    else {
      w.end -= 2;
      i = now->call->of_two(w.end[0].from, w.end[1].from) == 0 ? now->index : i;
    }
  }
  return w.largest;
}

bool expression_turns(const expression *e) {
  bool some = false;
  for (size_t i = 0; i < e->n_code; i++)
    some |= instruction_calls(e->code[i].op) && period_of(e->code[i].call) > 0;
  return some;
}

/* NOLINTEND(clang-analyzer-core.*) */
