/* An FMU as a part, its steps and its derivatives share these declarations. */
#ifndef COSIM_PARTS_FMU_INTERNAL_H
#define COSIM_PARTS_FMU_INTERNAL_H

#include <math.h>

#include "cosim/parts/fmu_part.h"

enum { N_SLOTS = 32, MAX_EVENT_TIMES = 32 };

/* Members that a part that does not change calls, too: its instance and states kept by the FMU. */
typedef struct fmu_calls {
  fmi_instance *instance;
  void *state;            /* of bytes under way */
  void *kept;             /* at the beginning of the macro step */
  void *before;           /* of the step under way */
  void *slot[N_SLOTS];    /* states without bytes, */
  double number[N_SLOTS]; /* each with the number of its saving */
  double n_saved;
  seam_error failed; /* in a call that returns no status; the next step reports it */
} fmu_calls;

/* Derivatives of steps, as docs/fmi.md has them: along shapes of the FMU's inputs up to a degree. Where shapes cannot
 * be set, and else at first, they are the powers. */
typedef struct fmu_own {
  bool is_there, has_shapes, has_input_degree, has_wanted;
  uint32_t degree, array, shapes, input_degree, wanted_outputs; /* references */
  double is_set, input_degree_is_set;
  double shape[COSIM_FMU_POWERS][COSIM_FMU_POWERS];  /* those that are set: coefficients, */
  double wanted[COSIM_FMU_POWERS][COSIM_FMU_POWERS]; /* and those of the step under way */
  size_t n_inputs, n_outputs;
  size_t *row, *column; /* (of the part's inputs, outputs) numbers among the FMU's */
  double *values;       /* (inputs x COSIM_FMU_POWERS x outputs) of the FMU */
  bool goes_back;       /* a step that it discards leaves it where the step began */
  void *state;          /* where the step under way begins */
} fmu_own;

typedef struct fmu_part {
  cosim_part base;
  cosim_part_ops ops; /* its */
  fmu_calls *calls;
  const fmi_description *description;
  cosim_fmu_inputs takes;
  double longest, fixed; /* s, of steps; 0: any. NaN: that of the first one */
  double first;          /* s, length of the first step; 0: none yet */
  bool may_go_back;      /* behind a discarded step */
  size_t n_input_variables, n_output_variables;
  uint32_t *inputs, *outputs;                             /* references of the variables */
  size_t *input_variables, *output_variables;             /* and their indices: */
  size_t n_real_input_variables, n_real_output_variables; /* first those of double, */
  int n_real_inputs, n_real_outputs;                      /* with so many values, then others */
  uint32_t *updated;                                      /* references of the inputs that an update sets, */
  size_t n_updated;                                       /* variables, */
  size_t n_updated_values;                                /* and their values: */
  int *updated_value;                                     /* numbers among the inputs */
  bool *is_connected;                                     /* (n_inputs) */
  bool *is_updated;                                       /* (n_inputs) by updates */
  bool *is_held;                                          /* (n_outputs) discrete ones, */
  bool has_held;                                          /* some are */
  bool *feedthrough;        /* (n_outputs x n_inputs) as the description says; NULL: it does not */
  const bool *is_integral;  /* (n_outputs) over the step; NULL: none is */
  double *integrals;        /* (n_outputs) of those, over the macro step */
  int *wanted;              /* (n_wanted) numbers of the outputs that are read after steps, */
  uint32_t *wanted_outputs; /* and references; at first of all, */
  int n_wanted;             /* n_outputs; else all variables are numbers */
  char **output_names;      /* (n_outputs) */
  double *u;                /* (n_inputs) at the end of the last step; of those not connected always */
  double *kept;             /* (fmu_part_n_own()) what is the part's own where the macro step began */
  double *given;            /* (n_inputs) which the FMU has, where */
  bool is_given;            /* this is so */
  double *values;           /* ((COSIM_MAX_DEGREE + 1) n_inputs) scratch */
  uint32_t *derived;        /* (COSIM_MAX_DEGREE n_inputs) scratch: references and orders of derivatives */
  int *orders;
  int highest;            /* order that was set so far */
  cosim_signal *now;      /* (n_inputs) over the step under way, */
  double t, H;            /* which is this */
  double *tau;            /* scratch: ends of pieces, */
  double *outputs_before; /* outputs, and as many changes of them */
  fmu_own own;
  size_t capacity;               /* of a state's bytes; 0: it has none */
  double event[MAX_EVENT_TIMES]; /* s, times of the last events, ascending */
  int n_events;
  double reached;     /* s, time of the FMU */
  bool waits;         /* an event there is to be handled */
  bool has_ended;     /* it ends the run there */
  double kept_at;     /* s, time of the state to which the engine goes back, */
  double saved_at;    /* and of the last image; -INFINITY: none */
  bool goes_back;     /* to states of long ago */
  double waits_after; /* s; an event after that ends the macro step */
  double end, length; /* s, of the present one; 0: none yet */
  size_t n_shortened; /* steps that were discarded, */
  int n_discarded;    /* and those of the present macro step */
} fmu_part;

