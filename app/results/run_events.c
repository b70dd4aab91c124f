#include "app/results/run_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/then.h"

/* Possible first lines of events.csv: without impacts, and with impacts. */
static const char *const heads[] = {"event,direction,time",
                                    "event,direction,impulse,friction_impulse,energy_lost,time"};

/* Reads the lines "NAME,DIRECTION,...,TIME..." of a table that begins with one of the heads. */
static seam_status read_lines(const char *path, run_events *result, seam_error *error) {
  size_t n_before = 0; /* number of columns before the time */
  size_t n_lines = 1;
  for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
    if (strncmp(result->text, heads[k], strlen(heads[k])) == 0)
      for (const char *at = heads[k]; *at != '\0'; at++)
        n_before += *at == ',';
  if (n_before == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: error: this is not a table of events; run the model again", path);
  for (const char *at = result->text; *at != '\0'; at++)
    n_lines += *at == '\n';
  result->list = calloc(n_lines, sizeof *result->list);
  if (result->list == NULL)
    return out_of_memory(error);
  for (char *end = strchr(result->text, '\n'); end != NULL && end[1] != '\0';) {
    char *line = end + 1;
    end = strchr(line, '\n');
    if (end != NULL)
      *end = '\0';
    char *comma = strchr(line, ',');
    const char *before = comma;
    for (size_t k = 1; k < n_before && before != NULL; k++)
      before = strchr(before + 1, ',');
    if (before == NULL)
      continue;
    *comma = '\0';
    if (result->n < MAX_RUN_EVENTS)
      result->list[result->n++] = (run_event){line, strtod(before + 1, NULL)};
    else
      result->n_left_out++;
  }
  return SEAM_OK;
}

seam_status run_events_read(const run_results *of, run_events *result, seam_error *error) {
  *result = (run_events){0};
  char *path = output_path(of->path, "events.csv");
  if (path == NULL)
    return out_of_memory(error);
  seam_status status = SEAM_OK;
  if (access(path, F_OK) == 0) {
    status = output_read(path, &result->text, error);
    THEN(status, read_lines(path, result, error));
  }
  free(path);
  return status;
}

void run_events_free(run_events *self) {
  free(self->list);
  free(self->text);
}
