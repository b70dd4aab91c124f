#include <math.h>

#include "drawing/scene.h"

static void write_pair(json_writer *json, const char *key, const double pair[2]) {
  json_open(json, key, '[');
  json_number(json, NULL, pair[0]);
  json_number(json, NULL, pair[1]);
  json_close(json, ']');
}

/* Writes the index of a body; -1: the ground. */
static void write_body(json_writer *json, const char *key, size_t body) {
  json_number(json, key, body == MBS_GROUND ? -1 : (double)body);
}

static void write_shape(const scene *from, const scene_shape *shape, json_writer *json) {
  const bool is_cable = shape->anchor == SCENE_CABLE;
  const bool is_between = shape->anchor >= SCENE_AT_FIRST && !is_cable;
  json_open(json, NULL, '{');
  json_string(json, "class", scene_class_name(shape->class));
  json_string(json, "anchor", scene_anchor_name(shape->anchor));
  json_string(json, "owner", shape->owner);
  json_string(json, "kind", shape->kind);
  json_open(json, "bodies", '[');
  for (int side = 0; side <= is_between; side++)
    write_body(json, NULL, shape->bodies[side]);
  json_close(json, ']');
  if (is_cable) {
    json_open(json, "places", '[');
    for (size_t k = 0; k < shape->n_nodes; k++) {
      const scene_cable_node *node = &from->nodes[shape->first_node + k];
      json_open(json, NULL, '{');
      write_body(json, "body", node->body);
      write_pair(json, "at", node->at);
      json_number(json, "radius", node->radius);
      json_close(json, '}');
    }
    json_close(json, ']');
  } else if (shape->anchor != SCENE_ON_BODY) {
    json_open(json, "at", '[');
    for (int side = 0; side <= is_between; side++)
      write_pair(json, NULL, shape->at[side]);
    json_close(json, ']');
  }
  if (is_between)
    json_number(json, "inset", shape->inset);
  const int digits = (int)fmax(0, fmin(15, ceil(3 - log10(from->unit)))); /* enough for a thousandth of the unit */
  json_raw(json, "path", "\"");
  path_write(json->file, from->paths.at + shape->first, shape->length, path_translation(0, 0), digits);
  fputc('"', json->file);
  json_close(json, '}');
}

void scene_write_json(const scene *from, json_writer *json, const char *key) {
  json_open(json, key, '{');
  json_string(json, "name", from->name);
  json_number(json, "unit", from->unit);
  json_number(json, "text", from->text);
  write_pair(json, "gravity", from->gravity);
  json_number(json, "apart", from->apart);
  json_open(json, "box", '[');
  write_pair(json, NULL, from->box.low);
  write_pair(json, NULL, from->box.high);
  json_close(json, ']');
  json_open(json, "subsystems", '[');
  for (size_t k = 0; k < from->n_subsystems; k++)
    json_string(json, NULL, from->subsystems[k]);
  json_close(json, ']');
  json_open(json, "bodies", '[');
  for (size_t b = 0; b < mbs_n_bodies(from->model); b++) {
    json_open(json, NULL, '{');
    json_string(json, "name", mbs_body_of(from->model, b).name);
    json_number(json, "subsystem", from->subsystem[b] == SEAM_NONE ? -1 : (double)from->subsystem[b]);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_open(json, "shapes", '[');
  for (size_t i = 0; i < from->n_shapes; i++)
    write_shape(from, &from->shapes[i], json);
  json_close(json, ']');
  json_open(json, "labels", '[');
  for (size_t i = 0; i < from->n_labels; i++) {
    const scene_label *label = &from->labels[i];
    if (!label->is_shown)
      continue;
    json_open(json, NULL, '{');
    json_string(json, "text", label->text);
    json_string(json, "kind", label->kind);
    write_body(json, "body", label->body);
    write_pair(json, "at", label->at);
    write_pair(json, "offset", label->offset);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_close(json, '}');
}
