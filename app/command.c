/* The table of commands, also the source of the overview, help, manual pages and completion. */
#include "app/command.h"

const app_command *const app_commands[] = {&check_command,   &draw_command,      &animate_command,    &run_command,
                                           &sweep_command,   &export_command,    &compare_command,    &converge_command,
                                           &static_command,  &modes_command,     &stability_command,  &plot_command,
                                           &report_command,  &reproduce_command, &new_command,        &models_command,
                                           &schemes_command, &schema_command,    &completion_command, NULL};
