/* A part in minimal coordinates (mbs/minimal.c), its inputs u a wrench, the other side's motion or accelerations at
 * each port, its outputs the motion x = X z of each port's marker:
 *
 *   z'' = K z + D z' + B u - Pᵀ μ,   B = Nᵀ ∂Q/∂u
 *   P z'' = ã                        accelerations that ports prescribe; P are rows of X
 *   μ = (P Pᵀ)⁻¹ (P (K z + D z' + B u) - ã)
 *   x = X z,  v = X z',  a = X z''
 *
 * K holds what wrenches and multipliers of that state do to markers that turn. X is frozen: exact for a state at rest
 * without acceleration; else X' and X'' are left out, so that the part is a linear system whose v and a are the rates
 * of its x and v. */
#include "analysis/linearised/linearised_part.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/linearised/minimal_state.h"
#include "cosim/parts/multibody_part.h"
#include "mbs/linearised.h"

/* E (f x width), row by row: z'' = E (z, z', u). */
typedef struct builder {
  const char *name; /* of the part */
  cosim_multibody_view part;
  analysis_minimal_state at;
  analysis_linearised_part *made;
  int f, n_in, n_out, width;
  int n_integrals, n_held; /* rows of P */
  double *E;
  double *P;             /* (n_held x f) */
  double *mu;            /* (n_held x width) */
  double *PPt;           /* (n_held x n_held) */
  double *A, *B, *C, *D; /* of the linear part */
  bool *restarts;
} builder;

/* ---- The state there ---- */

/* The sign that makes a multiplier λ on either side: see cosim/parts/multibody_step.c. */
static double sign_of(const cosim_multibody_port *port) { return port->def.side == 0 ? -1 : 1; }

/* Inputs, accelerations and multipliers of the part in the state of the whole. */
static void bring(const cosim_multibody_view *part, const mbs_state *whole, const double (*wrenches)[3]) {
  const mbs_model *model = part->sub->model;
  for (int b = 0; b < model->n_bodies; b++)
    memcpy(part->state->a + 3 * b, whole->a + 3 * (part->sub->body_of[b + 1] - 1), 3 * sizeof(double));
  for (int j = 0; j < part->sub->n_own; j++) {
    const mbs_joint *joint = &model->joints[j];
    memcpy(part->state->lambda + joint->row, whole->lambda + part->whole->joints[part->sub->joint_of[j]].row,
           (size_t)joint->type->n_rows * sizeof(double));
  }
  for (int p = 0; p < model->n_ports; p++) {
    const cosim_multibody_port *port = &part->ports[p];
    for (int i = 0; i < port->n_inputs && port->def.kind == MBS_PORT_FORCE; i++)
      part->inputs[port->input + i] = wrenches[p][port->coordinate[i]];
    for (int i = 0; i < port->n_rows; i++) /* the force on the body is -μ */
      part->state->lambda[port->row + i] = -wrenches[p][port->coordinate[i]];
  }
}

/* ---- Equations ---- */

/* X (3 x f) of a port. */
static double *place_of(const builder *b, int number) { return b->made->X + 3 * number * b->f; }

static void fill_place(builder *b, int number) {
  const cosim_multibody_port *port = &b->part.ports[number];
  const mbs_minimal *m = b->at.minimal;
  const mbs_vector arm = mbs_rotate(&b->at.ws->frames[port->at->body], port->at->marker);
  double *X = place_of(b, number);
  for (int j = 0; j < b->f; j++) {
    const double *column = m->N + j * m->n + 3 * (port->at->body - 1);
    X[j] = column[0] - arm.y * column[2];
    X[b->f + j] = column[1] + arm.x * column[2];
    X[2 * b->f + j] = column[2];
  }
}

/* Column of B of input i of a port. */
static void fill_input(builder *b, const cosim_multibody_port *port, int i) {
  const mbs_minimal *m = b->at.minimal;
  const mbs_gradient *gradient = mbs_linearised_force(b->at.linear, port->at->force);
  const int side = port->at->side;
  const int column = 3 * (1 - side) + port->coordinate[i] % 3;
  for (int j = 0; j < b->f; j++) {
    const double *of_body = m->N + j * m->n + 3 * (port->at->body - 1);
    double *entry = &b->E[j * b->width + 2 * b->f + port->input + i];
    *entry = 0;
    for (int k = 0; k < 3; k++)
      *entry += of_body[k] * (port->coordinate[i] < 3 ? gradient->K : gradient->D)[3 * side + k][column];
  }
}

