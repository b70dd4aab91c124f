/* Functions of <seam/status.h>: the table of errors, failing with a message, and interrupts that are polled seldom. */
#include <seam/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/utf8.h"

#define SEAM_COUNT(code, exit_status, text) +1
enum { n_statuses = 0 SEAM_STATUS_TABLE(SEAM_COUNT) };

static const struct {
  int exit_status;
  const char *text;
} table[n_statuses] = {
#define SEAM_ROW(code, exit_status, text) {exit_status, text},
    SEAM_STATUS_TABLE(SEAM_ROW)};

const char *seam_status_text(seam_status status) {
  return (unsigned)status < n_statuses ? table[status].text : "unknown status";
}

int seam_status_exit(seam_status status) { return (unsigned)status < n_statuses ? table[status].exit_status : 1; }

static void fail(seam_error *error, seam_status status, const char *subject, const char *format, va_list arguments) {
  if (error == NULL)
    return;
  error->status = status;
  vsnprintf(error->message, sizeof error->message, format, arguments);
  text_make_printable(error->message);
  snprintf(error->subject, sizeof error->subject, "%s", subject);
}

seam_status seam_fail(seam_error *error, seam_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, "", format, arguments);
  va_end(arguments);
  return status;
}

seam_status seam_fail_about(seam_error *error, seam_status status, const char *subject, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, subject, format, arguments);
  va_end(arguments);
  return status;
}

const char *seam_version(void) { return SEAM_VERSION; }

void seam_text_free(char *text) { free(text); }

bool seam_interrupt_seldom(void *context, double t) {
  seam_seldom *self = context;
  if (self == NULL || self->often.is_requested == NULL)
    return false;
  const double wall = clock_wall();
  if (wall < self->next)
    return false;
  self->next = wall + self->interval;
  return self->often.is_requested(self->often.context, t);
}
