/* `seam stability figure`: the stability figures of [Li] as docs/conventions.md reads them. The text does not
 * say how far the zooms of A.2 go: A.2-zoom takes a tenth of both axes. Left out: in 4.9 and 4.10, the
 * explicit method of another paper, which the text does not define. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/stability.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/plots/map_plot.h"
#include "app/results/output.h"

/* ---- The table ---- */

enum { MAX_LINES = 4, MAX_PANELS = 12 };

typedef struct line {
  const char *scheme; /* "%d" stands for the order */
  double ratio[5];    /* alpha-m21, -r21, -i21, -rc1, -ic1 */
} line;

typedef struct figure {
  const char *number, *model;
  double left, top; /* lambda-r from there to 0, lambda-i from 0 to there */
  bool orders_down; /* one order below the other, the lines side by side */
  size_t n_orders;  /* k = 0, 1, ... */
  size_t n_columns; /* of panels */
  line line[MAX_LINES];
} figure;

#define ALL(a)                                                                                                         \
  { a, a, a, a, a }
#define ONE_BY_ONE(scheme)                                                                                             \
  {                                                                                                                    \
    {scheme, ALL(1)}, {scheme, {10, 1, 1}}, {scheme, {1, 10, 1}}, {                                                    \
      scheme, { 1, 1, 10 }                                                                                             \
    }                                                                                                                  \
  }
#define EXTENSIONS(decomposition, a)                                                                                   \
  {                                                                                                                    \
    {decomposition "-k%d", ALL(a)}, {decomposition "-d-k%d", ALL(a)}, { decomposition "-i-k%d", ALL(a) }               \
  }

static const figure figures[] = {
    {"3.2", "constitutive", -2, 10, false, 4, 2, {{"ff-k%d", ALL(1)}}},
    {"3.3", "constitutive", -2, 10, false, 4, 2, {{"fd-k%d", ALL(1)}}},
    {"3.4", "constitutive", -2, 10, false, 4, 2, {{"dd-k%d", ALL(1)}}},
    {"3.5", "constitutive", -1, 2, false, 4, 2, {{"ff-k%d-explicit", ALL(1)}}},
    {"3.6", "constitutive", -1, 2, false, 4, 2, {{"fd-k%d-explicit", ALL(1)}}},
    {"3.7", "constitutive", -1, 2, false, 4, 2, {{"dd-k%d-explicit", ALL(1)}}},
    {"3.13", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("ff", 1)},
    {"3.14", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("ff", 10)},
    {"3.15", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("fd", 1)},
    {"3.16", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("fd", 10)},
    {"3.17", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("dd", 1)},
    {"3.18", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("dd", 10)},
    {"4.9", "constraint", -2, 10, true, 3, 1, {{"ff-index2-k%d", ALL(1)}}},
    {"4.10", "constraint", -2, 10, true, 3, 1, {{"ff-index2-k%d", ALL(10)}}},
    {"4.11", "constraint", -2, 10, false, 2, 2, {{"ff-index1-k%d", ALL(1)}, {"ff-index1-k%d", ALL(10)}}},
    {"A.1", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("ff-baumgarte(index=1,mu=1)-k%d")},
    {"A.2", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("ff-weighted(a=1,b=1)-k%d")},
    {"A.2-zoom", "constraint", -0.2, 0.2, false, 3, 3, ONE_BY_ONE("ff-weighted(a=1,b=1)-k%d")},
    {"A.3", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("ff-projection-k%d")},
    {"A.4", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("fd-baumgarte(index=1,mu=1)-k%d")},
    {"A.5", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("fd-weighted(a=1,b=1)-k%d")},
    {"A.6", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("fd-projection-k%d")},
    {"A.7", "constraint", -2, 2, false, 3, 3, ONE_BY_ONE("dd-projection-k%d")},
    {"A.8",
     "constraint",
     -2,
     2,
     false,
     3,
     3,
     {{"ff-baumgarte(index=2,mu=0.25)-k%d", ALL(2)},
      {"ff-baumgarte(index=2,mu=1)-k%d", ALL(2)},
      {"ff-baumgarte(index=2,mu=5)-k%d", ALL(2)}}},
    {"A.9",
     "constraint",
     -2,
     2,
     false,
     3,
     3,
     {{"ff-weighted(a=0.5,b=0)-k%d", ALL(2)},
      {"ff-weighted(a=1,b=0)-k%d", ALL(2)},
      {"ff-weighted(a=5,b=0)-k%d", ALL(2)}}},
    {"A.10", "constraint", -2, 2, false, 3, 3, {{"ff-baumgarte(index=3)-k%d", ALL(2)}}},
    {"A.11",
     "constraint",
     -2,
     2,
     false,
     3,
     3,
     {{"ff-baumgarte(index=1,mu=0.25)-k%d", ALL(2)},
      {"ff-baumgarte(index=1,mu=1)-k%d", ALL(2)},
      {"ff-baumgarte(index=1,mu=5)-k%d", ALL(2)}}},
    {"A.12",
     "constraint",
     -2,
     2,
     false,
     3,
     3,
     {{"ff-weighted(a=0.5,b=0.25)-k%d", ALL(2)},
      {"ff-weighted(a=1,b=1)-k%d", ALL(2)},
      {"ff-weighted(a=2.5,b=5)-k%d", ALL(2)}}},
};
enum { n_figures = sizeof figures / sizeof *figures };

