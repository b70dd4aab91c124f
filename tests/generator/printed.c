#include "tests/generator/printed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

printed printed_error(const trial *t, const error_run *run) {
  printed p = {.way = UNPRINTED, .word = NOT_CHECKED, .error = NAN, .until = t->end};
  error_run half;
  layout layouts[N_TRACKS];
  layouts_of(t, layouts);
  if (t->run == WHOLE)
    return p;
  error_run_carry_out(t, 2, &half);
  track matching[N_TRACKS] = {{0}};
  double row[MAX_COLUMNS];
  bool same = true;
  for (int k = 0; k < N_TRACKS; k++) {
    matching[k].width = run->track[k].width;
    int j = 0;
    for (int i = 0; i < run->track[k].n; i++) {
      while (j < half.track[k].n && half.track[k].time[j] < run->track[k].time[i] - 1e-9)
        j++;
      same &= j < half.track[k].n && fabs(half.track[k].time[j] - run->track[k].time[i]) < 1e-9;
      if (same) {
        for (int c = 0; c < run->track[k].width; c++)
          row[c] = half.track[k].value[half.track[k].width * j + c];
        track_add(&matching[k], run->track[k].time[i], row);
      }
    }
  }
  if (same) {
    static truth smaller;
    smaller = (truth){.way = BY_INTEGRATOR};
    memcpy(smaller.track, matching, sizeof matching);
    const true_error e = error_between(layouts, run->track, &smaller, &(judged){1, 1, 1, t->end, 0});
    p.error = e.error * 1.33;
    p.way = BY_SMALLER_STEPS;
    p.word = p.error < 0.01 ? ACCURATE : p.error < 0.05 ? ROUGH : WRONG_WORD;
  }
  for (int k = 0; k < N_TRACKS; k++)
    track_free(&matching[k]);
  error_run_free(&half);
  return p;
}
