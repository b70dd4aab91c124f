/* `bodies:` a rod between two points, or mass and inertia with a pose, or a rod of given length near two points, which
 * assembly moves. A rod's centre of mass is the middle of its points, its angle that from the first to the second, and
 * its inertia m l²/12 unless given. */
#include <math.h>

#include "base/note.h"
#include "base/then.h"
#include "models/reader.h"
#include "models/sections/outlines.h"
#include "models/thresholds.h"

enum { MASS, ROD, NEAR, INERTIA, AT, ANGLE, VELOCITY, RATE, OUTLINE, N_KEYS };

static const form two_points = {FORM_EXACTLY(2, form_point)};
static const form *const rods[] = {&two_points, &form_positive};
static const form form_rod = {FORM_FORMS(rods)};

static const map_key keys[N_KEYS] = {
    [MASS] = {"mass", true, &form_positive, "kg", "mass of the body"},
    [ROD] = {"rod", false, &form_rod, "m",
             "[P, Q]: a uniform rod between two points, which places the body; or the length of the rod, with 'near'"},
    [NEAR] = {"near", false, &two_points, "m",
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

/* Reads the names of the ends of a rod of given length. */
static seam_status read_near(reader *r, const yaml_node *body, yaml_node *const *values, model_shape *shape) {
  const yaml_node *near = values[NEAR];
  if (near == NULL)
    return reader_fail(r, reader_place(body), "add near: [P, Q], places that its ends are close to",
                       "%s needs 'near', for its rod is a length", r->subject);
  if (near->kind != YAML_LIST || near->n_children != 2)
    return reader_fail(r, near, "name them, or write them as [x, y]", "'near' in %s must be a list of two points",
                       r->subject);
  shape->is_rough = true;
  shape->ends[0] = near->first->kind == YAML_SCALAR ? near->first->text : NULL;
  shape->ends[1] = near->last->kind == YAML_SCALAR ? near->last->text : NULL;
  return reader_number(r, values[ROD], POSITIVE, &shape->rod_length);
}

static seam_status read_rod(reader *r, const yaml_node *body, yaml_node *const *values, mbs_body_def *def,
                            model_shape *shape) {
  yaml_node *rod = values[ROD];
  yaml_node *doubled = values[AT] != NULL ? values[AT] : values[ANGLE];
  if (doubled != NULL)
    return reader_fail(r, doubled->key, "remove one of the two", "'rod' already gives the place of %s", r->subject);
  const bool is_length = rod->kind == YAML_SCALAR && rod->text != NULL;
  if (is_length) {
    const seam_status status = read_near(r, body, values, shape);
    if (status != SEAM_OK)
      return status;
    rod = values[NEAR];
  } else if (values[NEAR] != NULL) {
    return reader_fail(r, values[NEAR]->key, "remove it, or give the length of the rod",
                       "'near' in %s has no effect: its rod ends at two points", r->subject);
  }
  if (rod->kind != YAML_LIST || rod->n_children != 2)
    return reader_fail(r, rod, "name them, or write them as [x, y]", "'rod' in %s must be a list of two points",
                       r->subject);
  double p[2], q[2];
  seam_status status = reader_point(r, rod->first, p);
  THEN(status, reader_point(r, rod->last, q));
  if (status != SEAM_OK)
    return status;
  const double length = hypot(q[0] - p[0], q[1] - p[1]);
  if (!(length > 0))
    return reader_fail(r, rod, NULL, "the two points of '%s' in %s coincide", is_length ? "near" : "rod", r->subject);
  if (!is_length)
    shape->rod_length = length;
  for (int i = 0; i < 2; i++)
    def->pose[i] = (p[i] + q[i]) / 2;
  def->pose[2] = atan2(q[1] - p[1], q[0] - p[0]);
  def->inertia = def->mass * shape->rod_length * shape->rod_length / 12;
  return SEAM_OK;
}

/* Reads a pose; notes angles above a turn, which are probably meant in degrees. */
static seam_status read_pose(reader *r, const yaml_node *body, yaml_node *const *values, mbs_body_def *def) {
  if (values[INERTIA] == NULL)
    return reader_fail(r, reader_place(body), "give it, or write 'rod: [P, Q]' for a uniform rod", "%s needs 'inertia'",
                       r->subject);
  seam_status status = values[AT] != NULL ? reader_point(r, values[AT], def->pose) : SEAM_OK;
  if (status == SEAM_OK && values[ANGLE] != NULL)
    status = reader_number(r, values[ANGLE], ANY_NUMBER, &def->pose[2]);
  if (status == SEAM_OK && fabs(def->pose[2]) > models_turn)
    seam_note("'angle' of %s is %g rad; write %g*deg for degrees", r->subject, def->pose[2], def->pose[2]);
  return status;
}

static seam_status read_mass(reader *r, yaml_node *node, double *mass) {
  const seam_status status = reader_number(r, node, POSITIVE, mass);
  if (status == SEAM_BAD_INPUT && *mass == 0)
    return reader_fail(r, node,
                       "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the "
                       "bodies at its ends",
                       "'mass' in %s must be positive, but is 0", r->subject);
  return status;
}

/* Refuses a size whose reciprocal overflows: accelerations would not be finite. */
static seam_status check_size(reader *r, const yaml_node *node, const char *key, double size, const char *fix) {
  if (node == NULL || size == 0 || isfinite(1 / size))
    return SEAM_OK;
  return reader_fail(r, node, fix, "'%s' in %s is too small to divide by, %g", key, r->subject, size);
}

static seam_status read_definition(reader *r, const yaml_node *body, mbs_body_def *def, model_shape *shape) {
  yaml_node *values[N_KEYS];
  seam_status status = reader_take_map(r, body, keys, N_KEYS, values);
  THEN(status, read_mass(r, values[MASS], &def->mass));
  THEN(status, values[ROD] != NULL ? read_rod(r, body, values, def, shape) : read_pose(r, body, values, def));
  if (status == SEAM_OK && values[INERTIA] != NULL)
    status = reader_number(r, values[INERTIA], NOT_NEGATIVE, &def->inertia);
  THEN(status, check_size(r, values[MASS], "mass", def->mass, "write a larger one"));
  THEN(status,
       check_size(r, values[INERTIA], "inertia", def->inertia, "write 0 for a point mass, which does not turn"));
  if (status == SEAM_OK && values[VELOCITY] != NULL)
    status = reader_vector(r, values[VELOCITY], ANY_NUMBER, 2, def->velocity);
  if (status == SEAM_OK && values[RATE] != NULL)
    status = reader_number(r, values[RATE], ANY_NUMBER, &def->velocity[2]);
  if (status == SEAM_OK && values[OUTLINE] != NULL)
    status = outlines_read(r, values[OUTLINE], shape);
  return status;
}

static seam_status read_one(reader *r, yaml_node *body, model_shape *shape) {
  entry *added = NULL;
  seam_status status = reader_add_entry(r, body, ENTRY_BODY, &added);
  if (status != SEAM_OK)
    return status;
  mbs_body_def def = mbs_default_body_def();
  def.name = added->name;
  shape->rod_length = NAN;
  status = read_definition(r, body, &def, shape);
  if (status != SEAM_OK)
    return status;
  def.is_rough = shape->is_rough;
  seam_error cause = {0};
  status = mbs_add_body(r->builder, &def, &cause);
  return status != SEAM_OK ? reader_fail_as_engine(r, body->key, &cause) : SEAM_OK;
}

seam_status bodies_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "bodies", &section);
  if (status != SEAM_OK)
    return status;
  /* A file of equations or FMUs needs no bodies. */
  if ((section == NULL || section->n_children == 0) && yaml_get(r->root, "cosim") == NULL &&
      yaml_get(r->root, "equations") == NULL)
    return reader_fail(r, r->root, "give at least one under 'bodies:'", "the file has no bodies");
  model_shape *shape = arena_take(&r->result->memory, (section != NULL ? section->n_children : 0) * sizeof *shape + 1);
  r->result->shapes = shape;
  if (shape == NULL)
    return reader_no_memory(r);
  for (yaml_node *body = section != NULL ? section->first : NULL; body != NULL && status == SEAM_OK; body = body->next)
    status = read_one(r, body, shape++);
  return status;
}
