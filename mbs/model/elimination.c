#include "mbs/model/elimination.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/lanes.h"
#include "base/then.h"
#include "mbs/model/hubs.h"

/* ---- Blocks ---- */

typedef struct planner {
  mbs_elimination *result;
  const mbs_joint *joints;
  int n_bodies;
  int *start; /* (n_bodies + 2) joints of body b: at[start[b]] to at[start[b + 1] - 1] */
  int *at;    /* (2 n_joints) each entry is 2 joint + side */
  mbs_hubs hubs;
  int (*edge)[2]; /* (n_edges) pairs of coupled blocks: first n_joint_edges pairs of joints, then pairs of a joint and a
                     hub */
  int n_edges, n_joint_edges;
  int *order, *sequence;
} planner;

static bool list_joints_of_bodies(planner *self) {
  const int n_joints = self->result->n_joints;
  self->start = calloc((size_t)self->n_bodies + 3, sizeof *self->start);
  self->at = malloc((2 * (size_t)n_joints + 1) * sizeof *self->at);
  if (self->start == NULL || self->at == NULL)
    return false;
  int *next = self->start + 1;
  for (int j = 0; j < n_joints; j++)
    for (int side = 0; side < 2; side++)
      next[self->joints[j].body[side] + 1]++;
  for (int b = 0; b <= self->n_bodies; b++)
    next[b + 1] += next[b];
  for (int j = 0; j < n_joints; j++)
    for (int side = 0; side < 2; side++)
      self->at[next[self->joints[j].body[side]]++] = 2 * j + side;
  return true;
}

static bool is_hub(const planner *self, int body) { return self->hubs.of_body[body] >= 0; }

/* Returns true if the elimination of a body couples the joint at `end` (2 joint + side) with its other joints: always,
 * unless the body is a hub and the joint hangs on it. */
static bool couples(const planner *self, int body, int end) {
  return !is_hub(self, body) || !self->hubs.hangs[end / 2][end % 2];
}

typedef void visit(planner *self, int body, int later_end, int end);

/* Calls `each` (may be NULL) for each pair of joints that a body couples; returns the number of pairs. */
static long long visit_pairs(planner *self, visit *each) {
  long long n = 0;
  for (int b = 1; b <= self->n_bodies; b++)
    for (int i = self->start[b]; i < self->start[b + 1]; i++) {
      for (int k = self->start[b]; k < i && couples(self, b, self->at[i]); k++)
        if (couples(self, b, self->at[k])) {
          n++;
          if (each != NULL)
            each(self, b, self->at[i], self->at[k]);
        }
    }
  return n;
}

static void add_edge(planner *self, int body, int later_end, int end) {
  (void)body;
  self->edge[self->n_edges][0] = later_end / 2;
  self->edge[self->n_edges++][1] = end / 2;
}

static bool list_edges(planner *self) {
  const int n_joints = self->result->n_joints;
  const long long n_pairs = visit_pairs(self, NULL);
  if (n_pairs > INT_MAX / 4 - 2 * n_joints)
    return false;
  self->edge = malloc(((size_t)n_pairs + 2 * (size_t)n_joints + 1) * sizeof *self->edge);
  if (self->edge == NULL)
    return false;
  visit_pairs(self, add_edge);
  self->n_joint_edges = self->n_edges;
  for (int j = 0; j < n_joints; j++)
    for (int side = 0; side < 2; side++)
      if (is_hub(self, self->joints[j].body[side])) {
        self->edge[self->n_edges][0] = j;
        self->edge[self->n_edges++][1] = n_joints + self->hubs.of_body[self->joints[j].body[side]];
      }
  return true;
}

/* ---- Sequence ---- */

/* Sorts the sequence of elimination by depth (hubs.h): the deepest joints, then the hubs on which they hang, and so on.
 * Joints of the same depth keep their order, which is the order of least fill. */
