/* Inside of a co-simulation of a mechanism. An engine couples the parts (cosim/mechanism/engine.h); the other files
 * assemble the state of the whole at macro points (simulation.c), end macro steps at kinks of laws of time (kinks.c),
 * choose the next macro step (step_size.c), and give the image (simulation_image.c) and results (simulation_results.c).
 */
#ifndef COSIM_MECHANISM_SIMULATION_H
#define COSIM_MECHANISM_SIMULATION_H

#include <stdint.h>

#include "cosim/mechanism/engine.h"
#include "cosim/mechanism/partition.h"
#include "mbs/workspace.h"

/* State of the control of macro steps. */
typedef struct cosim_control {
  cosim_step_control rule; /* the options', with the order of the schemes */
  double next;             /* s, length of the next macro step */
  double rest;             /* s, to the end of the run */
  struct {
    double t;                 /* s, where it was looked at last */
    uint64_t steps, repeated; /* since then; of all until then */
  } progress;
  bool judges_early;      /* a step that is too long ends before it is done */
  double early_indicator; /* indicator of the present step from its first correction; 0: none */
  double speed;           /* the largest so far, in the norm of the masses; so are */
  double acceleration, jerk;
} cosim_control;

/* What the whole dissipates and is driven by, W, at both ends of the last step; by how much accelerations and
 * multipliers there differ from those of the whole. */
typedef struct cosim_end_powers {
  bool are_known; /* from the first row that needs them to the end of the step */
  double begin[2], end[2];
  bool are_compared; /* likewise */
  double *off[2];    /* (3n + m) */
  bool were_between; /* states between far macro points were asked for, in this run or before */
} cosim_end_powers;

struct cosim_simulation {
  cosim_builder *builder; /* a copy */
  const mbs_model *model; /* its model and definition */
  cosim_definition definition;
  cosim_partition partition;
  uint64_t fingerprint; /* of both, in images */
  cosim_engine *engine;
  mbs_workspace *ws;       /* of the whole */
  mbs_state *before, *now; /* at the last two macro points; `now` is scratch within a step */
  bool is_beyond_kink;     /* the last step ended at a kink of a law of time: `now` is the state beyond it, */
  mbs_state *end;          /* this the one where the step ended */
  bool *passes_kink;       /* (n_subsystems) scratch: its step ended at a kink */
  struct {
    double from, at;        /* none after one before the other */
  } next_kink;              /* of laws of time, as found last */
  cosim_snapshot *of_whole; /* (2 x n_cuts) scratch: of the whole at both ends of a step */
  bool ends_at_switches;    /* macro steps do: some cut element has modes, and all parts repeat steps */
  bool ends_at_part_events; /* macro steps do: some part has events, and all repeat steps */
  double *signals;          /* (n_signals) at the present macro point */
  mbs_state *scratch;
  cosim_end_powers *powers;
  double start_work[2]; /* dissipated and driven before the start */
  double projected;     /* J, energy that projection added in the present step, for each coupling that projects */
  bool has_started;     /* or was restored */
  bool is_broken;       /* a step failed */
  bool has_advanced;    /* since the start */
  bool is_at_kink;      /* the last step ended at a sample of a part, or was moved to a kink */
  bool is_at_switch;    /* it ended where a cut contact or strand opened or closed */
  cosim_control control;
  mbs_state *predicted;    /* bodies at the end of the predictor's pass; NULL: not needed */
  double *undo;            /* image of the engine at the beginning of the present step */
  cosim_statistics others; /* of earlier runs that this one continues */
};

/* ---- Pieces of a macro step, for the control of its length ---- */

/* SEAM_BAD_STATE after a step that failed. */
seam_status cosim_simulation_check(const cosim_simulation *self, seam_error *error);
/* The present state of the whole becomes the one at the beginning of a step. */
seam_status cosim_simulation_begin_step(cosim_simulation *self, double H, seam_error *cause);
/* The engine takes a step; the state of the whole stays at its beginning. */
seam_status cosim_simulation_try(cosim_simulation *self, double H, seam_error *cause);
/* Updates the state of the whole after a step. */
void cosim_simulation_accept(cosim_simulation *self, double H);
/* The whole at the present macro point anew, from its parts and couplings. */
void cosim_simulation_take_present(cosim_simulation *self);
/* Variables that follow outputs of user parts take their present values. */
void cosim_simulation_follow(cosim_simulation *self);
/* Discards a step that was tried. */
void cosim_simulation_forget(cosim_simulation *self);
/* Ends a run: *error receives the time, the cause and a possible fix. Returns the status of the run. */
seam_status cosim_simulation_give_up(cosim_simulation *self, seam_status status, const seam_error *cause,
                                     seam_error *error);

/* Counts an accepted step with kinks in laws of cut elements: law_kink_count.c. */
void cosim_count_law_kinks(cosim_simulation *self);
/* The multipliers of a cut joint in a state of the whole; not used of a force element. */
double *cosim_multipliers_of(const cosim_simulation *self, const cosim_element_cut *cut, const mbs_state *state);

/* A step that is not repeated, where steps have this usual length. */
seam_status cosim_simulation_step(cosim_simulation *self, double H, double usual, seam_error *error);
/* Snapshots of the cuts at an evaluated state of the whole. */
void cosim_simulation_sample_whole(const cosim_simulation *self, const mbs_state *state, cosim_snapshot *snapshots);
/* Stages of the couplings, where all have collocation schemes; else 0. */
int cosim_stages(const cosim_simulation *self);

/* ---- Kinks of laws of time, and samples, in kinks.c ---- */

