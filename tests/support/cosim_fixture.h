/* A model file, cut and started. A failure here fails the test. */
#ifndef TESTS_SUPPORT_COSIM_FIXTURE_H
#define TESTS_SUPPORT_COSIM_FIXTURE_H

#include <seam/cosim.h>
#include <seam/models.h>

#include "cosim/mechanism/definition.h"
#include "tests/support/engine.h"

typedef struct cosim_fixture {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;            /* assembled */
  cosim_definition definition; /* the file's; change them before starting */
  cosim_simulation *run;       /* NULL until started */
} cosim_fixture;

/* cosim_create() with a builder of a definition. */
seam_status create_simulation(const mbs_model *model, const cosim_definition *definition, cosim_simulation **created,
                              seam_error *error);

/* Reads a text, or a model of the catalogue by its name; `overrides` end with NULL, may be NULL. */
cosim_fixture cosim_fixture_read(const char *text_or_name, const char *const *overrides);
void cosim_fixture_free(cosim_fixture *p);

/* One scheme for all couplings. */
void use_scheme(cosim_fixture *p, const char *scheme);

/* Creates and starts the co-simulation; the second kind expects SEAM_BAD_INPUT with `part` in the message. */
void start(cosim_fixture *p);
void expect_no_start(cosim_fixture *p, const char *part);

/* n macro steps of the options' length. */
void advance(cosim_fixture *p, size_t n);

/* The whole model, integrated at 1e-12 from the state where the co-simulation starts; `state` becomes that one. */
mbs_integrator *start_monolithic(const cosim_fixture *p, mbs_state *state);

/* Largest difference of positions (and velocities) from the whole model, integrated to the same time at 1e-12. */
double error_of(const cosim_fixture *p);
/* The same after co-simulating up to `end` with macro step H; starts again. */
double error_at_macro_step(cosim_fixture *p, double H, double end);

/* Root mean square error of a value over the standard deviation of its reference. */
typedef struct deviation {
  double square, sum, sum2;
  size_t n;
} deviation;
void deviation_add(deviation *self, double value, double reference);
double deviation_of(const deviation *self);

/* An error measured beside the one listed in docs/conventions.md: e <= 3 r + 1e-10, and above 1e-9 also r <= 3 e. */
void expect_error_near(const char *scheme, double measured, double listed);

/* Whether two states are the same bits. */
bool same_bits(const mbs_state *a, const mbs_state *b);

#endif
