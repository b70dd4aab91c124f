/* Scenes as SVG, still and in motion.
 *
 * In an animation, shapes that move together are in nested groups, for translation, rotation and stretching. Each group
 * has its own values and key times. A body is translated as its least moving point (find_least_moving_point()); thus a
 * body on a fixed pivot only rotates. */
#include "drawing/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"

enum { WIDTH = 720, HEIGHT = 540, MARGIN = 18, LEGEND_HEIGHT = 34, DIGITS = 2, MAX_TEXT_SIZE = 13, MIN_WIDTH = 420 };

/* ---- Parts of all pictures ---- */

/* Colours and lines of the classes of scenes, for light and dark displays, as CSS. */
static const char style[] =
    ".paper{fill:#fff}.ink,.legend{fill:" COLOUR_INK "}text{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif}\n"
    "path{fill:none;stroke:" COLOUR_INK ";stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}\n"
    ".hatching{stroke-width:1}.ground{fill:#fff;stroke-width:1.6}\n"
    ".link{fill:#6b7785;fill-opacity:.22;stroke:" COLOUR_LINK ";stroke-width:1.3}.line{stroke:" COLOUR_LINK
    ";stroke-width:3}\n"
    ".pitch{stroke-width:1.2;stroke-dasharray:9 3 2 3}.guide{stroke-width:3}\n"
    ".rubber{fill:#fff;stroke:" COLOUR_RUBBER ";stroke-width:4.5;stroke-dasharray:2.2 1.6;stroke-linecap:butt}\n"
    ".housing{fill:" COLOUR_HOUSING "}.block,.pin,.centre{fill:#fff}.centre{stroke-width:1.1}\n"
    ".solid{fill:" COLOUR_INK ";stroke:none}.load{stroke:" COLOUR_LOAD ";stroke-width:2.2}.load-head{fill:" COLOUR_LOAD
    ";stroke:none}\n"
    ".drive{stroke:" COLOUR_DRIVE ";stroke-width:2.2}.drive-head{fill:" COLOUR_DRIVE ";stroke:none}\n"
    ".cut{stroke:" COLOUR_CUT ";stroke-width:2;stroke-dasharray:5 3.5;stroke-linecap:butt}\n"
    ".s0{fill:#0072b2;stroke:" COLOUR_SUBSYSTEM_0 "}.s1{fill:#e69f00;stroke:" COLOUR_SUBSYSTEM_1
    "}.s2{fill:#009e73;stroke:" COLOUR_SUBSYSTEM_2 "}\n"
    ".s3{fill:#cc79a7;stroke:" COLOUR_SUBSYSTEM_3 "}.s4{fill:#56b4e9;stroke:" COLOUR_SUBSYSTEM_4
    "}.s5{fill:#d55e00;stroke:" COLOUR_SUBSYSTEM_5 "}\n"
    ".s6{fill:#f0e442;stroke:" COLOUR_SUBSYSTEM_6 "}.line{fill:none}\n"
    ".name{fill:" COLOUR_INK ";stroke:#fff;stroke-width:3;paint-order:stroke;stroke-linejoin:round}\n"
    ".of-body{font-style:italic}\n"
    "@media (prefers-color-scheme:dark){.paper,.ground,.block,.pin,.centre,.rubber{fill:#0d1117}\n"
    "path{stroke:#e6edf3}.link{fill:#9aa7b5;stroke:#b7c2cd}.line{stroke:#b7c2cd}.ink,.legend,.name{fill:#e6edf3}\n"
    ".name{stroke:#0d1117}.solid{fill:#e6edf3}.housing{fill:#2b333c}.load{stroke:#ff7b72}.load-head{fill:#ff7b72}\n"
    ".drive{stroke:#c297ff}.drive-head{fill:#c297ff}.cut{stroke:#ff7eb6}.rubber{stroke:#d1a86b}\n"
    ".solid,.load-head,.drive-head{stroke:none}\n"
    ".s0{fill:#3b9fe0;stroke:#58b4f0}.s1{fill:#e69f00;stroke:#e69f00}.s2{fill:#00b386;stroke:#1fd0a3}\n"
    ".s3{fill:#cc79a7;stroke:#e39bc4}.s4{fill:#56b4e9;stroke:#8acdf3}.s5{fill:#e8722a;stroke:#f08a4b}\n"
    ".s6{fill:#f0e442;stroke:#f0e442}.line{fill:none}}\n";

