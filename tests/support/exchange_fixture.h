/* Mechanisms whose options are changed for the exchange. A failure here fails the test. */
#ifndef TESTS_SUPPORT_EXCHANGE_FIXTURE_H
#define TESTS_SUPPORT_EXCHANGE_FIXTURE_H

#include "tests/support/cosim_fixture.h"

enum { MAX_SUBSYSTEMS = 5, MAX_CHOICES = 4 };

typedef struct exchange_fixture {
  cosim_fixture p;
  cosim_subsystem_def subsystems[MAX_SUBSYSTEMS];
  cosim_coupling_options coupling_options[MAX_CHOICES];
} exchange_fixture;

/* Two masses on springs along x, coupled by a third, and more force elements. */
#define MASSES(forces)                                                                                                 \
  "seam: 1\n"                                                                                                          \
  "parameters: {m1: 1, c: 0}\n"                                                                                        \
  "bodies:\n"                                                                                                          \
  "  first: {mass: m1, inertia: 1, velocity: [100, 0]}\n"                                                              \
  "  last: {mass: 1, inertia: 1, velocity: [-100, 0]}\n"                                                               \
  "forces:\n"                                                                                                          \
  "  k1: {type: spring_damper, bodies: [ground, first], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 10, "           \
  "damping: c}\n"                                                                                                      \
  "  k2: {type: spring_damper, bodies: [ground, last], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 1000, "          \
  "damping: c}\n"                                                                                                      \
  "  K: {type: spring_damper, bodies: [last, first], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 100, "             \
  "damping: c}\n" forces "simulate: {end: 1}\n"                                                                        \
  "cosim: {subsystems: {A: [first], B: [last]}, macro_step: 1e-3, scheme: fd-k0-exchange}\n"

/* With the subsystems of the text and no coupling_options. */
exchange_fixture *exchange_fixture_read(const char *text);
void exchange_fixture_free(exchange_fixture *w);

/* Explicit exchange of a coupling with holds of these orders. */
cosim_coupling_options *set_orders(exchange_fixture *w, const char *element, int force_order, int motion_order);
cosim_subsystem_def *add_subsystem(exchange_fixture *w, const char *name);

/* The two masses, springs K and k2 in a subsystem of their own; the crane with its cylinder in one, coupled. */
exchange_fixture *exchange_fixture_read_springs(void);
exchange_fixture *exchange_fixture_read_crane(void);

#endif
