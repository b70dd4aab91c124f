/* Restarts coupling variables after a kink (jump of a rate), a jump, or a switch of a cut contact or strand. Past
 * values cannot be extrapolated across the time of such a change. */
#include "cosim/coupling/master.h"

/* Drops all past values, and sets the variables of force elements to the present values of the laws. Does not extend
 * the past by the present rate, since this rate may change again within 1e-9 s. Forces at cut joints are computed again
 * at the ends of the next two steps, unless all couplings have collocation schemes. */
static void begin_without_past(cosim_master *master) {
  bool has_joint = false;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    has_joint = has_joint || c->cut->element->n_rows > 0;
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->cut->element->n_rows == 0; slot++)
      slot->history[0] = cosim_value_of(c->cut, slot->rules->variable, slot->component, c->begin.motion, NULL);
  }
  master->n_past = 1;
  master->n_restart_steps = has_joint && !master->all_collocate ? 2 : 0;
  master->stale = true;
}

void cosim_master_drop_past(cosim_master *master) {
  begin_without_past(master);
  cosim_master_drop_polynomials(master);
}

void cosim_master_restart(cosim_master *master) {
  cosim_parts_get_outputs(master->parts);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
  begin_without_past(master);
  cosim_master_apply_inputs(master);
  cosim_master_drop_polynomials(master);
}

/* Replaces the past of each variable of a force element by two values: at the present time, and at the time
 * past_step[0] before. Both lie on the straight line with the present rate. */
void cosim_master_cross_switch(cosim_master *master) {
  cosim_parts_get_outputs(master->parts);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    double of_force[COSIM_MAX_FORCES];
    if (c->cut->element->n_rows > 0)
      continue;
    cosim_law_rate(c->cut->element, c->begin.motion, of_force);
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      const cosim_variable *variable = slot->rules->variable;
      const int i = slot->component;
      double rate = of_force[i];
      if (variable->kind != COSIM_FORCE) {
        const cosim_motion *m = &c->begin.motion[variable->source];
        rate = variable->kind == COSIM_VELOCITY ? m->a[i] : m->v[i];
      }
      slot->history[0] = cosim_value_of(c->cut, variable, i, c->begin.motion, NULL);
      slot->history[1] = slot->history[0] - master->past_step[0] * rate;
    }
  }
  master->n_past = 2;
  master->stale = true;
  cosim_master_drop_polynomials(master);
}
