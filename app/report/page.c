/* Writes the page: a template whose slots are filled with styles, scripts, texts and data. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "app/failure.h"
#include "app/report/assets.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "app/results/output.h"
#include "app/results/run_events.h"
#include "base/memory_stream.h"
#include "base/then.h"

typedef struct page {
  const report *from;
  char *data;
  size_t n_data;
  char nonce[33]; /* random text; only scripts that contain it run */
} page;

/* ---- Names of runs ---- */

static const char *scheme_of(const report_run *run) { return run_results_scheme(&run->results); }

static bool is_unique(const report *from, const report_run *run) {
  size_t n = 0;
  for (size_t i = 0; i < from->n_runs; i++)
    n += strcmp(scheme_of(&from->runs[i]), scheme_of(run)) == 0;
  return n == 1;
}

/* Sets the names of the runs. After the name of a run that did not succeed follows a mark. */
static seam_status name_runs(report *self, seam_error *error) {
  for (size_t i = 0; i < self->n_runs; i++) {
    report_run *run = &self->runs[i];
    const bool is_alone = is_unique(self, run);
    const char *mark = run_results_mark(&run->results);
    const size_t size = strlen(scheme_of(run)) + strlen(run->folder) + strlen(mark) + 6;
    free(run->name);
    run->name = malloc(size);
    if (run->name == NULL)
      return out_of_memory(error);
    snprintf(run->name, size, "%s%s%s", scheme_of(run), is_alone ? "" : ", ", is_alone ? "" : run->folder);
    run->name_length = strlen(run->name);
    if (*mark != '\0')
      sprintf(run->name + run->name_length, " (%s)", mark);
  }
  return SEAM_OK;
}

/* ---- Texts ---- */

static const char *asset(const char *name) {
  for (size_t i = 0; i < assets_size; i++)
    if (strcmp(assets_rows[i].name, name) == 0)
      return (const char *)assets_rows[i].text;
  return "";
}

static const report *report_of(const void *context) { return ((const page *)context)->from; }

static void write_title(FILE *file, const void *context) {
  const report *from = report_of(context);
  const char *name = from->n_runs > 0 ? run_results_model(&from->runs[0].results) : NULL;
  if (name == NULL)
    name = from->model_path != NULL ? from->model_path : "Studies";
  markup_text(file, name);
}

static void write_count(FILE *file, size_t n, const char *one, const char *many) {
  fprintf(file, "%zu %s", n, n == 1 ? one : many);
}

static void write_lead(FILE *file, const void *context) {
  const report *from = report_of(context);
  if (from->n_runs == 0)
    return;
  const mbs_model *model = from->runs[0].model;
  write_count(file, mbs_n_bodies(model), "body", "bodies");
  fputs(", ", file);
  write_count(file, mbs_n_joints(model), "joint", "joints");
  fputs(", ", file);
  write_count(file, mbs_n_forces(model), "force element", "force elements");
}

static void write_navigation(FILE *file, const void *context) {
  const report *from = report_of(context);
  if (from->n_runs > 0)
    fputs("<a href=\"#motion\">Motion</a> <a href=\"#plots\">Plots</a> ", file);
  if (from->n_studies > 0)
    fputs("<a href=\"#studies\">Studies</a> ", file);
  if (from->n_runs > 0)
    fputs("<a href=\"#runs\">Runs</a> ", file);
  if (report_has_equations(from))
    fputs("<a href=\"#equations\">Equations</a> ", file);
  fputs("<a href=\"#model\">Model</a> <a href=\"#origin\">Repeat</a>", file);
}

static void write_style(FILE *file, const void *context) {
  (void)context;
  fputs(asset("report.css"), file);
}

static void write_dygraph_style(FILE *file, const void *context) {
  (void)context;
  fputs(asset("dygraph.min.css"), file);
}

static void write_dygraph(FILE *file, const void *context) {
  (void)context;
  fputs(asset("dygraph.min.js"), file);
}

static void write_licence(FILE *file, const void *context) {
  (void)context;
  markup_text(file, asset("copyright"));
}

static void write_script(FILE *file, const void *context) {
  static const char *const parts[] = {"data.js", "mechanism.js", "energies.js", "plots.js", "player.js", "report.js"};
  (void)context;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    fputs(asset(parts[i]), file);
}

static void write_stage(FILE *file, const void *context) {
  if (report_of(context)->n_runs > 0)
    fputs(asset("stage.html"), file);
}

static void write_verdicts(FILE *file, const void *context) { report_write_verdicts(file, report_of(context)); }
static void write_runs(FILE *file, const void *context) { report_write_runs(file, report_of(context)); }
static void write_pictures(FILE *file, const void *context) { report_write_pictures(file, report_of(context)); }
static void write_studies(FILE *file, const void *context) { report_write_studies(file, report_of(context)); }

static void write_equations(FILE *file, const void *context) { report_write_equations(file, report_of(context)); }

static void write_data(FILE *file, const void *context) {
  const page *self = context;
  markup_json(file, self->data, self->n_data);
}

static void write_version(FILE *file, const void *context) {
  (void)context;
  markup_text(file, seam_version());
}

/* ---- The model ---- */

static bool has_same_model(const report_run *a, const report_run *b) {
  size_t n = 0;
  size_t m = 0;
  const char *first = run_results_model_json(&a->results, &n);
  const char *second = run_results_model_json(&b->results, &m);
  return n == m && memcmp(first, second, n) == 0;
}

static void write_effective_model(FILE *file, const report *from, size_t i) {
  size_t length = 0;
  const char *json = run_results_model_json(&from->runs[i].results, &length);
  for (size_t k = 0; k < i; k++)
    if (has_same_model(&from->runs[k], &from->runs[i]))
      return;
  fputs("<details><summary>As it was run: overrides applied, numbers evaluated (", file);
  markup_text(file, from->runs[i].name);
  fputs(")</summary><pre>", file);
  markup_bytes(file, json, length);
  fputs("</pre></details>\n", file);
}

