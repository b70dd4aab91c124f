/* Coupling schemes as the oracle reads them: own names, own rules, nothing shared with the code that it judges. */
#ifndef TESTS_SUPPORT_ORACLE_ORACLE_SCHEME_H
#define TESTS_SUPPORT_ORACLE_ORACLE_SCHEME_H

#include <stdbool.h>

#include "tests/support/oracle/quad.h"

enum { ORACLE_MAX_VARIABLES = 4, ORACLE_MAX_NODES = 4, ORACLE_MAX_PIECES = 3, ORACLE_MAX_ROOTS = 3 };

/* A coupling variable: λ, or what one side does. */
typedef enum oracle_kind { ORACLE_FORCE, ORACLE_POSITION, ORACLE_VELOCITY, ORACLE_ACCELERATION } oracle_kind;

typedef struct oracle_variable {
  oracle_kind kind;
  int side; /* whose motion it is; nothing for a force */
} oracle_variable;

typedef enum oracle_method { ORACLE_ORIGINAL, ORACLE_D, ORACLE_I, ORACLE_CONSTRAINT, ORACLE_PROJECTION } oracle_method;

/* Conditions on a constraint: every row l demands l0 g + l1 g' + l2 g'' = 0 at the end. Roots that are found one after
 * the other are averaged with their weights. */
typedef struct oracle_root {
  int n_rows;
  double row[3][3];
  double weight;
} oracle_root;

typedef struct oracle_scheme {
  oracle_method method;
  int order;
  bool is_explicit;
  int n_variables;
  oracle_variable variable[ORACLE_MAX_VARIABLES];
  int n_nodes; /* of λ at a constraint: new values at 1, and at n - 1 places within the step */
  int n_roots;
  oracle_root root[ORACLE_MAX_ROOTS];
} oracle_scheme;

/* False for a name that the oracle does not know. */
bool oracle_scheme_read(const char *name, oracle_scheme *scheme);

/* A function on [0, 1] in pieces of equal length: powers of the time since the beginning of the piece. */
typedef struct oracle_function {
  int n_pieces;
  quad c[ORACLE_MAX_PIECES][ORACLE_MAX_NODES];
} oracle_function;

/* How a variable runs through its values: n_new at the end and before it, n_old at 0, -1, ... */
typedef struct oracle_rule {
  int n_new, n_old;
  oracle_function of_new[ORACLE_MAX_NODES], of_old[ORACLE_MAX_NODES];
} oracle_rule;

oracle_rule oracle_rule_of(const oracle_scheme *scheme, oracle_kind kind);

/* Integral over [0, 1], value and slope at 1. */
quad oracle_integral(const oracle_function *f);
quad oracle_end(const oracle_function *f);

#endif
