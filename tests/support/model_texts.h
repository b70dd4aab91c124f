/* First lines of model files. */
#ifndef TESTS_SUPPORT_MODEL_TEXTS_H
#define TESTS_SUPPORT_MODEL_TEXTS_H

/* Two bodies with a coupling. */
#define MECHANISM                                                                                                      \
  "seam: 1\n"                                                                                                          \
  "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"                                                     \
  "forces:\n"                                                                                                          \
  "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}\n"                                           \
  "  F: {type: torque, body: a, torque: 0}\n"

/* Two discs that turn about one place, to which forces are added. */
#define TWO_DISCS                                                                                                      \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  m1: {mass: 1, inertia: 1, at: O}\n"                                                                               \
  "  m2: {mass: 1, inertia: 0.5, at: O}\n"                                                                             \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, m1], at: O}\n"                                                               \
  "  B: {type: revolute, bodies: [ground, m2], at: O}\n"

/* User equations, to which a subsystem is added. */
#define EQUATIONS                                                                                                      \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 1}\n"                                                                                               \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.1\n"                                                                                                \
  "  subsystems:\n"                                                                                                    \
  "    idle: {inputs: [u], outputs: {y: 0}}\n"

#endif