static bool sort_sequence(planner *self, int n_blocks) {
  const mbs_hubs *hubs = &self->hubs;
  const int n_joints = self->result->n_joints;
  const int n_passes = 2 * hubs->deepest + 1;
  int *next = calloc((size_t)n_passes + 1, sizeof *next);
  int *pass_of = malloc(((size_t)n_blocks + 1) * sizeof *pass_of);
  int *sorted = malloc(((size_t)n_blocks + 1) * sizeof *sorted);
  const bool enough = next != NULL && pass_of != NULL && sorted != NULL;
  for (int i = 0; i < n_blocks && enough; i++) {
    const int depth = i < n_joints ? 2 * hubs->depth_of_joint[i] : 2 * hubs->depth_of_hub[i - n_joints] + 1;
    pass_of[i] = 2 * hubs->deepest - depth;
    next[pass_of[i] + 1]++;
  }
  for (int pass = 0; pass < n_passes && enough; pass++)
    next[pass + 1] += next[pass];
  for (int k = 0; k < n_blocks && enough; k++)
    sorted[next[pass_of[self->sequence[k]]]++] = self->sequence[k];
  if (enough)
    memcpy(self->sequence, sorted, (size_t)n_blocks * sizeof *sorted);
  free(next);
  free(pass_of);
  free(sorted);
  return enough;
}

static seam_status make_plan(planner *self, seam_error *error) {
  const int n_joints = self->result->n_joints;
  const int n_blocks = n_joints + self->hubs.n_hubs;
  self->order = malloc(((size_t)n_blocks + 1) * sizeof *self->order);
  self->sequence = malloc(((size_t)n_blocks + 1) * sizeof *self->sequence);
  if (self->order == NULL || self->sequence == NULL || !list_edges(self))
    return SEAM_NO_MEMORY;
  for (int i = 0; i < n_blocks; i++)
    self->order[i] = i < n_joints ? self->joints[i].type->n_rows : 3;
  /* for parallel work, the order of least fill divides a long and thin mechanism into n_parts, unless it has hubs */
  const int n_parts = self->hubs.n_hubs > 0 ? 1 : self->n_bodies < MBS_LARGE ? 2 : 4;
  TRY(seam_ldl_order(n_joints, self->n_joint_edges, (const int(*)[2])self->edge, n_parts, self->sequence, error));
  for (int i = n_joints; i < n_blocks; i++)
    self->sequence[i] = i;
  if (!sort_sequence(self, n_blocks))
    return SEAM_NO_MEMORY;
  const seam_ldl_pattern pattern = {.n_blocks = n_blocks,
                                    .order = self->order,
                                    .n_edges = self->n_edges,
                                    .edge = (const int(*)[2])self->edge,
                                    .sequence = self->sequence,
                                    .in_jobs = self->n_bodies >= MBS_LARGE};
  return seam_ldl_plan_create(&pattern, &self->result->plan, error);
}

/* ---- Indices of values ---- */

static void index_pair(planner *self, int body, int end, int other) {
  mbs_elimination *result = self->result;
  if (is_hub(self, body))
    return;
  const bool is_later = seam_ldl_is_before(result->plan, other / 2, end / 2);
  const int ends[2] = {is_later ? end : other, is_later ? other : end};
  mbs_body_block *pair = &result->pairs[result->n_pairs++];
  pair->body = body;
  pair->value = seam_ldl_block(result->plan, ends[0] / 2, ends[1] / 2);
  pair->are_pins = self->joints[ends[0] / 2].type->is_pin && self->joints[ends[1] / 2].type->is_pin;
  for (int i = 0; i < 2; i++) {
    pair->row[i] = self->joints[ends[i] / 2].row;
    pair->n_rows[i] = self->joints[ends[i] / 2].type->n_rows;
    pair->side[i] = ends[i] % 2;
  }
}

