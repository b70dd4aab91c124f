/* A subsystem in minimal coordinates z. K, D and the basis N of motions are those of mbs/dynamics/minimal.c. The inputs
 * u at a port are a wrench, the other side's motion, or prescribed accelerations ã. They cause the forces Q on bodies.
 * A prescribed acceleration has a multiplier μ and a row of P. The outputs are position x, velocity v and acceleration
 * a of each port's marker; X maps z to x, and the rows of P are rows of X:
 *
 *   z'' = K z + D z' + B u - Pᵀ μ,   B = Nᵀ ∂Q/∂u
 *   P z'' = ã,   hence   μ = (P Pᵀ)⁻¹ (P (K z + D z' + B u) - ã)
 *   x = X z,  v = X z',  a = X z''
 *
 * If there are states w, or laws that read accelerations or reactions, z'' and w' are found column by column as in
 * minimal_state.c. In this case prescribed accelerations are constraints with multipliers μ, and received quantities
 * change laws and rates. A subsystem that evaluates an exchanged cut element has another output: the wrench on the
 * other side's marker, linear in x and v of both markers.
 *
 * Sampled variables are states without rates. A sample sets them to S (z, z', w, u) with a matrix S.
 *
 * K includes the rotation of wrenches and multipliers with their bodies. X is constant, which is exact at rest without
 * acceleration. Otherwise X' and X'' are neglected, so that v and a remain the time derivatives of x and v. */
#include "analysis/linearised/linearised_part.h"

#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "analysis/linearised/minimal_state.h"
#include "base/arrays.h"
#include "base/sample.h"
#include "base/then.h"
#include "cosim/parts/multibody_part.h"
#include "cosim/parts/signal.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"

/* ---- A linear part some of whose states are sampled ---- */

typedef struct sampled_linear {
  cosim_part base;
  cosim_part *linear;
  analysis_sampled_state *samples; /* (n) */
  size_t n;
  double *rows;         /* (n x (n_state + n_inputs)) maps states and inputs to the next values */
  double *x;            /* (n_state) scratch */
  double *end;          /* (n_inputs) inputs at the end of the last step */
  double *next;         /* (n) scratch: next values of the samples */
  double *before;       /* (n) values that sampled states had at the end of the last step, before they were sampled */
  double t, H;          /* s, begin and length of the last step */
  cosim_signal *inputs; /* (n_inputs) scratch: constant signals */
} sampled_linear;

#define SAMPLED_ARRAYS(X)                                                                                              \
  X(self, samples, self->n)                                                                                            \
  X(self, rows, (self->linear->n_state + (size_t)self->linear->n_inputs) * self->n)                                    \
  X(self, x, self->linear->n_state)                                                                                    \
  X(self, end, (size_t)self->linear->n_inputs)                                                                         \
  X(self, next, self->n)                                                                                               \
  X(self, before, self->n)                                                                                             \
  X(self, inputs, (size_t)self->linear->n_inputs)

/* Takes all samples that are due at the end of the last step, from the states x and the inputs `end`. */
static void take_samples(sampled_linear *self) {
  const size_t n_state = self->linear->n_state;
  const double *row = self->rows;
  for (size_t k = 0; k < self->n; k++) {
    self->next[k] = 0;
    for (size_t j = 0; j < n_state; j++)
      self->next[k] += *row++ * self->x[j];
    for (int u = 0; u < self->base.n_inputs; u++)
      self->next[k] += *row++ * self->end[u];
  }
  for (size_t k = 0; k < self->n; k++)
    if (sample_is_due(self->samples[k].period, self->t, self->t + self->H))
      self->x[self->samples[k].state] = self->next[k];
  self->linear->ops->restore(self->linear, self->x);
}

/* Advances, then takes the samples that are due. Writes the outputs and derivatives from just before the samples. */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  sampled_linear *self = (sampled_linear *)base;
  const seam_status status = self->linear->ops->advance(self->linear, step, outputs, derivatives, error);
  for (int u = 0; u < base->n_inputs; u++)
    self->end[u] = cosim_signal_end(&step->inputs[u]);
  TRY(status);
  self->t = step->t;
  self->H = step->H;
  self->linear->ops->save(self->linear, self->x);
  for (size_t k = 0; k < self->n; k++)
    self->before[k] = self->x[self->samples[k].state];
  take_samples(self);
  return SEAM_OK;
}

