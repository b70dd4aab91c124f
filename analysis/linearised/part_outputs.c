/* Outputs of a linearised part; for a port or probe
 *
 *   x = X z,   v = X z',   a = X z''. */
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/part_builder.h"

/* ---- States ---- */

static void put(analysis_part_builder *b, int output, int column, double entry) {
  if (column < analysis_part_n_moving(b))
    b->C[output * analysis_part_n_states(b) + column] += entry;
  else
    b->D[output * b->n_in + column - analysis_part_n_moving(b)] += entry;
}

/* Fills p' = x of the ports. */
static void fill_integrals(analysis_part_builder *b) {
  const int n = analysis_part_n_states(b);
  const int moving = analysis_part_n_moving(b);
  for (int i = 0; i < b->n_integrals; i++) {
    memcpy(b->A + (moving + i) * n, b->made->X + i * b->f, (size_t)b->f * sizeof *b->A);
    b->restarts[moving + i] = true;
  }
}

static void fill_state(analysis_part_builder *b) {
  const int n = analysis_part_n_states(b);
  const int moving = analysis_part_n_moving(b);
  for (int i = 0; i < b->f; i++)
    b->A[i * n + b->f + i] = 1;
  for (int i = 0; i < b->f + b->n_w; i++) {
    const double *row = b->E + i * b->width;
    memcpy(b->A + (b->f + i) * n, row, (size_t)moving * sizeof *row);
    memcpy(b->B + (b->f + i) * b->n_in, row + moving, (size_t)b->n_in * sizeof *row);
  }
  fill_integrals(b);
}

/* ---- Ports ---- */

/* Adds weight (n_rows) times rows (width) of z, z', w and u to an output. */
static void put_rows(analysis_part_builder *b, int output, int n_rows, const double *weight, const double *rows) {
  for (int k = 0; k < n_rows; k++)
    for (int j = 0; j < b->width; j++)
      put(b, output, j, weight[k] * rows[k * b->width + j]);
}

/* Puts x = X z and v = X z' at an output. */
static void put_motion(analysis_part_builder *b, int output, const double *X) {
  const int n = analysis_part_n_states(b);
  for (int i = 0; i < 3; i++, X += b->f) {
    memcpy(b->C + (output + i) * n, X, (size_t)b->f * sizeof *X);
    memcpy(b->C + (output + 3 + i) * n + b->f, X, (size_t)b->f * sizeof *X);
  }
}

static void put_acceleration(analysis_part_builder *b, int output, const double *X) {
  for (int i = 0; i < 3; i++, X += b->f)
    put_rows(b, output + i, b->f, X, b->E);
}

static void fill_port_outputs(analysis_part_builder *b) {
  int held = 0;
  for (int p = 0; p < b->made->n_ports; p++) {
    const cosim_multibody_port *port = &b->part.ports[p];
    const double *X = b->made->X + 3 * p * b->f;
    if (port->output < 0)
      continue;
    put_motion(b, port->output, X);
    put_acceleration(b, port->output + 6, X);
    for (int i = 0; i < 3 && b->n_integrals > 0; i++)
      b->C[(port->output + 9 + i) * analysis_part_n_states(b) + analysis_part_n_moving(b) + 3 * p + i] = 1;
    for (int i = 0; i < port->n_rows; i++, held++)
      put_rows(b, port->output + (b->n_integrals > 0 ? 12 : 9) + i, 1, (double[1]){port->def.side == 0 ? -1 : 1},
               b->mu + held * b->width);
  }
}

/* ---- Places, wrenches and quantities ---- */

/* Puts wrenches and quantities along the direction of a column of states or inputs. */
static void put_column(analysis_part_builder *b, const mbs_direction *along, int column, double *changes) {
  const int input = column < analysis_part_n_moving(b) ? -1 : column - analysis_part_n_moving(b);
  const cosim_port_change change = analysis_part_change(b, along->q, along->v, along->z, input);
  double dW[3];
  for (const cosim_multibody_port *port = b->part.ports; port < b->part.ports + b->made->n_ports; port++) {
    if (port->wrench < 0)
      continue;
    cosim_port_wrench_change(&change, port, dW);
    for (int i = 0; i < 3; i++)
      put(b, port->wrench + i, column, dW[i]);
  }
  if (b->part.quantities == NULL)
    return;
  mbs_read_changes(b->part.quantities, b->at.ws, b->part.state, along, changes);
  for (int i = 0; i < b->part.quantities->n; i++)
    put(b, b->part.quantity + i, column, changes[i]);
}

/* Returns the quantity that a port receives as this input; NULL: another input. */
static double *received_of(const analysis_part_builder *b, int input) {
  for (int p = 0; p < b->made->n_ports; p++)
    if (b->part.ports[p].def.kind == MBS_PORT_QUANTITY && b->part.ports[p].input == input)
      return &b->received[p];
  return NULL;
}

/* Puts all columns; among inputs only received quantities change other quantities at once. */
static void put_columns(analysis_part_builder *b, analysis_response *c, double *changes) {
  const mbs_minimal *m = b->at.minimal;
  const int moving = analysis_part_n_moving(b);
  for (int j = 0; j < b->width; j++) {
    const bool is_place = j < b->f;
    const bool is_rate = !is_place && j < 2 * b->f;
    const double *dq = is_place ? m->N + j * m->n : c->still;
    const double *dv = is_place ? m->Ndot + j * m->n : is_rate ? m->N + (j - b->f) * m->n : c->still;
    double *unit = is_place || is_rate ? NULL : j < moving ? &c->z[b->state[j - 2 * b->f]] : received_of(b, j - moving);
    if (unit != NULL)
      *unit = 1;
    put_column(b, &(mbs_direction){dq, dv, c->a, c->lambda, c->z, b->received}, j, changes);
    if (unit != NULL)
      *unit = 0;
  }
}

seam_status analysis_part_put(analysis_part_builder *b, seam_error *error) {
  fill_state(b);
  fill_port_outputs(b);
  const int n_quantities = b->part.quantities != NULL ? b->part.quantities->n : 0;
  const size_t n_place = 3 * (size_t)b->f;
  analysis_response c;
  double *X = calloc(n_place + (size_t)n_quantities + 1, sizeof *X);
  const bool has_memory = analysis_response_create(&c, b->at.minimal->model) && X != NULL;
  if (has_memory) {
    for (const cosim_multibody_place *probe = b->part.probes; probe < b->part.probes + b->part.n_probes; probe++) {
      analysis_part_fill_place(b, &probe->at, X);
      put_motion(b, probe->output, X);
    }
    put_columns(b, &c, X + n_place);
  }
  analysis_response_free(&c);
  free(X);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise subsystem '%s'", b->name);
}
