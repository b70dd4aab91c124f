/* No allocation in a step, with any integrator, though it begins anew at macro points as subsystems of a co-simulation
 * do. Allocations of libraries count too. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/support/mechanisms.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* these must see all allocations themselves */

static bool counts;
static int n_allocations;

/* NOLINTBEGIN(bugprone-reserved-identifier): names of libc */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nmemb, size_t size);
void *__libc_realloc(void *ptr, size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */

#pragma GCC visibility push(default) /* for the libraries too */
void *malloc(size_t size) {
  n_allocations += counts;
  return __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size) {
  n_allocations += counts;
  return __libc_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size) {
  n_allocations += counts;
  return __libc_realloc(ptr, size);
}
#pragma GCC visibility pop

static void expect_none(mechanism m, const char *method, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = NULL;
  options.method = method;
  options.step = step;
  mechanism_assemble(&m);
  cr_assert_eq(mbs_integrator_create(m.model, &options, &integrator, NULL), SEAM_OK);
  seam_status status = mbs_integrator_start(integrator, m.state, NULL);
  counts = true;
  for (int k = 1; k <= 20 && status == SEAM_OK; k++) {
    status = mbs_integrator_advance(integrator, 1e-3 * k, m.state, NULL);
    if (status == SEAM_OK && k % 5 == 0)
      status = mbs_integrator_start(integrator, m.state, NULL);
  }
  counts = false;
  cr_expect_eq(status, SEAM_OK, "%s", method);
  cr_expect_eq(n_allocations, 0, "%s: %d", method, n_allocations);
  n_allocations = 0;
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

static void expect_none_with_any(mechanism (*create)(void)) {
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  static const char *const fixed[] = {"erk", "radau", "euler", "symplectic_euler", "rk2", "rk4"};
  for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++)
    expect_none(create(), adaptive[i], 0);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    expect_none(create(), fixed[i], 5e-4);
}

Test(allocations, none_in_steps_of_a_loop) { expect_none_with_any(four_bar_fixed); }

Test(allocations, none_in_steps_of_a_driven_mechanism) { expect_none_with_any(driven_slider_crank); }

#else

Test(allocations, are_counted_without_sanitizers_only) { cr_expect(true); }

#endif
