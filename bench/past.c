/* Times of an earlier Seam (7bbb34f) and of EXUDYN 1.11.0 (its fast variant). They were measured in turns within one
 * hour, on two Xeon processors (gcc 12.2 -O3). To be compared with present times, they are divided by the cost of the
 * unit U (bench_unit()) in that hour. Four-bars and chains were the same mechanisms as today. Other mechanisms with
 * loops had the same numbers of bodies and constraints.
 *
 * "EXUDYN absolute" is its cheapest implicit solver in absolute coordinates. "EXUDYN minimal" is its cheapest explicit
 * solver in minimal coordinates; for the closed rigid four-bar it is the cheapest implicit one. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

/* ms, cost of the unit U (bench_unit()) in the hour in which the times below were measured. The limit code of that time
 * took 80 to 87 µs for an evaluation. The present limit code (bench/limit.c) takes 0.93 times as long. */
static const double unit = 0.93 * 83e-3;

static const char seam[] = "Seam 7bbb34f";
static const char absolute[] = "EXUDYN absolute";
static const char minimal[] = "EXUDYN minimal";

typedef struct past {
  const char *name, *quantity;
  double x;
  const char *series;
  double median, least; /* ms; least 0: the least time is not known */
  bool is_extrapolated; /* the time was not measured, but extrapolated with the order of the method */
} past;

