/* Common part of the instances of both versions of FMI: a slave (fmu/slave.h), the phase of the calls, and messages to
 * the importer. Phases:
 *
 *   instantiated -> initializing (-> event mode) -> stepping (-> event mode -> stepping) -> terminated
 *
 * After an error an instance can only be freed, reset or set back to a saved state. */
#ifndef FMU_EXPORTED_INSTANCE_H
#define FMU_EXPORTED_INSTANCE_H

#include "fmu/slave.h"

/* Bits, so that a function can allow several phases. */
typedef enum fmu_phase {
  FMU_INSTANTIATED = 1,
  FMU_INITIALIZING = 2,
  FMU_STEPPING = 4,
  FMU_UPDATING = 8, /* a step calls the importer back */
  FMU_TERMINATED = 16,
  FMU_FAILED = 32,
  FMU_EVENTS = 64 /* event mode of FMI 3 */
} fmu_phase;

enum {
  FMU_ANY_PHASE =
      FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING | FMU_UPDATING | FMU_TERMINATED | FMU_FAILED | FMU_EVENTS,
  FMU_VALUES_PHASE = FMU_INITIALIZING | FMU_STEPPING | FMU_UPDATING | FMU_TERMINATED | FMU_FAILED,
  FMU_START_PHASE = FMU_INSTANTIATED | FMU_INITIALIZING,
  FMU_SET_PHASE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING | FMU_UPDATING | FMU_EVENTS
};

/* Result of a call, in both versions. */
typedef enum fmu_outcome { FMU_OK, FMU_DISCARD, FMU_ERROR } fmu_outcome;

typedef struct fmu_instance fmu_instance;
struct fmu_instance {
  fmu_slave *slave;
  fmu_phase phase;
  bool logs;
  char *name;
  double *changes; /* (n_outputs) scratch */
  void (*report)(const fmu_instance *self, fmu_outcome outcome, const char *message);
};

/* Opens the FMU whose resources are at a path or file URI. `report` and `logs` of *self are set before. SEAM_BAD_INPUT,
 * among others: the token is that of another FMU. The caller reports the error and, in any case, frees *self. */
seam_status fmu_instance_open(fmu_instance *self, const char *name, const char *token, const char *resources,
                              seam_error *error);
void fmu_instance_close(fmu_instance *self);

/* Returns true if `function` may be called in the present phase; else reports an error to the importer. */
bool fmu_may(fmu_instance *self, const char *function, int phases);
/* Returns true if the times and the tolerance of an experiment are possible; else reports an error to the importer. */
bool fmu_may_experiment(const fmu_instance *self, bool has_tolerance, double tolerance, double start, bool has_stop,
                        double stop);
/* Reports that these FMUs do not have the function. */
fmu_outcome fmu_refuse(fmu_instance *self, const char *function);
/* Returns the outcome that belongs to a status, and reports it to the importer unless it is SEAM_OK. After an error the
 * instance is in the phase FMU_FAILED. */
fmu_outcome fmu_outcome_of(fmu_instance *self, seam_status status, const seam_error *error);

/* `stop`: s; NaN: unknown. */
fmu_outcome fmu_begin_initialization(fmu_instance *self, double t, double stop);
fmu_outcome fmu_end_initialization(fmu_instance *self);
fmu_outcome fmu_terminate(fmu_instance *self);
fmu_outcome fmu_reset(fmu_instance *self);
/* Takes a step. A step that fails numerically is discarded: the importer may repeat it with another length. Reports the
 * event at which the step ended (fmu_slave_step()), if the importer wants messages. */
fmu_outcome fmu_step(fmu_instance *self, double t, double H, const cosim_signal *signals, mbs_event *event);

fmu_outcome fmu_get_values(fmu_instance *self, const uint32_t *references, size_t n, double *values);
fmu_outcome fmu_set_values(fmu_instance *self, const uint32_t *references, size_t n, const double *values);
/* Gives sensitivity = Σ ∂unknown/∂known seed. */
fmu_outcome fmu_directional(fmu_instance *self, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                            size_t n_knowns, const double *seed, double *sensitivity);

/* A state as numbers. */
typedef struct fmu_saved {
  size_t length;
  double image[];
} fmu_saved;

fmu_outcome fmu_save(fmu_instance *self, void **state);
fmu_outcome fmu_restore(fmu_instance *self, const void *state);
fmu_outcome fmu_free_state(fmu_instance *self, void **state);
fmu_outcome fmu_serialized_size(fmu_instance *self, const void *state, size_t *size);
fmu_outcome fmu_serialize(fmu_instance *self, const void *state, void *bytes, size_t size);
fmu_outcome fmu_deserialize(fmu_instance *self, const void *bytes, size_t size, void **state);

#endif
