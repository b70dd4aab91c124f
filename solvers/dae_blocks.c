#include "solvers/dae_blocks.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "solvers/blocks.h"

/* One summand of an entry of R_0, R_1 or R_2 (dae_blocks.h). `index`: index of this entry. Its value depends on the
 * list that contains the term: -J[a] in `entries`, J[a] J[b] in `products`, `factor` times J[a] in `slopes`, `factor`
 * in `firsts` and `seconds`. J[a] and J[b] are stored entries of J. */
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

/* One product that solve() subtracts while it solves E x = b; q and v are a pair. Before R is solved, b and x contain
 * right-hand sides; afterwards b contains unknowns.
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
  int *row;        /* (n) unknown paired with equation i in R: i, or for the v of a pair its q; -1: the q of a pair */
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

struct seam_dae_factors {
  seam_dae_blocks *blocks;
  seam_blocks *solver;
  bool is_complex;
  double c, c_im;
  seam_lu_scale scale;
  double *weight; /* (n_remaining) scale of equations */
  double *x;      /* (n_remaining, or 2 n_remaining if complex) solution, imaginary parts last */
};

/* ---- Terms ---- */

static void add_term(seam_dae_blocks *self, terms *to, term added) {
  term *at = array_grow(to->at, &to->capacity, to->n + 1, sizeof *at);
  self->failed = self->failed || at == NULL;
  if (at == NULL)
    return;
  to->at = at;
  to->at[to->n++] = added;
}

/* Called for each entry (i, j) of R to which the elimination of p->v contributes the product J[a] J[b]. J[a] = J_iv is
 * in column v of J, and J[b] = J_qj is in row q. */
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

/* Adds the summands of the product (c m δ_iv - J_iv) (c δ_jq - J_qj), sorted by powers of c; m is the mass of v, and δ
 * is 1 for equal indices, else 0. */
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

/* ---- Creation ---- */

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

#define ARRAYS(X)                                                                                                      \
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
  const bool enough = self != NULL ARRAYS(ALLOCATE_ARRAY);
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
  }
  if (status != SEAM_OK) {
    seam_dae_blocks_destroy(self);
    return status;
  }
  free(self->edge);
  self->edge = NULL;
  *created = self;
  return SEAM_OK;
}

void seam_dae_blocks_destroy(seam_dae_blocks *self) {
  if (self == NULL)
    return;
  terms *const lists[] = {&self->entries, &self->products, &self->slopes, &self->firsts, &self->seconds};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    free(lists[i]->at);
  seam_ldl_plan_destroy(self->plan);
  ARRAYS(FREE_ARRAY)
  free(self->edge);
  free(self->R[0]);
  free(self);
}

double seam_dae_blocks_cost(const seam_dae_blocks *self) { return 2 * seam_ldl_cost(self->plan); }

/* ---- Matrices ---- */

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

seam_dae_factors *seam_dae_factors_create(seam_dae_blocks *blocks, bool is_complex) {
  const size_t n = (size_t)blocks->dae->n + 1;
  seam_dae_factors *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->blocks = blocks;
  self->is_complex = is_complex;
  self->solver = seam_blocks_create(blocks->plan, is_complex);
  self->scale.row = calloc(5 * n, sizeof *self->scale.row);
  if (self->solver == NULL || self->scale.row == NULL) {
    seam_dae_factors_destroy(self);
    return NULL;
  }
  self->scale.column = self->scale.row + n;
  self->weight = self->scale.row + 2 * n;
  self->x = self->scale.row + 3 * n;
  for (size_t i = 0; i < n; i++)
    self->scale.row[i] = 1;
  return self;
}

void seam_dae_factors_destroy(seam_dae_factors *self) {
  if (self == NULL)
    return;
  seam_blocks_destroy(self->solver);
  free(self->scale.row);
  free(self);
}

bool seam_dae_factors_make(seam_dae_factors *self, double c, double c_im) {
  const seam_dae_blocks *blocks = self->blocks;
  const size_t n_values = seam_blocks_n_values(blocks->plan);
  const double *R0 = blocks->R[0];
  const double *R1 = blocks->R[1];
  double *re = seam_blocks_values(self->solver);
  double *im = re + n_values;
  self->c = c;
  self->c_im = c_im;
  seam_dae_scale(blocks->dae, 1 / hypot(c, c_im), &self->scale);
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

/* ---- Solution ---- */

static inline __attribute__((always_inline)) void solve(bool is_complex, seam_dae_factors *self, double *b) {
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

void seam_dae_factors_solve(seam_dae_factors *self, double *b) {
  if (self->is_complex)
    solve(true, self, b);
  else
    solve(false, self, b);
}
