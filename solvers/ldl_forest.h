/* Factors and solutions of solvers/ldl.h where every column has one block below it at most, as joints of open chains
 * and trees have: a list of links says all, and the solution takes the place of the right side. The bits are those of
 * the general way. */
#ifndef SOLVERS_LDL_FOREST_H
#define SOLVERS_LDL_FOREST_H

/* A column of blocks, in the order in which they are worked on. */
typedef struct seam_ldl_link {
  int kind;      /* 4 order + rows: of its block, and of the block below it, none of 0 */
  int value;     /* first of its values */
  int target;    /* first value of the other's own column */
  int pivot;     /* its first */
  int own, next; /* places in a right side: its own first, the first of the block below */
} seam_ldl_link;

typedef struct seam_ldl_forest {
  const seam_ldl_link *links;
  int n;
  double *values, *inverse; /* of the solver */
} seam_ldl_forest;

/* Eliminates, and does the first sweep of a right side b; NULL: there is none. */
void seam_ldl_forest_eliminate(seam_ldl_forest at, double *b);
void seam_ldl_forest_go_forward(seam_ldl_forest at, double *b);
void seam_ldl_forest_go_back(seam_ldl_forest at, double *b);

#endif
