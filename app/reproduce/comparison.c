/* A number in the results is a cell of a table, a statistic of a column over time, or a value in a JSON file. The
 * description states a number, or a claim, to compare it with. */
#include "app/reproduce/comparison.h"

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

/* Position of a number in a description. Its levels are row, column and table. The value of a key is that of the first
 * level with this key; the conditions of `where` of all levels must be met. */
typedef struct number_position {
  const description *of;
  const char *directory; /* directory of the results */
  const char *part;      /* part of the description, for messages */
  const json_node *levels[3];
  arena *memory;
} number_position;

/* Returns the value of a key; NULL: no level has it. */
static const json_node *number_key(const json_node *const levels[3], const char *key) {
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

/* Finds the path of a file of results. of: "STUDY" or "STUDY/FOLDER"; NULL: the first study. file NULL: the usual file
 * of the study. */
static seam_status find_file(const number_position *self, const char *of, const char *file, const char **path,
                             seam_error *error) {
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

static seam_status meets_conditions(const number_position *self, const csv_table *table, size_t row, bool *is_met,
                                    seam_error *error) {
  *is_met = true;
  for (size_t level = 0; level < 3; level++) {
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

static seam_status read_series(const number_position *self, const char *of, const char *file, const char *column,
                               series *result, seam_error *error) {
  csv_table table = {.text = NULL};
  const char *path = NULL;
  TRY(find_file(self, of, file, &path, error));
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

static seam_status number_of_json(const number_position *self, const char *of, const char *file, const char *column,
                                  double *number, seam_error *error) {
  const char *path = NULL;
  char *text = NULL;
  json_failure failure = {0};
  const json_node *node = NULL;
  TRY(find_file(self, of, file, &path, error));
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

static seam_status number_of_table(const number_position *self, const char *of, const char *file, const char *column,
                                   double *number, seam_error *error) {
  series s = {.n = 0}, other = {.n = 0};
  const json_node *minus = number_key(self->levels, "minus");
  const char *magnitude = text_key(self, "magnitude");
  TRY(read_series(self, of, file, column, &s, error));
  if (minus != NULL) {
    const double factor = number_of(text_or(minus, "times", "1"));
    TRY(read_series(self, text_or(minus, "of", of), text_or(minus, "file", file), text_or(minus, "column", column),
                    &other, error));
    for (size_t i = 0; i < s.n; i++)
      s.x[i] -= factor * value_at(&other, s.t[i]);
  }
  for (size_t i = 0; i < s.n && magnitude != NULL && strcmp(magnitude, "true") == 0; i++)
    s.x[i] = fabs(s.x[i]);
  return compute_statistic(self, &s, number, error);
}

/* ---- Numbers of a table ---- */

typedef struct comparing {
  const description *of;
  const char *directory;
  const json_node *table;
  comparison *result;
} comparing;

/* Returns text i of a list, which has one for each column, or a text that is for all columns. NULL: null or missing. */
static const char *nth_text(const json_node *stated, size_t i) {
  const json_node *one = stated->kind == JSON_LIST ? stated->first : stated;
  for (size_t k = 0; k < i && stated->kind == JSON_LIST && one != NULL; k++)
    one = one->next;
  return one != NULL && one->kind == JSON_STRING && strcmp(one->text, "null") != 0 ? one->text : NULL;
}

/* Finds a number by the keys of its row, column and table (docs/cli.md). NaN: the cell is empty. */
static seam_status read_number(const comparing *self, const json_node *row, const json_node *column, double *number,
                               seam_error *error) {
  char part[128];
  snprintf(part, sizeof part, "tables.%.40s.%.40s", self->table->key, row->key);
  arena memory = {0};
  const number_position at = {self->of, self->directory, part, {row, column, self->table}, &memory};
  const char *file = text_key(&at, "file");
  const char *name = text_key(&at, "column");
  const char *divide = text_key(&at, "divide");
  if (name == NULL)
    name = column != NULL ? column->key : "value";
  const bool is_json = file != NULL && strlen(file) > 5 && strcmp(file + strlen(file) - 5, ".json") == 0;
  const seam_status status =
      (is_json ? number_of_json : number_of_table)(&at, text_key(&at, "of"), file, name, number, error);
  arena_release(&memory);
  TRY(status);
  if (divide != NULL)
    *number /= number_of(divide);
  return SEAM_OK;
}

/* Finds the number in a row and column. A row with `order_from` names another row with twice the step; its number is
 * the order of convergence, log2(number in the other row / number in this row). */
static seam_status find_number(const comparing *self, const json_node *row, const json_node *column, double *number,
                               seam_error *error) {
  const char *longer = json_text(row, "order_from");
  const json_node *other = longer != NULL ? json_get(json_get(self->table, "rows"), longer) : NULL;
  double with_longer = 0;
  TRY(read_number(self, row, column, number, error));
  if (longer == NULL)
    return SEAM_OK;
  if (other == NULL)
    return description_fail(self->of, self->table->key, error, "order_from: there is no row '%.60s'", longer);
  TRY(read_number(self, other, column, &with_longer, error));
  *number = log2(with_longer / *number);
  return SEAM_OK;
}

/* Finds the number to compare with: `stated` or, if `stated` names a row, the number in this row and `column`. */
static seam_status find_other(const comparing *self, const char *stated, const json_node *column, double *number,
                              seam_error *error) {
  char *end = NULL;
  const json_node *row = json_get(json_get(self->table, "rows"), stated);
  *number = strtod(stated, &end);
  if (row != NULL)
    return find_number(self, row, column, number, error);
  if (end != stated && *end == '\0')
    return SEAM_OK;
  return description_fail(self->of, self->table->key, error, "'%.60s' is neither a number nor a row of the table",
                          stated);
}

/* ---- Findings ---- */

static const struct {
  const char *key, *text;
} kinds[] = {[PRINTED] = {"printed", "printed"},
             [INDEPENDENT] = {"independent", "computed by others"},
             [ABOVE] = {"above", "above"},
             [BELOW] = {"below", "below"}};
enum { n_kinds = sizeof kinds / sizeof *kinds };

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
static seam_status compare(const comparing *self, const json_node *row, const json_node *column, size_t i,
                           statement kind, seam_error *error) {
  comparison *result = self->result;
  const json_node *levels[] = {row, column, self->table};
  const json_node *all = number_key(levels, kinds[kind].key);
  const json_node *within = number_key(levels, "within");
  const json_node *differs = number_key(levels, "differs");
  const char *stated = all != NULL ? nth_text(all, i) : NULL;
  if (stated == NULL)
    return SEAM_OK;
  finding *larger = array_grow(result->list, &result->n_allocated, result->n + 1, sizeof *larger);
  TRY(check_memory(larger != NULL, error));
  result->list = larger;
  finding *one = &result->list[result->n++];
  bool is_stated = false; /* the source has a statement, too: `differs` is then the reason for it alone */
  for (int k = 0; k < n_kinds; k++)
    is_stated = is_stated || (k != INDEPENDENT && number_key(levels, kinds[k].key) != NULL);
  const bool has_reason = differs != NULL && (kind != INDEPENDENT || !is_stated);
  *one = (finding){.table = self->table->key,
                   .row = row->key,
                   .column = column != NULL ? column->key : NULL,
                   .kind = kind,
                   .stated = stated,
                   .known_reason = has_reason ? nth_text(differs, i) : NULL};
  TRY(find_number(self, row, column, &one->found, error));
  TRY(find_other(self, stated, column, &one->other, error));
  judge(one, within != NULL ? nth_text(within, i) : NULL);
  return SEAM_OK;
}

seam_status comparison_make(const description *self, const char *directory, comparison *result, seam_error *error) {
  for (const json_node *table = json_first(self->tables); table != NULL; table = table->next) {
    const comparing now = {self, directory, table, result};
    const json_node *rows = json_get(table, "rows");
    if (rows == NULL || rows->kind != JSON_OBJECT)
      return description_fail(self, table->key, error, "a table needs 'rows:', a map of names");
    for (const json_node *row = rows->first; row != NULL; row = row->next) {
      const json_node *column = json_first(json_get(table, "columns"));
      size_t i = 0;
      do {
        for (int kind = 0; kind < n_kinds; kind++)
          TRY(compare(&now, row, column, i, (statement)kind, error));
        column = column != NULL ? column->next : NULL;
        i++;
      } while (column != NULL);
    }
  }
  return SEAM_OK;
}

void comparison_free(comparison *self) { free(self->list); }

/* ---- Words ---- */

static bool is_expected(const finding *self) { return self->holds == (self->known_reason == NULL); }

void comparison_count(const comparison *self, comparison_counts *sum) {
  for (const finding *f = self->list; f < self->list + self->n; f++) {
    sum->unexpected += !is_expected(f);
    if (f->kind == PRINTED) {
      sum->printed++;
      sum->all_digits += f->agreement == ALL_DIGITS;
      sum->within_unit += f->agreement <= WITHIN_UNIT;
      sum->within_tolerance += f->agreement == WITHIN_TOLERANCE;
      sum->printed_differ += f->agreement == NO_AGREEMENT;
    } else if (f->kind == INDEPENDENT) {
      sum->independent++;
      sum->independent_hold += f->holds;
    } else {
      sum->claims++;
      sum->claims_hold += f->holds;
    }
  }
}

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
  if (!is_expected(self))
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
