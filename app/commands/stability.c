/* `seam stability`: the group of commands; and `seam stability point`, the spectral radius of a coupling scheme for one
 * set of parameters of a textbook model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/command.h"
#include "base/then.h"

enum { MAX_LETTERS = 256, MAX_LINE = MAX_LETTERS + 80 }; /* size of a name, and of a line that contains one */

typedef struct textbook_model {
  const char *name;
  /* Computes the spectral radius. what: result, scheme and model in words. */
  seam_status (*point)(const app_options *parsed, const struct textbook_model *which, seam_stability_point *point,
                       char what[MAX_LINE], seam_error *error);
  seam_status (*find)(const seam_test_model *model, const char *scheme, seam_stability_point *point, seam_error *error);
  const char *const *foreign; /* options of other models only, NULL after the last */
} textbook_model;

/* ---- Options that complete a scheme's name ---- */

static const struct scheme_option {
  const char *option, *method;
  const char *name; /* name of the value inside the brackets, as "mu" in baumgarte(mu=5) */
} scheme_options[] = {
    {"--index", "baumgarte", "index"}, {"--mu", "baumgarte", "mu"}, {"--mu-physical", "baumgarte", "mu_physical"},
    {"--a", "weighted", "a"},          {"--b", "weighted", "b"},
};
enum { n_scheme_options = sizeof scheme_options / sizeof *scheme_options };

/* Inserts values of options into the name of a scheme: ff-baumgarte-k1 with --index 2 --mu 5 becomes
 * ff-baumgarte(index=2,mu=5)-k1. */
static seam_status complete_scheme(const app_options *parsed, const char *scheme, char complete[MAX_LETTERS],
                                   seam_error *error) {
  char brackets[MAX_LETTERS] = "";
  const char *tail = scheme + strlen(scheme);
  seam_scheme_words words;
  size_t n = 0;
  if (options_flag(parsed, "--mu") && options_flag(parsed, "--mu-physical"))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --mu and --mu-physical are the same parameter; leave one out");
  for (const struct scheme_option *o = scheme_options; o < scheme_options + n_scheme_options; o++) {
    const char *value = options_value(parsed, o->option);
    if (value == NULL)
      continue;
    TRY(seam_scheme_read(scheme, &words, error));
    double number;
    if (options_numbers(value, 1, 1, &number) == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s '%s' is not a number; write %s 1", o->option, value, o->option);
    if (strcmp(words.method, o->method) != 0)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: the scheme '%s' does not take %s, which is for %s; leave it out",
                       scheme, o->option, o->method);
    if (strchr(scheme, '(') != NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: the scheme '%s' has options in brackets; put %s=%s there, or leave the brackets out",
                       scheme, o->name, value);
    tail = scheme + strlen(words.decomposition) + 1 + strlen(words.method);
    if (n < MAX_LETTERS)
      n += (size_t)snprintf(brackets + n, MAX_LETTERS - n, "%c%s=%s", n == 0 ? '(' : ',', o->name, value);
  }
  const int length =
      snprintf(complete, MAX_LETTERS, "%.*s%s%s%s", (int)(tail - scheme), scheme, brackets, n > 0 ? ")" : "", tail);
  return n < MAX_LETTERS && length < MAX_LETTERS
             ? SEAM_OK
             : seam_fail(error, SEAM_BAD_INPUT, "seam: the name of the scheme is longer than %d characters; shorten it",
                         MAX_LETTERS - 1);
}

/* ---- The models ---- */

