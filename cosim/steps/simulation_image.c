/* Statistics of a co-simulation, and its image: a head, the numbers of the state, and a checksum of both. */
#include "cosim/steps/simulation.h"

#include <math.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/argument.h"
#include "base/checksum.h"
#include "base/hash.h"
#include "mbs/model/model.h"

/* ---- Statistics ---- */

cosim_statistics cosim_statistics_of(const cosim_simulation *self) {
  if (self == NULL)
    return (cosim_statistics){0};
  cosim_master_statistics count = {0};
  cosim_statistics sum = self->others;
  if (self->engine->master != NULL)
    count = self->engine->master->count;
  sum.macro_steps += self->engine->n_steps;
  sum.corrections += count.corrections;
  sum.refreshes += count.refreshes;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    if (!cosim_is_mechanical(&self->partition, s))
      continue;
    const mbs_statistics part = cosim_multibody_statistics(self->partition.parts[s]);
    mbs_statistics *all = &sum.integrators;
    all->steps += part.steps;
    all->rejected += part.rejected;
    all->evaluations += part.evaluations;
    all->factorisations += part.factorisations;
    all->largest_step = fmax(all->largest_step, part.largest_step);
    if (part.steps > 0)
      all->smallest_step = all->smallest_step > 0 ? fmin(all->smallest_step, part.smallest_step) : part.smallest_step;
  }
  return sum;
}

void cosim_statistics_set(cosim_simulation *self, const cosim_statistics *wanted) {
  self->others = (cosim_statistics){0};
  const cosim_statistics current = cosim_statistics_of(self);
  self->others = *wanted;
  self->others.macro_steps -= current.macro_steps;
  self->others.corrections -= current.corrections;
  self->others.refreshes -= current.refreshes;
  self->others.integrators.steps -= current.integrators.steps;
  self->others.integrators.rejected -= current.integrators.rejected;
  self->others.integrators.evaluations -= current.integrators.evaluations;
  self->others.integrators.factorisations -= current.integrators.factorisations;
}

/* ---- Fingerprint ---- */

/* Mixes texts into a hash; NULL counts as an empty text. */
static uint64_t mix_texts(uint64_t hash, const char *const *texts, size_t n) {
  for (size_t i = 0; i < n; i++)
    hash = hash_text(hash, texts[i] == NULL ? "" : texts[i]);
  return hash;
}