static void write_models(FILE *file, const void *context) {
  const report *from = report_of(context);
  if (from->model_text == NULL && from->n_runs == 0)
    return;
  fputs("<section id=\"model\" aria-labelledby=\"model-title\">\n<h2 id=\"model-title\">Model file</h2>\n", file);
  if (from->model_text != NULL) {
    fputs("<pre tabindex=\"0\">", file);
    markup_text(file, from->model_text);
    fputs("</pre>\n", file);
  }
  for (size_t i = 0; i < from->n_runs; i++)
    write_effective_model(file, from, i);
  fputs("</section>\n", file);
}

/* ---- How to repeat it ---- */

static void write_origin(FILE *file, const void *context) {
  const report *from = report_of(context);
  fputs("<section id=\"origin\" aria-labelledby=\"origin-title\">\n<h2 id=\"origin-title\">To repeat "
        "this</h2>\n<pre>seam",
        file);
  for (int i = 0; i < from->options->n_arguments; i++) {
    fputc(' ', file);
    markup_argument(file, from->options->arguments[i]);
  }
  fputs("</pre>\n<dl class=\"facts\">\n", file);
  for (size_t i = 0; i < from->n_runs; i++) {
    const char *version = json_text(json_get(from->runs[i].results.summary, "versions"), "seam");
    fputs("<dt>", file);
    markup_text(file, from->runs[i].name);
    fputs("</dt><dd>by Seam ", file);
    markup_text(file, version != NULL ? version : "of unknown version");
    fputs(", results in ", file);
    markup_text(file, from->runs[i].folder);
    fputs("</dd>\n", file);
  }
  if (from->n_runs > 0)
    fputs("<dt>Precision</dt><dd>Plots and values under the cursor have single precision, seven digits; between rows "
          "they "
          "are interpolated. All digits are in the tables of the results.</dd>\n",
          file);
  fputs("</dl>\n</section>\n", file);
}

/* ---- Data ---- */

static seam_status write_events(json_writer *json, const report_run *run, seam_error *error) {
  run_events events = {0};
  const seam_status status = run_events_read(&run->results, &events, error);
  json_open(json, "events", '[');
  for (size_t i = 0; i < events.n && status == SEAM_OK; i++) {
    json_open(json, NULL, '{');
    json_string(json, "name", events.list[i].name);
    json_number(json, "time", events.list[i].time);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_number(json, "eventsLeftOut", (double)events.n_left_out);
  run_events_free(&events);
  return status;
}

static seam_status write_run(json_writer *json, const report *from, const report_run *run, seam_error *error) {
  json_open(json, NULL, '{');
  json_string(json, "name", run->name);
  json_string(json, "status", run->status);
  json_raw(json, "isWhole", run == &from->runs[from->monolithic] ? "true" : "false");
  json_number(json, "end", run->end);
  seam_status status = write_events(json, run, error);
  THEN(status, motion_write(json, from, run, error));
  THEN(status, columns_write(json, from, run, error));
  json_close(json, '}');
  return status;
}

static seam_status make_data(const report *from, char **text, size_t *size, seam_error *error) {
  FILE *stream = memory_stream_open(text, size);
  if (stream == NULL)
    return out_of_memory(error);
  json_writer json = {.file = stream};
  seam_status status = SEAM_OK;
  json_open(&json, NULL, '{');
  json_open(&json, "runs", '[');
  for (size_t i = 0; i < from->n_runs && status == SEAM_OK; i++)
    status = write_run(&json, from, &from->runs[i], error);
  json_close(&json, ']');
  json_close(&json, '}');
  const bool is_monolithic = !ferror(stream);
  return fclose(stream) == 0 && is_monolithic && *text != NULL ? status : out_of_memory(error);
}

/* ---- The file ---- */

/* Chooses the nonce of the page. Scripts without it do not run ([CSP] 2.3), even if the data contain text that is not
 * escaped. False: there are no random numbers. */
static bool choose_nonce(page *result) {
  unsigned char bytes[(sizeof result->nonce - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (size_t i = 0; i < sizeof bytes; i++)
    sprintf(result->nonce + 2 * i, "%02x", bytes[i]);
  return true;
}

static void write_nonce(FILE *file, const void *context) { fputs(((const page *)context)->nonce, file); }

seam_status report_write(report *self, const char *path, seam_error *error) {
  static const markup_slot slots[] = {{"title", write_title},
                                      {"nonce", write_nonce},
                                      {"lead", write_lead},
                                      {"navigation", write_navigation},
                                      {"dygraph_style", write_dygraph_style},
                                      {"style", write_style},
                                      {"verdicts", write_verdicts},
                                      {"runs", write_runs},
                                      {"pictures", write_pictures},
                                      {"stage", write_stage},
                                      {"studies", write_studies},
                                      {"equations", write_equations},
                                      {"models", write_models},
                                      {"origin", write_origin},
                                      {"version", write_version},
                                      {"licence", write_licence},
                                      {"data", write_data},
                                      {"dygraph", write_dygraph},
                                      {"script", write_script}};
  page result = {.from = self};
  app_replacement out;
  seam_status status = name_runs(self, error);
  THEN(status, make_data(self, &result.data, &result.n_data, error));
  if (status == SEAM_OK && !choose_nonce(&result))
    status = output_failed(path, error);
  THEN(status, output_replace(path, &out, error));
  if (status == SEAM_OK) {
    markup_fill(out.file, asset("report.html"), slots, sizeof slots / sizeof *slots, &result);
    status = output_commit(&out, error);
  }
  free(result.data);
  return status;
}
