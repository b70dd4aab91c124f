/* A chain of 100 rods, cut after every tenth rod, as the text of a model file. The text is a format with two %s: the
 * section of the elements at the cuts (`joints` or `forces`), and their type (`revolute` or BENCH_BUSHING). */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#define BENCH_BUSHING "bushing, stiffness: [1e5, 1e5, 0], damping: [1e3, 1e3, 0]"

#define BENCH_CHAIN                                                                                                    \
  "seam: 1\n"                                                                                                          \
  "name: chain\n"                                                                                                      \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {P0: [0, 0]}\n"                                                                                             \
  "joints: {J1: {type: revolute, bodies: [ground, link1], at: P0}}\n"                                                  \
  "repeat:\n"                                                                                                          \
  "  - for: {i: [1, 100]}\n"                                                                                           \
  "    points: {\"P{i}\": [i, 0]}\n"                                                                                   \
  "    bodies: {\"link{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: 1}}\n"                                                \
  "  - for: {k: [0, 9], j: [1, 9]}\n"                                                                                  \
  "    joints: {\"J{10*k+j+1}\": {type: revolute, bodies: [\"link{10*k+j}\", \"link{10*k+j+1}\"], at: "                \
  "\"P{10*k+j}\"}}\n"                                                                                                  \
  "  - for: {k: [1, 9]}\n"                                                                                             \
  "    %s: {\"J{10*k+1}\": {type: %s, bodies: [\"link{10*k}\", \"link{10*k+1}\"], at: \"P{10*k}\"}}\n"                 \
  "  - for: {k: [0, 9]}\n"                                                                                             \
  "    cosim:\n"                                                                                                       \
  "      subsystems:\n"                                                                                                \
  "        \"part{k}\": [\"link{10*k+1}\", \"link{10*k+2}\", \"link{10*k+3}\", \"link{10*k+4}\", \"link{10*k+5}\",\n"  \
  "          \"link{10*k+6}\", \"link{10*k+7}\", \"link{10*k+8}\", \"link{10*k+9}\", \"link{10*k+10}\"]\n"             \
  "simulate: {end: 0.2}\n"                                                                                             \
  "cosim: {macro_step: 1e-3}\n"

#endif