#define MIX_TEXTS(hash, ...)                                                                                           \
  mix_texts(hash, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
static uint64_t mix_integrator(uint64_t hash, const mbs_integrator_options *o) {
  return HASH_NUMBERS(MIX_TEXTS(hash, o->method), o->order, o->rtol, o->atol, o->step, o->largest_step);
}

/* Mixes the options into a hash. Leaves out the number of threads; schemes, which are mixed with cuts and couplings;
 * the history, which only the start uses; without step control the macro step, an argument of every step. */
static uint64_t mix_options(uint64_t hash, const cosim_definition *definition) {
  const cosim_options *o = &definition->options;
  const cosim_step_control *c = definition->step_control;
  hash = mix_integrator(hash, &o->integrator);
  hash =
      HASH_NUMBERS(hash, o->sequence, o->implicit_tolerance, (double)o->implicit_iterations, o->differences, o->reuse);
  if (c == NULL)
    return hash;
  return HASH_NUMBERS(hash, c->indicator, c->tolerance, c->relative_weight, c->safety, c->shrinkage_limit,
                      c->growth_limit, c->shortest, c->longest, c->follows_motion, c->chooses_first, o->energy_scale,
                      o->macro_step, c->integral_gain, c->proportional_gain, c->prediction_order);
}

static uint64_t mix_parts(uint64_t hash, const cosim_definition *o) {
  for (const cosim_subsystem_def *s = o->subsystems; s < o->subsystems + o->n_subsystems; s++) {
    hash = mix_texts(MIX_TEXTS(hash, s->name), s->forces, s->n_forces);
    if (s->n_equations > 0)
      hash = HASH_NUMBERS(mix_texts(hash, s->equations, s->n_equations), s->signal_order);
    hash = HASH_NUMBERS(hash, s->steps == 0 ? 1 : (double)s->steps, s->user != NULL);
    if (s->user != NULL) {
      hash = mix_texts(hash, s->user->inputs, s->user->n_inputs);
      hash = hash_word(mix_texts(hash, s->user->outputs, s->user->n_outputs), s->user->identity);
    }
    hash = s->integrator == NULL ? hash : mix_integrator(hash, s->integrator);
  }
  return HASH_NUMBERS(hash, (double)o->n_subsystems);
}

/* Mixes the couplings of user parts, connections, bonds and corrections. */
static uint64_t mix_couplings(uint64_t hash, const cosim_definition *o) {
  for (const cosim_coupling_def *def = o->part_couplings; def < o->part_couplings + o->n_part_couplings; def++) {
    hash = HASH_NUMBERS(MIX_TEXTS(hash, def->name, def->scheme), def->n_dims, def->is_rigid);
    hash = hash_numbers(hash_numbers(hash, def->stiffness, 3), def->damping, 3);
    for (const cosim_side_def *s = def->side; s < def->side + 2; s++) {
      hash = MIX_TEXTS(hash, s->subsystem, s->force_input, s->position_input, s->velocity_input, s->acceleration_input,
                       s->position, s->velocity, s->acceleration, s->position_integral, s->multiplier);
      hash = s->element != NULL ? HASH_NUMBERS(MIX_TEXTS(hash, s->element), s->first) : hash;
    }
  }
  for (const cosim_connection_def *link = o->signals; link < o->signals + o->n_signals; link++)
    hash = HASH_NUMBERS(MIX_TEXTS(hash, link->from, link->to, link->rate), link->gain, link->rate_gain, link->offset,
                        link->order, link->smooth);
  for (const cosim_bond_def *bond = o->bonds; bond < o->bonds + o->n_bonds; bond++) {
    hash = HASH_NUMBERS(MIX_TEXTS(hash, bond->name), bond->energy_scale, bond->tolerance);
    for (const cosim_port_def *port = bond->ports; port < bond->ports + bond->n_ports; port++)
      hash = HASH_NUMBERS(MIX_TEXTS(hash, port->input, port->output), port->sign);
  }
  for (size_t i = 0; i < o->n_energy_corrections; i++) {
    const cosim_energy_correction_def *def = &o->energy_corrections[i];
    hash = HASH_NUMBERS(MIX_TEXTS(hash, def->bond, def->part), def->mu, def->nu, def->limit);
  }
  for (size_t i = 0; i < o->n_balance_corrections; i++) {
    const cosim_balance_correction_def *def = &o->balance_corrections[i];
    hash = HASH_NUMBERS(MIX_TEXTS(hash, def->input, def->integral), def->spread, def->smooth);
  }
  const cosim_model_based_def *def = o->model_based;
  return def == NULL
             ? hash
             : HASH_NUMBERS(hash, def->alpha, def->lags, def->tolerance, def->memory, def->excitation, def->knowledge);
}

/* Returns a hash of all data outside the image that determine how the run continues. */
uint64_t cosim_fingerprint(const cosim_simulation *self) {
  const cosim_partition *partition = &self->partition;
  const cosim_definition *o = &self->definition;
  const mbs_model *model = self->model;
  uint64_t hash = mix_parts(mix_options(hash_word(HASH_START, model->fingerprint), o), o);
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    hash = hash_word(MIX_TEXTS(hash, mbs_body_of(model, b).name), partition->subsystem_of[b]);
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++)
    hash = HASH_NUMBERS(MIX_TEXTS(hash, cut->base.name, cut->base.scheme.name), cut->force_order, cut->motion_order,
                        cut->smooth);
  return mix_couplings(hash, o);
}

/* ---- Image ---- */

enum { image_magic = 0x5ea3c05, image_version = 21 };

typedef struct image_head {
  uint32_t magic, version;
  uint64_t fingerprint, size;
  cosim_statistics statistics;
  double t[2]; /* s, times of `before` and `now` */
  double next_kink[2];
  uint64_t is_beyond_kink, is_at_kink;
  double start_work[2];
  cosim_control control;
} image_head;

size_t cosim_image_size(const cosim_simulation *self) {
  if (self == NULL || cosim_engine_n_state(self->engine) == 0)
    return 0;
  return sizeof(image_head) + 3 * self->now->n_values * sizeof(double) +
         self->partition.n_cuts * sizeof(cosim_cut_state) +
         self->partition.n_part_couplings * sizeof(cosim_part_ledger) +
         cosim_engine_n_state(self->engine) * sizeof(double) + sizeof(uint64_t);
}

seam_status cosim_check_images(const cosim_simulation *self, seam_error *error) {
  ARGUMENTS(error, self);
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const cosim_part *part = self->partition.parts[s];
    const char *name = self->partition.subsystems[s].name;
    const bool can_repeat = cosim_part_can_repeat(part);
    if (!can_repeat || part->stays_in_process)
      return seam_fail_about(error, SEAM_BAD_INPUT, name,
                             "the state of the run cannot be saved, because subsystem '%s' cannot %s (an FMU needs %s "
                             "for that): leave out checkpoints, or take another subsystem",
                             name, can_repeat ? "write its state" : "return to a state",
                             can_repeat ? "canSerializeFMUstate" : "canGetAndSetFMUstate");
  }
  return SEAM_OK;
}

