/* Common part of the instances of FMI 2 and FMI 3: a slave (fmu/slave.h), messages to the importer, and the phase,
 * which decides what calls are allowed:
 *
 *   instantiated -> initializing (-> event mode) -> stepping (-> event mode -> stepping) -> terminated
 *
 * After an error an instance can only be freed, reset or set back to a saved state. */
#ifndef FMU_EXPORTED_INSTANCE_H
#define FMU_EXPORTED_INSTANCE_H

#include "fmu/slave.h"

/* Phases are bits: a mask allows a function in several. */
typedef enum fmu_phase {
  FMU_INSTANTIATED = 1,
  FMU_INITIALIZING = 2,
  FMU_STEPPING = 4,
  FMU_UPDATING = 8, /* a step has called the importer, which may set inputs */
  FMU_TERMINATED = 16,
  FMU_FAILED = 32,
  FMU_EVENTS = 64 /* event mode of FMI 3 */
} fmu_phase;

enum {
  FMU_START_PHASE = FMU_INSTANTIATED | FMU_INITIALIZING,
  FMU_SET_PHASE = FMU_START_PHASE | FMU_STEPPING | FMU_UPDATING | FMU_EVENTS,
  FMU_ANY_PHASE = FMU_SET_PHASE | FMU_TERMINATED | FMU_FAILED
};

/* Result of a call, with the numbers of FMI 2 and FMI 3. FMU_DISCARD: the call had no effect; the importer may repeat
 * it under other conditions. */
typedef enum fmu_outcome { FMU_OK = 0, FMU_DISCARD = 2, FMU_ERROR = 3 } fmu_outcome;

/* Returns the log category of messages about an outcome. */
static inline const char *fmu_category(fmu_outcome outcome) {
  return outcome == FMU_OK ? "logEvents" : outcome == FMU_DISCARD ? "logStatusDiscard" : "logStatusError";
}

typedef struct fmu_instance fmu_instance;
struct fmu_instance {
  fmu_slave *slave;
  fmu_phase phase;
  bool logs; /* the importer wants messages about events */
  char *name;
  double *changes; /* (n_outputs) scratch: derivatives of outputs */
  void (*report)(const fmu_instance *self, fmu_outcome outcome, const char *message);
};

/* Creates the slave of an FMU. The caller has set self->report and self->logs; it reports failures, calls
 * fmu_instance_close() and frees *self, even after a failure. `resources`: path or file URI of the folder.
 * SEAM_BAD_INPUT, among others: the token is not that of the FMU. */
seam_status fmu_instance_open(fmu_instance *self, const char *name, const char *token, const char *resources,
                              seam_error *error);
void fmu_instance_close(fmu_instance *self);

/* Returns true if `function` is allowed now, in one of `phases` (a mask); else reports an error to the importer. */
bool fmu_is_allowed(fmu_instance *self, const char *function, int phases);
/* Sets start and stop, s. FMU_ERROR, reported to the importer: `start` is not finite, `stop` is before it, or
 * `tolerance` is negative. */
fmu_outcome fmu_set_experiment(fmu_instance *self, bool has_tolerance, double tolerance, double start, bool has_stop,
                               double stop);
/* Reports to the importer that FMUs of Seam lack the function. Returns FMU_ERROR. */
fmu_outcome fmu_refuse(fmu_instance *self, const char *function);
/* Returns FMU_OK for SEAM_OK. Else reports the error to the importer and returns FMU_ERROR, in the phase FMU_FAILED. */
fmu_outcome fmu_outcome_of(fmu_instance *self, seam_status status, const seam_error *error);

fmu_outcome fmu_begin_initialization(fmu_instance *self);
fmu_outcome fmu_end_initialization(fmu_instance *self);
/* Sets the phase. Returns FMU_OK. */
fmu_outcome fmu_enter(fmu_instance *self, fmu_phase phase);
fmu_outcome fmu_reset(fmu_instance *self);
/* Takes a step by fmu_slave_step(), which sets *event; reports it to the importer if self->logs. FMU_DISCARD: the step
 * failed numerically; the importer may repeat it with another length. */
fmu_outcome fmu_step(fmu_instance *self, double t, double H, const cosim_signal *signals, mbs_event *event);

fmu_outcome fmu_get_values(fmu_instance *self, const uint32_t *references, size_t n, double *values, size_t n_values);
fmu_outcome fmu_set_values(fmu_instance *self, const uint32_t *references, size_t n, const double *values,
                           size_t n_values);
/* Computes sensitivity_i = Σ_k (∂unknown_i / ∂known_k) seed_k. The unknowns must be outputs, the knowns inputs. */
fmu_outcome fmu_directional(fmu_instance *self, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                            size_t n_knowns, const double *seed, double *sensitivity);

/* A saved state: the phase of the instance, then the image of its slave. */
typedef struct fmu_saved {
  size_t length; /* number of values in `image` */
  double image[];
} fmu_saved;

fmu_outcome fmu_save(fmu_instance *self, void **state);
fmu_outcome fmu_restore(fmu_instance *self, const void *state);
fmu_outcome fmu_serialized_size(const fmu_instance *self, size_t *size);
fmu_outcome fmu_serialize(fmu_instance *self, const void *state, void *bytes, size_t size);
fmu_outcome fmu_deserialize(fmu_instance *self, const void *bytes, size_t size, void **state);

#endif
