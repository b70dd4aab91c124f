#include "app/sweep/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "app/results/run_lines.h"
#include "app/schemes.h"
#include "base/checksum.h"
#include "base/memory_stream.h"
#include "base/then.h"

/* ---- The design ---- */

#define NAME(code, name) #name,
const char *const sweep_sampling_names[] = {SEAM_SAMPLING_TABLE(NAME)};
#undef NAME

static seam_status read_count(const app_options *parsed, const char *option, uint64_t *number, seam_error *error) {
  const char *text = options_value(parsed, option);
  char *end = NULL;
  if (text == NULL)
    return SEAM_OK;
  errno = 0;
  *number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: %s must be a whole number, but is '%s'", option, text);
  return SEAM_OK;
}

static seam_status make_design(sweep_plan *self, const app_options *parsed, seam_error *error) {
  const char *text = options_value(parsed, "--sample");
  seam_design_options *sampling = &self->sampling;
  uint64_t count = 0;
  size_t n = 0;
  const char **variations = arena_allocate(&self->memory, (parsed->n_given + 1) * sizeof *variations);
  TRY(check_memory(variations != NULL, error));
  while ((variations[n] = options_nth(parsed, "--vary", n)) != NULL)
    n++;
  if (n == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: nothing varies; add --vary KEY=FROM:TO:N");
  while (text != NULL && sampling->sampling < SEAM_N_SAMPLINGS &&
         strcmp(text, sweep_sampling_names[sampling->sampling]) != 0)
    sampling->sampling++;
  if (sampling->sampling == SEAM_N_SAMPLINGS)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --sample must be grid, lhs or random, but is '%s'", text);
  TRY(read_count(parsed, "--count", &count, error));
  sampling->count = (size_t)count;
  TRY(read_count(parsed, "--seed", &sampling->seed, error));
  if (sampling->sampling == SEAM_GRID && options_flag(parsed, "--seed"))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --seed is for random values; add --sample lhs or --sample random");
  return schemes_prefix_option("--vary", seam_design_create(variations, n, sampling, &self->design, error), error);
}

/* ---- Measured figures ---- */

static seam_status add_figure(sweep_plan *self, const char *name, seam_error *error) {
  const char *dot = strrchr(name, '.');
  const char *ending = dot != NULL ? dot + 1 : "";
  int statistic = 0;
  mbs_quantity found;
  while (statistic < SWEEP_LAST && strcmp(ending, seam_statistic_name((seam_statistic)statistic)) != 0)
    statistic++;
  if (statistic == SWEEP_LAST && strcmp(ending, "last") != 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "--measure: error: '%s' does not end with a statistic; write NAME.min, .max, .mean, .integral, .rms or .last",
        name);
  const char *copy = arena_text(&self->memory, name, strlen(name));
  const char *quantity = arena_text(&self->memory, name, (size_t)(dot - name));
  TRY(check_memory(copy != NULL && quantity != NULL, error));
  for (size_t i = 0; i < self->n_figures; i++)
    if (strcmp(self->figures[i].name, name) == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "--measure: error: '%s' is measured twice; name it once", name);
  TRY(schemes_prefix_option("--measure", mbs_find_quantity(self->base.model, quantity, &found, error), error));
  size_t index = 0;
  while (index < self->n_quantities && strcmp(self->quantities[index], quantity) != 0)
    index++;
  if (index == self->n_quantities)
    self->quantities[self->n_quantities++] = quantity;
  self->figures[self->n_figures++] = (sweep_figure){copy, index, statistic, self->status};
  self->status += statistic == SWEEP_LAST ? 1 : 2;
  return SEAM_OK;
}

/* Adds the figures of --measure or, without it, of the key `over_run` of the file. */
static seam_status choose_figures(sweep_plan *self, const app_options *parsed, seam_error *error) {
  const seam_model_file *file = self->base.file;
  const size_t n_requested = seam_asked_quantities(file, NULL) * SEAM_N_STATISTICS;
  size_t n = 0;
  while (options_nth(parsed, "--measure", n) != NULL)
    n++;
  mbs_quantity *requested = arena_allocate(&self->memory, (n_requested + 1) * sizeof *requested);
  self->figures = arena_allocate(&self->memory, (n + n_requested + 1) * sizeof *self->figures);
  self->quantities = arena_allocate(&self->memory, (n + n_requested + 1) * sizeof *self->quantities);
  TRY(check_memory(requested != NULL && self->figures != NULL && self->quantities != NULL, error));
  self->status = SWEEP_VARIED + seam_design_n_varied(self->design);
  for (size_t i = 0; i < n; i++)
    TRY(add_figure(self, options_nth(parsed, "--measure", i), error));
  seam_asked_quantities(file, requested);
  for (size_t i = 0; i < n_requested && n == 0; i++) {
    const mbs_quantity quantity = requested[i / SEAM_N_STATISTICS];
    const seam_statistic statistic = (seam_statistic)(i % SEAM_N_STATISTICS);
    char name[512];
    if (!statistics_is_requested(file, quantity, statistic))
      continue;
    statistics_write_name(file, quantity, statistic, name, sizeof name);
    TRY(add_figure(self, name, error));
  }
  if (self->n_figures == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: nothing is measured; add --measure NAME.STATISTIC, or 'over_run' to a measure of the file");
  self->n_columns = self->status + 2;
  return SEAM_OK;
}

/* ---- Command lines: arguments, each with a terminating zero ---- */

static void add_argument(FILE *line, const char *option, const char *value) {
  fprintf(line, "%s%s%s%c", option, value != NULL ? "=" : "", value != NULL ? value : "", '\0');
}

/* Begins a command line: command, model, and options shared with 'seam run'. */
static void begin_line(FILE *line, const char *command, const sweep_plan *self, const app_options *parsed) {
  add_argument(line, command, NULL);
  add_argument(line, self->name, NULL);
  for (size_t i = 0; i < parsed->n_overrides; i++)
    add_argument(line, "--set", parsed->overrides[i]);
  if (options_flag(parsed, "--cosim"))
    add_argument(line, "--cosim", NULL);
  if (options_flag(parsed, "--scheme"))
    add_argument(line, "--scheme", options_value(parsed, "--scheme"));
}

/* Makes the options of all runs: those of 'seam run', one thread, and measured quantities as columns. */
static seam_status make_run_options(sweep_plan *self, const app_options *parsed, seam_error *error) {
  char *text = NULL;
  size_t size = 0;
  FILE *line = memory_stream_open(&text, &size);
  TRY(check_memory(line != NULL, error));
  begin_line(line, "run", self, parsed);
  if (options_flag(parsed, "--cosim"))
    add_argument(line, "--threads", "1");
  fputs("--columns=", line);
  for (size_t i = 0; i < self->n_quantities; i++)
    fprintf(line, "%s%s", i > 0 ? "," : "", self->quantities[i]);
  fputc('\0', line);
  TRY(check_memory(memory_stream_close(line, &text), error));
  const seam_status status = options_parse_line(run_command.options, text, size, &self->memory, &self->run, error);
  free(text);
  return status;
}

/* ---- Files that the runs read ---- */

/* Adds the bytes of a file to the checksum. A file that cannot be read adds nothing: runs that need it will fail. */
static void add_file(const char *path, uint64_t *sum) {
  char block[8192];
  size_t n = 0;
  FILE *file = path != NULL ? fopen(path, "rb") : NULL;
  while (file != NULL && (n = fread(block, 1, sizeof block, file)) > 0)
    *sum = checksum_add(*sum, block, n);
  if (file != NULL)
    fclose(file);
}

/* Adds the files that the model of a run names: data files, FMUs, and the results from which it starts. */
static seam_status add_files(const sweep_plan *self, size_t run, uint64_t *sum, seam_error *error) {
  app_setup setup = {0};
  seam_error cause = {0};
  const char *path = NULL;
  if (sweep_plan_read_model(self, run, &setup, &cause) != SEAM_OK) /* the check of the runs reports it */
    return cause.status == SEAM_NO_MEMORY ? out_of_memory(error) : SEAM_OK;
  for (size_t i = 0; (path = seam_model_data_file(setup.file, i)) != NULL; i++)
    add_file(path, sum);
  char *table = setup.from != NULL ? start_from_table(setup.from) : NULL;
  add_file(table, sum);
  free(table);
  setup_free(&setup);
  return SEAM_OK;
}

/* Adds the files of all runs. Only items of lists may name other files than the first run. */
static seam_status add_all_files(const sweep_plan *self, uint64_t *sum, seam_error *error) {
  const seam_design *design = self->design;
  TRY(add_files(self, 0, sum, error));
  for (size_t v = 0; v < seam_design_n_varied(design); v++) {
    const size_t n_items = *seam_design_given(design, v) == '[' ? seam_design_n_values(design, v) : 0;
    for (size_t item = 1; item <= n_items; item++) {
      size_t run = 0;
      while (run < seam_design_n_runs(design) && seam_design_value(design, run, v) != (double)item)
        run++;
      if (run > 0 && run < seam_design_n_runs(design))
        TRY(add_files(self, run, sum, error));
    }
  }
  return SEAM_OK;
}

/* ---- The header ---- */

/* Makes the header: version, checksum of the files that runs read, size of the command line, command line, model. */
static seam_status make_header(sweep_plan *self, const app_options *parsed, seam_error *error) {
  static const char *const options[] = {"--vary", "--sample", "--count", "--seed", "--measure"};
  uint64_t files = 0;
  char *text = NULL;
  char *header = NULL;
  size_t size = 0;
  FILE *line = memory_stream_open(&text, &size);
  TRY(check_memory(line != NULL, error));
  const seam_status status = add_all_files(self, &files, error);
  begin_line(line, "sweep", self, parsed);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    for (size_t k = 0; options_nth(parsed, options[i], k) != NULL; k++)
      add_argument(line, options[i], options_nth(parsed, options[i], k));
  FILE *stream =
      memory_stream_close(line, &text) && status == SEAM_OK ? memory_stream_open(&header, &self->header_size) : NULL;
  if (stream != NULL) {
    fprintf(stream, "%s%c%016" PRIx64 "%c%zu%c", seam_version(), '\0', files, '\0', size, '\0');
    fwrite(text, 1, size, stream);
    fwrite(self->text, 1, self->length, stream);
  }
  if (memory_stream_close(stream, &header))
    self->header = arena_text(&self->memory, header, self->header_size);
  free(text);
  free(header);
  return check_memory(self->header != NULL, error);
}

/* ---- The plan ---- */

static seam_status check_line(const sweep_plan *self, const app_options *parsed, seam_error *error) {
  if (options_flag(parsed, "--scheme") && !options_flag(parsed, "--cosim"))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --scheme is for co-simulated runs; add --cosim");
  for (size_t i = 0; i < seam_design_n_varied(self->design); i++) {
    const char *key = seam_design_key(self->design, i);
    const size_t length = strlen(key), n_end = strlen("scheme");
    bool is_set = options_flag(parsed, "--scheme") && length >= n_end && strcmp(key + length - n_end, "scheme") == 0;
    for (size_t k = 0; k < parsed->n_overrides; k++)
      is_set |= strncmp(parsed->overrides[k], key, length) == 0 && parsed->overrides[k][length] == '=';
    if (is_set)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%s' is varied and also set for all runs; leave one of the two out", key);
  }
  return SEAM_OK;
}

static seam_status make(sweep_plan *self, const app_options *parsed, seam_error *error) {
  TRY(make_design(self, parsed, error));
  TRY(check_line(self, parsed, error));
  TRY(setup_parse(self->name, self->text, self->length, (const char *const *)parsed->overrides, parsed->n_overrides,
                  &self->base, error));
  TRY(options_flag(parsed, "--cosim") ? setup_check_bodies(&self->base, error)
                                      : setup_use_monolithic(&self->base, false, error));
  seam_set_note_handler(NULL, NULL); /* the notes on the model were printed; its runs would repeat them */
  TRY(choose_figures(self, parsed, error));
  TRY(make_run_options(self, parsed, error));
  TRY(make_header(self, parsed, error));
  return SEAM_OK;
}

seam_status sweep_plan_make(const app_options *parsed, sweep_plan *result, seam_error *error) {
  *result = (sweep_plan){.name = parsed->operands[0]};
  char *text = NULL;
  TRY(setup_read_text(result->name, &text, error));
  result->length = strlen(text);
  result->text = arena_text(&result->memory, text, result->length);
  free(text);
  return result->text != NULL ? make(result, parsed, error) : out_of_memory(error);
}

/* Checks first that no text in the header is cut off. */
seam_status sweep_plan_make_from_header(const app_option *table, const char *header, size_t size, sweep_plan *result,
                                        seam_error *error) {
  *result = (sweep_plan){0};
  const char *end = header + size;
  const char *checksum = memchr(header, '\0', size);
  const char *length = checksum != NULL ? memchr(checksum + 1, '\0', (size_t)(end - checksum - 1)) : NULL;
  const char *at = length != NULL ? memchr(length + 1, '\0', (size_t)(end - length - 1)) : NULL;
  const size_t line_size = at != NULL ? (size_t)strtoull(length + 1, NULL, 10) : 0;
  if (at == NULL || strcmp(header, seam_version()) != 0 || line_size == 0 || line_size > (size_t)(end - at - 1) ||
      at[line_size] != '\0')
    return seam_fail(error, SEAM_BAD_STATE, "this is the journal of another version of Seam; run the sweep again");
  app_options parsed = {0};
  seam_status status = options_parse_line(table, at + 1, line_size, &result->memory, &parsed, error);
  result->length = (size_t)(end - at - 1) - line_size;
  result->text = arena_text(&result->memory, at + 1 + line_size, result->length);
  if (status == SEAM_OK && parsed.n_operands != 1)
    status = seam_fail(error, SEAM_BAD_STATE, "this is not the journal of a sweep; run the sweep again");
  if (status == SEAM_OK) {
    result->name = arena_text(&result->memory, parsed.operands[0], strlen(parsed.operands[0]));
    status = result->name != NULL && result->text != NULL ? make(result, &parsed, error) : out_of_memory(error);
  }
  options_free(&parsed);
  return status;
}

void sweep_plan_free(sweep_plan *self) {
  seam_design_destroy(self->design);
  options_free(&self->run);
  setup_free(&self->base);
  arena_release(&self->memory);
}

/* ---- Rows ---- */

seam_status sweep_plan_columns(const sweep_plan *self, seam_table **created, seam_error *error) {
  enum { UNIT = 64 };
  seam_column *columns = calloc(self->n_columns, sizeof *columns);
  char(*units)[UNIT] = calloc(self->n_figures, sizeof *units);
  const bool has_memory = columns != NULL && units != NULL;
  if (has_memory) {
    columns[SWEEP_RUN] = (seam_column){.element = "run", .meaning = "number of the run"};
    for (size_t i = 0; i < seam_design_n_varied(self->design); i++)
      columns[SWEEP_VARIED + i] = (seam_column){.element = seam_design_key(self->design, i), .meaning = "varied value"};
    for (size_t i = 0; i < self->n_figures; i++) {
      const sweep_figure *figure = &self->figures[i];
      static const char *const meanings[] = {
          "least value over the run", "largest value over the run",    "mean over the run",
          "integral over the run",    "root mean square over the run", "value at the end"};
      mbs_quantity found;
      mbs_find_quantity(self->base.model, self->quantities[figure->quantity], &found, NULL);
      const char *quantity_unit = mbs_quantity_of(self->base.model, found).unit;
      const char *seconds = figure->statistic != SEAM_INTEGRAL ? "" : *quantity_unit != '\0' ? "*s" : "s";
      snprintf(units[i], UNIT, "%s%s", quantity_unit, seconds);
      columns[figure->column] = (seam_column){.element = self->quantities[figure->quantity],
                                              .quantity = strrchr(figure->name, '.') + 1,
                                              .unit = units[i],
                                              .meaning = meanings[figure->statistic]};
      if (figure->statistic != SWEEP_LAST)
        columns[figure->column + 1] = (seam_column){
            .element = figure->name, .quantity = "uncertainty", .unit = units[i], .meaning = "what samples leave open"};
    }
    columns[self->status] = (seam_column){.element = "status", .meaning = "exit status of the run"};
    columns[self->status + 1] =
        (seam_column){.element = "imbalance", .unit = "J", .meaning = "largest energy imbalance"};
  }
  const seam_status status =
      has_memory ? seam_table_create(columns, self->n_columns, created, error) : out_of_memory(error);
  free(columns);
  free(units);
  return status;
}

seam_status sweep_plan_read_model(const sweep_plan *self, size_t run, app_setup *setup, seam_error *error) {
  arena memory = {0};
  const size_t n_common = self->run.n_overrides;
  const size_t n = n_common + seam_design_n_varied(self->design);
  const char **overrides = arena_allocate(&memory, n * sizeof *overrides);
  bool has_memory = overrides != NULL;
  for (size_t i = 0; i < n_common && has_memory; i++)
    overrides[i] = self->run.overrides[i];
  for (size_t i = n_common; i < n && has_memory; i++) {
    const size_t size = seam_design_override(self->design, run, i - n_common, NULL, 0) + 1;
    char *text = arena_allocate(&memory, size);
    has_memory = text != NULL;
    if (has_memory)
      seam_design_override(self->design, run, i - n_common, text, size);
    overrides[i] = text;
  }
  const seam_status status =
      has_memory ? setup_parse(self->name, self->text, self->length, overrides, n, setup, error) : out_of_memory(error);
  arena_release(&memory);
  return status;
}

void sweep_plan_name_run(const sweep_plan *self, size_t run, char *text, size_t size) {
  const size_t n_varied = seam_design_n_varied(self->design);
  size_t used = (size_t)snprintf(text, size, "run %zu of %zu (", run + 1, seam_design_n_runs(self->design));
  for (size_t i = 0; i < n_varied && used < size; i++) {
    used += seam_design_override(self->design, run, i, text + used, size - used);
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "%s", i + 1 < n_varied ? ", " : ")");
  }
}
