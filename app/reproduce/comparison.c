#include "app/reproduce/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/reproduce/tables.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/thresholds.h"
#include "base/arrays.h"
#include "base/number.h"
#include "base/then.h"

static const struct {
  const char *key, *text;
} kinds[] = {[PRINTED] = {"printed", "printed"},
             [INDEPENDENT] = {"independent", "computed by others"},
             [ABOVE] = {"above", "above"},
             [BELOW] = {"below", "below"}};
enum { n_kinds = sizeof kinds / sizeof *kinds };

/* ---- Numbers ---- */

typedef struct comparing {
  const description *of;
  const char *directory;
  const json_node *table;
  comparison *result;
} comparing;

/* Returns text i of a list `stated`, which has one text for each column. If `stated` is a text, all columns have this
 * text. NULL: the text is null or missing. */
static const char *text_of(const json_node *stated, size_t i) {
  const json_node *one = stated->kind == JSON_LIST ? stated->first : stated;
  for (size_t k = 0; k < i && stated->kind == JSON_LIST && one != NULL; k++)
    one = one->next;
  return one != NULL && one->kind == JSON_STRING && strcmp(one->text, "null") != 0 ? one->text : NULL;
}

static seam_status read_number(const comparing *self, const json_node *row, const json_node *column, double *number,
                               seam_error *error) {
  char part[128];
  snprintf(part, sizeof part, "tables.%.40s.%.40s", self->table->key, row->key);
  const number_position position = {
      self->of, self->directory, part, {row, column, self->table}, column != NULL ? column->key : "value"};
  return tables_number(&position, number, error);
}

/* Finds the number in a row and column. If the row has the key `order_from`, finds the order of convergence instead.
 * The key names another row, which has twice the step: order = log2(number in the other row / number in this row). */
static seam_status find_number(const comparing *self, const json_node *row, const json_node *column, double *number,
                               seam_error *error) {
  const char *longer = json_text(row, "order_from");
  const json_node *other = longer != NULL ? json_get(json_get(self->table, "rows"), longer) : NULL;
  double with_longer = 0;
  seam_status status = read_number(self, row, column, number, error);
  if (status != SEAM_OK || longer == NULL)
    return status;
  if (other == NULL)
    return description_fail(self->of, self->table->key, error, "order_from: there is no row '%.60s'", longer);
  status = read_number(self, other, column, &with_longer, error);
  *number = log2(with_longer / *number);
  return status;
}

/* Finds the number to compare with: `stated` itself or, if `stated` is the name of a row, the number in this row and
 * `column`. */
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

/* Compares with number i of the statements of one kind, if there is such a number. */
static seam_status compare(const comparing *self, const json_node *row, const json_node *column, size_t i,
                           statement kind, seam_error *error) {
  comparison *result = self->result;
  const json_node *levels[] = {row, column, self->table};
  const json_node *all = number_key(levels, kinds[kind].key);
  const json_node *within = number_key(levels, "within");
  const json_node *differs = number_key(levels, "differs");
  const char *stated = all != NULL ? text_of(all, i) : NULL;
  if (stated == NULL)
    return SEAM_OK;
  finding *larger = array_grow(result->list, &result->n_allocated, result->n + 1, sizeof *larger);
  if (larger == NULL)
    return out_of_memory(error);
  result->list = larger;
  finding *one = &result->list[result->n++];
  bool is_stated = false; /* the source has a statement here: a reason applies to it, and not to the number of others */
  for (int k = 0; k < n_kinds; k++)
    is_stated = is_stated || (k != INDEPENDENT && number_key(levels, kinds[k].key) != NULL);
  const bool has_reason = differs != NULL && (kind != INDEPENDENT || !is_stated);
  *one = (finding){.table = self->table->key,
                   .row = row->key,
                   .column = column != NULL ? column->key : NULL,
                   .kind = kind,
                   .stated = stated,
                   .known_reason = has_reason ? text_of(differs, i) : NULL};
  seam_status status = find_number(self, row, column, &one->found, error);
  THEN(status, find_other(self, stated, column, &one->other, error));
  if (status == SEAM_OK)
    judge(one, within != NULL ? text_of(within, i) : NULL);
  return status;
}

seam_status comparison_make(const description *self, const char *directory, comparison *result, seam_error *error) {
  seam_status status = SEAM_OK;
  const json_node *table = self->tables != NULL ? self->tables->first : NULL;
  for (; table != NULL && status == SEAM_OK; table = table->next) {
    const comparing now = {self, directory, table, result};
    const json_node *columns = json_get(table, "columns");
    const json_node *rows = json_get(table, "rows");
    if (rows == NULL || rows->kind != JSON_OBJECT)
      return description_fail(self, table->key, error, "a table needs 'rows:', a map of names");
    for (const json_node *row = rows->first; row != NULL; row = row->next) {
      const json_node *column = columns != NULL ? columns->first : NULL;
      size_t i = 0;
      do {
        for (int kind = 0; kind < n_kinds; kind++)
          THEN(status, compare(&now, row, column, i, (statement)kind, error));
        column = column != NULL ? column->next : NULL;
        i++;
      } while (column != NULL);
    }
  }
  return status;
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
  const seam_status status = output_begin(&out, directory, "values.csv", error);
  if (status == SEAM_OK)
    fputs("table,row,column,kind,said,found,units,holds,differs\n", out.file);
  for (size_t i = 0; i < self->n && status == SEAM_OK; i++) {
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
  return output_end(&out, status, error);
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
