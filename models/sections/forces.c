/* Types of `forces:`, except those with one-sided forces (forces_contact.c). */
#include "models/sections/forces.h"

#include <stdint.h>

#include "base/then.h"
#include "models/sections/deferred.h"

seam_status forces_read_axis(reader *r, yaml_node *value, element *to) {
  to->force.has_axis = true;
  return elements_read_direction(r, value, to->force.axis);
}

/* Reads a law. A law of its variables alone is compiled now. A law that uses quantities is compiled when all
 * quantities exist. It may use the short names t and, between two bodies, s and v. */
static seam_status read_law(reader *r, yaml_node *value, element *to, const char *const *variables, size_t n_variables,
                            int component) {
  mbs_force_def *def = &to->force;
  const expression_names of = {.variables = variables, .n_variables = n_variables, .are_of_time = n_variables == 1};
  if (!quantities_are_named(r, value, variables, n_variables))
    return reader_law(r, value, &of, component == 0 ? &def->law : &def->law_y);
  short_name *names = arena_allocate(&r->memory, 3 * sizeof *names);
  const char *stretch = arena_print(&r->memory, "%s.stretch", def->name);
  const char *rate = arena_print(&r->memory, def->kind == MBS_TORSION ? "%s.omega" : "%s.rate", def->name);
  if (names == NULL || stretch == NULL || rate == NULL)
    return reader_no_memory(r);
  names[0] = time_name;
  names[1] = (short_name){"s", stretch};
  names[2] = (short_name){"v", rate};
  def->law_is_state_dependent = true;
  return deferred_add(
      r, DEFERRED_LAW,
      &(deferred){.name = def->name,
                  .noun = "force",
                  .node = to->node,
                  .value = value,
                  .aliases = {names, def->kind == MBS_SPRING_DAMPER || def->kind == MBS_TORSION ? 3 : 1},
                  .component = component});
}

/* The law of a force element in the model is positive if it pulls. Since version 2 of the format, the law in a file is
 * positive if it pushes, like the quantity `force`. So its sign is reversed. */
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to) {
  static const char *const variables[] = {"s", "v"};
  value->is_negated = r->version > 1;
  return read_law(r, value, to, variables, 2, 0);
}

seam_status forces_read_law_of_time(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &time_name.name, 1, 0);
}

static seam_status read_law_y(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &time_name.name, 1, 1);
}

seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given) {
  const yaml_node *given = NULL;
  const char *missing = NULL;
  for (size_t i = 0; i < n; i++) {
    const yaml_node *node = yaml_get(read->node, keys[i]);
    given = node != NULL ? node : given;
    missing = node == NULL ? keys[i] : missing;
  }
  *is_given = given != NULL;
  if (given == NULL || missing == NULL)
    return SEAM_OK;
  return reader_fail(r, given->key, NULL, "'%s' in %s needs '%s' beside it", given->key->text, r->subject, missing);
}

/* ---- Elastic elements -------------------------------------------------------------------------------------------- */

static const form form_bushing_law = {FORM_ONE_OF("markers", "consistent")};

static seam_status read_bushing_law(reader *r, yaml_node *value, element *to) {
  return reader_either(r, value, &form_bushing_law, &to->force.consistent);
}

/* Rejects an element that has both a law and a stiffness or damping, or neither. */
static seam_status check_law(reader *r, const element *read, const char *law) {
  const yaml_node *node = read->node;
  const yaml_node *stiffness = yaml_get(node, "stiffness");
  const yaml_node *linear = stiffness != NULL ? stiffness : yaml_get(node, "damping");
  const bool has_law = yaml_get(node, law) != NULL;
  if (has_law && linear != NULL)
    return reader_fail(r, linear->key, "put it into the law, or remove the law",
                       "'%s' in %s cannot stand beside the law '%s'", linear->key->text, r->subject, law);
  if (!has_law && linear == NULL)
    return reader_fail(r, reader_message_node(node), NULL, "%s needs 'stiffness', 'damping' or the law '%s'",
                       r->subject, law);
  return SEAM_OK;
}

static seam_status check_spring(reader *r, const element *read) {
  const yaml_node *length = yaml_get(read->node, "length");
  if (length != NULL && !read->force.has_axis && read->force.rest < 0)
    return reader_fail(r, length, "a distance is never negative; a component along an 'axis' may be",
                       "'length' in %s must not be negative, but is %.6g", r->subject, read->force.rest);
  return check_law(r, read, "force");
}

static seam_status check_torsion(reader *r, const element *read) { return check_law(r, read, "torque"); }