static void fill_free_motion(builder *b) {
  const mbs_minimal *m = b->at.minimal;
  for (int i = 0; i < b->f; i++)
    for (int j = 0; j < b->f; j++) {
      b->E[i * b->width + j] = m->K[i + j * b->f];
      b->E[i * b->width + b->f + j] = m->D[i + j * b->f];
    }
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    fill_place(b, p);
    for (int i = 0; i < port->n_inputs && port->at->force >= 0; i++)
      fill_input(b, port, i);
  }
}

static double dot(int n, const double *a, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * x[i];
  return sum;
}

/* to (width) += factor E_row-wise combination: to += Σ weight[i] E[i]. */
static void add_rows(const builder *b, const double *weight, double *to) {
  for (int i = 0; i < b->f; i++)
    for (int j = 0; j < b->width; j++)
      to[j] += weight[i] * b->E[i * b->width + j];
}

/* P, and P E - ã in mu. */
static void fill_held(builder *b) {
  double *row = b->P;
  double *mu = b->mu;
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    for (int i = 0; i < port->n_rows; i++, row += b->f, mu += b->width) {
      memcpy(row, place_of(b, p) + port->coordinate[i] * b->f, (size_t)b->f * sizeof *row);
      add_rows(b, row, mu);
      mu[2 * b->f + port->input + i] -= 1;
    }
  }
}

/* Accelerations that are prescribed take their place in E. */
static seam_status hold(builder *b, seam_error *error) {
  fill_held(b);
  for (int i = 0; i < b->n_held; i++)
    for (int j = 0; j < b->n_held; j++)
      b->PPt[i * b->n_held + j] = dot(b->f, b->P + i * b->f, b->P + j * b->f);
  if (b->n_held > 0 && LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', b->n_held, b->width, b->PPt, b->n_held, b->mu, b->width))
    return seam_fail(error, SEAM_SINGULAR,
                     "subsystem '%s': prescribed accelerations depend on each other in this state: take a force/force "
                     "scheme",
                     b->name);
  for (int r = 0; r < b->n_held; r++)
    for (int i = 0; i < b->f; i++)
      for (int j = 0; j < b->width; j++)
        b->E[i * b->width + j] -= b->P[r * b->f + i] * b->mu[r * b->width + j];
  return SEAM_OK;
}

/* ---- The linear part ---- */

static int n_states(const builder *b) { return 2 * b->f + b->n_integrals; }

static void fill_state(builder *b) {
  const int n = n_states(b);
  for (int i = 0; i < b->f; i++) {
    const double *row = b->E + i * b->width;
    b->A[i * n + b->f + i] = 1;
    memcpy(b->A + (b->f + i) * n, row, 2 * (size_t)b->f * sizeof *row);
    memcpy(b->B + (b->f + i) * b->n_in, row + 2 * b->f, (size_t)b->n_in * sizeof *row);
  }
  for (int i = 0; i < b->n_integrals; i++) {
    memcpy(b->A + (2 * b->f + i) * n, b->made->X + i * b->f, (size_t)b->f * sizeof *b->A);
    b->restarts[2 * b->f + i] = true;
  }
}

/* A row of outputs: a combination (width) of z, z' and u. */
static void put_output(builder *b, int output, double factor, const double *row) {
  for (int j = 0; j < 2 * b->f; j++)
    b->C[output * n_states(b) + j] = factor * row[j];
  for (int j = 0; j < b->n_in; j++)
    b->D[output * b->n_in + j] = factor * row[2 * b->f + j];
}

static void fill_outputs(builder *b) {
  int held = 0;
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    const int n = n_states(b);
    for (int i = 0; i < 3; i++) {
      const double *X = place_of(b, p) + i * b->f;
      double *row = b->C + (port->output + i) * n;
      memcpy(row, X, (size_t)b->f * sizeof *row);
      memcpy(row + 3 * n + b->f, X, (size_t)b->f * sizeof *row);
      for (int k = 0; k < b->f; k++) {
        for (int j = 0; j < 2 * b->f; j++)
          row[6 * n + j] += X[k] * b->E[k * b->width + j];
        for (int j = 0; j < b->n_in; j++)
          b->D[(port->output + 6 + i) * b->n_in + j] += X[k] * b->E[k * b->width + 2 * b->f + j];
      }
      if (b->n_integrals > 0)
        row[9 * n + 2 * b->f + 3 * p + i] = 1;
    }
    for (int i = 0; i < port->n_rows; i++, held++)
      put_output(b, port->output + (b->n_integrals > 0 ? 12 : 9) + i, sign_of(port), b->mu + held * b->width);
  }
}

