/* A system of FMUs as a model file: each component, also of nested systems, becomes a subsystem; each connection, or
 * chain of connections, a signal.
 *
 *   component            cosim.subsystems.NAME: {fmu: "x.ssp/resources/name.fmu", parameters, inputs}
 *   connection           cosim.signals: {from, to, gain, offset, order}
 *   DefaultExperiment    simulate.end, and the start of the FMUs
 *   our annotation, or the shortest stepSize of the FMUs, or a thousandth of the end: cosim.macro_step */
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
#include "models/thresholds.h"

static seam_status no_memory(const system_draft *d) {
  return seam_fail(d->error, SEAM_NO_MEMORY, "%s: no memory for a system", d->path);
}

/* ---- Components -------------------------------------------------------------------------------------------------- */

static bool is_taken(const system_draft *d, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(d->components[i].name, name) == 0)
      return true;
  return false;
}

/* Returns a subsystem's name: characters that only components may have become underscores, and more make it unique. */
static const char *subsystem_name(system_draft *d, size_t c) {
  const char *name = d->ssd->components[c].name;
  const size_t length = strlen(name);
  char *made = arena_take(&d->memory, length + d->ssd->n_components + 2);
  char *to = made;
  if (made == NULL)
    return NULL;
  if (!isalpha((unsigned char)name[0]) && name[0] != '_')
    *to++ = '_';
  for (const char *at = name; *at != '\0'; at++)
    *to++ = (char)((unsigned char)*at < 0x80 && (isalnum((unsigned char)*at) || *at == '-') ? *at : '_');
  for (*to = '\0'; is_taken(d, c, made); *to = '\0')
    *to++ = '_';
  return made;
}

static seam_status check_name(system_draft *d, size_t c) {
  const ssd_component *of = &d->ssd->components[c];
  for (size_t i = 0; i < c; i++)
    if (strcmp(d->ssd->components[i].name, of->name) == 0)
      return SYSTEM_FAIL(d, of->line, "a component '%s' already exists, in line %zu: rename one", of->name,
                         d->ssd->components[i].line);
  d->components[c].name = subsystem_name(d, c);
  return d->components[c].name != NULL ? SEAM_OK : no_memory(d);
}

static seam_status open_component(system_draft *d, size_t c) {
  const ssd_component *of = &d->ssd->components[c];
  system_component *made = &d->components[c];
  seam_error cause = {0};
  const char *entry = ssd_entry(&d->memory, of->source);
  if (entry == NULL)
    return SYSTEM_FAIL(d, of->line,
                       "component '%s': '%s' is not an entry of the archive: give a path below its resources/",
                       of->name, of->source);
  const size_t size = strlen(d->path) + strlen(entry) + 2;
  char *path = arena_take(&d->memory, size);
  if (path == NULL)
    return no_memory(d);
  snprintf(path, size, "%s/%s", d->path, entry);
  if (fmi_fmu_open(path, &made->fmu, &cause) != SEAM_OK)
    return SYSTEM_FAIL(d, of->line, "component '%s': %s", of->name, cause.message);
  made->about = fmi_fmu_description(made->fmu);
  const size_t n = made->about->n_variables + 1;
  made->values = arena_take(&d->memory, n * sizeof(const ssd_value *));
  made->numbers = arena_take(&d->memory, n * sizeof *made->numbers);
  made->fed = arena_take(&d->memory, n * sizeof *made->fed);
  return made->values != NULL && made->numbers != NULL && made->fed != NULL ? SEAM_OK : no_memory(d);
}

static seam_status open_components(system_draft *d) {
  const size_t n = d->ssd->n_components;
  seam_status status = SEAM_OK;
  if (n == 0)
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: the system has no components", d->ssd->file);
  d->components = arena_take(&d->memory, n * sizeof *d->components);
  if (d->components == NULL)
    return no_memory(d);
  for (size_t c = 0; c < n && status == SEAM_OK; c++) {
    status = check_name(d, c);
    THEN(status, open_component(d, c));
  }
  return status;
}

/* ---- Times ------------------------------------------------------------------------------------------------------- */

/* Returns the FMUs' time at t = 0 of the run, s. */
static double start_of(const ssd_system *ssd) { return isnan(ssd->start) ? 0 : ssd->start; }

/* Returns the duration, s; NaN: not given. */
static double duration(const ssd_system *ssd) { return ssd->stop - start_of(ssd); }

static seam_status check_times(const system_draft *d) {
  const ssd_system *ssd = d->ssd;
  if (!isnan(ssd->start) && !isfinite(ssd->start))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: the experiment begins at t = %g s: give a finite time", ssd->file,
                     ssd->start);
  if (!isnan(ssd->stop) && !(duration(ssd) > 0 && isfinite(ssd->stop)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: the experiment ends at t = %g s: give a later time", ssd->file,
                     ssd->stop);
  if (!isnan(ssd->macro_step) && !(ssd->macro_step > 0 && isfinite(ssd->macro_step)))
    return seam_fail(d->error, SEAM_BAD_INPUT, "%s: macroStep is %g: give a positive number of seconds", ssd->file,
                     ssd->macro_step);
  return SEAM_OK;
}