/* Writes text with & and < escaped, and without control characters. */
static void write_text(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    if (*text == '&')
      fputs("&amp;", file);
    else if (*text == '<')
      fputs("&lt;", file);
    else if ((unsigned char)*text >= 0x20)
      fputc(*text, file);
}

/* Writes SVG in which each # is replaced by the next of the numbers. */
static void write_svg(FILE *file, const char *svg, const double *numbers) {
  for (; *svg != '\0'; svg++)
    if (*svg == '#')
      path_write_number(file, *numbers++, DIGITS);
    else
      fputc(*svg, file);
}

svg_view svg_view_of(const scene *from, scene_box box) {
  const double width = fmax(box.high[0] - box.low[0], 8 * from->unit);
  const double height = fmax(box.high[1] - box.low[1], 8 * from->unit);
  svg_view view = {
      .scale = fmin(MAX_TEXT_SIZE / from->text, fmin((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height))};
  view.size[0] = fmax(MIN_WIDTH, ceil(view.scale * width) + 2 * MARGIN);
  view.size[1] = ceil(view.scale * height + 2 * MARGIN + LEGEND_HEIGHT * (from->n_subsystems > 0 ? 1.6 : 1));
  const double left = (view.size[0] - view.scale * (box.low[0] + box.high[0])) / 2;
  const double top = MARGIN + view.scale * ((box.low[1] + box.high[1]) / 2 + height / 2);
  view.map = path_compose(path_scale(view.scale, -view.scale), path_translation(left, top));
  return view;
}

static void begin_svg(FILE *file, const scene *from, const svg_view *view, const char *description) {
  const double *size = view->size;
  write_svg(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 # #\" width=\"#\" height=\"#\" role=\"img\">\n",
            (double[]){size[0], size[1], size[0], size[1]});
  fputs("<title>", file);
  write_text(file, from->name);
  fputs("</title>\n<desc>", file);
  write_text(file, description);
  fprintf(file, "</desc>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", style);
}

static void end_svg(FILE *file) { fputs("</svg>\n", file); }

/* ---- The legend ---- */

static const char at_start[] = "font-size=\"12\" text-anchor=\"start\"",
                  at_end[] = "font-size=\"12\" text-anchor=\"end\"";

static void write_legend_text(FILE *file, double x, double y, const char *attributes, const char *text) {
  fprintf(file, "<text class=\"legend\" %s", attributes);
  write_svg(file, " x=\"#\" y=\"#\">", (double[]){x, y});
  write_text(file, text);
  fputs("</text>\n", file);
}

static void write_legend(FILE *file, const scene *from, const svg_view *view) {
  const double width = view->size[0], height = view->size[1];

  /* The length of the scale bar, m, is 1, 2 or 5 times a power of ten: the largest one of at most 110 pixels. */
  const double limit = 110 / view->scale;
  const double power = pow(10, floor(log10(limit)));
  const double length = limit >= 5 * power ? 5 * power : limit >= 2 * power ? 2 * power : power;
  char text[32];
  snprintf(text, sizeof text, "%g %s", length >= 1 ? length : length * 1e3, length >= 1 ? "m" : "mm");
  write_svg(file, "<path d=\"M# #v5h#v-5\"/>", (double[]){MARGIN, height - 19, length * view->scale});
  write_legend_text(file, MARGIN + length * view->scale + 7, height - 13, "font-size=\"12\"", text);

  if (from->apart > 0)
    write_legend_text(file, width - MARGIN - 60, height - 13, at_end, "bodies drawn apart");

  if (hypot(from->gravity[0], from->gravity[1]) > 0) {
    const double angle = atan2(-from->gravity[1], from->gravity[0]) * 180 / acos(-1);
    write_svg(file,
              "<g transform=\"translate(# #) rotate(#)\"><path d=\"M-13 0H8\"/><path class=\"solid\" d=\"M14 0L6 "
              "3.4V-3.4Z\"/></g>",
              (double[]){width - MARGIN - 10, height - 22, angle});
    write_legend_text(file, width - MARGIN - 28, height - 17,
                      "font-size=\"13\" font-style=\"italic\" text-anchor=\"end\"", "g");
  }
  if (from->n_subsystems == 0)
    return;
  double x = MARGIN;
  for (size_t k = 0; k < from->n_subsystems && x < width - 150; k++) {
    fprintf(file, "<path class=\"link s%zu\" ", k % SVG_N_COLOURS);
    write_svg(file, "d=\"M# #h14v10h-14Z\"/>", (double[]){x, height - 49});
    write_legend_text(file, x + 20, height - 40, "font-size=\"12\"", from->subsystems[k]);
    x += 40 + 7.0 * (double)strlen(from->subsystems[k]);
  }
  write_svg(file, "<path class=\"cut\" d=\"M# #h24\"/>", (double[]){x, height - 44});
  write_legend_text(file, x + 30, height - 40, "font-size=\"12\"", "cut");
}

static void write_class(FILE *file, const scene *from, const scene_shape *shape) {
  fputs(scene_class_name(shape->class), file);
  const bool is_body = shape->class == SCENE_LINK || shape->class == SCENE_LINE;
  const size_t subsystem = is_body && shape->bodies[0] != MBS_GROUND ? from->subsystem[shape->bodies[0]] : SEAM_NONE;
  if (subsystem != SEAM_NONE)
    fprintf(file, " s%zu", subsystem % SVG_N_COLOURS);
}

/* ---- A still picture ---- */

/* Returns the box of the scene, extended so that it also contains the names at poses q. */
static scene_box box_with_labels(const scene *from, const double *q) {
  scene_box box = from->box;
  for (size_t i = 0; i < from->n_labels; i++) {
    const scene_label *label = &from->labels[i];
    double at[2];
    double size[2];
    scene_point(q, label->body, label->at, at);
    scene_label_size(from, label, size);
    for (int k = 0; k < 2 && label->is_shown; k++) {
      box.low[k] = fmin(box.low[k], at[k] + label->offset[k] - size[k] / 2);
      box.high[k] = fmax(box.high[k], at[k] + label->offset[k] + size[k] / 2);
    }
  }
  return box;
}

void svg_draw(FILE *file, const scene *from, const double *q, bool with_names) {
  const svg_view view = svg_view_of(from, with_names ? box_with_labels(from, q) : from->box);
  begin_svg(file, from, &view, "The mechanism in its initial pose, drawn by seam draw.");
  for (const scene_shape *shape = from->shapes; shape < from->shapes + from->n_shapes; shape++) {
    fputs("<path class=\"", file);
    write_class(file, from, shape);
    fputs("\" d=\"", file);
    path_write(file, from->paths.at + shape->first, shape->length, path_compose(scene_shape_map(shape, q), view.map),
               DIGITS);
    fputs("\"><title>", file);
    write_text(file, shape->owner);
    fprintf(file, ": %s</title></path>\n", shape->kind);
  }
  for (size_t i = 0; i < from->n_labels && with_names; i++) {
    const scene_label *label = &from->labels[i];
    double at[2];
    if (!label->is_shown)
      continue;
    scene_point(q, label->body, label->at, at);
    at[0] += label->offset[0];
    at[1] += label->offset[1] - 0.34 * from->text;
    path_apply(view.map, at, at);
    fprintf(file, "<text class=\"name%s\" text-anchor=\"middle\"", label->is_body ? " of-body" : "");
    write_svg(file, " font-size=\"#\" x=\"#\" y=\"#\">", (double[]){from->text * view.scale, at[0], at[1]});
    write_text(file, label->text);
    fputs("</text>\n", file);
  }
  write_legend(file, from, &view);
  end_svg(file);
}

/* ---- Speed and scene of an animation ---- */

double animation_speed(const seam_motion *shown, double speed) {
  const double span = shown->t[shown->n - 1] - shown->t[0];
  if (!isnan(speed) || (span >= 2 && span <= 20))
    return isnan(speed) ? 1 : speed;
  const double slowest = span / 20;
  const double power = pow(10, ceil(log10(slowest)));
  return slowest <= power / 5 ? power / 5 : slowest <= power / 2 ? power / 2 : power;
}

seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *result, seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(seam_model_mechanism(file));
  const size_t n_shown = shown->n * n;
  const size_t n_ghost = ghost != NULL ? ghost->n * n : 0;
  double *q = malloc((n_shown + n_ghost + 1) * sizeof *q);
  TRY(seam_check_memory(q != NULL, error));
  memcpy(q, shown->q, n_shown * sizeof *q);
  if (ghost != NULL)
    memcpy(q + n_shown, ghost->q, n_ghost * sizeof *q);
  const scene_poses poses = {q, shown->n + (ghost != NULL ? ghost->n : 0)};
  const seam_status status = scene_create(file, with_cuts, poses, result, error);
  free(q);
  return status;
}