static char *copy_block(void *block, size_t size, char *image, bool saves) {
  memcpy(saves ? image : block, saves ? block : image, size);
  return image + size;
}

/* Copies everything between head and engine's numbers to or from an image; returns the address of these numbers. */
static char *copy_blocks(const cosim_simulation *self, char *image, bool saves) {
  mbs_state *const states[] = {self->before, self->now, self->end};
  for (int i = 0; i < 3; i++)
    image = copy_block(states[i]->q, self->now->n_values * sizeof(double), image, saves);
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    image = copy_block(&self->partition.cuts[k].now, sizeof(cosim_cut_state), image, saves);
  for (size_t k = 0; k < self->partition.n_part_couplings; k++)
    image = copy_block(&self->partition.part_couplings[k].ledger, sizeof(cosim_part_ledger), image, saves);
  return image;
}

void cosim_save(const cosim_simulation *self, void *image) {
  if (image == NULL || !((uintptr_t)image % alignof(double) == 0) || cosim_image_size(self) == 0)
    return;
  memset(image, 0, sizeof(image_head));
  if (!self->has_started || self->is_broken)
    return; /* there is no state to save: cosim_restore() refuses this image */
  image_head head = {.magic = image_magic,
                     .version = image_version,
                     .fingerprint = self->fingerprint,
                     .size = cosim_image_size(self),
                     .statistics = cosim_statistics_of(self),
                     .t = {self->before->t, self->now->t},
                     .next_kink = {self->next_kink.from, self->next_kink.at},
                     .is_beyond_kink = self->is_beyond_kink,
                     .is_at_kink = self->is_at_kink,
                     .start_work = {self->start_work[0], self->start_work[1]},
                     .control = self->control};
  memcpy(image, &head, sizeof head);
  cosim_engine_save(self->engine, (double *)(void *)copy_blocks(self, (char *)image + sizeof head, true));
  const uint64_t sum = checksum_add(0, image, head.size - sizeof sum);
  memcpy((char *)image + head.size - sizeof sum, &sum, sizeof sum);
}

/* The image must be aligned for numbers, since the engine's numbers are read from it directly. */
seam_status cosim_restore(cosim_simulation *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  image_head head = {0};
  uint64_t sum = 0;
  if (!((uintptr_t)image % alignof(double) == 0))
    return seam_fail(error, SEAM_BAD_STATE,
                     "a saved state must be in memory that is aligned for numbers, as malloc() gives it");
  if (cosim_engine_n_state(self->engine) == 0)
    return cosim_check_images(self, error);
  if (size == cosim_image_size(self)) {
    memcpy(&head, image, sizeof head);
    memcpy(&sum, (const char *)image + size - sizeof sum, sizeof sum);
  }
  if (head.size != size || head.magic != image_magic || head.version != image_version ||
      head.fingerprint != self->fingerprint)
    return seam_fail(error, SEAM_BAD_STATE,
                     "the saved state belongs to another model, partition, scheme or version of Seam: save it again");
  if (sum != checksum_add(0, image, size - sizeof sum))
    return seam_fail(error, SEAM_BAD_STATE, "the saved state is damaged: save it again");
  const double *engine = (const double *)(void *)copy_blocks(self, (char *)image + sizeof head, false);
  self->before->t = head.t[0];
  self->now->t = self->end->t = head.t[1];
  self->next_kink.from = head.next_kink[0];
  self->next_kink.at = head.next_kink[1];
  self->is_beyond_kink = head.is_beyond_kink != 0;
  self->is_at_kink = head.is_at_kink != 0;
  self->is_at_switch = false;
  self->powers->are_known = self->powers->are_compared = false;
  memcpy(self->start_work, head.start_work, sizeof head.start_work);
  head.control.rule.indicator = self->control.rule.indicator; /* the definition sets indicator and order */
  head.control.rule.order = self->control.rule.order;
  self->control = head.control;
  cosim_statistics_set(self, &head.statistics);
  cosim_switches_set(self, false);
  const seam_status status = cosim_engine_restore(self->engine, engine, error);
  cosim_simulation_copy_signals(self);
  self->has_started = true;
  self->is_broken = status != SEAM_OK;
  self->has_advanced = self->now->t > self->before->t;
  return status;
}
