/* Rows of numbers, each whole or not at all. */
#include "app/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/output.h"

static const char *const body_columns[] = {"x", "y", "phi", "vx", "vy", "omega"};
static const char *const joint_columns[] = {"fx", "fy", "torque"};
static const char *const energy_columns[] = {"kinetic", "potential", "total", "dissipated", "driven"};
enum { N_BODY = 6, N_JOINT = 3, N_ENERGY = 5 };

struct app_trajectory {
  const char *path;
  const mbs_model *model;
  FILE *file;
  off_t kept; /* length of the file up to its last whole row */
  size_t n_columns;
  double values[]; /* (n_columns) of the present row */
};

/* A column's name is "element.quantity", or the element alone where the quantity is empty. */
typedef struct column_name {
  const char *element, *quantity;
} column_name;

static column_name name_of(const mbs_model *model, size_t column) {
  if (column == 0)
    return (column_name){"time", ""};
  column -= 1;
  if (column < N_BODY * mbs_n_bodies(model))
    return (column_name){mbs_body_name(model, column / N_BODY), body_columns[column % N_BODY]};
  column -= N_BODY * mbs_n_bodies(model);
  if (column < N_JOINT * mbs_n_joints(model))
    return (column_name){mbs_joint_name(model, column / N_JOINT), joint_columns[column % N_JOINT]};
  column -= N_JOINT * mbs_n_joints(model);
  return (column_name){"energy", energy_columns[column]};
}

/* Names of a model file hold neither commas nor quotes: the reader sees to it. */
static void write_header(const app_trajectory *file) {
  for (size_t i = 0; i < file->n_columns; i++) {
    const column_name name = name_of(file->model, i);
    fprintf(file->file, "%s%s%s%c", name.element, *name.quantity ? "." : "", name.quantity,
            i + 1 < file->n_columns ? ',' : '\n');
  }
}

/* Hands what was written to the system. */
static seam_status keep(app_trajectory *file, seam_error *error) {
  if (fflush(file->file) != 0 || ferror(file->file))
    return output_failed(file->path, error);
  file->kept = ftello(file->file);
  return SEAM_OK;
}

seam_status trajectory_open(const char *path, const mbs_model *model, app_trajectory **opened, seam_error *error) {
  const size_t n_columns = 1 + N_BODY * mbs_n_bodies(model) + N_JOINT * mbs_n_joints(model) + N_ENERGY;
  app_trajectory *made = calloc(1, sizeof *made + n_columns * sizeof *made->values);
  if (!made)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  made->path = path;
  made->model = model;
  made->n_columns = n_columns;
  const seam_status status = output_open(path, &made->file, error);
  if (status != SEAM_OK) {
    free(made);
    return status;
  }
  *opened = made;
  write_header(made);
  return keep(made, error);
}

static void gather(app_trajectory *file, mbs_workspace *workspace, const mbs_state *state, const mbs_energy *energy) {
  double *at = file->values;
  *at++ = state->t;
  for (size_t i = 0; i < mbs_n_bodies(file->model); i++, at += N_BODY) {
    memcpy(at, state->q + 3 * i, 3 * sizeof *at);
    memcpy(at + 3, state->v + 3 * i, 3 * sizeof *at);
  }
  for (size_t i = 0; i < mbs_n_joints(file->model); i++, at += N_JOINT)
    mbs_reaction(workspace, state, i, at);
  const double energies[N_ENERGY] = {energy->kinetic, energy->potential, energy->total, energy->dissipated,
                                     energy->driven};
  memcpy(at, energies, sizeof energies);
}

static seam_status check_finite(const app_trajectory *file, seam_error *error) {
  for (size_t i = 0; i < file->n_columns; i++) {
    if (isfinite(file->values[i]))
      continue;
    const column_name name = name_of(file->model, i);
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
  for (size_t i = 0; i < file->n_columns; i++)
    fprintf(file->file, "%.17g%c", file->values[i], i + 1 < file->n_columns ? ',' : '\n');
  return keep(file, error);
}

/* A number that lost its last digits would be read as another one. */
static void cut_torn_row(const app_trajectory *file) {
  if (truncate(file->path, file->kept) != 0)
    fprintf(stderr, "%s: the last row is torn\n", file->path);
}

seam_status trajectory_close(app_trajectory *file, seam_error *error) {
  if (!file)
    return SEAM_OK;
  const bool written = !ferror(file->file);
  const bool closed = fclose(file->file) == 0;
  const seam_status status = written && closed ? SEAM_OK : output_failed(file->path, error);
  if (!written)
    cut_torn_row(file);
  free(file);
  return status;
}
