/* `seam export`: exports a model, or one subsystem of its co-simulation, as an FMU. */
#include <stdlib.h>
#include <string.h>

#include <seam/fmu.h>

#include "app/command.h"
#include "app/setup.h"
#include "base/then.h"

static int export_run(const app_options *parsed, seam_error *error) {
  const bool is_system = options_flag(parsed, "--ssp");
  const char *ending = is_system ? ".ssp" : ".fmu";
  const char *version = options_value(parsed, "--fmi");
  const char *path = NULL;
  char *text = NULL;
  seam_fmu_options options = seam_default_fmu_options();
  seam_status status = SEAM_OK;
  options.subsystem = options_value(parsed, "--subsystem");
  if (is_system && options.subsystem != NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: --ssp writes all subsystems; leave out --subsystem");
  else if (version != NULL && strcmp(version, "2") != 0 && strcmp(version, "3") != 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: --fmi %.40s: there are FMI 2 and 3: write 2 or 3", version);
  else if (version != NULL)
    options.version = version[0] - '0';
  THEN(status, options_output(parsed, is_system ? "a system" : "an FMU", ending, &path, NULL, error));
  if (status == SEAM_OK && path == NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: say where the %s is to be written: -o NAME%s",
                       is_system ? "system" : "FMU", ending);
  THEN(status, setup_read_text(parsed->operands[0], &text, error));
  THEN(status, (is_system ? seam_system_export : seam_fmu_export)(parsed->operands[0], text, strlen(text),
                                                                  (const char *const *)parsed->overrides,
                                                                  parsed->n_overrides, &options, path, error));
  free(text);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {"-o", "FILE", .help = "the FMU, NAME.fmu; with --ssp the system, NAME.ssp"},
    {"--fmi", "VERSION", .help = "of the standard: 2 (default) or 3", .words = "2 3"},
    {"--subsystem", "NAME", .help = "one of 'cosim.subsystems'; default: the whole mechanism"},
    {"--ssp", .help = "all subsystems of the cut, and what connects them, as a system of FMUs (SSP 1.0)"},
    OPTION_SET,
    OPTION_HELP,
    {0},
};

const app_command export_command = {
    .name = "export",
    .summary = "write an FMU of the mechanism or of one subsystem of its cut, or the cut as a system of FMUs",
    .operands = "MODEL",
    .details =
        "Writes a Functional Mock-up Unit for co-simulation, which any master of FMI 2.0 or 3.0 runs on Linux: the\n"
        "engine of Seam, which needs libc and libm alone, the model with the values of --set, and what describes\n"
        "both. No compiler is needed, and the same arguments give the same bytes.\n"
        "\n"
        "  seam export four_bar_bushing --subsystem left -o left.fmu\n"
        "  seam export crane.yaml --fmi 3 -o crane.fmu\n"
        "  seam export four_bar_bushing --ssp -o four_bar.ssp\n"
        "\n"
        "The whole mechanism takes and gives what the file says under `fmu`; a subsystem also has the ports of the\n"
        "cut, as the file's schemes have them (--set cosim.scheme=fd-k1 chooses others).\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models').",
    .options = table,
    .n_operands = {1, 1},
    .run = export_run,
};