/* ---- The whole ---- */

static seam_status allocate(builder *b, seam_error *error) {
  const size_t f = (size_t)b->f;
  const size_t width = (size_t)b->width;
  const size_t held = (size_t)b->n_held;
  const size_t n = (size_t)n_states(b);
  const size_t n_in = (size_t)b->n_in;
  const size_t n_out = (size_t)b->n_out;
  analysis_linearised_part *made = b->made;
  b->E = calloc(f * width + held * (f + width + held) + n * n + n * n_in + n_out * (n + n_in) + 1, sizeof *b->E);
  b->restarts = calloc(n + 1, sizeof *b->restarts);
  made->N = calloc((size_t)b->at.minimal->n * f + 1, sizeof *made->N);
  made->X = calloc(3 * (size_t)made->n_ports * f + 1, sizeof *made->X);
  if (b->E == NULL || b->restarts == NULL || made->N == NULL || made->X == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", b->name);
  b->P = b->E + f * width;
  b->mu = b->P + held * f;
  b->PPt = b->mu + held * width;
  b->A = b->PPt + held * held;
  b->B = b->A + n * n;
  b->C = b->B + n * n_in;
  b->D = b->C + n_out * n;
  memcpy(made->N, b->at.minimal->N, (size_t)b->at.minimal->n * f * sizeof *made->N);
  return SEAM_OK;
}

static seam_status build(builder *b, seam_error *error) {
  seam_status status = allocate(b, error);
  if (status != SEAM_OK)
    return status;
  fill_free_motion(b);
  status = hold(b, error);
  if (status != SEAM_OK)
    return status;
  fill_state(b);
  fill_outputs(b);
  const cosim_linear_def def = {.name = b->name,
                                .n_states = n_states(b),
                                .n_inputs = b->n_in,
                                .n_outputs = b->n_out,
                                .A = b->A,
                                .B = b->B,
                                .C = b->C,
                                .D = b->D,
                                .restarts = b->restarts};
  return cosim_linear_part_create(&def, &b->made->part, error);
}

seam_status analysis_linearised_part_create(cosim_part *multibody, const mbs_state *whole, const double (*wrenches)[3],
                                            analysis_linearised_part *made, seam_error *error) {
  const cosim_multibody_view part = cosim_multibody_view_of(multibody);
  const mbs_subsystem *sub = part.sub;
  builder b = {
      .name = multibody->name, .part = part, .made = made, .n_in = multibody->n_inputs, .n_out = multibody->n_outputs};
  *made = (analysis_linearised_part){
      .n_bodies = sub->model->n_bodies, .body_of = sub->body_of, .n_ports = sub->model->n_ports};
  cosim_multibody_start(multibody, whole);
  bring(&part, whole, wrenches);
  seam_status status = analysis_minimal_state_create(&b.at, sub->model, part.port_inputs, part.state, error);
  if (status == SEAM_OK) {
    made->f = b.f = b.at.minimal->f;
    b.width = 2 * b.f + b.n_in;
    b.n_integrals = part.n_integrals;
    b.n_held = sub->model->n_prescribed;
    status = build(&b, error);
  }
  free(b.E);
  free(b.restarts);
  analysis_minimal_state_destroy(&b.at);
  return status;
}

void analysis_linearised_part_destroy(analysis_linearised_part *self) {
  cosim_part_destroy(self->part);
  free(self->X);
  free(self->N);
}
