/* `seam stability`: finds the verb and sees that it knows the options given. */
#include "app/commands/stability.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"

static const app_option table[] = {
    {.name = "--model", .value = "NAME", .help = "point, map: the textbook model: constitutive, constraint or mbcorr"},
    {.name = "--scheme",
     .value = "NAME",
     .help = "point, map: as in ff-k1, fd-d-k2, dd-k0-explicit; ff-baumgarte(mu=5)-k1, ff-index2-k2"},
    {.name = "--lambda",
     .value = "LR,LI",
     .help = "point: decay and frequency of the first mass, times the macro step"},
    {.name = "--alpha",
     .value = "A21,R21,I21[,RC1,IC1]",
     .help = "point: ratios of mass, decay, frequency; default all 1"},
    {.name = "--index", .value = "1|2|3", .help = "point: of -baumgarte; default 1"},
    {.name = "--mu", .value = "MU", .help = "point: of -baumgarte, dimensionless; default 1"},
    {.name = "--mu-physical", .value = "MU", .help = "point: the same, times the macro step, which is 1"},
    {.name = "--a", .value = "A", .help = "point: of -weighted, weight of the velocity; default 1"},
    {.name = "--b", .value = "B", .help = "point: of -weighted, weight of the acceleration; default 1"},
    {.name = "--ck", .value = "C", .help = "point of mbcorr: stiffness of the coupling, N/m"},
    {.name = "--dk", .value = "D", .help = "point of mbcorr: its damping, Ns/m"},
    {.name = "--macro-step", .value = "H", .help = "point of mbcorr: s"},
    {.name = "--hold", .value = "ORDER", .help = "point of mbcorr: of extrapolated inputs, 0 to 4"},
    {.name = "--corrected", .help = "point of mbcorr: with model-based correction"},
    {.name = "--x",
     .value = "NAME=FROM:TO:COUNT[:log]",
     .help = "map: to the right; default lambda-r=-2:0:41, for mbcorr ck=1:1e10:41:log"},
    {.name = "--y",
     .value = "NAME=FROM:TO:COUNT[:log]",
     .help = "map: upwards; default lambda-i=0:10:41, for mbcorr dk=1:1e7:41:log"},
    {.name = "--set",
     .value = "NAME=VALUE",
     .help = "map: another parameter (alpha-m21, alpha-r21, ...; default 1); model: a value of the file; repeatable",
     .override_key = ""},
    {.name = "-o", .value = "DIR", .help = "write there; default: results/map, results/figure-NUMBER, results/NAME"},
    {.name = "--rho", .help = "map, figure: colour the picture by rho"},
    {.name = "--oracle", .help = "map, figure: decide undecided points in extended precision"},
    {.name = "--schemes", .value = "LIST", .help = "model: names separated by commas, or all; default: the file's"},
    {.name = "--macro-steps",
     .value = "FROM:TO:COUNT",
     .help = "model: in a geometric sequence, s; default: a tenth to 100 times the file's, 61 of them"},
    {.name = "--at",
     .value = "STATE",
     .help = "model: initial, equilibrium (default), or a time of the motion from the start, s"},
    {.name = "--error", .value = "NUMBER", .help = "model: the wanted error; default 1e-3"},
    {.name = "--along", .help = "model: follow the motion instead of one state"},
    {.name = "--times", .value = "COUNT", .help = "model --along: equally spaced from 0 to the end; default 11"},
    {.name = "--threads", .value = "N", .help = "map, figure: threads; default: one for each processor"},
    OPTION_QUIET,
    OPTION_HELP,
    {0}};

enum { MAX_OPTIONS = 16 };

typedef struct verb {
  const char *name;
  int (*run)(const app_options *parsed);
  size_t n_operands; /* with the verb itself */
  const char *usage;
  const char *options[MAX_OPTIONS];
} verb;

