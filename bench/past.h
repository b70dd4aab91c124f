/* Times of an earlier Seam (7bbb34f) and of EXUDYN 1.11.0 (its fast variant). They were measured in turns within one
 * hour, on a machine with two Xeon processors (gcc 12.2 -O3). Divided by the cost of the unit U (bench_unit()) in that
 * hour, they can be compared with present times. Four-bars and chains were the same mechanisms as today. Other
 * mechanisms with loops had the same numbers of bodies and constraints.
 *
 * "EXUDYN absolute" is its cheapest implicit solver in absolute coordinates. "EXUDYN minimal" is its cheapest explicit
 * solver in minimal coordinates; for the closed rigid four-bar it is the cheapest implicit one. */
#ifndef BENCH_PAST_H
#define BENCH_PAST_H

#include "bench/bench.h"

/* Prints the earlier times of a `quantity` of case `name` at x: in units U (bench_unit()), and divided by `ours`, the
 * present time in U. Adds the earlier times to the table by bench_row(). */
void bench_print_past(const char *name, const char *quantity, double x, bench_spread ours);

#endif
