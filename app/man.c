/* Manual pages, made from the same tables as `seam help`. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "base/then.h"

/* Escapes what troff would change, and a dot at the beginning, which would begin a request. */
static void write_text(FILE *page, const char *text, size_t length) {
  static const char *const codes[][2] = {{"\\", "\\(rs"}, {"-", "\\-"},   {"'", "\\(aq"},
                                         {"`", "\\(ga"},  {"^", "\\(ha"}, {"~", "\\(ti"}};
  if (length > 0 && *text == '.')
    fputs("\\&", page);
  for (size_t i = 0; i < length; i++) {
    size_t k = 0;
    while (k < sizeof codes / sizeof *codes && *codes[k][0] != text[i])
      k++;
    if (k < sizeof codes / sizeof *codes)
      fputs(codes[k][1], page);
    else
      fputc(text[i], page);
  }
}

/* Writes requests of troff, and after them a text. */
static void write_after(FILE *page, const char *requests, const char *text) {
  fputs(requests, page);
  write_text(page, text, strlen(text));
}

static const char *after_line(const char *line) {
  const char *end = line + strcspn(line, "\n");
  return *end != '\0' ? end + 1 : end;
}

/* Writes paragraphs, separated by empty lines. Those that begin with two spaces are examples and stay as they are. */
static void write_paragraphs(FILE *page, const char *text) {
  for (const char *line = text; *line != '\0'; line = after_line(line)) {
    const bool begins = line == text || line[-2] == '\n';
    const bool ends = *after_line(line) == '\0' || *after_line(line) == '\n';
    const bool is_example = strncmp(line, "  ", 2) == 0;
    if (*line == '\n')
      continue;
    if (begins)
      fputs(is_example ? ".PP\n.RS 4\n.nf\n" : ".PP\n", page);
    write_text(page, line, strcspn(line, "\n"));
    fputc('\n', page);
    if (ends && is_example)
      fputs(".fi\n.RE\n", page);
  }
}

typedef struct page_name {
  char text[64];
} page_name;

static page_name name_of(const app_command *command) {
  page_name name;
  snprintf(name.text, sizeof name.text, "seam-%s%s", command_group(command), command->name);
  char *space = strchr(name.text, ' ');
  if (space != NULL)
    *space = '-';
  return name;
}

/* Writes the page up to its description. The synopsis is `typed` in bold and `tail`, as "seam run" and " MODEL". */
static void write_head(FILE *page, const char *name, const char *summary, const char *typed, const char *tail) {
  write_after(page, ".TH ", name);
  fprintf(page, " 1 \"\" \"Seam %s\" \"Seam\"\n.ad l\n.nh\n", seam_version());
  write_after(page, ".SH NAME\n", name);
  write_after(page, " \\- ", summary);
  write_after(page, "\n.SH SYNOPSIS\n\\fB", typed);
  write_after(page, "\\fR", tail);
  fputs("\n.SH DESCRIPTION\n", page);
}

static void write_commands(FILE *page, const app_command *const *list) {
  fputs(".SH COMMANDS\n", page);
  for (; *list != NULL; list++) {
    write_after(page, ".TP\n.BR ", name_of(*list).text);
    write_after(page, " (1)\n", (*list)->summary);
    fputc('\n', page);
  }
}

static void write_exit_status(FILE *page) {
  static const char *const meanings[] = {
      "Done.", "The simulation failed, became unstable or was interrupted.",
      "The input is wrong or cannot be assembled, or the results cannot be written.",
      ("Done, but wrong: the error is above 5 % of the size of what it is in, or the reference is not confirmed; a "
       "message says by what.")};
  fputs(".SH EXIT STATUS\n", page);
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
    fprintf(page, ".TP\n%zu\n", i);
    write_after(page, "", meanings[i]);
    fputc('\n', page);
  }
}

static void write_command(FILE *page, const app_command *command) {
  const page_name name = name_of(command);
  char typed[64], tail[128];
  snprintf(typed, sizeof typed, "seam %s%s", command_group(command), command->name);
  snprintf(tail, sizeof tail, "%s [OPTIONS]%s%s", command->commands != NULL ? " COMMAND" : "",
           *command->operands ? " " : "", command->operands);
  write_head(page, name.text, command->summary, typed, tail);
  write_paragraphs(page, command->details);
  if (command->commands != NULL)
    write_commands(page, command->commands);
  else
    fputs(".SH OPTIONS\n", page);
  for (const app_option *row = command->options; command->commands == NULL && row->name != NULL; row++) {
    write_after(page, ".TP\n\\fB", row->name);
    if (row->value != NULL)
      write_after(page, "\\fR \\fI", row->value);
    write_after(page, "\\fR\n", row->help);
    fputc('\n', page);
  }
  write_exit_status(page);
  fputs(".SH SEE ALSO\n.BR seam (1)\n", page);
}

static void write_overview(FILE *page) {
  write_head(page, "seam", "planar multibody dynamics with co-simulation", "seam", " COMMAND [OPTIONS] [ARGUMENTS]");
  write_paragraphs(
      page, "Seam simulates planar multibody mechanisms from a model file, whole and cut into subsystems that are\n"
            "coupled by co-simulation, and says what cutting costs and whether it is stable.\n"
            "\n"
            "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models'). Options are\n"
            "--name VALUE or --name=VALUE, anywhere after the command; of equal options the last one counts; --\n"
            "ends them. Data goes to standard output, messages and progress go to standard error.\n"
            "\n"
            "  seam new swing\n"
            "  seam run swing.yaml\n"
            "  seam report swing.yaml");
  write_commands(page, app_commands);
  fputs(".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nprint an overview; 'seam help COMMAND' describes a command\n"
        ".TP\n\\fB\\-\\-version\\fR\nprint the version\n",
        page);
  write_exit_status(page);
}

static seam_status write_page(const char *folder, const app_command *command, seam_error *error) {
  const page_name name = command != NULL ? name_of(command) : (page_name){"seam"};
  char file[sizeof name.text + sizeof ".1"];
  FILE *page = NULL;
  snprintf(file, sizeof file, "%s.1", name.text);
  char *path = output_path(folder, file);
  TRY(check_memory(path != NULL, error));
  const bool is_open = output_open(path, &page, NULL) == SEAM_OK;
  if (is_open && command != NULL)
    write_command(page, command);
  else if (is_open)
    write_overview(page);
  const seam_status status = is_open && output_close(page)
                                 ? SEAM_OK
                                 : seam_fail(error, SEAM_NO_FILE, "%s cannot be written: %s", path, strerror(errno));
  free(path);
  return status;
}

static seam_status write_pages(const char *folder, const app_command *const *list, seam_error *error) {
  for (; *list != NULL; list++) {
    TRY(write_page(folder, *list, error));
    if ((*list)->commands != NULL)
      TRY(write_pages(folder, (*list)->commands, error));
  }
  return SEAM_OK;
}

seam_status man_write(const char *folder, seam_error *error) {
  TRY(output_make_directory(folder, error));
  TRY(write_page(folder, NULL, error));
  return write_pages(folder, app_commands, error);
}
