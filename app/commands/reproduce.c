/* `seam reproduce`: computes figures and tables of papers again, and compares printed with computed numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/reproduce/reproduce.h"
#include "app/results/output.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "base/then.h"

static seam_status print_list(const embedded_file *chosen, size_t n, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    description one;
    status = description_read(&chosen[i], false, &one, error);
    if (status == SEAM_OK)
      printf("%-8s %-10s %s%s\n", one.source, one.name, one.title, one.is_quick ? " (quick)" : "");
    if (status == SEAM_OK && one.claim != NULL)
      printf("%-8s %-10s   %s\n", "", "", one.claim);
    description_free(&one);
  }
  return status;
}

/* Returns FIGURE of a name "SOURCE/FIGURE"; NULL: SOURCE is not `source`. */
static const char *figure_of(const char *name, const char *source) {
  const size_t length = strcspn(name, "/");
  return strncmp(name, source, length) == 0 && source[length] == '\0' ? name + length + 1 : NULL;
}

/* Fails: the operands name nothing. The message lists figures. */
static seam_status refuse(const app_options *parsed, seam_error *error) {
  const char *source = parsed->operands[0];
  const char *wanted = parsed->n_operands > 1 ? parsed->operands[1] : source;
  char list[600] = "";
  char hint[80];
  size_t used = 0;
  bool is_source = false;
  nearest search = nearest_to(wanted);
  for (size_t i = 0; i < published_size; i++) {
    const char *figure = figure_of(published_rows[i].name, source);
    if (figure == NULL)
      continue;
    is_source = true;
    nearest_try(&search, figure);
    if (used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, " %s", figure);
  }
  nearest_hint(&search, hint, sizeof hint);
  if (!is_source)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: there is no source '%.60s'; 'seam reproduce' lists all", source);
  return seam_fail(error, SEAM_BAD_INPUT, "seam: there is no figure or table '%.60s' of %s; %s%sthere are:%s", wanted,
                   source, hint, *hint != '\0' ? " " : "", list);
}

static seam_status reproduce(const app_options *parsed, const char *base, reproduced *one, seam_error *error) {
  char name[FILENAME_MAX];
  const bool is_quiet = options_flag(parsed, "--quiet");
  const double start = clock_cpu();
  snprintf(name, sizeof name, "%s/%s", one->of.source, one->of.name);
  one->directory = output_path(base, name);
  TRY(check_memory(one->directory != NULL, error));
  if (!is_quiet)
    printf("%s %s: %s\n", one->of.source, one->of.name, one->of.title);
  if (!is_quiet && one->of.claim != NULL)
    printf("  claim: %s\n", one->of.claim);
  fflush(stdout);
  TRY(output_make_directory(one->directory, error));
  TRY(studies_run(&one->of, one->directory, error));
  TRY(comparison_make(&one->of, one->directory, &one->found, error));
  TRY(comparison_write(&one->found, one->directory, error));
  one->cpu = clock_cpu() - start;
  if (!is_quiet) {
    comparison_print(&one->found);
    printf("  %.2f s, %s\n", one->cpu, one->directory);
  }
  return SEAM_OK;
}

static void free_one(reproduced *one) {
  description_free(&one->of);
  comparison_free(&one->found);
  free(one->directory);
  *one = (reproduced){.cpu = 0};
}

/* Returns true if the first operand is a file with a description. */
static bool names_file(const app_options *parsed) {
  return parsed->n_operands > 0 &&
         (strchr(parsed->operands[0], '/') != NULL || strstr(parsed->operands[0], ".yaml") != NULL);
}

/* Reproduces n descriptions. Goes on after failures, and prints their messages. *n_done: number of results in `list`.
 * Returns the exit status. */
static int reproduce_all(const app_options *parsed, const char *base, const embedded_file *chosen, size_t n,
                         reproduced *list, size_t *n_done, seam_error *error) {
  int exit_status = 0;
  interrupt_catch();
  for (size_t i = 0; i < n && !interrupt_poll(); i++) {
    reproduced *one = &list[*n_done];
    seam_status status = description_read(&chosen[i], names_file(parsed), &one->of, error);
    const bool is_left_out = status == SEAM_OK && options_flag(parsed, "--quick") && !one->of.is_quick;
    if (!is_left_out)
      THEN(status, reproduce(parsed, base, one, error));
    if (status == SEAM_OK && !is_left_out) {
      ++*n_done;
      continue;
    }
    if (!is_left_out)
      exit_status = print_failure(error);
    free_one(one);
    *error = (seam_error){.status = SEAM_OK};
  }
  return interrupt_poll() ? 1 : exit_status;
}

