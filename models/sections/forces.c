/* Types of `forces:`, and readers of their keys. */
#include <stdint.h>

#include "models/sections/elements.h"
#include "models/sections/quantities_section.h"

static seam_status read_axis(reader *r, yaml_node *value, element *to) {
  to->force.has_axis = true;
  return elements_read_direction(r, value, to->force.axis);
}

/* Reads a law. A law of its variables alone is compiled now. A law of quantities is compiled when they all exist; it
 * may use the short names t and, in springs and torsion springs, s and v. */
static seam_status read_law(reader *r, yaml_node *value, element *to, const char *const *variables, size_t n_variables,
                            int component) {
  mbs_force_def *def = &to->force;
  const expression_names of = {.variables = variables, .n_variables = n_variables, .are_of_time = n_variables == 1};
  if (!quantities_are_named(r, value, variables, n_variables))
    return reader_law(r, value, &of, component == 0 ? &def->law : &def->law_y);
  short_name *names = reader_allocate(r, 3, sizeof *names);
  const char *stretch = arena_print(r->memory, "%s.stretch", def->name);
  const char *rate = arena_print(r->memory, def->kind == MBS_TORSION ? "%s.omega" : "%s.rate", def->name);
  TRY(reader_check_memory(r, names != NULL && stretch != NULL && rate != NULL));
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

/* A law in the model is positive if it pulls. Since version 2 of the format, a law in a file is positive if it pushes,
 * like the quantity `force`, so its sign is reversed. */
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to) {
  static const char *const variables[] = {"s", "v"};
  value->is_negated = r->version > 1;
  return read_law(r, value, to, variables, 2, 0);
}

static seam_status read_law_of_time(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &time_name.name, 1, 0);
}

static seam_status read_law_y(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &time_name.name, 1, 1);
}

