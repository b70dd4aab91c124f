/* The FMU of the tests: a mass on a spring and damper that a force pushes, m x'' = f - k x - c x', with a second state
 * s' = f, a wall at which v turns round, and an output that is x as it was sampled. What it does wrong, and when, are
 * parameters.
 *
 * In event mode (FMI 3) a step ends where x reaches the wall, and at each sample; the next step is refused before the
 * event is handled, which takes two updates of discrete states. Without event mode it does all that inside. */
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
  UNIT_EARLY_AT, /* ends there early, once, */
  UNIT_STUCK_AT, /* ends where it begins, */
  UNIT_END_AT,   /* asks for the end of the simulation */
  UNIT_LONGEST,  /* s: longer steps are discarded, */
  UNIT_CLAIM,    /* share of them that it says it could come to, wrongly */
  UNIT_WALL,     /* m */
  UNIT_PERIOD,   /* s, of samples; 0: none */
  UNIT_SAMPLED,  /* x at the last sample */
  UNIT_NEXT,     /* s, the next one */
  UNIT_WAITS,    /* 1: the wall is reached */
  UNIT_N_REALS,
  UNIT_LABEL = UNIT_N_REALS,
  UNIT_MIRRORED, /* boolean: the force counts with the other sign */
  UNIT_DIVISIONS /* integer: micro steps of a step */
};

#endif