static seam_status test_model_point(const app_options *parsed, const textbook_model *which, seam_stability_point *point,
                                    char what[MAX_LINE], seam_error *error) {
  const char *lambda = options_value(parsed, "--lambda");
  const char *alpha = options_value(parsed, "--alpha");
  double l[2];
  double a[5] = {1, 1, 1, 1, 1};
  char scheme[MAX_LETTERS];
  if (lambda == NULL || options_numbers(lambda, 2, 2, l) == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --lambda takes two numbers; write --lambda LR,LI, as in --lambda=-0.5,2");
  if (alpha != NULL && options_numbers(alpha, 3, 5, a) == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --alpha takes three to five numbers; write --alpha A21,R21,I21[,RC1,IC1]");
  const seam_test_model model = {l[0], l[1], a[0], a[1], a[2], a[3], a[4]};
  TRY(complete_scheme(parsed, options_value(parsed, "--scheme"), scheme, error));
  snprintf(what, MAX_LINE, "scheme %s on the linear model of %s coupling", scheme, which->name);
  return which->find(&model, scheme, point, error);
}

/* The parameters have the names and default values of `seam stability map`. */
static seam_status oscillators_point(const app_options *parsed, const textbook_model *which,
                                     seam_stability_point *point, char what[MAX_LINE], seam_error *error) {
  char scheme[MAX_LETTERS];
  seam_map map;
  TRY(seam_map_default(which->name, &map, error));
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    char name[OPTIONS_MAX_NAME];
    double number = 0;
    int parameter = 0;
    TRY(options_assignment("--set", parsed->overrides[i], name, &number, NULL, error));
    TRY(seam_map_parameter(which->name, name, &parameter, error));
    map.value[parameter] = number;
  }
  TRY(complete_scheme(parsed, options_value(parsed, "--scheme"), scheme, error));
  map.scheme = scheme;
  snprintf(what, MAX_LINE, "scheme %s on two masses", scheme);
  return seam_map_stability(&map, point, error);
}

static bool read_number(const app_options *parsed, const char *option, double *number) {
  const char *text = options_value(parsed, option);
  return text != NULL && options_numbers(text, 1, 1, number) == 1;
}

static seam_status mbcorr_point(const app_options *parsed, const textbook_model *which, seam_stability_point *point,
                                char what[MAX_LINE], seam_error *error) {
  (void)which;
  const bool is_corrected = options_flag(parsed, "--corrected");
  char scheme[32];
  seam_mbcorr_model model;
  double hold = 0;
  if (!read_number(parsed, "--ck", &model.stiffness) || !read_number(parsed, "--dk", &model.damping))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: stiffness and damping of the coupling are needed; write --ck C --dk D, as in --ck 2e5 --dk 500");
  if (!read_number(parsed, "--macro-step", &model.macro_step))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a macro step is needed; write --macro-step H, as in --macro-step 1e-4");
  if (!read_number(parsed, "--hold", &hold) || !(hold >= 0 && hold <= 4) || hold != (int)hold)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: an order of the hold from 0 to 4 is needed; write --hold N, as in --hold 1");
  snprintf(scheme, sizeof scheme, "hold%d%s", (int)hold, is_corrected ? "-corrected" : "");
  snprintf(what, MAX_LINE, "inputs extrapolated with order %d%s, parallel explicit exchange", (int)hold,
           is_corrected ? " and model-based correction" : "");
  return seam_mbcorr_stability(&model, scheme, point, error);
}

#define OF_MBCORR "--ck", "--dk", "--macro-step", "--hold", "--corrected"
#define OF_METHODS "--index", "--mu", "--mu-physical", "--a", "--b"

static const char *const not_constitutive[] = {OF_MBCORR, OF_METHODS, "--set", NULL};
static const char *const not_constraint[] = {OF_MBCORR, "--set", NULL};
static const char *const not_oscillators[] = {OF_MBCORR, OF_METHODS, "--lambda", "--alpha", NULL};
static const char *const not_rigid[] = {OF_MBCORR, "--lambda", "--alpha", NULL};
static const char *const not_mbcorr[] = {"--scheme", "--lambda", "--alpha", OF_METHODS, "--set", NULL};

static const textbook_model models[] = {
    {"constitutive", test_model_point, seam_constitutive_stability, not_constitutive},
    {"constraint", test_model_point, seam_constraint_stability, not_constraint},
    {"oscillators", oscillators_point, NULL, not_oscillators},
    {"rigid-oscillators", oscillators_point, NULL, not_rigid},
    {"mbcorr", mbcorr_point, NULL, not_mbcorr},
};
enum { n_models = sizeof models / sizeof *models };

/* ---- The command `point` ---- */

static int run(const app_options *parsed, seam_error *error) {
  const char *name = options_value(parsed, "--model");
  seam_stability_point point;
  char what[MAX_LINE];
  size_t k = 0;
  while (k < n_models && (name == NULL || strcmp(models[k].name, name) != 0))
    k++;
  if (k == n_models)
    return seam_status_exit(seam_fail(error, SEAM_BAD_INPUT,
                                      "seam: --model takes one of the textbook models; write --model constitutive, "
                                      "constraint, oscillators, rigid-oscillators or mbcorr"));
  for (const char *const *option = models[k].foreign; *option != NULL; option++)
    if (options_flag(parsed, *option))
      return seam_status_exit(
          seam_fail(error, SEAM_BAD_INPUT, "seam: the model %s does not take %s; leave it out", name, *option));
  if (models[k].point != mbcorr_point && !options_flag(parsed, "--scheme"))
    return seam_status_exit(
        seam_fail(error, SEAM_BAD_INPUT, "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1"));
  const seam_status status = models[k].point(parsed, &models[k], &point, what, error);
  if (status != SEAM_OK)
    return seam_status_exit(status);
  printf("rho %.15g\n", point.rho);
  printf("%s; uncertain by %.1e through rounding\n", seam_verdict_text(seam_stability_verdict(&point)),
         point.uncertainty);
  printf("%s, subsystems integrated exactly\n", what);
  printf("propagation matrix of order %zu by unit vectors through one macro step, eigenvalues by LAPACK\n",
         point.n_state);
  return 0;
}

static const app_option table[] = {
    OPTION_TEXTBOOK_MODEL,
    {"--scheme", "NAME", .help = "such as ff-k1, fd-d-k2, dd-k0-explicit; ff-baumgarte(mu=5)-k1, ff-index2-k2",
     .words = "@schemes"},
    {"--lambda", "LR,LI", .help = "decay and frequency of the first mass, times the macro step"},
    {"--alpha", "A21,R21,I21[,RC1,IC1]",
     .help = "ratios of mass, decay, frequency; default all 1; RC1, IC1 of the spring-damper on the mass 2 m1 m2/(m1 + "
             "m2)"},
    {"--set", "NAME=VALUE", .help = "of oscillators: m1, c1, d1, m2, c2, d2, cc, dc, macro-step; repeatable",
     .override_key = ""},
    {"--index", "1|2|3", .help = "of -baumgarte; default 1", .words = "1 2 3"},
    {"--mu", "MU", .help = "of -baumgarte, dimensionless; default 1"},
    {"--mu-physical", "MU", .help = "the same, times the macro step, which is 1"},
    {"--a", "A", .help = "of -weighted, weight of the velocity; default 1"},
    {"--b", "B", .help = "of -weighted, weight of the acceleration; default 1"},
    {"--ck", "C", .help = "of mbcorr: stiffness of the coupling, N/m"},
    {"--dk", "D", .help = "of mbcorr: damping of the coupling, Ns/m"},
    {"--macro-step", "H", .help = "of mbcorr: s"},
    {"--hold", "ORDER", .help = "of mbcorr: order of extrapolated inputs, 0 to 4", .words = "0 1 2 3 4"},
    {"--corrected", .help = "of mbcorr: with model-based correction"},
    OPTION_HELP,
    {0}};

const app_command stability_point_command = {
    .name = "point",
    .group = "stability ",
    .summary = "rho at one point of a textbook model",
    .operands = "--model NAME ...",
    .details =
        "Prints the spectral radius of a scheme on a textbook model; the first line is `rho VALUE`, 15 digits.\n"
        "constitutive and constraint take --scheme, --lambda and --alpha; mbcorr takes --ck, --dk, --macro-step and\n"
        "--hold; oscillators and rigid-oscillators, the first two by their masses, springs and dampers, --set.\n"
        "\n"
        "  seam stability point --model constitutive --scheme ff-d-k2 --lambda=-0.5,2 --alpha 10,10,10,10,10\n"
        "  seam stability point --model mbcorr --ck 2e5 --dk 500 --macro-step 1e-4 --hold 1 --corrected",
    .options = table,
    .run = run,
};

/* ---- The group ---- */

static const app_command *const commands[] = {&stability_point_command, &stability_map_command,
                                              &stability_model_command, NULL};

const app_command stability_command = {
    .name = "stability",
    .summary = "numerical stability of a coupling scheme",
    .operands = "[ARGUMENTS]",
    .details =
        "The spectral radius rho of one macro step of a co-simulation: of the textbook model, two damped oscillators\n"
        "joined by a spring-damper (constitutive) or rigidly (constraint) and cut there, or of your own mechanism,\n"
        "linearised. Stable when rho <= 1.",
    .commands = commands,
};
