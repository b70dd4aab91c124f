/* `forces:` the table of their types. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "models/sections/contacts.h"
#include "models/sections/deferred.h"
#include "models/sections/elements.h"
#include "models/sections/stops.h"

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static seam_status read_stiffness(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, NOT_NEGATIVE, to->force.stiffness);
}

static seam_status read_damping(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, NOT_NEGATIVE, to->force.damping);
}

static seam_status read_axial_stiffness(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, POSITIVE, &to->force.stiffness[0]);
}

static seam_status read_bending_stiffness(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, POSITIVE, &to->force.stiffness[1]);
}

static seam_status read_stiffness_xyphi(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, NOT_NEGATIVE, 3, to->force.stiffness);
}

static seam_status read_damping_xyphi(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, NOT_NEGATIVE, 3, to->force.damping);
}

static seam_status read_rest(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, ANY_NUMBER, &to->force.rest);
}

static seam_status read_axis(reader *r, yaml_node *value, element *to) {
  to->force.has_axis = true;
  return elements_read_direction(r, value, to->force.axis);
}

/* ---- Laws -------------------------------------------------------------------------------------------------------- */

static const char *quantity_of(reader *r, const element *of, const char *quantity) {
  const size_t size = strlen(of->force.name) + strlen(quantity) + 2;
  char *name = arena_take(&r->memory, size);
  if (name != NULL)
    snprintf(name, size, "%s.%s", of->force.name, quantity);
  return name;
}

/* t, and of an element between two bodies also s and v. */
static seam_status take_own_names(reader *r, const element *of, own_names *own) {
  own_name *names = arena_take(&r->memory, 3 * sizeof *names);
  if (names == NULL)
    return reader_no_memory(r);
  const char *rate = of->force.kind == MBS_TORSION ? "omega" : "rate";
  *own = (own_names){names, of->force.kind == MBS_SPRING_DAMPER || of->force.kind == MBS_TORSION ? 3 : 1};
  names[0] = own_time;
  names[1] = (own_name){"s", quantity_of(r, of, "stretch")};
  names[2] = (own_name){"v", quantity_of(r, of, rate)};
  return names[1].quantity != NULL && names[2].quantity != NULL ? SEAM_OK : reader_no_memory(r);
}

/* A law of its variables alone, or one of quantities, of which some are not there yet. */
static seam_status read_law(reader *r, yaml_node *value, element *to, const char *const *variables, size_t n_variables,
                            int component) {
  seam_law *const laws[] = {&to->force.law, &to->force.law_y};
  if (!quantities_are_named(r, value, variables, n_variables))
    return reader_law(r, value, variables, n_variables, laws[component]);
  deferred law = {.name = to->force.name, .noun = "force", .node = to->node, .value = value, .component = component};
  const seam_status status = take_own_names(r, to, &law.own);
  to->force.law_follows = true;
  return status == SEAM_OK ? deferred_add(r, DEFERRED_LAW, &law) : status;
}

static seam_status read_law_of_motion(reader *r, yaml_node *value, element *to) {
  static const char *const variables[] = {"s", "v"};
  return read_law(r, value, to, variables, 2, 0);
}

static seam_status read_law_of_time(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &own_time.name, 1, 0);
}

static seam_status read_law_y(reader *r, yaml_node *value, element *to) {
  return read_law(r, value, to, &own_time.name, 1, 1);
}

/* Reads one number of a hydraulic cylinder. */
#define CYLINDER_READER(name, member, range)                                                                           \
  static seam_status name(reader *r, yaml_node *value, element *to) {                                                  \
    return reader_number(r, value, range, &to->force.hydraulics.member);                                               \
  }
CYLINDER_READER(read_cylinder_length, length, POSITIVE)
CYLINDER_READER(read_dissipation, dissipation, NOT_NEGATIVE)
CYLINDER_READER(read_discharge, discharge, POSITIVE)
CYLINDER_READER(read_density, density, POSITIVE)
CYLINDER_READER(read_pump, pump, ANY_NUMBER)
CYLINDER_READER(read_tank, tank, ANY_NUMBER)
CYLINDER_READER(read_valve_area, valve_area, POSITIVE)
#undef CYLINDER_READER

static seam_status read_area(reader *r, yaml_node *value, element *to) {
  double *areas = to->force.hydraulics.areas;
  const seam_status status = reader_number(r, value, POSITIVE, &areas[0]);
  areas[1] = areas[0];
  return status;
}

static seam_status read_areas(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, POSITIVE, 2, to->force.hydraulics.areas);
}

static seam_status read_bulk(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, ANY_NUMBER, 2, to->force.hydraulics.bulk);
}

