/* A slave is a unit (fmu/unit.h) with the data that calls of FMI need: values of inputs and parameters, polynomials of
 * the inputs over a step, saved states (images).
 *
 *   create; set parameters and inputs; start; then: set inputs and their derivatives, step, get outputs
 *
 * Shapes s_k(τ) are polynomials of the time τ = (t - T) / H in a step from T of length H. If the inputs over a step are
 * u_i(τ) = Σ_k c_ik s_k(τ), the step gives the derivatives of its outputs by the coefficients c_ik
 * (slave_derivatives.c). Only starts allocate memory. */
#ifndef FMU_SLAVE_H
#define FMU_SLAVE_H

#include "fmu/resources.h"
#include "fmu/unit.h"

typedef struct fmu_slave {
  fmu_resources resources;
  fmu_unit *unit;
  double t; /* s, the present communication point, or the future start */
  bool has_started;
  bool is_current;             /* the outputs are those of a start with the present values, or of the last step */
  bool is_stale;               /* inputs have changed since the outputs were computed, or a sample is due */
  bool is_whole;               /* outputs that depend on accelerations are computed, too; else reading computes them */
  bool has_whole_derivatives;  /* the derivatives of such outputs are known, too */
  double *parameters;          /* (parameters of the file) values that the importer set */
  double *defaults;            /* values in the file */
  double *of_unit;             /* values of the parameters in the present `unit` */
  double *inputs;              /* (n_inputs) inputs at the present point */
  bool *is_set;                /* (n_inputs) set before the start; other inputs start as in the uncut mechanism */
  double *starts;              /* (inputs of the file) start values in the present `unit` */
  double *file_starts;         /* start values in the file */
  fmu_setting *settings;       /* scratch: parameters and inputs of the file */
  double *rates;               /* (n_inputs x COSIM_MAX_DEGREE) time derivatives of inputs; zeros after a step */
  bool has_rates;              /* some rates may differ from 0 */
  double *outputs;             /* (2 n_outputs) outputs at the present point, then scratch */
  double stop;                 /* s, end of the simulation; INFINITY: not given */
  bool watches;                /* events of the model end steps; set before the start */
  bool watches_stops_alone;    /* only events that stop a run end steps; set before the start */
  bool has_stopped;            /* the last step ended at an event that stops a run */
  void *events_before;         /* image of the events at the step's beginning */
  cosim_signal *signals;       /* (n_inputs) scratch */
  cosim_signal *pieces;        /* (n_inputs) scratch */
  double degree;               /* highest k of shapes by which steps give derivatives; -1: none */
  double input_degree;         /* degree of input polynomials over a step */
  double shapes[FMU_N_SHAPES]; /* coefficients of the shapes */
  cosim_seed *seeds;           /* one for each input and shape, for n_shapes shapes */
  int n_shapes;                /* number of shapes in `seeds`; 0: `seeds` are outdated */
  double *derivatives;         /* (seeds x n_outputs) derivatives of the last step */
  double *wanted;              /* (outputs among the variables) 1: the output is wanted, 0: it is not */
  size_t n_listed[2];          /* numbers of inputs and outputs among the variables */
  int *numbers;                /* (n_listed[0] + n_listed[1]) index of each in the part; -1: no derivatives by this
                                  input */
  int *following, n_following; /* listed outputs that depend on accelerations */
  double *scratch;             /* (n_state) */
  double *before;              /* (n_state) state at the step's beginning */
  double fingerprint;          /* hash of the variables' names, stored in images */
  double *first;               /* (n_state) initial state of user equations */
} fmu_slave;

/* Creates a slave from the folder of an FMU's resources. SEAM_NO_FILE, SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status fmu_slave_create(const char *folder, fmu_slave **created, seam_error *error);
void fmu_slave_destroy(fmu_slave *self);

/* Sets a variable by its value reference. An input is then constant over the next step, unless its derivatives are set
 * after it. SEAM_BAD_INPUT: there is no such variable; it cannot be set, or not after the start; the value is not
 * finite. */
seam_status fmu_slave_set(fmu_slave *self, size_t reference, double value, seam_error *error);
/* Set and get several variables, each of one number. */
seam_status fmu_slave_set_all(fmu_slave *self, const uint32_t *references, size_t n, const double *values,
                              seam_error *error);
