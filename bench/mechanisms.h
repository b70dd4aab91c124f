/* Mechanisms of any size, made of rods (1 m, 1 kg) with revolute joints, which start at rest under gravity. */
#ifndef BENCH_MECHANISMS_H
#define BENCH_MECHANISMS_H

#include <seam/mbs.h>

/* A horizontal chain of n rods. */
mbs_model *bench_chain(int n);

/* n four-bars in series: n + 1 parallel rods on the ground, the ends of neighbours joined by rods. */
mbs_model *bench_four_bars(int n);

/* n x n squares, whose rods are hinged at the nodes of a grid, hung up at one corner. */
mbs_model *bench_grid(int n);

/* A disc on an axle, with n rods hinged around its rim. */
mbs_model *bench_hub(int n);

#endif
