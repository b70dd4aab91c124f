#include "app/reproduce/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/reproduce/studies.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/thresholds.h"
#include "base/then.h"

/* ---- A table of texts ---- */

typedef struct text_table {
  char *text;
  char **cells; /* (n_rows x n_columns); the first row has the names of columns */
  size_t n_rows, n_columns;
} text_table;

static seam_status read_table(const char *path, text_table *table, seam_error *error) {
  const seam_status status = output_read(path, &table->text, error);
  if (status != SEAM_OK)
    return status;
  const char *const end = table->text + strlen(table->text);
  size_t n_lines = 0;
  for (const char *c = table->text; c < end; c++)
    n_lines += *c == '\n';
  table->n_columns = csv_count_fields(table->text);
  table->cells = calloc(n_lines * table->n_columns + 1, sizeof *table->cells);
  if (table->cells == NULL)
    return out_of_memory(error);
  for (char *line = table->text; line < end; table->n_rows++) {
    char *stop = (char *)csv_end_of_line(line, end);
    if (stop == NULL)
      break;
    *stop = '\0';
    for (size_t i = 0; i < table->n_columns && line != NULL; i++)
      table->cells[table->n_rows * table->n_columns + i] = csv_next_field(&line);
    line = stop + 1;
  }
  return SEAM_OK;
}

static size_t find_column(const text_table *table, const char *name) {
  for (size_t i = 0; i < table->n_columns && table->n_rows > 0; i++)
    if (strcmp(table->cells[i], name) == 0)
      return i;
  return SEAM_NONE;
}

static double number_of(const char *text) {
  char *end = NULL;
  const double number = text != NULL ? strtod(text, &end) : NAN;
  return end != text && *end == '\0' ? number : NAN;
}

/* Returns true if the texts are equal, or are numbers that agree to nine digits. */
static bool is_same(const char *cell, const char *wanted) {
  if (cell == NULL || strcmp(cell, wanted) == 0)
    return cell != NULL;
  const double number = number_of(wanted);
  return fabs(number_of(cell) - number) <= app_number_tolerance * fabs(number);
}

/* ---- Keys ---- */

const json_node *number_key(const json_node *const levels[3], const char *key) {
  const json_node *found = NULL;
  for (size_t i = 0; i < 3 && found == NULL; i++)
    found = json_get(levels[i], key);
  return found;
}

static const char *text_key(const number_position *self, const char *key) {
  const json_node *found = number_key(self->levels, key);
  return found != NULL ? found->text : NULL;
}

static const char *text_or(const json_node *object, const char *key, const char *otherwise) {
  const char *found = json_text(object, key);
  return found != NULL ? found : otherwise;
}

/* Finds the path of a file of results, which the caller frees. of: "STUDY" or "STUDY/FOLDER", or NULL for the first
 * study. file: name of the file, or NULL for the usual file of the study. */
static seam_status find_file(const number_position *self, const char *of, const char *file, char **path,
                             seam_error *error) {
  const json_node *studies = self->of->studies;
  const json_node *study = of != NULL ? NULL : studies->first;
  for (const json_node *one = studies->first; one != NULL && of != NULL; one = one->next)
    if (strncmp(of, one->key, strlen(one->key)) == 0 && strchr("/", of[strlen(one->key)]) != NULL)
      study = one;
  if (study == NULL)
    return description_fail(self->of, self->part, error, "there is no study '%.60s'", of);
  file = file != NULL ? file : studies_file(study);
  if (file == NULL)
    return description_fail(self->of, self->part, error,
                            "it needs 'file:', that of the results in which the number is");
  char name[FILENAME_MAX];
  snprintf(name, sizeof name, "%s/%s", of != NULL ? of : study->key, file);
  *path = output_path(self->directory, name);
  return *path != NULL ? SEAM_OK : out_of_memory(error);
}

/* ---- Rows ---- */

