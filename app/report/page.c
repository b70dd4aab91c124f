/* Fills the slots of the page's template with styles, scripts, texts, tables and data. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "app/assets.h"
#include "app/failure.h"
#include "app/model_changes.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "app/results/output.h"
#include "base/then.h"

static void begin_section(FILE *file, const char *id, const char *title) {
  fprintf(file, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id, id, id, title);
}

/* Begins a table. Columns of numbers have a "#" before their title. */
static void begin_table(FILE *file, const char *attributes, const char *const titles[]) {
  fprintf(file, "<div class=\"scroll\"><table%s><thead><tr>", attributes);
  for (; *titles != NULL; titles++) {
    const bool has_numbers = **titles == '#';
    fprintf(file, "<th scope=\"col\"%s>%s</th>", has_numbers ? " class=\"number\"" : "", *titles + has_numbers);
  }
  fputs("</tr></thead><tbody>\n", file);
}

/* ---- Verdicts and runs ---- */

static bool is_done(const report_run *run) { return strcmp(run->status, "done") == 0; }

/* Returns the word of the verdict or, without one, the status of the run. */
static const char *verdict_word(const report_run *run) {
  const char *word = json_text(json_get(run->results.summary, "verdict"), "word");
  return word != NULL && *word != '\0' ? word : run->status;
}

/* Returns the CSS class of a run. Only accurate runs are green. */
static const char *css_class(const report_run *run) {
  return !is_done(run) ? "is-bad" : strcmp(verdict_word(run), "accurate") == 0 ? "is-good" : "is-open";
}

static void write_cell(FILE *file, double number, int digits, const char *otherwise) {
  fputs("<td class=\"number\">", file);
  if (isfinite(number))
    fprintf(file, "%.*g", digits, number);
  else
    fputs(otherwise, file);
  fputs("</td>", file);
}

/* Writes a row with a checked value (NaN: unknown) and its bound. */
static void write_figure(FILE *file, const char *what, double figure, double bound) {
  const bool is_within = fabs(figure) <= bound;
  fprintf(file, "<tr%s><th scope=\"row\">%s</th>", isnan(figure) || is_within ? "" : " class=\"is-bad\"", what);
  write_cell(file, figure, 3, "not finite");
  write_cell(file, bound, 3, "not finite");
  fprintf(file, "<td>%s</td></tr>\n", isnan(figure) ? "not checked" : is_within ? "holds" : "out of bounds");
}

static void write_figures(FILE *file, const report_run *run) {
  const json_node *verdict = json_get(run->results.summary, "verdict");
  const json_node *energy = json_get(verdict, "energy"), *constraints = json_get(verdict, "constraints");
  const char *text = json_text(verdict, "text");
  if (energy == NULL) {
    fputs("<p class=\"message\">Not judged: nothing in this run was checked, or a version before 0.3 made it.</p>\n",
          file);
    return;
  }
  if (text != NULL)
    markup_print(file, "<p class=\"message\">%s</p>\n", text);
  begin_table(file, "", (const char *const[]){"Checked", "#found", "#bound", "", NULL});
  write_figure(file, "error, of the travel", json_value(json_get(verdict, "error"), "of_travel"),
               json_value(json_get(verdict, "error"), "bound"));
  write_figure(file, "energy made or lost, J", json_value(energy, "made"), json_value(energy, "allowed"));
  write_figure(file, "constraints, m or rad", json_value(constraints, "g"), json_value(constraints, "g_bound"));
  write_figure(file, "their rates, m/s or rad/s", json_value(constraints, "gd"), json_value(constraints, "gd_bound"));
  fputs("</tbody></table></div>\n", file);
}

static void write_measures(FILE *file, const report_run *run) {
  const json_node *measure = json_first(json_get(run->results.summary, "measures"));
  if (measure == NULL)
    return;
  begin_table(file, "",
              (const char *const[]){"Over the run", "", "#value", "", "#at t / s", "#uncertainty", "#error", NULL});
  for (; measure != NULL; measure = measure->next)
    for (const json_node *figure = measure->first; figure != NULL; figure = figure->next)
      if (figure->kind == JSON_OBJECT) {
        const char *unit = json_text(measure, "unit");
        const bool is_integral = strcmp(figure->key, "integral") == 0;
        markup_print(file, "<tr><th scope=\"row\">%s</th><td>%s</td>", measure->key, figure->key);
        write_cell(file, json_value(figure, "value"), 6, "not finite");
        markup_print(file, "<td>%s%s</td>", unit != NULL ? unit : "",
                     is_integral && unit != NULL && *unit != '\0' ? " s" : "");
        write_cell(file, json_value(figure, "time"), 6, "");
        write_cell(file, json_value(figure, "uncertainty"), 2, "unknown");
        write_cell(file, json_value(figure, "error"), 2, "not checked");
        fputs("</tr>\n", file);
      }
  fputs("</tbody></table></div>\n", file);
}

