/** @file
 * Events: times at which a condition, a function of quantities, changes its sign. They are located inside the steps of
 * an integrator or the macro steps of a co-simulation. These steps do not change. Times of events are as accurate as
 * the states inside the steps (docs/theory.md). Misuse: see <seam/status.h>. */
#ifndef SEAM_EVENTS_H
#define SEAM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/mbs.h>
#include <seam/measures.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_event_definitions Definitions
 * Events are added to a builder after the elements and measures that they name.
 * @{ */

/** Directions in which a condition passes zero. Arguments of X: code, name in the model file. */
#define MBS_SENSE_TABLE(X)                                                                                             \
  X(MBS_RISING, rising)                                                                                                \
  X(MBS_FALLING, falling)                                                                                              \
  X(MBS_EITHER, either)

typedef enum mbs_sense {
#define MBS_SENSE(code, name) code,
  MBS_SENSE_TABLE(MBS_SENSE)
#undef MBS_SENSE
      MBS_SENSES
} mbs_sense;

typedef struct mbs_event_def {
  int cookie;
  const char *name;          /**< unique among bodies, joints, force elements, measures and events */
  const char *const *inputs; /**< (n_inputs) names of the quantities x, "element.quantity" */
  size_t n_inputs;
  mbs_function function; /**< condition f(x); if .value is NULL, the condition equals the only input */
  mbs_sense sense;       /**< default MBS_EITHER */
  double after;          /**< s, earlier events do not count; default -infinity */
  bool stops;            /**< the event ends a run; default false */
  int at_zero; /**< not 0: f represents a comparison that holds for f > 0; at f = 0 it holds if at_zero is 1, but not if
                  at_zero is -1. This matters if f jumps to or from zero. 0 (default): f is a plain value */
} mbs_event_def;

SEAM_PUBLIC mbs_event_def mbs_default_event_def(void);

/** Adds an event by the rules of mbs_add_measure(). */
SEAM_PUBLIC seam_status mbs_add_event(mbs_builder *builder, const mbs_event_def *def, seam_error *error);

SEAM_PUBLIC size_t mbs_n_events(const mbs_model *model);
typedef struct mbs_event_info {
  const char *name; /**< lives as long as the model; NULL: there is no such event */
  bool stops;       /**< the event ends a run */
} mbs_event_info;
SEAM_PUBLIC mbs_event_info mbs_event_of(const mbs_model *model, size_t event);
/** Returns the name of a sense in the model file; static storage. NULL: no such sense. */
SEAM_PUBLIC const char *mbs_sense_text(mbs_sense sense);
/** @} */

/** @defgroup mbs_events Events of a motion
 * @{ */

typedef struct mbs_event {
  size_t number;   /**< number of the event in its model; SEAM_NONE: none */
  double time;     /**< s, first floating-point number after the change of sign */
  mbs_sense sense; /**< rising or falling */
} mbs_event;

/** Count of an event, and its first and last time; NaN: it has not occurred. */
typedef struct mbs_event_record {
  size_t count;
  double first, last; /**< s */
} mbs_event_record;

/** Finds the events of a model along one motion. */
typedef struct mbs_events mbs_events;

/** The model must outlive the events. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_events_create(const mbs_model *model, mbs_events **created, seam_error *error);
SEAM_PUBLIC void mbs_events_destroy(mbs_events *events);

/** Starts at a state whose a and lambda are evaluated. A condition may be zero at this state, up to 1e-12 of its
 * quantities. Its first sign is then the one that it takes next, and this change is not an event. SEAM_NOT_FINITE names
 * an event whose condition is not finite. */
SEAM_PUBLIC seam_status mbs_events_start(mbs_events *events, const mbs_state *state, seam_error *error);

/** Advances as mbs_integrator_advance() does, to time t or to the next event before t; *event and *state then describe
 * this event. If there is no event up to t, event->number is SEAM_NONE. Several events at one time are returned one
 * after the other. Start the events where the integrator starts (else SEAM_BAD_STATE). A condition is sampled at least
 * four times per step; the search finds a change of sign between two samples, and also a pair of changes between them.
 * If a condition touches zero without a change of sign, there is no event. SEAM_NOT_FINITE: a condition is not finite;
 * SEAM_STEP_FAILED: a condition changes its sign 200 times in a row from each sample to the next. */
SEAM_PUBLIC seam_status mbs_integrator_advance_to_event(mbs_integrator *integrator, mbs_events *events, double t,
                                                        mbs_state *state, mbs_event *event, seam_error *error);

SEAM_PUBLIC mbs_event_record mbs_event_record_of(const mbs_events *events, size_t event);

/** Image of the events. Another mbs_events of the same model, restored from it, continues bit for bit. SEAM_BAD_STATE:
 * the image does not fit. */
SEAM_PUBLIC size_t mbs_events_image_size(const mbs_events *events);
SEAM_PUBLIC void mbs_events_save(const mbs_events *events, void *image);
SEAM_PUBLIC seam_status mbs_events_restore(mbs_events *events, const void *image, size_t size, seam_error *error);
/** @} */

/** @defgroup mbs_inputs Inputs: variables that are set from outside during a run
 * @{ */

/** Sets inputs (mbs_variable_def.is_input) at the time that the integrator has reached; they stay constant until they
 * are set again. *state must have this time; it becomes the state after the jump, with its a and lambda. A step ends at
 * this time, as at a kink of a law of time; the step size stays unchanged; "ida" and "cvode" restart with order 1. A
 * sample due at this time has already been taken, with the old values. All events of `events` (NULL: no events are
 * monitored) up to this time must have been returned before. A condition that changes its sign in the jump has an event
 * at this time. SEAM_BAD_INPUT: a variable that is not an input, a value that is not finite, a state of another time;
 * SEAM_BAD_STATE: there was no start or restore before, or the integrator is passing a singular configuration. After
 * these errors no input has changed. After other failures, such as forces that are not finite, start or restore. */
SEAM_PUBLIC seam_status mbs_integrator_set_inputs(mbs_integrator *integrator, mbs_events *events,
                                                  const size_t *variables, const double *values, size_t n,
                                                  mbs_state *state, seam_error *error);
/** @} */

/** @defgroup mbs_impacts Impacts of hard contacts
 * Velocities jump at times that integrators find.
 * @{ */

typedef struct mbs_impact_event {
  size_t force;      /**< number of the contact among the force elements */
  double time;       /**< s */
  double normal;     /**< N s, normal impulse, > 0: pushes the bodies apart */
  double tangential; /**< N s, on the second body along the line, with the sign of the contact's quantity `friction` */
  double loss;       /**< J, energy lost */
  size_t count;      /**< impacts of this contact so far, including this one */
} mbs_impact_event;

/** Sets a function that is called after each impact, in the order of times. Its argument `state` is the state after the
 * impact; a and lambda in it are not up to date. A status other than SEAM_OK ends mbs_integrator_advance(). If several
 * contacts, also closed ones, get impulses at one time, it is called for each of them. NULL: no function. */
SEAM_PUBLIC void mbs_integrator_set_impact_listener(mbs_integrator *integrator,
                                                    seam_status (*hear)(void *context, const mbs_impact_event *impact,
                                                                        const mbs_state *state, seam_error *error),
                                                    void *context);

/** Impacts of a hard contact since the start, stored in the state. */
typedef struct mbs_impact_record {
  size_t count;
  double first, last;        /**< s, times of the first and last impact; NaN: no impact */
  double normal, tangential; /**< N s, sums */
  double loss;               /**< J, sum of losses, including those of accumulating impacts */
} mbs_impact_record;

/** Returns the impacts of a hard contact; a count of 0 for a state that does not fit and for other elements. */
SEAM_PUBLIC mbs_impact_record mbs_impact_record_of(const mbs_model *model, const mbs_state *state, size_t force);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
