/* Groups of quantities of bodies, joints, force elements and measures (<seam/measures.h>). The quantities of a group
 * are found together. */
#ifndef MBS_QUANTITY_H
#define MBS_QUANTITY_H

#include <seam/measures.h>

enum { MBS_MAX_GROUP = 8, MBS_ALL_ROWS = (1 << MBS_MAX_GROUP) - 1 };

/* Stages of an evaluation that a group needs: none, kinematics (frames), or kinematics and constraints. */
typedef enum mbs_need { MBS_STATE, MBS_FRAMES, MBS_ROWS } mbs_need;

typedef struct mbs_quantity_row {
  const char *name, *unit, *meaning;
} mbs_quantity_row;

/* A change of a state, the direction along which quantities are differentiated. Time and work do not change. */
typedef struct mbs_direction {
  const double *q, *v, *a, *lambda; /* (3n, 3n, 3n, m) */
  const double *z;                  /* (n_states); NULL: zeros */
  const double *inputs;             /* (n_ports) changes of a part's inputs; NULL: zeros */
} mbs_direction;

/* A state whose quantities are read, with the stages of its evaluation in the workspace. along NULL: their values are
 * found; else their exact derivatives along it, NaN where a derivative does not exist. */
typedef struct mbs_reading {
  const mbs_workspace *ws;
  const mbs_state *state;
  const mbs_direction *along;
} mbs_reading;

/* Data of a force element from which the functions of_force.row[] compute values, or derivatives along a direction
 * (force_quantities.c). */
typedef struct mbs_force_reading mbs_force_reading;
/* Bits of `parts`, the data that a group needs: all coordinates; s, ṡ and s̈ of the only coordinate; the load. */
enum { MBS_OF_MEASURES = 1, MBS_OF_MOTION = 2, MBS_OF_LOAD = 4 };

typedef struct mbs_quantity_group {
  int n;
  mbs_quantity_row row[MBS_MAX_GROUP];
  bool is_usual;
  unsigned needs_dynamics;      /* bit k: row k needs a or lambda */
  unsigned needs_accelerations; /* bit k: row k needs a */
  bool of_load;                 /* needs the load of the force element, and so the values of its laws */
  mbs_need needs;
  /* Finds the n values of element number `element` of an owner (bodies count from 0), or their derivatives. */
  void (*find)(const mbs_reading *at, int element, double *values);
  struct {
    unsigned parts;
    double (*row[MBS_MAX_GROUP])(const mbs_force_reading *of);
  } of_force; /* for force elements, if find is NULL */
} mbs_quantity_group;

/* A list that ends in NULL. */
typedef const mbs_quantity_group *const *mbs_quantity_groups;

/* A further mbs_owner, for the inputs of a part of a mechanism. Only such parts have it. */
#define MBS_INPUTS MBS_OWNERS

/* Returns the groups of quantities of an element, which must exist. */
mbs_quantity_groups mbs_groups_of(const mbs_model *model, mbs_owner owner, int element);
/* Returns the group of a quantity, which must exist; *index: its index in the group. */
const mbs_quantity_group *mbs_group_of(const mbs_model *model, mbs_quantity quantity, int *index);

/* Finds the values of a group of force element `number`, or their derivatives. */
void mbs_read_force(const mbs_quantity_group *group, const mbs_reading *at, int number, double *values);

/* ---- The tables, in mbs/output/quantities/ ---- */

extern const mbs_quantity_group *const mbs_quantities_of_time[];
extern const mbs_quantity_group *const mbs_quantities_of_energy[];
extern const mbs_quantity_group *const mbs_quantities_of_body[];
extern const mbs_quantity_group *const mbs_quantities_of_variable[];
extern const mbs_quantity_group *const mbs_quantities_of_input[]; /* inputs of a part of a mechanism */

/* Return the groups of quantities of joint or force element `number`; the group of a joint's friction comes last. */
mbs_quantity_groups mbs_quantities_of_joint(const mbs_model *model, int number);
mbs_quantity_groups mbs_quantities_of_force(const mbs_model *model, int number);

/* ---- Groups and lists in these tables ---- */

extern const mbs_quantity_group mbs_quantity_cable_length, mbs_quantity_tension; /* of a cable */
extern const mbs_quantity_group mbs_quantity_contact;
extern const mbs_quantity_group mbs_quantity_stop, mbs_quantity_angle_stop;
extern const mbs_quantity_group mbs_quantity_impacts, mbs_quantity_turning_impacts; /* of contacts without friction */
extern const mbs_quantity_group *const mbs_quantities_of_hard_contact[];
extern const mbs_quantity_group *const mbs_quantities_of_hard_stop[];       /* of a length */
extern const mbs_quantity_group *const mbs_quantities_of_hard_angle_stop[]; /* of an angle */
extern const mbs_quantity_group *const mbs_quantities_of_hard_rope[];
extern const mbs_quantity_group *const mbs_quantities_of_hard_cable[];

#endif
