/* A soft contact with the law k δ^n has at most the stiffness k = W/δ°^n. δ° is a chosen depth, and W the sum of all
 * loads: with this k the force at the depth δ° is W. */
#include "mbs/contact/soft_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/thresholds.h"

seam_status mbs_soft_model(const mbs_model *model, mbs_model *soft, seam_error *error) {
  const size_t n = (size_t)model->n_forces;
  *soft = *model;
  soft->forces = malloc((n + 1) * sizeof *soft->forces);
  if (soft->forces == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu force elements", n);
  memcpy(soft->forces, model->forces, n * sizeof *soft->forces);
  return SEAM_OK;
}

int mbs_soften_contacts(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft) {
  int n = 0;
  for (int i = 0; i < model->n_forces; i++) {
    const mbs_force *force = &model->forces[i];
    /* The size of a contact is the sum of its radii, but at most the mechanism's size. Without radii, and for cables,
     * it is the mechanism's size. */
    const double radii = force->cable == NULL ? fabs(force->radius[0]) + force->radius[1] : 0;
    const double size = radii > 0 ? fmin(radii, model->size) : model->size;
    if (force->type->compliant != NULL) {
      /* the soft contact has no modes; any slip_speed except 0 is suitable, since friction is zero at rest */
      const double lever = force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE ? model->size : 1;
      mbs_force *compliant = &soft->forces[i];
      *compliant = *force;
      compliant->type = force->type->compliant;
      compliant->has_modes = false;
      compliant->contact.slip_speed = 1;
      compliant->elastic[0] = (mbs_elastic_law){.stiffness = load * lever * lever / (fmax(penetration, hardest) * size),
                                                .exponent = force->cable != NULL ? 0 : 1};
      n += penetration > hardest * mbs_soft_contact;
      continue;
    }
    for (int k = 0; k < force->type->n_coordinates; k++) {
      const mbs_elastic_law *law = &force->elastic[k];
      if (!(law->exponent > 0))
        continue;
      const double stiffness = load / pow(penetration * size, law->exponent);
      soft->forces[i].elastic[k].stiffness = fmin(law->stiffness, stiffness);
      n += stiffness < law->stiffness;
    }
  }
  return n;
}

double mbs_load_of_bodies(const mbs_workspace *ws) {
  const mbs_model *model = ws->model;
  double weight = 0;
  double load = 0;
  for (int b = 1; b <= model->n_bodies; b++) {
    weight += hypot(model->gravity_load[3 * b], model->gravity_load[3 * b + 1]);
    load += hypot(ws->Q[3 * b], ws->Q[3 * b + 1]);
  }
  return weight > 0 ? weight : load;
}
