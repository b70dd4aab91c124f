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
    char *next = stop != NULL ? stop + 1 : table->text + strlen(table->text);
    if (stop == NULL)
      break;
    *stop = '\0';
    for (size_t i = 0; i < table->n_columns && line != NULL; i++)
      table->cells[table->n_rows * table->n_columns + i] = csv_next_field(&line);
    line = next;
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
  return text != NULL && end != text && *end == '\0' ? number : NAN;
}

/* Returns true if the texts are equal, or are numbers that agree to nine digits. */
static bool is_same(const char *cell, const char *wanted) {
  if (cell == NULL || strcmp(cell, wanted) == 0)
    return cell != NULL;
  const double number = number_of(wanted);
  return fabs(number_of(cell) - number) <= app_number_tolerance * fabs(number);
}

/* ---- Keys ---- */

const json_node *number_position_key(const number_position *position, const char *key) {
  for (size_t i = 0; i < 3; i++) {
    const json_node *found = json_get(position->levels[i], key);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static const char *text_key(const number_position *position, const char *key) {
  const json_node *found = number_position_key(position, key);
  return found != NULL ? found->text : NULL;
}

typedef struct number_search {
  const description *of;
  const char *directory, *part;
  const number_position *position;
} number_search;

/* Returns the path of a file of results, which the caller frees; NULL: failed, *error has the reason. of: "STUDY" or
 * "STUDY/FOLDER", or NULL for the first study. file: name of the file, or NULL for the usual file of the study. */
static char *find_file(const number_search *self, const char *of, const char *file, seam_error *error) {
  const json_node *studies = self->of->studies;
  const json_node *study = of != NULL ? NULL : studies->first;
  for (const json_node *one = studies->first; one != NULL && of != NULL; one = one->next)
    if (strncmp(of, one->key, strlen(one->key)) == 0 && strchr("/", of[strlen(one->key)]) != NULL)
      study = one;
  const char *usual = study != NULL ? studies_file(study) : NULL;
  file = file != NULL ? file : usual;
  char path[FILENAME_MAX];
  if (study == NULL)
    description_fail(self->of, self->part, error, "there is no study '%.60s'", of);
  else if (file == NULL)
    description_fail(self->of, self->part, error, "it needs 'file:', that of the results in which the number is");
  else {
    snprintf(path, sizeof path, "%s/%s", of != NULL ? of : study->key, file);
    char *found = output_path(self->directory, path);
    if (found == NULL)
      out_of_memory(error);
    return found;
  }
  return NULL;
}

/* ---- Rows ---- */

static seam_status meets_conditions(const number_search *self, const text_table *table, size_t row, bool *is_met,
                                    seam_error *error) {
  *is_met = true;
  for (size_t level = 0; level < 3; level++) {
    const json_node *where = json_get(self->position->levels[level], "where");
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

static seam_status filter_series(const number_search *self, const text_table *table, const char *column, series *result,
                                 seam_error *error) {
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

static seam_status read_series(const number_search *self, const char *of, const char *file, const char *column,
                               series *result, seam_error *error) {
  text_table table = {.text = NULL};
  char *path = find_file(self, of, file, error);
  seam_status status = path != NULL ? read_table(path, &table, error) : error->status;
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

static double root_mean_square_of(const series *s) {
  double sum = 0;
  for (size_t i = 0; i < s->n; i++)
    sum += s->x[i] * s->x[i];
  return sqrt(sum / (double)s->n);
}

static double first_of(const series *s) { return s->n > 0 ? s->x[0] : NAN; }
static double last_of(const series *s) { return s->n > 0 ? s->x[s->n - 1] : NAN; }

static double only_of(const series *s) { return s->n == 1 ? s->x[0] : NAN; }

static double largest_of(const series *s) {
  double found = s->n > 0 ? s->x[0] : NAN;
  for (size_t i = 1; i < s->n; i++)
    found = s->x[i] > found ? s->x[i] : found;
  return found;
}

static double least_of(const series *s) {
  double found = s->n > 0 ? s->x[0] : NAN;
  for (size_t i = 1; i < s->n; i++)
    found = s->x[i] < found ? s->x[i] : found;
  return found;
}

/* Returns the mean over time: each value is weighted with the step that ends at its time; the first value is not
 * used. */
static double mean_of(const series *s) {
  double sum = 0;
  for (size_t i = 1; i < s->n; i++)
    sum += s->x[i] * (s->t[i] - s->t[i - 1]);
  return s->n > 1 ? sum / (s->t[s->n - 1] - s->t[0]) : NAN;
}

static double step_of(const series *s) { return s->n > 1 ? (s->t[s->n - 1] - s->t[0]) / (double)(s->n - 1) : NAN; }

static const struct {
  const char *name;
  double (*of)(const series *s);
} statistics[] = {{"only", only_of}, {"last", last_of}, {"first", first_of},          {"max", largest_of},
                  {"min", least_of}, {"mean", mean_of}, {"rms", root_mean_square_of}, {"step", step_of}};
enum { n_statistics = sizeof statistics / sizeof *statistics };

static seam_status compute_statistic(const number_search *self, const series *s, double *number, seam_error *error) {
  const char *statistic = text_key(self->position, "take");
  const char *at = text_key(self->position, "at");
  if (at != NULL) {
    *number = value_at(s, number_of(at));
    return SEAM_OK;
  }
  if (statistic == NULL && s->n != 1)
    return description_fail(
        self->of, self->part, error,
        "%zu rows fit, but one is needed; add 'where:', or 'take:' with last, first, max, min, mean, rms or step",
        s->n);
  for (size_t i = 0; i < n_statistics; i++)
    if (strcmp(statistics[i].name, statistic != NULL ? statistic : "only") == 0) {
      *number = statistics[i].of(s);
      return SEAM_OK;
    }
  return description_fail(self->of, self->part, error,
                          "take: '%.40s' is none of last, first, max, min, mean, rms, step", statistic);
}

/* ---- The number ---- */

static seam_status subtract(const number_search *self, const char *of, const char *file, const char *column, series *s,
                            seam_error *error) {
  const json_node *minus = number_position_key(self->position, "minus");
  if (minus == NULL)
    return SEAM_OK;
  series other = {.n = 0};
  const char *other_of = json_text(minus, "of");
  const char *other_file = json_text(minus, "file");
  const char *other_column = json_text(minus, "column");
  const char *sign = json_text(minus, "times");
  const double factor = sign != NULL ? number_of(sign) : 1;
  const seam_status status = read_series(self, other_of != NULL ? other_of : of, other_file != NULL ? other_file : file,
                                         other_column != NULL ? other_column : column, &other, error);
  for (size_t i = 0; i < s->n && status == SEAM_OK; i++)
    s->x[i] -= factor * value_at(&other, s->t[i]);
  free(other.t);
  free(other.x);
  return status;
}

static seam_status number_of_json(const number_search *self, const char *path, const char *column, double *number,
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

static seam_status number_of_table(const number_search *self, const char *of, const char *file, const char *column,
                                   double *number, seam_error *error) {
  series s = {.n = 0};
  const char *magnitude = text_key(self->position, "magnitude");
  seam_status status = read_series(self, of, file, column, &s, error);
  THEN(status, subtract(self, of, file, column, &s, error));
  for (size_t i = 0; i < s.n && magnitude != NULL && strcmp(magnitude, "true") == 0; i++)
    s.x[i] = fabs(s.x[i]);
  THEN(status, compute_statistic(self, &s, number, error));
  free(s.t);
  free(s.x);
  return status;
}

seam_status tables_number(const description *self, const char *directory, const number_position *position,
                          const char *part, double *number, seam_error *error) {
  const number_search at = {self, directory, part, position};
  const char *of = text_key(position, "of");
  const char *file = text_key(position, "file");
  const char *column = text_key(position, "column");
  const char *divide = text_key(position, "divide");
  column = column != NULL ? column : position->column;
  seam_status status = SEAM_OK;
  if (file != NULL && strlen(file) > 5 && strcmp(file + strlen(file) - 5, ".json") == 0) {
    char *path = find_file(&at, of, file, error);
    status = path != NULL ? number_of_json(&at, path, column, number, error) : error->status;
    free(path);
  } else
    status = number_of_table(&at, of, file, column, number, error);
  if (status == SEAM_OK && divide != NULL)
    *number /= number_of(divide);
  return status;
}
