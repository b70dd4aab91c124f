/* Inside of a co-simulation of a mechanism: creation and start (simulation.c), macro steps (macro_step.c), image
 * (simulation_image.c) and results (simulation_results.c). An engine couples the parts (cosim/mechanism/engine.h). */
#ifndef COSIM_MECHANISM_SIMULATION_H
#define COSIM_MECHANISM_SIMULATION_H

#include <stdint.h>

#include "cosim/mechanism/engine.h"
#include "cosim/mechanism/partition.h"
#include "mbs/model/workspace.h"

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

/* Powers that the whole dissipates and is driven by, W, at both ends of the last step, and the differences of
 * accelerations and multipliers there from those of the whole. */
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

/* ---- Macro steps, in macro_step.c ---- */

/* Lengths of a step that ends at the first switch within it, in switches.c. */
typedef struct cosim_switch_search {
  double low, high;             /* no switch within a step of length `low`, one within `high` */
  const cosim_element_cut *cut; /* the first one's */
  int measure, tried;
  bool begins; /* behind a switch */
} cosim_switch_search;

/* Lengths of one that ends at the first event within it, in part_events.c. */
typedef struct cosim_event_search {
  double widen;    /* share by which a step that does not reach the event grows */
  double H, event; /* s, of the last that did; 0: none */
  int tried;
} cosim_event_search;

/* Lengths with which a step is tried. */
typedef struct cosim_step_search {
  double wanted, usual; /* s, of this step; of steps */
  bool is_judged;       /* by its local error ... */
  double indicator;     /* ... which passes up to 1 */
  bool is_restarted;    /* the next length is a new beginning of the search */
  cosim_switch_search switches;
  cosim_event_search events;
} cosim_step_search;

/* A source of obstacles that only a step shows. */
typedef struct cosim_obstacles {
  void (*begin)(cosim_simulation *self, cosim_step_search *search); /* at the beginning of the step; NULL: nothing */
  /* After a trial of length H: the length with which the step is to be tried instead; 0: no obstacle. */
  double (*look)(cosim_simulation *self, cosim_step_search *search, seam_status taken, double H);
} cosim_obstacles;
extern const cosim_obstacles cosim_rejected_errors, cosim_switches, cosim_part_events_of_step;

/* SEAM_BAD_STATE after a step that failed. */
seam_status cosim_simulation_check(const cosim_simulation *self, seam_error *error);
/* A step that is not judged, where steps have this usual length. */
seam_status cosim_simulation_step(cosim_simulation *self, double H, double usual, seam_error *error);

/* ---- The whole at macro points, in whole.c ---- */

/* After a step of length H: states, snapshots and energies. */
void cosim_simulation_assemble(cosim_simulation *self, double H);
/* The whole at the present macro point anew, from its parts and couplings. */
void cosim_simulation_take_present(cosim_simulation *self);
/* Variables that follow outputs of user parts take their present values. */
void cosim_simulation_follow(cosim_simulation *self);
/* Takes the signals of the engine's present macro point. */
void cosim_simulation_take_signals(cosim_simulation *self);
/* Snapshots of the cuts at an evaluated state of the whole. */
void cosim_simulation_sample_whole(const cosim_simulation *self, const mbs_state *state, cosim_snapshot *snapshots);
/* Stages of the couplings, where all have collocation schemes; else 0. */
int cosim_stages(const cosim_simulation *self);
bool cosim_projects(const cosim_element_cut *cut);
/* Power into the first side of a cut. */
double cosim_present_power(const cosim_element_cut *cut);
/* The multipliers of a cut joint in a state of the whole; not used of a force element. */
double *cosim_multipliers_of(const cosim_simulation *self, const cosim_element_cut *cut, const mbs_state *state);

/* ---- Kinks of laws of time, and samples, in kinks.c ---- */

/* The first one after t; a search takes longer than a step, so that it is kept. */
double cosim_kink_after(cosim_simulation *self, double t);
/* SEAM_CONSTRAINT_LOST where the law of a cut motion joint jumps. */
seam_status cosim_check_cut_motions(const cosim_simulation *self, double t, double end, seam_error *cause);
/* Returns true if multipliers of cut joints have a past, which amplifies their errors where steps differ. */
bool cosim_has_joint_with_past(const cosim_simulation *self);
/* Returns the length of the rest of a macro step of length H up to its first kink or sample; sums reach it. */
double cosim_length_to_kink(cosim_simulation *self, double rest, double H);
/* By how much the sum of macro steps of length H up to the present may be off, s. */
double cosim_sum_rounding(const cosim_simulation *self, double H);
/* The first sample of a part after the present time; INFINITY: none. */
double cosim_sample_after(const cosim_simulation *self);
/* Returns the length of the rest of a macro step of length H up to its first sample. */
double cosim_length_to_sample(const cosim_simulation *self, double rest, double H);
/* Where a step ended at a kink of a law of time, or at a sample, the next one begins beyond it. */
void cosim_pass_kinks(cosim_simulation *self);
/* At the start samples of parts, which the assembled whole took without signals, happen anew under them. */
seam_status cosim_sample_start_anew(cosim_simulation *self, seam_error *error);
/* Returns true if a step is so short beside the usual ones that its couplings follow the whole; takes it so. */
bool cosim_follows_whole(const cosim_simulation *self, double H, double usual);
seam_status cosim_prescribe_from_whole(cosim_simulation *self, double H, seam_error *cause);

