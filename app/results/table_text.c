#include "app/results/table_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/then.h"

/* A style of tables: its name and the ending of its files. `begin` and `end` enclose a table. `open`, `between` and
 * `close` enclose and separate the cells of a row. After the head row, `rule` is written for each column, then `behind`
 * once. Characters in `escaped` get a backslash. */
typedef struct style {
  const char *name, *ending;
  const char *begin, *open, *between, *close, *rule, *behind, *end, *escaped;
} style;
static const style styles[] = {{"markdown", "md", "", "| ", " | ", " |\n", "| --- ", "|\n", "", "|\\*_"},
                               {"latex", "tex", "\\begin{tabular}{*{%zu}{l}}\n", "", " & ", " \\\\\n", "", "\\hline\n",
                                "\\end{tabular}\n", "_%&#$"}};
enum { N_STYLES = sizeof styles / sizeof *styles };

static const style *style_of(const app_options *parsed) {
  const char *given = options_value(parsed, "--as");
  for (size_t i = 0; given != NULL && i < N_STYLES; i++)
    if (strcmp(styles[i].name, given) == 0)
      return &styles[i];
  return NULL;
}

seam_status table_text_check(const app_options *parsed, seam_error *error) {
  if (options_value(parsed, "--as") == NULL || style_of(parsed) != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "seam: --as must be markdown or latex, but is '%s'",
                   options_value(parsed, "--as"));
}

static void write_field(FILE *file, const style *as, const char *field, bool is_head) {
  char *end = NULL;
  const double number = strtod(field, &end);
  if (end != field && *end == '\0' && isfinite(number)) {
    fprintf(file, "%.4g", number);
    return;
  }
  for (; *field != '\0'; field++)
    if (is_head && *field == '_')
      fputc(' ', file);
    else
      fprintf(file, strchr(as->escaped, *field) != NULL ? "\\%c" : "%c", *field);
}

static void write_table(FILE *file, const style *as, char *text) {
  const char *end = text + strlen(text);
  bool is_head = true;
  fprintf(file, as->begin, csv_count_fields(text)); // NOLINT: a format of the table above
  for (char *line = text; line < end; is_head = false) {
    char *next = (char *)csv_end_of_line(line, end);
    size_t n = 0;
    if (next != NULL)
      *next = '\0';
    fputs(as->open, file);
    for (char *at = line; at != NULL; n++) {
      fputs(n > 0 ? as->between : "", file);
      write_field(file, as, csv_next_field(&at), is_head);
    }
    fputs(as->close, file);
    for (size_t i = 0; is_head && i < n; i++)
      fputs(as->rule, file);
    fputs(is_head ? as->behind : "", file);
    line = next != NULL ? next + 1 : (char *)end;
  }
  fputs(as->end, file);
}

seam_status table_text_write(const app_options *parsed, const char *path, seam_error *error) {
  const style *as = style_of(parsed);
  char *text = NULL;
  app_replacement out;
  if (as == NULL)
    return SEAM_OK;
  const int length = (int)(strlen(path) - strlen("csv"));
  char *to = malloc((size_t)length + strlen(as->ending) + 1);
  seam_status status = to != NULL ? output_read(path, &text, error) : out_of_memory(error);
  if (status == SEAM_OK)
    sprintf(to, "%.*s%s", length, path, as->ending);
  THEN(status, output_replace(to, &out, error));
  if (status == SEAM_OK) {
    write_table(out.file, as, text);
    status = output_commit(&out, error);
  }
  free(text);
  free(to);
  return status;
}
