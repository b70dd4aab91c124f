/* One instance of a unit as FMI steps it: values of inputs and parameters, steps under input polynomials, images.
 *
 *   create; set parameters and inputs; start; then: set inputs and their derivatives, step, get outputs
 *
 * Only starts allocate memory. */
#ifndef FMU_SLAVE_H
#define FMU_SLAVE_H

#include "fmu/resources.h"
#include "fmu/unit.h"

typedef struct fmu_slave {
  fmu_resources resources;
  fmu_unit *unit;
  double t; /* s, the present communication point; before the start, where it will be */
  bool has_started;
  bool is_current;             /* the outputs are those of the start with the present values, or of the last step */
  bool is_stale;               /* inputs have changed since, or a sample waits */
  bool is_whole;               /* accelerations, and what follows from them, are among the outputs; else when read, */
  bool has_whole_derivatives;  /* and among the derivatives */
  double *parameters;          /* (of the file) as they are set, */
  double *defaults;            /* as the file has them, */
  double *of_unit;             /* as the unit was made with */
  double *inputs;              /* (n_inputs) at the present point */
  bool *is_set;                /* (n_inputs) before the start: else inputs begin as the whole has them */
  double *rates;               /* (n_inputs x COSIM_MAX_DEGREE) derivatives of inputs there; zeros after a step */
  bool has_rates;              /* some were set */
  double *outputs;             /* (n_outputs) at the present point, and as many as scratch */
  double stop;                 /* s, where the simulation ends; INFINITY: it was not said */
  bool watches;                /* events of the model end steps; set before the start, */
  bool watches_stops_alone;    /* those that stop a run; so are they then */
  bool has_stopped;            /* the last step ended at such a one */
  void *events_before;         /* image where the step begins */
  cosim_signal *signals;       /* (n_inputs) scratch */
  cosim_signal *pieces;        /* (n_inputs) scratch */
  double degree;               /* of shapes along which steps have derivatives; -1: none */
  double input_degree;         /* of polynomials of inputs within steps */
  double shapes[FMU_N_SHAPES]; /* coefficients */
  cosim_seed *seeds;           /* one for each input and shape up to the degree, made for */
  int n_shapes;                /* so many of them; 0: they are to be made anew */
  double *derivatives;         /* (seeds x n_outputs) of the last step */
  double *wanted;              /* (outputs among the variables) 1 or 0 */
  size_t n_listed[2];          /* inputs and outputs among the variables, */
  int *numbers;                /* and their numbers in the part; -1: derivatives along this input are not known */
  int *following, n_following; /* those of the outputs, among the outputs, that follow from accelerations */
  double *scratch;             /* (n_state) */
  double *before;              /* (n_state) where the step begins */
  double fingerprint;          /* of names, in images */
  double *first;               /* (n_state) of user equations as they were made */
} fmu_slave;

/* From the folder of an FMU's resources. SEAM_NO_FILE, SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status fmu_slave_create(const char *folder, fmu_slave **created, seam_error *error);
void fmu_slave_destroy(fmu_slave *self);

/* By value reference. SEAM_BAD_INPUT: there is no such variable, it cannot be set, or not any more, or the value is
 * not finite. An input is constant over the next step unless derivatives follow. */
seam_status fmu_slave_set(fmu_slave *self, size_t reference, double value, seam_error *error);
/* Several at once: variables of one number. */
seam_status fmu_slave_set_all(fmu_slave *self, const uint32_t *references, size_t n, const double *values,
                              seam_error *error);
seam_status fmu_slave_get_all(fmu_slave *self, const uint32_t *references, size_t n, double *values, seam_error *error);
/* The derivative of an input at the present point, of order 1 to COSIM_MAX_DEGREE, for the next step. */
seam_status fmu_slave_set_rate(fmu_slave *self, size_t reference, int order, double value, seam_error *error);
/* Before the start outputs are those of one. */
seam_status fmu_slave_get(fmu_slave *self, size_t reference, double *value, seam_error *error);

/* Begins at time t, with the mechanism assembled under the parameters that were set. */
seam_status fmu_slave_start(fmu_slave *self, double t, seam_error *error);
/* As it was created, values of inputs and parameters too. */
void fmu_slave_reset(fmu_slave *self);

/* Over H from t, the present point but for rounding, under the inputs and their derivatives, or under `signals`
 * (n_inputs); it ends at the first event where these are watched: event->number is SEAM_NONE where there is none. A
 * step that fails leaves the state where it began. SEAM_BAD_INPUT: another t, H that is not positive, an end beyond
 * the stop. */
seam_status fmu_slave_step(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                           seam_error *error);

/* In slave_events.c: whether some event of the whole stops a run. Of the whole: events begin at the start; the first
 * one within a step, which is not taken. */
bool fmu_slave_has_stops(const fmu_slave *self);
seam_status fmu_slave_watch(fmu_slave *self, seam_error *error);
seam_status fmu_slave_find_event(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                                 seam_error *error);

/* Events are again those before the search. */
void fmu_slave_forget_events(fmu_slave *self);

/* A sample at the present point waits for the inputs that are set there: whether one does; it happens. Errors of
 * cosim_multibody_sample(). */
bool fmu_slave_is_sample_due(const fmu_slave *self);
seam_status fmu_slave_sample(fmu_slave *self, seam_error *error);

/* Derivatives (n_outputs) of the outputs at the present point by one input there, the states being held. */
seam_status fmu_slave_differentiate(fmu_slave *self, int input, double *changes, seam_error *error);

/* Derivatives of a step's outputs by its inputs, in slave_derivatives.c: u = Σ c_k s_k(τ), τ = (t - T) / H, s_k the
 * shapes, polynomials. They are those of the last step, along shapes up to the degree that was set before it.
 * SEAM_BAD_INPUT: no whole number from -1 to FMU_MAX_POWER, or from 0 to COSIM_MAX_DEGREE, or not finite. */
seam_status fmu_slave_set_degree(fmu_slave *self, double degree, seam_error *error);
seam_status fmu_slave_set_shapes(fmu_slave *self, const double *shapes, seam_error *error);
seam_status fmu_slave_set_input_degree(fmu_slave *self, double degree, seam_error *error);
/* Takes what is wanted into the part. */
void fmu_slave_want(fmu_slave *self);
/* Where no output that follows from accelerations is wanted, steps leave these out: reading them finds them, and their
 * derivatives are not known. SEAM_BAD_INPUT: a number that is neither 0 nor 1. */
seam_status fmu_slave_set_wanted(fmu_slave *self, const double *wanted, seam_error *error);
int fmu_slave_n_seeds(const fmu_slave *self);
void fmu_slave_number_derivatives(fmu_slave *self);
/* ∂y_o/∂c_ik (inputs x (FMU_MAX_POWER + 1) x outputs), inputs and outputs in the order of their value references; zero
 * above the degree, NaN along inputs of laws and of outputs that the step left out. */
void fmu_slave_get_derivatives(const fmu_slave *self, double *values);

/* Image: numbers, from which a slave of the same FMU goes on to the bit. SEAM_BAD_STATE: it is of another one. */
size_t fmu_slave_image_length(const fmu_slave *self);
void fmu_slave_save(const fmu_slave *self, double *image);
seam_status fmu_slave_restore(fmu_slave *self, const double *image, size_t length, seam_error *error);

#endif
