#include "app/stops.h"

#include <stdio.h>

#include <seam/analysis.h>

#include "app/interrupt.h"

static bool ask(void *context, double t) {
  (void)context;
  (void)t;
  return interrupt_asked();
}

seam_status stops_shorten(const app_setup *setup, bool quiet, double *end, seam_error *error) {
  const seam_interrupt interrupt = {.is_requested = ask};
  mbs_event event;
  const seam_status status = seam_find_stop(setup->model, setup->state, &seam_model_simulation(setup->file)->integrator,
                                            &interrupt, *end, &event, error);
  if (status != SEAM_OK || event.number == SEAM_NONE)
    return status;
  *end = event.time;
  if (!quiet)
    fprintf(stderr, "runs end at t = %.9g s, where '%s' stops the monolithic one\n", event.time,
            mbs_event_name(setup->model, event.number));
  return SEAM_OK;
}