static seam_status check_beam(reader *r, const element *read) {
  const yaml_node *length = yaml_get(read->node, "length");
  if (length == NULL || read->force.rest > 0)
    return SEAM_OK;
  return reader_fail(r, length, "write the distance of its ends without load",
                     "'length' in %s must be positive, but is %.6g", r->subject, read->force.rest);
}

static const element_key spring_damper_keys[] = {
    {"axis", false, &form_2_numbers, "",
     "global direction along which s is a signed component; default: none, s is the distance", BY(forces_read_axis)},
    {"at", true, &form_two_positions, "m", "ends of the spring", BY(elements_read_two_positions)},
    {"stiffness", false, &form_not_negative, "N/m", "stiffness of the spring; or the law 'force'",
     INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping; default: 0", INTO(force.damping)},
    {"length", false, &form_number, "m", "length without load; default: the initial one", INTO(force.rest)},
    {"force", false, &form_law, "N",
     "law of s = distance - length and its rate v; positive pushes the points apart, under seam: 1 pulls them together",
     BY(forces_read_law_of_motion)},
};
static const element_key torsion_keys[] = {
    {"stiffness", false, &form_not_negative, "Nm/rad", "stiffness of the spring; or the law 'torque'",
     INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Nms/rad", "damping; default: 0", INTO(force.damping)},
    {"angle", false, &form_number, "rad", "angle without load; default: the initial one", INTO(force.rest)},
    {"torque", false, &form_law, "Nm",
     "law of s = φ2 - φ1 - angle and its rate v; positive increases the angle, under seam: 1 decreases it",
     BY(forces_read_law_of_motion)},
};
static const element_key bushing_keys[] = {
    {"at", true, &form_position, "m", "common place of both bodies", BY(elements_read_position)},
    {"stiffness", true, &form_3_not_negative, "N/m, N/m, Nm/rad", "stiffness [cx, cy, cφ]", INTO(force.stiffness)},
    {"damping", false, &form_3_not_negative, "Ns/m, Ns/m, Nms/rad", "damping [dx, dy, dφ]; default: 0",
     INTO(force.damping)},
    {"angle", false, &form_number, "rad", "angle without load; default: the initial one", INTO(force.rest)},
    {"law", false, &form_bushing_law, "",
     "markers: global axes, each force at its own marker; consistent: axes that turn with the first body; default: "
     "markers",
     BY(read_bushing_law)},
};
static const element_key beam_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the beam, clamped to the bodies", BY(elements_read_two_positions)},
    {"axial_stiffness", true, &form_positive, "N", "axial stiffness E A", INTO(force.stiffness[0])},
    {"bending_stiffness", true, &form_positive, "Nm2", "bending stiffness E I", INTO(force.stiffness[1])},
    {"damping", false, &form_not_negative, "s", "damping over stiffness; default: 0", INTO(force.damping)},
    {"length", false, &form_number, "m", "length without load; default: the initial one", INTO(force.rest)},
};
static const element_key belt_keys[] = {
    {"at", true, &form_two_positions, "m", "centres of the pulleys", BY(elements_read_two_positions)},
    {"radii", true, &form_2_positive, "m", "radii of the pulleys", INTO(force.radii)},
    {"crossed", false, &form_flag, "", "the belt is crossed: the pulleys turn against each other; default: false",
     INTO_BY(force.radii, elements_read_sign)},
    {"stiffness", true, &form_positive, "N/m", "stiffness of each strand", INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping of each strand; default: 0", INTO(force.damping)},
    {"tension", false, &form_not_negative, "N", "tension of each strand in the initial configuration; default: 0",
     INTO(force.preload)},
};

/* ---- Loads on single bodies -------------------------------------------------------------------------------------- */

static const form form_frame = {FORM_ONE_OF("global", "body")};

static seam_status read_frame(reader *r, yaml_node *value, element *to) {
  return reader_either(r, value, &form_frame, &to->force.body_axes);
}

static seam_status check_point_force(reader *r, const element *read) {
  if (read->force.law.value != NULL || read->force.law_y.value != NULL || read->force.law_is_state_dependent)
    return SEAM_OK;
  return reader_fail(r, reader_message_node(read->node), NULL, "%s needs 'x' or 'y'", r->subject);
}

static seam_status check_drag(reader *r, const element *read) {
  static const char *const air[] = {"density", "coefficient", "area"};
  static const char *const ground[] = {"resistance", "speed"};
  const yaml_node *wind = yaml_get(read->node, "wind");
  bool has_air = false;
  bool has_ground = false;
  seam_status status = forces_check_together(r, read, air, 3, &has_air);
  THEN(status, forces_check_together(r, read, ground, 2, &has_ground));
  if (status != SEAM_OK)
    return status;
  if (!has_air && !has_ground)
    return reader_fail(r, reader_message_node(read->node), NULL,
                       "%s needs 'density', 'coefficient' and 'area', or 'resistance' and 'speed'", r->subject);
  if (wind != NULL && !has_air)
    return reader_fail(r, wind->key, "give 'density', 'coefficient' and 'area', or remove it",
                       "'wind' in %s has no effect without drag of the air", r->subject);
  return SEAM_OK;
}

static const element_key viscous_keys[] = {
    {"damping", true, &form_3_not_negative, "Ns/m, Ns/m, Nms/rad", "damping [dx, dy, dφ] at the centre of mass",
     INTO(force.damping)},
};
static const element_key force_keys[] = {
    {"at", false, &form_position, "m", "place where it acts; default: the centre of mass", BY(elements_read_position)},
    {"x", false, &form_law, "N", "component along x, a law of t; default: 0", BY(forces_read_law_of_time)},
    {"y", false, &form_law, "N", "component along y, a law of t; default: 0", BY(read_law_y)},
    {"frame", false, &form_frame, "", "axes of the components, global or those of the body; default: global",
     BY(read_frame)},
};
static const element_key torque_keys[] = {
    {"torque", true, &form_law, "Nm", "torque on the body, a law of t", BY(forces_read_law_of_time)},
};
static const element_key drag_keys[] = {
    {"at", false, &form_position, "m", "place where it acts; default: the centre of mass", BY(elements_read_position)},
    {"density", false, &form_positive, "kg/m3", "density of the air", INTO(force.drag.density)},
    {"coefficient", false, &form_positive, "", "drag coefficient", INTO(force.drag.coefficient)},
    {"area", false, &form_positive, "m2", "area across the flow", INTO(force.drag.area)},
    {"wind", false, &form_2_numbers, "m/s", "velocity [wx, wy] of the air; default: [0, 0]", INTO(force.drag.wind)},
    {"resistance", false, &form_positive, "N", "constant force of rolling or sliding resistance against the velocity",
     INTO(force.drag.resistance)},
    {"speed", false, &form_positive, "m/s", "speed below which the resistance fades", INTO(force.drag.speed)},
};

/* ---- Cylinders and actuators, which have a law of time ---- */

static seam_status read_area(reader *r, yaml_node *value, element *to) {
  double *areas = to->force.hydraulics.areas;
  const seam_status status = reader_number(r, value, POSITIVE, &areas[0]);
  areas[1] = areas[0];
  return status;
}

static seam_status check_cylinder(reader *r, const element *read) {
  const mbs_hydraulics *h = &read->force.hydraulics;
  const yaml_node *length = yaml_get(read->node, "length");
  const yaml_node *area = yaml_get(read->node, "area");
  const yaml_node *areas = yaml_get(read->node, "areas");
  if (area == NULL && areas == NULL)
    return reader_fail(r, reader_message_node(read->node), NULL, "%s needs 'area' or 'areas'", r->subject);
  if (area != NULL && areas != NULL)
    return reader_fail(r, areas->key, "keep one of the two", "%s has 'area' and 'areas'", r->subject);
  if (length != NULL && !(read->force.rest > 0))
    return reader_fail(r, length, "write the distance of the two points at which both chambers are equal",
                       "'length' in %s must be positive, but is %.6g", r->subject, read->force.rest);
  if (h->pump > h->tank)
    return SEAM_OK;
  return reader_fail(r, yaml_get(read->node, "pump"), "the fluid flows from the pump to the tank",
                     "'pump' in %s must be above 'tank', but %.6g is not above %.6g", r->subject, h->pump, h->tank);
}

static const element_key hydraulic_cylinder_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the element", BY(elements_read_two_positions)},
    {"area", false, &form_positive, "m2", "area of the piston on both sides; or 'areas'", BY(read_area)},
    {"areas", false, &form_2_positive, "m2",
     "areas towards the first and the second chamber, of a differential cylinder", INTO(force.hydraulics.areas)},
    {"cylinder_length", true, &form_positive, "m", "length of both chambers together", INTO(force.hydraulics.length)},
    {"length", false, &form_number, "m",
     "distance of the ends at which both chambers are equal; default: the initial one", INTO(force.rest)},
    {"dissipation", false, &form_not_negative, "Ns/m", "viscous damping of the piston; default: 0",
     INTO(force.hydraulics.dissipation)},
    {"discharge", true, &form_positive, "", "discharge coefficient of the valves", INTO(force.hydraulics.discharge)},
    {"density", true, &form_positive, "kg/m3", "density of the fluid", INTO(force.hydraulics.density)},
    {"pump", true, &form_number, "Pa", "pressure of the pump, above that of the tank", INTO(force.hydraulics.pump)},
    {"tank", true, &form_number, "Pa", "pressure of the tank", INTO(force.hydraulics.tank)},
    {"bulk", true, &form_2_numbers, "1/Pa, 1/Pa2", "[a, b] of the bulk modulus (1 + a p + b p²)/(a + 2 b p)",
     INTO(force.hydraulics.bulk)},
    {"valve_area", true, &form_positive, "m2", "area of an open valve", INTO(force.hydraulics.valve_area)},
    {"spool", true, &form_law, "", "place of the spool, 0 to 1, a law of t", BY(forces_read_law_of_time)},
    {"pressures", false, &form_2_numbers, "Pa",
     "pressures [p1, p2] at the start; default: those at rest with the spool at t = 0",
     INTO(force.hydraulics.pressures)},
};
static const element_key actuator_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the element", BY(elements_read_two_positions)},
    {"command", true, &form_law, "N", "force that the actuator follows, a law of t; positive pushes its points apart",
     BY(forces_read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "N", "largest force; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "N/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "N", "force at t = 0; default: its command", INTO(force.actuator.start)},
};
static const element_key rotary_actuator_keys[] = {
    {"command", true, &form_law, "Nm", "torque that the actuator follows, a law of t; positive increases the angle",
     BY(forces_read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "Nm", "largest torque; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "Nm/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "Nm", "torque at t = 0; default: its command", INTO(force.actuator.start)},
};

static const element_type *const types[] = {
    ELEMENT_TYPE("viscous", MBS_VISCOUS, 1, SIZE_MAX, false, viscous_keys, NULL,
                 "damping of the absolute motion of each body"),
    ELEMENT_TYPE("spring_damper", MBS_SPRING_DAMPER, 2, 2, true, spring_damper_keys, check_spring,
                 "a spring and damper between two points, or along a direction"),
    ELEMENT_TYPE("torsion", MBS_TORSION, 2, 2, true, torsion_keys, check_torsion, "a spring and damper of an angle"),
    ELEMENT_TYPE("bushing", MBS_BUSHING, 2, 2, true, bushing_keys, NULL, "a spring and damper in x, y and angle"),
    ELEMENT_TYPE("force", MBS_POINT_FORCE, 1, 1, false, force_keys, check_point_force, "a force on a body"),
    ELEMENT_TYPE("torque", MBS_TORQUE, 1, 1, false, torque_keys, NULL, "a torque on a body"),
    ELEMENT_TYPE("hydraulic_cylinder", MBS_HYDRAULIC_CYLINDER, 2, 2, true, hydraulic_cylinder_keys, check_cylinder,
                 "a hydraulic cylinder with its valve"),
    ELEMENT_TYPE("beam", MBS_BEAM, 2, 2, true, beam_keys, check_beam, "a beam without mass, straight at the start"),
    ELEMENT_TYPE("drag", MBS_DRAG, 1, 1, false, drag_keys, check_drag, "drag of the air, of rolling or sliding"),
    ELEMENT_TYPE("actuator", MBS_ACTUATOR, 2, 2, true, actuator_keys, NULL, "a force that follows a command"),
    ELEMENT_TYPE("rotary_actuator", MBS_ROTARY_ACTUATOR, 2, 2, true, rotary_actuator_keys, NULL,
                 "a torque that follows a command"),
    ELEMENT_TYPE("belt", MBS_ELASTIC_BELT, 2, 2, true, belt_keys, NULL, "a belt or chain that stretches"),
    &forces_contact,
    &forces_stop,
    &forces_rope,
    &forces_cable,
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->force = mbs_default_force_def();
  new_one->force.name = name;
  new_one->force.kind = (mbs_force_kind)kind;
  new_one->at = new_one->force.at;
  /* without `at`, a force acts on the centre of mass */
  for (size_t i = 0; i < 2; i++)
    new_one->at[i] = (mbs_marker_def){MBS_BODY, {0, 0}};
}

static seam_status add(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error) {
  mbs_force_def *def = &complete->force;
  def->bodies = bodies;
  def->n_bodies = complete->n_bodies;
  return mbs_add_force(builder, def, error);
}

static void discard(element *incomplete) {
  law_discard(&incomplete->force.law);
  law_discard(&incomplete->force.law_y);
}

const element_family forces_family = {.section = "forces",
                                      .noun = "force",
                                      .kind = ENTRY_FORCE,
                                      .types = types,
                                      .n_types = FORM_COUNT_OF(types),
                                      .other = &joints_family,
                                      .prepare = prepare,
                                      .add = add,
                                      .discard = discard};

static const form form_force = {
    .kind = FORM_ELEMENTS, .name = "force", .meaning = "a force element", .family = &forces_family};
const form form_forces = {.kind = FORM_NAMED, .of = &form_force};

seam_status forces_read(reader *r) { return elements_read(r, &forces_family); }