static void get_outputs(cosim_part *base, double *outputs) {
  sampled_linear *self = (sampled_linear *)base;
  for (int u = 0; u < base->n_inputs; u++)
    self->inputs[u] = (cosim_signal){.n_pieces = 1, .c = {{self->end[u]}}};
  self->linear->ops->evaluate_outputs(self->linear, 0, self->inputs, outputs);
}

static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  sampled_linear *self = (sampled_linear *)base;
  for (int u = 0; u < base->n_inputs; u++)
    self->end[u] = cosim_signal_end(&inputs[u]);
  self->linear->ops->evaluate_outputs(self->linear, t, inputs, outputs);
}

static void save(const cosim_part *base, double *state) {
  const cosim_part *linear = ((const sampled_linear *)base)->linear;
  linear->ops->save(linear, state);
}

static void restore(cosim_part *base, const double *state) {
  sampled_linear *self = (sampled_linear *)base;
  self->linear->ops->restore(self->linear, state);
  memset(self->end, 0, (size_t)base->n_inputs * sizeof *self->end);
}

static void destroy(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  cosim_part_destroy(self->linear);
  SAMPLED_ARRAYS(FREE_ARRAY)
  free(self);
}

/* Adds samples to a linear part and takes ownership of it, whatever the status. In it, sampled states must have zero
 * rates. `rows` (n x (n_state + n_inputs), row by row, copied) gives their next values. A step computes its outputs,
 * then takes the samples at its end; get_outputs() gives the outputs after these samples. Fails with SEAM_NO_MEMORY. */
static seam_status add_samples(cosim_part *linear, const analysis_sampled_state *samples, size_t n, const double *rows,
                               cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .destroy = destroy,
                                     .evaluate_outputs = evaluate_outputs};
  sampled_linear *self = calloc(1, sizeof *self);
  bool enough = self != NULL;
  if (enough) {
    *self = (sampled_linear){.base = *linear, .linear = linear, .n = n};
    self->base.ops = &ops;
    enough = true SAMPLED_ARRAYS(ALLOCATE_ARRAY);
  }
  if (!enough) {
    cosim_part_destroy(self != NULL ? &self->base : linear);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the samples of a subsystem");
  }
  memcpy(self->samples, samples, n * sizeof *samples);
  memcpy(self->rows, rows, n * (linear->n_state + (size_t)linear->n_inputs) * sizeof *rows);
  *part = &self->base;
  return SEAM_OK;
}

void analysis_undo_samples(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  if (base->ops->destroy != destroy)
    return;
  self->linear->ops->save(self->linear, self->x);
  for (size_t k = 0; k < self->n; k++)
    self->x[self->samples[k].state] = self->before[k];
  self->linear->ops->restore(self->linear, self->x);
}

void analysis_repeat_samples(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  if (base->ops->destroy != destroy)
    return;
  self->linear->ops->save(self->linear, self->x);
  take_samples(self);
}

/* ---- A subsystem during linearisation ---- */

/* A row of P. */
typedef struct prescribed_row {
  int input; /* index of the input ã */
  int row;   /* index of its multiplier in the subsystem's model */
} prescribed_row;

/* A subsystem during linearisation. Its equations are (z'', w') = E (z, z', w, u), where E is ((f + n_w) x width), row
 * by row, width = 2 f + n_w + n_in. */
typedef struct part_builder {
  const char *name; /* name of the subsystem, for messages */
  cosim_multibody_view part;
  analysis_minimal_state at;
  analysis_linearised_part *made;
  int f, n_w, n_in, n_out, width;
  int n_integrals, n_prescribed; /* number of integrals of ports' motions; number of rows of P */
  int *state;                    /* (n_w) indices of w among the states of the subsystem's model */
  double *received;              /* (n_ports) scratch: quantities received by ports */
  double *given;                 /* (number of responses) changes of laws and rates due to received quantities */
  prescribed_row *prescribed;    /* (n_prescribed) */
  double *E;                     /* matrix E */
  double *S;                     /* (n_samples x width), row by row: next values of sampled states */
  double *P;                     /* (n_prescribed x f) row by row */
  double *mu;                    /* (n_prescribed x width) row by row: μ = mu (z, z', w, u) */
  double *PPt;                   /* (n_prescribed x n_prescribed) */
  double *A, *B, *C, *D;         /* matrices of the linear part, row by row */
  bool *restarts;
} part_builder;

