#include "cosim/mechanism/definition.h"

#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"

/* Size of the text with which a message begins, such as "subsystem 'left'". */
enum { MAX_SUBJECT = 200 };

/* ---- Lists and texts ---- */

static seam_status check_names(const char *subject, const char *what, const char *const *names, size_t n,
                               seam_error *error) {
  const seam_status status = argument_check_list(subject, what, names, n, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (names[i] == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: entry %zu of its list '%s' is NULL: give a name", subject, i, what);
  return status;
}

seam_status cosim_check_subsystem(const void *item, seam_error *error) {
  const cosim_subsystem_def *def = item;
  char subject[MAX_SUBJECT];
  snprintf(subject, sizeof subject, "subsystem '%s'", def->name);
  seam_status status = check_names(subject, "bodies", def->bodies, def->n_bodies, error);
  THEN(status, check_names(subject, "forces", def->forces, def->n_forces, error));
  THEN(status, check_names(subject, "equations", def->equations, def->n_equations, error));
  if (status == SEAM_OK && def->user != NULL)
    status = check_names(subject, "inputs", def->user->inputs, def->user->n_inputs, error);
  if (status == SEAM_OK && def->user != NULL)
    status = check_names(subject, "outputs", def->user->outputs, def->user->n_outputs, error);
  return status;
}

seam_status cosim_check_ports(const void *item, seam_error *error) {
  const cosim_bond_def *def = item;
  char subject[MAX_SUBJECT];
  snprintf(subject, sizeof subject, "power bond '%s'", def->name);
  if (def->n_ports < 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s has %d ports: give two or more", subject, def->n_ports);
  const seam_status status = argument_check_list(subject, "ports", def->ports, (size_t)def->n_ports, error);
  for (int i = 0; i < def->n_ports && status == SEAM_OK; i++)
    if (def->ports[i].input == NULL || def->ports[i].output == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: port %d has no input or no output: name both", subject, i);
  return status;
}

/* ---- Names ---- */

static seam_status check_unique(const char *subject, const char *what, const char *const *names, size_t n,
                                seam_error *error) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(names[i], names[k]) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "%s has two %s named '%s': give each one its own name", subject, what,
                         names[i]);
  return SEAM_OK;
}

static seam_status check_subsystems(const cosim_definition *d, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < d->n_subsystems && status == SEAM_OK; i++) {
    const cosim_subsystem_def *def = &d->subsystems[i];
    char subject[MAX_SUBJECT];
    for (size_t k = 0; k < i; k++)
      if (strcmp(def->name, d->subsystems[k].name) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "two subsystems are named '%s': give each one its own name", def->name);
    if (def->user == NULL)
      continue;
    snprintf(subject, sizeof subject, "subsystem '%s'", def->name);
    status = check_unique(subject, "inputs", def->user->inputs, def->user->n_inputs, error);
    THEN(status, check_unique(subject, "outputs", def->user->outputs, def->user->n_outputs, error));
  }
  return status;
}

/* ---- Numbers ---- */

/* A number and a demand on it. is_met: the number meets the demand; wanted: text of the demand, for messages. */
typedef struct demand {
  const char *name;
  double value;
  bool is_met;
  const char *wanted;
} demand;

static seam_status check_demands(const char *what, const char *name, const demand *demands, size_t n,
                                 seam_error *error) {
  for (size_t i = 0; i < n; i++)
    if (!demands[i].is_met)
      return seam_fail(error, SEAM_BAD_INPUT, "%s%s%s%s: its %s is %g: it must be %s", what, *name == '\0' ? "" : " '",
                       name, *name == '\0' ? "" : "'", demands[i].name, demands[i].value, demands[i].wanted);
  return SEAM_OK;
}

#define CHECK(what, name, demands, error) check_demands(what, name, demands, sizeof(demands) / sizeof *(demands), error)

static const char not_negative[] = "finite and not negative";

static seam_status check_options(const cosim_options *o, seam_error *error) {
  const demand demands[] = {
      {"macro_step", o->macro_step, is_positive(o->macro_step), "positive and finite"},
      {"sequence", (double)o->sequence, o->sequence == COSIM_JACOBI || o->sequence == COSIM_GAUSS_SEIDEL,
       "COSIM_JACOBI or COSIM_GAUSS_SEIDEL"},
      {"implicit_tolerance", o->implicit_tolerance, is_positive(o->implicit_tolerance), "positive and finite"},
      {"implicit_iterations", (double)o->implicit_iterations,
       o->implicit_iterations >= 1 && o->implicit_iterations <= 1000000, "from 1 to 1000000"},
      {"n_threads", o->n_threads, o->n_threads >= 0, "0 (chosen) or more"},
      {"energy_scale", o->energy_scale, is_size(o->energy_scale), not_negative}};
  return CHECK("co-simulation", "", demands, error);
}

static seam_status check_coupling(const cosim_coupling_def *def, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < def->n_dims && i < 3 && !def->is_rigid && status == SEAM_OK; i++) {
    const demand demands[] = {{"stiffness", def->stiffness[i], is_size(def->stiffness[i]), not_negative},
                              {"damping", def->damping[i], is_size(def->damping[i]), not_negative}};
    status = CHECK("coupling", def->name, demands, error);
  }
  return status;
}

