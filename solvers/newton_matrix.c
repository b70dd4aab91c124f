/* Elimination by blocks of E = c B - J, J = ∂f/∂y. The row of E for an equation q' = v + ... has -1 in the column of v.
 * So this row gives the unknown v of E x = b in terms of other unknowns. Such q and v are a pair. Elimination of all
 * these v leaves the matrix
 *
 *   R = R_0 + c R_1 + c² R_2,
 *
 * where R_0, R_1 and R_2 depend on J alone. In R, unknown q is paired with the equation of v. */
#include "solvers/newton_matrix.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "solvers/blocks.h"
#include "solvers/lu.h"
#include "solvers/thresholds.h"

/* One summand of an entry of R_0, R_1 or R_2. `index` is the index of this entry. J[a] and J[b] are stored entries of
 * J. The list of the term decides its value:
 *
 *   entries           -J[a]
 *   products          J[a] J[b]
 *   slopes            factor J[a]
 *   firsts, seconds   factor */
typedef struct term {
  int index;
  int a, b;
  double factor;
} term;

typedef struct terms {
  term *at;
  size_t n, capacity;
} terms;

/* An equation q' = v + ... and the unknown v. */
typedef struct pair {
  int q, v;
  int at; /* index of q, and of the equation of v, in the sequence of elimination */
  double mass;
} pair;

/* One product that solve_by_blocks() subtracts while it solves E x = b; q and v are a pair. Before R is solved, b and x
 * contain right-hand sides; afterwards b contains unknowns.
 *
 *   column link   x[to] -= J[a] b[from]   before R is solved; from = q; J[a] is in column v, x[to] belongs to its row
 *   row link      b[to] -= J[a] b[from]   after R is solved; to = v; J[a] is in row q and column `from` */
typedef struct link {
  int to, from;
  int a;
} link;

struct seam_dae_blocks {
  const seam_dae *dae;
  const double *J;
  seam_ldl_plan *plan;
  int n_remaining; /* number of unknowns of R */
  int *order;      /* (n_blocks) number of unknowns in each block */
  int *block;      /* (n) block of an unknown; -1: an eliminated v */
  int *within;     /* (n) index of an unknown within its block */
  int *row;        /* (n) unknown paired with equation i in R: i; q if i is a pair's v; -1, not in R, if i is its q */
  int *pivot;      /* (n) index of an unknown in the sequence of elimination; -1: an eliminated v */
  int *unknown, *equation; /* (n_remaining) unknowns and equations of R in the sequence of elimination */
  pair *pairs;
  link *column_links, *row_links;
  int n_pairs, n_column_links, n_row_links;
  terms entries, products, slopes, firsts, seconds; /* R_0: entries, products; R_1: slopes, firsts; R_2: seconds */
  int *row_start, *row_entry, *column_of;           /* J by rows: starts, entries; column of each entry */
  int (*edge)[2];
  size_t n_edges;
  double *R[2]; /* R_0, R_1; `seconds` has R_2 */
  bool failed;
};

struct seam_newton_matrix {
  const seam_dae *dae;
  bool is_complex;
  double c, c_im;
  seam_lu_scale scale;
  const seam_dae_blocks *blocks; /* NULL: not used */
  seam_blocks *solver;           /* factors of R */
  double *weight;                /* (n_remaining) scale of the equations of R */
  double *x;                     /* (n_remaining, or 2 n_remaining if complex) solution of R, imaginary parts last */
  bool by_blocks;                /* the last factors are by blocks */
  seam_lu *lu;                   /* NULL: not needed yet */
  double *reference;             /* (start[n]) J that decides pivots, together with c_reference */
  double c_reference, c_im_reference;
  int *diagonal;             /* (n) index of each diagonal entry in J */
  double *E;                 /* (start[n] numbers, or complex pairs) the matrix */
  double *trial, *remainder; /* (n pairs) scratch of residual() */
};

/* ---- Blocks: terms of R ---- */