/* Returns the number of components of z, z' and w. n_states() includes the integrals of ports' motions. */
static int n_without_integrals(const part_builder *b) { return 2 * b->f + b->n_w; }
static int n_states(const part_builder *b) { return n_without_integrals(b) + b->n_integrals; }

#define BUILDER_ARRAYS(X)                                                                                              \
  X(b, received, (size_t)b->made->n_ports)                                                                             \
  X(b, given, (size_t)mbs_n_responses(&b->at.minimal->model->laws))                                                    \
  X(b, prescribed, (size_t)b->n_prescribed)                                                                            \
  X(b, E, (size_t)((b->f + b->n_w) * b->width))                                                                        \
  X(b, S, (size_t)(b->made->n_samples * b->width))                                                                     \
  X(b, P, (size_t)(b->n_prescribed * b->f))                                                                            \
  X(b, mu, (size_t)(b->n_prescribed * b->width))                                                                       \
  X(b, PPt, (size_t)(b->n_prescribed * b->n_prescribed))                                                               \
  X(b, A, (size_t)(n_states(b) * n_states(b)))                                                                         \
  X(b, B, (size_t)(n_states(b) * b->n_in))                                                                             \
  X(b, C, (size_t)(b->n_out * n_states(b)))                                                                            \
  X(b, D, (size_t)(b->n_out * b->n_in))                                                                                \
  X(b, restarts, (size_t)n_states(b))

static seam_status check_memory(const part_builder *b, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", b->name);
}

/* Copies accelerations and multipliers from a state of the undivided model, and sets the force inputs of that state.
 * `wrenches` (n_ports): wrench on each port's marker. */
static void set_loads(const cosim_multibody_view *part, const mbs_state *undivided_state, const double (*wrenches)[3]) {
  const mbs_model *model = part->sub->model;
  for (int b = 0; b < model->n_bodies; b++)
    memcpy(part->state->a + 3 * b, undivided_state->a + 3 * (part->sub->body_of[b + 1] - 1), 3 * sizeof(double));
  for (int j = 0; j < part->sub->n_own; j++) {
    const mbs_joint *joint = &model->joints[j];
    memcpy(part->state->lambda + joint->row,
           undivided_state->lambda + part->undivided->joints[part->sub->joint_of[j]].row,
           (size_t)joint->type->n_rows * sizeof(double));
  }
  for (int p = 0; p < model->n_ports; p++) {
    const cosim_multibody_port *port = &part->ports[p];
    const bool is_wrench = port->def.kind == MBS_PORT_FORCE || port->def.kind == MBS_PORT_SIGNAL;
    for (int i = 0; i < port->n_inputs && is_wrench; i++)
      part->inputs[port->input + i] = wrenches[p][port->coordinate[i]];
    for (int i = 0; i < port->n_rows; i++) /* the force on the body is -μ */
      part->state->lambda[port->row + i] = -wrenches[p][port->coordinate[i]];
  }
}

/* ---- Equations ---- */

/* Fills X (3 x f), row by row: the motion of a port's marker for each column of N; zero on the ground. */
static void fill_marker_motion(const part_builder *b, const mbs_port *at, double *X) {
  const mbs_minimal *m = b->at.minimal;
  const int n = b->f;
  if (at->body == 0) {
    memset(X, 0, 3 * (size_t)n * sizeof *X);
    return;
  }
  const mbs_vector arm = mbs_rotate(&b->at.ws->frames[at->body], at->marker);
  for (int j = 0; j < n; j++) {
    const double *column = m->N + j * m->n + 3 * (at->body - 1);
    X[j] = column[0] - arm.y * column[2];
    X[n + j] = column[1] + arm.x * column[2];
    X[2 * n + j] = column[2];
  }
}

/* Computes ∂Q/∂u (3), the load on the port's body by its input i. */
static void load_of(const part_builder *b, const cosim_multibody_port *port, int i, double load[3]) {
  const mbs_gradient *gradient = &b->at.linear->forces[port->at->force];
  const int side = port->at->side;
  const int column = 3 * (1 - side) + port->coordinate[i] % 3;
  for (int k = 0; k < 3; k++)
    load[k] = (port->coordinate[i] < 3 ? gradient->K : gradient->D)[3 * side + k][column];
}

