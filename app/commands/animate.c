/* `seam animate`: draws a mechanism in motion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/drawing/frames.h"
#include "app/drawing/motion.h"
#include "app/results/output.h"
#include "app/results/run_results.h"
#include "base/then.h"

typedef struct app_animation {
  app_setup setup; /* if the motion is read from results, only `file` and `model` are set */
  motion shown, ghost;
  seam_motion shown_motion, ghost_motion; /* the same motions in the form of the library */
  scene drawn;
  animation output;
  double from, to;
} app_animation;

static seam_status read_motion(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *given = parsed->operands[0];
  if (run_results_is_path(given)) {
    seam_status status = motion_read_model(given, &self->setup.file, error);
    self->setup.model = seam_model_mechanism(self->setup.file);
    THEN(status, setup_check_bodies(&self->setup, error));
    THEN(status, motion_read(given, self->setup.model, self->from, self->to, &self->shown, error));
    return status;
  }
  seam_status status = setup_exists(given) ? setup_read(parsed, &self->setup, error)
                                           : setup_fail_unknown(given, "a folder of results nor a file", error);
  THEN(status, setup_check_bodies(&self->setup, error));
  THEN(status, setup_assemble(&self->setup, error));
  return status == SEAM_OK ? motion_integrate(&self->setup, self->from, self->to, &self->shown, error) : status;
}

static seam_status prepare(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *shown = parsed->operands[0];
  const char *ghost = options_value(parsed, "--ghost");
  seam_status status = options_number(parsed, "--from", -INFINITY, INFINITY, &self->from, error);
  THEN(status, options_number(parsed, "--to", -INFINITY, INFINITY, &self->to, error));
  THEN(status, options_number(parsed, "--speed", -INFINITY, INFINITY, &self->output.speed, error));
  if (status == SEAM_OK && self->output.speed <= 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --speed takes a positive number: 0.1 is ten times slower");
  THEN(status, read_motion(parsed, self, error));
  if (status == SEAM_OK && ghost != NULL) {
    seam_model_file *file = NULL;
    status = motion_read_model(ghost, &file, error);
    THEN(status, motion_check_bodies(ghost, seam_model_mechanism(file), shown, self->setup.model, error));
    THEN(status, motion_read(ghost, self->setup.model, self->from, self->to, &self->ghost, error));
    seam_model_file_destroy(file);
  }
  if (status != SEAM_OK)
    return status;
  if (ghost != NULL && strcmp(self->shown.label, self->ghost.label) == 0) { /* labels are equal: use folder names */
    snprintf(self->shown.label, sizeof self->shown.label, "%s", shown);
    snprintf(self->ghost.label, sizeof self->ghost.label, "%s", ghost);
  }
  self->shown_motion = motion_of(&self->shown);
  self->ghost_motion = motion_of(&self->ghost);
  self->output.drawn = &self->drawn;
  self->output.shown = &self->shown_motion;
  self->output.ghost = ghost != NULL ? &self->ghost_motion : NULL;
  self->output.speed = animation_speed(&self->shown_motion, self->output.speed);
  const bool with_cuts = !options_flag(parsed, "--whole");
  return animation_scene(self->setup.file, with_cuts, self->output.shown, self->output.ghost, &self->drawn, error);
}

static int animate(const app_options *parsed, seam_error *error) {
  app_animation self = {.to = INFINITY, .output = {.speed = NAN}};
  const char *endings[N_ANIMATION_FORMATS];
  const char *path = NULL; /* NULL: standard output */
  size_t format = 0;
  for (size_t i = 0; i < N_ANIMATION_FORMATS; i++)
    endings[i] = animation_formats[i].ending;
  seam_status status = options_output(parsed, "an animation", endings, N_ANIMATION_FORMATS, &path, &format, error);
  THEN(status, prepare(parsed, &self, error));
  if (status == SEAM_OK && animation_formats[format].rate > 0)
    status = animation_write_frames(path, &animation_formats[format], &self.output, error);
  else if (status == SEAM_OK) {
    app_replacement picture;
    status = output_replace(path, &picture, error);
    if (status == SEAM_OK) {
      animation_write_svg(picture.file, &self.output);
      status = output_commit(&picture, error);
    }
  }
  scene_free(&self.drawn);
  motion_free(&self.shown);
  motion_free(&self.ghost);
  setup_free(&self.setup);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {"-o", "FILE", .help = "the picture; default: standard output"},
    {"--ghost", "RESULTS", .help = "another run, whose bodies are drawn by dashed lines"},
    {"--from", "TIME", .help = "where it begins, s"},
    {"--to", "TIME", .help = "where it ends, s"},
    {"--speed", "NUMBER", .help = "s of the motion in a second; default 1, where it lasts 2 to 20 s"},
    {"--whole", .help = "leave out subsystems and couplings"},
    OPTION_SET,
    OPTION_HELP,
    {0},
};

const app_command animate_command = {
    .name = "animate",
    .summary = "draw the mechanism in motion",
    .operands = "RESULTS|MODEL",
    .details =
        "Draws a mechanism as 'seam draw' does, moving as the trajectory in RESULTS, the folder of a run, or as MODEL\n"
        "moves undivided. The ending of FILE says what is written: .svg moves in browsers and on pages (SMIL), for\n"
        "ever; .gif needs gnuplot, .mp4 gnuplot and ffmpeg.\n"
        "\n"
        "  seam animate results/cut --ghost results/whole -o cut.svg\n"
        "\n"
        "draws a co-simulated run, and the undivided one as a ghost over it.",
    .options = table,
    .min_operands = 1,
    .max_operands = 1,
    .run = animate,
};