static void index_hubs(planner *self) {
  mbs_elimination *result = self->result;
  for (int h = 0; h < result->n_hubs; h++) {
    const int block = result->n_joints + h;
    const int body = self->hubs.body[h];
    result->hubs[h] =
        (mbs_hub_block){body, seam_ldl_block(result->plan, block, block), seam_ldl_reference_of(result->plan, block)};
    for (int k = self->start[body]; k < self->start[body + 1]; k++) {
      const int j = self->at[k] / 2;
      const int side = self->at[k] % 2;
      const bool hangs = self->hubs.hangs[j][side];
      result->links[result->n_links++] = (mbs_hub_link){.body = body,
                                                        .row = self->joints[j].row,
                                                        .n_rows = self->joints[j].type->n_rows,
                                                        .side = side,
                                                        .hangs = hangs,
                                                        .value = hangs ? seam_ldl_block(result->plan, block, j)
                                                                       : seam_ldl_block(result->plan, j, block),
                                                        .reference = result->joints[j].reference};
    }
  }
}

static int compare_joints(const void *a, const void *b) {
  return ((const mbs_joint_block *)a)->value - ((const mbs_joint_block *)b)->value;
}

static int compare_pairs(const void *a, const void *b) {
  const mbs_body_block *x = a;
  const mbs_body_block *y = b;
  return x->value != y->value ? x->value - y->value : x->body - y->body;
}

#define ELIMINATION_ARRAYS(X)                                                                                          \
  X(result, joints, n_joints)                                                                                          \
  X(result, pairs, (size_t)self->n_joint_edges)                                                                        \
  X(result, hubs, (size_t)result->n_hubs)                                                                              \
  X(result, links, 2 * n_joints)                                                                                       \
  X(result, pair_of, n_joints)

static bool find_indices(planner *self) {
  mbs_elimination *result = self->result;
  const size_t n_joints = (size_t)result->n_joints;
  result->n_hubs = self->hubs.n_hubs;
  const bool enough = true ELIMINATION_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return false;
  for (int j = 0; j < result->n_joints; j++) {
    const mbs_joint *joint = &self->joints[j];
    result->joints[j] = (mbs_joint_block){.row = joint->row,
                                          .n_rows = joint->type->n_rows,
                                          .is_pin = joint->type->is_pin,
                                          .value = seam_ldl_block(result->plan, j, j),
                                          .reference = seam_ldl_reference_of(result->plan, j)};
    for (int side = 0; side < 2; side++)
      result->joints[j].body[side] = is_hub(self, joint->body[side]) ? 0 : joint->body[side];
  }
  visit_pairs(self, index_pair);
  index_hubs(self);
  /* values are then written in order, and threads with different ranges of joints write to different values */
  qsort(result->joints, n_joints, sizeof *result->joints, compare_joints);
  qsort(result->pairs, (size_t)result->n_pairs, sizeof *result->pairs, compare_pairs);
  for (int k = 0, pair = 0; k <= result->n_joints; k++) {
    while (pair < result->n_pairs && (k == result->n_joints || result->pairs[pair].value < result->joints[k].value))
      pair++;
    result->pair_of[k] = k == 0 ? 0 : pair;
  }
  return true;
}

seam_status mbs_elimination_create(mbs_elimination *elimination, const mbs_joint *joints, int n_joints, int n_bodies,
                                   seam_error *error) {
  planner self = {.result = elimination, .joints = joints, .n_bodies = n_bodies};
  *elimination = (mbs_elimination){.n_joints = n_joints};
  seam_status status = SEAM_NO_MEMORY;
  if (list_joints_of_bodies(&self) && mbs_hubs_create(&self.hubs, joints, n_joints, n_bodies))
    status = make_plan(&self, error);
  if (status == SEAM_OK && !find_indices(&self))
    status = SEAM_NO_MEMORY;
  free(self.start);
  free(self.at);
  mbs_hubs_destroy(&self.hubs);
  free(self.edge);
  free(self.order);
  free(self.sequence);
  if (status != SEAM_OK) {
    mbs_elimination_destroy(elimination);
    return seam_fail(error, status, "no memory for the constraints of %d joints", n_joints);
  }
  return SEAM_OK;
}

