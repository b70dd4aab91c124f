/* Writes the FMU of the tests (tests/fmi/unit/unit.h) as an archive. */
#ifndef TESTS_SUPPORT_UNIT_FMU_H
#define TESTS_SUPPORT_UNIT_FMU_H

#include "fmi/archive.h"
#include "fmi/description.h"
#include "tests/fmi/unit/unit.h"

typedef struct unit_options {
  fmi_version version;
  bool is_bare; /* a binary without functions of states */
  bool keeps_state, serialises, variable_step, follows_inputs;
  double step;           /* s, of the default experiment; NaN: none */
  const char *token;     /* NULL: the right one */
  bool has_events;       /* FMI 3: event mode */
  bool returns_early;    /* FMI 3 */
  bool forgets;          /* its states lack an integral */
  bool is_in_newtons;    /* f has that unit; else there are none */
  bool is_in_cm;         /* f and y are in kN, x in cm, v in cm/s, a in cm/s2 */
  const char *unit_of_a; /* with is_in_cm; NULL: "cm/s2" */
  bool without_description, without_binary;
  const char *name_of_x; /* NULL: "x" */
} unit_options;

/* Saves and serialises states, steps of any size, inputs as polynomials. */
unit_options default_unit_options(fmi_version version);

void write_unit(const char *path, const unit_options *options);

#endif