/* Reproduces, prints totals, and writes a page for each source. Returns the exit status. */
static int run_chosen(const app_options *parsed, const embedded_file *chosen, size_t n, seam_error *error) {
  const char *given = options_value(parsed, "-o");
  const char *base = given != NULL ? given : "results/reproduce";
  const bool quiet = options_flag(parsed, "--quiet");
  double cpu = 0;
  size_t n_done = 0, n_unexpected = 0;
  char text[512];
  seam_status status = SEAM_OK;
  reproduced *list = calloc(n + 1, sizeof *list);
  if (list == NULL)
    return seam_status_exit(out_of_memory(error));
  int exit_status = reproduce_all(parsed, base, chosen, n, list, &n_done, error);
  for (const reproduced *one = list; one < list + n_done; one++) {
    cpu += one->cpu;
    for (size_t i = 0; i < one->found.n; i++)
      n_unexpected += !finding_is_expected(&one->found.list[i]);
  }
  page_summarise(list, n_done, text, sizeof text);
  if (n_done > 1 && !quiet)
    printf("%zu figures and tables in %.1f s: %s\n", n_done, cpu, text);
  for (size_t from = 0, to = 0; from < n_done && status == SEAM_OK; from = to) {
    while (to < n_done && strcmp(list[to].of.source, list[from].of.source) == 0)
      to++;
    char path[FILENAME_MAX];
    snprintf(path, sizeof path, "%s/%s/report.html", base, list[from].of.source);
    status = page_write(list + from, to - from, path, error);
    if (status == SEAM_OK && !quiet)
      printf("%s: the page\n", path);
  }
  if (status != SEAM_OK)
    exit_status = seam_status_exit(error->status);
  for (size_t i = 0; i < n_done; i++)
    free_one(&list[i]);
  free(list);
  return exit_status == 0 && n_unexpected > 0 ? 3 : exit_status;
}

static int run(const app_options *parsed, seam_error *error) {
  const char *source = parsed->n_operands > 0 ? parsed->operands[0] : NULL;
  embedded_file *chosen = calloc(published_size + 1, sizeof *chosen);
  char *text = NULL;
  size_t n = 0;
  int exit_status = 0;
  seam_status status = check_memory(chosen != NULL, error);
  for (size_t i = 0; i < published_size && status == SEAM_OK && !names_file(parsed); i++) {
    const char *figure = source != NULL ? figure_of(published_rows[i].name, source) : published_rows[i].name;
    if (figure != NULL && (parsed->n_operands < 2 || strcmp(figure, parsed->operands[1]) == 0))
      chosen[n++] = published_rows[i];
  }
  if (status == SEAM_OK && names_file(parsed) && (status = output_read(source, &text, error)) == SEAM_OK)
    chosen[n++] = (embedded_file){source, (const unsigned char *)text};
  if (status == SEAM_OK && n == 0)
    status = refuse(parsed, error);
  else if (status == SEAM_OK && options_flag(parsed, "--show") && parsed->n_operands > 1)
    fputs((const char *)chosen[0].text, stdout);
  else if (status == SEAM_OK && source == NULL && !options_flag(parsed, "--quick") && !options_flag(parsed, "--all"))
    status = print_list(chosen, n, error);
  else if (status == SEAM_OK)
    exit_status = run_chosen(parsed, chosen, n, error);
  free(chosen);
  free(text);
  return status != SEAM_OK ? seam_status_exit(status) : exit_status;
}

static const app_option table[] = {{"-o", "DIR", .help = "write the results there; default: results/reproduce"},
                                   {"--quick", .help = "of those that are meant those that take a moment"},
                                   {"--all", .help = "without a SOURCE: all, not the list"},
                                   {"--show", .help = "print the description of a FIGURE"},
                                   OPTION_QUIET,
                                   OPTION_HELP,
                                   {0}};

const app_command reproduce_command = {
    .name = "reproduce",
    .summary = "figures and tables of the papers, beside what they print",
    .operands = "[SOURCE [FIGURE] | FILE]",
    .words = "balance ecco energy li mbcorr @files",
    .details =
        "Carries out the studies of a published figure or table, draws it, and prints the numbers of the paper\n"
        "beside those that are found. Without arguments lists what there is, with the claim that each supports; of a\n"
        "SOURCE all. The status is 3 where a number is not as the description says.\n"
        "\n"
        "DIR/SOURCE/FIGURE holds the files of all studies and values.csv; DIR/SOURCE/report.html shows them.\n"
        "A description is a small file: --show prints it, changed it is the same study of another model.\n"
        "\n"
        "  seam reproduce li 3.14\n"
        "  seam reproduce li 3.14 --show > mine.yaml && seam reproduce mine.yaml",
    .options = table,
    .n_operands = {0, 2},
    .run = run,
};
