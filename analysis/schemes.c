/* Which schemes there are, and which a mechanism can use (<seam/analysis.h>). */
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "cosim/master/scheme.h"

/* ---- Names ---- */

size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
  static const char *const methods[] = {"", "-d", "-i", "-baumgarte", "-weighted", "-projection", "-index2", "-index1"};
  cosim_scheme scheme;
  size_t n = 0;
  for (size_t d = 0; d < sizeof decompositions / sizeof *decompositions; d++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
      for (int k = 0; k <= COSIM_MAX_ORDER; k++) {
        seam_scheme_name name;
        snprintf(name.text, sizeof name.text, "%s%s-k%d", decompositions[d], methods[m], k);
        if (cosim_scheme_parse(name.text, at_constraint, &scheme, NULL) != SEAM_OK)
          continue;
        if (n < capacity)
          names[n] = name;
        n++;
      }
  return n;
}

/* ---- Couplings ---- */

/* n_subsystems where a body is in none. */
static size_t subsystem_of(const mbs_model *model, const cosim_definition *options, size_t body) {
  const char *name = body == MBS_GROUND ? "" : mbs_body_name(model, body);
  size_t s = 0;
  for (; s < options->n_subsystems; s++)
    for (size_t i = 0; i < options->subsystems[s].n_bodies; i++)
      if (strcmp(options->subsystems[s].bodies[i], name) == 0)
        return s;
  return s;
}

static bool joins_subsystems(const mbs_model *model, const cosim_definition *options, const size_t bodies[2]) {
  const size_t first = subsystem_of(model, options, bodies[0]);
  const size_t second = subsystem_of(model, options, bodies[1]);
  return first != second && first < options->n_subsystems && second < options->n_subsystems;
}

bool seam_has_couplings(const mbs_model *model, const cosim_definition *options, bool at_constraint) {
  const size_t n = at_constraint ? mbs_n_joints(model) : mbs_n_forces(model);
  for (size_t i = 0; i < n; i++) {
    size_t bodies[2];
    if (at_constraint)
      mbs_joint_bodies(model, i, bodies);
    else
      mbs_force_bodies(model, i, bodies);
    if (joins_subsystems(model, options, bodies))
      return true;
  }
  return false;
}

/* ---- Choice ---- */

static seam_status refuse(const char *scheme, seam_error *error) {
  seam_error at[2];
  cosim_scheme parsed;
  for (int kind = 0; kind < 2; kind++)
    cosim_scheme_parse(scheme, kind == 1, &parsed, &at[kind]);
  return seam_fail(error, SEAM_BAD_INPUT, "%s;\n%s", at[0].message, at[1].message);
}

/* Orders of its own and smoothness suit an explicit coupling where one side is told the force, the other the motion. */
static bool takes_holds(const char *scheme, bool at_joint) {
  cosim_scheme parsed;
  if (cosim_scheme_parse(scheme, at_joint, &parsed, NULL) != SEAM_OK || parsed.iteration != COSIM_EXPLICIT)
    return false;
  return cosim_scheme_drives(&parsed, 0, COSIM_FORCE) != cosim_scheme_drives(&parsed, 1, COSIM_FORCE);
}

seam_status seam_use_scheme(const mbs_model *model, const char *scheme, cosim_coupling_options *choices,
                            cosim_definition *options, seam_error *error) {
  cosim_scheme parsed;
  const bool at_force = cosim_scheme_parse(scheme, false, &parsed, NULL) == SEAM_OK;
  const bool at_joint = cosim_scheme_parse(scheme, true, &parsed, NULL) == SEAM_OK;
  if (!at_force && !at_joint)
    return refuse(scheme, error);
  if (!seam_has_couplings(model, options, at_joint))
    return seam_fail(error, SEAM_BAD_INPUT, "scheme '%s' is for %s between subsystems, and the model has none: %s",
                     scheme, at_joint ? "joints" : "force elements",
                     at_joint ? "take one for force elements, as ff-k1" : "take one for joints, as ff-index2-k1");
  if (at_joint)
    options->constraint_scheme = scheme;
  else
    options->constitutive_scheme = scheme;
  const bool keeps_holds = takes_holds(scheme, at_joint);
  size_t n = 0;
  for (size_t i = 0; i < options->n_coupling_options; i++) {
    cosim_coupling_options choice = options->coupling_options[i];
    const bool is_replaced = (mbs_find_joint(model, choice.element) != SEAM_NONE) == at_joint;
    if (is_replaced)
      choice.scheme = NULL;
    if (!is_replaced || (keeps_holds && (choice.has_orders || choice.smooth)))
      choices[n++] = choice;
  }
  options->coupling_options = choices;
  options->n_coupling_options = n;
  return SEAM_OK;
}
