/* `seam animate`: a mechanism in motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/drawing/frames.h"
#include "app/drawing/motion.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "app/results/run_results.h"
#include "base/then.h"

typedef struct app_animation {
  app_setup setup; /* with results: only its file and model */
  motion shown, ghost;
  seam_motion moving, beside; /* both motions, for the library */
  scene drawn;
  animation made;
  double from, to;
  const char *path; /* NULL: standard output */
  const animation_format *format;
} app_animation;

static seam_status read_options(const app_options *parsed, app_animation *self, seam_error *error) {
  self->to = INFINITY;
  self->made.speed = NAN;
  seam_status status = options_number(parsed, "--from", -INFINITY, INFINITY, &self->from, error);
  THEN(status, options_number(parsed, "--to", -INFINITY, INFINITY, &self->to, error));
  THEN(status, options_number(parsed, "--speed", -INFINITY, INFINITY, &self->made.speed, error));
  if (status == SEAM_OK && self->made.speed <= 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --speed takes a positive number: 0.1 is ten times slower");
  return status;
}

static seam_status read_motion(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *given = parsed->operands[0];
  if (run_results_is_one(given)) {
    seam_status status = motion_read_model(given, &self->setup.file, error);
    self->setup.model = seam_model_mechanism(self->setup.file);
    THEN(status, setup_check_bodies(&self->setup, error));
    return status == SEAM_OK ? motion_read(given, self->setup.model, self->from, self->to, &self->shown, error)
                             : status;
  }
  seam_status status = setup_exists(given) ? setup_read(parsed, &self->setup, error)
                                           : setup_no_such(given, "a folder of results nor a file", error);
  THEN(status, setup_check_bodies(&self->setup, error));
  THEN(status, setup_assemble(&self->setup, error));
  return status == SEAM_OK ? motion_integrate(&self->setup, self->from, self->to, &self->shown, error) : status;
}

static seam_status read_ghost(const char *ghost, const char *shown, app_animation *self, seam_error *error) {
  seam_model_file *file = NULL;
  seam_status status = motion_read_model(ghost, &file, error);
  THEN(status, motion_check_bodies(ghost, seam_model_mechanism(file), shown, self->setup.model, error));
  seam_model_file_destroy(file);
  return status == SEAM_OK ? motion_read(ghost, self->setup.model, self->from, self->to, &self->ghost, error) : status;
}

/* Labels two motions of one kind by their arguments. */
static void name_apart(app_animation *self, const char *shown, const char *ghost) {
  if (strcmp(self->shown.label, self->ghost.label) != 0)
    return;
  snprintf(self->shown.label, sizeof self->shown.label, "%s", shown);
  snprintf(self->ghost.label, sizeof self->ghost.label, "%s", ghost);
}

static seam_status prepare(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *ghost = options_value(parsed, "--ghost");
  seam_status status = read_options(parsed, self, error);
  THEN(status, read_motion(parsed, self, error));
  if (status == SEAM_OK && ghost != NULL)
    status = read_ghost(ghost, parsed->operands[0], self, error);
  if (status == SEAM_OK && ghost != NULL)
    name_apart(self, parsed->operands[0], ghost);
  if (status != SEAM_OK)
    return status;
  self->moving = motion_of(&self->shown);
  self->beside = motion_of(&self->ghost);
  self->made.drawn = &self->drawn;
  self->made.shown = &self->moving;
  self->made.ghost = ghost != NULL ? &self->beside : NULL;
  self->made.speed = animation_speed(&self->moving, self->made.speed);
  const bool with_cuts = !options_flag(parsed, "--whole");
  return animation_scene(self->setup.file, with_cuts, self->made.shown, self->made.ghost, &self->drawn, error);
}

static seam_status choose_format(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *endings[N_ANIMATION_FORMATS];
  for (size_t i = 0; i < N_ANIMATION_FORMATS; i++)
    endings[i] = animation_formats[i].ending;
  size_t number = 0;
  const seam_status status =
      options_output(parsed, "an animation", endings, N_ANIMATION_FORMATS, &self->path, &number, error);
  self->format = status == SEAM_OK ? &animation_formats[number] : NULL;
  return status;
}

static seam_status write_picture(const app_animation *self, seam_error *error) {
  app_replacement replacement;
  if (self->format->rate > 0)
    return animation_write_frames(self->path, self->format, &self->made, error);
  const seam_status status = output_replace(self->path, &replacement, error);
  if (status != SEAM_OK)
    return status;
  animation_write_svg(replacement.file, &self->made);
  return output_commit(&replacement, error);
}

static int animate(const app_options *parsed, seam_error *error) {
  app_animation self = {0};
  seam_status status = choose_format(parsed, &self, error);
  THEN(status, prepare(parsed, &self, error));
  THEN(status, write_picture(&self, error));
  scene_free(&self.drawn);
  motion_free(&self.shown);
  motion_free(&self.ghost);
  setup_free(&self.setup);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {.name = "-o", .value = "FILE", .help = "the picture; default: standard output"},
    {.name = "--ghost", .value = "RESULTS", .help = "another run, whose bodies are drawn by dashed lines"},
    {.name = "--from", .value = "TIME", .help = "where it begins, s"},
    {.name = "--to", .value = "TIME", .help = "where it ends, s"},
    {.name = "--speed", .value = "NUMBER", .help = "s of the motion in a second; default 1, where it lasts 2 to 20 s"},
    {.name = "--whole", .help = "leave out subsystems and couplings"},
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
    .least_operands = 1,
    .max_operands = 1,
    .run = animate,
};
