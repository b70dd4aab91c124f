/* The FMU of the tests: a mass on a spring and damper that a force pushes, m x'' = f - k x - c x', with a second state
 * s' = f. What it does wrong, and when, are parameters. */
#ifndef TESTS_FMI_UNIT_H
#define TESTS_FMI_UNIT_H

#define UNIT_TOKEN "{3f1c6a1e-7c0b-4a0e-9d53-0c6f6f5b7a11}"

/* Value references. */
enum {
  UNIT_TIME,
  UNIT_F,
  UNIT_X,
  UNIT_V,
  UNIT_A,
  UNIT_S,
  UNIT_Y, /* the force where it is read */
  UNIT_M,
  UNIT_K,
  UNIT_C,
  UNIT_X0,
  UNIT_V0,
  UNIT_FAIL_AT,  /* s: the first step beyond fails, */
  UNIT_NAN_AT,   /* makes x not a number, */
  UNIT_EARLY_AT, /* ends there early, */
  UNIT_N_REALS,
  UNIT_LABEL = UNIT_N_REALS,
  UNIT_MIRRORED, /* boolean: the force counts with the other sign */
  UNIT_DIVISIONS /* integer: micro steps of a step */
};

#endif