/* Fills E with K, D and the columns of B. */
static void fill_free_motion(part_builder *b) {
  const mbs_minimal *m = b->at.minimal;
  for (int i = 0; i < b->f; i++)
    for (int j = 0; j < b->f; j++) {
      b->E[i * b->width + j] = m->K[i + j * b->f];
      b->E[i * b->width + b->f + j] = m->D[i + j * b->f];
    }
  for (const cosim_multibody_port *port = b->part.ports; port < b->part.ports + b->made->n_ports; port++)
    for (int i = 0; i < port->n_inputs && port->at->force >= 0 && port->at->body > 0; i++) {
      double load[3];
      load_of(b, port, i, load);
      for (int j = 0; j < b->f; j++) {
        const double *of_body = m->N + j * m->n + 3 * (port->at->body - 1);
        double *entry = &b->E[j * b->width + n_without_integrals(b) + port->input + i];
        *entry = 0;
        for (int k = 0; k < 3; k++)
          *entry += of_body[k] * load[k];
      }
    }
}

/* Solves for μ and corrects E by the constraints P z'' = ã. Fails with SEAM_SINGULAR if P Pᵀ is singular. */
static seam_status add_prescribed(part_builder *b, seam_error *error) {
  for (int r = 0; r < b->n_prescribed; r++) { /* right side P E - ã */
    for (int i = 0; i < b->f; i++)
      for (int j = 0; j < b->width; j++)
        b->mu[r * b->width + j] += b->P[r * b->f + i] * b->E[i * b->width + j];
    b->mu[r * b->width + n_without_integrals(b) + b->prescribed[r].input] -= 1;
  }
  for (int i = 0; i < b->n_prescribed; i++)
    for (int j = 0; j < b->n_prescribed; j++)
      for (int k = 0; k < b->f; k++) /* PPt is zero on entry */
        b->PPt[i * b->n_prescribed + j] += b->P[i * b->f + k] * b->P[j * b->f + k];
  if (b->n_prescribed > 0 &&
      LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', b->n_prescribed, b->width, b->PPt, b->n_prescribed, b->mu, b->width))
    return seam_fail(error, SEAM_SINGULAR,
                     "subsystem '%s': accelerations that the scheme prescribes depend on each other in this state: "
                     "take a force/force scheme, such as ff-index2-k1",
                     b->name);
  for (int r = 0; r < b->n_prescribed; r++)
    for (int i = 0; i < b->f; i++)
      for (int j = 0; j < b->width; j++)
        b->E[i * b->width + j] -= b->P[r * b->f + i] * b->mu[r * b->width + j];
  return SEAM_OK;
}

/* ---- Equations by columns ---- */

/* Fills column j of E, mu and S with the response to the change and the loads in c. */
static void respond(part_builder *b, analysis_response *c, int j) {
  const mbs_laws *laws = &b->at.minimal->model->laws;
  analysis_respond(c, &b->at);
  for (int i = 0; i < b->f; i++)
    b->E[i * b->width + j] = c->zetadd[i];
  for (int i = 0; i < b->n_w; i++)
    b->E[(b->f + i) * b->width + j] = c->rates[b->state[i]];
  for (int r = 0; r < b->n_prescribed; r++)
    b->mu[r * b->width + j] = c->lambda[b->prescribed[r].row];
  for (int k = 0; k < b->made->n_samples; k++) { /* the responses are laws, then rates or next values of variables */
    const int response = laws->n_laws + b->state[b->made->samples[k].state - 2 * b->f] - laws->first_state;
    b->S[k * b->width + j] = b->at.linear->laws.change[response];
  }
}

/* Returns the change in c, and a unit change of input number `input` (-1: none), for ports. */
static cosim_port_change change_with(const part_builder *b, const analysis_response *c, int input) {
  return (cosim_port_change){.model = b->at.minimal->model,
                             .linear = b->at.linear,
                             .ports = b->part.ports,
                             .q = c->dq,
                             .v = c->dv,
                             .z = c->z,
                             .input = input,
                             .change = 1};
}

static void respond_to_inputs(part_builder *b, analysis_response *c) {
  for (const cosim_multibody_port *port = b->part.ports; port < b->part.ports + b->made->n_ports; port++)
    for (int i = 0; i < port->n_inputs; i++) {
      const int input = port->input + i;
      const int column = n_without_integrals(b) + input;
      analysis_change(c, &b->at, NULL, -1);
      if (port->def.kind == MBS_PORT_QUANTITY) {
        b->received[port - b->part.ports] = 1;
        mbs_respond_to_inputs(b->at.ws, b->part.state, b->received, b->given);
        b->received[port - b->part.ports] = 0;
        b->at.linear->laws.given = b->given;
      } else if (port->at->joint >= 0)
        c->lambda[port->row + i] = 1;
      else if (port->at->body > 0)
        load_of(b, port, i, c->a + 3 * (port->at->body - 1));
      respond(b, c, column);
      b->at.linear->laws.given = NULL;
      const cosim_port_change change = change_with(b, c, input);
      memset(c->rates, 0, (size_t)b->at.minimal->model->n_states * sizeof *c->rates);
      cosim_port_add_rates(&change, port, c->rates); /* the rates of the states of the port's element */
      for (int k = 0; k < b->n_w; k++)
        b->E[(b->f + k) * b->width + column] += c->rates[b->state[k]];
    }
}

/* Corrects the columns of z, z' and w in E, mu and S. The accelerations P z'' are prescribed, so only inputs may change
 * them. Before this correction z, z' and w change them too, since prescribed directions turn with bodies. */
static void correct_prescribed(part_builder *b) {
  const int width = b->width;
  for (int j = 0; j < n_without_integrals(b); j++)
    for (int r = 0; r < b->n_prescribed; r++) {
      const int input = n_without_integrals(b) + b->prescribed[r].input;
      double change = 0;
      for (int i = 0; i < b->f; i++)
        change += b->P[r * b->f + i] * b->E[i * width + j];
      for (int i = 0; i < b->f + b->n_w; i++)
        b->E[i * width + j] += -change * b->E[i * width + input];
      for (int i = 0; i < b->n_prescribed; i++)
        b->mu[i * width + j] += -change * b->mu[i * width + input];
      for (int i = 0; i < b->made->n_samples; i++)
        b->S[i * width + j] += -change * b->S[i * width + input];
    }
}

static seam_status fill_columns(part_builder *b, seam_error *error) {
  analysis_response c;
  TRY(check_memory(b, analysis_response_create(&c, b->at.minimal->model), error));
  for (int j = 0; j < n_without_integrals(b); j++) {
    analysis_change(&c, &b->at, b->state, j);
    respond(b, &c, j);
  }
  respond_to_inputs(b, &c);
  correct_prescribed(b);
  analysis_response_free(&c);
  return SEAM_OK;
}

/* ---- Outputs ---- */

static void add_entry(part_builder *b, int output, int column, double entry) {
  if (column < n_without_integrals(b))
    b->C[output * n_states(b) + column] += entry;
  else
    b->D[output * b->n_in + column - n_without_integrals(b)] += entry;
}

static void fill_state(part_builder *b) {
  const int n = n_states(b);
  const int n_zw = n_without_integrals(b);
  for (int i = 0; i < b->f; i++)
    b->A[i * n + b->f + i] = 1;
  for (int i = 0; i < b->f + b->n_w; i++) {
    const double *row = b->E + i * b->width;
    memcpy(b->A + (b->f + i) * n, row, (size_t)n_zw * sizeof *row);
    memcpy(b->B + (b->f + i) * b->n_in, row + n_zw, (size_t)b->n_in * sizeof *row);
  }
  for (int i = 0; i < b->n_integrals; i++) { /* a port's integral p has p' = x */
    memcpy(b->A + (n_zw + i) * n, b->made->X + i * b->f, (size_t)b->f * sizeof *b->A);
    b->restarts[n_zw + i] = true;
  }
}

/* Adds Σ weight[k] rows[k] to an output; `rows` (n_rows x width) multiply (z, z', w, u). */
static void add_output_rows(part_builder *b, int output, int n_rows, const double *weight, const double *rows) {
  for (int k = 0; k < n_rows; k++)
    for (int j = 0; j < b->width; j++)
      add_entry(b, output, j, weight[k] * rows[k * b->width + j]);
}

/* Writes the rows of C for the outputs x = X z and v = X z', from output number `output` on. */
static void write_motion_outputs(part_builder *b, int output, const double *X) {
  const int n = n_states(b);
  for (int i = 0; i < 3; i++, X += b->f) {
    memcpy(b->C + (output + i) * n, X, (size_t)b->f * sizeof *X);
    memcpy(b->C + (output + 3 + i) * n + b->f, X, (size_t)b->f * sizeof *X);
  }
}

static void fill_port_outputs(part_builder *b) {
  int prescribed = 0;
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    const double *X = b->made->X + 3 * p * b->f;
    if (port->output < 0)
      continue;
    write_motion_outputs(b, port->output, X);
    for (int i = 0; i < 3; i++) /* a = X z'' */
      add_output_rows(b, port->output + 6 + i, b->f, X + i * b->f, b->E);
    for (int i = 0; i < 3 && b->n_integrals > 0; i++)
      b->C[(port->output + 9 + i) * n_states(b) + n_without_integrals(b) + 3 * p + i] = 1;
    for (int i = 0; i < port->n_rows; i++, prescribed++) /* μ is -λ on side 0 (cosim/parts/multibody_step.c) */
      add_output_rows(b, port->output + (b->n_integrals > 0 ? 12 : 9) + i, 1, (double[1]){port->def.side == 0 ? -1 : 1},
                      b->mu + prescribed * b->width);
  }
}

