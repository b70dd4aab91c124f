/* `seam stability map`: ρ over a grid of two parameters of a textbook model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/stability.h"
#include "app/macro_steps.h"
#include "base/then.h"

static const double max_points = 1e7;

/* What follows the '=' of "NAME=..." in text, and the index of the parameter of that name; NULL when there is none. */
static const char *read_name(const char *model, const char *option, const char *text, int *parameter,
                             seam_error *error) {
  char name[64];
  const size_t length = strcspn(text, "=");
  if (text[length] != '=' || length >= sizeof name) {
    seam_fail(error, SEAM_BAD_INPUT, "seam: %s %s: write NAME=..., as in %s lambda-r=...", option, text, option);
    return NULL;
  }
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  return seam_map_parameter(model, name, parameter, error) == SEAM_OK ? text + length + 1 : NULL;
}

static seam_status read_axis(const app_options *parsed, const char *option, const char *model, seam_map_axis *axis,
                             seam_error *error) {
  const char *text = options_value(parsed, option);
  if (text == NULL)
    return SEAM_OK;
  const char *range = read_name(model, option, text, &axis->parameter, error);
  if (range == NULL)
    return SEAM_BAD_INPUT;
  const char *spacing = range_read(range, &axis->from, &axis->to, &axis->count);
  axis->is_geometric = spacing != NULL && strcmp(spacing, ":log") == 0;
  if (spacing == NULL || (*spacing != '\0' && !axis->is_geometric))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %s %s: write NAME=FROM:TO:COUNT, as in lambda-r=-2:0:41, or NAME=FROM:TO:COUNT:log", option,
                     text);
  return SEAM_OK;
}

static seam_status read_values(const app_options *parsed, seam_map *map, seam_error *error) {
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    char *end = NULL;
    int parameter = 0;
    const char *number = read_name(map->model, "--set", parsed->overrides[i], &parameter, error);
    if (number == NULL)
      return SEAM_BAD_INPUT;
    map->value[parameter] = strtod(number, &end);
    if (end == number || *end != '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "seam: --set %s: '%s' is not a number", parsed->overrides[i], number);
    if (parameter == map->x.parameter || parameter == map->y.parameter)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: --set %s: this is an axis of the map; leave it out, or give --x and --y other parameters",
                       parsed->overrides[i]);
  }
  return SEAM_OK;
}

static seam_status read_map(const app_options *parsed, map_panel *panel, seam_error *error) {
  seam_map *map = &panel->map;
  const char *scheme = options_value(parsed, "--scheme");
  const char *model = options_value(parsed, "--model");
  if (scheme == NULL || strlen(scheme) >= sizeof panel->scheme)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1, or hold1-corrected for mbcorr");
  if (model == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a model is needed; write --model constitutive, --model constraint or --model mbcorr");
  seam_status status = seam_map_default(model, map, error);
  THEN(status, read_axis(parsed, "--x", model, &map->x, error));
  THEN(status, read_axis(parsed, "--y", model, &map->y, error));
  THEN(status, read_values(parsed, map, error));
  if (status == SEAM_OK && (double)map->x.count * (double)map->y.count > max_points)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: a map takes at most %g points, not %zu x %zu: give --x and --y less",
                     max_points, map->x.count, map->y.count);
  map->threads = 0;
  THEN(status, options_threads(parsed, &map->threads, error));
  snprintf(panel->scheme, sizeof panel->scheme, "%s", scheme);
  snprintf(panel->title, sizeof panel->title, "%s", scheme);
  return status;
}

static int run(const app_options *parsed, seam_error *error) {
  map_panel panel = {0};
  seam_status status = read_map(parsed, &panel, error);
  THEN(status, stability_draw(parsed, &panel, 1, 1, "results/map", "map", error));
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_TEXTBOOK_MODEL,
    {.name = "--scheme",
     .value = "NAME",
     .help = "such as ff-k1, ff-index2-k2; of mbcorr hold0 to hold4-corrected",
     .words = "@schemes"},
    {.name = "--x",
     .value = "NAME=FROM:TO:COUNT[:log]",
     .help = "to the right; default lambda-r=-2:0:41, for mbcorr ck=1:1e10:41:log"},
    {.name = "--y",
     .value = "NAME=FROM:TO:COUNT[:log]",
     .help = "upwards; default lambda-i=0:10:41, for mbcorr dk=1:1e7:41:log"},
    {.name = "--set",
     .value = "NAME=VALUE",
     .help = "another parameter (alpha-m21, alpha-r21, ...; default 1); repeatable",
     .override_key = ""},
    {.name = "-o", .value = "DIR", .help = "write the results there; default: results/map"},
    OPTION_RHO,
    OPTION_THREADS,
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
        "and a picture (gnuplot).\n"
        "\n"
        "  seam stability map --model constitutive --scheme ff-k1 --x alpha-m21=1:20:39 --set lambda-r=-0.1",
    .options = table,
    .run = run,
};