static seam_status read_pressures(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, ANY_NUMBER, 2, to->force.hydraulics.pressures);
}

static seam_status read_positive_stiffness(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, POSITIVE, to->force.stiffness);
}

static seam_status read_radii(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, POSITIVE, 2, to->force.radii);
}

static seam_status read_crossed(reader *r, yaml_node *value, element *to) {
  bool is_crossed = false;
  const seam_status status = elements_read_flag(r, value, &is_crossed);
  if (is_crossed)
    to->force.radii[0] = -to->force.radii[0];
  return status;
}

static seam_status read_tension(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, NOT_NEGATIVE, &to->force.preload);
}

#define DRAG_READER(name, member)                                                                                      \
  static seam_status name(reader *r, yaml_node *value, element *to) {                                                  \
    return reader_number(r, value, POSITIVE, &to->force.drag.member);                                                  \
  }
DRAG_READER(read_flow_area, area)
DRAG_READER(read_coefficient, coefficient)
DRAG_READER(read_air_density, density)
DRAG_READER(read_resistance, resistance)
DRAG_READER(read_fading_speed, speed)
#undef DRAG_READER

static seam_status read_wind(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, ANY_NUMBER, 2, to->force.drag.wind);
}

#define ACTUATOR_READER(name, member, range)                                                                           \
  static seam_status name(reader *r, yaml_node *value, element *to) {                                                  \
    return reader_number(r, value, range, &to->force.actuator.member);                                                 \
  }
ACTUATOR_READER(read_lag, lag, POSITIVE)
ACTUATOR_READER(read_limit, limit, POSITIVE)
ACTUATOR_READER(read_rate, rate, POSITIVE)
ACTUATOR_READER(read_start, start, ANY_NUMBER)
#undef ACTUATOR_READER

static seam_status read_line(reader *r, yaml_node *value, element *to) {
  to->force.has_axis = to->force.contact.has_line = true;
  return elements_read_direction(r, value, to->force.axis);
}

static seam_status read_curve(reader *r, yaml_node *value, element *to) {
  return reader_text(r, value, &to->force.contact.curve);
}

static seam_status read_side(reader *r, yaml_node *value, element *to) {
  return elements_read_side(r, value, &to->force.contact.side);
}

/* With a curve, that of the second body alone. */
static seam_status read_contact_places(reader *r, yaml_node *value, element *to) {
  return yaml_get(to->node, "curve") != NULL ? elements_read_second_place(r, value, to)
                                             : elements_read_two_places(r, value, to);
}

static seam_status read_radius(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, NOT_NEGATIVE, &to->force.radii[1]);
}

static seam_status read_radii_of_circles(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, NOT_NEGATIVE, 2, to->force.radii);
}

#define CONTACT_READER(name, member, range)                                                                            \
  static seam_status name(reader *r, yaml_node *value, element *to) {                                                  \
    return reader_number(r, value, range, &to->force.contact.member);                                                  \
  }
CONTACT_READER(read_exponent, exponent, POSITIVE)
CONTACT_READER(read_restitution, restitution, NOT_NEGATIVE)
CONTACT_READER(read_impact_speed, impact_speed, POSITIVE)
CONTACT_READER(read_friction, friction, NOT_NEGATIVE)
CONTACT_READER(read_slip_speed, slip_speed, POSITIVE)
#undef CONTACT_READER

static seam_status read_hard(reader *r, yaml_node *value, element *to) {
  return elements_read_flag(r, value, &to->force.contact.is_hard);
}

static seam_status read_impact(reader *r, yaml_node *value, element *to) {
#define MBS_IMPACT_NAME(code, name) name,
  static const char *const laws[] = {MBS_IMPACT_TABLE(MBS_IMPACT_NAME)};
#undef MBS_IMPACT_NAME
  size_t chosen = 0;
  const seam_status status = reader_keyword(r, value, laws, MBS_IMPACTS, &chosen);
  to->force.contact.impact = (mbs_impact_law)chosen;
  return status;
}

static seam_status read_rope_length(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, POSITIVE, &to->force.rest);
}

static seam_status read_bushing_law(reader *r, yaml_node *value, element *to) {
  static const char *const laws[] = {"markers", "consistent"};
  size_t chosen = 0;
  const seam_status status = reader_keyword(r, value, laws, 2, &chosen);
  to->force.consistent = chosen == 1;
  return status;
}

static seam_status read_frame(reader *r, yaml_node *value, element *to) {
  static const char *const frames[] = {"global", "body"};
  size_t chosen = 0;
  const seam_status status = reader_keyword(r, value, frames, 2, &chosen);
  to->force.body_axes = chosen == 1;
  return status;
}

