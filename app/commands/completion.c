/* `seam completion`: prints the completion script of a shell. */
#include <string.h>

#include "app/command.h"
#include "app/completion/completion.h"

static int completion_run(const app_options *parsed, seam_error *error) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", completion_print_bash}, {"zsh", completion_print_zsh}, {"fish", completion_print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(parsed->operands[0], shells[i].name) == 0) {
      shells[i].print();
      return 0;
    }
  return seam_status_exit(seam_fail(error, SEAM_BAD_INPUT,
                                    "seam: there is no completion for '%s'; for bash, zsh and fish there is",
                                    parsed->operands[0]));
}

static const app_option table[] = {OPTION_HELP, {0}};

const app_command completion_command = {
    .name = "completion",
    .summary = "print the completion of commands for a shell",
    .operands = "bash|zsh|fish",
    .words = "bash zsh fish",
    .details =
        "Prints a script with which a shell completes commands, options, their values, models of the catalogue and\n"
        "names of files. A package of Seam installs it; without one:\n"
        "\n"
        "  seam completion bash > ~/.local/share/bash-completion/completions/seam\n"
        "  seam completion zsh > ~/.zfunc/_seam\n"
        "  seam completion fish > ~/.config/fish/completions/seam.fish",
    .options = table,
    .min_operands = 1,
    .max_operands = 1,
    .run = completion_run,
};
