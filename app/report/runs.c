/* The runs of a report: how each ended, and what of its numbers was checked. */
#include <math.h>
#include <string.h>

#include "app/report/gathered.h"
#include "app/report/markup.h"

static const json_node *below(const report_run *run, const char *section, const char *key) {
  return json_get(json_get(run->results.summary, section), key);
}

static bool is_done(const report_run *run) { return strcmp(run->status, "done") == 0; }

static void write_paragraph(FILE *file, const char *class, const char *text) {
  fprintf(file, "<p class=\"%s\">", class);
  markup_text(file, text);
  fputs("</p>\n", file);
}

/* ---- How it was made ---- */

static void write_steps(FILE *file, const report_run *run) {
  const json_node *cosim = json_get(run->results.summary, "cosim");
  const json_node *statistics = json_get(run->results.summary, "statistics");
  if (cosim != NULL)
    fprintf(file, "%.0f macro steps of %.4g s on average, ", json_value(cosim, "macro_steps"),
            json_value(cosim, "mean"));
  fprintf(file, "%.0f steps, %.3g s of processor time", json_value(statistics, "steps"),
          json_value(statistics, "cpu_s"));
}

static void write_facts(FILE *file, const report_run *run) {
  const json_node *verdict = json_get(run->results.summary, "verdict");
  fputs("<p>", file);
  markup_text(file, run->folder);
  fprintf(file, ": %.0f rows to <span class=\"nowrap\">t = %.9g s</span>; ", json_value(verdict, "rows"),
          json_value(verdict, "time"));
  write_steps(file, run);
  fputs(".</p>\n", file);
}

static void write_command(FILE *file, const report_run *run) {
  fputs("<details><summary>Command</summary><pre>seam", file);
  const json_node *arguments = json_get(run->results.summary, "arguments");
  for (const json_node *at = arguments != NULL ? arguments->first : NULL; at != NULL; at = at->next)
    if (at->text != NULL) {
      fputc(' ', file);
      markup_argument(file, at->text);
    }
  fputs("</pre></details>\n", file);
}

/* ---- What was checked ---- */

/* What the names of summary.json mean. */
static const char *words_of(const char *name) {
  static const char *const words[][2] = {{"energy", "energy balance, J"},
                                         {"g", "constraints, m or rad"},
                                         {"gd", "their rates, m/s or rad/s"},
                                         {"rejected", "rejected steps"},
                                         {"couplings", "energy from couplings, J"},
                                         {"law_kinks", "kinks of cut laws, m/s or rad/s"},
                                         {"contacts", "energy from contacts at cuts, J"},
                                         {"bounces", "energy of bounces, J"},
                                         {"part_couplings", "energy from couplings with sides, J"},
                                         {"reactions", "forces at cut joints, N or Nm"},
                                         {"samples", "late samples of FMUs, share of the time"},
                                         {"signals", "what holds miss of signals, of their deviation"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i][0], name) == 0)
      return words[i][1];
  return name;
}

static void write_criterion(FILE *file, const json_node *criterion) {
  const double figure = json_value(criterion, "figure");
  const double bound = json_value(criterion, "bound");
  const bool holds = fabs(figure) <= bound; /* false for NaN */
  fprintf(file, "<tr%s><th scope=\"row\">", holds ? "" : " class=\"is-bad\"");
  markup_text(file, words_of(criterion->key));
  fputs("</th><td class=\"number\">", file);
  markup_number(file, figure);
  fputs("</td><td class=\"number\">", file);
  markup_number(file, bound);
  fprintf(file, "</td><td>%s</td></tr>\n", holds ? "holds" : "out of bounds");
}

static void write_criteria(FILE *file, const report_run *run) {
  const json_node *criteria = below(run, "verdict", "criteria");
  if (criteria == NULL || criteria->first == NULL) {
    write_paragraph(file, "message", "Not judged: nothing in this run was checked.");
    return;
  }
  fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Checked</th><th scope=\"col\" "
        "class=\"number\">found</th>"
        "<th scope=\"col\" class=\"number\">bound</th><th scope=\"col\"></th></tr></thead><tbody>\n",
        file);
  for (const json_node *at = criteria->first; at != NULL; at = at->next)
    write_criterion(file, at);
  fputs("</tbody></table></div>\n", file);
}

static void write_unchecked(FILE *file, const report_run *run) {
  const char *reactions = json_text(json_get(run->results.summary, "cosim"), "reactions_between_macro_points");
  const char *redundant = json_text(json_get(run->results.summary, "mechanism"), "reactions");
  if (reactions != NULL) {
    fputs("<p class=\"unchecked\">Accelerations and reactions between macro points: ", file);
    markup_text(file, reactions);
    fputs(".</p>\n", file);
  }
  if (redundant != NULL && strcmp(redundant, "unique") != 0)
    write_paragraph(file, "unchecked", "Constraints are redundant: reactions are those of least norm.");
  if (run->trajectory != SEAM_NONE && run->poses == NULL)
    write_paragraph(file, "unchecked",
                    "No animation: the trajectory has not all poses of the bodies; "
                    "'seam run --columns all' writes them.");
}

/* ---- All runs ---- */

static void write_run(FILE *file, const report_run *run) {
  const char *message = json_text(json_get(run->results.summary, "verdict"), "message");
  fprintf(file, "<article class=\"card%s\"><header><h3>", is_done(run) ? "" : " is-bad");
  markup_text(file, run->name);
  fputs("</h3><span class=\"badge\">", file);
  markup_text(file, run->status);
  fputs("</span></header>\n", file);
  if (!is_done(run))
    write_paragraph(file, "message", message != NULL && *message != '\0' ? message : "It did not end as it should.");
  write_facts(file, run);
  write_criteria(file, run);
  report_write_measures(file, run);
  write_unchecked(file, run);
  write_command(file, run);
  fputs("</article>\n", file);
}

void report_write_verdicts(FILE *file, const report *from) {
  bool all_done = true;
  fputs("<ul class=\"verdicts\">", file);
  for (size_t i = 0; i < from->n_runs; i++) {
    const report_run *run = &from->runs[i];
    all_done &= is_done(run);
    fprintf(file, "<li%s><a href=\"#runs\">", is_done(run) ? "" : " class=\"is-bad\"");
    markup_text(file, run->name);
    fprintf(file, "</a>%s</li>", is_done(run) ? " <span class=\"badge\">done</span>" : "");
  }
  fputs("</ul>\n", file);
  if (!all_done)
    fputs("<p class=\"banner\"><strong>Not all of these numbers can be relied on:</strong> <a href=\"#runs\">a run</a> "
          "is "
          "not done, and says why.</p>\n",
          file);
}

void report_write_runs(FILE *file, const report *from) {
  if (from->n_runs == 0)
    return;
  fputs("<section id=\"runs\" aria-labelledby=\"runs-title\">\n<h2 id=\"runs-title\">Runs, and what was checked</h2>\n",
        file);
  fputs("<div class=\"cards\">\n", file);
  for (size_t i = 0; i < from->n_runs; i++)
    write_run(file, &from->runs[i]);
  fputs("</div>\n</section>\n", file);
}
