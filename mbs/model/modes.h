/* Modes and what ends them. A mode is a number of an element that changes only at switches, such as whether a contact
 * presses: its equations are smooth as long as it stays. Modes are the last entries of z, with the rate 0. In a state
 * that no integrator has made they are MBS_BY_MOTION: then the element branches on its motion, as at rest and where it
 * is cut. Integrators watch the switching functions of all modes and pass their zeros (integrator_switches.c). */
#ifndef MBS_MODES_H
#define MBS_MODES_H

#include <seam/mbs.h>

/* Modes of contacts, strands and all that acts on one side: apart or slack; pushing or pulling; yielding so fast that
 * its damping would turn the force around, until it has caught up or is apart. Other elements have the first mode too,
 * and others of their own. */
typedef enum mbs_mode { MBS_BY_MOTION, MBS_OPEN, MBS_CLOSED, MBS_RELEASED } mbs_mode;

/* Returns the mode of an entry of z, which an interpolation may have rounded. */
static inline mbs_mode mbs_mode_of(double z) { return (mbs_mode)(z + 0.5); }

/* A switching function, its rate (NaN: it is to be taken by differences), and what is zero but for rounding. */
typedef struct mbs_switch {
  double value, rate, noise;
} mbs_switch;

/* Column of a type of force elements; of joints those that hold have it (friction.h). Elements are given by their
 * number; the workspace has frames, and where `of_forces` is set all of mbs_accelerate(): a and lambda of the state,
 * constraints and factors. */
typedef struct mbs_switches {
  int n_modes;   /* of each element, from state->z[first_mode] on; the first is MBS_BY_MOTION until it is entered */
  int n_records; /* the last of them: what has happened so far, which no mode follows from */
  int n;         /* switching functions */
  bool of_forces;
  /* Returns true if the functions in the present modes follow from the motion alone, though others do not; NULL: they
   * do not. */
  bool (*is_of_motion)(const mbs_model *model, const mbs_state *state, int element);
  /* The functions (n) in the present modes: smooth; the mode ends where one falls below zero; INFINITY: never. One that
   * begins at zero, within its noise, or below ends the mode as soon as it is below its noise. */
  void (*read)(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f);
  /* Modes that fit positions and velocities, whatever they were. */
  void (*enter)(const mbs_workspace *ws, int element, mbs_state *state);
  /* The modes behind the zero of one function. Positions, velocities and forces are still those before. */
  void (*pass)(const mbs_workspace *ws, int element, int number, mbs_state *state);
} mbs_switches;

/* An element with modes. */
typedef struct mbs_switching {
  const mbs_switches *type;
  bool is_joint;
  int element;
  int first_mode;   /* of its modes in z */
  int first_switch; /* of its functions among those of the model */
} mbs_switching;

typedef struct mbs_switching_table {
  mbs_switching *row; /* (n) joints, then force elements */
  int n;
  int first_mode, n_modes; /* in z */
  int n_switches;
  bool of_forces;
} mbs_switching_table;

/* Returns true if a function has ended its mode. */
static inline bool mbs_is_beyond(const mbs_switch *f) { return f->value < -f->noise; }

#endif
