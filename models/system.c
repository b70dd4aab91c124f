/* Converts a system of FMUs to a model file. Each component, also one of a nested system, becomes a subsystem. Each
 * connection, or chain of connections, becomes a signal.
 *
 *   component            cosim.subsystems.NAME: {fmu: "x.ssp/resources/name.fmu", parameters, inputs}
 *   connection           cosim.signals: {from, to, gain, offset, order}
 *   DefaultExperiment    simulate.end, and the start time of the FMUs
 *   macro step           cosim.macro_step: from Seam's annotation, else the shortest stepSize of the FMUs, else a
 *                        thousandth of the end time */
#include "models/system.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/note.h"
#include "base/then.h"
#include "models/reader.h"
#include "models/thresholds.h"

static seam_status no_memory(const system_draft *d) {
  return seam_fail(d->error, SEAM_NO_MEMORY, "%s: no memory for a system", d->path);
}

/* Returns the name of component c as a subsystem. Underscores replace invalid characters; further underscores make the
 * name unique. */
static const char *subsystem_name(system_draft *d, size_t c) {
  const char *name = d->ssd->components[c].name;
  char *made = arena_allocate(&d->memory, strlen(name) + d->ssd->n_components + 2);
  char *to = made;
  if (made == NULL)
    return NULL;
  if (!isalpha((unsigned char)name[0]) && name[0] != '_')
    *to++ = '_';
  for (const char *at = name; *at != '\0'; at++)
    *to++ = (char)((unsigned char)*at < 0x80 && (isalnum((unsigned char)*at) || *at == '-') ? *at : '_');
  for (size_t i = 0; i < c;) { /* starts again at the first component after each change */
    const bool is_taken = strcmp(d->components[i].name, made) == 0;
    if (is_taken)
      *to++ = '_';
    i = is_taken ? 0 : i + 1;
  }
  return made;
}

static seam_status open_component(system_draft *d, size_t c) {
  const ssd_component *of = &d->ssd->components[c];
  system_component *made = &d->components[c];
  seam_error cause = {0};
  for (size_t i = 0; i < c; i++)
    if (strcmp(d->ssd->components[i].name, of->name) == 0)
      return SYSTEM_FAIL(d, of->line, "a component '%s' already exists, in line %zu: rename one", of->name,
                         d->ssd->components[i].line);
  made->name = subsystem_name(d, c);
  if (made->name == NULL)
    return no_memory(d);
  const char *resource = ssd_entry(&d->memory, of->source);
  if (resource == NULL)
    return SYSTEM_FAIL(d, of->line,
                       "component '%s': '%s' is not an entry of the archive: give a path below its resources/",
                       of->name, of->source);
  const char *path = arena_print(&d->memory, "%s/%s", d->path, resource);
  if (path == NULL)
    return no_memory(d);
  if (fmi_fmu_open(path, &made->fmu, &cause) != SEAM_OK)
    return SYSTEM_FAIL(d, of->line, "component '%s': %s", of->name, cause.message);
  made->about = fmi_fmu_description(made->fmu);
  const size_t n = made->about->n_variables + 1;
  made->values = arena_allocate(&d->memory, n * sizeof(const ssd_value *));
  made->numbers = arena_allocate(&d->memory, n * sizeof *made->numbers);
  made->connection_line = arena_allocate(&d->memory, n * sizeof *made->connection_line);
  return made->values != NULL && made->numbers != NULL && made->connection_line != NULL ? SEAM_OK : no_memory(d);
}

/* Returns the FMUs' time, s, at the start of the run, which has t = 0. */
static double start_of(const ssd_system *ssd) { return isnan(ssd->start) ? 0 : ssd->start; }

/* Returns the duration of the run, s; NaN: not given. */
static double duration(const ssd_system *ssd) { return ssd->stop - start_of(ssd); }