/* The inputs over the step under way, as the FMU takes them; into self->values those at a τ of it; those values. */
seam_status fmu_part_give_inputs(fmu_part *self, seam_error *error);
void fmu_part_sample_inputs(fmu_part *self, double tau);
seam_status fmu_part_set_inputs(fmu_part *self, seam_error *error);

/* In fmu_values.c: all inputs and outputs, of any type; which of them are real, once the variables are known. */
void fmu_part_count_reals(fmu_part *self);
seam_status fmu_part_set_all(fmu_part *self, const double *values, seam_error *error);
seam_status fmu_part_read_outputs(fmu_part *self, double *outputs, seam_error *error);

/* In fmu_states.c: numbers of a state that are the part's own; its hooks. */
enum { FMU_PART_N_OWN = 3 };
size_t fmu_part_n_own(const fmu_part *self);
void fmu_part_save(const cosim_part *base, double *state);
void fmu_part_restore(cosim_part *base, const double *state);
void fmu_part_keep(cosim_part *base);
void fmu_part_go_back(cosim_part *base);

/* No state from before t is restored any more: of images those of the present macro step are, which begins at T. */
static inline bool fmu_part_is_final(const fmu_part *self, double T, double t) {
  const bool has_kept = isfinite(self->kept_at) && self->kept_at < t;
  const bool has_saved = self->saved_at >= T && self->saved_at < t;
  return !self->goes_back && !has_kept && !has_saved;
}

/* In fmu_steps.c: an event at the end of the last step is handled; a failure is reported by the next one. */
void fmu_part_pass_events(fmu_part *self);
/* Discrete states become their new ones, and may end the run. */
seam_status fmu_part_handle_events(fmu_part *self, double t, seam_error *error);
/* Before a macro step: events of steps that are taken again are dropped, one that waits passes. */
seam_status fmu_part_begin_macro_step(fmu_part *self, const cosim_step *step, seam_error *error);
/* All steps of the FMU between two τ of it; none behind an event at which the part waits. */
seam_status fmu_part_take(fmu_part *self, const cosim_step *step, double from, double to, seam_error *error);
/* Integrals among the outputs, behind each step of the FMU. */
seam_status fmu_part_add_integrals(fmu_part *self, seam_error *error);

/* In fmu_samples.c: how the part takes its samples, where it has some; after its outputs are known. */
void fmu_part_find_samples(fmu_part *self);
bool fmu_part_has_event_mode(const fmi_description *of);
/* Reads the outputs that are wanted; the others are zeros. */
seam_status fmu_part_read_wanted(fmu_part *self, double *outputs, seam_error *error);

/* In fmu_derivatives.c: whether it has derivatives of its own for all that is connected, after the initialization.
 * SEAM_NO_MEMORY, or what the FMU returned. */
seam_status fmu_part_find_derivatives(fmu_part *self, const cosim_fmu_def *def, seam_error *error);
void fmu_part_free_derivatives(fmu_part *self);
/* The FMU leaves out what is not wanted, where it can. */
bool fmu_part_want_outputs(cosim_part *base, const bool *wanted);
/* Steps have them along powers up to a degree from now on; -1: none. */
seam_status fmu_part_set_degree(fmu_part *self, int degree, seam_error *error);
/* Shapes for seeds and inputs that are polynomials which it takes, and their degree; -1: they are others. */
int fmu_part_choose_shapes(fmu_part *self, const cosim_step *step);
/* The degree of inputs over the next step, where the FMU takes it: it asks less often for them. */
seam_status fmu_part_set_input_degree(fmu_part *self, bool are_polynomials, seam_error *error);
int fmu_part_signal_degree(const cosim_signal *signal);
/* Reads the derivatives of the last step along the seeds, over its part up to τ = `to`: (n_seeds), each `stride` behind
 * the one before. */
seam_status fmu_part_read_derivatives(fmu_part *self, const cosim_step *step, double to, double *derivatives,
                                      size_t stride, seam_error *error);
/* The same by steps of their own from the present state, which stays: at the nodes and at the end. */
seam_status fmu_part_try_derivatives(fmu_part *self, const cosim_step *step, double *derivatives, seam_error *error);

#endif