static void add_term(seam_dae_blocks *self, terms *to, term added) {
  term *at = array_grow(to->at, &to->capacity, to->n + 1, sizeof *at);
  self->failed = self->failed || at == NULL;
  if (at == NULL)
    return;
  to->at = at;
  to->at[to->n++] = added;
}

/* Called for each product J[a] J[b] that the elimination of p->v adds to the entry (i, j) of R. J[a] = J_iv is in
 * column v of J, J[b] = J_qj in row q. */
typedef void cross(seam_dae_blocks *self, const pair *p, int i, int j, int a, int b);

static void visit_products(seam_dae_blocks *self, cross *each) {
  const seam_dae *dae = self->dae;
  for (const pair *p = self->pairs; p < self->pairs + self->n_pairs; p++)
    for (int a = dae->start[p->v]; a < dae->start[p->v + 1]; a++)
      for (int k = self->row_start[p->q]; k < self->row_start[p->q + 1]; k++) {
        const int b = self->row_entry[k];
        if (dae->row[a] != p->q && self->column_of[b] != p->v)
          each(self, p, dae->row[a], self->column_of[b], a, b);
      }
}

static void add_edge(seam_dae_blocks *self, const pair *p, int i, int j, int a, int b) {
  (void)p, (void)a, (void)b;
  const int block[2] = {self->block[self->row[i]], self->block[j]};
  if (block[0] != block[1])
    memcpy(self->edge[self->n_edges++], block, sizeof block);
}

static int index_of(const seam_dae_blocks *self, int i, int j) {
  const int at = self->row[i];
  return (int)seam_blocks_index(self->plan, self->block[at], self->block[j], self->within[at], self->within[j]);
}

/* Adds the summands of (c m δ_iv - J_iv) (c δ_jq - J_qj) by powers of c. m: mass of v; δ: 1 for equal indices. */
static void add_product(seam_dae_blocks *self, const pair *p, int i, int j, int a, int b) {
  const int index = index_of(self, i, j);
  add_term(self, &self->products, (term){index, a, b, 1});
  if (i == p->v)
    add_term(self, &self->slopes, (term){index, b, 0, -p->mass});
  if (j == p->q)
    add_term(self, &self->slopes, (term){index, a, 0, -1});
  if (i == p->v && j == p->q)
    add_term(self, &self->seconds, (term){index, 0, 0, p->mass});
}

static bool is_remaining(const seam_dae_blocks *self, int i, int j) { return self->row[i] >= 0 && self->block[j] >= 0; }

static void add_entries(seam_dae_blocks *self) {
  const seam_dae *dae = self->dae;
  for (int j = 0; j < dae->n; j++)
    for (int a = dae->start[j]; a < dae->start[j + 1]; a++) {
      const int i = dae->row[a];
      if (!is_remaining(self, i, j))
        continue;
      const int index = index_of(self, i, j);
      add_term(self, &self->entries, (term){index, a, 0, -1});
      if (i == j && dae->mass[i] != 0)
        add_term(self, &self->firsts, (term){index, 0, 0, dae->mass[i]});
    }
}

/* ---- Blocks: creation ---- */

/* Lists J by rows, and the column of each entry. */
static void list_rows(seam_dae_blocks *self) {
  const seam_dae *dae = self->dae;
  for (int a = 0; a < dae->start[dae->n]; a++)
    self->row_start[dae->row[a] + 1]++;
  for (int i = 0; i < dae->n; i++)
    self->row_start[i + 1] += self->row_start[i];
  int *next = self->pivot; /* serves as scratch here, before it is filled */
  memcpy(next, self->row_start, (size_t)dae->n * sizeof *next);
  for (int j = 0; j < dae->n; j++)
    for (int a = dae->start[j]; a < dae->start[j + 1]; a++) {
      self->row_entry[next[dae->row[a]]++] = a;
      self->column_of[a] = j;
    }
}

