/* Products with the Jacobian G. Both are made without waiting for others: G x joint by joint, Gᵀ y body by body. */
#include "mbs/motor.h"
#include "mbs/workspace.h"

/* ---- G x ---- */

typedef struct product {
  const mbs_workspace *ws;
  const double *x, *less;
  double *y;
} product;

/* y (n) = G x over the rows of one joint; n is known where it is inlined. */
static inline void multiply_rows(const mbs_joint_rows *joint, int n, const double (*G)[6], const double *x,
                                 double *restrict y) {
  double sum[mbs_max_rows] = {0};
  for (int side = 0; side < 2; side++) {
    if (joint->body[side] == 0)
      continue;
    const double *of_body = x + 3 * (joint->body[side] - 1);
    for (int k = 0; k < n; k++) {
      const double *row = G[k] + 3 * side;
      sum[k] += row[0] * of_body[0] + row[1] * of_body[1] + row[2] * of_body[2];
    }
  }
  for (int k = 0; k < n; k++)
    y[k] = sum[k];
}

static void multiply_joints(void *context, thread_range range) {
  const product *self = context;
  const mbs_joint_rows *joints = self->ws->model->joint_rows;
  double *y = self->y;
  for (const mbs_joint_rows *joint = joints + range.first; joint < joints + range.end; joint++) {
    const double(*G)[6] = (const double(*)[6])self->ws->G + joint->row;
    if (joint->n_rows == 2)
      multiply_rows(joint, 2, G, self->x, y + joint->row);
    else
      multiply_rows(joint, joint->n_rows, G, self->x, y + joint->row);
    for (int k = joint->row; k < joint->row + joint->n_rows && self->less != NULL; k++)
      y[k] -= self->less[k];
  }
}

void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y) {
  product self = {ws, x, less, y};
  thread_crew_share(ws->crew, (size_t)ws->model->n_joints, multiply_joints, &self);
}

void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y) { mbs_multiply_G_less(ws, x, NULL, y); }

void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y) {
  mbs_stage_motor_rates(ws, v);
  mbs_multiply_G_less(ws, v, ws->prescribed_rate, y);
  for (int i = ws->model->n_rows - ws->model->n_prescribed; i < ws->model->n_rows; i++)
    y[i] = 0;
}

/* ---- W Gᵀ y ---- */

typedef struct transposed {
  const mbs_workspace *ws;
  const double *weight, *y;
  double scale;
  double *x;
} transposed;

/* The n rows of one joint; x and y of a body side by side. */
static inline void add_rows(int n, const double (*G)[6], int side, const double *w, double scale, const double *y,
                            seam_lanes *place, double *angle) {
  const seam_lanes w_place = seam_lanes_load(w);
  for (int k = 0; k < n; k++) {
    const double *row = G[k] + 3 * side;
    const double force = scale * y[k];
    *place += w_place * seam_lanes_load(row) * seam_lanes_of(force);
    *angle += w[2] * row[2] * force;
  }
}

static void add_to_bodies(void *context, thread_range range) {
  const transposed *self = context;
  const mbs_model *model = self->ws->model;
  const double(*G)[6] = (const double(*)[6])self->ws->G;
  for (size_t b = range.first; b < range.end; b++) {
    double *x = self->x + 3 * b;
    const double *w = self->weight + 3 * (b + 1);
    seam_lanes place = seam_lanes_load(x);
    double angle = x[2];
    const mbs_joint_end *behind = model->joint_ends + model->first_end[b + 1];
    for (const mbs_joint_end *at = model->joint_ends + model->first_end[b]; at < behind; at++) {
      if (at->n_rows == 2)
        add_rows(2, G + at->row, at->side, w, self->scale, self->y + at->row, &place, &angle);
      else
        add_rows(at->n_rows, G + at->row, at->side, w, self->scale, self->y + at->row, &place, &angle);
    }
    seam_lanes_store(x, place);
    x[2] = angle;
  }
}

void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x) {
  transposed self = {ws, weight, y, scale, x};
  thread_crew_share(ws->crew, (size_t)ws->model->n_bodies, add_to_bodies, &self);
}
