/* Drawn with a carriage return and "erase to the end of the line", which every terminal knows. */
#include "app/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "app/clock.h"

static const double first_after = 0.5; /* s; shorter runs show nothing */
static const double interval = 0.1;    /* s */
enum { WIDTH = 30 };

app_progress progress_start(bool quiet, double end) {
  return (app_progress){.shown = !quiet && isatty(STDERR_FILENO) == 1, .end = end, .next = clock_wall() + first_after};
}

static bool is_due(const app_progress *bar) { return bar->shown && clock_wall() >= bar->next; }

static void draw(app_progress *bar, double fraction, const char *text) {
  static const char full[] = "##############################";
  static const char empty[] = "..............................";
  const int done = (int)(fraction * WIDTH);
  fprintf(stderr, "\r[%.*s%.*s] %3d %%  %s\033[K", done, full, WIDTH - done, empty, (int)(fraction * 100), text);
  fflush(stderr);
  bar->visible = true;
  bar->next = clock_wall() + interval;
}

void progress_update(app_progress *bar, double time, size_t steps) {
  char text[64];
  if (!is_due(bar))
    return;
  snprintf(text, sizeof text, "t = %.4g s  %zu steps", time, steps);
  draw(bar, time / bar->end, text);
}

void progress_points(app_progress *bar, size_t points) {
  char text[64];
  if (!is_due(bar))
    return;
  snprintf(text, sizeof text, "%zu points", points);
  draw(bar, (double)points / bar->end, text);
}

void progress_clear(app_progress *bar) {
  if (bar->visible)
    fputs("\r\033[K", stderr);
  bar->visible = false;
}
