/* Prints the reason why `seam stability model` predicts no errors, and a remedy. */
#include <math.h>
#include <stdio.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "app/commands/stability_study.h"
#include "app/thresholds.h"

bool stability_has_samples(const stability_study *study) {
  for (size_t i = 0; i < mbs_n_variables(study->base.setup.model); i++)
    if (mbs_variable_of(study->base.setup.model, i).sample > 0)
      return true;
  return false;
}

static bool has_corrections(const cosim_builder *builder) {
  const cosim_definition *of = cosim_builder_definition(builder);
  return of->n_energy_corrections + of->n_balance_corrections > 0 || of->model_based != NULL;
}

/* Returns a subsystem whose equations, and so its motion, are not in the monolithic model; NULL: none. */
static const char *unknown_subsystem(const stability_study *study) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(study->base.setup.file));
  for (size_t s = 0; s < of->n_subsystems; s++)
    if (of->subsystems[s].user != NULL && study->base.setup.model == seam_model_mechanism(study->base.setup.file))
      return of->subsystems[s].name;
  return NULL;
}

seam_status stability_find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error) {
  seam_modes *modes = NULL;
  const seam_status status = seam_modes_create(study->base.setup.model, study->base.setup.state, &modes, error);
  *slowest = 0;
  for (size_t k = 0; status == SEAM_OK && k < modes->n; k++) {
    const seam_mode *mode = &modes->mode[k];
    if (mode->s[1] > 0 || !(mode->neutral || oscillates))
      *slowest = fmax(*slowest, mode->s[1] > 0 ? 2 * acos(-1) / mode->s[1] : 1 / fabs(mode->s[0]));
  }
  seam_modes_destroy(modes);
  return status;
}

static void print_about_motion(const stability_study *study, double slowest) {
  const double shortest = app_shortest_of_motion * slowest;
  if (slowest == 0)
    puts("no recommendation: no force resists small motions, whose errors have no size to be compared with");
  else if (study->from > slowest || study->to < shortest)
    printf("no recommendation: errors are predicted over a period of the slowest motion, %.4g s, with macro steps from "
           "%.4g s to that: look at some of these\n",
           slowest, shortest);
  else
    puts("no recommendation: the motion of a subsystem that is given by matrices ('linear') or has integrals is not "
         "known between macro points");
}

seam_status stability_print_reason(const stability_study *study, seam_error *error) {
  const char *name = unknown_subsystem(study);
  double slowest = 0;
  if (stability_has_samples(study))
    puts("no recommendation: errors are predicted in continuous time, and something is sampled");
  else if (has_corrections(seam_model_cosim(study->base.setup.file)))
    puts("no recommendation: errors are predicted along an exact motion, and what corrections of the exchange would "
         "keep "
         "of one is not known: look at stable macro steps alone, and compare runs ('seam converge')");
  else if (name != NULL)
    printf("no recommendation: the motion of subsystem '%s', whose equations are not in the whole, is not known\n",
           name);
  else {
    const seam_status status = stability_find_slowest(study, false, &slowest, error);
    if (status != SEAM_OK)
      return status;
    print_about_motion(study, slowest);
  }
  return SEAM_OK;
}
