/* Rows of a trajectory: quantities of the mechanism (<seam/measures.h>) in the columns of the table. */
#include <math.h>

#include "analysis/results/results_table.h"
#include "base/argument.h"
#include "base/vector.h"
#include "mbs/model/measure.h"
#include "mbs/model/model.h"

seam_status seam_trajectory_table_create(const mbs_model *model, seam_table **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  return seam_trajectory_table_choose(model, "default", created, error);
}

seam_status seam_trajectory_row(const seam_table *table, mbs_workspace *workspace, const mbs_state *state, double *row,
                                seam_error *error) {
  ARGUMENTS(error, table, workspace, state, row);
  const seam_status fits = mbs_state_check(__func__, table->model, state, error);
  if (fits != SEAM_OK)
    return fits;
  mbs_read(table->readout, workspace, state, row);
  if (finite_all(row, (int)table->n))
    return SEAM_OK;
  size_t i = 0;
  while (isfinite(row[i]))
    i++;
  const bool is_measure = mbs_find_measure(table->model, table->columns[i].element) != SEAM_NONE;
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.6g s: %s is not finite; %s", state->t, table->columns[i].name,
                   is_measure ? "guard the measure by if() where it divides by zero or leaves the range of a function"
                              : "look for a force that grows without bound before that time");
}