/* ---- Values over time ---- */

static const double tolerance = 0.2; /* pixels, largest error of each transformation between key times */
enum { TIME_DIGITS = 5, MAX_GAP = 1000 /* rows between key times */ };

typedef struct part_writer {
  FILE *file;
  const scene *drawn;
  const seam_motion *motion; /* the motion that is written: the one shown or its ghost */
  size_t n;                  /* number of rows: up to the first one at or after the end of the motion shown */
  bool is_ghost;
  svg_view view;
  double start, end; /* s, start and end of the motion shown */
  double seconds;    /* duration of the animation */
} part_writer;

/* Values at the rows of the motion: of a transformation of a group, or of the points of a cable. */
typedef struct channel {
  const char *type; /* type of <animateTransform>; "": the points of a path */
  size_t width;     /* numbers in a value: 1 or 2, or two for each point of the path */
  const char *tail; /* text after the numbers of a value: ",1", or "" */
  double *values;   /* (rows x width) */
  double tolerance; /* largest error of interpolated values, in their unit */
  int digits;       /* decimals of the numbers */
} channel;

static double rounded(double value, int digits) {
  const double scale = pow(10, digits);
  return round(value * scale) / scale;
}

static double time_fraction(const part_writer *out, size_t row) {
  return (out->motion->t[row] - out->start) / (out->end - out->start);
}