static void number_unknowns(seam_dae_blocks *self) {
  const seam_dae *dae = self->dae;
  for (int i = 0; i < dae->n; i++) {
    self->row[i] = i;
    self->block[i] = dae->blocks->of[i];
  }
  for (int q = 0; q < dae->n; q++) {
    const int v = dae->blocks->velocity_of[q];
    if (v < 0)
      continue;
    self->row[q] = -1;
    self->row[v] = q;
    self->block[v] = -1;
    self->pairs[self->n_pairs++] = (pair){.q = q, .v = v, .mass = dae->mass[v]};
  }
  for (int i = 0; i < dae->n; i++)
    if (self->block[i] >= 0) {
      self->within[i] = self->order[self->block[i]]++;
      self->n_remaining++;
    }
}

static void list_links(seam_dae_blocks *self) {
  const seam_dae *dae = self->dae;
  for (int i = 0; i < dae->n; i++)
    self->pivot[i] = self->block[i] < 0 ? -1 : seam_ldl_reference_of(self->plan, self->block[i]) + self->within[i];
  for (int i = 0; i < dae->n; i++) {
    if (self->pivot[i] >= 0)
      self->unknown[self->pivot[i]] = i;
    if (self->row[i] >= 0)
      self->equation[self->pivot[self->row[i]]] = i;
  }
  for (pair *p = self->pairs; p < self->pairs + self->n_pairs; p++) {
    p->at = self->pivot[p->q];
    for (int a = dae->start[p->v]; a < dae->start[p->v + 1]; a++)
      if (dae->row[a] != p->q)
        self->column_links[self->n_column_links++] = (link){self->pivot[self->row[dae->row[a]]], p->q, a};
    for (int k = self->row_start[p->q]; k < self->row_start[p->q + 1]; k++)
      if (self->column_of[self->row_entry[k]] != p->v)
        self->row_links[self->n_row_links++] = (link){p->v, self->column_of[self->row_entry[k]], self->row_entry[k]};
  }
}

static seam_status make_plan(seam_dae_blocks *self, seam_error *error) {
  const seam_dae *dae = self->dae;
  size_t n_most = (size_t)dae->start[dae->n];
  for (const pair *p = self->pairs; p < self->pairs + self->n_pairs; p++)
    n_most +=
        (size_t)(dae->start[p->v + 1] - dae->start[p->v]) * (size_t)(self->row_start[p->q + 1] - self->row_start[p->q]);
  self->edge = malloc((n_most + 1) * sizeof *self->edge);
  if (self->edge == NULL || n_most > INT_MAX / 4)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", dae->n);
  visit_products(self, add_edge);
  for (int j = 0; j < dae->n; j++)
    for (int a = dae->start[j]; a < dae->start[j + 1]; a++)
      if (is_remaining(self, dae->row[a], j))
        add_edge(self, NULL, dae->row[a], j, a, a);
  const seam_ldl_pattern pattern = {.n_blocks = dae->blocks->n_blocks,
                                    .order = self->order,
                                    .n_edges = (int)self->n_edges,
                                    .edge = (const int(*)[2])self->edge,
                                    .sequence = dae->blocks->sequence};
  return seam_ldl_plan_create(&pattern, &self->plan, error);
}

#define BLOCK_ARRAYS(X)                                                                                                \
  X(self, order, (size_t)dae->blocks->n_blocks)                                                                        \
  X(self, block, n)                                                                                                    \
  X(self, within, n)                                                                                                   \
  X(self, row, n)                                                                                                      \
  X(self, pivot, n)                                                                                                    \
  X(self, unknown, n)                                                                                                  \
  X(self, equation, n)                                                                                                 \
  X(self, pairs, n)                                                                                                    \
  X(self, row_start, n)                                                                                                \
  X(self, row_entry, n_entries)                                                                                        \
  X(self, column_of, n_entries)                                                                                        \
  X(self, column_links, n_entries)                                                                                     \
  X(self, row_links, n_entries)

