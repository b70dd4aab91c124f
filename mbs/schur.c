#include "mbs/schur.h"

#include <stdlib.h>
#include <string.h>

/* Joints of each body: those of body b are at[start[b]] to at[start[b + 1] - 1], as 2 joint + side. */
typedef struct incidence {
  int *start; /* (n_bodies + 2) */
  int *at;    /* (2 n_joints) */
} incidence;

static void incidence_destroy(incidence *inc) {
  free(inc->start);
  free(inc->at);
}

static bool incidence_create(incidence *inc, const mbs_joint *joints, int n_joints, int n_bodies) {
  inc->start = calloc((size_t)n_bodies + 2, sizeof *inc->start);
  inc->at = malloc((2 * (size_t)n_joints + 1) * sizeof *inc->at);
  if (inc->start == NULL || inc->at == NULL)
    return false;
  for (int j = 0; j < n_joints; j++)
    for (int side = 0; side < 2; side++)
      inc->start[joints[j].body[side] + 1]++;
  for (int b = 0; b <= n_bodies; b++)
    inc->start[b + 1] += inc->start[b];
  for (int j = n_joints - 1; j >= 0; j--)
    for (int side = 0; side < 2; side++)
      inc->at[--inc->start[joints[j].body[side] + 1]] = 2 * j + side;
  /* Each start has moved down to its own body: shift back. */
  memmove(inc->start, inc->start + 1, ((size_t)n_bodies + 1) * sizeof *inc->start);
  inc->start[n_bodies + 1] = 2 * n_joints;
  return true;
}

