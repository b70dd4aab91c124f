/* Rows of numbers, each whole or not at all. */
#include "app/results/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const body_columns[] = {"x", "y", "phi", "vx", "vy", "omega"};
static const char *const joint_columns[] = {"fx", "fy", "torque"};
static const char *const energy_columns[] = {"kinetic", "potential", "total", "dissipated", "driven"};
enum { N_BODY = 6, N_JOINT = 3, N_ENERGY = 5 };

/* A column's name is "element.quantity", or the element alone where the quantity is empty. */
typedef struct column_name {
  const char *element, *quantity;
} column_name;

struct app_trajectory {
  const mbs_model *model;
  app_rows rows;
  size_t n_columns;
  column_name *inner; /* (n_inner) of force elements with states: these, then the force */
  size_t n_inner;
  double values[]; /* (n_columns) of the present row */
};

/* Whether a state is the last one of its force element. */
static bool is_last(const mbs_model *model, size_t state) {
  return state + 1 == mbs_n_states(model) || mbs_state_force(model, state + 1) != mbs_state_force(model, state);
}

static column_name name_of(const app_trajectory *file, size_t column) {
  const mbs_model *model = file->model;
  if (column == 0)
    return (column_name){"time", ""};
  column -= 1;
  if (column < N_BODY * mbs_n_bodies(model))
    return (column_name){mbs_body_name(model, column / N_BODY), body_columns[column % N_BODY]};
  column -= N_BODY * mbs_n_bodies(model);
  if (column < N_JOINT * mbs_n_joints(model))
    return (column_name){mbs_joint_name(model, column / N_JOINT), joint_columns[column % N_JOINT]};
  column -= N_JOINT * mbs_n_joints(model);
  if (column < file->n_inner)
    return file->inner[column];
  return (column_name){"energy", energy_columns[column - file->n_inner]};
}

/* Names of a model file hold neither commas nor quotes: the reader sees to it. */
static void write_header(const void *table) {
  const app_trajectory *file = table;
  for (size_t i = 0; i < file->n_columns; i++) {
    const column_name name = name_of(file, i);
    fprintf(file->rows.file, "%s%s%s%c", name.element, *name.quantity ? "." : "", name.quantity,
            i + 1 < file->n_columns ? ',' : '\n');
  }
}

static void name_inner(app_trajectory *file) {
  for (size_t k = 0; k < mbs_n_states(file->model); k++) {
    const char *element = mbs_force_name(file->model, mbs_state_force(file->model, k));
    file->inner[file->n_inner++] = (column_name){element, mbs_state_name(file->model, k)};
    if (is_last(file->model, k))
      file->inner[file->n_inner++] = (column_name){element, "force"};
  }
}

static seam_status create(const mbs_model *model, app_trajectory **created, seam_error *error) {
  const size_t max_inner = 2 * mbs_n_states(model);
  const size_t n_columns = 1 + N_BODY * mbs_n_bodies(model) + N_JOINT * mbs_n_joints(model) + N_ENERGY;
  app_trajectory *made = calloc(1, sizeof *made + (n_columns + max_inner) * sizeof *made->values);
  column_name *inner = calloc(max_inner + 1, sizeof *inner);
  if (!made || !inner) {
    free(made);
    free(inner);
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  }
  made->model = model;
  made->inner = inner;
  name_inner(made);
  made->n_columns = n_columns + made->n_inner;
  *created = made;
  return SEAM_OK;
}

seam_status trajectory_open(const char *path, const mbs_model *model, app_trajectory **opened, seam_error *error) {
  const seam_status status = create(model, opened, error);
  return status == SEAM_OK ? rows_open(path, write_header, *opened, &(*opened)->rows, error) : status;
}

seam_status trajectory_resume(const char *path, const mbs_model *model, size_t length, app_trajectory **opened,
                              seam_error *error) {
  const seam_status status = create(model, opened, error);
  return status == SEAM_OK ? rows_resume(path, length, &(*opened)->rows, error) : status;
}

size_t trajectory_length(const app_trajectory *file) { return file->rows.kept; }

static void gather(app_trajectory *file, mbs_workspace *workspace, const mbs_state *state, const mbs_energy *energy) {
  double *at = file->values;
  *at++ = state->t;
  for (size_t i = 0; i < mbs_n_bodies(file->model); i++, at += N_BODY) {
    memcpy(at, state->q + 3 * i, 3 * sizeof *at);
    memcpy(at + 3, state->v + 3 * i, 3 * sizeof *at);
  }
  for (size_t i = 0; i < mbs_n_joints(file->model); i++, at += N_JOINT)
    mbs_reaction(workspace, state, i, at);
  for (size_t k = 0; k < mbs_n_states(file->model); k++) {
    *at++ = state->z[k];
    if (is_last(file->model, k))
      *at++ = mbs_force_push(workspace, state, mbs_state_force(file->model, k));
  }
  const double energies[N_ENERGY] = {energy->kinetic, energy->potential, energy->total, energy->dissipated,
                                     energy->driven};
  memcpy(at, energies, sizeof energies);
}

static seam_status check_finite(const app_trajectory *file, seam_error *error) {
  for (size_t i = 0; i < file->n_columns; i++) {
    if (isfinite(file->values[i]))
      continue;
    const column_name name = name_of(file, i);
    return seam_fail(error, SEAM_NOT_FINITE,
                     "t = %.6g s: %s.%s is not finite; look for a force that grows without bound before that time",
                     file->values[0], name.element, name.quantity);
  }
  return SEAM_OK;
}

seam_status trajectory_write(app_trajectory *file, mbs_workspace *workspace, const mbs_state *state,
                             const mbs_energy *energy, seam_error *error) {
  gather(file, workspace, state, energy);
  const seam_status status = check_finite(file, error);
  if (status != SEAM_OK)
    return status;
  return rows_write(&file->rows, file->values, file->n_columns, error);
}

seam_status trajectory_close(app_trajectory *file, seam_error *error) {
  if (!file)
    return SEAM_OK;
  const seam_status status = rows_close(&file->rows, error);
  free(file->inner);
  free(file);
  return status;
}
