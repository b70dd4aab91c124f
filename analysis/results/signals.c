/* Rows of signals at a macro point (<seam/results.h>). */
#include "analysis/results/results_table.h"
#include "base/argument.h"

seam_status seam_signals_table_create(const cosim_simulation *simulation, seam_table **created, seam_error *error) {
  ARGUMENTS(error, simulation, created);
  seam_table table = {.simulation = simulation};
  analysis_table_start(&table);
  for (size_t i = 0; i < cosim_n_signals(simulation); i++) {
    const char *meaning = cosim_signal_of(simulation, i).meaning;
    analysis_table_add(&table, cosim_signal_of(simulation, i).name, "", cosim_signal_of(simulation, i).unit,
                       meaning[0] != '\0' ? meaning : "signal of a subsystem");
  }
  return analysis_table_finish(&table, created, error);
}

void seam_signals_row(const seam_table *table, double time, double *row) {
  if (table == NULL || row == NULL)
    return;
  row[0] = time;
  for (size_t i = 0; i + 1 < table->n; i++)
    row[i + 1] = cosim_signal_now(table->simulation, i);
}