seam_status seam_dae_blocks_create(const seam_dae *dae, seam_dae_blocks **created, seam_error *error) {
  seam_dae_blocks *self = calloc(1, sizeof *self);
  const size_t n = (size_t)dae->n, n_entries = (size_t)dae->start[n];
  seam_status status = SEAM_NO_MEMORY;
  const bool enough = self != NULL BLOCK_ARRAYS(ALLOCATE_ARRAY);
  if (enough) {
    self->dae = dae;
    list_rows(self);
    number_unknowns(self);
    status = make_plan(self, error);
  } else
    seam_fail(error, status, "no memory for a matrix of order %d", dae->n);
  if (status == SEAM_OK) {
    list_links(self);
    visit_products(self, add_product);
    add_entries(self);
    const size_t n_values = seam_blocks_n_values(self->plan);
    self->R[0] = calloc(2 * n_values + 1, sizeof *self->R[0]);
    self->R[1] = self->R[0] != NULL ? self->R[0] + n_values : NULL;
    if (self->failed || self->R[0] == NULL)
      status = seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", dae->n);
    free(self->edge);
    self->edge = NULL;
  }
  RETURN_CREATED(status, self, created, seam_dae_blocks_destroy);
}

void seam_dae_blocks_destroy(seam_dae_blocks *self) {
  if (self == NULL)
    return;
  terms *const lists[] = {&self->entries, &self->products, &self->slopes, &self->firsts, &self->seconds};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    free(lists[i]->at);
  seam_ldl_plan_destroy(self->plan);
  BLOCK_ARRAYS(FREE_ARRAY)
  free(self->edge);
  free(self->R[0]);
  free(self);
}

/* ---- Blocks: factors and solution ---- */

void seam_dae_blocks_set_jacobian(seam_dae_blocks *self, const double *J) {
  self->J = J;
  memset(self->R[0], 0, 2 * seam_blocks_n_values(self->plan) * sizeof *self->R[0]);
  for (const term *t = self->entries.at; t < self->entries.at + self->entries.n; t++)
    self->R[0][t->index] -= J[t->a];
  for (const term *t = self->products.at; t < self->products.at + self->products.n; t++)
    self->R[0][t->index] += J[t->a] * J[t->b];
  for (const term *t = self->slopes.at; t < self->slopes.at + self->slopes.n; t++)
    self->R[1][t->index] += t->factor * J[t->a];
  for (const term *t = self->firsts.at; t < self->firsts.at + self->firsts.n; t++)
    self->R[1][t->index] += t->factor;
}

/* Writes factors of rows and columns of the Newton matrix c B - J, c = 1/h. The scaled matrix has a regular limit for h
 * → 0, so the same pivots suit all step sizes. With r = rates[i]:
 *
 *   unknown i is of order h^-r, its equation of order h^(-r-1), the equation of a multiplier of order h^(r-2)
 *
 * h is rounded up to a power of two. Writes nothing if rates is NULL. (Petzold, Lötstedt: Numerical solution of
 * nonlinear differential equations with algebraic constraints II, SIAM Journal on Scientific and Statistical Computing
 * 7, 1986.) */
static void find_scale(const seam_dae *dae, double h, const seam_lu_scale *scale) {
  int exponent = 0;
  frexp(h, &exponent);
  const double power[4] = {1, ldexp(1, exponent), ldexp(1, 2 * exponent), ldexp(1, 3 * exponent)};
  for (int i = 0; i < dae->n && dae->rates != NULL; i++) {
    const int r = dae->rates[i];
    scale->column[i] = 1 / power[r];
    scale->row[i] = power[dae->mass[i] > 0 ? r + 1 : 2 - r];
  }
}

