/* Force elements with one-sided forces: contacts, stops, ropes and cables. */
#include <stdint.h>

#include "base/then.h"
#include "models/sections/forces.h"

static seam_status read_line(reader *r, yaml_node *value, element *to) {
  to->force.contact.has_line = true;
  return forces_read_axis(r, value, to);
}

static const form form_contact_positions = {FORM_ANY_OF(&form_two_positions, &form_position)};

/* Reads the positions of a contact; for a contact with a curve, only that on the second body. */
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
  const seam_status status = reader_word(r, value, &form_stopped, &chosen);
  to->force.stop.of = codes[chosen];
  return status;
}

static const form form_positions = {.kind = FORM_LIST, .least = 2, .of = &form_point};

/* Requires a list with one item for each body of the element. */
static seam_status check_list(reader *r, const yaml_node *list, const element *to) {
  if (list->kind == YAML_LIST && list->n_children == to->n_bodies)
    return SEAM_OK;
  return reader_fail(r, list, "write one for each of 'bodies', in their order", "'%s' in %s must be a list of %zu",
                     list->key->text, r->subject, to->n_bodies);
}

static seam_status read_path(reader *r, yaml_node *value, element *to) {
  mbs_marker_def *at = arena_allocate(&r->memory, to->n_bodies * sizeof *at);
  seam_status status = at != NULL ? check_list(r, value, to) : reader_no_memory(r);
  yaml_node *place = value->first;
  for (size_t i = 0; i < to->n_bodies && status == SEAM_OK; i++, place = place->next)
    status = reader_marker(r, place, to->bodies[i], &at[i]);
  to->force.cable.at = at;
  return status;
}

static seam_status read_radii(reader *r, yaml_node *value, element *to) {
  double *radii = arena_allocate(&r->memory, to->n_bodies * sizeof *radii);
  seam_status status = radii != NULL ? check_list(r, value, to) : reader_no_memory(r);
  THEN(status, reader_vector(r, value, ANY_NUMBER, to->n_bodies, radii));
  to->force.cable.radii = radii;
  return status;
}

/* In a compliant element, rejects keys of hard elements and requires 'stiffness'. In a hard element, rejects keys of
 * compliant elements. `kind`, for messages: contact, stop or rope. */
static seam_status check_hardness(reader *r, const element *read, const char *kind) {
  static const char *const soft[] = {"stiffness", "exponent", "damping", "impact_speed", "slip_speed"};
  const yaml_node *impact = yaml_get(read->node, "impact");
  const bool is_hard = read->force.contact.is_hard;
  if (!is_hard && impact != NULL)
    return reader_fail(r, impact->key, "add 'hard: true', or remove it",
                       "'impact' in %s has no effect: only a hard %s has an impact law", r->subject, kind);
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
  const char *kind = mbs_force_kind_text(read->force.kind);
  const yaml_node *restitution = yaml_get(read->node, "restitution");
  if (!read->force.contact.is_hard && restitution != NULL)
    return reader_fail(r, restitution->key, "add 'hard: true', or write 'damping' instead",
                       "'restitution' in %s has no effect: only a hard %s has a restitution", r->subject, kind);
  return check_hardness(r, read, kind);
}

/* Rejects 'damping' together with 'restitution', and 'restitution' or 'impact_speed' without the other. Do not call
 * this for hard elements. */
static seam_status check_impact(reader *r, const element *read) {
  static const char *const impact[] = {"restitution", "impact_speed"};
  const yaml_node *damping = yaml_get(read->node, "damping");
  bool has_impact = false;
  const seam_status status = forces_check_together(r, read, impact, 2, &has_impact);
  if (status == SEAM_OK && has_impact && damping != NULL)
    return reader_fail(r, damping->key, "keep one of the two", "%s has 'damping' and 'restitution'", r->subject);
  return status;
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
  seam_status status = check_hardness(r, read, "contact");
  if (status != SEAM_OK || read->force.contact.is_hard)
    return status;
  status = check_impact(r, read);
  return status == SEAM_OK ? forces_check_together(r, read, slip, 2, &has_friction) : status;
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
  const seam_status status = check_hardness(r, read, "stop");
  return status == SEAM_OK && !read->force.contact.is_hard ? check_impact(r, read) : status;
}

static const element_key contact_keys[] = {
    {"at", true, &form_contact_positions, "m", "places on both bodies, with a curve that on the second body alone",
     BY(read_contact_positions)},
    {"radii", false, &form_2_not_negative, "m", "radii of two circles about P and Q; 0 is a point", INTO(force.radii)},
    /* A negative first radius means that the first circle surrounds the second one. */
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
const element_type forces_contact = ELEMENT("contact", MBS_CONTACT, 2, 2, true, contact_keys, check_contact,
                                            "contact of two circles, or of a circle with a line or curve");

static const element_key stop_keys[] = {
    {"of", true, &form_stopped, "", "bounded coordinate", BY(read_of)},
    {"at", false, &form_two_positions, "m", "places P and Q of a distance or slide", BY(elements_read_two_positions)},
    {"axis", false, &form_2_numbers, "", "initial direction of a slide through P; it turns with the first body",
     BY(forces_read_axis)},
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
const element_type forces_stop =
    ELEMENT("stop", MBS_STOP, 2, 2, true, stop_keys, check_stop, "bounds of an angle, a distance or a slide");

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
const element_type forces_rope =
    ELEMENT("rope", MBS_ROPE, 2, 2, true, rope_keys, check_rope, "a rope, which pulls and never pushes");

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
     BY(forces_read_law_of_time)},
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
const element_type forces_cable = ELEMENT("cable", MBS_CABLE, 2, SIZE_MAX, true, cable_keys, check_cable,
                                          "a cable through places and over discs of any number of bodies");
