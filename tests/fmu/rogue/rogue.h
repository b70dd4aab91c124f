/* The FMU of the tests that misbehaves (rogue.c). */
#ifndef TESTS_FMU_ROGUE_H
#define TESTS_FMU_ROGUE_H

/* Value references. */
enum {
  ROGUE_TIME,
  ROGUE_U,
  ROGUE_X,
  ROGUE_P,
  ROGUE_STOP,      /* s, as it was given; 0: it was not, as */
  ROGUE_TOLERANCE, /* this */
  ROGUE_SUM,       /* of the table: 1, 10, 100 ... times its elements */
  ROGUE_MODE,
  ROGUE_COUNT, /* of 10 ms, so far */
  ROGUE_LIMIT, /* of the count */
  ROGUE_BELOW, /* it is below */
  ROGUE_ON,
  ROGUE_TABLE,
  ROGUE_SIZE /* of the table, up to 4; set in configuration mode */
};

#endif
