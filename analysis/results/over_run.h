/* Statistics of quantities over samples of a run (<seam/results.h>), gathered while the run goes on. */
#ifndef ANALYSIS_RESULTS_OVER_RUN_H
#define ANALYSIS_RESULTS_OVER_RUN_H

#include <seam/results.h>

#include "mbs/integrate/integrator.h"

/* Creates statistics of n quantities of a model, which must outlive the object. SEAM_BAD_INPUT: a quantity does not
 * exist; SEAM_NO_MEMORY. */
seam_status seam_over_run_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                 seam_over_run **created, seam_error *error);
void seam_over_run_destroy(seam_over_run *self);
/* Adds a sample of a state with a and lambda. A state earlier than the last sample counts only for extremes. */
void seam_over_run_add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* Call this if an event between samples was missed: all uncertainties then become unknown. */
void seam_over_run_doubt(seam_over_run *self);
/* Notes that a step of the integrator ended at t (s): samples should be at most a quarter of a step apart. */
void seam_over_run_note_step(seam_over_run *self, double t);
/* Adds samples on both sides of a jump: `left` is the state just before it, `right` the state after it. The time
 * between both does not count. */
void seam_over_run_jump(seam_over_run *self, mbs_workspace *workspace, const mbs_state *left, const mbs_state *right);
/* Samples each step of the integrator from now on, and both sides of each restart: a step has at least four intervals,
 * each at most `distance` (s). Samples added by the caller then only count for extremes. Integrator and workspace must
 * exist until the end. */
void seam_over_run_follow(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace, double distance);
/* Samples as seam_over_run_follow() does, but the caller keeps the integrator's listener and passes each piece of a
 * step to seam_over_run_hear(). */
void seam_over_run_read_from(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace,
                             double distance);
seam_status seam_over_run_hear(seam_over_run *self, const mbs_step_piece *piece, seam_error *error);
/* Ends the sampling of steps at t (s), the end of the run. The integrator's last step may go beyond t: its samples
 * after t are removed. Errors of mbs_integrator_advance(). */
seam_status seam_over_run_end(seam_over_run *self, double t, seam_error *error);
/* Returns the time (s) of the next sample, no later than the next row at `row` (s). */
double seam_over_run_next(const seam_over_run *self, double row);
/* Returns the time (s) of the probe before the next sample, at `next` (s); `next` itself: no probe is needed. */
double seam_over_run_probe_time(const seam_over_run *self, double next);
/* Adds a probe before the next sample of a co-simulated run, with accelerations and reactions. */
void seam_over_run_probe_cosim(seam_over_run *self, const cosim_simulation *simulation, mbs_workspace *workspace,
                               double next, mbs_state *scratch);
/* Adds a probe at the time of a state; quantities that depend on accelerations or reactions are left out. */
void seam_over_run_probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* The image has all data: results after a restore are the same bit for bit. The size is in bytes. SEAM_BAD_STATE: the
 * image has another size, as that of another number of quantities. */
size_t seam_over_run_image_size(const seam_over_run *self);
void seam_over_run_save(seam_over_run *self, void *image);
seam_status seam_over_run_restore(seam_over_run *self, const void *image, size_t size, seam_error *error);

#endif
