#include "mbs/ggl_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "mbs/hubs.h"
#include "solvers/ldl.h"

/* Blocks are numbered: bodies, joints, states. */
typedef struct planner {
  const mbs_model *model;
  mbs_ggl_blocks *made;
  mbs_hubs hubs;
  int *turn; /* (n_blocks) classes of blocks, one after the other */
  int (*edge)[2];
  int n_edges;
  int *wanted, *position, *scratch; /* (n_blocks + 1) */
} planner;

bool mbs_ggl_has_blocks(const mbs_model *model) {
  for (int j = 0; j < model->n_joints; j++)
    if (model->joints[j].type->n_rows == 0)
      return false;
  return model->n_hard == 0 && model->n_holds == 0 && model->n_prescribed == 0;
}

static int n_blocks(const mbs_model *model) { return model->n_bodies + model->n_joints + model->n_states; }

static bool is_hub(const planner *self, int body) { return self->hubs.of_body[body] >= 0; }

/* ---- Unknowns ---- */

/* A hub keeps its velocities: they would couple all that hangs on it. */
static void name_blocks(planner *self) {
  const mbs_model *model = self->model;
  const int n = 3 * model->n_bodies;
  const int m = model->n_rows;
  int *of = self->made->of;
  int *gives = self->made->gives;
  for (int i = 0; i < 2 * (n + m) + model->n_states; i++)
    gives[i] = -1;
  for (int i = 0; i < n; i++) {
    of[i] = of[n + i] = i / 3;
    gives[i] = is_hub(self, 1 + i / 3) ? -1 : n + i;
  }
  for (int row = 0; row < m; row++)
    of[2 * n + row] = of[2 * n + m + row] = model->n_bodies + model->joint_of_row[row];
  for (int i = 0; i < model->n_states; i++)
    of[2 * (n + m) + i] = model->n_bodies + model->n_joints + i;
}

/* ---- Sequence ---- */

static void list_edges(planner *self, const seam_pattern *jacobian) {
  const int *of = self->made->of;
  for (int j = 0; j < jacobian->n; j++)
    for (int k = jacobian->start[j]; k < jacobian->start[j + 1]; k++) {
      const int edge[2] = {of[jacobian->row[k]], of[j]};
      if (edge[0] != edge[1])
        memcpy(self->edge[self->n_edges++], edge, sizeof edge);
    }
}

/* The deepest parts first, then the hubs on which they hang. */
static void find_turns(planner *self) {
  const mbs_model *model = self->model;
  const mbs_hubs *hubs = &self->hubs;
  const int last = 2 * hubs->deepest;
  for (int i = 0; i < n_blocks(model); i++)
    self->turn[i] = last;
  for (int j = 0; j < model->n_joints; j++) {
    self->turn[model->n_bodies + j] = last - 2 * hubs->depth_of_joint[j];
    for (int side = 0; side < 2; side++)
      if (model->joints[j].body[side] > 0)
        self->turn[model->joints[j].body[side] - 1] = last - 2 * hubs->depth_of_joint[j];
  }
  for (int h = 0; h < hubs->n_hubs; h++)
    self->turn[hubs->body[h] - 1] = last - 2 * hubs->depth_of_hub[h] - 1;
}

static bool waits_for(const planner *self, int joint, int side) {
  const int body = self->model->joints[joint].body[side];
  return body > 0 && !(is_hub(self, body) && self->hubs.hangs[joint][side]);
}

/* Joints wait for their bodies: the sequence without joints that come too early, each of which follows the last of its
 * bodies instead. */
static void delay_joints(planner *self, const int *wanted) {
  const mbs_model *model = self->model;
  const int first_joint = model->n_bodies;
  int *sequence = self->made->sequence;
  int *position = self->position;
  int *at = self->scratch;
  for (int k = 0; k < n_blocks(model); k++)
    position[wanted[k]] = k;
  for (int j = 0; j < model->n_joints; j++)
    for (int side = 0; side < 2; side++)
      if (waits_for(self, j, side) && position[model->joints[j].body[side] - 1] > position[first_joint + j])
        position[first_joint + j] = position[model->joints[j].body[side] - 1];
  memset(at, 0, ((size_t)n_blocks(model) + 1) * sizeof *at);
  for (int i = 0; i < n_blocks(model); i++)
    at[position[i] + 1]++;
  for (int k = 0; k < n_blocks(model); k++)
    at[k + 1] += at[k];
  for (int i = 0; i < n_blocks(model); i++) /* bodies before joints */
    sequence[at[position[i]]++] = i;
}

static seam_status find_sequence(planner *self, seam_error *error) {
  find_turns(self);
  const seam_status status = seam_ldl_order_in_turns(n_blocks(self->model), self->n_edges, (const int(*)[2])self->edge,
                                                     self->turn, self->wanted, error);
  if (status == SEAM_OK)
    delay_joints(self, self->wanted);
  return status;
}

/* ---- The whole ---- */

static bool allocate(planner *self, const seam_pattern *jacobian) {
  const size_t n = (size_t)n_blocks(self->model) + 2;
  self->made->of = calloc((size_t)jacobian->n + 1, sizeof *self->made->of);
  self->made->gives = calloc((size_t)jacobian->n + 1, sizeof *self->made->gives);
  self->made->sequence = calloc(n, sizeof *self->made->sequence);
  self->turn = calloc(4 * n, sizeof *self->turn);
  self->edge = malloc(((size_t)jacobian->start[jacobian->n] + 1) * sizeof *self->edge);
  if (self->turn == NULL || self->edge == NULL)
    return false;
  self->wanted = self->turn + n;
  self->position = self->turn + 2 * n;
  self->scratch = self->turn + 3 * n;
  return self->made->of != NULL && self->made->gives != NULL && self->made->sequence != NULL;
}

seam_status mbs_ggl_blocks_create(const mbs_model *model, const seam_pattern *jacobian, mbs_ggl_blocks *blocks,
                                  seam_error *error) {
  planner self = {.model = model, .made = blocks};
  seam_status status = SEAM_NO_MEMORY;
  *blocks = (mbs_ggl_blocks){0};
  if (mbs_hubs_create(&self.hubs, model->joints, model->n_joints, model->n_bodies) && allocate(&self, jacobian)) {
    name_blocks(&self);
    list_edges(&self, jacobian);
    status = find_sequence(&self, error);
    blocks->pattern = (seam_dae_block_pattern){n_blocks(model), blocks->of, blocks->gives, blocks->sequence};
  }
  mbs_hubs_destroy(&self.hubs);
  free(self.turn);
  free(self.edge);
  return status == SEAM_NO_MEMORY
             ? seam_fail(error, status, "no memory for the Newton matrix of %d bodies", model->n_bodies)
             : status;
}

void mbs_ggl_blocks_destroy(mbs_ggl_blocks *blocks) {
  free(blocks->of);
  free(blocks->gives);
  free(blocks->sequence);
  *blocks = (mbs_ggl_blocks){0};
}