static int compare_ints(const void *a, const void *b) {
  const int x = *(const int *)a;
  const int y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Joints that share a moving body with joint j, itself included, in order. */
static int neighbours_of(int j, const mbs_joint *joints, const incidence *inc, int *seen, int *list) {
  int n = 0;
  for (int side = 0; side < 2; side++) {
    const int b = joints[j].body[side];
    for (int k = inc->start[b]; b != 0 && k < inc->start[b + 1]; k++) {
      const int other = inc->at[k] / 2;
      if (seen[other] != j)
        list[n++] = other;
      seen[other] = j;
    }
  }
  qsort(list, (size_t)n, sizeof *list, compare_ints);
  return n;
}

typedef struct pattern {
  int *column_start;
  int *row;
  int *seen; /* scratch, (n_joints) */
  int *list; /* scratch, (n_joints) */
} pattern;

static void pattern_destroy(pattern *p) {
  free(p->column_start);
  free(p->row);
  free(p->seen);
  free(p->list);
}

static bool append_columns(pattern *p, const mbs_joint *joints, int j, int n_neighbours, int *n_entries) {
  int height = 0;
  for (int k = 0; k < n_neighbours; k++)
    height += joints[p->list[k]].type->n_rows;
  int *row = realloc(p->row, (size_t)(*n_entries + height * mbs_max_rows + 1) * sizeof *row);
  if (row == NULL)
    return false;
  p->row = row;
  for (int c = 0; c < joints[j].type->n_rows; c++) {
    p->column_start[joints[j].row + c] = *n_entries;
    for (int k = 0; k < n_neighbours; k++)
      for (int r = 0; r < joints[p->list[k]].type->n_rows; r++)
        row[(*n_entries)++] = joints[p->list[k]].row + r;
  }
  return true;
}

static bool pattern_create(pattern *p, const mbs_joint *joints, int n_joints, int n_rows, const incidence *inc) {
  int n_entries = 0;
  p->column_start = malloc(((size_t)n_rows + 1) * sizeof *p->column_start);
  p->row = malloc(sizeof *p->row);
  p->seen = malloc(((size_t)n_joints + 1) * sizeof *p->seen);
  p->list = malloc(((size_t)n_joints + 1) * sizeof *p->list);
  if (p->column_start == NULL || p->row == NULL || p->seen == NULL || p->list == NULL)
    return false;
  for (int j = 0; j < n_joints; j++)
    p->seen[j] = -1;
  for (int j = 0; j < n_joints; j++)
    if (!append_columns(p, joints, j, neighbours_of(j, joints, inc, p->seen, p->list), &n_entries))
      return false;
  p->column_start[n_rows] = n_entries;
  return true;
}

static mbs_block block_of(const seam_spd_plan *plan, const mbs_joint *joints, int body, int first, int second) {
  const mbs_joint *j[2] = {&joints[first / 2], &joints[second / 2]};
  mbs_block block = {.body = body,
                     .row = {j[0]->row, j[1]->row},
                     .n_rows = {j[0]->type->n_rows, j[1]->type->n_rows},
                     .side = {first % 2, second % 2}};
  for (int a = 0; a < 2; a++)
    for (int k = 0; k < block.n_rows[1 - a]; k++)
      block.slot[a][k] = seam_spd_slot(plan, block.row[a], block.row[1 - a] + k);
  return block;
}

static bool blocks_create(mbs_schur *schur, const mbs_joint *joints, int n_bodies, const incidence *inc) {
  size_t n_blocks = 0;
  for (int b = 1; b <= n_bodies; b++) {
    const size_t degree = (size_t)(inc->start[b + 1] - inc->start[b]);
    n_blocks += degree * (degree + 1) / 2;
  }
  schur->blocks = malloc((n_blocks + 1) * sizeof *schur->blocks);
  if (schur->blocks == NULL)
    return false;
  for (int b = 1; b <= n_bodies; b++)
    for (int i = inc->start[b]; i < inc->start[b + 1]; i++)
      for (int k = inc->start[b]; k <= i; k++)
        schur->blocks[schur->n_blocks++] = block_of(schur->plan, joints, b, inc->at[i], inc->at[k]);
  return true;
}

seam_status mbs_schur_create(mbs_schur *schur, const mbs_joint *joints, int n_joints, int n_bodies, int n_rows,
                             seam_error *error) {
  incidence inc = {0};
  pattern p = {0};
  *schur = (mbs_schur){0};
  seam_status status = SEAM_NO_MEMORY;
  if (incidence_create(&inc, joints, n_joints, n_bodies) && pattern_create(&p, joints, n_joints, n_rows, &inc) &&
      seam_spd_plan_create(n_rows, p.column_start, p.row, SEAM_SPD_CHOOSE, &schur->plan, error) == SEAM_OK &&
      blocks_create(schur, joints, n_bodies, &inc))
    status = SEAM_OK;
  incidence_destroy(&inc);
  pattern_destroy(&p);
  if (status != SEAM_OK) {
    mbs_schur_destroy(schur);
    return seam_fail(error, status, "no memory for the constraints of %d joints", n_joints);
  }
  return SEAM_OK;
}

void mbs_schur_destroy(mbs_schur *schur) {
  seam_spd_plan_destroy(schur->plan);
  free(schur->blocks);
  *schur = (mbs_schur){0};
}

static inline double weighted_product(const double *a, const double *w, const double *b) {
  return a[0] * w[0] * b[0] + a[1] * w[1] * b[1] + a[2] * w[2] * b[2];
}

void mbs_schur_fill(const mbs_schur *schur, const double (*G)[6], const double *weight, double *values) {
  memset(values, 0, (size_t)seam_spd_n_values(schur->plan) * sizeof *values);
  for (const mbs_block *block = schur->blocks; block < schur->blocks + schur->n_blocks; block++) {
    const double *w = weight + 3 * block->body;
    const bool on_diagonal = block->row[0] == block->row[1];
    for (int i = 0; i < block->n_rows[0]; i++)
      for (int k = 0; k < block->n_rows[1]; k++) {
        const double s =
            weighted_product(G[block->row[0] + i] + 3 * block->side[0], w, G[block->row[1] + k] + 3 * block->side[1]);
        values[block->slot[0][k] + i] += s;
        if (!on_diagonal)
          values[block->slot[1][i] + k] += s;
      }
  }
}