static double key_time(const part_writer *out, size_t row) { return rounded(time_fraction(out, row), TIME_DIGITS); }

/* Returns true if linear interpolation between rows i and j is within the tolerance at all rows between them. Also
 * returns true if both rows have the same rounded key time. */
static bool is_line(const part_writer *out, const channel *self, size_t i, size_t j) {
  const double start = key_time(out, i);
  const double end = key_time(out, j);
  if (!(end > start))
    return true;
  for (size_t k = i; k <= j; k++) {
    const double s = (time_fraction(out, k) - start) / (end - start);
    double square = 0;
    for (size_t c = 0; c < self->width; c++) {
      const double from = rounded(self->values[i * self->width + c], self->digits);
      const double to = rounded(self->values[j * self->width + c], self->digits);
      const double off = from + s * (to - from) - self->values[k * self->width + c];
      square += off * off;
    }
    if (square > self->tolerance * self->tolerance)
      return false;
  }
  return true;
}

/* Chooses key rows; returns their number. The next one is the last row up to which is_line() holds, by bisection. */
static size_t choose_rows(const part_writer *out, const channel *self, size_t *rows) {
  size_t n_keys = 1;
  rows[0] = 0;
  for (size_t i = 0; i + 1 < out->n; i = rows[n_keys - 1]) {
    size_t good = i + 1;
    size_t bad = out->n;
    for (size_t ahead = 2; i + ahead < bad && ahead <= MAX_GAP; ahead *= 2)
      if (is_line(out, self, i, i + ahead))
        good = i + ahead;
      else
        bad = i + ahead;
    while (good + 1 < bad && good - i < MAX_GAP) {
      const size_t middle = good + (bad - good) / 2;
      if (is_line(out, self, i, middle))
        good = middle;
      else
        bad = middle;
    }
    rows[n_keys++] = good;
  }
  return n_keys;
}

static void write_value(FILE *file, const channel *self, size_t row) {
  fputs(self->type[0] == '\0' ? "M" : "", file);
  for (size_t c = 0; c < self->width; c++) {
    if (c > 0)
      fputc(',', file);
    path_write_number(file, self->values[row * self->width + c], self->digits);
  }
  fputs(self->tail, file);
}

