/* `seam animate`: draws a mechanism in motion. An .svg moves by itself. gnuplot draws the frames of a .gif or .mp4;
 * ffmpeg makes the .mp4 from them. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/motion.h"
#include "app/program.h"
#include "app/results/output.h"
#include "app/results/run_results.h"
#include "base/scratch.h"
#include "base/then.h"
#include "drawing/svg.h"

/* ---- Frames: polygons and lines in pixels, in the colours of drawing/svg.c on white ---- */

static const char output_name[] = "film"; /* name in the temporary folder where gnuplot and ffmpeg run */

typedef struct animation_format {
  const char *ending;      /* ".svg", ".gif", ".mp4" */
  const char *programs[2]; /* programs that make it, at most two; NULL: none */
  int rate;                /* frames per second; unused for SVG */
} animation_format;

enum { MAX_FRAMES = 3000 };
static const animation_format formats[] = {
    {".svg", {NULL, NULL}, 0},
    {".gif", {"gnuplot", NULL}, 20},
    {".mp4", {"gnuplot", "ffmpeg"}, 25},
};

typedef struct paint {
  const char *fill, *line; /* colours; fill NULL: not filled; line NULL: no line is drawn */
  double width;            /* pixels */
  const char *dashes;      /* dash type of gnuplot; NULL: the line is solid */
} paint;

static const paint paints[SCENE_CLASSES] = {
    [SCENE_HATCHING] = {NULL, COLOUR_INK, 1, NULL},
    [SCENE_GROUND] = {"#ffffff", COLOUR_INK, 1.6, NULL},
    [SCENE_LINK] = {"#dfe2e6", COLOUR_LINK, 1.3, NULL},
    [SCENE_LINE] = {NULL, COLOUR_LINK, 3, NULL},
    [SCENE_PITCH] = {NULL, COLOUR_INK, 1.2, "(9,3,2,3)"},
    [SCENE_GUIDE] = {NULL, COLOUR_INK, 3, NULL},
    [SCENE_RUBBER] = {"#ffffff", COLOUR_RUBBER, 4.5, NULL},
    [SCENE_ELEMENT] = {NULL, COLOUR_INK, 1.5, NULL},
    [SCENE_HOUSING] = {COLOUR_HOUSING, COLOUR_INK, 1.5, NULL},
    [SCENE_BLOCK] = {"#ffffff", COLOUR_INK, 1.5, NULL},
    [SCENE_PIN] = {"#ffffff", COLOUR_INK, 1.5, NULL},
    [SCENE_CENTRE] = {"#ffffff", COLOUR_INK, 1.1, NULL},
    [SCENE_SOLID] = {COLOUR_INK, NULL, 0, NULL},
    [SCENE_LOAD] = {NULL, COLOUR_LOAD, 2.2, NULL},
    [SCENE_LOAD_HEAD] = {COLOUR_LOAD, NULL, 0, NULL},
    [SCENE_DRIVE] = {NULL, COLOUR_DRIVE, 2.2, NULL},
    [SCENE_DRIVE_HEAD] = {COLOUR_DRIVE, NULL, 0, NULL},
    [SCENE_CUT] = {NULL, COLOUR_CUT, 2, "(5,3.5)"},
};
static const paint ghost_paint = {NULL, "#8a929c", 1.2, "(4,3)"};

/* Paints for links, by subsystem. */
static const paint colours[SVG_N_COLOURS] = {
    {"#c7e0ef", COLOUR_SUBSYSTEM_0, 1.3, NULL}, {"#faeac7", COLOUR_SUBSYSTEM_1, 1.3, NULL},
    {"#c7eae0", COLOUR_SUBSYSTEM_2, 1.3, NULL}, {"#f4e3ec", COLOUR_SUBSYSTEM_3, 1.3, NULL},
    {"#daeefa", COLOUR_SUBSYSTEM_4, 1.3, NULL}, {"#f6dbc7", COLOUR_SUBSYSTEM_5, 1.3, NULL},
    {"#fcf9d5", COLOUR_SUBSYSTEM_6, 1.3, NULL},
};

typedef struct frame_writer {
  FILE *script;
  const scene *drawn;
  svg_view view;
  double *q;            /* poses of the present frame */
  double *cable_angles; /* angles of cables in the previous frame, see scene_new_cable_angles() */
} frame_writer;

/* Computes the poses at a time by linear interpolation between rows. */
static void find_poses(const seam_motion *shown, size_t n, double t, double *q) {
  size_t row = 0;
  while (row + 2 < shown->n && shown->t[row + 1] <= t)
    row++;
  const double fraction = fmax(0, fmin(1, (t - shown->t[row]) / (shown->t[row + 1] - shown->t[row])));
  const double *from = shown->q + row * n;
  for (size_t i = 0; i < n; i++)
    q[i] = from[i] + fraction * (from[n + i] - from[i]);
}

static void write_point(void *context, const double point[2]) { fprintf(context, "%.2f %.2f\n", point[0], point[1]); }

