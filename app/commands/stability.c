/* `seam stability`: a group of commands, and the functions that they share. */
#include "app/commands/stability.h"

#include <stdio.h>

#include "app/interrupt.h"
#include "app/plots/map_plot.h"
#include "app/results/output.h"
#include "base/then.h"

seam_status stability_draw(const app_options *parsed, map_panel *panels, size_t n, size_t n_columns, const char *usual,
                           const char *name, seam_error *error) {
  const map_style style = options_flag(parsed, "--rho")        ? MAP_COLOURS
                          : options_flag(parsed, "--together") ? MAP_LINES
                                                               : MAP_REGIONS;
  const char *given = options_value(parsed, "-o");
  const char *directory = given != NULL ? given : usual;
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
  THEN(status, map_plot(panels, n, n_columns, style, directory, name, error));
  for (size_t i = 0; i < n; i++)
    map_panel_free(&panels[i]);
  return status;
}

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
