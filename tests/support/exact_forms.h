/* The forms of the equations of a mechanism with states z at its state, y = (q, v, z), against differences. */
#ifndef TESTS_SUPPORT_EXACT_FORMS_H
#define TESTS_SUPPORT_EXACT_FORMS_H

#include "tests/support/mechanisms.h"

/* Of accelerations and rates of states: mbs/dynamics/linearised.h. */
void expect_exact_linearisation(mechanism *m);
/* Newton's matrix of CVODE solves with the linearised equations, for steps of c. */
void expect_exact_newton(mechanism *m, double c);
/* The Jacobian of the stabilised form. */
void expect_exact_stabilised_form(mechanism *m);

#endif
