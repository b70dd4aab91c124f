/* `seam draw`: draws the mechanism in its initial pose. */
#include <stdio.h>

#include "app/command.h"
#include "app/results/output.h"
#include "app/setup.h"
#include "base/then.h"
#include "drawing/scene.h"
#include "drawing/svg.h"

/* A mechanism that cannot be assembled is drawn with the poses in the file, and the command fails. */
static int draw(const app_options *parsed, seam_error *error) {
  const bool as_json = options_flag(parsed, "--json");
  const char *path = NULL;
  app_setup setup;
  scene drawn = {0};
  app_replacement to;
  seam_error draw_error = {0};
  seam_status status = setup_read(parsed, &setup, error);
  THEN(status, options_output(parsed, "this drawing", as_json ? ".json" : ".svg", &path, NULL, error));
  if (status == SEAM_OK && mbs_n_bodies(setup.model) == 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: the model has no bodies, only user equations: nothing to draw");
  THEN(status, setup_assemble(&setup, error));
  seam_status written = status;
  if (setup.state != NULL) {
    const scene_poses poses = {setup.state->q, 1};
    written = scene_create(setup.file, !options_flag(parsed, "--whole"), poses, &drawn, &draw_error);
    THEN(written, output_replace(path, &to, &draw_error));
    if (written == SEAM_OK) {
      json_writer json = {.file = to.file};
      if (as_json)
        scene_write_json(&drawn, &json, NULL);
      else
        svg_draw(to.file, &drawn, setup.state->q, !options_flag(parsed, "--no-names"));
      written = output_commit(&to, &draw_error);
    }
  }
  scene_free(&drawn);
  if (status != SEAM_OK && written == SEAM_OK)
    fputs("note: the mechanism cannot be assembled; bodies are drawn where the file places them\n", stderr);
  if (status == SEAM_OK)
    *error = draw_error;
  setup_free(&setup);
  return seam_status_exit(status != SEAM_OK ? status : written);
}

static const app_option table[] = {
    {"-o", "FILE", .help = "the picture; default: standard output"},
    {"--no-names", .help = "leave out the names"},
    {"--whole", .help = "leave out subsystems and couplings"},
    {"--json", .help = "write the shapes and how to place them instead of a picture"},
    OPTION_SET,
    OPTION_HELP,
    {0},
};

const app_command draw_command = {
    .name = "draw",
    .summary = "draw the mechanism in its initial pose",
    .operands = "MODEL",
    .details =
        "Draws the assembled mechanism as SVG: bodies with their outlines (by default what joins their places), "
        "joints\n"
        "and force elements with the symbols of the textbooks, the ground, centres of mass, names; the subsystems of\n"
        "`cosim` by colour, and its couplings by dashed marks.\n"
        "\n"
        "  seam draw four_bar_bushing -o four_bar.svg\n"
        "\n"
        "A mechanism that cannot be assembled is drawn as the file places it; the exit status is 2 then.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models').",
    .options = table,
    .n_operands = {1, 1},
    .run = draw,
};