void mbs_elimination_destroy(mbs_elimination *result) {
  seam_ldl_plan_destroy(result->plan);
  ELIMINATION_ARRAYS(FREE_ARRAY)
  *result = (mbs_elimination){0};
}

/* ---- Values ---- */

/* Fills a joint's n x n block of S = G W Gᵀ on and below the diagonal, and the n references of this block. Computes
 * each row of G W only once. */
static inline void fill_joint(int n, const mbs_joint_block *joint, const double (*G)[6], const double *weight,
                              double *value, double *reference) {
  const double *w[2] = {weight + 3 * joint->body[0], weight + 3 * joint->body[1]};
  for (int k = 0; k < n; k++) {
    double WG[6];
    for (int c = 0; c < 6; c++)
      WG[c] = w[c / 3][c % 3] * G[k][c];
    for (int i = k; i < n; i++)
      value[n * i + k] =
          G[i][0] * WG[0] + G[i][1] * WG[1] + G[i][2] * WG[2] + (G[i][3] * WG[3] + G[i][4] * WG[4] + G[i][5] * WG[5]);
    reference[k] = value[n * k + k];
  }
}

/* Returns entry c of both arrays. */
static inline seam_lanes both_sides(const double *first, const double *second, int c) {
  return (seam_lanes){first[c], second[c]};
}

/* Does the same as fill_joint() for a pin, whose entries of G for x and y are 0, 1 and -1. */
static inline void fill_pin(const mbs_joint_block *joint, const double (*G)[6], const double *weight, double *value,
                            double *reference) {
  const double *w[2] = {weight + 3 * joint->body[0], weight + 3 * joint->body[1]};
  const seam_lanes first = both_sides(G[0], G[0] + 3, 2);
  const seam_lanes second = both_sides(G[1], G[1] + 3, 2);
  const seam_lanes W = both_sides(w[0], w[1], 2);
  const seam_lanes x = both_sides(w[0], w[1], 0) + first * (W * first);
  const seam_lanes xy = second * (W * first);
  const seam_lanes y = both_sides(w[0], w[1], 1) + second * (W * second);
  value[0] = reference[0] = x[0] + x[1];
  value[2] = xy[0] + xy[1];
  value[3] = reference[1] = y[0] + y[1];
}

/* Adds the contribution of a body to the 2 x 2 block of two pin joints, one row at a time. `same`: the body is on the
 * same side, first or second, of both joints. */
static inline void fill_pins(const double *row, const double *column, const double *w, bool same, double *value) {
  const seam_lanes W = seam_lanes_of(w[2]) * both_sides(column + 2, column + 8, 0);
  const seam_lanes x = {same ? w[0] : -w[0], 0};
  const seam_lanes y = {0, same ? w[1] : -w[1]};
  seam_lanes_store(value, seam_lanes_load(value) + (x + seam_lanes_of(row[2]) * W));
  seam_lanes_store(value + 2, seam_lanes_load(value + 2) + (y + seam_lanes_of(row[8]) * W));
}

static inline void fill_pair(int n_rows, int n_columns, const double *row, const double *column, const double *w,
                             double *value) {
  for (int k = 0; k < n_columns; k++, column += 6) {
    const double W[3] = {w[0] * column[0], w[1] * column[1], w[2] * column[2]};
    for (int i = 0; i < n_rows; i++)
      value[n_columns * i + k] += row[6 * i] * W[0] + row[6 * i + 1] * W[1] + row[6 * i + 2] * W[2];
  }
}

typedef struct filling {
  const mbs_elimination *self;
  const double (*G)[6];
  const double *weight;
  double *values, *references;
  int n_values;
} filling;

