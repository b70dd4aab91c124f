#include "mbs/dynamics/newton_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "mbs/model/hubs.h"
#include "solvers/ldl.h"

/* Blocks are numbered in this order: bodies, joints, single unknowns. */
typedef struct planner {
  const mbs_model *model;
  mbs_newton_blocks *result;
  mbs_hubs hubs;
  int n_blocks;
  int *pass;      /* (n_blocks) pass in which each block is eliminated */
  int (*edge)[2]; /* pairs of blocks with a nonzero entry between them */
  int n_edges;
  int *low_fill, *position, *scratch; /* (n_blocks + 1) sequence with little fill-in, positions in it, scratch */
} planner;

bool mbs_has_newton_blocks(const mbs_model *model) {
  for (int j = 0; j < model->n_joints; j++)
    if (model->joints[j].type->n_rows == 0)
      return false;
  return model->n_hard == 0 && model->n_stick_rows == 0 && model->n_prescribed == 0;
}

static bool is_hub(const planner *self, int body) { return self->hubs.of_body[body] >= 0; }

/* ---- Blocks of the unknowns ---- */

/* Assigns a block to each unknown. With two levels, `velocity_of` pairs each position with its velocity. Positions of
 * hubs have no partner: it would couple all joints that hang on the hub. */
static void assign_blocks(planner *self, int n_unknowns, int levels) {
  const mbs_model *model = self->model;
  const int n = 3 * model->n_bodies;
  const int first_single = levels * (n + model->n_rows);
  int *of = self->result->of;
  for (int i = 0; i < n_unknowns; i++)
    self->result->velocity_of[i] = levels > 1 && i < n && !is_hub(self, 1 + i / 3) ? n + i : -1;
  for (int i = 0; i < levels * n; i++)
    of[i] = i % n / 3;
  for (int i = levels * n; i < first_single; i++)
    of[i] = model->n_bodies + model->joint_of_row[(i - levels * n) % model->n_rows];
  for (int i = first_single; i < n_unknowns; i++)
    of[i] = model->n_bodies + model->n_joints + i - first_single;
  self->n_blocks = model->n_bodies + model->n_joints + n_unknowns - first_single;
}

/* ---- Sequence of elimination ---- */

/* Bodies and joints with most hubs between them and the ground come first. A hub follows what hangs on it. */
static void find_passes(planner *self) {
  const mbs_model *model = self->model;
  const mbs_hubs *hubs = &self->hubs;
  const int last = 2 * hubs->deepest;
  for (int i = 0; i < self->n_blocks; i++)
    self->pass[i] = last;
  for (int j = 0; j < model->n_joints; j++) {
    self->pass[model->n_bodies + j] = last - 2 * hubs->depth_of_joint[j];
    for (int side = 0; side < 2; side++)
      if (model->joints[j].body[side] > 0)
        self->pass[model->joints[j].body[side] - 1] = last - 2 * hubs->depth_of_joint[j];
  }
  for (int h = 0; h < hubs->n_hubs; h++)
    self->pass[hubs->body[h] - 1] = last - 2 * hubs->depth_of_hub[h] - 1;
}

/* Fills self->result->sequence with self->low_fill, but with each joint after both of its bodies. A hub on which the
 * joint hangs does not count: the hub is eliminated after the joint. */
static void delay_joints(planner *self) {
  const mbs_model *model = self->model;
  const int first_joint = model->n_bodies;
  int *sequence = self->result->sequence;
  int *position = self->position;
  int *at = self->scratch;
  for (int k = 0; k < self->n_blocks; k++)
    position[self->low_fill[k]] = k;
  for (int j = 0; j < model->n_joints; j++)
    for (int side = 0; side < 2; side++) {
      const int body = model->joints[j].body[side];
      const bool waits = body > 0 && !(is_hub(self, body) && self->hubs.hangs[j][side]);
      if (waits && position[body - 1] > position[first_joint + j])
        position[first_joint + j] = position[body - 1];
    }
  memset(at, 0, ((size_t)self->n_blocks + 1) * sizeof *at);
  for (int i = 0; i < self->n_blocks; i++)
    at[position[i] + 1]++;
  for (int k = 0; k < self->n_blocks; k++)
    at[k + 1] += at[k];
  for (int i = 0; i < self->n_blocks; i++) /* at the same position, bodies come before joints */
    sequence[at[position[i]]++] = i;
}

/* ---- Creation ---- */

#define BLOCK_ARRAYS(X)                                                                                                \
  X(blocks, of, (size_t)matrix->n)                                                                                     \
  X(blocks, velocity_of, (size_t)matrix->n)                                                                            \
  X(blocks, sequence, n)
#define PLANNER_ARRAYS(X)                                                                                              \
  X(&self, pass, n)                                                                                                    \
  X(&self, low_fill, n)                                                                                                \
  X(&self, position, n)                                                                                                \
  X(&self, scratch, n)                                                                                                 \
  X(&self, edge, (size_t)matrix->start[matrix->n])

seam_status mbs_newton_blocks_create(const mbs_model *model, const seam_pattern *matrix, int levels,
                                     mbs_newton_blocks *blocks, seam_error *error) {
  const size_t n =
      (size_t)model->n_bodies + (size_t)model->n_joints + (size_t)matrix->n; /* at least the number of blocks */
  planner self = {.model = model, .result = blocks};
  seam_status status = SEAM_NO_MEMORY;
  *blocks = (mbs_newton_blocks){0};
  const bool enough = mbs_hubs_create(&self.hubs, model->joints, model->n_joints, model->n_bodies)
      BLOCK_ARRAYS(ALLOCATE_ARRAY) PLANNER_ARRAYS(ALLOCATE_ARRAY);
  if (enough) {
    assign_blocks(&self, matrix->n, levels);
    for (int j = 0; j < matrix->n; j++)
      for (int k = matrix->start[j]; k < matrix->start[j + 1]; k++) {
        const int edge[2] = {blocks->of[matrix->row[k]], blocks->of[j]};
        if (edge[0] != edge[1])
          memcpy(self.edge[self.n_edges++], edge, sizeof edge);
      }
    find_passes(&self);
    status = seam_ldl_order_in_passes(self.n_blocks, self.n_edges, (const int(*)[2])self.edge, self.pass, self.low_fill,
                                      error);
    if (status == SEAM_OK)
      delay_joints(&self);
    blocks->pattern = (seam_dae_block_pattern){self.n_blocks, blocks->of, blocks->velocity_of, blocks->sequence};
  }
  mbs_hubs_destroy(&self.hubs);
  PLANNER_ARRAYS(FREE_ARRAY)
  if (status == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the Newton matrix of %d bodies", model->n_bodies);
}

void mbs_newton_blocks_destroy(mbs_newton_blocks *blocks) {
  BLOCK_ARRAYS(FREE_ARRAY)
  *blocks = (mbs_newton_blocks){0};
}