/* Factorises for self->c and self->c_im by blocks. Returns false if a diagonal block of R is singular. */
static bool factor_blocks(seam_newton_matrix *self) {
  const seam_dae_blocks *blocks = self->blocks;
  const double c = self->c, c_im = self->c_im;
  const size_t n_values = seam_blocks_n_values(blocks->plan);
  const double *R0 = blocks->R[0];
  const double *R1 = blocks->R[1];
  double *re = seam_blocks_values(self->solver);
  double *im = re + n_values;
  find_scale(blocks->dae, 1 / hypot(c, c_im), &self->scale);
  for (int k = 0; k < blocks->n_remaining; k++)
    self->weight[k] = self->scale.row[blocks->equation[k]];
  for (size_t k = 0; k < n_values; k++)
    re[k] = R0[k] + c * R1[k];
  for (size_t k = 0; k < n_values && self->is_complex; k++)
    im[k] = c_im * R1[k];
  for (const term *t = blocks->seconds.at; t < blocks->seconds.at + blocks->seconds.n; t++) {
    re[t->index] += (c * c - c_im * c_im) * t->factor;
    if (self->is_complex)
      im[t->index] += 2 * c * c_im * t->factor;
  }
  return seam_blocks_factor(self->solver, self->weight);
}

static inline __attribute__((always_inline)) void solve_by_blocks(bool is_complex, seam_newton_matrix *self,
                                                                  double *b) {
  const seam_dae_blocks *blocks = self->blocks;
  const double *J = blocks->J;
  const int parts = is_complex ? 2 : 1;
  double *x = self->x;
  double *im = x + blocks->n_remaining;
  for (int k = 0; k < blocks->n_remaining; k++) {
    const double *from = b + parts * blocks->equation[k];
    x[k] = from[0];
    if (is_complex)
      im[k] = from[1];
  }
  for (const link *l = blocks->column_links; l < blocks->column_links + blocks->n_column_links; l++) {
    x[l->to] -= J[l->a] * b[parts * l->from];
    if (is_complex)
      im[l->to] -= J[l->a] * b[2 * l->from + 1];
  }
  for (const pair *p = blocks->pairs; p < blocks->pairs + blocks->n_pairs; p++) {
    const double r = b[parts * p->q];
    const double r_im = is_complex ? b[2 * p->q + 1] : 0;
    x[p->at] += p->mass * (is_complex ? self->c * r - self->c_im * r_im : self->c * r);
    if (is_complex)
      im[p->at] += p->mass * (self->c * r_im + self->c_im * r);
  }
  seam_blocks_solve(self->solver, x);
  for (const pair *p = blocks->pairs; p < blocks->pairs + blocks->n_pairs; p++) {
    const double q = x[p->at];
    const double q_im = is_complex ? im[p->at] : 0;
    b[parts * p->v] = (is_complex ? self->c * q - self->c_im * q_im : self->c * q) - b[parts * p->q];
    if (is_complex)
      b[2 * p->v + 1] = self->c * q_im + self->c_im * q - b[2 * p->q + 1];
  }
  for (int k = 0; k < blocks->n_remaining; k++) {
    double *to = b + parts * blocks->unknown[k];
    to[0] = x[k];
    if (is_complex)
      to[1] = im[k];
  }
  for (const link *l = blocks->row_links; l < blocks->row_links + blocks->n_row_links; l++) {
    b[parts * l->to] -= J[l->a] * b[parts * l->from];
    if (is_complex)
      b[2 * l->to + 1] -= J[l->a] * b[2 * l->from + 1];
  }
}

/* ---- The matrix ---- */

#define MATRIX_ARRAYS(X)                                                                                               \
  X(self, scale.row, n)                                                                                                \
  X(self, scale.column, n)                                                                                             \
  X(self, weight, n)                                                                                                   \
  X(self, x, 2 * n)                                                                                                    \
  X(self, reference, n_entries)                                                                                        \
  X(self, diagonal, n)                                                                                                 \
  X(self, E, (size_t)parts(self) * n_entries)                                                                          \
  X(self, trial, 2 * n)                                                                                                \
  X(self, remainder, 2 * n)

