/* Figures of measures over the run, in summary.json. */
#include <math.h>
#include <string.h>

#include "app/report/gathered.h"
#include "app/report/markup.h"

static void write_cell(FILE *file, double number, int digits, const char *otherwise) {
  fputs("<td class=\"number\">", file);
  if (isfinite(number))
    fprintf(file, "%.*g", digits, number);
  else
    fputs(otherwise, file);
  fputs("</td>", file);
}

void report_write_measures(FILE *file, const report_run *run) {
  const json_node *measures = json_get(run->results.summary, "measures");
  if (measures == NULL || measures->first == NULL)
    return;
  fputs(
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Over the run</th><th scope=\"col\"></th><th "
      "scope=\"col\" class=\"number\">value</th><th scope=\"col\"></th><th scope=\"col\" class=\"number\">at t / s</th>"
      "<th scope=\"col\" class=\"number\">uncertainty</th></tr></thead><tbody>\n",
      file);
  for (const json_node *measure = measures->first; measure != NULL; measure = measure->next)
    for (const json_node *figure = measure->first; figure != NULL; figure = figure->next)
      if (figure->kind == JSON_OBJECT) {
        const char *unit = json_text(measure, "unit");
        fputs("<tr><th scope=\"row\">", file);
        markup_text(file, measure->key);
        fputs("</th><td>", file);
        markup_text(file, figure->key);
        fputs("</td>", file);
        write_cell(file, json_value(figure, "value"), 6, "not finite");
        const bool is_integral = strcmp(figure->key, "integral") == 0;
        fputs("<td>", file);
        markup_text(file, unit != NULL ? unit : "");
        fputs(is_integral && unit != NULL && *unit != '\0' ? " s</td>" : is_integral ? "s</td>" : "</td>", file);
        write_cell(file, json_value(figure, "time"), 6, "");
        write_cell(file, json_value(figure, "uncertainty"), 2, "unknown");
        fputs("</tr>\n", file);
      }
  fputs("</tbody></table></div>\n", file);
}
