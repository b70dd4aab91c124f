#include "app/results/run_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/then.h"

/* Heads without and with impacts. */
static const char *const heads[] = {"event,direction,time",
                                    "event,direction,impulse,friction_impulse,energy_lost,time"};
enum { N_HEADS = sizeof heads / sizeof *heads };

/* Returns the number of columns before the time; 0: the text is not a table of events. */
static size_t columns_before_time(const char *text) {
  size_t n = 0;
  for (size_t k = 0; k < N_HEADS; k++)
    if (strncmp(text, heads[k], strlen(heads[k])) == 0)
      for (const char *at = heads[k]; *at != '\0'; at++)
        n += *at == ',';
  return n;
}

/* Reads a line "NAME,DIRECTION,...,TIME..." with n columns before the time; returns the next one, or NULL. */
static char *read_line(char *line, size_t n, run_event *event, bool *is_one) {
  char *end = strchr(line, '\n');
  if (end != NULL)
    *end = '\0';
  char *name_end = strchr(line, ',');
  const char *before = name_end;
  for (size_t k = 1; k < n && before != NULL; k++)
    before = strchr(before + 1, ',');
  *is_one = before != NULL;
  if (before != NULL) {
    *event = (run_event){line, strtod(before + 1, NULL)};
    *name_end = '\0';
  }
  return end != NULL ? end + 1 : NULL;
}

static size_t count_lines(const char *text) {
  size_t n = 1;
  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static seam_status read_lines(const char *path, run_events *made, seam_error *error) {
  const size_t n_before = columns_before_time(made->text);
  if (n_before == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: error: this is not a table of events; run the model again", path);
  made->list = calloc(count_lines(made->text), sizeof *made->list);
  if (made->list == NULL)
    return out_of_memory(error);
  char *line = strchr(made->text, '\n');
  line = line != NULL ? line + 1 : NULL;
  while (line != NULL && *line != '\0') {
    bool is_one = false;
    line = read_line(line, n_before, &made->list[made->n < MAX_RUN_EVENTS ? made->n : MAX_RUN_EVENTS], &is_one);
    made->n_left_out += is_one && made->n == MAX_RUN_EVENTS;
    made->n += is_one && made->n < MAX_RUN_EVENTS;
  }
  return SEAM_OK;
}

seam_status run_events_read(const run_results *of, run_events *made, seam_error *error) {
  *made = (run_events){0};
  char *path = output_path(of->path, "events.csv");
  if (path == NULL)
    return out_of_memory(error);
  seam_status status = SEAM_OK;
  if (access(path, F_OK) == 0) {
    status = output_read(path, &made->text, error);
    THEN(status, read_lines(path, made, error));
  }
  free(path);
  return status;
}

void run_events_free(run_events *self) {
  free(self->list);
  free(self->text);
}
