/* Force elements on single bodies: loads, drag, damping. */
#include <stdint.h>

#include "base/then.h"
#include "models/sections/forces.h"

static const char *const frames[] = {"global", "body"};
static const form form_frame = {FORM_WORDS(frames)};

static seam_status read_frame(reader *r, yaml_node *value, element *to) {
  size_t chosen = 0;
  const seam_status status = reader_word(r, value, &form_frame, &chosen);
  to->force.body_axes = chosen == 1;
  return status;
}

/* ---- Combinations of keys ---------------------------------------------------------------------------------------- */

static seam_status check_point_force(reader *r, const element *read) {
  if (read->force.law.value != NULL || read->force.law_y.value != NULL || read->force.law_is_state_dependent)
    return SEAM_OK;
  return reader_fail(r, reader_place(read->node), NULL, "%s needs 'x' or 'y'", r->subject);
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
    return reader_fail(r, reader_place(read->node), NULL,
                       "%s needs 'density', 'coefficient' and 'area', or 'resistance' and 'speed'", r->subject);
  if (wind != NULL && !has_air)
    return reader_fail(r, wind->key, "give 'density', 'coefficient' and 'area', or remove it",
                       "'wind' in %s has no effect without drag of the air", r->subject);
  return SEAM_OK;
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Columns of keys: name, required, form, unit, meaning, target or reader; of types: name, kind, least and most bodies,
 * `joins`, keys, check, meaning. */
static const element_key viscous_keys[] = {
    {"damping", true, &form_3_not_negative, "Ns/m, Ns/m, Nms/rad", "damping [dx, dy, dφ] at the centre of mass",
     INTO(force.damping)},
};
const element_type forces_viscous = {"viscous", MBS_VISCOUS,
                                     1,         SIZE_MAX,
                                     false,     ELEMENT_KEYS(viscous_keys),
                                     NULL,      "damping of the absolute motion of each body"};

static const element_key force_keys[] = {
    {"at", false, &form_place, "m", "place where it acts; default: the centre of mass", BY(elements_read_place)},
    {"x", false, &form_law, "N", "component along x, a law of t; default: 0", BY(forces_read_law_of_time)},
    {"y", false, &form_law, "N", "component along y, a law of t; default: 0", BY(forces_read_law_y)},
    {"frame", false, &form_frame, "", "axes of the components, global or those of the body; default: global",
     BY(read_frame)},
};
const element_type forces_force = {"force",           MBS_POINT_FORCE,    1, 1, false, ELEMENT_KEYS(force_keys),
                                   check_point_force, "a force on a body"};

static const element_key torque_keys[] = {
    {"torque", true, &form_law, "Nm", "torque on the body, a law of t", BY(forces_read_law_of_time)},
};
const element_type forces_torque = {"torque", MBS_TORQUE,          1, 1, false, ELEMENT_KEYS(torque_keys),
                                    NULL,     "a torque on a body"};

static const element_key drag_keys[] = {
    {"at", false, &form_place, "m", "place where it acts; default: the centre of mass", BY(elements_read_place)},
    {"density", false, &form_positive, "kg/m3", "density of the air", INTO(force.drag.density)},
    {"coefficient", false, &form_positive, "", "drag coefficient", INTO(force.drag.coefficient)},
    {"area", false, &form_positive, "m2", "area across the flow", INTO(force.drag.area)},
    {"wind", false, &form_2_numbers, "m/s", "velocity [wx, wy] of the air; default: [0, 0]", INTO(force.drag.wind)},
    {"resistance", false, &form_positive, "N", "constant force of rolling or sliding resistance against the velocity",
     INTO(force.drag.resistance)},
    {"speed", false, &form_positive, "m/s", "speed below which the resistance fades", INTO(force.drag.speed)},
};
const element_type forces_drag = {
    "drag", MBS_DRAG, 1, 1, false, ELEMENT_KEYS(drag_keys), check_drag, "drag of the air, of rolling or sliding"};
