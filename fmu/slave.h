/* A slave is a unit (fmu/unit.h) with the data that calls of FMI need: values of inputs and parameters, polynomials of
 * the inputs over a step, saved states (images). Order of calls:
 *
 *   create; set parameters and inputs; start; repeat: set inputs and their derivatives, step, get outputs
 *
 * A step is from T to T + H, and τ = (t - T) / H is the relative time in it. For inputs u_i(τ) = Σ_k c_ik s_k(τ), with
 * polynomials s_k ("shapes"), the slave gives the derivatives of the outputs at T + H by the coefficients c_ik. After
 * the creation, only start and restore allocate memory. */
#ifndef FMU_SLAVE_H
#define FMU_SLAVE_H

#include "base/differences.h"
#include "fmu/resources.h"
#include "fmu/unit.h"

typedef struct fmu_slave {
  fmu_resources resources;
  fmu_unit *unit;
  double t; /* s, present communication point; before the start: time of the start */
  bool has_started;
  bool is_current;  /* before the start: outputs belong to the present parameters and inputs; after it: true */
  bool is_stale;    /* after the start: inputs have changed since the outputs were computed, or a sample is due */
  bool is_complete; /* outputs that depend on accelerations are computed; false: they are computed when read */
  bool has_complete_derivatives; /* the last step gave derivatives of outputs that depend on accelerations */
  double *parameters;            /* (parameters of the file) values that the importer set */
  double *defaults;              /* (parameters of the file) values in the file */
  double *of_unit;               /* (parameters of the file) values in the present `unit` */
  double *inputs;                /* (n_inputs) inputs at t */
  bool *is_set;                  /* (n_inputs) the importer has set it; others start as in the mechanism without cuts */
  double *starts;                /* (inputs of the file) start values of the present `unit`; NaN: those of the file */
  fmu_setting *settings;         /* scratch, for parameters and inputs of the file */
  double *rates;                 /* (n_inputs x COSIM_MAX_DEGREE) time derivatives of inputs at t; zeros after a step */
  bool has_rates;                /* some rates may differ from 0 */
  double *outputs;               /* (3 n_outputs) first third: outputs at t; the others: scratch */
  double stop;                   /* s, end of the simulation; INFINITY: not known */
  bool ends_at_events;           /* steps end at events of the model; set before the start */
  bool ends_at_stops_only;       /* if `ends_at_events`: steps end only at `stop:` conditions; set before the start */
  bool has_stopped;              /* the last step ended at an event that stops a run */
  double *events_before;         /* image of `unit->events` at the beginning of the step */
  cosim_signal *signals;         /* (n_inputs) scratch: inputs over a step */
  cosim_signal *pieces;          /* (n_inputs) scratch: inputs up to an event */
  double degree;                 /* highest k for which steps give derivatives by c_ik; -1: no derivatives */
  double input_degree;           /* degree D of the input polynomials whose values fmi3DoStep() requests */
  double shapes[FMU_N_SHAPES];   /* row k: coefficients of s_k by powers of τ */
  cosim_seed *seeds;             /* (n_inputs x n_shapes) directions of derivatives: shape k in input i */
  int n_shapes;                  /* number of shapes in `seeds`; 0: `seeds` must be computed */
  double *derivatives;           /* (n_inputs x (degree + 1) x n_outputs) derivatives given by the last step */
  double *wanted;                /* (n_listed[1]) 1: the importer wants the output; 0: it does not */
  size_t n_listed[2];            /* number of inputs, and of outputs, in the list of variables */
  int *listed_indices;           /* indices of listed inputs in the part (-1: no derivatives by it), then of outputs */
  bool *of_accelerations;        /* (n_listed[1]) the output may depend on accelerations */
  difference_quotient *slopes;   /* (n_outputs) scratch: derivatives by one input */
  double *scratch;               /* (n_state) */
  double *before;                /* (n_state) state at the beginning of the step */
  double fingerprint;            /* checksum of the names of variables, stored in images */
  double *first; /* (n_state) state of the part as it was created; a start of user equations restores it */
} fmu_slave;

/* Creates a slave from the folder resources/ of an FMU. SEAM_NO_FILE, SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status fmu_slave_create(const char *folder, fmu_slave **created, seam_error *error);
void fmu_slave_destroy(fmu_slave *self);

/* Sets n variables by their value references; n_values exceeds n if some are arrays. An input is constant over the next
 * step unless its derivatives are set. If no output wanted (FMU_WANTED) depends on accelerations, steps leave out all
 * that do: these are computed when they are read, and their derivatives are unknown. SEAM_BAD_INPUT: there is no such
 * variable; it cannot be set, or not after the start, or not to this value; n_values is not the number of values. */
seam_status fmu_slave_set(fmu_slave *self, const uint32_t *references, size_t n, const double *values, size_t n_values,
                          seam_error *error);
/* Sets a time derivative of an input, of order 1 to COSIM_MAX_DEGREE, for the next step only. SEAM_BAD_INPUT. */
seam_status fmu_slave_set_rate(fmu_slave *self, size_t reference, int order, double value, seam_error *error);
/* Gets n variables. Before the start, an output is that of a start with the present parameters and inputs.
 * FMU_DERIVATIVES has the ∂y_o/∂c_ik of the last step, as [input i][k = 0 to FMU_MAX_POWER][output o], in the order of
 * value references. They are 0 if k exceeds self->degree, and NaN if a law reads the input or the step left out the
 * output. SEAM_BAD_INPUT: there is no such variable, or n_values is too small for them; SEAM_NOT_FINITE. */
seam_status fmu_slave_get(fmu_slave *self, const uint32_t *references, size_t n, double *values, size_t n_values,
                          seam_error *error);

/* Assembles the mechanism at t with the present parameters and inputs, and computes the outputs. */
seam_status fmu_slave_start(fmu_slave *self, double t, seam_error *error);
/* Resets parameters, inputs, shapes and degrees to their values at creation; the next start resets the state. */
void fmu_slave_reset(fmu_slave *self);

/* Takes a step from t to t + H. The inputs follow `signals` (n_inputs); NULL: the Taylor polynomials of their values
 * and derivatives. If self->ends_at_events, the step ends at the first event; event->number SEAM_NONE: there is none. A
 * failed step leaves the state unchanged. SEAM_BAD_INPUT: t differs from self->t by more than round-off, H is not
 * positive and finite, or t + H is after self->stop; SEAM_BAD_STATE: before the start, or after an event that stops a
 * run. */
seam_status fmu_slave_step(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                           seam_error *error);

/* Returns true if the complete mechanism has events that stop a run. */
bool fmu_slave_has_stops(const fmu_slave *self);

/* A sample at self->t is taken only after the importer has set the inputs at self->t. Until then it is due. */
bool fmu_slave_is_sample_due(const fmu_slave *self);
/* Takes a sample if one is due. Errors of cosim_multibody_sample(). */
seam_status fmu_slave_sample(fmu_slave *self, seam_error *error);

/* Computes the derivatives `changes` (n_outputs) of the outputs by one input, with constant states. */
seam_status fmu_slave_differentiate(fmu_slave *self, int input, double *changes, seam_error *error);

/* An image is the state of a slave as numbers. Another slave of the FMU that restores it gives the same bits.
 * SEAM_BAD_STATE: the image is damaged or of another FMU. */
size_t fmu_slave_image_length(const fmu_slave *self);
void fmu_slave_save(const fmu_slave *self, double *image);
seam_status fmu_slave_restore(fmu_slave *self, const double *image, size_t length, seam_error *error);

#endif