/* ---- Keys together ----------------------------------------------------------------------------------------------- */

/* A law stands in place of stiffness and damping; one of the two must be given. */
static seam_status check_law(reader *r, const element *read, const char *law) {
  const yaml_node *node = read->node;
  const yaml_node *stiffness = yaml_get(node, "stiffness");
  const yaml_node *linear = stiffness != NULL ? stiffness : yaml_get(node, "damping");
  const bool has_law = yaml_get(node, law) != NULL;
  if (has_law && linear != NULL)
    return reader_fail(r, linear->key, "put it into the law, or remove the law",
                       "'%s' in %s cannot stand beside the law '%s'", linear->key->text, r->subject, law);
  if (!has_law && linear == NULL)
    return reader_fail(r, reader_place(node), NULL, "%s needs 'stiffness', 'damping' or the law '%s'", r->subject, law);
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

static seam_status check_point_force(reader *r, const element *read) {
  if (read->force.law.value != NULL || read->force.law_y.value != NULL || read->force.law_follows)
    return SEAM_OK;
  return reader_fail(r, reader_place(read->node), NULL, "%s needs 'x' or 'y'", r->subject);
}

static seam_status check_cylinder(reader *r, const element *read) {
  const mbs_hydraulics *h = &read->force.hydraulics;
  const yaml_node *length = yaml_get(read->node, "length");
  const yaml_node *area = yaml_get(read->node, "area");
  const yaml_node *areas = yaml_get(read->node, "areas");
  if (area == NULL && areas == NULL)
    return reader_fail(r, reader_place(read->node), NULL, "%s needs 'area' or 'areas'", r->subject);
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

static seam_status check_beam(reader *r, const element *read) {
  const yaml_node *length = yaml_get(read->node, "length");
  if (length == NULL || read->force.rest > 0)
    return SEAM_OK;
  return reader_fail(r, length, "write the distance of its ends without load",
                     "'length' in %s must be positive, but is %.6g", r->subject, read->force.rest);
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

static seam_status check_drag(reader *r, const element *read) {
  static const char *const air[] = {"density", "coefficient", "area"};
  static const char *const ground[] = {"resistance", "speed"};
  const yaml_node *wind = yaml_get(read->node, "wind");
  bool has_air = false;
  bool has_ground = false;
  seam_status status = forces_check_together(r, read, air, 3, &has_air);
  if (status == SEAM_OK)
    status = forces_check_together(r, read, ground, 2, &has_ground);
  if (status != SEAM_OK)
    return status;
  if (!has_air && !has_ground)
    return reader_fail(r, reader_place(read->node), NULL,
                       "%s needs 'density', 'coefficient' and 'area', or 'resistance' and 'speed'", r->subject);
  if (wind != NULL && !has_air)
    return reader_fail(r, wind->key, "give 'density', 'coefficient' and 'area', or remove it",
                       "'wind' in %s has no effect without drag of the air", r->subject);
  return SEAM_OK;
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Columns: name, kind, fewest and most bodies, whether it joins two, keys, check. */
static const element_type types[] = {
    {"viscous", MBS_VISCOUS, 1, SIZE_MAX, false, {{"damping", true, read_damping_xyphi}}, NULL},
    {"spring_damper",
     MBS_SPRING_DAMPER,
     2,
     2,
     true,
     {{"axis", false, read_axis},
      {"at", true, elements_read_two_places},
      {"stiffness", false, read_stiffness},
      {"damping", false, read_damping},
      {"length", false, read_rest},
      {"force", false, read_law_of_motion}},
     check_spring},
    {"torsion",
     MBS_TORSION,
     2,
     2,
     true,
     {{"stiffness", false, read_stiffness},
      {"damping", false, read_damping},
      {"angle", false, read_rest},
      {"torque", false, read_law_of_motion}},
     check_torsion},
    {"bushing",
     MBS_BUSHING,
     2,
     2,
     true,
     {{"at", true, elements_read_place},
      {"stiffness", true, read_stiffness_xyphi},
      {"damping", false, read_damping_xyphi},
      {"angle", false, read_rest},
      {"law", false, read_bushing_law}},
     NULL},
    {"force",
     MBS_POINT_FORCE,
     1,
     1,
     false,
     {{"at", false, elements_read_place},
      {"x", false, read_law_of_time},
      {"y", false, read_law_y},
      {"frame", false, read_frame}},
     check_point_force},
    {"torque", MBS_TORQUE, 1, 1, false, {{"torque", true, read_law_of_time}}, NULL},
    {"hydraulic_cylinder",
     MBS_HYDRAULIC_CYLINDER,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places},
      {"area", false, read_area},
      {"areas", false, read_areas},
      {"cylinder_length", true, read_cylinder_length},
      {"length", false, read_rest},
      {"dissipation", false, read_dissipation},
      {"discharge", true, read_discharge},
      {"density", true, read_density},
      {"pump", true, read_pump},
      {"tank", true, read_tank},
      {"bulk", true, read_bulk},
      {"valve_area", true, read_valve_area},
      {"spool", true, read_law_of_time},
      {"pressures", false, read_pressures}},
     check_cylinder},
    {"beam",
     MBS_BEAM,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places},
      {"axial_stiffness", true, read_axial_stiffness},
      {"bending_stiffness", true, read_bending_stiffness},
      {"damping", false, read_damping},
      {"length", false, read_rest}},
     check_beam},
    {"drag",
     MBS_DRAG,
     1,
     1,
     false,
     {{"at", false, elements_read_place},
      {"density", false, read_air_density},
      {"coefficient", false, read_coefficient},
      {"area", false, read_flow_area},
      {"wind", false, read_wind},
      {"resistance", false, read_resistance},
      {"speed", false, read_fading_speed}},
     check_drag},
    {"actuator",
     MBS_ACTUATOR,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places},
      {"command", true, read_law_of_time},
      {"lag", true, read_lag},
      {"limit", false, read_limit},
      {"rate", false, read_rate},
      {"start", false, read_start}},
     NULL},
    {"rotary_actuator",
     MBS_ROTARY_ACTUATOR,
     2,
     2,
     true,
     {{"command", true, read_law_of_time},
      {"lag", true, read_lag},
      {"limit", false, read_limit},
      {"rate", false, read_rate},
      {"start", false, read_start}},
     NULL},
    {"belt",
     MBS_ELASTIC_BELT,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places},
      {"radii", true, read_radii},
      {"crossed", false, read_crossed},
      {"stiffness", true, read_positive_stiffness},
      {"damping", false, read_damping},
      {"tension", false, read_tension}},
     NULL},
    {"contact",
     MBS_CONTACT,
     2,
     2,
     true,
     {{"at", true, read_contact_places},
      {"radii", false, read_radii_of_circles},
      {"line", false, read_line},
      {"curve", false, read_curve},
      {"side", false, read_side},
      {"radius", false, read_radius},
      {"hard", false, read_hard},
      {"impact", false, read_impact},
      {"stiffness", false, read_positive_stiffness},
      {"exponent", false, read_exponent},
      {"damping", false, read_damping},
      {"restitution", false, read_restitution},
      {"impact_speed", false, read_impact_speed},
      {"friction", false, read_friction},
      {"slip_speed", false, read_slip_speed}},
     contacts_check},
    {"stop",
     MBS_STOP,
     2,
     2,
     true,
     {{"of", true, stops_read_of},
      {"at", false, elements_read_two_places},
      {"axis", false, read_axis},
      {"lower", false, stops_read_lower},
      {"upper", false, stops_read_upper},
      {"hard", false, read_hard},
      {"impact", false, read_impact},
      {"stiffness", false, read_positive_stiffness},
      {"exponent", false, read_exponent},
      {"damping", false, read_damping},
      {"restitution", false, read_restitution},
      {"impact_speed", false, read_impact_speed}},
     stops_check},
    {"rope",
     MBS_ROPE,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places},
      {"length", false, read_rope_length},
      {"hard", false, read_hard},
      {"impact", false, read_impact},
      {"stiffness", false, read_positive_stiffness},
      {"damping", false, read_damping},
      {"restitution", false, read_restitution}},
     contacts_check_rope},
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->force = mbs_default_force_def();
  new_one->force.name = name;
  new_one->force.kind = (mbs_force_kind)kind;
  new_one->at = new_one->force.at;
  /* A force without `at` acts on the centre of mass. */
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
  seam_law *const laws[] = {&incomplete->force.law, &incomplete->force.law_y};
  for (size_t i = 0; i < 2; i++)
    if (laws[i]->destroy != NULL)
      laws[i]->destroy(laws[i]->data);
}

seam_status forces_read(reader *r) {
  static const element_family family = {.section = "forces",
                                        .noun = "force",
                                        .kind = ENTRY_FORCE,
                                        .types = types,
                                        .n_types = sizeof types / sizeof *types,
                                        .prepare = prepare,
                                        .add = add,
                                        .discard = discard};
  return elements_read(r, &family);
}
