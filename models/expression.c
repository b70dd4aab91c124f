/* Evaluation: no allocation, no recursion; the compiler has checked that the stack suffices. */
#include "models/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/program.h"

/* NOLINTBEGIN(clang-analyzer-core.*): that every operand is there is the compiler's work */

double expression_value(const expression *e, const double *x) {
  double stack[PROGRAM_DEEPEST];
  double *end = stack; /* one past the top */
  const instruction *code = e->code;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &code[i++];
    switch (now->op) {
    case OP_NUMBER:
      *end++ = now->number;
      break;
    case OP_VARIABLE:
      *end++ = x[now->index];
      break;
    case OP_ONE:
      end[-1] = now->call->of_one(end[-1]);
      break;
    case OP_TWO:
      end--;
      end[-1] = now->call->of_two(end[-1], end[0]);
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

static void say_once(const expression *e, const double x[2]) {
  if (atomic_flag_test_and_set(e->said))
    return;
  fprintf(stderr, "seam: note: a derivative of '%s' is not finite at (%g, %g) and is taken as 0\n", e->text, x[0],
          x[1]);
}

/* Products of finite derivatives may overflow. */
static bool settle_result(seam_jet *result) {
  double *const all[] = {&result->d[0], &result->d[1], &result->dd[0], &result->dd[1], &result->dd[2]};
  bool not_finite = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (isfinite(*all[i]))
      continue;
    *all[i] = 0;
    not_finite = true;
  }
  return not_finite && isfinite(result->value);
}

void expression_jet(const expression *e, const double x[2], seam_jet *out) {
  seam_jet stack[PROGRAM_DEEPEST];
  seam_jet *end = stack; /* one past the top */
  const instruction *code = e->code;
  bool not_finite = false;
  for (size_t i = 0; i < e->n_code;) {
    const instruction *now = &code[i++];
    switch (now->op) {
    case OP_NUMBER:
      *end++ = (seam_jet){.value = now->number};
      break;
    case OP_VARIABLE:
      *end = (seam_jet){.value = x[now->index]};
      end++->d[now->index] = 1;
      break;
    case OP_ONE:
      not_finite |= function_jet(now->call, &end[-1], NULL, &end[-1]);
      break;
    case OP_TWO:
      end--;
      not_finite |= function_jet(now->call, &end[-1], &end[0], &end[-1]);
      break;
    case OP_UNLESS:
      end -= 2;
      if (now->call->of_two(end[0].value, end[1].value) == 0)
        i = now->index;
      break;
    case OP_JUMP:
      i = now->index;
      break;
    }
  }
  *out = end[-1];
  not_finite |= settle_result(out);
  if (not_finite)
    say_once(e, x);
}

/* NOLINTEND(clang-analyzer-core.*) */

void expression_destroy(expression *e) { free(e); }

const expression *expression_keep(expression *e, arena *memory) {
  const size_t size = sizeof *e + e->n_code * sizeof *e->code + strlen(e->text) + 1;
  expression *kept = arena_take(memory, size);
  if (kept) {
    memcpy(kept, e, size);
    kept->said = &kept->said_once;
    kept->text = (const char *)(kept->code + kept->n_code);
  }
  expression_destroy(e);
  return kept;
}

static double law_value(const void *data, const double x[2]) { return expression_value(data, x); }

static void law_jet(const void *data, const double x[2], seam_jet *out) { expression_jet(data, x, out); }

static void law_destroy(void *data) { expression_destroy(data); }

seam_law expression_law(expression *e) {
  return (seam_law){.value = law_value, .jet = law_jet, .destroy = law_destroy, .data = e};
}