static bool is_available(const figure *f) {
  seam_map map;
  return seam_map_default(f->model, &map, NULL) == SEAM_OK;
}

static const figure *find_figure(const char *number) {
  for (const figure *f = figures; f < figures + n_figures; f++)
    if (strcmp(f->number, number) == 0 && is_available(f))
      return f;
  seam_error error = {0};
  seam_fail(&error, SEAM_BAD_INPUT, "seam: there is no stability figure '%s'; there are:", number);
  fputs(error.message, stderr);
  for (const figure *f = figures; f < figures + n_figures; f++)
    if (is_available(f))
      fprintf(stderr, " %s", f->number);
  fputs("\n", stderr);
  return NULL;
}

/* ---- Panels ---- */

static size_t count_panels(const figure *f) {
  size_t n_lines = 0;
  while (n_lines < MAX_LINES && f->line[n_lines].scheme != NULL)
    n_lines++;
  return n_lines * f->n_orders;
}

/* The order takes the place of "%d". */
static void name_scheme(const char *pattern, size_t order, char *scheme, size_t size) {
  const size_t before = strcspn(pattern, "%");
  snprintf(scheme, size, "%.*s%zu%s", (int)before, pattern, order, pattern + before + 2);
}

static seam_status make_panel(const figure *f, size_t i, const app_options *parsed, map_panel *panel,
                              seam_error *error) {
  static const char *const ratios[] = {"alpha-m21", "alpha-r21", "alpha-i21", "alpha-rc1", "alpha-ic1"};
  const size_t n_lines = count_panels(f) / f->n_orders;
  const line *l = &f->line[f->orders_down ? i % n_lines : i / f->n_orders];
  const size_t order = f->orders_down ? i / n_lines : i % f->n_orders;
  seam_map *map = &panel->map;
  const seam_status status = seam_map_default(f->model, map, error);
  if (status != SEAM_OK)
    return status;
  for (int r = 0; r < 5; r++) {
    int parameter = 0;
    if (seam_map_parameter(f->model, ratios[r], &parameter, NULL) == SEAM_OK)
      map->value[parameter] = l->ratio[r];
  }
  map->x.from = f->left;
  map->y.to = f->top;
  map->threads = stability_threads(parsed);
  name_scheme(l->scheme, order, panel->scheme, sizeof panel->scheme);
  snprintf(panel->title, sizeof panel->title, "%s  %g %g %g", panel->scheme, l->ratio[0], l->ratio[1], l->ratio[2]);
  return SEAM_OK;
}

static seam_status write_panel(const map_panel *panel, const char *directory, size_t i, seam_error *error) {
  char name[32];
  snprintf(name, sizeof name, "panel-%02zu.csv", i + 1);
  return map_panel_write(panel, directory, name, error);
}

static seam_status draw(const figure *f, const app_options *parsed, const char *directory, seam_error *error) {
  map_panel panels[MAX_PANELS] = {0};
  const size_t n = count_panels(f);
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = make_panel(f, i, parsed, &panels[i], error);
  app_progress bar = progress_start(options_flag(parsed, "--quiet"));
  if (status == SEAM_OK)
    status = output_make_directory(directory, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    progress_phase(&bar, panels[i].scheme, 1, (double)(n - 1 - i));
    status = map_panel_find(&panels[i], &bar, error);
    if (status == SEAM_OK)
      status = write_panel(&panels[i], directory, i, error);
    if (status == SEAM_OK)
      map_panel_print(&panels[i]);
  }
  if (status == SEAM_OK)
    status = map_plot(panels, n, f->n_columns, options_flag(parsed, "--rho"), directory, "figure", error);
  for (size_t i = 0; i < n; i++)
    map_panel_free(&panels[i]);
  return status;
}

static int run(const app_options *parsed) {
  char by_default[64];
  seam_error error = {0};
  const figure *f = find_figure(parsed->operands[0]);
  const char *given = options_value(parsed, "-o");
  if (f == NULL)
    return 2;
  if (stability_threads(parsed) < 0)
    return stability_wrong("--threads takes a count from 1 to 256", "write --threads 2");
  interrupt_catch();
  snprintf(by_default, sizeof by_default, "results/figure-%s", f->number);
  const seam_status status = draw(f, parsed, given == NULL ? by_default : given, &error);
  if (status != SEAM_OK)
    print_failure(&error);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {.name = "-o", .value = "DIR", .help = "write the results there; default: results/figure-NUMBER"},
    OPTION_RHO,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0}};

const app_command stability_figure_command = {
    .name = "figure",
    .group = "stability ",
    .summary = "a stability figure of Li's dissertation",
    .operands = "NUMBER",
    .details =
        "Draws the stability figure of that number in Li's dissertation: DIR/panel-NN.csv and a picture (gnuplot).\n"
        "'seam stability figure 0' lists the numbers.\n"
        "\n"
        "  seam stability figure 3.14",
    .options = table,
    .least_operands = 1,
    .max_operands = 1,
    .run = run,
};