/* Writes the points of a path for gnuplot, as a data block for each line. A command M begins a line. */
static void write_path(const frame_writer *out, const path_segment *at, size_t n, path_map map) {
  for (size_t i = 0; i < n;) {
    size_t end = i + 1;
    while (end < n && at[end].command != 'M')
      end++;
    path_visit(at + i, end - i, map, INFINITY, write_point, out->script);
    fputs("\n\n", out->script);
    i = end;
  }
}

static void write_data(const frame_writer *out, size_t number, const char *name) {
  const scene_shape *shape = &out->drawn->shapes[number];
  fprintf(out->script, "$%s%zu << EOD\n", name, number);
  if (shape->anchor != SCENE_CABLE) {
    const path_map map = path_compose(scene_shape_map(shape, out->q), out->view.map);
    write_path(out, out->drawn->paths.at + shape->first, shape->length, map);
  } else {
    path_list line = {0};
    if (scene_cable_path(out->drawn, shape, out->q, out->cable_angles, &line))
      write_path(out, line.at, line.n, out->view.map);
    path_release(&line);
  }
  fputs("EOD\n", out->script);
}

static void write_plot(const frame_writer *out, size_t shape, const char *name, const paint *by) {
  if (by->fill != NULL)
    fprintf(out->script, ", $%s%zu with filledcurves closed fs solid noborder lc rgb '%s'", name, shape, by->fill);
  if (by->line != NULL)
    fprintf(out->script, ", $%s%zu with lines lw %g lc rgb '%s' dt %s", name, shape, by->width, by->line,
            by->dashes != NULL ? by->dashes : "solid");
}

static void write_frame(const frame_writer *out, const animation *self, double t) {
  const size_t n = 3 * mbs_n_bodies(out->drawn->model);
  const scene_shape *shapes = out->drawn->shapes;
  find_poses(self->shown, n, t, out->q);
  for (size_t i = 0; i < out->drawn->n_shapes; i++)
    write_data(out, i, "part");
  if (self->ghost != NULL)
    find_poses(self->ghost, n, t, out->q);
  for (size_t i = 0; i < out->drawn->n_shapes && self->ghost != NULL; i++)
    if (shapes[i].class == SCENE_LINK || shapes[i].class == SCENE_LINE)
      write_data(out, i, "ghost");
  fprintf(out->script, "set label 1 't = %.3g s' at 18,%g font ',11'\nplot NaN", t, out->view.size[1] - 12);
  for (size_t i = 0; i < out->drawn->n_shapes && self->ghost != NULL; i++)
    if (shapes[i].class == SCENE_LINK || shapes[i].class == SCENE_LINE)
      write_plot(out, i, "ghost", &ghost_paint);
  for (size_t i = 0; i < out->drawn->n_shapes; i++) {
    const bool is_body = shapes[i].class == SCENE_LINK && shapes[i].bodies[0] != MBS_GROUND;
    const size_t subsystem = is_body ? out->drawn->subsystem[shapes[i].bodies[0]] : SEAM_NONE;
    write_plot(out, i, "part", subsystem != SEAM_NONE ? &colours[subsystem % SVG_N_COLOURS] : &paints[shapes[i].class]);
  }
  fputc('\n', out->script);
}

static seam_status write_script(FILE *script, const animation *self, svg_view view, int rate, seam_error *error) {
  const scene *drawn = self->drawn;
  frame_writer out = {.script = script, .drawn = drawn, .view = view};
  const double start = self->shown->t[0];
  const double end = self->shown->t[self->shown->n - 1];
  const int n_frames = (int)fmin(MAX_FRAMES, floor((end - start) / self->speed * rate)) + 1;
  out.q = malloc((3 * mbs_n_bodies(drawn->model) + 1) * sizeof *out.q);
  out.cable_angles = scene_new_cable_angles(drawn);
  const bool has_memory = out.q != NULL && out.cable_angles != NULL;
  fprintf(script, "unset border\nunset tics\nunset key\nset margins 0,0,0,0\nset xrange [0:%g]\nset yrange [%g:0]\n",
          view.size[0], view.size[1]);
  for (int i = 0; i < n_frames && has_memory; i++)
    write_frame(&out, self, start + i * self->speed / rate);
  free(out.q);
  free(out.cable_angles);
  return check_memory(has_memory, error);
}

/* gnuplot reads the script from a pipe. It writes the .gif itself; for an .mp4 it writes pictures into a pipe to
 * ffmpeg. */