/* ---- All of a definition ---- */

seam_status cosim_definition_check(const cosim_definition *d, seam_error *error) {
  if (d->n_subsystems == 0 || (d->n_subsystems == 1 && d->subsystems[0].user == NULL))
    return seam_fail(error, SEAM_BAD_INPUT, "a co-simulation needs two subsystems or more: name them");
  seam_status status = check_options(&d->options, error);
  THEN(status, check_subsystems(d, error));
  for (size_t i = 0; i < d->n_part_couplings && status == SEAM_OK; i++)
    status = check_coupling(&d->part_couplings[i], error);
  for (size_t i = 0; i < d->n_signals && status == SEAM_OK; i++) {
    const cosim_connection_def *def = &d->signals[i];
    const demand demands[] = {{"gain", def->gain, isfinite(def->gain), "finite"},
                              {"offset", def->offset, isfinite(def->offset), "finite"}};
    status = CHECK("connection to", def->to, demands, error);
  }
  for (size_t i = 0; i < d->n_bonds && status == SEAM_OK; i++) {
    const cosim_bond_def *def = &d->bonds[i];
    const demand demands[] = {{"number of ports", def->n_ports, def->n_ports > 0, "2 or more"},
                              {"energy_scale", def->energy_scale, is_size(def->energy_scale), not_negative},
                              {"tolerance", def->tolerance, is_size(def->tolerance), not_negative}};
    status = CHECK("power bond", def->name, demands, error);
  }
  for (size_t i = 0; i < d->n_energy_corrections && status == SEAM_OK; i++) {
    const cosim_energy_correction_def *def = &d->energy_corrections[i];
    const demand demands[] = {
        {"mu", def->mu, isnan(def->mu) || is_size(def->mu), "finite and not negative, or NaN for the usual one"},
        {"nu", def->nu, is_size(def->nu), not_negative},
        {"limit", def->limit, def->limit > 0, "positive"}};
    status = CHECK("energy correction of", def->bond != NULL ? def->bond : def->part, demands, error);
  }
  if (status != SEAM_OK || d->step_control == NULL)
    return status;
  const cosim_step_control *control = d->step_control;
  const bool is_known = control->indicator == COSIM_ENERGY_INDICATOR ||
                        control->indicator == COSIM_PREDICTION_INDICATOR || control->indicator == COSIM_ERROR_INDICATOR;
  const demand demands[] = {{"indicator", (double)control->indicator, is_known, "one of cosim_step_indicator"},
                            {"shortest", control->shortest, is_size(control->shortest), not_negative}};
  return CHECK("step control", "", demands, error);
}