static void fill_range(void *context, const thread_range *range) {
  const filling *f = context;
  const mbs_elimination *self = f->self;
  const int value = range->first == 0 ? 0 : self->joints[range->first].value;
  const int behind = range->end == (size_t)self->n_joints ? f->n_values : self->joints[range->end].value;
  memset(f->values + value, 0, (size_t)(behind - value) * sizeof *f->values);
  for (const mbs_joint_block *joint = self->joints + range->first; joint < self->joints + range->end; joint++) {
    double *values = f->values + joint->value;
    double *reference = f->references + joint->reference;
    if (joint->is_pin)
      fill_pin(joint, f->G + joint->row, f->weight, values, reference);
    else if (joint->n_rows == 3)
      fill_joint(3, joint, f->G + joint->row, f->weight, values, reference);
    else
      fill_joint(joint->n_rows, joint, f->G + joint->row, f->weight, values, reference);
  }
  const mbs_body_block *end = self->pairs + self->pair_of[range->end];
  for (const mbs_body_block *pair = self->pairs + self->pair_of[range->first]; pair < end; pair++) {
    const double *row = f->G[pair->row[0]] + 3 * pair->side[0];
    const double *column = f->G[pair->row[1]] + 3 * pair->side[1];
    const double *w = f->weight + 3 * pair->body;
    double *values = f->values + pair->value;
    if (pair->are_pins)
      fill_pins(row, column, w, pair->side[0] == pair->side[1], values);
    else if (pair->n_rows[0] == 3 && pair->n_rows[1] == 2)
      fill_pair(3, 2, row, column, w, values);
    else
      fill_pair(pair->n_rows[0], pair->n_rows[1], row, column, w, values);
  }
}

void mbs_elimination_fill(const mbs_elimination *self, const double (*G)[6], const double *weight,
                          const worker_group *workers, seam_ldl *solver) {
  filling f = {.self = self,
               .G = G,
               .weight = weight,
               .values = seam_ldl_values(solver),
               .references = seam_ldl_references(solver),
               .n_values = seam_ldl_n_values(self->plan)};
  worker_group_share(workers, (size_t)self->n_joints, fill_range, &f);
  for (const mbs_hub_block *hub = self->hubs; hub < self->hubs + self->n_hubs; hub++)
    for (int i = 0; i < 3; i++)
      f.references[hub->reference + i] = f.values[hub->value + 4 * i] = -1 / weight[3 * hub->body + i];
  for (const mbs_hub_link *link = self->links; link < self->links + self->n_links; link++) {
    const double *w = weight + 3 * link->body;
    for (int i = 0; i < link->n_rows; i++) {
      const double *row = G[link->row + i] + 3 * link->side;
      for (int c = 0; c < 3; c++)
        f.values[link->value + (link->hangs ? link->n_rows * c + i : 3 * i + c)] = row[c];
      if (!link->hangs)
        f.references[link->reference + i] += w[0] * row[0] * row[0] + w[1] * row[1] * row[1] + w[2] * row[2] * row[2];
    }
  }
}

void mbs_elimination_soften(const mbs_elimination *self, double fraction, seam_ldl *solver) {
  for (const mbs_joint_block *joint = self->joints; joint < self->joints + self->n_joints; joint++)
    for (int i = 0; i < joint->n_rows; i++)
      seam_ldl_values(solver)[joint->value + (joint->n_rows + 1) * i] +=
          fraction * seam_ldl_references(solver)[joint->reference + i];
}

void mbs_elimination_exclude(const mbs_elimination *self, int joint, int n_rows, int k, seam_ldl *solver) {
  seam_ldl_values(solver)[seam_ldl_block(self->plan, joint, joint) + (n_rows + 1) * k] = 1;
  seam_ldl_references(solver)[seam_ldl_reference_of(self->plan, joint) + k] = 1;
}
