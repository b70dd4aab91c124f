#include "app/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

/* ---- Time left ---- */

/* A phase may become slower or faster, so its time left follows from its recent rate. In the first twentieth of its
 * expected time it follows from the cost of work in earlier phases. */

static const double record_ratio = 4.0 / 3; /* ratio of the times of two records, from the start of the phase */
static const double min_share = 0.05;       /* share of the expected time in which the rate is not yet used */

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

/* ---- The line ---- */

/* A carriage return and the sequence "erase to the end of the line", which all terminals have, draw the line. */

static const double first_delay = 0.5; /* s, time until the line is first drawn */
static const double interval = 0.1;    /* s, time between two drawings */
enum { BAR_WIDTH = 20, USUAL_WIDTH = 80, MAX_LINE = 256 };

app_progress progress_start(bool quiet) {
  struct winsize size;
  const bool shown = !quiet && isatty(STDERR_FILENO) == 1;
  const bool is_known = shown && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (app_progress){
      .shown = shown, .width = is_known ? size.ws_col : USUAL_WIDTH, .next = clock_wall() + first_delay};
}

void progress_phase(app_progress *bar, const char *label, double work, double later_work) {
  if (!bar->shown)
    return;
  bar->label = label;
  time_left_begin(&bar->left, clock_wall(), work, later_work);
}

/* Records the finished share of the phase and, if the line is due, draws it with the text. Leaves the text out if the
 * line would be wider than the terminal, since it could not be erased. */
__attribute__((format(printf, 3, 4))) static void show(app_progress *bar, double share, const char *format, ...) {
  static const char full[] = "####################";
  static const char empty[] = "....................";
  char line[MAX_LINE], text[64];
  char left[32] = "";
  if (!bar->shown)
    return;
  const double now = clock_wall();
  time_left_record(&bar->left, now, share);
  if (now < bar->next)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const double fraction = fmin(time_left_fraction(&bar->left), 1);
  const double seconds = time_left_estimate(&bar->left, now); /* a rough estimate, so two digits are enough */
  const int done = (int)(fraction * BAR_WIDTH);
  if (seconds >= 3600)
    snprintf(left, sizeof left, "%.1f h left  ", seconds / 3600);
  else if (seconds >= 60)
    snprintf(left, sizeof left, "%.0f min left  ", seconds / 60);
  else if (!isnan(seconds))
    snprintf(left, sizeof left, "%.0f s left  ", fmax(seconds, 1));
  const int length = snprintf(line, sizeof line, "[%.*s%.*s] %3d %%  %s%s", done, full, BAR_WIDTH - done, empty,
                              (int)(fraction * 100), left, bar->label != NULL ? bar->label : "");
  const char *gap = bar->label != NULL ? ": " : "";
  const bool has_room = length + (int)strlen(gap) + (int)strlen(text) < bar->width;
  fprintf(stderr, "\r%.*s%s%s\033[K", bar->width - 1, line, has_room ? gap : "", has_room ? text : "");
  fflush(stderr);
  bar->visible = true;
  bar->next = now + interval;
}

void progress_run(app_progress *bar, double fraction, double time, size_t steps) {
  show(bar, fraction, "t = %.4g s  %zu steps", time, steps);
}

void progress_count(app_progress *bar, double fraction, size_t count, const char *what) {
  show(bar, fraction, "%zu %s", count, what);
}

void progress_clear(app_progress *bar) {
  if (bar->visible)
    fputs("\r\033[K", stderr);
  bar->visible = false;
}