static void write_keys(const part_writer *out, const channel *self, const size_t *rows, size_t n_keys) {
  FILE *file = out->file;
  const bool ends_early = key_time(out, rows[n_keys - 1]) < 1;
  if (self->type[0] == '\0')
    fputs("<animate attributeName=\"d\"", file);
  else
    fprintf(file, "<animateTransform attributeName=\"transform\" type=\"%s\"", self->type);
  fprintf(file, " dur=\"%.6gs\" repeatCount=\"indefinite\" values=\"", out->seconds);
  for (size_t i = 0; i < n_keys + ends_early; i++) { /* if the motion ends early, its last value stays */
    fputs(i > 0 ? ";" : "", file);
    write_value(file, self, rows[i < n_keys ? i : n_keys - 1]);
  }
  fputs("\" keyTimes=\"", file);
  for (size_t i = 0; i < n_keys; i++) {
    fputs(i > 0 ? ";" : "", file);
    path_write_number(file, fmin(1, time_fraction(out, rows[i])), TIME_DIGITS);
  }
  fputs(ends_early ? ";1\"/>" : "\"/>", file);
}

static void write_motion(const part_writer *out, const channel *self) {
  size_t *rows = malloc((out->n + 1) * sizeof *rows);
  bool is_constant = true;
  for (size_t i = 0; i < out->n * self->width && is_constant; i++)
    is_constant = !(fabs(self->values[i] - self->values[i % self->width]) > self->tolerance / 8);
  if (rows != NULL && !is_constant)
    write_keys(out, self, rows, choose_rows(out, self, rows));
  free(rows);
}

static void open_group(const part_writer *out, const channel *self) {
  fprintf(out->file, "<g transform=\"%s(", self->type);
  write_value(out->file, self, 0);
  fputs(")\">", out->file);
  write_motion(out, self);
}

/* ---- Parts ---- */

static const double *pose_at(const part_writer *out, size_t row) {
  return out->motion->q + 3 * mbs_n_bodies(out->drawn->model) * row;
}

static void extend_reach(void *context, const double point[2]) {
  double *reach = context;
  *reach = fmax(*reach, hypot(point[0], point[1]));
}

/* Finds the middle of a body's symbol that travels least over the motion. (0, 0): the body has no symbols. */
static void find_least_moving_point(const part_writer *out, size_t body, double at[2]) {
  double least = INFINITY;
  at[0] = at[1] = 0;
  for (size_t i = 0; i < out->drawn->n_shapes && body != MBS_GROUND; i++) {
    const scene_shape *shape = &out->drawn->shapes[i];
    if (shape->anchor != SCENE_ON_BODY || shape->bodies[0] != body)
      continue;
    double before[2];
    double travelled = 0;
    for (size_t row = 0; row < out->n; row++) {
      double now[2];
      scene_point(pose_at(out, row), body, shape->at[0], now);
      travelled += row > 0 ? hypot(now[0] - before[0], now[1] - before[1]) : 0;
      memcpy(before, now, sizeof now);
    }
    if (travelled < least) {
      least = travelled;
      memcpy(at, shape->at[0], 2 * sizeof *at);
    }
  }
}

static void write_shapes(const part_writer *out, const scene_shape *first, const scene_shape *end, path_map map) {
  for (const scene_shape *shape = first; shape < end; shape++) {
    fputs("<path class=\"", out->file);
    if (out->is_ghost)
      fputs("ghost", out->file);
    else
      write_class(out->file, out->drawn, shape);
    fputs(shape->anchor == SCENE_STRETCHED ? " stretched\" d=\"" : "\" d=\"", out->file);
    path_write(out->file, out->drawn->paths.at + shape->first, shape->length, map,
               4 - DIGITS + (shape->anchor == SCENE_STRETCHED));
    fputs("\"/>", out->file);
  }
}

