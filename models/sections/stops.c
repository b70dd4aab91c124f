/* Keys of force elements `stop`. */
#include "models/sections/stops.h"

#include "models/sections/contacts.h"

seam_status stops_read_of(reader *r, yaml_node *value, element *to) {
  static const char *const names[] = {"angle", "distance", "slide"};
  static const mbs_motion_of codes[] = {MBS_OF_ANGLE, MBS_OF_DISTANCE, MBS_OF_SLIDE};
  size_t chosen = 0;
  const seam_status status = reader_keyword(r, value, names, 3, &chosen);
  to->force.stop.of = codes[chosen];
  return status;
}

seam_status stops_read_lower(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, ANY_NUMBER, &to->force.stop.lower);
}

seam_status stops_read_upper(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, ANY_NUMBER, &to->force.stop.upper);
}

/* Places and an axis where the coordinate has them, and at least one bound. */
seam_status stops_check(reader *r, const element *read) {
  static const char *const impact[] = {"restitution", "impact_speed"};
  const yaml_node *node = read->node;
  const yaml_node *at = yaml_get(node, "at");
  const yaml_node *axis = yaml_get(node, "axis");
  const yaml_node *damping = yaml_get(node, "damping");
  const mbs_stop *stop = &read->force.stop;
  bool has_impact = false;
  if ((at != NULL) != (stop->of != MBS_OF_ANGLE))
    return reader_fail(r, at != NULL ? at->key : yaml_get(node, "of"), at != NULL ? "remove it" : "add at: [P, Q]",
                       "'at' in %s belongs to a stop of a distance or a slide", r->subject);
  if ((axis != NULL) != (stop->of == MBS_OF_SLIDE))
    return reader_fail(r, axis != NULL ? axis->key : yaml_get(node, "of"),
                       axis != NULL ? "remove it" : "add axis: [x, y]", "'axis' in %s belongs to a stop of a slide",
                       r->subject);
  if (yaml_get(node, "lower") == NULL && yaml_get(node, "upper") == NULL)
    return reader_fail(r, reader_place(node), NULL, "%s needs 'lower', 'upper' or both", r->subject);
  if (!(stop->lower < stop->upper))
    return reader_fail(r, yaml_get(node, "upper"), NULL,
                       "'upper' in %s must be above 'lower', but %.6g is not above %.6g", r->subject, stop->upper,
                       stop->lower);
  seam_status status = contacts_check_hardness(r, read, "stop");
  if (status != SEAM_OK || read->force.contact.is_hard)
    return status;
  status = forces_check_together(r, read, impact, 2, &has_impact);
  if (status == SEAM_OK && has_impact && damping != NULL)
    return reader_fail(r, damping->key, "keep one of the two", "%s has 'damping' and 'restitution'", r->subject);
  return status;
}