static const verb verbs[] = {
    {"point",
     stability_point,
     1,
     "seam stability point --model NAME --scheme NAME --lambda LR,LI",
     {"--model", "--scheme", "--lambda", "--alpha", "--index", "--mu", "--mu-physical", "--a", "--b", "--ck", "--dk",
      "--macro-step", "--hold", "--corrected"}},
    {"map",
     stability_map,
     1,
     "seam stability map --model NAME --scheme NAME",
     {"--model", "--scheme", "--x", "--y", "--set", "-o", "--rho", "--oracle", "--threads", "--quiet"}},
    {"figure",
     stability_figure,
     2,
     "seam stability figure NUMBER",
     {"-o", "--rho", "--oracle", "--threads", "--quiet"}},
    {"model",
     stability_model,
     2,
     "seam stability model MODEL",
     {"--schemes", "--macro-steps", "--at", "--error", "--along", "--times", "--set", "-o"}},
};
enum { n_verbs = sizeof verbs / sizeof *verbs };

int stability_wrong(const char *what, const char *fix) {
  fprintf(stderr, "seam: %s; %s\n", what, fix);
  return 2;
}

int stability_threads(const app_options *parsed) {
  const char *text = options_value(parsed, "--threads");
  char *end = NULL;
  if (text == NULL)
    return 0;
  const long n = strtol(text, &end, 10);
  return end == text || *end != '\0' || n < 1 || n > 256 ? -1 : (int)n;
}

static bool knows(const verb *v, const char *option) {
  for (int i = 0; i < MAX_OPTIONS && v->options[i] != NULL; i++)
    if (strcmp(v->options[i], option) == 0)
      return true;
  return false;
}

static int stability(const app_options *parsed) {
  const verb *v = verbs;
  while (v < verbs + n_verbs && strcmp(v->name, parsed->operands[0]) != 0)
    v++;
  if (v == verbs + n_verbs)
    return stability_wrong("'seam stability' knows point, map, figure and model", "write seam stability point ...");
  if (parsed->n_operands != v->n_operands) {
    fprintf(stderr, "seam: too %s arguments; usage: %s\n", parsed->n_operands < v->n_operands ? "few" : "many",
            v->usage);
    return 2;
  }
  for (const app_option *row = table; row->name != NULL; row++)
    if (options_flag(parsed, row->name) && !knows(v, row->name)) {
      fprintf(stderr, "seam: 'seam stability %s' does not take %s; leave it out\n", v->name, row->name);
      return 2;
    }
  return v->run(parsed);
}

const app_command stability_command = {
    .name = "stability",
    .summary = "numerical stability of a coupling scheme",
    .operands = "point | map | figure NUMBER | model MODEL",
    .details =
        "The spectral radius rho of one macro step of a co-simulation: of the textbook model, two damped oscillators\n"
        "joined by a spring-damper (constitutive) or rigidly (constraint) and cut there, or of your own mechanism,\n"
        "linearised. Stable when rho <= 1.\n"
        "\n"
        "point   prints rho at one point; the first line is `rho VALUE`\n"
        "map     finds rho over a grid of any two parameters: DIR/map.csv and a picture (gnuplot)\n"
        "figure  draws a stability figure of Li's dissertation, as the number says: DIR/panel-NN.csv, a picture\n"
        "model   finds the stable macro steps of schemes for a model, and those for a wanted error: DIR/stability.csv\n"
        "\n"
        "  seam stability point --model constitutive --scheme ff-d-k2 --lambda=-0.5,2 --alpha 10,10,10,10,10\n"
        "  seam stability point --model mbcorr --ck 2e5 --dk 500 --macro-step 1e-4 --hold 1 --corrected\n"
        "  seam stability map --model constitutive --scheme ff-k1 --x alpha-m21=1:20:39 --set lambda-r=-0.1\n"
        "  seam stability figure 3.14\n"
        "  seam stability model four_bar_bushing --schemes ff-k0,ff-k1,ff-d-k2 --error 1e-4",
    .options = table,
    .least_operands = 1,
    .max_operands = 2,
    .run = stability,
};
