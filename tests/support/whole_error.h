/* What cutting a model costs. A failure here fails the test. */
#ifndef TESTS_SUPPORT_WHOLE_ERROR_H
#define TESTS_SUPPORT_WHOLE_ERROR_H

#include <seam/mbs.h>

/* Error of positions of a stable co-simulation with macro steps H up to `end`, s, against the whole by the integrator.
 */
double error_against_whole(const char *text, const mbs_integrator_options *options, double H, double end);

#endif