/* Fills C and D for the outputs that are wrenches or quantities, column by column. c and `changes` are scratch. */
static void add_output_columns(part_builder *b, analysis_response *c, double *changes) {
  const int n_zw = n_without_integrals(b);
  for (int j = 0; j < b->width; j++) {
    const int input = j < n_zw ? -1 : j - n_zw;
    analysis_change(c, &b->at, b->state, j < n_zw ? j : -1);
    for (int p = 0; p < b->made->n_ports; p++)
      b->received[p] = b->part.ports[p].def.kind == MBS_PORT_QUANTITY && input >= 0 && b->part.ports[p].input == input;
    const cosim_port_change change = change_with(b, c, input);
    for (const cosim_multibody_port *port = b->part.ports; port < b->part.ports + b->made->n_ports; port++) {
      double dW[3];
      if (port->wrench < 0)
        continue;
      cosim_port_wrench_change(&change, port, dW);
      for (int i = 0; i < 3; i++)
        add_entry(b, port->wrench + i, j, dW[i]);
    }
    if (b->part.quantities != NULL) {
      const mbs_direction along = {c->dq, c->dv, c->a, c->lambda, c->z, b->received};
      mbs_read_changes(b->part.quantities, b->at.ws, b->part.state, &along, changes);
      for (int i = 0; i < b->part.quantities->n; i++)
        add_entry(b, b->part.quantity + i, j, changes[i]);
    }
  }
}

