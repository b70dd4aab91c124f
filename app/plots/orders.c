/* Orders of convergence as table and file. */
#include "app/plots/orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/results/comparisons.h"
#include "app/results/output.h"

seam_status orders_allocate(app_orders *study, seam_error *error) {
  const size_t n = study->n_kinds * study->steps.n;
  study->errors = calloc(study->schemes->n * n, sizeof *study->errors);
  study->floors = calloc(n, sizeof *study->floors);
  return study->errors != NULL && study->floors != NULL ? SEAM_OK : out_of_memory(error);
}

void orders_free(app_orders *study) {
  free(study->errors);
  free(study->floors);
}

double *orders_errors(const app_orders *study, size_t scheme, size_t kind) {
  return study->errors + (scheme * study->n_kinds + kind) * study->steps.n;
}

double *orders_floors(const app_orders *study, size_t kind) { return study->floors + kind * study->steps.n; }

seam_orders orders_find(const app_orders *study, size_t scheme, size_t kind) {
  return seam_orders_fit(study->steps.H, orders_errors(study, scheme, kind), orders_floors(study, kind),
                         study->steps.n);
}

size_t orders_left_out(const app_orders *study, size_t scheme, size_t kind, size_t *steps) {
  const double *errors = orders_errors(study, scheme, kind);
  const double *floors = orders_floors(study, kind);
  const double plateau = orders_find(study, scheme, kind).plateau;
  size_t n = 0;
  for (size_t i = 0; i < study->steps.n; i++)
    if (isfinite(errors[i]) && errors[i] <= fmax(plateau, floors[i]))
      steps[n++] = i;
  return n;
}

/* ---- Table ---- */

static void print_order(const seam_order *order) {
  if (isnan(order->slope))
    printf("  %5s", "-");
  else
    printf("  %5.2f", order->slope);
  if (isnan(order->interval))
    printf(" %6s", "-");
  else
    printf(" %6.2g", order->interval);
}

void orders_print(const app_orders *study) {
  const int width = study->schemes->width;
  size_t *steps = calloc(study->steps.n + 1, sizeof *steps);
  bool any = false;
  printf("\n%-*s", width, "order");
  for (size_t j = 0; j < study->n_kinds; j++)
    printf("  %29s", study->kinds[j].title);
  printf("\n%-*s", width, "");
  for (size_t j = 0; j < study->n_kinds; j++)
    printf("  %5s %6s %2s  %5s %6s", "all", "+-", "of", "fine", "+-");
  putchar('\n');
  for (size_t i = 0; i < study->schemes->n; i++) {
    printf("%-*s", study->schemes->width, study->schemes->names[i]);
    for (size_t j = 0; j < study->n_kinds; j++) {
      const seam_orders orders = orders_find(study, i, j);
      print_order(&orders.all);
      printf(" %2zu", orders.all.n);
      print_order(&orders.fine);
    }
    putchar('\n');
  }
  for (size_t i = 0; i < study->schemes->n && steps != NULL; i++)
    for (size_t j = 0; j < study->n_kinds; j++) {
      const double *H = study->steps.H;
      const double plateau = orders_find(study, i, j).plateau;
      const size_t n = orders_left_out(study, i, j, steps);
      for (size_t k = 0; k < n; k++) {
        if (k == 0)
          printf("left out of %s, %s: H = ", study->schemes->names[i], study->kinds[j].title);
        printf("%s%.4g", k > 0 ? ", " : "", H[steps[k]]);
      }
      if (n > 0)
        printf(" s (below %.1e)\n", fmax(plateau, orders_floors(study, j)[steps[n - 1]]));
      any |= n > 0;
    }
  if (any)
    printf("(left out: errors below %s, or that fall no more)\n", study->floor_is);
  free(steps);
}

/* ---- File ---- */

static void write_order(FILE *file, const char *scheme, const char *error, const char *steps, const seam_order *order) {
  csv_put_text(file, scheme);
  fprintf(file, ",%s,%s,%zu", error, steps, order->n);
  comparisons_write_number(file, order->slope);
  comparisons_write_number(file, order->interval);
  fputc('\n', file);
}

seam_status orders_write(const app_orders *study, const char *directory, seam_error *error) {
  output_file out = {.path = NULL};
  const seam_status status = output_begin(&out, directory, "orders.csv", error);
  if (status == SEAM_OK)
    fputs("scheme,error,macro_steps,count,order,interval\n", out.file);
  for (size_t i = 0; i < study->schemes->n * study->n_kinds && status == SEAM_OK; i++) {
    const size_t scheme = i / study->n_kinds;
    const size_t kind = i % study->n_kinds;
    const seam_orders orders = orders_find(study, scheme, kind);
    write_order(out.file, study->schemes->names[scheme], study->kinds[kind].column, "all", &orders.all);
    write_order(out.file, study->schemes->names[scheme], study->kinds[kind].column, "fine", &orders.fine);
  }
  return output_end(&out, status, error);
}