/* ---- Modes of strands and contacts at cuts, in switches.c ---- */

/* SEAM_BAD_INPUT: a scheme needs steps that end at switches, and the parts cannot repeat steps. */
seam_status cosim_switches_create(cosim_simulation *self, seam_error *error);
/* Laws follow the motion; they keep to the modes of the present macro point; to those of self->modes. */
void cosim_switches_free(cosim_simulation *self);
void cosim_switches_begin(cosim_simulation *self);
void cosim_switches_take(cosim_simulation *self);

/* Prepares a step that begins behind a switch, before it is tried again. */
void cosim_begin_behind_switch(cosim_simulation *self, cosim_step_search *search);
/* Behind an accepted step. */
void cosim_switches_pass(cosim_simulation *self);
/* Writes why errors of the run fall slower than by the order of its schemes; "": nothing is known. */
void cosim_switches_tell(const cosim_simulation *self, char *text, size_t size);

/* ---- Events of parts, in part_events.c ---- */

void cosim_part_events_create(cosim_simulation *self);
/* Returns true if some part takes steps of one length, so that no macro step is shortened. */
bool cosim_has_fixed_steps(const cosim_simulation *self);

/* Counts those of an accepted step. */
void cosim_part_events_pass(cosim_simulation *self, double H);

/* Returns the fingerprint of model and definition, in simulation_image.c. */
uint64_t cosim_fingerprint(const cosim_simulation *self);
/* Counts of steps begin at zero, in simulation_image.c. */
void cosim_statistics_begin(cosim_simulation *self);

/* ---- Control of macro steps, in step_size.c ---- */

/* Allocates the control. SEAM_BAD_INPUT where the control of the definition is impossible; SEAM_NO_MEMORY. */
seam_status cosim_control_create(cosim_simulation *self, seam_error *error);
void cosim_control_destroy(cosim_simulation *self);
/* Begins with the definition's macro step. */
void cosim_control_begin(cosim_simulation *self);
/* Takes note of the motion of an accepted step. */
void cosim_control_record_motion(cosim_simulation *self, double H);
/* Stores the bodies at the end of the predictor's pass; `context` is the simulation. */
void cosim_control_predicted(void *context);
/* Prepares a step whose error is judged; decides within it whether it may pass (`context` is the simulation); finds its
 * indicator behind it: SEAM_NOT_CONVERGED where it does not pass and cannot be shorter. */
void cosim_control_expect(cosim_simulation *self);
bool cosim_control_goes_on(void *context, double H);
seam_status cosim_control_judge(cosim_simulation *self, cosim_step_search *search, seam_status taken, double H,
                                seam_error *cause);

typedef struct cosim_planned_step {
  double H;     /* s, to the first obstacle that is known */
  double usual; /* s, without one */
  double kink;  /* s, the time of the next kink */
} cosim_planned_step;
/* The next step, where the run ends after `rest`. */
cosim_planned_step cosim_control_plan(cosim_simulation *self, double rest);
/* SEAM_NOT_CONVERGED: it is too short to be taken. */
seam_status cosim_control_check_length(const cosim_simulation *self, double H, seam_error *cause);
bool cosim_is_by_error(const cosim_simulation *self);
/* The length after a step of length H: that of a search that began with a wanted one; by energy or prediction. */
double cosim_control_after_error(cosim_simulation *self, const cosim_step_search *search, double wanted, double H);
double cosim_control_after_indicator(cosim_simulation *self, double H);
/* Takes that over. */
void cosim_control_record(cosim_simulation *self, const cosim_planned_step *plan, double next);
/* SEAM_NOT_CONVERGED: the last steps led nowhere. */
seam_status cosim_control_check_progress(cosim_simulation *self, double rest, seam_error *error);

/* True where contacts or other elements inside subsystems changed their modes in the last macro step. */
bool cosim_has_switched_inside(const cosim_simulation *self);
/* As cosim_state_between(), with a and lambda of the whole evaluated there and corrected by their differences from
 * those of cosim_state() at both ends of the step, interpolated linearly: they show the effect of laws of time between
 * macro points. Takes an evaluation of the whole, and two more once a step. */
void cosim_evaluate_between(const cosim_simulation *self, double t, mbs_state *state);

#endif