static seam_status fill_outputs(part_builder *b, seam_error *error) {
  fill_state(b);
  fill_port_outputs(b);
  const int n_quantities = b->part.quantities != NULL ? b->part.quantities->n : 0;
  const size_t n_motion = 3 * (size_t)b->f;
  analysis_response c;
  double *X = calloc(n_motion + (size_t)n_quantities + 1, sizeof *X);
  const bool has_memory = analysis_response_create(&c, b->at.minimal->model) && X != NULL;
  if (has_memory) {
    for (const cosim_multibody_point *probe = b->part.probes; probe < b->part.probes + b->part.n_probes; probe++) {
      fill_marker_motion(b, &probe->at, X);
      write_motion_outputs(b, probe->output, X);
    }
    add_output_columns(b, &c, X + n_motion);
  }
  analysis_response_free(&c);
  free(X);
  return check_memory(b, has_memory, error);
}

/* ---- Creation ---- */

static seam_status allocate(part_builder *b, seam_error *error) {
  const size_t of_N = (size_t)b->at.minimal->n * (size_t)b->f;
  const size_t of_X = 3 * (size_t)b->made->n_ports * (size_t)b->f;
  const bool enough = true BUILDER_ARRAYS(ALLOCATE_ARRAY);
  b->made->N = calloc(of_N + 1, sizeof *b->made->N);
  b->made->X = calloc(of_X + 1, sizeof *b->made->X);
  TRY(check_memory(b, enough && b->made->N != NULL && b->made->X != NULL, error));
  memcpy(b->made->N, b->at.minimal->N, of_N * sizeof *b->made->N);
  return SEAM_OK;
}

