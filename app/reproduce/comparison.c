/* A number in the results is a cell of a table, a statistic of a column over time, or a value in a JSON file. The
 * description states a number, or a claim, to compare it with. */
#include "app/reproduce/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/thresholds.h"
#include "base/arrays.h"
#include "base/number.h"
#include "base/then.h"

static double number_of(const char *text) {
  char *end = NULL;
  const double number = text != NULL ? strtod(text, &end) : NAN;
  return end != text && *end == '\0' ? number : NAN;
}

/* Returns true if the texts are equal, or numbers that agree to nine digits. */
static bool is_same(const char *cell, const char *wanted) {
  if (cell == NULL || strcmp(cell, wanted) == 0)
    return cell != NULL;
  const double number = number_of(wanted);
  return fabs(number_of(cell) - number) <= app_number_tolerance * fabs(number);
}

/* ---- Keys of a number ---- */

/* A number in a description. The value of a key is that of the first level with this key; the conditions of `where` of
 * all levels must be met. While the series of the key `minus` is read, this key is the first level. */
enum { MINUS, ROW, COLUMN, TABLE, N_LEVELS };
typedef struct cell {
  const description *of;
  const char *directory; /* directory of the results */
  char part[128];        /* part of the description, for messages */
  const json_node *levels[N_LEVELS];
  arena *memory;
} cell;

/* Returns the value of a key; NULL: no level has it. */
static const json_node *key_of(const cell *self, const char *key) {
  const json_node *found = NULL;
  for (size_t i = 0; i < N_LEVELS && found == NULL; i++)
    found = json_get(self->levels[i], key);
  return found;
}

static const char *text_key(const cell *self, const char *key) {
  const json_node *found = key_of(self, key);
  return found != NULL ? found->text : NULL;
}

/* Returns the name of the column of the results, or the path of a value in a JSON file. */
static const char *column_of(const cell *self) {
  const char *name = text_key(self, "column");
  return name != NULL ? name : self->levels[COLUMN] != NULL ? self->levels[COLUMN]->key : "value";
}

/* Finds the path of the file of results that the keys `of`, "STUDY" or "STUDY/FOLDER", and `file` name. Without them it
 * is in the first study, and the usual file of the study. */
static seam_status find_file(const cell *self, const char **path, seam_error *error) {
  const char *of = text_key(self, "of");
  const char *file = text_key(self, "file");
  const json_node *study = of != NULL ? studies_find(self->of, of) : self->of->studies->first;
  if (study == NULL)
    return description_fail(self->of, self->part, error, "there is no study '%.60s'", of);
  file = file != NULL ? file : studies_file(study);
  if (file == NULL)
    return description_fail(self->of, self->part, error,
                            "'file' is missing; name the file of results that has the number");
  *path = arena_print(self->memory, "%s/%s/%s", self->directory, of != NULL ? of : study->key, file);
  return check_memory(*path != NULL, error);
}

/* ---- Rows ---- */

static seam_status meets_conditions(const cell *self, const csv_table *table, size_t row, bool *is_met,
                                    seam_error *error) {
  *is_met = true;
  for (size_t level = 0; level < N_LEVELS; level++) {
    const json_node *one = json_first(json_get(self->levels[level], "where"));
    for (; one != NULL; one = one->next) {
      const size_t column = csv_table_find(table, one->key);
      if (column == SEAM_NONE || one->text == NULL)
        return description_fail(self->of, self->part, error, "where: the table has no column '%.60s'", one->key);
      *is_met = *is_met && is_same(table->cells[row * table->n_columns + column], one->text);
    }
  }
  return SEAM_OK;
}

/* A column over time, in the rows that meet the conditions of `where`. */
typedef struct series {
  double *t, *x; /* (n) */
  size_t n;
} series;

