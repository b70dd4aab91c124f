/* Modes of elements and the functions whose zeros end them. A mode, such as open or closed, changes only at switches:
 * between switches the element's equations are smooth. Modes are the last entries of z, with the rate 0. Before
 * mbs_enter_modes() modes are MBS_BY_MOTION: positions and velocities then select the branch of the law in each
 * evaluation. Elements that are cut by a port stay MBS_BY_MOTION. Integrators find the zeros of all switching functions
 * and change modes there (integrator_switches.c). */
#ifndef MBS_SWITCHING_MODES_H
#define MBS_SWITCHING_MODES_H

#include <math.h>

#include <seam/mbs.h>

/* Modes of one-sided elements: open (apart or slack), closed (pushing or pulling), released. A released element opens
 * so fast that damping would reverse its force; so the force is zero. Other elements with modes use MBS_BY_MOTION and
 * further values. */
typedef enum mbs_one_sided_mode { MBS_BY_MOTION, MBS_OPEN, MBS_CLOSED, MBS_RELEASED } mbs_one_sided_mode;

/* A switching function, its rate (NaN: not known, use differences) and the size of its round-off. */
typedef struct mbs_switch {
  double value, rate, noise;
} mbs_switch;

static const mbs_switch mbs_no_switch = {INFINITY, 0, 0}; /* never ends a mode */

/* Switching functions of a type of force elements, or of joints with hard friction (friction.h). The functions get an
 * element by its number, and a workspace with the frames of the state. If `of_forces`, the workspace also has
 * constraints and factors of mbs_accelerate(), and the state its a and lambda. */
typedef struct mbs_switches {
  int n_modes;   /* number of entries of each element in z; the first entry is MBS_BY_MOTION before enter() */
  int n_records; /* the last n_records of these entries describe past impacts; enter() does not set them */
  int n;         /* number of switching functions */
  bool of_forces;
  /* Returns true if the functions of the present modes need only positions and velocities; NULL: they need more. */
  bool (*is_of_motion)(const mbs_model *model, const mbs_state *state, int element);
  /* Finds the switching functions f (n) of the present modes; they are smooth functions of the state. A mode ends when
   * one of its functions falls below zero; a function of INFINITY never does. If a function starts below its noise, the
   * mode ends when the function is below -noise. */
  void (*read)(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f);
  /* Sets modes by positions and velocities alone. */
  void (*enter)(const mbs_workspace *ws, int element, mbs_state *state);
  /* Sets the element's modes after the zero of function `number`. On entry, state and workspace are those just before
   * this zero. */
  void (*pass)(const mbs_workspace *ws, int element, int number, mbs_state *state);
} mbs_switches;

/* An element with modes. */
typedef struct mbs_switching {
  const mbs_switches *type;
  bool is_joint;
  int element;
  int first_mode;   /* index in z of its first mode */
  int first_switch; /* index of its first function among those of the model */
} mbs_switching;

typedef struct mbs_switching_table {
  mbs_switching *row; /* (n) joints, then force elements */
  int n;
  int first_mode, n_modes; /* index in z of the first mode; number of modes */
  int n_switches;
  bool of_forces;
} mbs_switching_table;

/* Returns true if the value of a function ends the element's mode. */
static inline bool mbs_ends_mode(const mbs_switch *f) { return f->value < -f->noise; }

#endif
