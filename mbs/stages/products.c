/* Products with the Jacobian G. Each thread finds G x for some joints, or Gᵀ y for some bodies, so no thread waits for
 * another. */
#include "mbs/stages/stages.h"

typedef struct product {
  const mbs_workspace *ws;
  const double *x, *less;
  double *y;
} product;

/* Finds y = G x - less for the n constraints of one joint; less (n): NULL stands for zeros. The compiler inlines the
 * function with constant n, once with `less` and once without. */
static inline void multiply_rows(const mbs_joint_rows *joint, int n, const double (*G)[6], const double *x,
                                 const double *less, double *restrict y) {
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
    y[k] = less != NULL ? sum[k] - less[k] : sum[k];
}

/* Returns G x for both constraints of a pin joint, without reading entries of G that are 0, 1 or -1. */
static inline seam_lanes multiply_pin(const mbs_joint_rows *joint, const double (*G)[6], const double *x) {
  seam_lanes sum = {0, 0};
  for (int side = 0; side < 2; side++) {
    if (joint->body[side] == 0)
      continue;
    const double *of_body = x + 3 * (joint->body[side] - 1);
    const seam_lanes position = seam_lanes_load(of_body);
    const seam_lanes arm = {G[0][3 * side + 2], G[1][3 * side + 2]};
    sum += (side == 0 ? -position : position) + arm * seam_lanes_of(of_body[2]);
  }
  return sum;
}

static inline void multiply_range(const product *self, const thread_range *range, const double *less) {
  const mbs_joint_rows *joints = self->ws->model->joint_rows;
  const double(*rows)[6] = (const double(*)[6])self->ws->G;
  for (const mbs_joint_rows *joint = joints + range->first; joint < joints + range->end; joint++) {
    const double *of_joint = less != NULL ? less + joint->row : NULL;
    if (joint->is_pin) {
      const seam_lanes pin = multiply_pin(joint, rows + joint->row, self->x);
      seam_lanes_store(self->y + joint->row, less != NULL ? pin - seam_lanes_load(of_joint) : pin);
    } else if (joint->n_rows == 2)
      multiply_rows(joint, 2, rows + joint->row, self->x, of_joint, self->y + joint->row);
    else
      multiply_rows(joint, joint->n_rows, rows + joint->row, self->x, of_joint, self->y + joint->row);
  }
}

static void multiply_joints(void *context, const thread_range *range) {
  const product *self = context;
  if (self->less != NULL)
    multiply_range(self, range, self->less);
  else
    multiply_range(self, range, NULL);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y) {
  product self = {ws, x, less, y};
  worker_group_share(ws->workers, (size_t)ws->model->n_joints, multiply_joints, &self);
}

void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y) { mbs_multiply_G_less(ws, x, NULL, y); }

void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y) {
  mbs_multiply_G_less(ws, v, ws->prescribed_rate, y);
  for (int i = ws->model->n_rows - ws->model->n_prescribed; i < ws->model->n_rows; i++)
    y[i] = 0;
}

typedef struct transposed {
  const mbs_workspace *ws;
  const double *weight, *y;
  double scale;
  double *x;
} transposed;

/* Adds the contribution of one joint, with n constraints, to the product `scale` W Gᵀ y for one of its bodies: entries
 * for x and y to *position, the entry for φ to *angle. entry: the entries for this body in the first of the n rows of
 * G; w (3): the entries of W for this body. */
static inline void add_rows(int n, const double *entry, const double *w, double scale, const double *y,
                            seam_lanes *position, double *angle) {
  for (int k = 0; k < n; k++, entry += 6) {
    const double force = scale * y[k];
    *position += seam_lanes_load(w) * seam_lanes_load(entry) * seam_lanes_of(force);
    *angle += w[2] * entry[2] * force;
  }
}

/* Does the work of add_rows() for a pin joint. The entries of G for x and y are 0 or `sign`, so they are not read. */
static inline void add_pin(int sign, const double *entry, const double *w, double scale, const double *y,
                           seam_lanes *position, double *angle) {
  const seam_lanes force = seam_lanes_of(scale) * seam_lanes_load(y);
  const seam_lanes load = seam_lanes_load(w) * force;
  *position = sign < 0 ? *position - load : *position + load;
  *angle = *angle + w[2] * entry[2] * force[0] + w[2] * entry[8] * force[1];
}

static void add_to_bodies(void *context, const thread_range *range) {
  const transposed *self = context;
  const double scale = self->scale;
  const double *y = self->y;
  const double *G = self->ws->G[0];
  const int *first = self->ws->model->first_end;
  const mbs_joint_end *at = self->ws->model->joint_ends + first[range->first];
  for (size_t b = range->first; b < range->end; b++) {
    double *x = self->x + 3 * b;
    const double *w = self->weight + 3 * (b + 1);
    seam_lanes position = seam_lanes_load(x);
    double angle = x[2];
    for (const mbs_joint_end *end = self->ws->model->joint_ends + first[b + 1]; at < end; at++)
      if (at->sign != 0)
        add_pin(at->sign, G + at->entry, w, scale, y + at->row, &position, &angle);
      else if (at->n_rows == 2)
        add_rows(2, G + at->entry, w, scale, y + at->row, &position, &angle);
      else
        add_rows(at->n_rows, G + at->entry, w, scale, y + at->row, &position, &angle);
    seam_lanes_store(x, position);
    x[2] = angle;
  }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x) {
  transposed self = {ws, weight, y, scale, x};
  worker_group_share(ws->workers, (size_t)ws->model->n_bodies, add_to_bodies, &self);
}