/* Requires all n keys, or none. */
static seam_status check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given) {
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
static seam_status check_law(reader *r, const element *read) {
  const char *law = read->force.kind == MBS_TORSION ? "torque" : "force";
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
  return check_law(r, read);
}

static seam_status check_beam(reader *r, const element *read) {
  const yaml_node *length = yaml_get(read->node, "length");
  if (length == NULL || read->force.rest > 0)
    return SEAM_OK;
  return reader_fail(r, length, "write the distance of its ends without load",
                     "'length' in %s must be positive, but is %.6g", r->subject, read->force.rest);
}

static const element_key spring_damper_keys[] = {
    {"axis", false, &form_2_numbers, "",
     "global direction along which s is a signed component; default: none, s is the distance", BY(read_axis)},
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
  TRY(check_together(r, read, air, 3, &has_air));
  TRY(check_together(r, read, ground, 2, &has_ground));
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
    {"x", false, &form_law, "N", "component along x, a law of t; default: 0", BY(read_law_of_time)},
    {"y", false, &form_law, "N", "component along y, a law of t; default: 0", BY(read_law_y)},
    {"frame", false, &form_frame, "", "axes of the components, global or those of the body; default: global",
     BY(read_frame)},
};
static const element_key torque_keys[] = {
    {"torque", true, &form_law, "Nm", "torque on the body, a law of t", BY(read_law_of_time)},
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

/* ---- Cylinders and actuators, which have a law of time ----------------------------------------------------------- */

static seam_status read_area(reader *r, yaml_node *value, element *to) {
  double *areas = to->force.hydraulics.areas;
  TRY(reader_number(r, value, POSITIVE, &areas[0]));
  areas[1] = areas[0];
  return SEAM_OK;
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
    return reader_fail(r, length, "write the distance of the two points for which both chambers are equally long",
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
    {"spool", true, &form_law, "", "place of the spool, 0 to 1, a law of t", BY(read_law_of_time)},
    {"pressures", false, &form_2_numbers, "Pa",
     "pressures [p1, p2] at the start; default: those at rest with the spool at t = 0",
     INTO(force.hydraulics.pressures)},
};
static const element_key actuator_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the element", BY(elements_read_two_positions)},
    {"command", true, &form_law, "N", "force that the actuator follows, a law of t; positive pushes its points apart",
     BY(read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "N", "largest force; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "N/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "N", "force at t = 0; default: its command", INTO(force.actuator.start)},
};
static const element_key rotary_actuator_keys[] = {
    {"command", true, &form_law, "Nm", "torque that the actuator follows, a law of t; positive increases the angle",
     BY(read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "Nm", "largest torque; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "Nm/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "Nm", "torque at t = 0; default: its command", INTO(force.actuator.start)},
};

/* ---- One-sided forces: contacts, stops, ropes and cables --------------------------------------------------------- */

static seam_status read_line(reader *r, yaml_node *value, element *to) {
  to->force.contact.has_line = true;
  return read_axis(r, value, to);
}

static const form form_contact_positions = {FORM_ANY_OF(&form_two_positions, &form_position)};

/* A contact with a curve has only a position on the second body. */
static seam_status read_contact_positions(reader *r, yaml_node *value, element *to) {
  return yaml_get(to->node, "curve") != NULL ? elements_read_second_position(r, value, to)
                                             : elements_read_two_positions(r, value, to);
}

#define NAME(code, name) name,
static const form form_impact = {FORM_ONE_OF(MBS_IMPACT_TABLE(NAME))};
#undef NAME

static const form form_exponent = {.kind = FORM_NUMBER, .within = POSITIVE, .least = 1};
static const form form_stopped = {FORM_ONE_OF("angle", "distance", "slide")};

static seam_status read_of(reader *r, yaml_node *value, element *to) {
  static const mbs_motion_of codes[] = {MBS_OF_ANGLE, MBS_OF_DISTANCE, MBS_OF_SLIDE};
  size_t chosen = 0;
  TRY(reader_word(r, value, &form_stopped, &chosen));
  to->force.stop.of = codes[chosen];
  return SEAM_OK;
}

static const form form_positions = {.kind = FORM_LIST, .least = 2, .of = &form_point};

static seam_status check_list(reader *r, const yaml_node *list, const element *to) {
  if (list->kind == YAML_LIST && list->n_children == to->n_bodies)
    return SEAM_OK;
  return reader_fail(r, list, "write one for each of 'bodies', in their order", "'%s' in %s must be a list of %zu",
                     list->key->text, r->subject, to->n_bodies);
}

static seam_status read_path(reader *r, yaml_node *value, element *to) {
  mbs_marker_def *at = reader_allocate(r, to->n_bodies, sizeof *at);
  TRY(reader_check_memory(r, at != NULL));
  TRY(check_list(r, value, to));
  yaml_node *place = value->first;
  for (size_t i = 0; i < to->n_bodies; i++, place = place->next)
    TRY(reader_marker(r, place, to->bodies[i], &at[i]));
  to->force.cable.at = at;
  return SEAM_OK;
}

static seam_status read_radii(reader *r, yaml_node *value, element *to) {
  double *radii = reader_allocate(r, to->n_bodies, sizeof *radii);
  TRY(reader_check_memory(r, radii != NULL));
  TRY(check_list(r, value, to));
  TRY(reader_vector(r, value, ANY_NUMBER, to->n_bodies, radii));
  to->force.cable.radii = radii;
  return SEAM_OK;
}

/* Rejects keys that do not fit 'hard: true' or its absence, and a compliant element without 'stiffness'. */
static seam_status check_hardness(reader *r, const element *read) {
  static const char *const soft[] = {"stiffness", "exponent", "damping", "impact_speed", "slip_speed"};
  const yaml_node *impact = yaml_get(read->node, "impact");
  const bool is_hard = read->force.contact.is_hard;
  if (!is_hard && impact != NULL)
    return reader_fail(r, impact->key, "add 'hard: true', or remove it",
                       "'impact' in %s has no effect: only a hard %s has an impact law", r->subject,
                       mbs_force_kind_text(read->force.kind));
  if (!is_hard && yaml_get(read->node, "stiffness") == NULL)
    return reader_fail(r, reader_message_node(read->node), NULL, "%s needs 'stiffness', or 'hard: true'", r->subject);
  for (size_t i = 0; is_hard && i < sizeof soft / sizeof *soft; i++) {
    const yaml_node *given = yaml_get(read->node, soft[i]);
    if (given != NULL)
      return reader_fail(r, given->key, "remove this key, or remove 'hard'",
                         "'%s' in %s cannot stand beside 'hard: true'", soft[i], r->subject);
  }
  return SEAM_OK;
}

static seam_status check_rope(reader *r, const element *read) {
  const yaml_node *restitution = yaml_get(read->node, "restitution");
  if (!read->force.contact.is_hard && restitution != NULL)
    return reader_fail(r, restitution->key, "add 'hard: true', or write 'damping' instead",
                       "'restitution' in %s has no effect: only a hard %s has a restitution", r->subject,
                       mbs_force_kind_text(read->force.kind));
  return check_hardness(r, read);
}

/* Checks 'damping', 'restitution' and 'impact_speed' of a compliant element. */
static seam_status check_impact(reader *r, const element *read) {
  static const char *const impact[] = {"restitution", "impact_speed"};
  const yaml_node *damping = yaml_get(read->node, "damping");
  bool has_impact = false;
  TRY(check_together(r, read, impact, 2, &has_impact));
  if (has_impact && damping != NULL)
    return reader_fail(r, damping->key, "keep one of the two", "%s has 'damping' and 'restitution'", r->subject);
  return SEAM_OK;
}

static seam_status check_contact(reader *r, const element *read) {
  static const char *const slip[] = {"friction", "slip_speed"};
  const yaml_node *node = read->node;
  const yaml_node *inside = yaml_get(node, "inside");
  const yaml_node *of_circles = yaml_get(node, "radii");
  const yaml_node *of_line = yaml_get(node, "radius");
  const yaml_node *of_curve = yaml_get(node, "curve");
  const yaml_node *side = yaml_get(node, "side");
  const bool has_line = yaml_get(node, "line") != NULL || of_curve != NULL;
  bool has_friction = false;
  if (!has_line && of_circles == NULL)
    return reader_fail(r, reader_message_node(node), NULL,
                       "%s needs 'radii' of two circles, or a 'line' or 'curve' on the first body", r->subject);
  if (of_curve != NULL && yaml_get(node, "line") != NULL)
    return reader_fail(r, of_curve->key, "keep one of the two", "%s has 'line' and 'curve'", r->subject);
  if (side != NULL && of_curve == NULL)
    return reader_fail(r, side->key, "remove it: only a curve has a choice of sides, a line is free on its left",
                       "'side' in %s has no effect without 'curve'", r->subject);
  if (has_line && of_circles != NULL)
    return reader_fail(r, of_circles->key, "replace 'radii' by 'radius', that of the circle on the second body",
                       "'radii' in %s cannot stand beside 'line' or 'curve'", r->subject);
  if (!has_line && of_line != NULL)
    return reader_fail(r, of_line->key, "remove 'radius': 'radii' gives the radii of both circles",
                       "'radius' in %s cannot stand beside 'radii'", r->subject);
  if (has_line && inside != NULL)
    return reader_fail(r, inside->key, "remove 'inside'; the side of a curve is given by 'side'",
                       "'inside' in %s has no effect without 'radii'", r->subject);
  TRY(check_hardness(r, read));
  if (read->force.contact.is_hard)
    return SEAM_OK;
  TRY(check_impact(r, read));
  return check_together(r, read, slip, 2, &has_friction);
}

static seam_status check_stop(reader *r, const element *read) {
  const yaml_node *node = read->node;
  const yaml_node *at = yaml_get(node, "at");
  const yaml_node *axis = yaml_get(node, "axis");
  const mbs_stop *stop = &read->force.stop;
  if ((at != NULL) != (stop->of != MBS_OF_ANGLE))
    return reader_fail(r, at != NULL ? at->key : yaml_get(node, "of"), at != NULL ? "remove it" : "add at: [P, Q]",
                       at != NULL ? "'at' in %s has no effect: only a stop of a distance or slide has places"
                                  : "%s needs 'at', as every stop of a distance or slide does",
                       r->subject);
  if ((axis != NULL) != (stop->of == MBS_OF_SLIDE))
    return reader_fail(r, axis != NULL ? axis->key : yaml_get(node, "of"),
                       axis != NULL ? "remove it" : "add axis: [x, y]",
                       axis != NULL ? "'axis' in %s has no effect: only a stop of a slide has one"
                                    : "%s needs 'axis', as every stop of a slide does",
                       r->subject);
  if (yaml_get(node, "lower") == NULL && yaml_get(node, "upper") == NULL)
    return reader_fail(r, reader_message_node(node), NULL, "%s needs 'lower', 'upper' or both", r->subject);
  if (!(stop->lower < stop->upper))
    return reader_fail(r, yaml_get(node, "upper"), NULL,
                       "'upper' in %s must be above 'lower', but %.6g is not above %.6g", r->subject, stop->upper,
                       stop->lower);
  TRY(check_hardness(r, read));
  return read->force.contact.is_hard ? SEAM_OK : check_impact(r, read);
}

static const element_key contact_keys[] = {
    {"at", true, &form_contact_positions, "m", "places on both bodies, with a curve that on the second body alone",
     BY(read_contact_positions)},
    {"radii", false, &form_2_not_negative, "m", "radii of two circles about P and Q; 0 is a point", INTO(force.radii)},
    /* A negative first radius: the first circle surrounds the second one. */
    {"inside", false, &form_flag, "", "the second circle is inside the first, as a pin in its bearing; default: false",
     INTO_BY(force.radii, elements_read_sign)},
    {"line", false, &form_2_numbers, "",
     "initial direction of a straight line through P on the first body, solid on its right", BY(read_line)},
    {"curve", false, &form_name, "", "name of a curve on the first body", INTO(force.contact.curve)},
    {"side", false, &form_side, "", "free side of the curve; default: left, of a closed curve outside",
     INTO_BY(force.contact.side, elements_read_side)},
    {"radius", false, &form_not_negative, "m",
     "radius of the circle about Q that meets the line or curve; default: 0, a point", INTO(force.radii[1])},
    {"hard", false, &form_flag, "", "a constraint with impacts in place of a stiffness; default: false",
     INTO(force.contact.is_hard)},
    {"impact", false, &form_impact, "",
     "impact law of a hard contact, the same for all hard elements of a file; default: newton",
     INTO(force.contact.impact)},
    {"stiffness", false, &form_positive, "N/m^exponent", "stiffness; required unless 'hard'", INTO(force.stiffness)},
    {"exponent", false, &form_exponent, "", "exponent n of the depth; default: 1.5", INTO(force.contact.exponent)},
    {"damping", false, &form_not_negative, "s/m",
     "damping χ of the force k δⁿ (1 + χ δ'); or 'restitution'; default: 0", INTO(force.damping)},
    {"restitution", false, &form_not_negative, "",
     "coefficient of restitution to 1, in place of 'damping'; of a hard element for all impacts; default: of a hard "
     "element 0",
     INTO(force.contact.restitution)},
    {"impact_speed", false, &form_positive, "m/s",
     "speed at which 'restitution' holds; slower impacts lose less; required beside 'restitution' unless 'hard'",
     INTO(force.contact.impact_speed)},
    {"friction", false, &form_not_negative, "", "coefficient of friction; default: 0", INTO(force.contact.friction)},
    {"slip_speed", false, &form_positive, "m/s",
     "speed below which friction fades; required beside 'friction' unless 'hard'", INTO(force.contact.slip_speed)},
};

static const element_key stop_keys[] = {
    {"of", true, &form_stopped, "", "bounded coordinate", BY(read_of)},
    {"at", false, &form_two_positions, "m", "places P and Q of a distance or slide", BY(elements_read_two_positions)},
    {"axis", false, &form_2_numbers, "", "initial direction of a slide through P; it turns with the first body",
     BY(read_axis)},
    {"lower", false, &form_number, "m or rad", "lower bound; default: none", INTO(force.stop.lower)},
    {"upper", false, &form_number, "m or rad", "upper bound; default: none", INTO(force.stop.upper)},
    {"hard", false, &form_flag, "", "a constraint with impacts in place of a stiffness; default: false",
     INTO(force.contact.is_hard)},
    {"impact", false, &form_impact, "", "impact law of a hard stop; default: newton", INTO(force.contact.impact)},
    {"stiffness", false, &form_positive, "N/m^exponent or Nm/rad^exponent", "stiffness; required unless 'hard'",
     INTO(force.stiffness)},
    {"exponent", false, &form_exponent, "", "exponent n of the depth; default: 1.5", INTO(force.contact.exponent)},
    {"damping", false, &form_not_negative, "s/m or s/rad",
     "damping χ of the force k δⁿ (1 + χ δ'); or 'restitution'; default: 0", INTO(force.damping)},
    {"restitution", false, &form_not_negative, "",
     "coefficient of restitution to 1, in place of 'damping'; of a hard element for all impacts; default: of a hard "
     "element 0",
     INTO(force.contact.restitution)},
    {"impact_speed", false, &form_positive, "m/s or rad/s",
     "speed at which 'restitution' holds; slower impacts lose less; required beside 'restitution' unless 'hard'",
     INTO(force.contact.impact_speed)},
};

static const element_key rope_keys[] = {
    {"at", true, &form_two_positions, "m", "ends of the rope", BY(elements_read_two_positions)},
    {"length", false, &form_positive, "m", "length without load; default: the initial distance", INTO(force.rest)},
    {"hard", false, &form_flag, "", "a constraint with impacts in place of a stiffness; default: false",
     INTO(force.contact.is_hard)},
    {"impact", false, &form_impact, "", "impact law of a hard rope; default: newton", INTO(force.contact.impact)},
    {"stiffness", false, &form_positive, "N/m", "stiffness; required unless 'hard'", INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping while it is stretched; default: 0", INTO(force.damping)},
    {"restitution", false, &form_not_negative, "", "coefficient of restitution of a hard rope, to 1; default: 0",
     INTO(force.contact.restitution)},
};

static seam_status check_cable(reader *r, const element *read) {
  const yaml_node *two_sided = yaml_get(read->node, "two_sided");
  const yaml_node *restitution = yaml_get(read->node, "restitution");
  if (read->force.cable.two_sided && !read->force.contact.is_hard)
    return reader_fail(r, two_sided->key, "add 'hard: true', or remove it",
                       "'two_sided' in %s has no effect: only a hard cable can be two-sided", r->subject);
  if (read->force.cable.two_sided && restitution != NULL)
    return reader_fail(r, restitution->key, "remove it",
                       "'restitution' in %s cannot stand beside 'two_sided: true': a two-sided cable is always taut",
                       r->subject);
  return check_rope(r, read);
}

static const element_key cable_keys[] = {
    {"at", true, &form_positions, "m", "places along the cable, one on each of 'bodies', in their order",
     BY(read_path)},
    {"radii", false, &form_numbers, "m",
     "radii of discs about these places: positive where the disc is on the left of the cable, negative on its right, "
     "0: "
     "a place; default: all 0",
     BY(read_radii)},
    {"length", false, &form_law, "m", "length without load, a number or a law of t; default: the initial length",
     BY(read_law_of_time)},
    {"hard", false, &form_flag, "", "a constraint with impacts in place of a stiffness; default: false",
     INTO(force.contact.is_hard)},
    {"two_sided", false, &form_flag, "",
     "a hard cable that is never slack: its tension has either sign, as of a rod or a line of oil; default: false",
     INTO(force.cable.two_sided)},
    {"impact", false, &form_impact, "", "impact law of a hard cable; default: newton", INTO(force.contact.impact)},
    {"stiffness", false, &form_positive, "N/m", "stiffness of the whole length; required unless 'hard'",
     INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping while it is stretched; default: 0", INTO(force.damping)},
    {"restitution", false, &form_not_negative, "", "coefficient of restitution of a hard cable, to 1; default: 0",
     INTO(force.contact.restitution)},
};

/* ---- Family ------------------------------------------------------------------------------------------------------ */

static const element_type *const types[] = {
    ELEMENT_TYPE("viscous", MBS_VISCOUS, 1, SIZE_MAX, false, viscous_keys, NULL,
                 "damping of the absolute motion of each body"),
    ELEMENT_TYPE("spring_damper", MBS_SPRING_DAMPER, 2, 2, true, spring_damper_keys, check_spring,
                 "a spring and damper between two points, or along a direction"),
    ELEMENT_TYPE("torsion", MBS_TORSION, 2, 2, true, torsion_keys, check_law, "a spring and damper of an angle"),
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
    ELEMENT_TYPE("contact", MBS_CONTACT, 2, 2, true, contact_keys, check_contact,
                 "contact of two circles, or of a circle with a line or curve"),
    ELEMENT_TYPE("stop", MBS_STOP, 2, 2, true, stop_keys, check_stop, "bounds of an angle, a distance or a slide"),
    ELEMENT_TYPE("rope", MBS_ROPE, 2, 2, true, rope_keys, check_rope, "a rope, which pulls and never pushes"),
    ELEMENT_TYPE("cable", MBS_CABLE, 2, SIZE_MAX, true, cable_keys, check_cable,
                 "a cable through places and over discs of any number of bodies"),
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
