#include "mbs/dynamics/newton_blocks.h"

#include <stdlib.h>
#include <string.h>

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

/* Assigns a block to each unknown. Each coordinate of a body and each constraint has `levels` unknowns; all other
 * unknowns (single unknowns) follow. If `levels` is 2, a coordinate has a position and a velocity, and a constraint has
 * λ and μ. Then `velocity_of` pairs each position with its velocity, except for hubs, where this would couple all
 * joints that hang on the hub. */
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

/* Finds the pass in which each block is eliminated. Bodies and joints with most hubs between them and the ground are
 * eliminated first; each hub is eliminated right after the bodies and joints that hang on it. */
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

/* Fills self->result->sequence with the sequence self->low_fill, but with each joint after both of its bodies. A hub on
 * which the joint hangs does not count as one of these bodies: the hub is eliminated after the joint. */
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

static bool allocate(planner *self, const seam_pattern *matrix) {
  const mbs_model *model = self->model;
  const size_t n = (size_t)(model->n_bodies + model->n_joints + matrix->n) + 2; /* at least the number of blocks */
  self->result->of = calloc((size_t)matrix->n + 1, sizeof *self->result->of);
  self->result->velocity_of = calloc((size_t)matrix->n + 1, sizeof *self->result->velocity_of);
  self->result->sequence = calloc(n, sizeof *self->result->sequence);
  self->pass = calloc(4 * n, sizeof *self->pass);
  self->edge = malloc(((size_t)matrix->start[matrix->n] + 1) * sizeof *self->edge);
  if (self->pass == NULL || self->edge == NULL)
    return false;
  self->low_fill = self->pass + n;
  self->position = self->pass + 2 * n;
  self->scratch = self->pass + 3 * n;
  return self->result->of != NULL && self->result->velocity_of != NULL && self->result->sequence != NULL;
}

static seam_status create(const mbs_model *model, const seam_pattern *matrix, int levels, mbs_newton_blocks *blocks,
                          seam_error *error) {
  planner self = {.model = model, .result = blocks};
  seam_status status = SEAM_NO_MEMORY;
  *blocks = (mbs_newton_blocks){0};
  if (mbs_hubs_create(&self.hubs, model->joints, model->n_joints, model->n_bodies) && allocate(&self, matrix)) {
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
  free(self.pass);
  free(self.edge);
  return status == SEAM_OK
             ? status
             : seam_fail(error, SEAM_NO_MEMORY, "no memory for the Newton matrix of %d bodies", model->n_bodies);
}

seam_status mbs_ggl_blocks_create(const mbs_model *model, const seam_pattern *jacobian, mbs_newton_blocks *blocks,
                                  seam_error *error) {
  return create(model, jacobian, 2, blocks, error);
}

seam_status mbs_index1_blocks_create(const mbs_model *model, const seam_pattern *matrix, mbs_newton_blocks *blocks,
                                     seam_error *error) {
  return create(model, matrix, 1, blocks, error);
}

void mbs_newton_blocks_destroy(mbs_newton_blocks *blocks) {
  free(blocks->of);
  free(blocks->velocity_of);
  free(blocks->sequence);
  *blocks = (mbs_newton_blocks){0};
}