static int parts(const seam_newton_matrix *self) { return self->is_complex ? 2 : 1; }

void seam_newton_matrix_destroy(seam_newton_matrix *self) {
  if (self == NULL)
    return;
  seam_blocks_destroy(self->solver);
  seam_lu_destroy(self->lu);
  MATRIX_ARRAYS(FREE_ARRAY)
  free(self);
}

/* Sets E = (c + i c_im) B - J, not scaled yet, and the scale. */
static void form(seam_newton_matrix *self, const double *J, double c, double c_im) {
  const int n = self->dae->n, w = parts(self);
  find_scale(self->dae, 1 / hypot(c, c_im), &self->scale);
  for (int k = 0; k < self->dae->start[n]; k++) {
    self->E[w * k] = -J[k];
    if (w == 2)
      self->E[2 * k + 1] = 0;
  }
  for (int i = 0; i < n; i++) {
    self->E[w * self->diagonal[i]] += c * self->dae->mass[i];
    if (w == 2)
      self->E[2 * self->diagonal[i] + 1] += c_im * self->dae->mass[i];
  }
}

/* Creates self->lu on first use, with the pivots of the reference matrix. */
static seam_status ensure_lu(seam_newton_matrix *self, seam_error *error) {
  const seam_dae *dae = self->dae;
  if (self->lu != NULL)
    return SEAM_OK;
  form(self, self->reference, self->c_reference, self->c_im_reference);
  return seam_lu_create(dae->n, dae->start, dae->row, self->is_complex, dae->rates != NULL ? &self->scale : NULL,
                        self->E, &self->lu, error);
}

seam_status seam_newton_matrix_create(const seam_dae *dae, seam_dae_blocks *blocks, bool is_complex, const double *J,
                                      double c, double c_im, seam_newton_matrix **created, seam_error *error) {
  seam_newton_matrix *self = calloc(1, sizeof *self);
  const double cost = blocks != NULL ? 2 * seam_ldl_cost(blocks->plan) : INFINITY; /* of a real factorisation */
  const bool by_blocks = /* false if the blocks' sequence causes much fill, so that lu.h costs less */
      cost < seam_little_work * dae->start[dae->n] ||
      (blocks != NULL && cost < seam_more_work * seam_lu_least_cost(dae->n, dae->start, dae->row));
  const size_t n = (size_t)dae->n, n_entries = (size_t)dae->start[n];
  seam_status status = SEAM_OK;
  bool replaced = false;
  if (self != NULL) {
    *self = (seam_newton_matrix){.dae = dae, .is_complex = is_complex, .c_reference = c, .c_im_reference = c_im};
    self->blocks = by_blocks ? blocks : NULL;
    self->solver = by_blocks ? seam_blocks_create(blocks->plan, is_complex) : NULL;
  }
  const bool enough = self != NULL && (!by_blocks || self->solver != NULL) MATRIX_ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    seam_newton_matrix_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", dae->n);
  }
  for (int i = 0; i < dae->n; i++) {
    self->scale.row[i] = 1;
    for (int k = dae->start[i]; k < dae->start[i + 1]; k++)
      if (dae->row[k] == i)
        self->diagonal[i] = k;
  }
  memcpy(self->reference, J, n_entries * sizeof *J);
  if (by_blocks) {
    seam_dae_blocks_set_jacobian(blocks, J);
    status = seam_newton_matrix_factor(self, J, c, c_im);
    THEN(status, seam_newton_matrix_test(self, J, &replaced));
  }
  if (status != SEAM_OK || !self->by_blocks) /* ensure_lu() sets the message */
    status = ensure_lu(self, error);
  RETURN_CREATED(status, self, created, seam_newton_matrix_destroy);
}

/* ---- Factors ---- */

