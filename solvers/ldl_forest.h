/* Factors and solutions of solvers/ldl.h for a special case: every column has at most one block below the diagonal, as
 * for joints of open chains and trees. A list of links then describes all updates, and the right side is not copied.
 * Results are equal to those of ldl.c in every bit. */
#ifndef SOLVERS_LDL_FOREST_H
#define SOLVERS_LDL_FOREST_H

/* A column of blocks; columns are listed in the order of their elimination. */
typedef struct seam_ldl_link {
  int kind;   /* 4 times the order of the block, plus the order of the block below (0: none) */
  int value;  /* index of the column's first value */
  int target; /* index of the first value of the column that the link updates */
  int pivot;  /* number of the first pivot */
  int first_unknown,
      first_below; /* indices in the right side: first unknown of the column; first unknown of the block below */
} seam_ldl_link;

typedef struct seam_ldl_forest {
  const seam_ldl_link *links;
  int n;
  double *values, *inverse; /* arrays of the solver */
} seam_ldl_forest;

/* Factorises; also does the forward sweep of the right side b, unless it is NULL. */
void seam_ldl_forest_eliminate(seam_ldl_forest at, double *b);
void seam_ldl_forest_go_forward(seam_ldl_forest at, double *b);
void seam_ldl_forest_go_back(seam_ldl_forest at, double *b);

#endif
