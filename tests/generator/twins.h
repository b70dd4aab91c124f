/* Twins: the mechanism of a trial once as it is and once in other units, shifted, turned, moving, in another order or
 * later, run by one integrator with its default tolerances. Both are the same motion. */
#ifndef TESTS_GENERATOR_TWINS_H
#define TESTS_GENERATOR_TWINS_H

/* seam_generator --twins: 0 where all twins agree. */
int twins_main(int n, char **texts);

#endif