static const past times[] = {
    {"four_bar_rigid", "run", 1e-4, seam, 3.9, 2.4, false},
    {"four_bar_rigid", "run", 1e-4, absolute, 247, 198, false},
    {"four_bar_rigid", "run", 1e-4, minimal, 240, 216, false},
    {"four_bar_rigid", "run", 1e-6, seam, 6.9, 4.3, false},
    {"four_bar_rigid", "run", 1e-6, absolute, 2370, 1511, true},
    {"four_bar_rigid", "run", 1e-6, minimal, 1739, 1559, true},
    {"four_bar_rigid", "run", 1e-8, seam, 10.7, 6.6, false},
    {"four_bar_rigid", "run", 1e-8, absolute, 25000, 9000, true},
    {"four_bar_rigid", "run", 1e-8, minimal, 12000, 10000, true},
    {"four_bar_bushing", "run", 1e-4, seam, 7.9, 4.7, false},
    {"four_bar_bushing", "run", 1e-4, absolute, 331, 308, false},
    {"four_bar_bushing", "run", 1e-4, minimal, 15.4, 10.6, false},
    {"four_bar_bushing", "run", 1e-6, seam, 10.6, 6.9, false},
    {"four_bar_bushing", "run", 1e-6, absolute, 2419, 0, true},
    {"four_bar_bushing", "run", 1e-6, minimal, 31.7, 21.1, false},
    {"four_bar_bushing", "run", 1e-8, seam, 14.6, 11.2, false},
    {"four_bar_bushing", "run", 1e-8, absolute, 17700, 0, true},
    {"four_bar_bushing", "run", 1e-8, minimal, 85.9, 56.7, false},
    {"chain_10", "run", 1e-4, seam, 1.13, 0.93, false},
    {"chain_10", "run", 1e-4, absolute, 24, 0, false},
    {"chain_10", "run", 1e-4, minimal, 1.8, 1.3, true},
    {"chain_10", "run", 1e-6, seam, 1.14, 0.94, false},
    {"chain_10", "run", 1e-6, absolute, 195, 0, false},
    {"chain_10", "run", 1e-6, minimal, 3.65, 2.75, false},
    {"chain_10", "run", 1e-8, seam, 1.78, 1.28, false},
    {"chain_10", "run", 1e-8, minimal, 7.4, 5.7, false},
    {"chain_100", "run", 1e-4, seam, 10.6, 9.8, false},
    {"chain_100", "run", 1e-4, absolute, 380, 290, false},
    {"chain_100", "run", 1e-4, minimal, 173, 139, true},
    {"chain_100", "run", 1e-6, seam, 10.6, 9.8, false},
    {"chain_100", "run", 1e-6, absolute, 2300, 1900, true},
    {"chain_100", "run", 1e-6, minimal, 389, 305, false},
    {"chain_100", "run", 1e-8, seam, 22.8, 17.1, false},
    {"chain_100", "run", 1e-8, minimal, 851, 630, true},
    {"chain_1000", "run", 1e-4, seam, 44.7, 41.5, false},
    {"chain_1000", "run", 1e-4, absolute, 737, 523, false},
    {"chain_1000", "run", 1e-6, seam, 44.7, 41.5, false},
    {"chain_1000", "run", 1e-6, absolute, 2726, 2536, true},
    {"chain_1000", "run", 1e-8, seam, 61.5, 55.0, false},
    {"chain_1000", "run", 1e-8, absolute, 10000, 0, true},

    {"chain", "rk4 step", 1e2, seam, 0.1735, 0, false},
    {"chain", "rk4 step", 1e3, seam, 1.950, 0, false},
    {"chain", "rk4 step", 1e4, seam, 32.84, 0, false},
    {"chain", "rk4 step", 1e5, seam, 383.3, 0, false},
    {"chain", "evaluation", 1e3, seam, 0.299, 0.269, false},

    {"four_bars", "evaluation", 10, seam, 0.011, 0, false},
    {"four_bars", "evaluation", 100, seam, 0.127, 0, false},
    {"four_bars", "evaluation", 1000, seam, 0.760, 0, false},
    {"grid", "evaluation", 5, seam, 0.092, 0, false},
    {"grid", "evaluation", 10, seam, 0.256, 0, false},
    {"grid", "evaluation", 20, seam, 2.53, 0, false},
    {"grid", "evaluation", 30, seam, 10.32, 0, false},
    {"hub", "evaluation", 50, seam, 0.2, 0, false},
    {"hub", "evaluation", 200, seam, 8.4, 0, false},
    {"hub", "evaluation", 500, seam, 270, 260, false},

    {"four_bars", "run", 10, seam, 0.66, 0, false},
    {"four_bars", "run", 10, absolute, 4.8, 0, false},
    {"four_bars", "run", 100, seam, 5.5, 0, false},
    {"four_bars", "run", 100, absolute, 38, 0, false},
    {"four_bars", "run", 1000, seam, 62, 0, false},
    {"four_bars", "run", 1000, absolute, 652, 0, false},
    {"grid", "run", 5, seam, 2.9, 0, false},
    {"grid", "run", 5, absolute, 10.8, 0, false},
    {"grid", "run", 10, seam, 15.8, 0, false},
    {"grid", "run", 10, absolute, 47, 0, false},
    {"grid", "run", 20, seam, 144, 0, false},
    {"grid", "run", 20, absolute, 252, 0, false},
    {"grid", "run", 30, seam, 464, 334, false},
    {"grid", "run", 30, absolute, 645, 436, false},
    {"hub", "run", 50, seam, 4.0, 0, false},
    {"hub", "run", 50, absolute, 5.0, 0, false},
    {"hub", "run", 200, seam, 294, 0, false},
    {"hub", "run", 200, absolute, 54, 0, false},
    {"hub", "run", 500, seam, 4354, 4165, false},
    {"hub", "run", 500, absolute, 355, 354, false},
};

void bench_print_past(const char *name, const char *quantity, double x, bench_spread ours) {
  for (const past *p = times; p < times + sizeof times / sizeof *times; p++) {
    if (strcmp(p->name, name) != 0 || strcmp(p->quantity, quantity) != 0 || p->x != x)
      continue;
    const double least = p->least > 0 ? p->least : p->median;
    const bench_spread units = {.median = p->median / unit, .least = least / unit, .most = p->median / unit};
    printf("    %-16s %10.4g U %s %8.3g times ours\n", p->series, units.median,
           p->is_extrapolated ? "(extrapolated)" : "              ", units.median / ours.median);
    bench_row(p->name, p->quantity, p->series, p->x, units);
  }
}