static void write_moving(const part_writer *out, const scene_shape *first, const scene_shape *end) {
  const bool is_body = first->anchor == SCENE_ON_BODY;
  const bool is_stretched = first->anchor == SCENE_STRETCHED;
  const double k = out->view.scale;
  double at[2] = {0, 0};
  double *positions = malloc(4 * out->n * sizeof *positions);
  if (positions == NULL)
    return;
  double *angles = positions + 2 * out->n; /* degrees, clockwise as in SVG */
  double *lengths = angles + out->n;
  if (is_body)
    find_least_moving_point(out, first->bodies[0], at);
  for (size_t row = 0; row < out->n; row++) {
    const path_map map = scene_shape_map(first, pose_at(out, row));
    double point[2];
    path_apply(map, at, point);
    path_apply(out->view.map, point, positions + 2 * row);
    angles[row] = -(is_body ? pose_at(out, row)[3 * first->bodies[0] + 2] : atan2(-map.c, map.d)) * 180 / acos(-1);
    if (!is_body && row > 0) /* without jumps by 360° */
      angles[row] += 360 * round((angles[row - 1] - angles[row]) / 360);
    lengths[row] = hypot(map.a, map.b) * k;
  }
  double reach = 0; /* m, distance from `at` to the farthest point of the shapes */
  for (const scene_shape *shape = first; shape < end && !is_stretched; shape++)
    path_visit(out->drawn->paths.at + shape->first, shape->length, path_translation(-at[0], -at[1]), INFINITY,
               extend_reach, &reach);
  double longest = fmax(1, reach * k); /* pixels */
  for (size_t row = 0; row < out->n && is_stretched; row++)
    longest = fmax(longest, lengths[row]);
  const channel translation = {"translate", 2, "", positions, tolerance, DIGITS};
  const channel rotation = {
      "rotate", 1, "", angles, tolerance / longest * 180 / acos(-1), 2 + (int)ceil(log10(fmax(1, longest / 100)))};
  const channel stretch = {"scale", 1, ",1", lengths, tolerance, DIGITS};
  const bool rotates = first->anchor != SCENE_UPRIGHT;
  open_group(out, &translation);
  if (rotates)
    open_group(out, &rotation);
  if (is_stretched)
    open_group(out, &stretch);
  write_shapes(out, first, end, path_compose(path_translation(-at[0], -at[1]), path_scale(is_stretched ? 1 : k, -k)));
  fputs(is_stretched ? "</g></g></g>\n" : rotates ? "</g></g>\n" : "</g>\n", out->file);
  free(positions);
}

/* Writes the line of a cable. All its points are values over time, since they do not move as a rigid body. */
static void write_cable(const part_writer *out, const scene_shape *shape) {
  const size_t n = scene_cable_n_points(out->drawn, shape);
  double *values = malloc(2 * n * out->n * sizeof *values);
  double(*points)[2] = malloc(n * sizeof *points);
  double *angles = scene_new_cable_angles(out->drawn);
  bool has_memory = values != NULL && points != NULL && angles != NULL;
  for (size_t row = 0; row < out->n && has_memory; row++) {
    has_memory = scene_cable_points(out->drawn, shape, pose_at(out, row), angles, points);
    for (size_t i = 0; i < n; i++)
      path_apply(out->view.map, points[i], values + 2 * (n * row + i));
  }
  if (has_memory) {
    const channel line = {"", 2 * n, "", values, tolerance * sqrt((double)n), DIGITS};
    fputs("<path class=\"", out->file);
    write_class(out->file, out->drawn, shape);
    fputs("\" d=\"", out->file);
    write_value(out->file, &line, 0);
    fputs("\">", out->file);
    write_motion(out, &line);
    fputs("</path>\n", out->file);
  }
  free(angles);
  free(points);
  free(values);
}

static int layer_of(const scene_shape *shape) {
  if (shape->anchor == SCENE_ON_BODY && shape->bodies[0] == MBS_GROUND)
    return 0;
  if (shape->class == SCENE_CUT)
    return 4;
  if (shape->anchor != SCENE_ON_BODY)
    return 2;
  return shape->class <= SCENE_LINE ? 1 : 3;
}

/* Orders shapes by layers. Within a layer, shapes that move together follow one another. */
static int by_motion(const void *a, const void *b) {
  const scene_shape *x = a;
  const scene_shape *y = b;
  if (layer_of(x) != layer_of(y))
    return layer_of(x) - layer_of(y);
  if (layer_of(x) % 2 == 1 && x->bodies[0] != y->bodies[0])
    return x->bodies[0] < y->bodies[0] ? -1 : 1;
  return scene_by_class(a, b);
}