seam_status fmu_slave_get_all(fmu_slave *self, const uint32_t *references, size_t n, double *values, seam_error *error);
/* Sets a time derivative of an input, of order 1 to COSIM_MAX_DEGREE, at the present point; it counts for the next step
 * only. SEAM_BAD_INPUT. */
seam_status fmu_slave_set_rate(fmu_slave *self, size_t reference, int order, double value, seam_error *error);
/* Gets a value. Before the start, outputs are those that a start with the present parameters and inputs gives. */
seam_status fmu_slave_get(fmu_slave *self, size_t reference, double *value, seam_error *error);

/* Assembles the mechanism with the parameters set, at time t. */
seam_status fmu_slave_start(fmu_slave *self, double t, seam_error *error);
/* Resets the slave to what it was at its creation, with the start values of inputs and parameters. */
void fmu_slave_reset(fmu_slave *self);

/* Steps over H from t, which must be the present point up to round-off. The inputs follow their values and derivatives
 * or, if it is not NULL, `signals` (n_inputs). If events are watched, the step ends at the first one; event->number is
 * SEAM_NONE: none. A failed step leaves the state unchanged. SEAM_BAD_INPUT: another t, H not positive, or an end
 * beyond the stop. */
seam_status fmu_slave_step(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                           seam_error *error);

/* Events of the whole mechanism (slave_events.c). The first function returns true if the model has events that stop a
 * run. The second starts the search for events at the present point. The third finds the first event in a step and
 * leaves the state unchanged. */
bool fmu_slave_has_stops(const fmu_slave *self);
seam_status fmu_slave_start_events(fmu_slave *self, seam_error *error);
seam_status fmu_slave_find_event(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                                 seam_error *error);

/* Restores the events to what they were before fmu_slave_find_event(). */
void fmu_slave_restore_events(fmu_slave *self);

/* Sampled equations take a sample at the present point only after the inputs there are set. The first function returns
 * true if a sample is due. The second takes it if it is due. Errors of cosim_multibody_sample(). */
bool fmu_slave_is_sample_due(const fmu_slave *self);
seam_status fmu_slave_sample(fmu_slave *self, seam_error *error);

/* Gives the derivatives (n_outputs) of outputs by one input at the present point, with constant states. */
seam_status fmu_slave_differentiate(fmu_slave *self, int input, double *changes, seam_error *error);

/* Set, for the next steps: the highest k up to which steps give derivatives by c_ik (-1: none; at most FMU_MAX_POWER);
 * the coefficients of all shapes (FMU_N_SHAPES, row k has those of s_k by powers of τ); the degree of the polynomials
 * of inputs (0 to COSIM_MAX_DEGREE). SEAM_BAD_INPUT: degree not an integer in this range; shapes not finite. */
seam_status fmu_slave_set_degree(fmu_slave *self, double degree, seam_error *error);
seam_status fmu_slave_set_shapes(fmu_slave *self, const double *shapes, seam_error *error);
seam_status fmu_slave_set_input_degree(fmu_slave *self, double degree, seam_error *error);
/* Passes `wanted` to the part. */
void fmu_slave_apply_wanted(fmu_slave *self);
/* Sets the outputs that are wanted, 1, or not, 0. If no wanted output depends on accelerations, steps leave out all
 * outputs that do: these are computed when they are read, and their derivatives are unknown. SEAM_BAD_INPUT: another
 * number. */
seam_status fmu_slave_set_wanted(fmu_slave *self, const double *wanted, seam_error *error);
int fmu_slave_n_seeds(const fmu_slave *self);
void fmu_slave_number_derivatives(fmu_slave *self);
/* Gives the derivatives ∂y_o/∂c_ik of the last step, in the order [input i][k = 0 to FMU_MAX_POWER][output o]; inputs
 * and outputs are in the order of value references. Zero: k is above the degree set. NaN: a law reads the input, or the
 * step left out the output. */
void fmu_slave_get_derivatives(const fmu_slave *self, double *values);

/* An image is the state of a slave as a list of numbers. Another slave of the same FMU that restores it continues with
 * the same results to the last bit. SEAM_BAD_STATE: it is the image of another FMU. */
size_t fmu_slave_image_length(const fmu_slave *self);
void fmu_slave_save(const fmu_slave *self, double *image);
seam_status fmu_slave_restore(fmu_slave *self, const double *image, size_t length, seam_error *error);

#endif
