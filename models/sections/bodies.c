/* `bodies:` each is one of these: a rod between two points; mass and inertia with a pose; a rod of given length near
 * two points, whose pose the assembly finds. The centre of mass of a rod is the middle of its two points. Its angle is
 * that of the line from the first to the second point. Its inertia is m l²/12 unless it is given. */
#include <math.h>

#include "base/note.h"
#include "base/then.h"
#include "models/reader.h"
#include "models/thresholds.h"

enum { MASS, ROD, NEAR, INERTIA, AT, ANGLE, VELOCITY, RATE, OUTLINE, N_KEYS };

static const form form_rod = {FORM_ANY_OF(&form_two_points, &form_positive)};

static const map_key keys[N_KEYS] = {
    [MASS] = {"mass", true, &form_positive, "kg", "mass of the body"},
    [ROD] = {"rod", false, &form_rod, "m",
             "[P, Q]: a uniform rod between two points, which places the body; or the length of the rod, with 'near'"},
    [NEAR] = {"near", false, &form_two_points, "m",
              "[P, Q]: points near which assembly looks for the ends of a rod of given length"},
    [INERTIA] =
        {"inertia", false, &form_not_negative, "kg m2",
         "moment of inertia about the centre of mass; 0: a point mass, which does not turn; default: of a rod m "
         "l²/12, else required"},
    [AT] = {"at", false, &form_point, "m", "place of the centre of mass, without a rod; default: [0, 0]"},
    [ANGLE] = {"angle", false, &form_number, "rad", "initial angle, without a rod; default: 0"},
    [VELOCITY] = {"velocity", false, &form_2_numbers, "m/s",
                  "initial velocity [vx, vy] of the centre of mass; default: [0, 0]"},
    [RATE] = {"rate", false, &form_number, "rad/s", "initial angular velocity; default: 0"},
    [OUTLINE] = {"outline", false, &form_outline, "m",
                 "shape in drawings, in the frame of the body; default: a hull of the places where elements act"},
};
static const form form_body = {.name = "body", .meaning = "a body", FORM_KEYS(keys)};
const form form_bodies = {.kind = FORM_NAMED, .of = &form_body};

static seam_status read_rod(reader *r, const yaml_node *body, yaml_node *const *values, mbs_body_def *def,
                            model_shape *shape) {
  yaml_node *rod = values[ROD];
  yaml_node *near = values[NEAR];
  const yaml_node *doubled = values[AT] != NULL ? values[AT] : values[ANGLE];
  const bool is_length = rod->kind == YAML_SCALAR && rod->text != NULL;
  const char *key = is_length ? "near" : "rod";
  seam_status status = SEAM_OK;
  if (doubled != NULL)
    return reader_fail(r, doubled->key, "remove this key, or 'rod'", "'rod' gives position and angle of %s already",
                       r->subject);
  if (is_length && near == NULL)
    return reader_fail(r, reader_message_node(body), "add near: [P, Q], points close to the two ends of the rod",
                       "%s needs 'near', because 'rod' is a length", r->subject);
  if (!is_length && near != NULL)
    return reader_fail(r, near->key, "remove 'near', or give 'rod' as a length",
                       "'near' in %s has no effect, because 'rod' gives two points", r->subject);
  const yaml_node *ends = is_length ? near : rod;
  if (ends->kind != YAML_LIST || ends->n_children != 2)
    return reader_fail(r, ends, "write [P, Q], each the name of a point or [x, y]",
                       "'%s' in %s must be a list of two points", key, r->subject);
  yaml_node *first = ends->first, *second = ends->last;
  if (is_length) {
    shape->is_rough = true;
    shape->ends[0] = first->kind == YAML_SCALAR ? first->text : NULL;
    shape->ends[1] = second->kind == YAML_SCALAR ? second->text : NULL;
    status = reader_number(r, rod, POSITIVE, &shape->rod_length);
  }
  double p[2], q[2];
  THEN(status, reader_point(r, first, p));
  THEN(status, reader_point(r, second, q));
  if (status != SEAM_OK)
    return status;
  const double length = hypot(q[0] - p[0], q[1] - p[1]);
  if (!(length > 0))
    return reader_fail(r, ends, NULL, "the two points of '%s' in %s coincide", key, r->subject);
  if (!is_length)
    shape->rod_length = length;
  for (int i = 0; i < 2; i++)
    def->pose[i] = (p[i] + q[i]) / 2;
  def->pose[2] = atan2(q[1] - p[1], q[0] - p[0]);
  def->inertia = def->mass * shape->rod_length * shape->rod_length / 12;
  return SEAM_OK;
}