static bool move_together(const scene_shape *x, const scene_shape *y) {
  if (layer_of(x) != layer_of(y) || x->anchor != y->anchor || x->bodies[0] != y->bodies[0] || x->anchor == SCENE_CABLE)
    return false;
  const double *p = x->at[0];
  const double *q = y->at[0];
  return x->anchor == SCENE_ON_BODY || (x->bodies[1] == y->bodies[1] && x->inset == y->inset && p[0] == q[0] &&
                                        p[1] == q[1] && x->at[1][0] == y->at[1][0] && x->at[1][1] == y->at[1][1]);
}

static void write_parts(const part_writer *out, const scene_shape *shapes, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t end = i + 1;
    while (end < n && move_together(&shapes[i], &shapes[end]))
      end++;
    if (layer_of(&shapes[i]) == 0)
      write_shapes(out, shapes + i, shapes + end, out->view.map);
    else if (!out->is_ghost && shapes[i].anchor == SCENE_CABLE)
      write_cable(out, &shapes[i]);
    else if (!out->is_ghost || layer_of(&shapes[i]) == 1)
      write_moving(out, shapes + i, shapes + end);
    i = end;
  }
}

enum { NAMES = 36 }; /* pixels, height of the labels of two motions above the mechanism */

static void write_moving_parts(part_writer *out, const animation *self) {
  const scene *drawn = self->drawn;
  scene_shape *shapes = malloc((drawn->n_shapes + 1) * sizeof *shapes);
  if (shapes == NULL)
    return;
  memcpy(shapes, drawn->shapes, drawn->n_shapes * sizeof *shapes);
  qsort(shapes, drawn->n_shapes, sizeof *shapes, by_motion);
  out->motion = self->shown;
  out->n = self->shown->n;
  write_parts(out, shapes, drawn->n_shapes);
  if (self->ghost != NULL) {
    out->motion = self->ghost;
    out->n = self->ghost->n;
    while (out->n > 2 && out->motion->t[out->n - 2] >= out->end)
      out->n--;
    out->is_ghost = true;
    size_t n_solid = 0;
    while (n_solid < drawn->n_shapes && layer_of(&shapes[n_solid]) == 0)
      n_solid++;
    write_parts(out, shapes + n_solid, drawn->n_shapes - n_solid);
  }
  free(shapes);
}

void animation_write_svg(FILE *file, const animation *self) {
  const seam_motion *shown = self->shown;
  part_writer out = {.file = file,
                     .drawn = self->drawn,
                     .view = svg_view_of(self->drawn, self->drawn->box),
                     .start = shown->t[0],
                     .end = shown->t[shown->n - 1]};
  if (self->ghost != NULL) {
    out.view.size[1] += NAMES;
    out.view.map = path_compose(out.view.map, path_translation(0, NAMES));
  }
  out.seconds = (out.end - out.start) / self->speed;
  begin_svg(file, self->drawn, &out.view, "The mechanism in motion, drawn by seam animate.");
  fputs("<style>.stretched{vector-effect:non-scaling-stroke}"
        ".ghost{fill:none;stroke:#1b1f24;stroke-width:1.2;stroke-dasharray:4 3}.progress{fill:#9aa7b5}"
        "@media (prefers-color-scheme:dark){.ghost{stroke:#e6edf3}}</style>\n",
        file);
  write_moving_parts(&out, self);
  write_legend(file, self->drawn, &out.view);
  if (self->ghost != NULL) {
    const double left = 14;
    fprintf(file, "<path class=\"line\" d=\"M%g 15h24\"/><path class=\"ghost\" d=\"M%g 31h24\"/>\n", left, left);
    write_legend_text(file, left + 32, 20, at_start, shown->label);
    write_legend_text(file, left + 32, 36, at_start, self->ghost->label);
  }
  if (self->speed != 1) {
    char speed[64];
    snprintf(speed, sizeof speed, "speed %g", self->speed);
    write_legend_text(file, out.view.size[0] - 70, out.view.size[1] - 13, at_end, speed);
  }
  fprintf(file,
          "<rect class=\"progress\" y=\"%g\" width=\"0\" height=\"3\"><animate attributeName=\"width\" "
          "values=\"0;%g\" dur=\"%.6gs\" repeatCount=\"indefinite\"/></rect>\n",
          out.view.size[1] - 3, out.view.size[0], out.seconds);
  end_svg(file);
}
