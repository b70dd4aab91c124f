/* Rows of a trajectory: quantities of the mechanism (<seam/measures.h>) in the columns that were chosen. */
#include <math.h>

#include "analysis/results/table.h"
#include "base/argument.h"
#include "base/finite.h"
#include "mbs/model.h"

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
  for (size_t i = 0; i < table->n; i++)
    if (!isfinite(row[i]))
      return seam_fail(error, SEAM_NOT_FINITE,
                       "t = %.6g s: %s is not finite; look for a force that grows without bound before that time",
                       state->t, table->columns[i].name);
  return SEAM_OK;
}
