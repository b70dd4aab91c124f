/* Statistics of quantities over a run, gathered from samples during the run (<seam/results.h>). */
#ifndef ANALYSIS_RESULTS_OVER_RUN_H
#define ANALYSIS_RESULTS_OVER_RUN_H

#include <seam/results.h>

#include "mbs/integrate/integrator.h"

/* Creates statistics of n quantities. The model must outlive *created. Fails with SEAM_BAD_INPUT if a quantity does not
 * exist, or with SEAM_NO_MEMORY. */
seam_status seam_over_run_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                 seam_over_run **created, seam_error *error);
void seam_over_run_destroy(seam_over_run *self);
/* Adds a state with accelerations and multipliers. One before the last sample counts only for extremes. */
void seam_over_run_add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* Call this if an event between samples may have been missed. All uncertainties then become NaN. */
void seam_over_run_doubt(seam_over_run *self);
/* Notes that a step of the integrator ended at t (s); its length determines seam_over_run_next(). */
void seam_over_run_note_step(seam_over_run *self, double t);
/* Adds samples on both sides of a jump, `left` just before and `right` just after it. No interval crosses the jump. */
void seam_over_run_jump(seam_over_run *self, mbs_workspace *workspace, const mbs_state *left, const mbs_state *right);
/* Samples each later step of the integrator in at least four intervals of at most `distance` (s), and both sides of
 * each restart. The caller's samples then count only for extremes. Integrator and workspace must exist until
 * seam_over_run_end(). */
void seam_over_run_sample_steps(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace,
                                double distance);
/* Samples as seam_over_run_sample_steps() does, without the integrator's step listener. The caller's listener passes
 * each piece of a step to seam_over_run_sample_piece(), itself a step listener with the context `self`. */
void seam_over_run_attach(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace, double distance);
seam_status seam_over_run_sample_piece(void *context, const mbs_step_piece *piece, seam_error *error);
/* Ends the sampling of steps at t (s), the end of the run. Removes later samples of the integrator's last step. Fails
 * with the errors of mbs_integrator_advance(). */
seam_status seam_over_run_end(seam_over_run *self, double t, seam_error *error);
/* Returns the time (s) at which to add the next sample: `row` (s), the time of the next row of results, or earlier. */
double seam_over_run_next(const seam_over_run *self, double row);
/* Returns the time (s) of a probe, between the last sample and the next one at time `next` (s); `next`: no probe is
 * needed. */
double seam_over_run_probe_time(const seam_over_run *self, double next);
/* Call this before the next sample, which will be at time `next` (s). Adds a probe from a co-simulation, if one is
 * needed. Computes accelerations and reactions if a quantity needs them. */
void seam_over_run_probe_cosim(seam_over_run *self, const cosim_simulation *simulation, mbs_workspace *workspace,
                               double next, mbs_state *scratch);
/* Adds a probe from `state`, with accelerations and multipliers. */
void seam_over_run_probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* The image has all data: results after a restore are equal bit for bit. Sizes are in bytes. seam_over_run_restore()
 * fails with SEAM_BAD_STATE if the image has another size, as for another number of quantities. */
size_t seam_over_run_image_size(const seam_over_run *self);
void seam_over_run_save(seam_over_run *self, void *image);
seam_status seam_over_run_restore(seam_over_run *self, const void *image, size_t size, seam_error *error);

#endif