static void write_run(FILE *file, const report_run *run) {
  const json_node *summary = run->results.summary;
  const json_node *verdict = json_get(summary, "verdict");
  const json_node *cosim = json_get(summary, "cosim");
  const json_node *statistics = json_get(summary, "statistics");
  const char *message = json_text(verdict, "message");
  markup_print(file, "<article class=\"card %s\"><header><h3>%s</h3><span class=\"badge\">%s</span></header>\n",
               css_class(run), run->name, verdict_word(run));
  if (!is_done(run))
    markup_print(file, "<p class=\"message\">%s</p>\n",
                 message != NULL && *message != '\0' ? message : "It did not end as it should.");
  markup_print(file, "<p>%s", run->folder);
  fprintf(file, ": %.0f rows to <span class=\"nowrap\">t = %.9g s</span>; ", json_value(verdict, "rows"),
          json_value(verdict, "time"));
  if (cosim != NULL)
    fprintf(file, "%.0f macro steps of %.4g s on average, ", json_value(cosim, "macro_steps"),
            json_value(cosim, "mean"));
  fprintf(file, "%.0f steps, %.3g s of processor time.</p>\n", json_value(statistics, "steps"),
          json_value(statistics, "cpu_s"));
  write_figures(file, run);
  write_measures(file, run);
  const char *reactions = json_text(cosim, "reactions_between_macro_points");
  const char *redundant = json_text(json_get(summary, "mechanism"), "reactions");
  if (reactions != NULL)
    markup_print(file, "<p class=\"unchecked\">Accelerations and reactions between macro points: %s.</p>\n", reactions);
  if (redundant != NULL && strcmp(redundant, "unique") != 0)
    fputs("<p class=\"unchecked\">The motion does not determine all reactions: they are those of least norm.</p>\n",
          file);
  if (run->trajectory != SEAM_NONE && run->poses == NULL)
    fputs("<p class=\"unchecked\">No animation: the trajectory has not all poses of the bodies; "
          "&#39;seam run --columns all&#39; writes them.</p>\n",
          file);
  fputs("<details><summary>Command</summary><pre>seam", file);
  for (const json_node *at = json_first(json_get(summary, "arguments")); at != NULL; at = at->next)
    if (at->text != NULL) {
      fputc(' ', file);
      markup_argument(file, at->text);
    }
  fputs("</pre></details>\n</article>\n", file);
}

/* Writes cells: largest error over the travel of its quantity; quantity, value and time; reference; CPU time. */
static void write_error(FILE *file, const report_run *run) {
  const json_node *verdict = json_get(run->results.summary, "verdict");
  const json_node *error = json_get(verdict, "error");
  const char *quantity = json_text(error, "quantity"), *by = json_text(error, "by");
  const double share = json_value(error, "of_travel");
  if (isfinite(share) && quantity != NULL && by != NULL) {
    fprintf(file, "<td class=\"number\">%.2g&nbsp;%%</td><td>", 100 * share);
    markup_text(file, quantity);
    fprintf(file, ", %.2g ", json_value(error, "value"));
    markup_text(file, json_text(error, "unit") != NULL ? json_text(error, "unit") : "");
    fprintf(file, " at t = %.4g s</td><td>", json_value(error, "time"));
    markup_text(file, by);
  } else {
    const char *why = json_text(error, "why");
    markup_print(file, "<td class=\"number\">\xe2\x80\x93</td><td>%s</td><td>", why != NULL ? why : "");
  }
  fputs("</td>", file);
  write_cell(file, json_value(json_get(run->results.summary, "statistics"), "cpu_s"), 3, "not finite");
}