/* Lists the states w, by their indices in both models, and the sampled states among them. */
static seam_status list_states(part_builder *b, const mbs_subsystem *sub, seam_error *error) {
  const mbs_model *model = sub->model;
  const size_t n = (size_t)model->n_states + 1;
  analysis_linearised_part *made = b->made;
  b->state = calloc(n, sizeof *b->state);
  made->w_of = calloc(n, sizeof *made->w_of);
  made->samples = calloc(n, sizeof *made->samples);
  TRY(check_memory(b, b->state != NULL && made->w_of != NULL && made->samples != NULL, error));
  for (int i = 0; i < model->n_states; i++) {
    const mbs_laws *laws = &model->laws;
    const int variable = i - laws->first_state;
    /* a variable is sampled only if it has an equation for its next value */
    const bool is_sampled = variable >= 0 && variable < laws->n_variables && laws->variable[variable].sample > 0 &&
                            mbs_is_function(&laws->variable[variable].response);
    if (!is_sampled && !analysis_state_is_continuous(model, i))
      continue;
    if (is_sampled)
      made->samples[made->n_samples++] = (analysis_sampled_state){2 * b->f + b->n_w, laws->variable[variable].sample};
    made->w_of[b->n_w] = sub->state_of[i];
    b->state[b->n_w++] = i;
  }
  made->n_w = b->n_w;
  return SEAM_OK;
}

static seam_status build(part_builder *b, seam_error *error) {
  TRY(allocate(b, error));
  bool is_second_order = b->n_w == 0 && b->at.minimal->model->laws.n_loop == 0;
  prescribed_row *prescribed = b->prescribed;
  double *row = b->P;
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    double *X = b->made->X + 3 * p * b->f;
    fill_marker_motion(b, port->at, X);
    for (int i = 0; i < port->n_rows; i++, row += b->f) {
      memcpy(row, X + port->coordinate[i] * b->f, (size_t)b->f * sizeof *row);
      *prescribed++ = (prescribed_row){port->input + i, port->row + i};
    }
    is_second_order = is_second_order && port->def.kind != MBS_PORT_QUANTITY;
  }
  if (is_second_order)
    fill_free_motion(b);
  TRY(is_second_order ? add_prescribed(b, error) : fill_columns(b, error));
  TRY(fill_outputs(b, error));
  const cosim_linear_def def = {.name = b->name,
                                .n_states = n_states(b),
                                .n_inputs = b->n_in,
                                .n_outputs = b->n_out,
                                .A = b->A,
                                .B = b->B,
                                .C = b->C,
                                .D = b->D,
                                .restarts = b->restarts};
  cosim_part *linear = NULL;
  TRY(cosim_linear_part_create(&def, &linear, error));
  if (b->made->n_samples == 0) {
    b->made->part = linear;
    return SEAM_OK;
  }
  /* Samples do not read integrals of ports' motions: these restart in each step and are not in the part's state. */
  return add_samples(linear, b->made->samples, (size_t)b->made->n_samples, b->S, &b->made->part, error);
}

seam_status analysis_linearise_multibody(cosim_part *multibody, const mbs_state *undivided_state,
                                         const double (*wrenches)[3], analysis_linearised_part *made,
                                         seam_error *error) {
  const cosim_multibody_view part = cosim_multibody_view_of(multibody);
  const mbs_subsystem *sub = part.sub;
  part_builder builder = {
      .name = multibody->name, .part = part, .made = made, .n_in = multibody->n_inputs, .n_out = multibody->n_outputs};
  part_builder *b = &builder;
  *made = (analysis_linearised_part){
      .n_bodies = sub->model->n_bodies, .body_of = sub->body_of, .n_ports = sub->model->n_ports};
  cosim_multibody_start(multibody, undivided_state);
  set_loads(&part, undivided_state, wrenches);
  seam_status status = analysis_minimal_state_create(&b->at, sub->model, part.port_inputs, part.state, error);
  if (status == SEAM_OK) {
    made->f = b->f = b->at.minimal->f;
    status = list_states(b, sub, error);
  }
  if (status == SEAM_OK) {
    b->width = n_without_integrals(b) + b->n_in;
    b->n_integrals = part.n_integrals;
    b->n_prescribed = sub->model->n_prescribed;
    status = build(b, error);
  }
  if (status == SEAM_OK)
    made->part->is_algebraic = multibody->is_algebraic;
  BUILDER_ARRAYS(FREE_ARRAY)
  free(b->state);
  analysis_minimal_state_destroy(&b->at);
  return status;
}

void analysis_linearised_part_free(analysis_linearised_part *self) {
  free(self->w_of);
  free(self->samples);
  free(self->X);
  free(self->N);
}
