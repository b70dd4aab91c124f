/* `seam stability map`: computes the spectral radius on a grid of two parameters of a textbook model, with a panel for
 * each scheme and for each --row of parameter values. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/macro_steps.h"
#include "app/plots/map_plot.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "base/then.h"

static const double max_points = 1e7;

static seam_status read_axis(const app_options *parsed, const char *option, const char *model, seam_map_axis *axis,
                             seam_error *error) {
  const char *text = options_value(parsed, option);
  char name[OPTIONS_MAX_NAME];
  if (text == NULL)
    return SEAM_OK;
  const size_t length = strcspn(text, "=");
  const char *spacing =
      text[length] == '=' ? range_read(text + length + 1, &axis->from, &axis->to, &axis->count) : NULL;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  axis->is_geometric = spacing != NULL && strcmp(spacing, ":log") == 0;
  if (spacing == NULL || (*spacing != '\0' && !axis->is_geometric))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %s %s: write NAME=FROM:TO:COUNT, as in lambda-r=-2:0:41, or NAME=FROM:TO:COUNT:log", option,
                     text);
  return seam_map_parameter(model, name, &axis->parameter, error);
}

/* Reads NAME=NUMBER, a parameter that is not an axis, into the map. *tail: text after the number. */
static seam_status read_value(const char *option, const char *text, seam_map *map, const char **tail,
                              seam_error *error) {
  char name[OPTIONS_MAX_NAME];
  double number = 0;
  int parameter = 0;
  seam_status status = options_assignment(option, text, name, &number, tail, error);
  THEN(status, seam_map_parameter(map->model, name, &parameter, error));
  if (status != SEAM_OK)
    return status;
  map->value[parameter] = number;
  if (parameter == map->x.parameter || parameter == map->y.parameter)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %s %s: this is an axis of the map; leave it out, or give --x and --y other parameters",
                     option, text);
  return SEAM_OK;
}

/* Reads the options that all panels have in common into the map. */
static seam_status read_map(const app_options *parsed, seam_map *map, seam_error *error) {
  const char *model = options_value(parsed, "--model");
  if (model == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a model is needed; write --model constitutive, --model constraint or --model mbcorr");
  seam_status status = seam_map_default(model, map, error);
  THEN(status, read_axis(parsed, "--x", model, &map->x, error));
  THEN(status, read_axis(parsed, "--y", model, &map->y, error));
  for (size_t i = 0; i < parsed->n_overrides && status == SEAM_OK; i++) {
    const char *tail = "";
    status = read_value("--set", parsed->overrides[i], map, &tail, error);
    if (status == SEAM_OK && *tail != '\0')
      status = seam_fail(error, SEAM_BAD_INPUT, "seam: --set %s: write one value, or --row for several",
                         parsed->overrides[i]);
  }
  THEN(status, options_number(parsed, "--accuracy", DBL_MIN, DBL_MAX, &map->accuracy, error));
  if (status == SEAM_OK && (double)map->x.count * (double)map->y.count > max_points)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a map takes at most %g points, not %zu x %zu: give --x and --y fewer points", max_points,
                     map->x.count, map->y.count);
  map->threads = 0;
  THEN(status, options_threads(parsed, &map->threads, error));
  return status;
}

/* Computes n maps, writes them, draws them in pictures, n_columns side by side, and frees their points. A single map is
 * written as map.csv; several maps as panel-01.csv, ..., with their counts in panels.csv. */
static seam_status draw(const app_options *parsed, map_panel *panels, size_t n, size_t n_columns, seam_error *error) {
  const map_style style = options_flag(parsed, "--rho")        ? MAP_COLOURS
                          : options_flag(parsed, "--together") ? MAP_LINES
                                                               : MAP_REGIONS;
  const char *given = options_value(parsed, "-o");
  const char *directory = given != NULL ? given : "results/map";
  app_progress bar = progress_start(options_flag(parsed, "--quiet"));
  interrupt_catch();
  seam_status status = output_make_directory(directory, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    char file[32] = "map.csv";
    if (n > 1)
      snprintf(file, sizeof file, "panel-%02zu.csv", i + 1);
    progress_phase(&bar, panels[i].scheme, 1, (double)(n - 1 - i));
    status = map_panel_find(&panels[i], &bar, error);
    THEN(status, map_panel_write(&panels[i], directory, file, error));
    if (status == SEAM_OK && !options_flag(parsed, "--quiet"))
      map_panel_print(&panels[i]);
  }
  THEN(status, map_panels_write(panels, n, directory, error));
  THEN(status, map_plot(panels, n, n_columns, style, directory, "map", error));
  for (size_t i = 0; i < n; i++)
    map_panel_free(&panels[i]);
  return status;
}

