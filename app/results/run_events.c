#include "app/results/run_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"

static const char head[] = "event,direction,time";

/* A line "NAME,DIRECTION,TIME..."; it ends in NULL or at the next one. */
static char *read_line(char *line, run_event *event, bool *is_one) {
  char *end = strchr(line, '\n');
  if (end != NULL)
    *end = '\0';
  char *direction = strchr(line, ',');
  char *time = direction != NULL ? strchr(direction + 1, ',') : NULL;
  *is_one = time != NULL;
  if (time != NULL) {
    *direction = '\0';
    *event = (run_event){line, strtod(time + 1, NULL)};
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
  if (strncmp(made->text, head, strlen(head)) != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: error: this is not a table of events; run the model again", path);
  made->list = calloc(count_lines(made->text), sizeof *made->list);
  if (made->list == NULL)
    return out_of_memory(error);
  char *line = strchr(made->text, '\n');
  line = line != NULL ? line + 1 : NULL;
  while (line != NULL && *line != '\0') {
    bool is_one = false;
    line = read_line(line, &made->list[made->n < MAX_RUN_EVENTS ? made->n : MAX_RUN_EVENTS], &is_one);
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
    if (status == SEAM_OK)
      status = read_lines(path, made, error);
  }
  free(path);
  return status;
}

void run_events_free(run_events *self) {
  free(self->list);
  free(self->text);
}