seam_status seam_newton_matrix_factor(seam_newton_matrix *self, const double *J, double c, double c_im) {
  self->c = c;
  self->c_im = c_im;
  self->by_blocks = self->blocks != NULL && factor_blocks(self);
  if (self->by_blocks)
    return SEAM_OK;
  TRY(ensure_lu(self, NULL));
  form(self, J, c, c_im);
  return seam_lu_factor_untested(self->lu, self->E);
}

/* Adds sign times E x to `to`, with the scaled E. x and `to` have real numbers or, if E is complex, pairs. */
static void add_multiple(const seam_newton_matrix *self, double sign, const double *x, double *to) {
  const int w = parts(self);
  for (int j = 0; j < self->dae->n; j++)
    for (int k = self->dae->start[j]; k < self->dae->start[j + 1]; k++) {
      const double *E = self->E + w * k;
      double *sum = to + w * self->dae->row[k];
      sum[0] += sign * (w == 2 ? E[0] * x[2 * j] - E[1] * x[2 * j + 1] : E[0] * x[j]);
      if (w == 2)
        sum[1] += sign * (E[0] * x[2 * j + 1] + E[1] * x[2 * j]);
    }
}

/* Measures the accuracy of the factors by blocks: solves E x = E e, where e is a vector of ones. Returns the largest
 * residual, divided by the largest entry of E and by max(1, max |x_i|). Scales E in place. */
static double residual(seam_newton_matrix *self) {
  const int n = self->dae->n, w = parts(self);
  const bool is_scaled = self->dae->rates != NULL;
  for (int j = 0; j < n && is_scaled; j++)
    for (int k = self->dae->start[j]; k < self->dae->start[j + 1]; k++)
      for (int part = 0; part < w; part++)
        self->E[w * k + part] *= self->scale.row[self->dae->row[k]] * self->scale.column[j];
  for (int i = 0; i < w * n; i++)
    self->trial[i] = 1;
  memset(self->remainder, 0, (size_t)(w * n) * sizeof *self->remainder);
  add_multiple(self, 1, self->trial, self->remainder);
  for (int i = 0; i < w * n; i++)
    self->trial[i] = is_scaled ? self->remainder[i] / self->scale.row[i / w] : self->remainder[i];
  seam_newton_matrix_solve(self, self->trial);
  for (int i = 0; i < w * n && is_scaled; i++)
    self->trial[i] /= self->scale.column[i / w];
  add_multiple(self, -1, self->trial, self->remainder);
  const size_t length = (size_t)w * (size_t)n, n_values = (size_t)w * (size_t)self->dae->start[n];
  const double size = largest_size(self->E, n_values) * fmax(1, largest_size(self->trial, length));
  return largest_size(self->remainder, length) / size;
}

seam_status seam_newton_matrix_test(seam_newton_matrix *self, const double *J, bool *replaced) {
  if (!self->by_blocks)
    return seam_lu_test(self->lu, self->E, replaced);
  form(self, J, self->c, self->c_im);
  *replaced = !(residual(self) <= seam_worst_residual);
  if (!*replaced)
    return SEAM_OK;
  self->by_blocks = false;
  TRY(ensure_lu(self, NULL));
  form(self, J, self->c, self->c_im);
  return seam_lu_factor(self->lu, self->E);
}

bool seam_newton_matrix_is_by_blocks(const seam_newton_matrix *self) { return self->by_blocks; }

seam_status seam_newton_matrix_explain(const seam_newton_matrix *self, seam_status status, double t,
                                       seam_error *error) {
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "t = %.9g s: no memory for a matrix of order %d", t, self->dae->n);
  if (status == SEAM_SINGULAR)
    return seam_fail(error, status, "t = %.9g s: the Newton matrix is singular: look for a singular configuration", t);
  return SEAM_OK;
}

void seam_newton_matrix_solve(seam_newton_matrix *self, double *b) {
  if (!self->by_blocks)
    seam_lu_solve(self->lu, b);
  else if (self->is_complex)
    solve_by_blocks(true, self, b);
  else
    solve_by_blocks(false, self, b);
}