static seam_status draw_panels(const app_options *parsed, const seam_map *map, const app_schemes *schemes,
                               seam_error *error) {
  double columns = (double)schemes->n;
  size_t n_rows = 0;
  while (options_nth(parsed, "--row", n_rows) != NULL)
    n_rows++;
  const size_t n = (n_rows > 0 ? n_rows : 1) * schemes->n;
  if (options_flag(parsed, "--together") && (options_flag(parsed, "--rho") || options_value(parsed, "--columns")))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --together draws a picture of lines for each scheme: leave out --rho and --columns");
  map_panel *panels = calloc(n, sizeof *panels);
  seam_status status = panels != NULL ? SEAM_OK : out_of_memory(error);
  THEN(status, options_number(parsed, "--columns", 1, 100, &columns, error));
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    const char *scheme = schemes->names[i % schemes->n];
    const char *row = options_nth(parsed, "--row", i / schemes->n);
    map_panel *panel = &panels[i];
    panel->map = *map;
    if (strlen(scheme) >= sizeof panel->scheme)
      status =
          seam_fail(error, SEAM_BAD_INPUT, "seam: the name of the scheme is longer than %zu characters; shorten it",
                    sizeof panel->scheme - 1);
    snprintf(panel->scheme, sizeof panel->scheme, "%s", scheme);
    snprintf(panel->title, sizeof panel->title, "%s%s%.90s", scheme, row != NULL ? "  " : "", row != NULL ? row : "");
    for (const char *tail = row; tail != NULL && *tail != '\0' && status == SEAM_OK; tail += *tail == ',')
      status = read_value("--row", tail, &panel->map, &tail, error);
  }
  THEN(status, draw(parsed, panels, n, (size_t)columns, error));
  free(panels);
  return status;
}

static int run(const app_options *parsed, seam_error *error) {
  const char *list = options_value(parsed, "--schemes");
  seam_map map;
  app_schemes schemes = {0};
  if (list == NULL)
    list = options_value(parsed, "--scheme");
  if (list == NULL)
    return seam_status_exit(seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1, or hold1-corrected for mbcorr"));
  seam_status status = schemes_split(list, &schemes, error);
  THEN(status, read_map(parsed, &map, error));
  THEN(status, draw_panels(parsed, &map, &schemes, error));
  schemes_free(&schemes);
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_TEXTBOOK_MODEL,
    {"--scheme", "NAME", .help = "such as ff-k1, ff-index2-k2; of mbcorr hold0 to hold4-corrected",
     .words = "@schemes"},
    {"--schemes", "LIST", .help = "NAME,NAME,..., a panel each", .words = "@schemes"},
    {"--row", "NAME=VALUE,...", .help = "a row of panels with these values; repeatable"},
    {"--together", .help = "draw the limits of all rows as lines of one picture for each scheme"},
    {"--accuracy", "LIMIT",
     .help = "of mbcorr: the region in which the global error is at most this, in place of stability"},
    {"--columns", "N", .help = "panels side by side; default: one for each scheme"},
    {"--x", "NAME=FROM:TO:COUNT[:log]", .help = "to the right; default lambda-r=-2:0:41, for mbcorr ck=1:1e10:41:log"},
    {"--y", "NAME=FROM:TO:COUNT[:log]", .help = "upwards; default lambda-i=0:10:41, for mbcorr dk=1:1e7:41:log"},
    {"--set", "NAME=VALUE", .help = "another parameter (alpha-m21, alpha-r21, ...; default 1); repeatable",
     .override_key = ""},
    {"-o", "DIR", .help = "write the results there; default: results/map"},
    {"--rho", .help = "colour the picture by rho"},
    {"--threads", "N", .help = "threads; default: one for each processor"},
    OPTION_QUIET,
    OPTION_HELP,
    {0}};

const app_command stability_map_command = {
    .name = "map",
    .group = "stability ",
    .summary = "rho over a grid of two parameters, with a picture",
    .operands = "--model NAME --scheme NAME",
    .details =
        "Finds the spectral radius of a scheme over a grid of any two parameters of a textbook model: DIR/map.csv\n"
        "and a picture (gnuplot). Several schemes, or rows of values, are panels of one picture: DIR/panel-NN.csv.\n"
        "DIR/panels.csv counts the points of each.\n"
        "\n"
        "  seam stability map --model constitutive --scheme ff-k1 --x alpha-m21=1:20:39 --set lambda-r=-0.1\n"
        "  seam stability map --model constitutive --schemes ff-k1,ff-d-k1 --row alpha-m21=1 --row alpha-m21=10",
    .options = table,
    .run = run,
};