static seam_status check_times(const system_draft *d) {
  const ssd_system *ssd = d->ssd;
  if (!isnan(ssd->start) && !isfinite(ssd->start))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: startTime is %g s: give a finite time", ssd->file, ssd->start);
  if (!isnan(ssd->stop) && !(duration(ssd) > 0 && isfinite(ssd->stop)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: stopTime is %g s: give a finite time after startTime", ssd->file,
                     ssd->stop);
  if (!isnan(ssd->macro_step) && !(ssd->macro_step > 0 && isfinite(ssd->macro_step)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: macroStep is %g: give a positive number of seconds", ssd->file,
                     ssd->macro_step);
  return SEAM_OK;
}

/* Returns the macro step, s, that the system gives. If it gives none, returns the shortest stepSize of its FMUs, but at
 * most the duration of the run; 0: there is none. */
static double given_step(const system_draft *d) {
  double shortest = INFINITY;
  if (!isnan(d->ssd->macro_step))
    return d->ssd->macro_step;
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const double step = d->components[c].about->experiment.step;
    if (step > 0 && step < shortest)
      shortest = step;
  }
  if (isfinite(shortest) && shortest > duration(d->ssd))
    return duration(d->ssd);
  return isfinite(shortest) ? shortest : 0;
}

static void write_number(FILE *to, const char *key, double number) {
  fputs(key, to);
  json_write_number(to, number);
}

/* Writes the values of parameters or, with of_inputs, the start values of inputs. */
static void write_values(FILE *to, const system_component *of, const char *key, bool of_inputs) {
  const char *separator = "";
  fprintf(to, ", %s: {", key);
  for (size_t v = 0; v < of->about->n_variables; v++) {
    const ssd_value *value = of->values[v];
    if (value == NULL || (of->about->variables[v].causality == FMI_INPUT) != of_inputs)
      continue;
    fprintf(to, "%s\n      ", separator);
    json_quote(to, of->about->variables[v].name);
    fputs(": ", to);
    if (value->type == FMI_STRING)
      json_quote(to, value->text);
    else if (value->type == FMI_BOOLEAN)
      fputs(of->numbers[v] != 0 ? "true" : "false", to);
    else
      json_write_number(to, of->numbers[v]);
    separator = ",";
  }
  fputc('}', to);
}

static void write_components(FILE *to, const system_draft *d) {
  const char *slash = strrchr(d->path, '/');
  arena scratch = {0};
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const char *resource = ssd_entry(&scratch, d->ssd->components[c].source);
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", slash != NULL ? slash + 1 : d->path, resource != NULL ? resource : "");
    fprintf(to, "    %s: {fmu: ", d->components[c].name);
    json_quote(to, path);
    write_values(to, &d->components[c], "parameters", false);
    write_values(to, &d->components[c], "inputs", true);
    if (start_of(d->ssd) != 0)
      write_number(to, ", start: ", start_of(d->ssd));
    fputs("}\n", to);
  }
  arena_release(&scratch);
}

static void write_end(FILE *to, const system_draft *d, const char *key, size_t component, size_t variable) {
  const system_component *of = &d->components[component];
  char name[2048];
  snprintf(name, sizeof name, "%s.%s", of->name, of->about->variables[variable].name);
  fputs(key, to);
  json_quote(to, name);
}

static seam_status write_model(const system_draft *d, char **text) {
  const double given = given_step(d);
  const double assumed = isnan(d->ssd->stop) ? models_macro_step : duration(d->ssd) / models_steps_of_run;
  size_t size = 0;
  FILE *to = memory_stream_open(text, &size);
  if (to == NULL)
    return no_memory(d);
  fputs(given > 0 ? "" : SYSTEM_ASSUMES_STEP, to);
  fputs("seam: 1\n", to);
  if (!isnan(d->ssd->stop)) {
    write_number(to, "simulate: {end: ", duration(d->ssd));
    fputs("}\n", to);
  }
  write_number(to, "cosim:\n  macro_step: ", given > 0 ? given : assumed);
  fputs("\n  subsystems:\n", to);
  write_components(to, d);
  if (d->n_links > 0)
    fputs("  signals:\n", to);
  for (const system_link *link = d->links; link < d->links + d->n_links; link++) {
    write_end(to, d, "    - {from: ", link->from, link->output);
    write_end(to, d, ", to: ", link->to, link->input);
    write_number(to, ", gain: ", link->gain);
    write_number(to, ", offset: ", link->offset);
    fprintf(to, ", order: %u}\n", link->order);
  }
  const bool failed = ferror(to) != 0;
  if (fclose(to) == 0 && !failed)
    return SEAM_OK;
  free(*text);
  *text = NULL;
  return no_memory(d);
}

bool seam_is_system(const char *path) {
  const char *ending = path != NULL ? strrchr(path, '.') : NULL;
  return ending != NULL && strcmp(ending, ".ssp") == 0;
}

seam_status seam_system_model(const char *path, char **text, seam_error *error) {
  ARGUMENTS(error, path, text);
  system_draft d = {.path = path, .error = error};
  seam_status status = ssd_open(path, &d.ssd, error);
  const size_t n = status == SEAM_OK ? d.ssd->n_components : 0;
  THEN(status, check_times(&d));
  THEN(status, n == 0 ? seam_fail(error, SEAM_BAD_INPUT, "%s: the system has no components", d.ssd->file) : SEAM_OK);
  d.components = arena_allocate(&d.memory, (n + 1) * sizeof *d.components);
  THEN(status, d.components == NULL ? no_memory(&d) : SEAM_OK);
  for (size_t c = 0; c < n && status == SEAM_OK; c++)
    status = open_component(&d, c);
  THEN(status, system_read_values(&d));
  THEN(status, system_connect(&d));
  if (status == SEAM_OK && start_of(d.ssd) != 0)
    seam_note("%s: startTime is %.9g s, which is t = 0 in the results", d.ssd->file, d.ssd->start);
  THEN(status, write_model(&d, text));
  for (size_t c = 0; d.components != NULL && c < n; c++)
    fmi_fmu_close(d.components[c].fmu);
  ssd_close(d.ssd);
  arena_release(&d.memory);
  return status;
}
