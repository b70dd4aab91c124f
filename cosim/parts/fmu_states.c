/* State of an FMU as a part. The header has the inputs u, time, next event, and flags: an event is pending; events at
 * the start are pending; the run has ended; the FMU is in its initialization mode. The state of the FMU follows. */
#include <math.h>
#include <string.h>

#include "cosim/parts/fmu_internal.h"

/* Writes the number of bytes, then the bytes of the FMU's serialised state. */
static void save_bytes(const fmu_part *self, double *state) {
  fmu_calls *calls = self->calls;
  size_t size = 0;
  memset(state, 0, self->capacity + sizeof *state);
  if (fmi_instance_save(calls->instance, &calls->state, &calls->failed) != SEAM_OK ||
      fmi_instance_state_size(calls->instance, calls->state, &size, &calls->failed) != SEAM_OK)
    return;
  if (size > self->capacity)
    seam_fail(&calls->failed, SEAM_FMU_FAILED,
              "its state has grown from %zu to %zu bytes, which cannot be saved: take a scheme that ends in -explicit",
              self->capacity, size);
  else if (fmi_instance_write(calls->instance, calls->state, state + 1, size, &calls->failed) == SEAM_OK)
    state[0] = (double)size;
}

static void restore_bytes(fmu_part *self, const double *state) {
  fmu_calls *calls = self->calls;
  if (!(state[0] > 0 && state[0] <= (double)self->capacity)) {
    seam_fail(&calls->failed, SEAM_BAD_STATE, "the state to restore was not saved by this FMU");
    return;
  }
  if (fmi_instance_read(calls->instance, state + 1, (size_t)state[0], &calls->state, &calls->failed) == SEAM_OK)
    fmi_instance_restore(calls->instance, calls->state, &calls->failed);
}

/* Saves a number in place of a state; the state with this number remains inside the FMU. */
static void save_number(const fmu_part *self, double *state) {
  fmu_calls *calls = self->calls;
  const int slot = (int)fmod(calls->n_saved, N_SLOTS);
  state[0] = ++calls->n_saved;
  if (fmi_instance_save(calls->instance, &calls->slot[slot], &calls->failed) == SEAM_OK)
    calls->number[slot] = state[0];
}

static void restore_number(fmu_part *self, const double *state) {
  fmu_calls *calls = self->calls;
  for (int slot = 0; slot < N_SLOTS && state[0] > 0; slot++)
    if (calls->number[slot] == state[0]) {
      fmi_instance_restore(calls->instance, calls->slot[slot], &calls->failed);
      return;
    }
  seam_fail(&calls->failed, SEAM_BAD_STATE,
            "the state to restore is no longer there: this FMU keeps only its latest states, in this process, because "
            "it does not serialise them");
}

enum { EVENT_PENDING = 1, AT_START = 2, HAS_ENDED = 4, INITIALIZES = 8 };

static void save_header(const fmu_part *self, double *state) {
  const size_t n = (size_t)self->base.n_inputs;
  memcpy(state, self->u, n * sizeof *state);
  state[n] = self->reached;
  state[n + 1] = fmi_instance_next_event(self->calls->instance);
  state[n + 2] = (self->is_event_pending ? EVENT_PENDING : 0) +
                 (fmi_instance_has_deferred_events(self->calls->instance) ? AT_START : 0) +
                 (self->has_ended ? HAS_ENDED : 0) + (self->is_initializing ? INITIALIZES : 0);
}

static void restore_header(fmu_part *self, const double *state) {
  const size_t n = (size_t)self->base.n_inputs;
  const int flags = cosim_saved_count(state[n + 2], 0, EVENT_PENDING | AT_START | HAS_ENDED | INITIALIZES);
  if ((flags & INITIALIZES) == 0)
    fmu_part_begin(self, &self->calls->failed);
  memcpy(self->u, state, n * sizeof *state);
  self->reached = state[n];
  fmi_instance_expect_event(self->calls->instance, state[n + 1], (flags & AT_START) != 0);
  self->is_event_pending = (flags & EVENT_PENDING) != 0;
  self->has_ended = (flags & HAS_ENDED) != 0;
  self->is_initializing = (flags & INITIALIZES) != 0;
}

void fmu_part_save(const cosim_part *base, double *state) {
  const fmu_part *self = (const fmu_part *)base;
  save_header(self, state);
  ((fmu_part *)base)->saved_at = self->reached;
  (self->capacity > 0 ? save_bytes : save_number)(self, state + fmu_part_n_header(self));
}

void fmu_part_restore(cosim_part *base, const double *state) {
  fmu_part *self = (fmu_part *)base;
  self->knows_inputs = false;
  restore_header(self, state);
  (self->capacity > 0 ? restore_bytes : restore_number)(self, state + fmu_part_n_header(self));
}

void fmu_part_store(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  save_header(self, self->stored);
  self->stored_at = self->reached;
  fmi_instance_save(self->calls->instance, &self->calls->stored, &self->calls->failed);
}

void fmu_part_go_back(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  self->knows_inputs = false;
  restore_header(self, self->stored);
  fmi_instance_restore(self->calls->instance, self->calls->stored, &self->calls->failed);
}
