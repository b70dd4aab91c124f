/* Phase advance: 2π times the largest change of an argument, divided by the function's period. Periodic functions are
 * sin, cos, tan, periodic tables, periodic functions of the caller, and floor (period 1). */
#include <math.h>
#include <string.h>

#include "models/expression/expression.h"
#include "models/expression/lookup.h"
#include "models/expression/program.h"

/* A value on the stack, at x and at y. */
typedef struct operand {
  double from, to;
} operand;

static const double pi = 3.14159265358979323846;

/* Returns the period of a function of one argument; 0: it is not periodic. */
static double period_of(const function *f) {
  if (f->table != NULL)
    return lookup_period(f->table);
  if (f->caller != NULL)
    return f->caller->period;
  if (strcmp(f->name, "sin") == 0 || strcmp(f->name, "cos") == 0)
    return 2 * pi;
  return strcmp(f->name, "tan") == 0 ? pi : strcmp(f->name, "floor") == 0 ? 1 : 0;
}

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

/* At an `if`, both x and y follow the branch that x takes, since the other branch begins only at a kink. */
double expression_phase_advance(const expression *e, const double *x, const double *y) {
  operand stack[PROGRAM_DEEPEST];
  operand *end = stack; /* one past the top */
  double largest = 0;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &e->code[i++];
    if (now->op == OP_NUMBER)
      *end++ = (operand){now->number, now->number};
    else if (now->op == OP_VARIABLE)
      *end++ = (operand){x[now->index], y[now->index]};
    else if (now->op == OP_JUMP)
      i = now->index;
    else if (now->op == OP_UNLESS) {
      end -= 2;
      i = now->call->of_two(end[0].from, end[1].from) == 0 ? now->index : i;
    } else {
      const function *f = now->call;
      end -= f->arity == 2;
      operand *u = &end[-1];
      const operand v = f->arity == 2 ? end[0] : (operand){0, 0};
      const double period = period_of(f);
      if (period > 0)
        largest = fmax(largest, 2 * pi * fabs(u->to - u->from) / period);
      *u = (operand){function_value(f, u->from, v.from), function_value(f, u->to, v.to)};
    }
  }
  return largest;
}

bool expression_has_periodic_function(const expression *e) {
  bool some = false;
  for (size_t i = 0; i < e->n_code; i++)
    some |= instruction_calls(e->code[i].op) && period_of(e->code[i].call) > 0;
  return some;
}

/* NOLINTEND(clang-analyzer-core.*) */