static void write_verdicts(FILE *file, const void *context) {
  const report *from = context;
  bool all_done = true;
  if (from->n_runs == 0)
    return;
  begin_table(
      file, " id=\"verdicts\"",
      (const char *const[]){"Run", "verdict", "#error, of the travel", "largest at", "beside", "#CPU, s", NULL});
  for (size_t i = 0; i < from->n_runs; i++) {
    const report_run *run = &from->runs[i];
    all_done &= is_done(run);
    fprintf(file, "<tr class=\"%s\"><th scope=\"row\"><a href=\"#runs\">", css_class(run));
    markup_bytes(file, run->name, run->name_length);
    markup_print(file, "</a></th><td><span class=\"badge\">%s</span></td>", verdict_word(run));
    write_error(file, run);
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
  if (!all_done)
    fputs("<p class=\"banner\"><strong>Not all of these numbers can be relied on:</strong> <a href=\"#runs\">a run</a> "
          "is wrong or did not end, and says why.</p>\n",
          file);
}

static void write_runs(FILE *file, const void *context) {
  const report *from = context;
  if (from->n_runs == 0)
    return;
  begin_section(file, "runs", "Runs, and what was checked");
  fputs("<div class=\"cards\">\n", file);
  for (size_t i = 0; i < from->n_runs; i++)
    write_run(file, &from->runs[i]);
  fputs("</div>\n</section>\n", file);
}

/* ---- Tables of compare, converge and stability, and their pictures ---- */

enum { MAX_OPEN_ROWS = 40, MAX_STUDY_ROWS = 2000 };

static const struct {
  const char *file, *title, *caption, *picture; /* picture: file name; NULL: none */
} known[] = {
    {"compare.csv", "Comparison",
     "Each scheme beside the monolithic run: normalised root mean square errors over all macro points, the largest "
     "residuals of cut joints, drift of energy, cost.",
     NULL},
    {"errors.csv", "Errors of each column", "Normalised root mean square error and largest error.", NULL},
    {"converge.csv", "Convergence", "Errors over the macro step, against the monolithic run.", "converge.svg"},
    {"orders.csv", "Orders", "In which the errors fall: slopes by least squares, with half widths of 95 % confidence.",
     NULL},
    {"stability.csv", "Stability", "Spectral radius of the linearised co-simulation over the macro step.",
     "stability.svg"},
};
enum { N_KNOWN = sizeof known / sizeof *known };

const char *report_study_file(size_t i) { return i < N_KNOWN ? known[i].file : NULL; }

static bool is_number(const char *field, double *number) {
  char *end = NULL;
  *number = strtod(field, &end);
  return end != field && *end == '\0';
}

/* Returns a mask: bit i is set if column i < 64 has a number below the head. */
static uint64_t find_numbers(const csv_table *table) {
  uint64_t found = 0;
  double number = 0;
  for (size_t row = 1; row < table->n_rows; row++)
    for (size_t column = 0; column < table->n_columns && column < 64; column++) {
      const char *cell = table->cells[row * table->n_columns + column];
      if (cell != NULL && is_number(cell, &number))
        found |= UINT64_C(1) << column;
    }
  return found;
}

static bool has_numbers(uint64_t numbers, size_t column) { return column < 64 && (numbers >> column & 1) != 0; }

static void write_head(FILE *file, const csv_table *table, uint64_t numbers) {
  fputs("<thead><tr>", file);
  for (size_t column = 0; column < table->n_columns && table->cells[column] != NULL; column++) {
    for (char *c = table->cells[column]; *c != '\0'; c++)
      *c = *c == '_' ? ' ' : *c;
    markup_print(
        file, has_numbers(numbers, column) ? "<th scope=\"col\" class=\"number\">%s</th>" : "<th scope=\"col\">%s</th>",
        table->cells[column]);
  }
  fputs("</tr></thead><tbody>\n", file);
}

static bool is_good(const char *verdict) {
  static const char *const words[] = {"accurate", "rough", "stable", "undecided"};
  bool found = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    found = found || strcmp(verdict, words[i]) == 0;
  return found;
}

/* Marks rows whose verdict is bad. */
static void write_table(FILE *file, const report_study *study) {
  const csv_table *table = &study->table;
  const size_t verdict = csv_table_find(table, "verdict");
  const uint64_t numbers = find_numbers(table);
  markup_print(file, "<div class=\"scroll\"><table><caption>%s As in %s when this page was written.",
               known[study->kind].caption, study->path);
  if (table->n_rows > MAX_STUDY_ROWS + 1)
    fprintf(file, " The first %d of %zu rows.", MAX_STUDY_ROWS, table->n_rows - 1);
  fputs("</caption>", file);
  if (table->n_rows > 0)
    write_head(file, table, numbers);
  for (size_t row = 1; row < table->n_rows && row <= MAX_STUDY_ROWS; row++) {
    char **cells = table->cells + row * table->n_columns;
    const char *word = verdict != SEAM_NONE ? cells[verdict] : NULL;
    const bool is_bad = word != NULL && !is_good(word);
    fputs(is_bad ? "<tr class=\"is-bad\">" : "<tr>", file);
    for (size_t column = 0; column < table->n_columns && cells[column] != NULL; column++) {
      double number = 0;
      fputs(has_numbers(numbers, column) ? "<td class=\"number\">" : "<td>", file);
      if (is_number(cells[column], &number) && isfinite(number))
        fprintf(file, "%.4g", number);
      else
        markup_text(file, *cells[column] != '\0' ? cells[column] : "\xe2\x80\x93");
      fputs("</td>", file);
    }
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
}

/* Writes how the model of the study differs from that of the first run, if both are known. */
static void write_changes(FILE *file, const report_study *study, const report *from) {
  char changes[400] = "";
  if (study->model == NULL || from->n_runs == 0 ||
      !model_changes_list(json_get(from->runs[0].results.summary, "model"), study->model, changes, sizeof changes) ||
      *changes == '\0')
    return;
  markup_print(file, "<p class=\"banner\"><strong>Of another model</strong> than the run %s: %s.</p>\n",
               from->runs[0].name, changes);
}

static void write_studies(FILE *file, const void *context) {
  const report *from = context;
  if (from->n_studies == 0)
    return;
  fputs("<section id=\"studies\">\n", file);
  for (size_t i = 0; i < from->n_studies; i++) {
    const report_study *study = &from->studies[i];
    const bool is_long = study->table.n_rows > MAX_OPEN_ROWS + 1; /* with the head */
    fprintf(file, "<article class=\"study\">\n<h2>%s</h2>\n", known[study->kind].title);
    write_changes(file, study, from);
    if (is_long) {
      fprintf(file, "<details><summary>%zu rows of ", study->table.n_rows - 1);
      markup_print(file, "%s</summary>\n", study->path);
    }
    write_table(file, study);
    fputs(is_long ? "</details>\n</article>\n" : "</article>\n", file);
  }
  fputs("</section>\n", file);
}

static void write_pictures(FILE *file, const void *context) {
  const report *from = context;
  fputs("<div class=\"pictures\">\n", file);
  for (size_t i = 0; i < from->n_studies; i++) {
    const report_study *study = &from->studies[i];
    const char *title = known[study->kind].title;
    const char *name = known[study->kind].picture;
    const int length = (int)(strrchr(study->path, '/') - study->path); /* length of the folder's path */
    char path[FILENAME_MAX];
    char *picture = NULL;
    snprintf(path, sizeof path, "%.*s/%s", length, study->path, name != NULL ? name : "");
    if (name == NULL || output_read(path, &picture, NULL) != SEAM_OK) /* gnuplot drew none */
      continue;
    fprintf(file, "<figure class=\"picture\"><img alt=\"%s: its table is below\" src=\"data:image/svg+xml;base64,",
            title);
    base64_write(file, picture, strlen(picture));
    markup_print(file, "\"><figcaption><a href=\"#studies\">%s</a>, as in %s.</figcaption>\n", title, study->path);
    write_changes(file, study, from);
    fputs("</figure>\n", file);
    free(picture);
  }
  fputs("</div>\n", file);
}

/* ---- Equations and events ---- */

static void write_row(FILE *file, const char *entry, const char *what, const char *name, const json_node *value) {
  markup_print(file, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td><code>", entry, what, name);
  if (value->text != NULL)
    markup_text(file, value->text);
  else
    markup_bytes(file, value->begin, value->length);
  fputs("</code></td></tr>\n", file);
}

/* Writes a row for each element of a map; a single row for any other entry. */
static void write_entry(FILE *file, const json_node *entry) {
  if (entry->kind != JSON_OBJECT)
    write_row(file, entry->key, "", "", entry);
  for (const json_node *part = entry->kind == JSON_OBJECT ? entry->first : NULL; part != NULL; part = part->next)
    if (part->kind != JSON_OBJECT)
      write_row(file, entry->key, part->key, "", part);
    else
      for (const json_node *one = part->first; one != NULL; one = one->next)
        write_row(file, entry->key, part->key, one->key, one);
}

static bool has_equations(const json_node *subsystem) {
  return json_get(subsystem, "inputs") != NULL || json_get(subsystem, "outputs") != NULL ||
         json_get(subsystem, "states") != NULL;
}

static void write_entries(FILE *file, const json_node *section, bool of_subsystems) {
  for (const json_node *entry = json_first(section); entry != NULL; entry = entry->next)
    if (!of_subsystems || has_equations(entry))
      write_entry(file, entry);
}

static bool has_any_equations(const report *from) {
  const json_node *model = from->n_runs > 0 ? json_get(from->runs[0].results.summary, "model") : NULL;
  bool has =
      json_get(model, "equations") != NULL || json_get(model, "events") != NULL || json_get(model, "stop") != NULL;
  for (const json_node *entry = json_first(json_get(json_get(model, "cosim"), "subsystems")); entry != NULL;
       entry = entry->next)
    has = has || has_equations(entry);
  return has;
}

static void write_equations(FILE *file, const void *context) {
  const report *from = context;
  if (!has_any_equations(from))
    return;
  begin_section(file, "equations", "Equations and events");
  begin_table(file, "", (const char *const[]){"Entry", "", "name", "value", NULL});
  const json_node *model = json_get(from->runs[0].results.summary, "model");
  const json_node *stop = json_get(model, "stop");
  write_entries(file, json_get(model, "equations"), false);
  write_entries(file, json_get(json_get(model, "cosim"), "subsystems"), true);
  write_entries(file, json_get(model, "events"), false);
  if (stop != NULL)
    write_entry(file, stop);
  fputs("</tbody></table></div>\n</section>\n", file);
}

/* ---- Title, model and origin ---- */

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
  if (has_any_equations(from))
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

/* Writes the effective model of run i, unless an earlier run has the same model. */
static void write_effective_model(FILE *file, const report *from, size_t i) {
  const json_node *model = json_get(from->runs[i].results.summary, "model");
  for (size_t k = 0; k < i; k++) {
    const json_node *other = json_get(from->runs[k].results.summary, "model");
    if (other->length == model->length && memcmp(other->begin, model->begin, model->length) == 0)
      return;
  }
  markup_print(file, "<details><summary>As it was run: overrides applied, numbers evaluated (%s)</summary><pre>",
               from->runs[i].name);
  markup_bytes(file, model->begin, model->length);
  fputs("</pre></details>\n", file);
}

static void write_models(FILE *file, const void *context) {
  const report *from = context;
  if (from->model_text == NULL && from->n_runs == 0)
    return;
  begin_section(file, "model", "Model file");
  if (from->model_text != NULL)
    markup_print(file, "<pre tabindex=\"0\">%s</pre>\n", from->model_text);
  for (size_t i = 0; i < from->n_runs; i++)
    write_effective_model(file, from, i);
  fputs("</section>\n", file);
}

static void write_origin(FILE *file, const void *context) {
  const report *from = context;
  begin_section(file, "origin", "To repeat this");
  fputs("<pre>seam", file);
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
          "they are interpolated. All digits are in the tables of the results.</dd>\n",
          file);
  fputs("</dl>\n</section>\n", file);
}

/* ---- The page ---- */

static const char *scheme_of(const report_run *run) { return run_results_scheme(&run->results); }

/* Sets the names of the runs. A mark follows the name of a run that did not succeed. */
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
    TRY(check_memory(run->name != NULL, error));
    snprintf(run->name, size, "%s%s%s", scheme_of(run), n_same > 1 ? ", " : "", n_same > 1 ? run->folder : "");
    run->name_length = strlen(run->name);
    if (*mark != '\0')
      sprintf(run->name + run->name_length, " (%s)", mark);
  }
  return SEAM_OK;
}

static void write_data(FILE *file, const void *context) {
  const report *from = context;
  markup_json(file, from->data, from->n_data);
}

/* Scripts need the random nonce to run ([CSP] 2.3), so data that were not escaped cannot run either. */
seam_status report_write(report *self, const char *path, seam_error *error) {
  unsigned char random[16];
  char nonce[2 * sizeof random + 1];
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
  THEN(status, report_make_data(self, error));
  if (status == SEAM_OK && getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
    status = output_failed(path, error);
  for (size_t i = 0; i < sizeof random && status == SEAM_OK; i++)
    sprintf(nonce + 2 * i, "%02x", random[i]);
  THEN(status, output_replace(path, &out, error));
  if (status == SEAM_OK) {
    markup_fill(out.file, asset("report.html"), slots, sizeof slots / sizeof *slots, self);
    status = output_commit(&out, error);
  }
  free(self->data);
  self->data = NULL;
  return status;
}
