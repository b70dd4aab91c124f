/* Energy that couplings create: its sum is what the whole gains, whatever scheme and integrator. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/partitioned.h"

/* ---- The identity ---- */

static double balance_of(const partitioned *p) {
  const mbs_energy energy = mbs_energy_of(p->workspace, cosim_state(p->run));
  return energy.total + energy.dissipated - energy.driven;
}

static double created(const partitioned *p) {
  double sum = 0;
  for (size_t k = 0; k < cosim_n_couplings(p->run); k++)
    sum += cosim_coupling_energy(p->run, k).residual_energy;
  return sum;
}

Test(energy_monitor, measure) {
  static const char *const k[][4] = {
    {"four_bar_bushing","ff-k1","erk"},{"four_bar_bushing","ff-k0","erk"},{"four_bar_bushing","ff-k0-explicit","erk"},{"four_bar_bushing","ff-k1-implicit","erk"},
    {"four_bar_bushing","ff-d-k1","erk"},{"four_bar_bushing","ff-i-k1","erk"},
    {"four_bar_bushing","fd-k1","erk"},{"four_bar_bushing","fd-k1-explicit","erk"},{"four_bar_bushing","df-k1-implicit","erk"},{"four_bar_bushing","dd-k1","erk"},{"four_bar_bushing","dd-k1-explicit","erk"},
    {"four_bar_bushing","dd-k1-implicit","erk"},
    {"four_bar_bushing","dd-k1","radau"},{"four_bar_bushing","fd-k1","ida"},{"four_bar_bushing","ff-k1","cvode"},{"four_bar_bushing","ff-k1","radau"},{"four_bar_bushing","ff-k1","ida"},
    {"double_pendulum","ff-index2-k1","erk"},{"double_pendulum","ff-index1-k1","erk"},{"double_pendulum","ff-baumgarte-k1","erk"},{"double_pendulum","ff-weighted-k0","erk"},{"double_pendulum","fd-baumgarte-k1","erk"},
    {"double_pendulum","ff-projection-k0","erk"},{"double_pendulum","fd-projection-k1","erk"},{"double_pendulum","ff-index2-k1","radau"},{"double_pendulum","ff-index2-k1","ida"},{"double_pendulum","ff-index2-k1","cvode"}};
  for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
    partitioned p = read_partitioned(k[i][0], NULL);
    use_scheme(&p, k[i][1]);
    p.options.integrator.method = k[i][2];
    p.options.integrator.rtol = 1e-11; p.options.integrator.atol = 1e-13;
    start(&p);
    const double first = balance_of(&p);
    advance(&p, 300);
    fprintf(stderr, "%s %s %s: gain %g created %g difference %g\n", k[i][0], k[i][1], k[i][2], balance_of(&p) - first, created(&p), balance_of(&p) - first - created(&p));
    partitioned_free(&p);
  }
}

Test(energy_monitor, order) {
  static const char *const k[][4] = {{"four_bar_bushing","ff-k0"},{"four_bar_bushing","ff-k1"},{"four_bar_bushing","ff-k2"},{"four_bar_bushing","fd-k1"},{"four_bar_bushing","dd-k1"},{"four_bar_bushing","dd-k2"},{"four_bar_bushing","ff-d-k1"},{"four_bar_bushing","ff-i-k1"},
  {"double_pendulum","ff-index2-k1"},{"double_pendulum","ff-baumgarte-k0"},{"double_pendulum","ff-baumgarte-k1"},{"double_pendulum","ff-projection-k0"},{"double_pendulum","ff-projection-k1"},{"double_pendulum","fd-baumgarte-k1"}};
  for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
    fprintf(stderr, "%s", k[i][1]);
    for (int n = 100; n <= 1600; n *= 2) {
    partitioned p = read_partitioned(k[i][0], NULL);
    use_scheme(&p, k[i][1]);
    p.options.integrator.rtol = 1e-12; p.options.integrator.atol = 1e-14;
    p.options.exact_history = true;
    p.options.macro_step = 0.1 / n;
    start(&p);
    advance(&p, (size_t)n);
    fprintf(stderr, " %.3g", created(&p));
    partitioned_free(&p);
    }
    fprintf(stderr, "\n");
  }
}
