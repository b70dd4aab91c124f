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

static const char *scheme_of(const report_run *run) { return run_results_scheme(&run->results); }

/* Sets the names of the runs. After the name of a run that did not succeed follows a mark. */
static seam_status name_runs(report *self, seam_error *error) {
  for (size_t i = 0; i < self->n_runs; i++) {
    report_run *run = &self->runs[i];
    size_t n_same = 0;
    for (size_t k = 0; k < self->n_runs; k++)
      n_same += strcmp(scheme_of(&self->runs[k]), scheme_of(run)) == 0;
    const char *mark = run_results_mark(&run->results);
    const size_t size = strlen(scheme_of(run)) + strlen(run->folder) + strlen(mark) + 6;
    free(run->name);
    run->name = malloc(size);
    if (run->name == NULL)
      return out_of_memory(error);
    snprintf(run->name, size, "%s%s%s", scheme_of(run), n_same > 1 ? ", " : "", n_same > 1 ? run->folder : "");
    run->name_length = strlen(run->name);
    if (*mark != '\0')
      sprintf(run->name + run->name_length, " (%s)", mark);
  }
  return SEAM_OK;
}

static const char *asset(const char *name) {
  for (size_t i = 0; i < assets_size; i++)
    if (strcmp(assets_rows[i].name, name) == 0)
      return (const char *)assets_rows[i].text;
  return "";
}

static void write_title(FILE *file, const void *context) {
  const report *from = context;
  const char *name = from->n_runs > 0 ? run_results_model(&from->runs[0].results) : NULL;
  if (name == NULL)
    name = from->model_path != NULL ? from->model_path : "Studies";
  markup_text(file, name);
}

static void write_lead(FILE *file, const void *context) {
  const report *from = context;
  if (from->n_runs == 0)
    return;
  const size_t bodies = mbs_n_bodies(from->runs[0].model);
  const size_t joints = mbs_n_joints(from->runs[0].model);
  const size_t forces = mbs_n_forces(from->runs[0].model);
  fprintf(file, "%zu %s, %zu %s, %zu %s", bodies, bodies == 1 ? "body" : "bodies", joints,
          joints == 1 ? "joint" : "joints", forces, forces == 1 ? "force element" : "force elements");
}

static void write_navigation(FILE *file, const void *context) {
  const report *from = context;
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

static void write_verdicts(FILE *file, const void *context) { report_write_verdicts(file, context); }
static void write_runs(FILE *file, const void *context) { report_write_runs(file, context); }
static void write_pictures(FILE *file, const void *context) { report_write_pictures(file, context); }
static void write_studies(FILE *file, const void *context) { report_write_studies(file, context); }
static void write_equations(FILE *file, const void *context) { report_write_equations(file, context); }

static void write_data(FILE *file, const void *context) {
  const report *from = context;
  markup_json(file, from->data, from->n_data);
}

/* Writes the effective model of run i, unless an earlier run has the same model. */
static void write_effective_model(FILE *file, const report *from, size_t i) {
  size_t length = 0;
  const char *json = run_results_model_json(&from->runs[i].results, &length);
  for (size_t k = 0; k < i; k++) {
    size_t n = 0;
    const char *other = run_results_model_json(&from->runs[k].results, &n);
    if (n == length && memcmp(other, json, n) == 0)
      return;
  }
  markup_print(file, "<details><summary>As it was run: overrides applied, numbers evaluated (%s)</summary><pre>",
               from->runs[i].name);
  markup_bytes(file, json, length);
  fputs("</pre></details>\n", file);
}

static void write_models(FILE *file, const void *context) {
  const report *from = context;
  if (from->model_text == NULL && from->n_runs == 0)
    return;
  fputs("<section id=\"model\" aria-labelledby=\"model-title\">\n<h2 id=\"model-title\">Model file</h2>\n", file);
  if (from->model_text != NULL)
    markup_print(file, "<pre tabindex=\"0\">%s</pre>\n", from->model_text);
  for (size_t i = 0; i < from->n_runs; i++)
    write_effective_model(file, from, i);
  fputs("</section>\n", file);
}

static void write_origin(FILE *file, const void *context) {
  const report *from = context;
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
    markup_print(file, "<dt>%s</dt><dd>by Seam %s, results in %s</dd>\n", from->runs[i].name,
                 version != NULL ? version : "of unknown version", from->runs[i].folder);
  }
  if (from->n_runs > 0)
    fputs("<dt>Precision</dt><dd>Plots and values under the cursor have single precision, seven digits; between rows "
          "they "
          "are interpolated. All digits are in the tables of the results.</dd>\n",
          file);
  fputs("</dl>\n</section>\n", file);
}

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

static seam_status make_data(report *from, seam_error *error) {
  FILE *stream = memory_stream_open(&from->data, &from->n_data);
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
  const bool is_complete = !ferror(stream);
  return fclose(stream) == 0 && is_complete && from->data != NULL ? status : out_of_memory(error);
}

/* Chooses the nonce of the page. Scripts without it do not run ([CSP] 2.3), even if the data contain text that is not
 * escaped. False: there are no random numbers. */
static bool choose_nonce(char nonce[33]) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (size_t i = 0; i < sizeof bytes; i++)
    sprintf(nonce + 2 * i, "%02x", bytes[i]);
  return true;
}

seam_status report_write(report *self, const char *path, seam_error *error) {
  char nonce[33];
  const markup_slot slots[] = {{"title", write_title, NULL},
                               {"nonce", NULL, nonce},
                               {"lead", write_lead, NULL},
                               {"navigation", write_navigation, NULL},
                               {"dygraph_style", NULL, asset("dygraph.min.css")},
                               {"style", NULL, asset("report.css")},
                               {"verdicts", write_verdicts, NULL},
                               {"runs", write_runs, NULL},
                               {"pictures", write_pictures, NULL},
                               {"stage", NULL, self->n_runs > 0 ? asset("stage.html") : ""},
                               {"studies", write_studies, NULL},
                               {"equations", write_equations, NULL},
                               {"models", write_models, NULL},
                               {"origin", write_origin, NULL},
                               {"version", NULL, seam_version()},
                               {"licence", write_licence, NULL},
                               {"data", write_data, NULL},
                               {"dygraph", NULL, asset("dygraph.min.js")},
                               {"script", write_script, NULL}};
  app_replacement out;
  seam_status status = name_runs(self, error);
  THEN(status, make_data(self, error));
  if (status == SEAM_OK && !choose_nonce(nonce))
    status = output_failed(path, error);
  THEN(status, output_replace(path, &out, error));
  if (status == SEAM_OK) {
    markup_fill(out.file, asset("report.html"), slots, sizeof slots / sizeof *slots, self);
    status = output_commit(&out, error);
  }
  free(self->data);
  self->data = NULL;
  return status;
}
