/* Mechanisms of any size, made of rods (1 m, 1 kg) with revolute joints. They start at rest under gravity. */
#ifndef BENCH_MECHANISMS_H
#define BENCH_MECHANISMS_H

#include <seam/mbs.h>

/* A horizontal chain of n rods. */
mbs_model *bench_chain(int n);

/* n four-bars in series: n + 1 parallel rods on the ground, with a rod between the ends of successive ones. */
mbs_model *bench_four_bars(int n);

/* A grid of n x n squares that hangs from one of its corners; its rods have revolute joints at the nodes. */
mbs_model *bench_grid(int n);

/* A disc on an axle, with n rods attached around its rim. */
mbs_model *bench_hub(int n);

#endif
