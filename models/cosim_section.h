/* What the file says under `cosim:`, checked against the mechanism. */
#ifndef MODELS_COSIM_SECTION_H
#define MODELS_COSIM_SECTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cosim_subsystem {
  const char *name;
  const char **bodies; /* (n_bodies) names; may be none when a repeat has given none */
  size_t n_bodies;
} cosim_subsystem;

/* The scheme of one coupling. */
typedef struct cosim_choice {
  const char *element; /* a joint or force element between two subsystems */
  const char *scheme;
} cosim_choice;

typedef struct cosim_section {
  bool present; /* the file has the section; else all is zero */
  cosim_subsystem *subsystems;
  size_t n_subsystems;
  double macro_step;               /* s */
  const char *constitutive_scheme; /* of the couplings that `choices` leaves out; NULL: not given */
  const char *constraint_scheme;
  cosim_choice *choices;
  size_t n_choices;
  bool gauss_seidel;  /* exchange in file order instead of Jacobi */
  bool exact_history; /* from the monolithic model integrated backwards, instead of raising the order step by step */
  const char *integrator;
  double rtol, atol;
  double micro_step;         /* s; 0: adaptive */
  double implicit_tolerance; /* of iterated correctors */
  size_t implicit_iterations;
} cosim_section;

#endif
