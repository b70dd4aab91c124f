#include "tests/support/corrected_exchange.h"

#include <criterion/criterion.h>

cosim_exchange *start_corrected_exchange(cosim_exchange_def def, const cosim_energy_correction_def *wanted) {
  cosim_correction *correction = NULL;
  cosim_exchange *self = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_energy_correction_at(wanted, -1, -1, &correction, &error), SEAM_OK, "%s", error.message);
  def.corrections = &correction;
  def.n_corrections = 1;
  cr_assert_eq(cosim_exchange_create(&def, &self, &error), SEAM_OK, "%s", error.message);
  cosim_exchange_start(self, 0);
  return self;
}
