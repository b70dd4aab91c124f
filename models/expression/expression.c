/* Evaluation without allocation or recursion. The compiler has checked that the stack is deep enough. */
#include "models/expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "models/expression/lookup.h"
#include "models/expression/program.h"

/* NOLINTBEGIN(clang-analyzer-core.*): the compiler ensures that every operand exists */

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

/* Applies the chain rule for the first derivative. Does not compute slopes if both operands are constant. */
static rate apply_rate(const function *f, rate u, rate v) {
  partials d = {0};
  if (u.change != 0 || v.change != 0)
    function_slopes(f, u.value, v.value, &d);
  return (rate){.value = function_value(f, u.value, v.value),
                .change = (u.change != 0 && isfinite(d.u) ? d.u * u.change : 0) +
                          (v.change != 0 && isfinite(d.v) ? d.v * v.change : 0)};
}

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
      end[-1] = apply_rate(now->call, end[-1], is_two ? end[0] : (rate){0});
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

/* NOLINTEND(clang-analyzer-core.*) */

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

static void law_corners(const void *data, const double *x, const double *dx, seam_corner *corners) {
  expression_corners(data, false, x, dx, corners);
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
    if (now->call->table != NULL) {
      hash = hash_word(hash, lookup_identity(now->call->table));
      continue;
    }
    hash = hash_text(hash, now->call->name);
    if (now->call->caller != NULL)
      hash = hash_word(hash, now->call->caller->identity);
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
