/* Collocation on the linear test models: other equations than those of oracle.c, for there is no history. */
#ifndef TESTS_SUPPORT_ORACLE_ORACLE_COLLOCATION_H
#define TESTS_SUPPORT_ORACLE_ORACLE_COLLOCATION_H

#include <stdbool.h>

#include "tests/support/oracle/quad.h"

/* Two oscillators and the spring-damper between them, for a macro step of 1; rigid: x1 = x2 instead. */
typedef struct oracle_model {
  quad m[2], c[2], d[2];
  quad cc, dc;
  bool rigid;
} oracle_model;

typedef struct oracle_collocation {
  int s;
  bool moves[2]; /* a side is driven by the other's motion; else by the force */
} oracle_collocation;

/* False for a name that is not XX-colloc-sS, S from 1 to 5; at a joint XX is ff. */
bool oracle_collocation_read(const char *name, bool rigid, oracle_collocation *scheme);

/* Phi (4 x 4, by rows) of (x1, v1, x2, v2) over one macro step. False where the conditions determine nothing. */
bool oracle_collocation_map(const oracle_model *model, const oracle_collocation *scheme, quad *Phi);

/* The inner nodes, ascending: c_1 .. c_(s-1), or e_1 .. e_(s-1). */
void oracle_inner_nodes(int s, bool two_double_ends, quad *node);

#endif
