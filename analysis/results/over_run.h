/* Statistics of quantities over samples of a run (<seam/results.h>), as they are gathered. */
#ifndef ANALYSIS_RESULTS_OVER_RUN_H
#define ANALYSIS_RESULTS_OVER_RUN_H

#include <seam/results.h>

/* The model must outlive it. SEAM_BAD_INPUT: a quantity that does not exist; SEAM_NO_MEMORY. */
seam_status seam_over_run_create(const mbs_model *model, const mbs_quantity *quantities, size_t n,
                                 seam_over_run **created, seam_error *error);
void seam_over_run_destroy(seam_over_run *self);
/* Takes a sample, later than those before; others count for extremes alone. The state has its a and lambda. */
void seam_over_run_add(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* Something between two samples was not seen, and nothing bounds it: all uncertainties are unknown from now on. */
void seam_over_run_doubt(seam_over_run *self);
/* Notes that a step of the integrator ended at t (s): samples shall be no farther apart than a quarter of it. */
void seam_over_run_note_step(seam_over_run *self, double t);
/* Takes samples on both sides of a jump: `left`, as it is before the time of `right`. Between them nothing counts. */
void seam_over_run_jump(seam_over_run *self, mbs_workspace *workspace, const mbs_state *left, const mbs_state *right);
/* Takes samples in each step of the integrator from now on, and on both sides of each point at which it begins anew:
 * four intervals or more in a step, no longer than `distance` (s). Samples that are added otherwise count for extremes
 * alone. The integrator and the workspace are used until the end. */
void seam_over_run_follow(seam_over_run *self, mbs_integrator *integrator, mbs_workspace *workspace, double distance);
/* Ends that at t (s), where the run ended, in the integrator's last step: samples behind are taken back. Errors of
 * mbs_integrator_advance(). */
seam_status seam_over_run_end(seam_over_run *self, double t, seam_error *error);
/* The time (s) of the sample to take next, `row` (s, after the last one) at the latest. */
double seam_over_run_next(const seam_over_run *self, double row);
/* The time (s) of a probe between the last sample and the next one; `next`: none. */
double seam_over_run_probe_time(const seam_over_run *self, double next);
/* Takes a probe before the next sample of a co-simulated run, with accelerations and reactions. */
void seam_over_run_probe_cosim(seam_over_run *self, const cosim_simulation *simulation, mbs_workspace *workspace,
                               double next, mbs_state *scratch);
/* Takes a probe there. Its accelerations and reactions need not be known well: quantities of these are left out. */
void seam_over_run_probe(seam_over_run *self, mbs_workspace *workspace, const mbs_state *state);
/* All that was gathered, as bytes: one that is restored goes on to the bit. SEAM_BAD_STATE: it is of another number of
 * quantities. */
size_t seam_over_run_image_size(const seam_over_run *self);
void seam_over_run_save(seam_over_run *self, void *image);
seam_status seam_over_run_restore(seam_over_run *self, const void *image, size_t size, seam_error *error);

#endif