static seam_status read_series(const cell *self, series *result, seam_error *error) {
  const char *column = column_of(self);
  csv_table table = {.text = NULL};
  const char *path = NULL;
  TRY(find_file(self, &path, error));
  seam_status status = csv_table_read(path, &table, error);
  table.n_rows -= table.is_cut;
  const size_t number = csv_table_find(&table, column);
  const size_t time = csv_table_find(&table, "time");
  result->t = arena_allocate(self->memory, (table.n_rows + 1) * sizeof *result->t);
  result->x = arena_allocate(self->memory, (table.n_rows + 1) * sizeof *result->x);
  THEN(status, check_memory(result->t != NULL && result->x != NULL, error));
  if (status == SEAM_OK && number == SEAM_NONE)
    status = description_fail(self->of, self->part, error, "the table has no column '%.60s'", column);
  for (size_t row = 1; row < table.n_rows && status == SEAM_OK; row++) {
    char **cells = table.cells + row * table.n_columns;
    bool is_met = false;
    status = meets_conditions(self, &table, row, &is_met, error);
    if (!is_met)
      continue;
    result->t[result->n] = time != SEAM_NONE ? number_of(cells[time]) : NAN;
    result->x[result->n++] = number_of(cells[number]);
  }
  csv_table_free(&table);
  return status;
}

/* ---- Figures over a series ---- */

/* Interpolates linearly between rows. Outside them takes the first or the last row. */
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

