/* Tables of compare, converge and stability as HTML, and their pictures. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/model_changes.h"
#include "app/report/base64.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"

enum { MAX_OPEN_ROWS = 40, MAX_STUDY_ROWS = 2000 };

static const struct {
  const char *file, *title, *caption, *picture; /* picture: name of its file; NULL: there is no picture */
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

/* Returns a mask: bit i is set if column i < 64 has a number in a row after the head. */
static uint64_t find_numbers(const char *text) {
  uint64_t found = 0;
  double number = 0;
  char *const copy = strdup(text);
  for (char *line = copy, *next = NULL; line != NULL && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    char *at = line;
    for (unsigned column = 0; at != NULL && column < 64; column++)
      if (is_number(csv_next_field(&at), &number) && line != copy)
        found |= UINT64_C(1) << column;
  }
  free(copy);
  return found;
}

static bool has_numbers(uint64_t numbers, size_t column) { return column < 64 && (numbers >> column & 1) != 0; }

static void write_head(FILE *file, char *line, uint64_t numbers) {
  size_t column = 0;
  fputs("<thead><tr>", file);
  for (char *at = line; at != NULL; column++) {
    char *title = csv_next_field(&at);
    for (char *c = title; *c != '\0'; c++)
      *c = *c == '_' ? ' ' : *c;
    markup_print(
        file, has_numbers(numbers, column) ? "<th scope=\"col\" class=\"number\">%s</th>" : "<th scope=\"col\">%s</th>",
        title);
  }
  fputs("</tr></thead><tbody>\n", file);
}

/* Returns true if the verdict, which is in this column of the line, is neither accurate nor rough. */
static bool is_bad(const char *line, size_t column) {
  bool is_quoted = false;
  for (; *line != '\0' && column > 0; line++) {
    is_quoted ^= *line == '"';
    column -= *line == ',' && !is_quoted;
  }
  return column == 0 && strncmp(line, "accurate,", 9) != 0 && strncmp(line, "rough,", 6) != 0;
}

static void write_table(FILE *file, char *text, const char *path, const char *caption, size_t n_rows) {
  markup_print(file, "<div class=\"scroll\"><table><caption>%s As in %s when this page was written.", caption, path);
  if (n_rows > MAX_STUDY_ROWS)
    fprintf(file, " The first %d of %zu rows.", MAX_STUDY_ROWS, n_rows);
  fputs("</caption>", file);
  const char *found = strstr(text, ",verdict,");
  size_t n = 0;
  for (const char *at = text; found != NULL && at <= found; at++)
    n += *at == ',';
  const size_t verdict = found != NULL ? n : SEAM_NONE;
  const uint64_t numbers = find_numbers(text);
  size_t row = 0;
  for (char *line = text; line != NULL && *line != '\0' && row <= MAX_STUDY_ROWS; row++) {
    char *end = strchr(line, '\n');
    if (end != NULL)
      *end = '\0';
    if (row == 0)
      write_head(file, line, numbers);
    else {
      size_t column = 0;
      fputs(is_bad(line, verdict) ? "<tr class=\"is-bad\">" : "<tr>", file);
      for (char *at = line; at != NULL; column++) {
        const char *field = csv_next_field(&at);
        double number = 0;
        fputs(has_numbers(numbers, column) ? "<td class=\"number\">" : "<td>", file);
        if (is_number(field, &number) && isfinite(number))
          fprintf(file, "%.4g", number);
        else
          markup_text(file, *field != '\0' ? field : "\xe2\x80\x93");
        fputs("</td>", file);
      }
      fputs("</tr>\n", file);
    }
    line = end != NULL ? end + 1 : NULL;
  }
  fputs("</tbody></table></div>\n", file);
}

/* Writes the differences between the model of the study and that of the first run. Writes nothing if the models are
 * equal or one is unknown. */
static void write_changes(FILE *file, const report_study *study, const report *from) {
  char changes[400] = "";
  if (study->model == NULL || from->n_runs == 0 ||
      !model_changes_list(json_get(from->runs[0].results.summary, "model"), study->model, changes, sizeof changes) ||
      *changes == '\0')
    return;
  markup_print(file, "<p class=\"banner\"><strong>Of another model</strong> than the run %s: %s.</p>\n",
               from->runs[0].name, changes);
}

void report_write_studies(FILE *file, const report *from) {
  if (from->n_studies == 0)
    return;
  fputs("<section id=\"studies\">\n", file);
  for (size_t i = 0; i < from->n_studies; i++) {
    const report_study *study = &from->studies[i];
    size_t n_rows = 0;
    for (const char *at = strchr(study->text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
      n_rows += at[1] != '\0';
    const bool is_long = n_rows > MAX_OPEN_ROWS;
    fprintf(file, "<article class=\"study\">\n<h2>%s</h2>\n", known[study->kind].title);
    write_changes(file, study, from);
    if (is_long) {
      fprintf(file, "<details><summary>%zu rows of ", n_rows);
      markup_print(file, "%s</summary>\n", study->path);
    }
    write_table(file, study->text, study->path, known[study->kind].caption, n_rows);
    fputs(is_long ? "</details>\n</article>\n" : "</article>\n", file);
  }
  fputs("</section>\n", file);
}

void report_write_pictures(FILE *file, const report *from) {
  fputs("<div class=\"pictures\">\n", file);
  for (size_t i = 0; i < from->n_studies; i++) {
    const report_study *study = &from->studies[i];
    const char *title = known[study->kind].title;
    const char *name = known[study->kind].picture;
    const int length = (int)(strrchr(study->path, '/') - study->path); /* of the path of the folder */
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
