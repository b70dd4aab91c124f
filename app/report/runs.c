/* Section of a report about its runs: verdicts, and checks of numbers. */
#include <math.h>
#include <string.h>

#include "app/report/gathered.h"
#include "app/report/markup.h"

static bool is_done(const report_run *run) { return strcmp(run->status, "done") == 0; }

/* Returns the word of the verdict of a run or, if it has no verdict, the status of the run. */
static const char *verdict_word(const report_run *run) {
  const char *word = json_text(json_get(run->results.summary, "verdict"), "word");
  return word != NULL && *word != '\0' ? word : run->status;
}

/* Returns the CSS class of a run. Only accurate runs are green. */
static const char *css_class(const report_run *run) {
  return !is_done(run) ? "is-bad" : strcmp(verdict_word(run), "accurate") == 0 ? "is-good" : "is-open";
}

/* Writes a row with a checked value (NaN: unknown) and its bound. */
static void write_figure(FILE *file, const char *what, double figure, double bound) {
  const bool is_within = fabs(figure) <= bound;
  fprintf(file, "<tr%s><th scope=\"row\">%s</th><td class=\"number\">",
          isnan(figure) || is_within ? "" : " class=\"is-bad\"", what);
  markup_number(file, figure);
  fputs("</td><td class=\"number\">", file);
  markup_number(file, bound);
  fprintf(file, "</td><td>%s</td></tr>\n", isnan(figure) ? "not checked" : is_within ? "holds" : "out of bounds");
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
  fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Checked</th><th scope=\"col\" "
        "class=\"number\">found</th><th scope=\"col\" class=\"number\">bound</th><th scope=\"col\"></th></tr></thead>"
        "<tbody>\n",
        file);
  write_figure(file, "error, of the travel", json_value(json_get(verdict, "error"), "of_travel"),
               json_value(json_get(verdict, "error"), "bound"));
  write_figure(file, "energy made or lost, J", json_value(energy, "made"), json_value(energy, "allowed"));
  write_figure(file, "constraints, m or rad", json_value(constraints, "g"), json_value(constraints, "g_bound"));
  write_figure(file, "their rates, m/s or rad/s", json_value(constraints, "gd"), json_value(constraints, "gd_bound"));
  fputs("</tbody></table></div>\n", file);
}

static void write_cell(FILE *file, double number, int digits, const char *otherwise) {
  fputs("<td class=\"number\">", file);
  if (isfinite(number))
    fprintf(file, "%.*g", digits, number);
  else
    fputs(otherwise, file);
  fputs("</td>", file);
}

static void write_measures(FILE *file, const report_run *run) {
  const json_node *measures = json_get(run->results.summary, "measures");
  if (measures == NULL || measures->first == NULL)
    return;
  fputs(
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Over the run</th><th scope=\"col\"></th><th "
      "scope=\"col\" class=\"number\">value</th><th scope=\"col\"></th><th scope=\"col\" class=\"number\">at t / s</th>"
      "<th scope=\"col\" class=\"number\">uncertainty</th><th scope=\"col\" class=\"number\">error</th></tr></thead>"
      "<tbody>\n",
      file);
  for (const json_node *measure = measures->first; measure != NULL; measure = measure->next)
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
  const json_node *arguments = json_get(summary, "arguments");
  for (const json_node *at = arguments != NULL ? arguments->first : NULL; at != NULL; at = at->next)
    if (at->text != NULL) {
      fputc(' ', file);
      markup_argument(file, at->text);
    }
  fputs("</pre></details>\n</article>\n", file);
}

/* Writes cells of a table row: largest error of the run, divided by the range of values of its quantity; name of this
 * quantity, value and time of the error; reference; CPU time. */
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
  fputs("</td><td class=\"number\">", file);
  markup_number(file, json_value(json_get(run->results.summary, "statistics"), "cpu_s"));
  fputs("</td>", file);
}

void report_write_verdicts(FILE *file, const report *from) {
  bool all_done = true;
  if (from->n_runs == 0)
    return;
  fputs(
      "<div class=\"scroll\"><table id=\"verdicts\"><thead><tr><th scope=\"col\">Run</th><th scope=\"col\">verdict</th>"
      "<th scope=\"col\" class=\"number\">error, of the travel</th><th scope=\"col\">largest at</th><th "
      "scope=\"col\">beside</th>"
      "<th scope=\"col\" class=\"number\">CPU, s</th></tr></thead><tbody>\n",
      file);
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
          "is "
          "wrong or did not end, and says why.</p>\n",
          file);
}

void report_write_runs(FILE *file, const report *from) {
  if (from->n_runs == 0)
    return;
  fputs("<section id=\"runs\" aria-labelledby=\"runs-title\">\n<h2 id=\"runs-title\">Runs, and what was checked</h2>\n"
        "<div class=\"cards\">\n",
        file);
  for (size_t i = 0; i < from->n_runs; i++)
    write_run(file, &from->runs[i]);
  fputs("</div>\n</section>\n", file);
}