static seam_status meets_conditions(const number_position *self, const text_table *table, size_t row, bool *is_met,
                                    seam_error *error) {
  *is_met = true;
  for (size_t level = 0; level < 3; level++) {
    const json_node *where = json_get(self->levels[level], "where");
    for (const json_node *one = where != NULL ? where->first : NULL; one != NULL; one = one->next) {
      const size_t column = find_column(table, one->key);
      if (column == SEAM_NONE || one->text == NULL)
        return description_fail(self->of, self->part, error, "where: the table has no column '%.60s'", one->key);
      *is_met = *is_met && is_same(table->cells[row * table->n_columns + column], one->text);
    }
  }
  return SEAM_OK;
}

/* A column over time, from the rows that meet the conditions of `where`. */
typedef struct series {
  double *t, *x; /* (n) */
  size_t n;
} series;

static seam_status filter_series(const number_position *self, const text_table *table, const char *column,
                                 series *result, seam_error *error) {
  const size_t number = find_column(table, column);
  const size_t time = find_column(table, "time");
  result->t = calloc(table->n_rows + 1, sizeof *result->t);
  result->x = calloc(table->n_rows + 1, sizeof *result->x);
  if (result->t == NULL || result->x == NULL)
    return out_of_memory(error);
  if (number == SEAM_NONE)
    return description_fail(self->of, self->part, error, "the table has no column '%.60s'", column);
  seam_status status = SEAM_OK;
  for (size_t row = 1; row < table->n_rows && status == SEAM_OK; row++) {
    bool is_met = false;
    status = meets_conditions(self, table, row, &is_met, error);
    if (!is_met)
      continue;
    result->t[result->n] = time != SEAM_NONE ? number_of(table->cells[row * table->n_columns + time]) : NAN;
    result->x[result->n++] = number_of(table->cells[row * table->n_columns + number]);
  }
  return status;
}

static seam_status read_series(const number_position *self, const char *of, const char *file, const char *column,
                               series *result, seam_error *error) {
  text_table table = {.text = NULL};
  char *path = NULL;
  seam_status status = find_file(self, of, file, &path, error);
  THEN(status, read_table(path, &table, error));
  THEN(status, filter_series(self, &table, column, result, error));
  free(table.text);
  free(table.cells);
  free(path);
  return status;
}

/* ---- Figures over a series ---- */

/* Interpolates linearly between rows. Before the first and after the last row takes the value of that row. */
static double value_at(const series *s, double t) {
  size_t after = 0;
  for (size_t end = s->n; after < end;) {
    const size_t middle = after + (end - after) / 2;
    if (s->t[middle] < t)
      after = middle + 1;
    else
      end = middle;
  }
  if (after == s->n || s->t[after] == t)
    return s->n == 0 ? NAN : s->x[after == s->n ? s->n - 1 : after];
  if (after == 0)
    return s->x[0];
  const double share = (t - s->t[after - 1]) / (s->t[after] - s->t[after - 1]);
  return (1 - share) * s->x[after - 1] + share * s->x[after];
}

