/* What keys of contacts and ropes, compliant or hard, go together. */
#include "models/sections/contacts.h"

#include "models/sections/stops.h"

seam_status contacts_check_hardness(reader *r, const element *read, const char *kind) {
  static const char *const soft[] = {"stiffness", "exponent", "damping", "impact_speed", "slip_speed"};
  const yaml_node *impact = yaml_get(read->node, "impact");
  const bool is_hard = read->force.contact.is_hard;
  if (!is_hard && impact != NULL)
    return reader_fail(r, impact->key, "add 'hard: true', or remove it", "'impact' in %s is that of a hard %s",
                       r->subject, kind);
  if (!is_hard && yaml_get(read->node, "stiffness") == NULL)
    return reader_fail(r, reader_place(read->node), NULL, "%s needs 'stiffness', or 'hard: true'", r->subject);
  for (size_t i = 0; is_hard && i < sizeof soft / sizeof *soft; i++) {
    const yaml_node *given = yaml_get(read->node, soft[i]);
    if (given != NULL)
      return reader_fail(r, given->key, "remove it, or 'hard'", "'%s' in %s cannot stand beside 'hard: true'", soft[i],
                         r->subject);
  }
  return SEAM_OK;
}

seam_status contacts_check_rope(reader *r, const element *read) {
  const yaml_node *restitution = yaml_get(read->node, "restitution");
  if (!read->force.contact.is_hard && restitution != NULL)
    return reader_fail(r, restitution->key, "add 'hard: true', or give it 'damping'",
                       "'restitution' in %s is that of a hard rope", r->subject);
  return contacts_check_hardness(r, read, "rope");
}

seam_status contacts_check(reader *r, const element *read) {
  static const char *const impact[] = {"restitution", "impact_speed"};
  static const char *const slip[] = {"friction", "slip_speed"};
  const yaml_node *node = read->node;
  const yaml_node *damping = yaml_get(node, "damping");
  const yaml_node *of_circles = yaml_get(node, "radii");
  const yaml_node *of_line = yaml_get(node, "radius");
  const yaml_node *of_curve = yaml_get(node, "curve");
  const yaml_node *side = yaml_get(node, "side");
  const bool has_line = yaml_get(node, "line") != NULL || of_curve != NULL;
  bool has_impact = false;
  bool has_friction = false;
  if (!has_line && of_circles == NULL)
    return reader_fail(r, reader_place(node), NULL,
                       "%s needs 'radii' of two circles, or a 'line' or 'curve' on the first body", r->subject);
  if (of_curve != NULL && yaml_get(node, "line") != NULL)
    return reader_fail(r, of_curve->key, "keep one of the two", "%s has 'line' and 'curve'", r->subject);
  if (side != NULL && of_curve == NULL)
    return reader_fail(r, side->key, "of a line it is the left that is free: remove it",
                       "'side' in %s has no effect without 'curve'", r->subject);
  if (has_line && of_circles != NULL)
    return reader_fail(r, of_circles->key, "give the 'radius' of the circle on the second body",
                       "'radii' in %s cannot stand beside 'line' or 'curve'", r->subject);
  if (!has_line && of_line != NULL)
    return reader_fail(r, of_line->key, "it is that of a circle on a 'line': remove it",
                       "'radius' in %s cannot stand beside 'radii'", r->subject);
  seam_status status = contacts_check_hardness(r, read, "contact");
  if (status != SEAM_OK || read->force.contact.is_hard)
    return status;
  status = forces_check_together(r, read, impact, 2, &has_impact);
  if (status == SEAM_OK && has_impact && damping != NULL)
    return reader_fail(r, damping->key, "keep one of the two", "%s has 'damping' and 'restitution'", r->subject);
  return status == SEAM_OK ? forces_check_together(r, read, slip, 2, &has_friction) : status;
}
