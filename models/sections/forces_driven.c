/* Force elements driven by a law, with own states: cylinders and actuators. */
#include "models/sections/forces.h"

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

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Columns of keys: name, required, form, unit, meaning, target or reader; of types: name, kind, least and most bodies,
 * `joins`, keys, check, meaning. */
static const element_key hydraulic_cylinder_keys[] = {
    {"at", true, &form_two_places, "m", "ends of the element", BY(elements_read_two_places)},
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
const element_type forces_hydraulic_cylinder = {"hydraulic_cylinder",
                                                MBS_HYDRAULIC_CYLINDER,
                                                2,
                                                2,
                                                true,
                                                ELEMENT_KEYS(hydraulic_cylinder_keys),
                                                check_cylinder,
                                                "a hydraulic cylinder with its valve"};

static const element_key actuator_keys[] = {
    {"at", true, &form_two_places, "m", "ends of the element", BY(elements_read_two_places)},
    {"command", true, &form_law, "N", "force that the actuator follows, a law of t; positive pushes its points apart",
     BY(forces_read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "N", "largest force; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "N/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "N", "force at t = 0; default: its command", INTO(force.actuator.start)},
};
const element_type forces_actuator = {
    "actuator", MBS_ACTUATOR, 2, 2, true, ELEMENT_KEYS(actuator_keys), NULL, "a force that follows a command"};

static const element_key rotary_actuator_keys[] = {
    {"command", true, &form_law, "Nm", "torque that the actuator follows, a law of t; positive increases the angle",
     BY(forces_read_law_of_time)},
    {"lag", true, &form_positive, "s", "time constant with which it follows", INTO(force.actuator.lag)},
    {"limit", false, &form_positive, "Nm", "largest torque; default: none", INTO(force.actuator.limit)},
    {"rate", false, &form_positive, "Nm/s", "largest rate of change; default: none", INTO(force.actuator.rate)},
    {"start", false, &form_number, "Nm", "torque at t = 0; default: its command", INTO(force.actuator.start)},
};
const element_type forces_rotary_actuator = {"rotary_actuator",
                                             MBS_ROTARY_ACTUATOR,
                                             2,
                                             2,
                                             true,
                                             ELEMENT_KEYS(rotary_actuator_keys),
                                             NULL,
                                             "a torque that follows a command"};