static seam_status compute_statistic(const number_position *self, const series *s, double *number, seam_error *error) {
  const char *take = text_key(self, "take");
  const char *at = text_key(self, "at");
  if (at != NULL) {
    *number = value_at(s, number_of(at));
    return SEAM_OK;
  }
  if (take == NULL && s->n != 1)
    return description_fail(
        self->of, self->part, error,
        "%zu rows fit, but one is needed; add 'where:', or 'take:' with last, first, max, min, mean, rms or step",
        s->n);
  const double first = s->n > 0 ? s->x[0] : NAN;
  const double last = s->n > 0 ? s->x[s->n - 1] : NAN;
  const double duration = s->n > 1 ? s->t[s->n - 1] - s->t[0] : NAN;
  double largest = first, least = first, squares = 0;
  double integral = 0; /* each value is weighted with the step that ends at its time; the first value is not used */
  for (size_t i = 0; i < s->n; i++) {
    largest = s->x[i] > largest ? s->x[i] : largest;
    least = s->x[i] < least ? s->x[i] : least;
    squares += s->x[i] * s->x[i];
    integral += i > 0 ? s->x[i] * (s->t[i] - s->t[i - 1]) : 0;
  }
  const struct {
    const char *name;
    double value;
  } statistics[] = {{"only", s->n == 1 ? first : NAN},
                    {"last", last},
                    {"first", first},
                    {"max", largest},
                    {"min", least},
                    {"mean", integral / duration},
                    {"rms", sqrt(squares / (double)s->n)},
                    {"step", duration / ((double)s->n - 1)}};
  for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
    if (strcmp(statistics[i].name, take != NULL ? take : "only") == 0) {
      *number = statistics[i].value;
      return SEAM_OK;
    }
  return description_fail(self->of, self->part, error,
                          "take: '%.40s' is none of last, first, max, min, mean, rms, step", take);
}

static seam_status number_of_json(const number_position *self, const char *path, const char *column, double *number,
                                  seam_error *error) {
  char *text = NULL;
  arena memory = {0};
  json_failure failure = {0};
  const json_node *node = NULL;
  seam_status status = output_read(path, &text, error);
  if (status == SEAM_OK && !json_parse(text, &memory, &node, &failure))
    status = description_fail(self->of, self->part, error, "%.200s is no JSON", path);
  for (const char *key = column; status == SEAM_OK && node != NULL && *key != '\0';) {
    char name[128];
    const size_t length = strcspn(key, "/");
    snprintf(name, sizeof name, "%.*s", (int)length, key);
    node = json_get(node, name);
    key += length + (key[length] == '/');
  }
  if (status == SEAM_OK && node == NULL)
    status = description_fail(self->of, self->part, error, "%.200s has no '%.60s'", path, column);
  if (status == SEAM_OK)
    *number = node->number;
  arena_release(&memory);
  free(text);
  return status;
}

static seam_status number_of_table(const number_position *self, const char *of, const char *file, const char *column,
                                   double *number, seam_error *error) {
  series s = {.n = 0}, other = {.n = 0};
  const json_node *minus = number_key(self->levels, "minus");
  const char *magnitude = text_key(self, "magnitude");
  seam_status status = read_series(self, of, file, column, &s, error);
  if (status == SEAM_OK && minus != NULL) {
    const double factor = number_of(text_or(minus, "times", "1"));
    status = read_series(self, text_or(minus, "of", of), text_or(minus, "file", file), text_or(minus, "column", column),
                         &other, error);
    for (size_t i = 0; i < s.n && status == SEAM_OK; i++)
      s.x[i] -= factor * value_at(&other, s.t[i]);
  }
  for (size_t i = 0; i < s.n && magnitude != NULL && strcmp(magnitude, "true") == 0; i++)
    s.x[i] = fabs(s.x[i]);
  THEN(status, compute_statistic(self, &s, number, error));
  free(s.t);
  free(s.x);
  free(other.t);
  free(other.x);
  return status;
}

seam_status tables_number(const number_position *self, double *number, seam_error *error) {
  const char *of = text_key(self, "of");
  const char *file = text_key(self, "file");
  const char *column = text_key(self, "column");
  const char *divide = text_key(self, "divide");
  char *path = NULL;
  seam_status status = SEAM_OK;
  column = column != NULL ? column : self->column;
  if (file != NULL && strlen(file) > 5 && strcmp(file + strlen(file) - 5, ".json") == 0) {
    status = find_file(self, of, file, &path, error);
    THEN(status, number_of_json(self, path, column, number, error));
    free(path);
  } else
    status = number_of_table(self, of, file, column, number, error);
  if (status == SEAM_OK && divide != NULL)
    *number /= number_of(divide);
  return status;
}