/* The first one after t; a search takes longer than a step, so that it is kept. */
double cosim_kink_after(cosim_simulation *self, double t);
/* SEAM_CONSTRAINT_LOST where the law of a cut motion joint jumps. */
seam_status cosim_check_cut_motions(const cosim_simulation *self, double t, double end, seam_error *cause);
/* Whether multipliers of cut joints have a past, which amplifies their errors where steps differ. */
bool cosim_has_joint_with_past(const cosim_simulation *self);
/* Of the rest of a macro step of length H, up to its first kink or sample; sums reach it. */
double cosim_length_to_kink(cosim_simulation *self, double rest, double H);
/* By how much the sum of macro steps of length H up to the present may be off, s. */
double cosim_sum_rounding(const cosim_simulation *self, double H);
/* The first sample of a part after the present time; INFINITY: none. */
double cosim_sample_after(const cosim_simulation *self);
/* Of the rest of a macro step of length H, up to there. */
double cosim_length_to_sample(const cosim_simulation *self, double rest, double H);
/* Where a step ended at a kink of a law of time, or at a sample, the next one begins beyond it. */
void cosim_pass_kinks(cosim_simulation *self);
/* At the start samples of parts, which the assembled whole took without signals, happen anew under them. */
seam_status cosim_sample_start_anew(cosim_simulation *self, seam_error *error);
/* Whether a step is so short beside the usual ones that its couplings follow the whole; takes it so. */
bool cosim_follows_whole(const cosim_simulation *self, double H, double usual);
seam_status cosim_follow_whole(cosim_simulation *self, double H, seam_error *cause);

/* ---- Modes of strands and contacts at cuts, in switches.c ---- */

/* SEAM_BAD_INPUT: a scheme needs steps that end at switches, and the parts cannot repeat steps. */
seam_status cosim_switches_create(cosim_simulation *self, seam_error *error);
/* Laws follow the motion; they keep to the modes of the present macro point; to those of self->modes. */
void cosim_switches_free(cosim_simulation *self);
void cosim_switches_begin(cosim_simulation *self);
void cosim_switches_take(cosim_simulation *self);

/* Lengths of a step that ends at the first switch within it. */
typedef struct cosim_switch_search {
  double wanted, usual;         /* of this step; of steps */
  double low, high;             /* no switch within a step of length `low`, one within `high` */
  const cosim_element_cut *cut; /* the first one's */
  int measure, tried;
  bool begins; /* behind a switch */
} cosim_switch_search;
cosim_switch_search cosim_switches_search(double wanted, double usual);
/* After a step of length H that is not accepted yet: the length that it is to be taken with instead; 0: it may stay. */
double cosim_switches_look(cosim_simulation *self, cosim_switch_search *search, double H);
/* cosim_simulation_try(), from a length *H on, up to the first switch. */
seam_status cosim_switches_try(cosim_simulation *self, double *H, double usual, seam_error *cause);
/* Takes back a step that is not accepted for a switch. */
seam_status cosim_switches_take_back(cosim_simulation *self, cosim_switch_search *search, seam_error *cause);
/* Behind an accepted step. */
void cosim_switches_pass(cosim_simulation *self);
/* Writes why errors of the run fall slower than by the order of its schemes; "": nothing is known. */
void cosim_switches_tell(const cosim_simulation *self, char *text, size_t size);
/* Takes back a step that was tried. */
seam_status cosim_simulation_take_back(cosim_simulation *self, bool was_taken, seam_error *error);

/* ---- Events of parts, in part_events.c ---- */

void cosim_part_events_create(cosim_simulation *self);
/* Whether some part takes steps of one length, so that no macro step is shortened. */
bool cosim_has_fixed_steps(const cosim_simulation *self);

/* Lengths of a step that ends at the first event within it. */
typedef struct cosim_part_event_search {
  double wanted, usual; /* s, of this step; of steps */
  double widen;         /* share by which a step that does not reach the event grows */
  double H, event;      /* s, of the last that did; 0: none */
  int tried;
} cosim_part_event_search;
/* Before a step that begins at the present time. */
cosim_part_event_search cosim_part_events_search(const cosim_simulation *self, double wanted, double usual);
/* After a step of length H that is not accepted yet: the length that it is to be taken with instead; 0: it may stay. */
double cosim_part_events_look(const cosim_simulation *self, cosim_part_event_search *search, double H);
/* cosim_switches_try(), up to the first event. */
seam_status cosim_part_events_try(cosim_simulation *self, double *H, double usual, seam_error *cause);
/* Counts those of an accepted step. */
void cosim_part_events_pass(cosim_simulation *self, double H);

/* Of model and definition, in simulation_image.c. */
uint64_t cosim_fingerprint(const cosim_simulation *self);
/* Takes the signals of the engine's present macro point. */
void cosim_simulation_take_signals(cosim_simulation *self);
/* Counts of steps begin at zero, in simulation_image.c. */
void cosim_statistics_begin(cosim_simulation *self);

/* ---- Control of macro steps, in step_size.c ---- */

/* Allocates the control. SEAM_BAD_INPUT where the control of the definition is impossible; SEAM_NO_MEMORY. */
seam_status cosim_control_create(cosim_simulation *self, seam_error *error);
void cosim_control_destroy(cosim_simulation *self);
/* Begins with the definition's macro step. */
void cosim_control_begin(cosim_simulation *self);
/* Takes note of the motion of an accepted step. */
void cosim_control_watch(cosim_simulation *self, double H);
/* Stores the bodies at the end of the predictor's pass; `context` is the simulation. */
void cosim_control_predicted(void *context);
/* Whether a step that is not done yet may pass; `context` is the simulation. */
bool cosim_control_goes_on(void *context, double H);

#endif
