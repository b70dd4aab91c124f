/* `seam stability figure`: the stability figures of [Li] as docs/conventions.md reads them. The text does not
 * say how far the zooms of A.2 go: A.2-zoom takes a tenth of both axes. Left out: in 4.9 and 4.10, the
 * explicit method of another paper, which the text does not define. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/stability.h"

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
#define ONE(scheme, a)                                                                                                 \
  {                                                                                                                    \
    { scheme "-k%d", ALL(a) }                                                                                          \
  }
#define THREE(one, two, three, a)                                                                                      \
  {                                                                                                                    \
    {one "-k%d", ALL(a)}, {two "-k%d", ALL(a)}, { three "-k%d", ALL(a) }                                               \
  }
#define ONE_BY_ONE(scheme)                                                                                             \
  {                                                                                                                    \
    {scheme "-k%d", ALL(1)}, {scheme "-k%d", {10, 1, 1}}, {scheme "-k%d", {1, 10, 1}}, {                               \
      scheme "-k%d", { 1, 1, 10 }                                                                                      \
    }                                                                                                                  \
  }
#define EXTENSIONS(decomposition, a) THREE(decomposition, decomposition "-d", decomposition "-i", a)
#define APPENDIX "constraint", -2, 2, false, 3, 3
#define BAUMGARTE(options) "ff-baumgarte(" options ")"
#define WEIGHTED(options) "ff-weighted(" options ")"

static const figure figures[] = {
    {"3.2", "constitutive", -2, 10, false, 4, 2, ONE("ff", 1)},
    {"3.3", "constitutive", -2, 10, false, 4, 2, ONE("fd", 1)},
    {"3.4", "constitutive", -2, 10, false, 4, 2, ONE("dd", 1)},
    {"3.5", "constitutive", -1, 2, false, 4, 2, {{"ff-k%d-explicit", ALL(1)}}},
    {"3.6", "constitutive", -1, 2, false, 4, 2, {{"fd-k%d-explicit", ALL(1)}}},
    {"3.7", "constitutive", -1, 2, false, 4, 2, {{"dd-k%d-explicit", ALL(1)}}},
    {"3.13", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("ff", 1)},
    {"3.14", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("ff", 10)},
    {"3.15", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("fd", 1)},
    {"3.16", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("fd", 10)},
    {"3.17", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("dd", 1)},
    {"3.18", "constitutive", -2, 10, true, 3, 3, EXTENSIONS("dd", 10)},
    {"4.9", "constraint", -2, 10, true, 3, 1, ONE("ff-index2", 1)},
    {"4.10", "constraint", -2, 10, true, 3, 1, ONE("ff-index2", 10)},
    {"4.11", "constraint", -2, 10, false, 2, 2, {{"ff-index1-k%d", ALL(1)}, {"ff-index1-k%d", ALL(10)}}},
    {"A.1", APPENDIX, ONE_BY_ONE(BAUMGARTE("index=1,mu=1"))},
    {"A.2", APPENDIX, ONE_BY_ONE(WEIGHTED("a=1,b=1"))},
    {"A.2-zoom", "constraint", -0.2, 0.2, false, 3, 3, ONE_BY_ONE(WEIGHTED("a=1,b=1"))},
    {"A.3", APPENDIX, ONE_BY_ONE("ff-projection")},
    {"A.4", APPENDIX, ONE_BY_ONE("fd-baumgarte(index=1,mu=1)")},
    {"A.5", APPENDIX, ONE_BY_ONE("fd-weighted(a=1,b=1)")},
    {"A.6", APPENDIX, ONE_BY_ONE("fd-projection")},
    {"A.7", APPENDIX, ONE_BY_ONE("dd-projection")},
    {"A.8", APPENDIX, THREE(BAUMGARTE("index=2,mu=0.25"), BAUMGARTE("index=2,mu=1"), BAUMGARTE("index=2,mu=5"), 2)},
    {"A.9", APPENDIX, THREE(WEIGHTED("a=0.5,b=0"), WEIGHTED("a=1,b=0"), WEIGHTED("a=5,b=0"), 2)},
    {"A.10", APPENDIX, ONE(BAUMGARTE("index=3"), 2)},
    {"A.11", APPENDIX, THREE(BAUMGARTE("index=1,mu=0.25"), BAUMGARTE("index=1,mu=1"), BAUMGARTE("index=1,mu=5"), 2)},
    {"A.12", APPENDIX, THREE(WEIGHTED("a=0.5,b=0.25"), WEIGHTED("a=1,b=1"), WEIGHTED("a=2.5,b=5"), 2)},
};
enum { n_figures = sizeof figures / sizeof *figures };

static const figure *find_figure(const char *number, seam_error *error) {
  char list[512] = "";
  size_t used = 0;
  for (const figure *f = figures; f < figures + n_figures; f++) {
    if (strcmp(f->number, number) == 0)
      return f;
    used += (size_t)snprintf(list + used, sizeof list - used, " %s", f->number);
  }
  seam_fail(error, SEAM_BAD_INPUT, "seam: there is no stability figure '%s'; there are:%s", number, list);
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
  map->threads = 0;
  name_scheme(l->scheme, order, panel->scheme, sizeof panel->scheme);
  snprintf(panel->title, sizeof panel->title, "%s  %g %g %g", panel->scheme, l->ratio[0], l->ratio[1], l->ratio[2]);
  return options_threads(parsed, &map->threads, error);
}

static int run(const app_options *parsed, seam_error *error) {
  map_panel panels[MAX_PANELS] = {0};
  char usual[64];
  const figure *f = find_figure(parsed->operands[0], error);
  seam_status status = error->status;
  const size_t n = f != NULL ? count_panels(f) : 0;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = make_panel(f, i, parsed, &panels[i], error);
  if (status == SEAM_OK) {
    snprintf(usual, sizeof usual, "results/figure-%s", f->number);
    status = stability_draw(parsed, panels, n, f->n_columns, usual, "figure", error);
  }
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