static seam_status compute_statistic(const cell *self, const series *s, double *number, seam_error *error) {
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
  double integral = 0; /* weights each value with the step that ends at it; the first is not used */
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

static seam_status number_of_json(const cell *self, double *number, seam_error *error) {
  const char *column = column_of(self);
  const char *path = NULL;
  char *text = NULL;
  json_failure failure = {0};
  const json_node *node = NULL;
  TRY(find_file(self, &path, error));
  seam_status status = output_read(path, &text, error);
  if (status == SEAM_OK && !json_parse(text, self->memory, &node, &failure))
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
  free(text);
  return status;
}

static seam_status number_of_table(const cell *self, double *number, seam_error *error) {
  series s = {.n = 0}, other = {.n = 0};
  const char *magnitude = text_key(self, "magnitude");
  cell taken_away = *self;
  taken_away.levels[MINUS] = key_of(self, "minus");
  TRY(read_series(self, &s, error));
  if (taken_away.levels[MINUS] != NULL) {
    const char *times = json_text(taken_away.levels[MINUS], "times");
    const double factor = times != NULL ? number_of(times) : 1;
    TRY(read_series(&taken_away, &other, error));
    for (size_t i = 0; i < s.n; i++)
      s.x[i] -= factor * value_at(&other, s.t[i]);
  }
  for (size_t i = 0; i < s.n && magnitude != NULL && strcmp(magnitude, "true") == 0; i++)
    s.x[i] = fabs(s.x[i]);
  return compute_statistic(self, &s, number, error);
}

/* ---- Numbers of a table ---- */

/* Returns text i of a list, which has one for each column, or a text that is for all columns. NULL: null or missing. */
static const char *nth_text(const json_node *stated, size_t i) {
  const json_node *one = stated->kind == JSON_LIST ? stated->first : stated;
  for (size_t k = 0; k < i && stated->kind == JSON_LIST && one != NULL; k++)
    one = one->next;
  return one != NULL && one->kind == JSON_STRING && strcmp(one->text, "null") != 0 ? one->text : NULL;
}

static const json_node *row_named(const cell *self, const char *name) {
  return name != NULL ? json_get(json_get(self->levels[TABLE], "rows"), name) : NULL;
}

/* Finds the number in a row, by the keys of its row, column and table (docs/cli.md). NaN: the cell is empty. */
static seam_status read_number(const cell *self, const json_node *row, double *number, seam_error *error) {
  arena memory = {0};
  cell at = *self;
  at.memory = &memory;
  at.levels[ROW] = row;
  snprintf(at.part, sizeof at.part, "tables.%.40s.%.40s", self->levels[TABLE]->key, row->key);
  const char *file = text_key(&at, "file");
  const char *divide = text_key(&at, "divide");
  const bool is_json = file != NULL && strlen(file) > 5 && strcmp(file + strlen(file) - 5, ".json") == 0;
  const seam_status status = (is_json ? number_of_json : number_of_table)(&at, number, error);
  arena_release(&memory);
  if (status == SEAM_OK && divide != NULL)
    *number /= number_of(divide);
  return status;
}

/* Finds the number in a row. A row with `order_from` names another row with twice the step; its number is the order of
 * convergence, log2(number in the other row / number in this row). */
static seam_status find_number(const cell *self, const json_node *row, double *number, seam_error *error) {
  const char *longer = json_text(row, "order_from");
  const json_node *other = row_named(self, longer);
  double with_longer = 0;
  TRY(read_number(self, row, number, error));
  if (longer == NULL)
    return SEAM_OK;
  if (other == NULL)
    return description_fail(self->of, self->part, error, "order_from: there is no row '%.60s'", longer);
  TRY(read_number(self, other, &with_longer, error));
  *number = log2(with_longer / *number);
  return SEAM_OK;
}

/* Finds the number to compare with: `stated` or, if `stated` names a row, the number in this row. */
static seam_status find_other(const cell *self, const char *stated, double *number, seam_error *error) {
  const json_node *row = row_named(self, stated);
  if (row != NULL)
    return find_number(self, row, number, error);
  char *end = NULL;
  *number = strtod(stated, &end);
  if (end != stated && *end == '\0')
    return SEAM_OK;
  return description_fail(self->of, self->part, error, "'%.60s' is neither a number nor a row of the table", stated);
}

/* ---- Findings ---- */

static const struct {
  const char *key, *text;
} kinds[N_STATEMENTS] = {[PRINTED] = {"printed", "printed"},
                         [INDEPENDENT] = {"independent", "computed by others"},
                         [ABOVE] = {"above", "above"},
                         [BELOW] = {"below", "below"}};

static void judge(finding *self, const char *within) {
  const double difference = fabs(self->found - self->other);
  if (self->kind == ABOVE || self->kind == BELOW) {
    self->units = NAN;
    self->holds = self->kind == ABOVE ? self->found > self->other : self->found < self->other;
  } else {
    const char *point = strchr(self->stated, '.');
    const char *exponent = strpbrk(self->stated, "eE");
    const size_t digits = point == NULL ? 0 : exponent != NULL ? (size_t)(exponent - point) - 1 : strlen(point + 1);
    self->units = difference / pow(10, (exponent != NULL ? atof(exponent + 1) : 0) - (double)digits);
    self->holds = within != NULL ? difference <= strtod(within, NULL) * fabs(self->other)
                                 : self->units <= 1 + app_digit_tolerance;
  }
  if (!self->holds)
    self->agreement = NO_AGREEMENT;
  else if (self->units <= 0.5 + app_digit_tolerance)
    self->agreement = ALL_DIGITS;
  else
    self->agreement = self->units <= 1 + app_digit_tolerance ? WITHIN_UNIT : WITHIN_TOLERANCE;
}

/* Compares the number with statement i of this kind. Does nothing if the description has no such statement. */
static seam_status compare(const cell *self, size_t i, statement kind, comparison *result, seam_error *error) {
  const json_node *all = key_of(self, kinds[kind].key);
  const json_node *within = key_of(self, "within");
  const json_node *differs = key_of(self, "differs");
  const json_node *row = self->levels[ROW];
  const json_node *column = self->levels[COLUMN];
  const char *stated = all != NULL ? nth_text(all, i) : NULL;
  if (stated == NULL)
    return SEAM_OK;
  finding *larger = array_grow(result->list, &result->n_allocated, result->n + 1, sizeof *larger);
  TRY(check_memory(larger != NULL, error));
  result->list = larger;
  finding *one = &result->list[result->n++];
  bool is_stated = false; /* the source has a statement, too: `differs` is then the reason for it alone */
  for (int k = 0; k < N_STATEMENTS; k++)
    is_stated = is_stated || (k != INDEPENDENT && key_of(self, kinds[k].key) != NULL);
  const bool has_reason = differs != NULL && (kind != INDEPENDENT || !is_stated);
  *one = (finding){.table = self->levels[TABLE]->key,
                   .row = row->key,
                   .column = column != NULL ? column->key : NULL,
                   .kind = kind,
                   .stated = stated,
                   .known_reason = has_reason ? nth_text(differs, i) : NULL};
  TRY(find_number(self, row, &one->found, error));
  TRY(find_other(self, stated, &one->other, error));
  judge(one, within != NULL ? nth_text(within, i) : NULL);
  return SEAM_OK;
}

seam_status comparison_make(const description *of, const char *directory, comparison *result, seam_error *error) {
  for (const json_node *table = json_first(of->tables); table != NULL; table = table->next) {
    cell now = {.of = of, .directory = directory, .levels = {[TABLE] = table}};
    snprintf(now.part, sizeof now.part, "%.100s", table->key);
    const json_node *rows = json_get(table, "rows");
    if (rows == NULL || rows->kind != JSON_OBJECT)
      return description_fail(of, table->key, error, "a table needs 'rows:', a map of names");
    for (now.levels[ROW] = rows->first; now.levels[ROW] != NULL; now.levels[ROW] = now.levels[ROW]->next) {
      const json_node **column = &now.levels[COLUMN];
      size_t i = 0;
      *column = json_first(json_get(table, "columns"));
      do {
        for (int kind = 0; kind < N_STATEMENTS; kind++)
          TRY(compare(&now, i, (statement)kind, result, error));
        *column = *column != NULL ? (*column)->next : NULL;
        i++;
      } while (*column != NULL);
    }
  }
  return SEAM_OK;
}

void comparison_free(comparison *self) { free(self->list); }

/* ---- Words ---- */

const char *finding_kind(const finding *self) { return kinds[self->kind].text; }

void finding_text(const finding *self, char *text, size_t size) {
  const double share = fabs(self->found - self->other) / fabs(self->other);
  if (self->kind == ABOVE || self->kind == BELOW)
    snprintf(text, size, self->holds ? "holds" : "does not hold");
  else if (self->agreement == ALL_DIGITS)
    snprintf(text, size, "all digits");
  else if (self->agreement == WITHIN_UNIT)
    snprintf(text, size, "within a unit of the last digit");
  else
    snprintf(text, size, "%s %.2g %%", self->agreement == WITHIN_TOLERANCE ? "within" : "differs by", 100 * share);
  const size_t used = strlen(text);
  if (!finding_is_expected(self))
    snprintf(text + used, size - used, "; the description says otherwise");
}

seam_status comparison_write(const comparison *self, const char *directory, seam_error *error) {
  output_file out = {.path = NULL};
  TRY(output_begin(&out, directory, "values.csv", error));
  fputs("table,row,column,kind,said,found,units,holds,differs\n", out.file);
  for (size_t i = 0; i < self->n; i++) {
    const finding *f = &self->list[i];
    const char *texts[] = {f->table, f->row, f->column != NULL ? f->column : "", kinds[f->kind].key, f->stated};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
      csv_write_text(out.file, texts[k]);
      fputc(',', out.file);
    }
    shortest_print(out.file, f->found);
    if (isfinite(f->units))
      fprintf(out.file, ",%.3g,%d,", f->units, f->holds);
    else
      fprintf(out.file, ",,%d,", f->holds);
    csv_write_text(out.file, f->known_reason != NULL ? f->known_reason : "");
    fputc('\n', out.file);
  }
  return output_end(&out, SEAM_OK, error);
}

void comparison_print(const comparison *self) {
  for (const finding *f = self->list; f < self->list + self->n; f++) {
    char words[128];
    char name[96];
    finding_text(f, words, sizeof words);
    snprintf(name, sizeof name, "%s%s%s", f->row, f->column != NULL ? ", " : "", f->column != NULL ? f->column : "");
    printf("  %-32s %s %-12s found %-12.6g %s\n", name, kinds[f->kind].text, f->stated, f->found, words);
    if (f->known_reason != NULL)
      printf("  %-32s known: %s\n", "", f->known_reason);
  }
}
