/* Internals of the FMU part: creation and saved states in fmu_part.c; steps, events and outputs in fmu_steps.c; exact
 * derivatives in fmu_derivatives.c. */
#ifndef COSIM_PARTS_FMU_INTERNAL_H
#define COSIM_PARTS_FMU_INTERNAL_H

#include <math.h>

#include "cosim/parts/fmu_part.h"

enum { N_SLOTS = 32, MAX_EVENT_TIMES = 32 };

/* Exact derivatives of steps, which the FMU gives (docs/fmi.md), along shapes of its inputs. Shapes are functions of τ,
 * numbered from 0: the powers of τ or, if the FMU has a parameter for shapes, those that the part sets. */
typedef struct fmu_step_derivatives {
  bool is_available, has_shapes, has_input_degree, has_wanted;
  uint32_t degree, array, shapes, input_degree, wanted_outputs; /* references of the parameters */
  double degree_in_fmu, input_degree_in_fmu;                    /* degrees last set in the FMU; NaN: not set yet */
  double shape[COSIM_FMU_POWERS][COSIM_FMU_POWERS];             /* coefficients of the shapes set in the FMU */
  double step_shape[COSIM_FMU_POWERS][COSIM_FMU_POWERS];        /* coefficients of the shapes for the present step */
  size_t n_inputs, n_outputs;
  size_t *row, *column;    /* (n_inputs), (n_outputs) index of each input and output in the FMU's array */
  double *values;          /* (n_inputs x COSIM_FMU_POWERS x n_outputs) derivatives from the FMU */
  bool restores_discarded; /* the FMU restores its state by itself after a discarded step */
  void *state;             /* state at the beginning of the present step */
} fmu_step_derivatives;

typedef struct fmu_part {
  cosim_part base;
  cosim_part_ops ops; /* operations of this part; those that its FMU does not support are NULL */
  fmi_instance *instance;
  seam_error failed; /* failure of a call that returns no status; the next step reports it */
  const fmi_description *description;
  cosim_fmu_inputs input_method;
  double longest, fixed; /* s, longest step (0: no limit); length of fixed steps (0: not fixed; NaN: it is `first`) */
  double first;          /* s, length of the first step; 0: no step yet */
  bool can_roll_back;    /* the part can restore the state before a discarded step */
  size_t n_input_variables, n_output_variables;
  uint32_t *inputs, *outputs;                             /* references of the variables */
  size_t *input_variables, *output_variables;             /* indices of the variables */
  size_t n_real_input_variables, n_real_output_variables; /* number of variables of type double, which come first */
  int n_real_inputs, n_real_outputs;                      /* number of values of variables of type double */
  fmi_unit *input_unit, *output_unit;                     /* units that are converted to SI; factor 0: none */
  uint32_t *updated;                                      /* references of the inputs that an update sets */
  size_t n_updated, n_updated_values;                     /* number of variables, and values, that an update sets */
  int *updated_value;       /* indices, among the inputs, of the values that an update sets */
  bool *is_connected;       /* (n_inputs) true: a coupling or connection drives the input */
  bool *is_updated;         /* (n_inputs) true: an update sets the input */
  bool *is_held;            /* (n_outputs) true: a discrete output, constant between samples */
  bool has_held;            /* some outputs are discrete */
  bool *feedthrough;        /* (n_outputs x n_inputs) feedthrough by the description; NULL: not known */
  const bool *is_integral;  /* (n_outputs) true: the output is an integral over the step; NULL: none is */
  double *integrals;        /* (n_outputs) where is_integral: integral over the macro step */
  int *wanted;              /* (n_wanted) indices of the outputs that are read after steps */
  uint32_t *wanted_outputs; /* (n_wanted) references of the wanted outputs */
  int n_wanted;             /* number of wanted outputs; fewer than all only if all variables are double scalars */
  double *u;                /* (n_inputs) inputs at the end of the last step; constant if not connected */
  double *kept_header;      /* header of the state at the beginning of the macro step (fmu_part.c) */
  double *inputs_in_fmu;    /* (n_inputs) inputs last set in the FMU, if knows_inputs */
  bool knows_inputs;        /* `inputs_in_fmu` is valid */
  bool is_initializing;     /* the FMU is in its initialization mode */
  cosim_fmu_value *given;   /* (n_given) values that the definition gives; texts are valid during the creation only */
  size_t n_given;
  double *values;    /* ((COSIM_MAX_DEGREE + 1) n_inputs) scratch */
  uint32_t *derived; /* (COSIM_MAX_DEGREE n_inputs) scratch: references and orders of derivatives */
  int *orders;
  int highest_order;      /* highest order of input derivatives set so far */
  cosim_signal *now;      /* (n_inputs) signals over the present step */
  double t, H;            /* s, beginning and length of the present step */
  double *tau;            /* scratch: ends of pieces of inputs */
  double *outputs_before; /* (2 n_outputs) scratch: outputs, and changes of outputs */
  fmu_step_derivatives exact;
  void *kept;                    /* state of the FMU at the beginning of the macro step */
  void *before;                  /* state of the FMU at the beginning of the present step */
  void *state;                   /* scratch: a state to convert to or from bytes */
  size_t capacity;               /* bytes of a serialised state; 0: states are not serialised */
  void *slot[N_SLOTS];           /* saved states of an FMU that cannot serialise them */
  double number[N_SLOTS];        /* number of the save whose state is in the slot */
  double n_saved;                /* number of saves */
  double event[MAX_EVENT_TIMES]; /* s, times of the last events, ascending */
  int n_events;
  double reached;              /* s, time of the FMU */
  bool is_event_pending;       /* an event at `reached` remains to be handled */
  bool has_ended;              /* the FMU ends the run at `reached` */
  double kept_at;              /* s, time of the state from keep(); -INFINITY: none is kept */
  double saved_at;             /* s, time of the last saved image; -INFINITY: no image was saved */
  bool restores_earlier_steps; /* states of earlier macro steps may be restored */
  double handled_until;        /* s; an event after this time ends the macro step */
  double end, length;          /* s, end and length of the present macro step; 0: before the first one */
  size_t n_shortened;          /* number of discarded steps */
  int n_discarded;             /* discarded steps in the present macro step */
} fmu_part;

