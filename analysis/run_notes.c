/* Notes on a co-simulated run that reached its end (<seam/verdict.h>), one line each. */
#include <stdarg.h>
#include <stdio.h>

#include <seam/verdict.h>

#include "analysis/thresholds.h"
#include "cosim/coupling/hold_errors.h"
#include "cosim/steps/simulation.h"

/* A run and the receiver of its notes. */
typedef struct notes {
  const mbs_model *model;
  const cosim_simulation *simulation;
  void (*write)(void *context, const char *note);
  void *context;
} notes;

static void SEAM_PRINTF(2, 3) note(const notes *self, const char *format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  self->write(self->context, text);
}

/* Writes notes on events inside macro steps. */
static void note_events(const notes *self) {
  const cosim_statistics of = cosim_statistics_of(self->simulation);
  if (of.switches_inside > 0)
    note(self,
         "cut contacts or strands open, close or slacken inside %zu of %zu macro steps, which leaves errors of order "
         "2 in velocities, of order 1 where a damped strand becomes taut%s",
         of.switches_inside, of.macro_steps,
         cosim_takes_long_steps(self->simulation) ? ": take a smaller macro step"
                                                  : ": with ff-colloc-s3 steps end there");
  if (of.law_kinks > 0)
    note(self,
         "laws of cut force elements have kinks or jumps inside %zu of %zu macro steps, or bend too much for the "
         "step: errors of velocities are of order 2 at most at a kink, of order 1 at a jump; take a smaller macro "
         "step, or a 'contact', 'stop' or 'rope', at whose switches macro steps end",
         of.law_kinks, of.macro_steps);
  if (of.part_events_inside > 0)
    note(self,
         "events of FMUs lie inside %zu of %zu macro steps, which cannot end there: errors are of order 2 at most "
         "where a signal bends, of 1 where it jumps: take a smaller macro step",
         of.part_events_inside, of.macro_steps);
  if (of.hidden_events > 0)
    note(self,
         "%zu of the subsystems %s event mode: events and samples inside of their steps, if there are any, are "
         "not seen, and leave errors of order 1 or 2 in the macro step",
         of.hidden_events, of.hidden_events == 1 ? "is an FMU without" : "are FMUs without");
  if (of.shortened > 0)
    note(self,
         "FMUs discarded steps and repeated them with a shorter length, %zu times; a smaller macro step avoids that",
         of.shortened);
}

/* Writes a note on the first coupling that is a contact. Unlike an integrator, a coupling does not detect a contact
 * that begins and ends within one macro step. */
static void note_contacts(const notes *self) {
  for (size_t i = 0; i < cosim_n_couplings(self->simulation); i++) {
    const char *name = cosim_coupling_of(self->simulation, i).name;
    if (mbs_force_of(self->model, mbs_find_force(self->model, name)).kind != MBS_CONTACT)
      continue;
    note(self,
         "contacts that are couplings, such as '%s', are missed if they begin and end within a macro step: take a "
         "smaller macro step if bodies meet fast",
         name);
    return;
  }
}

/* Writes a note on the signal with the worst extrapolation over macro steps, if its error is noticeable. Motions that
 * follow this signal may have the same relative error. */
static void note_signals(const notes *self) {
  char better[64] = "";
  cosim_hold_error hold;
  if (!cosim_worst_hold(self->simulation, &hold) || !cosim_hold_lags(&hold))
    return;
  if (hold.better != hold.order)
    snprintf(better, sizeof better, "order %d would miss it by %.2g %%; or ", hold.better, 100 * hold.better_share);
  note(self,
       "signal '%s', extrapolated with order %d, misses the next macro point by %.2g %% of its standard deviation, "
       "and motions that it drives may have an error of this size: %stake a smaller macro step",
       hold.name, hold.order, 100 * hold.share, better);
}

/* Writes a note on the energy correction that most often reaches its force limit. Energy that the limit prevents it
 * from removing stays in the motion. */
static void note_limits(const notes *self) {
  cosim_limit_reached limit;
  if (!cosim_most_limited(self->simulation, &limit) ||
      !((double)limit.reached > analysis_noticeable_limits * (double)limit.rounds))
    return;
  note(self,
       "the energy correction of '%s' reached its limit of %.3g of the force in %zu of %zu macro steps, and energy "
       "that the coupling creates remains in the motion: take a smaller macro step or holds of a higher order, and "
       "compare with a run without the correction",
       limit.name, limit.limit, limit.reached, limit.rounds);
}

void cosim_note_run(const mbs_model *model, const cosim_builder *builder, const cosim_simulation *simulation,
                    void (*write)(void *context, const char *note), void *context) {
  const notes self = {model, simulation, write, context};
  if (model == NULL || builder == NULL || simulation == NULL || write == NULL)
    return;
  note_events(&self);
  note_contacts(&self);
  note_signals(&self);
  note_limits(&self);
}
