/** @file
 * Events: times at which a condition, a function of quantities, changes its sign. They are located within the steps of
 * an integrator or the macro steps of a co-simulation, to the last digits of the states there; steps stay as they are.
 * docs/theory.md says how. Misuse: see <seam/status.h>. */
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
 * Added to a builder after the elements and measures that they name.
 * @{ */

/** Directions in which a condition passes zero. Columns: code, name in the model file. */
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
  const char *name;          /**< unlike those of bodies, joints, force elements, measures and events */
  const char *const *inputs; /**< (n_inputs) names of the quantities that are x, "element.quantity" */
  size_t n_inputs;
  mbs_function function; /**< the condition f(x); without a value it is its only input */
  mbs_sense sense;       /**< default MBS_EITHER */
  double after;          /**< s, events before are none; default -infinity */
  bool stops;            /**< it ends a run; default false */
  int at_zero; /**< of a comparison, which holds where f > 0: 1, it holds where f is 0; -1: it does not; it counts
                  where f jumps to zero or from there; default 0: f is a value */
} mbs_event_def;

SEAM_PUBLIC mbs_event_def mbs_default_event_def(void);

/** Follows the rules of mbs_add_measure(). */
SEAM_PUBLIC seam_status mbs_add_event(mbs_builder *builder, const mbs_event_def *def, seam_error *error);

SEAM_PUBLIC size_t mbs_n_events(const mbs_model *model);
typedef struct mbs_event_info {
  const char *name; /**< NULL: there is no such event; lives as long as the model */
  bool stops;       /**< it ends a run */
} mbs_event_info;
SEAM_PUBLIC mbs_event_info mbs_event_of(const mbs_model *model, size_t event);
/** Name of a sense in the model file; static storage. NULL for any other number. */
SEAM_PUBLIC const char *mbs_sense_text(mbs_sense sense);
/** @} */

/** @defgroup mbs_events Events of a motion
 * @{ */

typedef struct mbs_event {
  size_t number;   /**< of the event in its model; SEAM_NONE: none */
  double time;     /**< s, the first number behind the change of sign */
  mbs_sense sense; /**< rising or falling */
} mbs_event;

/** Count of an event and its times, which are NaN before it has happened. */
typedef struct mbs_event_record {
  size_t count;
  double first, last; /**< s */
} mbs_event_record;

/** Watches the conditions of a model along one motion. */
typedef struct mbs_events mbs_events;

/** The model must outlive it. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_events_create(const mbs_model *model, mbs_events **created, seam_error *error);
SEAM_PUBLIC void mbs_events_destroy(mbs_events *events);

/** Watches from this state on, which has its a and lambda. A condition that is zero there, to 1e-12 of its quantities,
 * is on the side to which it departs: that is not an event. SEAM_NOT_FINITE names an event whose condition has no
 * value. */
SEAM_PUBLIC seam_status mbs_events_start(mbs_events *events, const mbs_state *state, seam_error *error);

/** Advances as mbs_integrator_advance() does, to time t or to the next event before: *event says which, *state is
 * there. Several events at one time come one after the other. The events start where the integrator starts
 * (SEAM_BAD_STATE). Found are changes of sign between samples, four in each step of the integrator, and pairs of them
 * between two samples; a condition that touches zero and turns back has none. SEAM_NOT_FINITE for a condition without a
 * value; SEAM_STEP_FAILED for one that changes its sign between all samples of 50 steps in a row. */
SEAM_PUBLIC seam_status mbs_integrator_advance_to_event(mbs_integrator *integrator, mbs_events *events, double t,
                                                        mbs_state *state, mbs_event *event, seam_error *error);

SEAM_PUBLIC mbs_event_record mbs_event_record_of(const mbs_events *events, size_t event);

/** Image, for one of the same model: it goes on to the bit. SEAM_BAD_STATE. */
SEAM_PUBLIC size_t mbs_events_image_size(const mbs_events *events);
SEAM_PUBLIC void mbs_events_save(const mbs_events *events, void *image);
SEAM_PUBLIC seam_status mbs_events_restore(mbs_events *events, const void *image, size_t size, seam_error *error);
/** @} */

/** @defgroup mbs_inputs Inputs: variables that are set from outside during a run
 * @{ */

/** Sets inputs (mbs_variable_def.is_input) at the time that was reached, *state being the state there: they are
 * constant up to the next time that they are set. *state becomes the one beyond the jump, with its a and lambda. Steps
 * end there, as at a kink of a law of time, and go on with their length; "ida" and "cvode" begin anew with order 1. A
 * sample at that time has been taken, under the values before. All events of `events` (NULL: none are watched) up to
 * that time must have been taken; a condition that changes its sign in the jump has an event at that time.
 * SEAM_BAD_INPUT: a variable that is not an input, a value that is not finite, a state of another time; SEAM_BAD_STATE:
 * not after a start or a restore, or on the way through a singular configuration: nothing is set. After other failures,
 * such as forces that are not finite, start or restore. */
SEAM_PUBLIC seam_status mbs_integrator_set_inputs(mbs_integrator *integrator, mbs_events *events,
                                                  const size_t *variables, const double *values, size_t n,
                                                  mbs_state *state, seam_error *error);
/** @} */

/** @defgroup mbs_impacts Impacts of hard contacts
 * Velocities jump at a time of their own, which integrators find.
 * @{ */

typedef struct mbs_impact_event {
  size_t force;      /**< the contact */
  double time;       /**< s */
  double normal;     /**< N s, > 0, pushes the bodies apart */
  double tangential; /**< N s, on the second body along the line, as the contact's `friction` */
  double loss;       /**< J, that it takes */
  size_t count;      /**< impacts of this contact so far, with this one */
} mbs_impact_event;

/** Called after each impact, in the order of times, with the state after it, whose a and lambda are not those there; a
 * status other than SEAM_OK ends mbs_integrator_advance(). Impacts at one time are one for each contact that gets an
 * impulse, contacts that were closed before among them. NULL: none. */
SEAM_PUBLIC void mbs_integrator_set_impact_listener(mbs_integrator *integrator,
                                                    seam_status (*hear)(void *context, const mbs_impact_event *impact,
                                                                        const mbs_state *state, seam_error *error),
                                                    void *context);

/** All impacts of a hard contact since the start, which its state holds. */
typedef struct mbs_impact_record {
  size_t count;
  double first, last;        /**< s; NaN without one */
  double normal, tangential; /**< N s, sums */
  double loss;               /**< J, with the energy taken where impacts accumulate */
} mbs_impact_record;

/** None for a state that does not fit, and for other elements. */
SEAM_PUBLIC mbs_impact_record mbs_impact_record_of(const mbs_model *model, const mbs_state *state, size_t force);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
