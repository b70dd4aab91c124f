/* `seam schemes`: names of coupling schemes and what they mean. */
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/command.h"
#include "app/schemes.h"
#include "base/then.h"

/* Returns the meaning of a decomposition or method. Returns "" for a method that adds no condition at the cut. */
static const char *meaning_of(const char *word) {
  static const struct {
    const char *word, *text;
  } meanings[] = {{"ff", "force to both sides"},
                  {"fd", "force to the first body's side, motion to the other"},
                  {"df", "motion to the first body's side, force to the other"},
                  {"dd", "motion to both sides"},
                  {"d", "; the law's rate holds too"},
                  {"i", "; the law's integral holds too"},
                  {"baumgarte", "; gap, its rate and acceleration vanish together"},
                  {"weighted", "; roots of gap, rate and acceleration are averaged"},
                  {"projection", "; gap and rate are projected away"},
                  {"index2", "; gap and rate vanish"},
                  {"index1", "; gap, rate and acceleration vanish"}};
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (strcmp(meanings[i].word, word) == 0)
      return meanings[i].text;
  return "";
}

static void print_scheme(const char *name, int width) {
  static const char *const curves[] = {"held", "a straight line", "a parabola", "a cubic"};
  char curve[48];
  seam_scheme_words words;
  if (seam_scheme_read(name, &words, NULL) != SEAM_OK)
    return;
  if (strcmp(words.method, "colloc") == 0)
    snprintf(curve, sizeof curve, "order %d by collocation, without history", 2 * words.order);
  else
    snprintf(curve, sizeof curve, "%s", curves[words.order]);
  printf("  %-*s  %s, %s%s\n", width, name, meaning_of(words.decomposition), curve, meaning_of(words.method));
}

/* Prints the schemes for cut joints (at_joint) or cut force elements: those that are `listed`, or all (NULL). */
static seam_status print_kind(const app_schemes *listed, bool at_joint, seam_error *error) {
  app_schemes all = {0};
  const seam_status status = schemes_add_all(at_joint, &all, error);
  puts(at_joint ? "\nat cut joints:" : "at cut force elements:");
  const app_schemes *printed = listed != NULL ? listed : &all;
  for (size_t i = 0; i < printed->n; i++)
    for (size_t k = 0; k < all.n; k++) {
      const size_t length = strlen(all.names[k]); /* the name ends there, or at an ending as -explicit */
      if (strncmp(printed->names[i], all.names[k], length) == 0 && strchr("-", printed->names[i][length]) != NULL)
        print_scheme(printed->names[i], printed->width);
    }
  schemes_free(&all);
  return status;
}

static int list_schemes(const app_options *parsed, seam_error *error) {
  app_setup setup = {0};
  app_schemes fitting = {0};
  const bool has_model = parsed->n_operands > 0;
  bool with_both_kinds = true;
  seam_status status = SEAM_OK;
  if (has_model) {
    status = setup_read(parsed, &setup, error);
    THEN(status, setup_assemble(&setup, error));
    THEN(status, schemes_list_fitting(&setup, &fitting, error));
    with_both_kinds = status == SEAM_OK && schemes_cut_both_kinds(&setup);
    if (status == SEAM_OK)
      printf("that fit the couplings of %s%s", seam_model_name(setup.file), with_both_kinds ? ", " : ":\n");
  }
  for (size_t i = 0; i < fitting.n && status == SEAM_OK && !with_both_kinds; i++)
    print_scheme(fitting.names[i], fitting.width);
  for (int at_joint = 0; at_joint < 2 && status == SEAM_OK && with_both_kinds; at_joint++)
    status = print_kind(has_model ? &fitting : NULL, at_joint == 1, error);
  if (status == SEAM_OK && has_model && with_both_kinds)
    puts("\nIn the file, name one of each: scheme: {constitutive: ff-k1, constraint: ff-index2-k1}");
  schemes_free(&fitting);
  setup_free(&setup);
  if (status == SEAM_OK)
    puts("\nBehind a name, -implicit corrects until the conditions hold, -update corrects once and moves the end in\n"
         "place of a second pass, -explicit does not correct, -exchange repeats nothing; without one of them a macro\n"
         "step is corrected once.");
  return seam_status_exit(status);
}

static const app_option table[] = {OPTION_SET, OPTION_HELP, {0}};

const app_command schemes_command = {
    .name = "schemes",
    .summary = "list the coupling schemes, or those that fit a model",
    .operands = "[MODEL]",
    .words = "@models @files",
    .details =
        "Lists what --scheme and --schemes take, with a line each: what the sides receive, its course over a macro\n"
        "step, and further conditions; of a MODEL, those that fit its couplings.\n"
        "\n"
        "  seam schemes four_bar_bushing",
    .options = table,
    .n_operands = {0, 1},
    .run = list_schemes,
};
