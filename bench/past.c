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

/* ms, cost of the unit U (bench_unit()), one evaluation by the limit code, in the hour of the times below. An earlier
 * version of this code took 80 to 87 µs; the present one (bench/limit.c) takes 0.93 times as long. */
static const double unit = 0.93 * 83e-3;

enum { N_SERIES = 3, EXTRAPOLATED = 1 };
static const char *const series[N_SERIES] = {"Seam 7bbb34f", "EXUDYN absolute", "EXUDYN minimal"};

/* Times at x in the order of `series`: median, ms (0: none); least, ms (0: not known); EXTRAPOLATED if the time was not
 * measured, but extrapolated with the order of the method. */
static const struct past {
  const char *name, *quantity;
  double x;
  double times[N_SERIES][3];
} table[] = {
    {"four_bar_rigid", "run", 1e-4, {{3.9, 2.4}, {247, 198}, {240, 216}}},
    {"four_bar_rigid", "run", 1e-6, {{6.9, 4.3}, {2370, 1511, EXTRAPOLATED}, {1739, 1559, EXTRAPOLATED}}},
    {"four_bar_rigid", "run", 1e-8, {{10.7, 6.6}, {25000, 9000, EXTRAPOLATED}, {12000, 10000, EXTRAPOLATED}}},
    {"four_bar_bushing", "run", 1e-4, {{7.9, 4.7}, {331, 308}, {15.4, 10.6}}},
    {"four_bar_bushing", "run", 1e-6, {{10.6, 6.9}, {2419, 0, EXTRAPOLATED}, {31.7, 21.1}}},
    {"four_bar_bushing", "run", 1e-8, {{14.6, 11.2}, {17700, 0, EXTRAPOLATED}, {85.9, 56.7}}},
    {"chain_10", "run", 1e-4, {{1.13, 0.93}, {24}, {1.8, 1.3, EXTRAPOLATED}}},
    {"chain_10", "run", 1e-6, {{1.14, 0.94}, {195}, {3.65, 2.75}}},
    {"chain_10", "run", 1e-8, {{1.78, 1.28}, {0}, {7.4, 5.7}}},
    {"chain_100", "run", 1e-4, {{10.6, 9.8}, {380, 290}, {173, 139, EXTRAPOLATED}}},
    {"chain_100", "run", 1e-6, {{10.6, 9.8}, {2300, 1900, EXTRAPOLATED}, {389, 305}}},
    {"chain_100", "run", 1e-8, {{22.8, 17.1}, {0}, {851, 630, EXTRAPOLATED}}},
    {"chain_1000", "run", 1e-4, {{44.7, 41.5}, {737, 523}}},
    {"chain_1000", "run", 1e-6, {{44.7, 41.5}, {2726, 2536, EXTRAPOLATED}}},
    {"chain_1000", "run", 1e-8, {{61.5, 55.0}, {10000, 0, EXTRAPOLATED}}},

    {"chain", "rk4 step", 1e2, {{0.1735}}},
    {"chain", "rk4 step", 1e3, {{1.950}}},
    {"chain", "rk4 step", 1e4, {{32.84}}},
    {"chain", "rk4 step", 1e5, {{383.3}}},
    {"chain", "evaluation", 1e3, {{0.299, 0.269}}},

    {"four_bars", "evaluation", 10, {{0.011}}},
    {"four_bars", "evaluation", 100, {{0.127}}},
    {"four_bars", "evaluation", 1000, {{0.760}}},
    {"grid", "evaluation", 5, {{0.092}}},
    {"grid", "evaluation", 10, {{0.256}}},
    {"grid", "evaluation", 20, {{2.53}}},
    {"grid", "evaluation", 30, {{10.32}}},
    {"hub", "evaluation", 50, {{0.2}}},
    {"hub", "evaluation", 200, {{8.4}}},
    {"hub", "evaluation", 500, {{270, 260}}},

    {"four_bars", "run", 10, {{0.66}, {4.8}}},
    {"four_bars", "run", 100, {{5.5}, {38}}},
    {"four_bars", "run", 1000, {{62}, {652}}},
    {"grid", "run", 5, {{2.9}, {10.8}}},
    {"grid", "run", 10, {{15.8}, {47}}},
    {"grid", "run", 20, {{144}, {252}}},
    {"grid", "run", 30, {{464, 334}, {645, 436}}},
    {"hub", "run", 50, {{4.0}, {5.0}}},
    {"hub", "run", 200, {{294}, {54}}},
    {"hub", "run", 500, {{4354, 4165}, {355, 354}}},
};

void bench_print_past(const char *name, const char *quantity, double x, bench_spread ours) {
  for (const struct past *p = table; p < table + sizeof table / sizeof *table; p++) {
    if (strcmp(p->name, name) != 0 || strcmp(p->quantity, quantity) != 0 || p->x != x)
      continue;
    for (int i = 0; i < N_SERIES; i++) {
      const double median = p->times[i][0] / unit, least = p->times[i][1] / unit;
      if (median == 0)
        continue;
      const bench_spread units = {.median = median, .least = least > 0 ? least : median, .most = median};
      printf("    %-16s %10.4g U %s %8.3g times ours\n", series[i], median,
             p->times[i][2] == EXTRAPOLATED ? "(extrapolated)" : "              ", median / ours.median);
      bench_row(name, quantity, series[i], x, units);
    }
  }
}
