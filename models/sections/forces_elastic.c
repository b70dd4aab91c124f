/* Force elements loaded by a stretch: springs, bushings, beams, belts. */
#include "models/sections/forces.h"

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static const char *const bushing_laws[] = {"markers", "consistent"};
static const form form_bushing_law = {FORM_WORDS(bushing_laws)};

static seam_status read_bushing_law(reader *r, yaml_node *value, element *to) {
  size_t chosen = 0;
  const seam_status status = reader_word(r, value, &form_bushing_law, &chosen);
  to->force.consistent = chosen == 1;
  return status;
}

/* ---- Combinations of keys ---------------------------------------------------------------------------------------- */

/* Requires either a law, or stiffness or damping. */
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

static seam_status check_beam(reader *r, const element *read) {
  const yaml_node *length = yaml_get(read->node, "length");
  if (length == NULL || read->force.rest > 0)
    return SEAM_OK;
  return reader_fail(r, length, "write the distance of its ends without load",
                     "'length' in %s must be positive, but is %.6g", r->subject, read->force.rest);
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Columns of keys: name, required, form, unit, meaning, target or reader; of types: name, kind, least and most bodies,
 * `joins`, keys, check, meaning. */
static const element_key spring_damper_keys[] = {
    {"axis", false, &form_2_numbers, "",
     "global direction along which s is a signed component; default: none, s is the distance", BY(forces_read_axis)},
    {"at", true, &form_two_places, "m", "ends of the spring", BY(elements_read_two_places)},
    {"stiffness", false, &form_not_negative, "N/m", "stiffness of the spring; or the law 'force'",
     INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping; default: 0", INTO(force.damping)},
    {"length", false, &form_number, "m", "length without load; default: the initial one", INTO(force.rest)},
    {"force", false, &form_law, "N",
     "law of s = distance - length and its rate v; positive pushes the points apart, under seam: 1 pulls them together",
     BY(forces_read_law_of_motion)},
};
const element_type forces_spring_damper = {"spring_damper",
                                           MBS_SPRING_DAMPER,
                                           2,
                                           2,
                                           true,
                                           ELEMENT_KEYS(spring_damper_keys),
                                           check_spring,
                                           "a spring and damper between two points, or along a direction"};

static const element_key torsion_keys[] = {
    {"stiffness", false, &form_not_negative, "Nm/rad", "stiffness of the spring; or the law 'torque'",
     INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Nms/rad", "damping; default: 0", INTO(force.damping)},
    {"angle", false, &form_number, "rad", "angle without load; default: the initial one", INTO(force.rest)},
    {"torque", false, &form_law, "Nm",
     "law of s = φ2 - φ1 - angle and its rate v; positive increases the angle, under seam: 1 decreases it",
     BY(forces_read_law_of_motion)},
};
const element_type forces_torsion = {
    "torsion", MBS_TORSION, 2, 2, true, ELEMENT_KEYS(torsion_keys), check_torsion, "a spring and damper of an angle"};

static const element_key bushing_keys[] = {
    {"at", true, &form_place, "m", "common place of both bodies", BY(elements_read_place)},
    {"stiffness", true, &form_3_not_negative, "N/m, N/m, Nm/rad", "stiffness [cx, cy, cφ]", INTO(force.stiffness)},
    {"damping", false, &form_3_not_negative, "Ns/m, Ns/m, Nms/rad", "damping [dx, dy, dφ]; default: 0",
     INTO(force.damping)},
    {"angle", false, &form_number, "rad", "angle without load; default: the initial one", INTO(force.rest)},
    {"law", false, &form_bushing_law, "",
     "markers: global axes, each force at its own marker; consistent: axes that turn with the first body; default: "
     "markers",
     BY(read_bushing_law)},
};
const element_type forces_bushing = {
    "bushing", MBS_BUSHING, 2, 2, true, ELEMENT_KEYS(bushing_keys), NULL, "a spring and damper in x, y and angle"};

static const element_key beam_keys[] = {
    {"at", true, &form_two_places, "m", "ends of the beam, clamped to the bodies", BY(elements_read_two_places)},
    {"axial_stiffness", true, &form_positive, "N", "axial stiffness E A", INTO(force.stiffness[0])},
    {"bending_stiffness", true, &form_positive, "Nm2", "bending stiffness E I", INTO(force.stiffness[1])},
    {"damping", false, &form_not_negative, "s", "damping over stiffness; default: 0", INTO(force.damping)},
    {"length", false, &form_number, "m", "length without load; default: the initial one", INTO(force.rest)},
};
const element_type forces_beam = {
    "beam", MBS_BEAM, 2, 2, true, ELEMENT_KEYS(beam_keys), check_beam, "a beam without mass, straight at the start"};

static const element_key belt_keys[] = {
    {"at", true, &form_two_places, "m", "centres of the pulleys", BY(elements_read_two_places)},
    {"radii", true, &form_2_positive, "m", "radii of the pulleys", INTO(force.radii)},
    {"crossed", false, &form_flag, "", "the belt is crossed: the pulleys turn against each other; default: false",
     BY(forces_read_opposite)},
    {"stiffness", true, &form_positive, "N/m", "stiffness of each strand", INTO(force.stiffness)},
    {"damping", false, &form_not_negative, "Ns/m", "damping of each strand; default: 0", INTO(force.damping)},
    {"tension", false, &form_not_negative, "N", "tension of each strand in the initial configuration; default: 0",
     INTO(force.preload)},
};
const element_type forces_belt = {"belt", MBS_ELASTIC_BELT,        2,    2,
                                  true,   ELEMENT_KEYS(belt_keys), NULL, "a belt or chain that stretches"};