/* Returns the macro step given by the system, or the shortest stepSize, at most the run; 0: none. */
static double said_step(const system_draft *d) {
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

static double assumed_step(const system_draft *d) {
  if (said_step(d) > 0)
    return 0;
  return isnan(d->ssd->stop) ? models_macro_step : duration(d->ssd) / models_steps_of_run;
}

/* ---- The text ---------------------------------------------------------------------------------------------------- */

static void write_value(FILE *to, const ssd_value *value, double number) {
  if (value->type == FMI_STRING)
    json_quote(to, value->text);
  else if (value->type == FMI_BOOLEAN)
    fputs(number != 0 ? "true" : "false", to);
  else
    json_write_number(to, number);
}

/* Writes parameters, or inputs at the start. */
static void write_values(FILE *to, const system_component *of, const char *key, bool of_inputs) {
  const char *separator = "";
  fprintf(to, ", %s: {", key);
  for (size_t v = 0; v < of->about->n_variables; v++)
    if (of->values[v] != NULL && (of->about->variables[v].causality == FMI_INPUT) == of_inputs) {
      fputs(separator, to);
      fputs("\n      ", to);
      json_quote(to, of->about->variables[v].name);
      fputs(": ", to);
      write_value(to, of->values[v], of->numbers[v]);
      separator = ",";
    }
  fputc('}', to);
}

static void write_components(FILE *to, const system_draft *d) {
  const char *slash = strrchr(d->path, '/');
  arena scratch = {0};
  for (size_t c = 0; c < d->ssd->n_components; c++) {
    const ssd_component *of = &d->ssd->components[c];
    const char *entry = ssd_entry(&scratch, of->source);
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", slash != NULL ? slash + 1 : d->path, entry != NULL ? entry : "");
    fprintf(to, "    %s: {fmu: ", d->components[c].name);
    json_quote(to, path);
    write_values(to, &d->components[c], "parameters", false);
    write_values(to, &d->components[c], "inputs", true);
    if (start_of(d->ssd) != 0) {
      fputs(", start: ", to);
      json_write_number(to, start_of(d->ssd));
    }
    fputs("}\n", to);
  }
  arena_release(&scratch);
}

static void write_end(FILE *to, const system_draft *d, const char *key, size_t component, size_t variable) {
  char name[2048];
  snprintf(name, sizeof name, "%s.%s", d->components[component].name,
           d->components[component].about->variables[variable].name);
  fprintf(to, "%s: ", key);
  json_quote(to, name);
}

static void write_links(FILE *to, const system_draft *d) {
  if (d->n_links > 0)
    fputs("  signals:\n", to);
  for (size_t i = 0; i < d->n_links; i++) {
    const system_link *link = &d->links[i];
    fputs("    - {", to);
    write_end(to, d, "from", link->from, link->output);
    write_end(to, d, ", to", link->to, link->input);
    fputs(", gain: ", to);
    json_write_number(to, link->gain);
    fputs(", offset: ", to);
    json_write_number(to, link->offset);
    fprintf(to, ", order: %u}\n", link->order);
  }
}

static seam_status write_model(const system_draft *d, char **text) {
  size_t size = 0;
  FILE *to = memory_stream_open(text, &size);
  if (to == NULL)
    return no_memory(d);
  fputs(assumed_step(d) > 0 ? SYSTEM_ASSUMES_STEP : "", to);
  fputs("seam: 1\n", to);
  if (!isnan(d->ssd->stop)) {
    fputs("simulate: {end: ", to);
    json_write_number(to, duration(d->ssd));
    fputs("}\n", to);
  }
  fputs("cosim:\n  macro_step: ", to);
  json_write_number(to, fmax(said_step(d), assumed_step(d)));
  fputs("\n  subsystems:\n", to);
  write_components(to, d);
  write_links(to, d);
  const bool failed = ferror(to) != 0;
  if (fclose(to) == 0 && !failed)
    return SEAM_OK;
  free(*text);
  *text = NULL;
  return no_memory(d);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static seam_status make(system_draft *d, char **text) {
  seam_status status = ssd_open(d->path, &d->ssd, d->error);
  THEN(status, check_times(d));
  THEN(status, open_components(d));
  THEN(status, system_take_values(d));
  THEN(status, system_connect(d));
  if (status == SEAM_OK && start_of(d->ssd) != 0)
    seam_note("%s: the experiment begins at %.9g s, where t = 0 of the results is", d->ssd->file, d->ssd->start);
  return status == SEAM_OK ? write_model(d, text) : status;
}

bool seam_is_system(const char *path) {
  const char *ending = path != NULL ? strrchr(path, '.') : NULL;
  return ending != NULL && strcmp(ending, ".ssp") == 0;
}

seam_status seam_system_model(const char *path, char **text, seam_error *error) {
  ARGUMENTS(error, path, text);
  system_draft d = {.path = path, .error = error};
  const seam_status status = make(&d, text);
  for (size_t c = 0; d.components != NULL && c < d.ssd->n_components; c++)
    fmi_fmu_close(d.components[c].fmu);
  ssd_close(d.ssd);
  arena_release(&d.memory);
  return status;
}
