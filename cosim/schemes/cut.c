#include "cosim/schemes/cut.h"

seam_status cosim_cut_check_law(const cosim_element *element, const cosim_scheme *scheme, seam_error *error) {
  if (scheme->method == COSIM_I && !element->is_affine)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the I-extension needs a linear law, as of a spring along an 'axis', a bushing with 'law: markers' or a "
        "torsion: for other laws take the D-extension, such as ff-d-k1, or no extension, such as ff-k1");
  if (scheme->method == COSIM_COLLOCATION && element->has_kinks && !element->switches &&
      (cosim_scheme_receives_motion(scheme, 0) || cosim_scheme_receives_motion(scheme, 1)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "its law has kinks or jumps (if, abs, sign, floor, min or max), and under fd, df and dd a contact "
                     "between two nodes would push one side only: take ff-colloc-s%d",
                     scheme->order);
  return SEAM_OK;
}

/* Checks that a part has the inputs and outputs that the scheme needs. */
static seam_status check_side(const cosim_cut *cut, int side, const cosim_part *part, seam_error *error) {
  const cosim_side *at = &cut->side[side];
  const cosim_scheme *scheme = &cut->scheme;
  const cosim_element *element = cut->element;
  const int last = element->dim[element->n_dims - 1];
  const int last_force = element->n_forces == COSIM_MAX_FORCES ? 2 : element->force[element->n_forces - 1];
  const bool has_law = !scheme->at_constraint && scheme->variable[0].kind == COSIM_FORCE;
  const bool needs_acceleration = scheme->method == COSIM_D || scheme->method == COSIM_PROJECTION ||
                                  (scheme->method == COSIM_COLLOCATION && has_law) || scheme->method == COSIM_INDEX1 ||
                                  (scheme->method == COSIM_BAUMGARTE && scheme->gamma > 0) ||
                                  (scheme->method == COSIM_WEIGHTED && scheme->weight[2] > 0);
  const bool prescribed = cosim_scheme_drives(scheme, side, COSIM_ACCELERATION);
  const struct {
    const char *what;
    bool needed;
    int first, last, n; /* index of the vector's first component; its last component, from 0; count in the part */
  } table[] = {
      {"an input for the force", cosim_scheme_drives(scheme, side, COSIM_FORCE), at->force_input, last_force,
       part->n_inputs},
      {"an input for the position of the other side", cosim_scheme_receives_motion(scheme, side), at->position_input,
       last, part->n_inputs},
      {"an input for the velocity of the other side", cosim_scheme_receives_motion(scheme, side), at->velocity_input,
       last, part->n_inputs},
      {"an input for the acceleration", prescribed, at->acceleration_input, element->n_rows - 1, part->n_inputs},
      {"an output for the position", true, at->position, last, part->n_outputs},
      {"an output for the velocity", true, at->velocity, last, part->n_outputs},
      {"an output for the acceleration", needs_acceleration, at->acceleration, last, part->n_outputs},
      {"an output for the integral of the position", scheme->method == COSIM_I, at->position_integral, last,
       part->n_outputs},
      {"an output for the multiplier", prescribed, at->multiplier, element->n_rows - 1, part->n_outputs}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].needed && (table[i].first < 0 || table[i].first + table[i].last >= table[i].n))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "coupling '%s': its scheme needs %s, which its side at subsystem '%s' does not name: name it, "
                       "or take another scheme",
                       cut->name == NULL ? "" : cut->name, table[i].what, part->name == NULL ? "" : part->name);
  return SEAM_OK;
}

seam_status cosim_cut_check(const cosim_cut *cut, const cosim_part *const sides[2], bool can_project,
                            seam_error *error) {
  const char *name = cut->name == NULL ? "" : cut->name;
  const cosim_scheme *scheme = &cut->scheme;
  seam_error cause = {0};
  if (cut->side[0].part == cut->side[1].part)
    return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s' joins a subsystem to itself: name two", name);
  if (cosim_cut_check_law(cut->element, scheme, &cause) != SEAM_OK)
    return seam_fail(error, cause.status, "coupling '%s': %s", name, cause.message);
  if (cut->element->n_rows > 0 && !cut->element->is_affine &&
      (cosim_scheme_drives(scheme, 0, COSIM_ACCELERATION) || cosim_scheme_drives(scheme, 1, COSIM_ACCELERATION)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "coupling '%s': the direction of this joint depends on both sides, so accelerations cannot be "
                     "prescribed: take an ff scheme",
                     name);
  if (scheme->method == COSIM_PROJECTION && !can_project)
    return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s': projection is not available here: take another method",
                     name);
  if (scheme->iteration == COSIM_EXCHANGE)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "coupling '%s': a scheme that ends in '-exchange' cannot be used here: take one that ends in '-explicit'",
        name);
  const seam_status status = check_side(cut, 0, sides[0], error);
  return status == SEAM_OK ? check_side(cut, 1, sides[1], error) : status;
}
