/* Notes on a co-simulated run that reached its end (<seam/verdict.h>), one line each. */
#include <stdio.h>

#include <seam/verdict.h>

#include "analysis/thresholds.h"
#include "cosim/coupling/hold_errors.h"
#include "cosim/steps/simulation.h"

enum { NOTE = 600 };

/* A run and the receiver of its notes. */
typedef struct notes {
  const mbs_model *model;
  const cosim_builder *builder;
  const cosim_simulation *simulation;
  void (*write)(void *context, const char *note);
  void *context;
} notes;

static void note_law_kinks(const notes *self, const cosim_statistics *statistics) {
  char text[NOTE];
  if (statistics->law_kinks == 0)
    return;
  snprintf(text, sizeof text,
           "laws of cut force elements have kinks or jumps inside %zu of %zu macro steps, or bend too much for the "
           "step: errors of velocities are of order 2 at most at a kink, of order 1 at a jump; take a smaller macro "
           "step, or a 'contact', 'stop' or 'rope', at whose switches macro steps end",
           statistics->law_kinks, statistics->macro_steps);
  self->write(self->context, text);
}

static void note_part_events(const notes *self, const cosim_statistics *statistics) {
  char text[NOTE];
  if (statistics->part_events_inside > 0) {
    snprintf(text, sizeof text,
             "events of FMUs lie inside %zu of %zu macro steps, which cannot end there: errors are of order 2 at most "
             "where a signal bends, of 1 where it jumps: take a smaller macro step",
             statistics->part_events_inside, statistics->macro_steps);
    self->write(self->context, text);
  }
  if (statistics->hidden_events > 0) {
    snprintf(text, sizeof text,
             "%zu of the subsystems %s event mode: events and samples inside of their steps, if there are any, are "
             "not seen, and leave errors of order 1 or 2 in the macro step",
             statistics->hidden_events, statistics->hidden_events == 1 ? "is an FMU without" : "are FMUs without");
    self->write(self->context, text);
  }
  if (statistics->shortened > 0) {
    snprintf(
        text, sizeof text,
        "FMUs discarded steps and repeated them with a shorter length, %zu times; a smaller macro step avoids that",
        statistics->shortened);
    self->write(self->context, text);
  }
}

static void note_switches(const notes *self, const cosim_statistics *statistics) {
  char text[NOTE];
  if (statistics->switches_inside == 0)
    return;
  snprintf(text, sizeof text,
           "cut contacts or strands open, close or slacken inside %zu of %zu macro steps, which leaves errors of order "
           "2 in velocities, of order 1 where a damped strand becomes taut%s",
           statistics->switches_inside, statistics->macro_steps,
           cosim_takes_long_steps(self->simulation) ? ": take a smaller macro step"
                                                    : ": with ff-colloc-s3 steps end there");
  self->write(self->context, text);
}

/* Writes a note on the first coupling that is a contact. Unlike an integrator, a coupling does not detect a contact
 * that begins and ends within one macro step. */
static void note_contacts(const notes *self) {
  char text[NOTE];
  for (size_t i = 0; i < cosim_n_couplings(self->simulation); i++) {
    const char *name = cosim_coupling_of(self->simulation, i).name;
    if (mbs_force_of(self->model, mbs_find_force(self->model, name)).kind != MBS_CONTACT)
      continue;
    snprintf(text, sizeof text,
             "contacts that are couplings, such as '%s', are missed if they begin and end within a macro step: take a "
             "smaller macro step if bodies meet fast",
             name);
    self->write(self->context, text);
    return;
  }
}

/* Writes a note on the signal with the worst extrapolation over macro steps, if its error is noticeable. Motions that
 * follow this signal may have the same relative error. */
static void note_signals(const notes *self) {
  char text[NOTE];
  char better[64] = "";
  cosim_hold_error hold;
  if (!cosim_worst_hold(self->simulation, &hold) || !cosim_hold_lags(&hold))
    return;
  if (hold.better != hold.order)
    snprintf(better, sizeof better, "order %d would miss it by %.2g %%; or ", hold.better, 100 * hold.better_share);
  snprintf(text, sizeof text,
           "signal '%s', extrapolated with order %d, misses the next macro point by %.2g %% of its standard deviation, "
           "and motions that it drives may have an error of this size: %stake a smaller macro step",
           hold.name, hold.order, 100 * hold.share, better);
  self->write(self->context, text);
}

/* Writes a note on the energy correction that most often reaches its force limit. Energy that the limit prevents it
 * from removing stays in the motion. */
static void note_limits(const notes *self) {
  char text[NOTE];
  cosim_limit_reached limit;
  if (!cosim_most_limited(self->simulation, &limit) ||
      !((double)limit.reached > analysis_noticeable_limits * (double)limit.rounds))
    return;
  snprintf(text, sizeof text,
           "the energy correction of '%s' reached its limit of %.3g of the force in %zu of %zu macro steps, and energy "
           "that the coupling creates remains in the motion: take a smaller macro step or holds of a higher order, and "
           "compare with a run without the correction",
           limit.name, limit.limit, limit.reached, limit.rounds);
  self->write(self->context, text);
}

void cosim_note_run(const mbs_model *model, const cosim_builder *builder, const cosim_simulation *simulation,
                    void (*write)(void *context, const char *note), void *context) {
  const notes self = {model, builder, simulation, write, context};
  if (model == NULL || builder == NULL || simulation == NULL || write == NULL)
    return;
  const cosim_statistics statistics = cosim_statistics_of(simulation);
  note_switches(&self, &statistics);
  note_law_kinks(&self, &statistics);
  note_part_events(&self, &statistics);
  note_contacts(&self);
  note_signals(&self);
  note_limits(&self);
}