/* Rejects a size so small that its reciprocal overflows, since accelerations would not be finite. Accepts 0. */
static seam_status check_size(reader *r, const yaml_node *node, const char *key, double size, const char *fix) {
  if (node == NULL || size == 0 || isfinite(1 / size))
    return SEAM_OK;
  return reader_fail(r, node, fix, "'%s' in %s is too small, %g: accelerations would be infinite", key, r->subject,
                     size);
}

static seam_status read_one(reader *r, yaml_node *body, model_shape *shape) {
  entry *added = NULL;
  yaml_node *values[N_KEYS];
  mbs_body_def def = mbs_default_body_def();
  seam_status status = reader_add_entry(r, body, ENTRY_BODY, &added);
  def.name = body->key->text;
  shape->rod_length = NAN;
  THEN(status, reader_map(r, body, keys, N_KEYS, values));
  if (status != SEAM_OK)
    return status;
  status = reader_number(r, values[MASS], POSITIVE, &def.mass);
  if (status == SEAM_BAD_INPUT && def.mass == 0)
    return reader_fail(r, values[MASS],
                       "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the "
                       "bodies at its ends",
                       "'mass' in %s must be positive, but is 0", r->subject);
  if (status != SEAM_OK)
    return status;
  if (values[ROD] == NULL && values[INERTIA] == NULL)
    return reader_fail(r, reader_message_node(body), "give it, or write 'rod: [P, Q]' for a uniform rod",
                       "%s needs 'inertia'", r->subject);
  shape->has_position = values[ROD] != NULL || values[AT] != NULL;
  if (values[ROD] != NULL)
    status = read_rod(r, body, values, &def, shape);
  else {
    status = values[AT] != NULL ? reader_point(r, values[AT], def.pose) : SEAM_OK;
    THEN(status, reader_number(r, values[ANGLE], ANY_NUMBER, &def.pose[2]));
    if (status == SEAM_OK && fabs(def.pose[2]) > models_largest_angle) /* probably meant in degrees */
      seam_note("'angle' of %s is %g rad; write %g*deg for degrees", r->subject, def.pose[2], def.pose[2]);
  }
  THEN(status, reader_number(r, values[INERTIA], NOT_NEGATIVE, &def.inertia));
  THEN(status, check_size(r, values[MASS], "mass", def.mass, "write a larger one"));
  THEN(status, check_size(r, values[INERTIA], "inertia", def.inertia, "write 0 for a point mass, which does not turn"));
  THEN(status, reader_vector(r, values[VELOCITY], ANY_NUMBER, 2, def.velocity));
  THEN(status, reader_number(r, values[RATE], ANY_NUMBER, &def.velocity[2]));
  THEN(status, values[OUTLINE] != NULL ? outlines_read(r, values[OUTLINE], shape) : SEAM_OK);
  def.is_rough = shape->is_rough;
  return status == SEAM_OK ? reader_check_call(r, body->key, mbs_add_body(r->builder, &def, &r->cause)) : status;
}

seam_status bodies_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "bodies", &section);
  if (status != SEAM_OK)
    return status;
  /* A file of equations or FMUs may have no bodies. */
  if (section->n_children == 0 && yaml_get(r->root, "cosim") == NULL && yaml_get(r->root, "equations") == NULL)
    return reader_fail(r, r->root, "give at least one under 'bodies:'", "the file has no bodies");
  model_shape *shape = reader_allocate(r, section->n_children, sizeof *shape);
  r->result->shapes = shape;
  if (shape == NULL)
    return reader_no_memory(r);
  for (yaml_node *body = section->first; body != NULL && status == SEAM_OK; body = body->next)
    status = read_one(r, body, shape++);
  return status;
}
