#include "drawing/svg.h"

#include <math.h>
#include <string.h>

#include "drawing/colours.h"
#include "drawing/scene_parts.h"

enum { WIDTH = 720, HEIGHT = 540, MARGIN = 18, LEGEND_HEIGHT = 34, DIGITS = 2, MAX_TEXT_SIZE = 13, MIN_WIDTH = 420 };

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

void svg_begin(FILE *file, const scene *from, const svg_view *view, const char *description) {
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

void svg_end(FILE *file) { fputs("</svg>\n", file); }

/* Begins a text of the legend. */
static void begin_legend_text(FILE *file, const char *attributes, double x, double y) {
  fprintf(file, "<text class=\"legend\" %s", attributes);
  write_svg(file, " x=\"#\" y=\"#\">", (double[]){x, y});
}

/* Writes a scale bar. Its length, m, is 1, 2 or 5 times a power of ten: the largest of these lengths with at most 110
 * pixels. */
static void write_scale_bar(FILE *file, const svg_view *view) {
  const double limit = 110 / view->scale;
  const double power = pow(10, floor(log10(limit)));
  const double length = limit >= 5 * power ? 5 * power : limit >= 2 * power ? 2 * power : power;
  const double y = view->size[1] - 14;
  write_svg(file, "<path d=\"M# #v5h#v-5\"/>", (double[]){MARGIN, y - 5, length * view->scale});
  begin_legend_text(file, "font-size=\"12\"", MARGIN + length * view->scale + 7, y + 1);
  fprintf(file, "%g %s</text>\n", length >= 1 ? length : length * 1e3, length >= 1 ? "m" : "mm");
}

static void write_gravity(FILE *file, const scene *from, const svg_view *view) {
  const double g = hypot(from->gravity[0], from->gravity[1]);
  if (!(g > 0))
    return;
  const double angle = atan2(-from->gravity[1], from->gravity[0]) * 180 / acos(-1);
  write_svg(file,
            "<g transform=\"translate(# #) rotate(#)\"><path d=\"M-13 0H8\"/><path class=\"solid\" d=\"M14 0L6 "
            "3.4V-3.4Z\"/></g>",
            (double[]){view->size[0] - MARGIN - 10, view->size[1] - 22, angle});
  begin_legend_text(file, "font-size=\"13\" font-style=\"italic\" text-anchor=\"end\"", view->size[0] - MARGIN - 28,
                    view->size[1] - 17);
  fputs("g</text>\n", file);
}

static void write_subsystems(FILE *file, const scene *from, const svg_view *view) {
  double x = MARGIN;
  const double y = view->size[1] - 40;
  for (size_t k = 0; k < from->n_subsystems && x < view->size[0] - 150; k++) {
    fprintf(file, "<path class=\"link s%zu\" ", k % SVG_N_COLOURS);
    write_svg(file, "d=\"M# #h14v10h-14Z\"/>", (double[]){x, y - 9});
    begin_legend_text(file, "font-size=\"12\"", x + 20, y);
    write_text(file, from->subsystems[k]);
    fputs("</text>\n", file);
    x += 40 + 7.0 * (double)strlen(from->subsystems[k]);
  }
  write_svg(file, "<path class=\"cut\" d=\"M# #h24\"/>", (double[]){x, y - 4});
  begin_legend_text(file, "font-size=\"12\"", x + 30, y);
  fputs("cut</text>\n", file);
}

void svg_write_legend_text(FILE *file, double x, double y, const char *anchor, const char *text) {
  char attributes[64];
  snprintf(attributes, sizeof attributes, "font-size=\"12\" text-anchor=\"%s\"", anchor);
  begin_legend_text(file, attributes, x, y);
  write_text(file, text);
  fputs("</text>\n", file);
}

void svg_write_legend(FILE *file, const scene *from, const svg_view *view) {
  write_scale_bar(file, view);
  if (from->apart > 0)
    svg_write_legend_text(file, view->size[0] - MARGIN - 60, view->size[1] - 13, "end", "bodies drawn apart");
  write_gravity(file, from, view);
  if (from->n_subsystems > 0)
    write_subsystems(file, from, view);
}

void svg_write_class(FILE *file, const scene *from, const scene_shape *shape) {
  fputs(scene_class_name(shape->class), file);
  const bool is_body = shape->class == SCENE_LINK || shape->class == SCENE_LINE;
  const size_t subsystem = is_body && shape->bodies[0] != MBS_GROUND ? from->subsystem[shape->bodies[0]] : SEAM_NONE;
  if (subsystem != SEAM_NONE)
    fprintf(file, " s%zu", subsystem % SVG_N_COLOURS);
}

static void write_label(FILE *file, const scene *from, const scene_label *label, const svg_view *view,
                        const double *q) {
  double at[2];
  scene_point(q, label->body, label->at, at);
  at[0] += label->offset[0];
  at[1] += label->offset[1] - 0.34 * from->text;
  path_apply(view->map, at, at);
  fprintf(file, "<text class=\"name%s\" text-anchor=\"middle\"", label->is_body ? " of-body" : "");
  write_svg(file, " font-size=\"#\" x=\"#\" y=\"#\">", (double[]){from->text * view->scale, at[0], at[1]});
  write_text(file, label->text);
  fputs("</text>\n", file);
}

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
  svg_begin(file, from, &view, "The mechanism in its initial pose, drawn by seam draw.");
  for (const scene_shape *shape = from->shapes; shape < from->shapes + from->n_shapes; shape++) {
    fputs("<path class=\"", file);
    svg_write_class(file, from, shape);
    fputs("\" d=\"", file);
    path_write(file, from->paths.at + shape->first, shape->length, path_compose(scene_shape_map(shape, q), view.map),
               DIGITS);
    fputs("\"><title>", file);
    write_text(file, shape->owner);
    fprintf(file, ": %s</title></path>\n", shape->kind);
  }
  for (size_t i = 0; i < from->n_labels && with_names; i++)
    if (from->labels[i].is_shown)
      write_label(file, from, &from->labels[i], &view, q);
  svg_write_legend(file, from, &view);
  svg_end(file);
}