static inline bool fmu_part_has_event_mode(const fmi_description *of) {
  return of->version == FMI_3 && of->capabilities.event_mode;
}

/* Returns true if no state before t will be restored. Without `restores_earlier_steps` only two states can be restored:
 * the one of keep(), and the last saved one if it belongs to the present macro step, which begins at T. */
static inline bool fmu_part_is_final(const fmu_part *self, double T, double t) {
  const bool has_kept = isfinite(self->kept_at) && self->kept_at < t;
  const bool has_saved = self->saved_at >= T && self->saved_at < t;
  return !self->restores_earlier_steps && !has_kept && !has_saved;
}

/* Conversions of a variable's values and changes between its unit and SI. */
static inline double fmu_part_factor(fmi_unit unit) { return unit.factor != 0 ? unit.factor : 1; }
static inline double fmu_part_to_si(fmi_unit unit, double value) {
  return unit.factor != 0 ? unit.factor * value + unit.offset : value;
}
static inline double fmu_part_from_si(fmi_unit unit, double value) {
  return unit.factor != 0 ? (value - unit.offset) / unit.factor : value;
}

/* ---- fmu_part.c ---- */

/* Ends the initialization, if it has not ended, under the inputs that are set. SEAM_BAD_INPUT: the FMU refuses. */
seam_status fmu_part_begin(fmu_part *self, seam_error *error);

/* ---- fmu_steps.c ---- */

/* Operations of cosim_part_ops. */
seam_status fmu_part_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                             seam_error *error);
void fmu_part_get_outputs(cosim_part *base, double *outputs);
void fmu_part_evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs);
void fmu_part_wait_at_events(cosim_part *base, double after);
cosim_part_events fmu_part_get_events(const cosim_part *base, double since);
void fmu_part_pass_events(cosim_part *base);
/* Sets operations for samples if the FMU has event mode or discrete outputs. Call it after the outputs are listed. */
void fmu_part_find_samples(fmu_part *self);

/* Callback of FMI 3 during a step: sets the inputs at time t. */
void fmu_part_update(void *context, double t);
seam_status fmu_part_set_connected_inputs(fmu_part *self, const double *inputs, seam_error *error);
/* Gives the FMU the inputs over the present step, by the method self->input_method. */
seam_status fmu_part_set_step_inputs(fmu_part *self, seam_error *error);
int fmu_part_signal_degree(const cosim_signal *signal);

/* ---- fmu_derivatives.c ---- */

/* Finds whether the initialized FMU has derivatives for all connected inputs. SEAM_NO_MEMORY, failures of the FMU. */
seam_status fmu_part_find_derivatives(fmu_part *self, const cosim_fmu_def *def, seam_error *error);
/* Implements want_outputs() of cosim_part_ops. */
bool fmu_part_set_wanted_outputs(cosim_part *base, const bool *wanted);
/* Sets the degree up to which later steps give derivatives; -1: they give none. */
seam_status fmu_part_set_degree(fmu_part *self, int degree, seam_error *error);
/* Chooses shapes for the seeds and returns the highest number. -1: a signal has several pieces or a seed degree 7. */
int fmu_part_choose_shapes(fmu_part *self, const cosim_step *step);
/* Passes the FMU the highest degree of its inputs over the next step; 0 unless are_polynomials. It requests inputs at
 * no more times in the step than polynomials of this degree need. */
seam_status fmu_part_set_input_degree(fmu_part *self, bool are_polynomials, seam_error *error);
/* Reads the derivatives of the last step, which went to τ = `to`, along the seeds of `step`. Results of successive
 * seeds are `stride` numbers apart. */
seam_status fmu_part_read_derivatives(fmu_part *self, const cosim_step *step, double to, double *derivatives,
                                      size_t stride, seam_error *error);
/* Finds the derivatives at the nodes and the end by separate steps from the present state; restores this state. */
seam_status fmu_part_try_derivatives(fmu_part *self, const cosim_step *step, double *derivatives, seam_error *error);

#endif