static seam_status write_movie(const char *folder, const animation_format *format, const animation *self,
                               const char *path, seam_error *error) {
  char rate[16];
  const char *const gnuplot[] = {"gnuplot", "-", NULL};
  const char *const ffmpeg[] = {
      "ffmpeg", "-y",  "-loglevel", "error",    "-f",      "image2pipe", "-framerate",
      rate,     "-i",  "-",         "-pix_fmt", "yuv420p", "-vf",        "scale=trunc(iw/2)*2:trunc(ih/2)*2",
      "-f",     "mp4", output_name, NULL};
  const svg_view view = svg_view_of(self->drawn, self->drawn->box);
  const bool has_frames = format->programs[1] != NULL;
  int text[2] = {-1, -1}, frames[2] = {-1, -1};
  pid_t programs[2] = {-1, -1};
  FILE *script = NULL;
  snprintf(rate, sizeof rate, "%d", format->rate);
  signal(SIGPIPE, SIG_IGN); /* gnuplot may end before it has read the script */
  if (program_pipe(text) && (!has_frames || program_pipe(frames))) {
    programs[0] = program_start(gnuplot, folder, text[0], frames[1]);
    programs[1] = has_frames ? program_start(ffmpeg, folder, frames[0], -1) : -1;
    script = fdopen(text[1], "w");
  }
  if (script == NULL)
    return seam_fail(error, SEAM_NO_FILE, "%s: gnuplot cannot be started (%s)", path, strerror(errno));
  if (has_frames)
    fprintf(script, "set terminal pngcairo noenhanced size %g,%g\n", view.size[0], view.size[1]);
  else
    fprintf(script, "set terminal gif animate delay %d loop 0 optimize enhanced size %g,%g\nset output '%s'\n",
            100 / format->rate, view.size[0], view.size[1], output_name);
  seam_status status = write_script(script, self, view, format->rate, error);
  fputs("unset output\n", script);
  fclose(script);
  for (int i = 0; i < 2; i++)
    if (format->programs[i] != NULL && program_wait(programs[i]) != 0 && status == SEAM_OK)
      status = seam_fail(error, SEAM_NO_FILE, "%s: %s could not draw the animation; write a .svg instead", path,
                         format->programs[i]);
  return status == SEAM_OK ? program_copy_result(folder, output_name, path, error) : status;
}

/* Draws up to MAX_FRAMES + 1 frames. SEAM_NO_FILE: gnuplot or ffmpeg is missing or fails, or the file cannot be
 * written. SEAM_NO_MEMORY. */
static seam_status write_frames(const char *path, const animation_format *format, const animation *self,
                                seam_error *error) {
  char *folder = NULL;
  for (int i = 0; i < 2; i++) {
    const char *why = format->programs[i] != NULL ? program_missing(format->programs[i]) : NULL;
    if (why != NULL)
      return seam_fail(error, SEAM_NO_FILE, "seam: %s, which makes %s, is %s; install it, or write a .svg",
                       format->programs[i], format->ending, why);
  }
  seam_status status = scratch_make(&folder, error);
  THEN(status, write_movie(folder, format, self, path, error));
  scratch_remove(folder);
  return status;
}

/* ---- The command ---- */

typedef struct app_animation {
  app_setup setup; /* for a motion from results only `file` and `model` are set */
  motion shown, ghost;
  seam_motion shown_motion, ghost_motion; /* the same motions in the form of the library */
  scene drawn;
  animation output;
  double from, to;
} app_animation;

static seam_status read_motion(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *given = parsed->operands[0];
  if (run_results_is_path(given)) {
    TRY(motion_read_model(given, &self->setup.file, error));
    self->setup.model = seam_model_mechanism(self->setup.file);
    TRY(setup_check_bodies(&self->setup, error));
    return motion_read(given, self->setup.model, self->from, self->to, &self->shown, error);
  }
  TRY(setup_exists(given) ? setup_read(parsed, &self->setup, error)
                          : setup_fail_unknown(given, "a folder of results nor a file", error));
  TRY(setup_check_bodies(&self->setup, error));
  TRY(setup_assemble(&self->setup, error));
  return motion_integrate(&self->setup, self->from, self->to, &self->shown, error);
}

static seam_status prepare(const app_options *parsed, app_animation *self, seam_error *error) {
  const char *shown = parsed->operands[0];
  const char *ghost = options_value(parsed, "--ghost");
  TRY(options_number(parsed, "--from", -INFINITY, INFINITY, &self->from, error));
  TRY(options_number(parsed, "--to", -INFINITY, INFINITY, &self->to, error));
  TRY(options_number(parsed, "--speed", -INFINITY, INFINITY, &self->output.speed, error));
  if (self->output.speed <= 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --speed takes a positive number: 0.1 is ten times slower");
  TRY(read_motion(parsed, self, error));
  if (ghost != NULL) {
    seam_model_file *file = NULL;
    seam_status status = motion_read_model(ghost, &file, error);
    THEN(status, motion_check_bodies(ghost, seam_model_mechanism(file), shown, self->setup.model, error));
    THEN(status, motion_read(ghost, self->setup.model, self->from, self->to, &self->ghost, error));
    seam_model_file_destroy(file);
    TRY(status);
  }
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
  const char *path = NULL; /* NULL: standard output */
  size_t format = 0;
  seam_status status = options_output(parsed, "an animation", ".svg .gif .mp4", &path, &format, error);
  THEN(status, prepare(parsed, &self, error));
  if (status == SEAM_OK && formats[format].rate > 0)
    status = write_frames(path, &formats[format], &self.output, error);
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
    .n_operands = {1, 1},
    .run = animate,
};
