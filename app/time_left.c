/* The time left of a phase follows from its recent rate of progress, because a phase may become slower or faster. In
 * the first twentieth of its expected time, the time left follows from the cost of work in earlier phases. */
#include "app/time_left.h"

#include <math.h>

static const double record_ratio = 4.0 / 3; /* the time since the start grows by this factor between two records */
static const double min_share = 0.05;       /* a phase's rate is not used in this first share of its expected time */

void time_left_begin(time_left *self, double now, double work, double later_work) {
  if (self->work > 0) {
    self->spent += now - self->start;
    self->done += self->fraction * self->work;
  }
  self->work = work;
  self->later_work = later_work;
  self->start = now;
  self->fraction = 0;
  self->times[0] = self->times[1] = now;
  self->fractions[0] = self->fractions[1] = 0;
}

void time_left_record(time_left *self, double now, double fraction) {
  self->fraction = fraction;
  if (now - self->start < record_ratio * (self->times[1] - self->start))
    return;
  self->times[0] = self->times[1];
  self->fractions[0] = self->fractions[1];
  self->times[1] = now;
  self->fractions[1] = fraction;
}

double time_left_estimate(const time_left *self, double now) {
  if (!(self->work > 0) || isnan(self->later_work))
    return NAN;
  const double expected =
      self->done > 0 ? self->work * self->spent / self->done : 0; /* s, expected time of the phase */
  const double done = self->done + self->fraction * self->work;
  const double cost_per_work = done > 0 ? (self->spent + (now - self->start)) / done : NAN; /* s per unit of work */
  const double later = self->later_work > 0 ? self->later_work * cost_per_work : 0;
  if (now - self->start < min_share * expected)
    return (1 - self->fraction) * expected + later;
  const double rate = (self->fraction - self->fractions[0]) / (now - self->times[0]);
  return rate > 0 ? (1 - self->fraction) / rate + later : NAN;
}

double time_left_fraction(const time_left *self) {
  if (!(self->work > 0) || isnan(self->later_work))
    return self->fraction;
  return (self->done + self->fraction * self->work) / (self->done + self->work + self->later_work);
}
