/* Quantities by which a run is compared with a reference, and their values over time. */
#ifndef ANALYSIS_TRACK_H
#define ANALYSIS_TRACK_H

#include <stdbool.h>

#include <seam/cosim.h>
#include <seam/measures.h>

/* Kinds of quantities; deviation.c defines the travel (range) of each. */
typedef enum compared_kind {
  COMPARED_POSITION,
  COMPARED_ANGLE,
  COMPARED_VELOCITY,
  COMPARED_RATE,
  COMPARED_SIGNAL,
  COMPARED_FORCE /* forces of elements; reactions, accelerations, energies and quantities that depend on these */
} compared_kind;

/* A quantity to compare. A position or velocity is one quantity with two components. */
typedef struct compared_quantity {
  const char *element, *name; /* e.g. "crank" and "place" (position); name "": the element has only one quantity */
  const char *unit;
  compared_kind kind;
  double size;      /* scale or nominal size, in `unit`; 0: not known */
  double least;     /* lower limit of the travel, in `unit`: a share of that size; 0: no limit */
  int n;            /* number of components */
  size_t first;     /* index of the first component in a row */
  bool never_jumps; /* true for positions and angles of bodies; variables and measures may jump, whatever their unit */
} compared_quantity;

/* Quantities that are read from states, and the places of their values in a row. */
typedef struct compared_readout {
  mbs_readout *readout;
  size_t n;
  mbs_quantity *quantities; /* (n) */
  size_t *index;            /* (n) index in a row of each quantity's value */
  double *values;           /* (n) scratch for `readout` */
} compared_readout;

/* The quantities of one model. compared_list_match() makes a list with the order of another model's list. */
typedef struct compared_list {
  const mbs_model *model;
  compared_quantity *quantities; /* (n) */
  size_t n, n_values;
  size_t *bodies; /* (n_bodies) index in `model` of each body to compare; SEAM_NONE: `model` lacks this body */
  size_t n_bodies;
  compared_readout motion;        /* reads the quantities of variables and measures */
  compared_readout forces;        /* reads the quantities of kind COMPARED_FORCE */
  size_t *signals, *signal_index; /* (n_signals) index of each signal in the simulation, and its index in a row */
  size_t n_signals;
} compared_list;

/* Lists the quantities to compare: position, angle and velocities of all bodies; variables and measures; reactions of
 * joints, forces of force elements and accelerations of bodies; and signals of the simulation (NULL: none) that are not
 * quantities of the model. `builder` built the simulation. Omits integrals over a macro step, which are not values at a
 * time. Fails with SEAM_NO_MEMORY. */
seam_status compared_list_create(const mbs_model *model, const cosim_simulation *simulation,
                                 const cosim_builder *builder, compared_list **created, seam_error *error);
/* Gives signals of unknown size the size of the same quantity in the undivided model. Fails with SEAM_NO_MEMORY. */
seam_status compared_list_take_sizes(compared_list *self, const mbs_model *undivided, seam_error *error);
/* Lists the same quantities for another model and its simulation (NULL: none), found by name, in the same order. A
 * quantity that the other model lacks reads NaN. Fails with SEAM_NO_MEMORY. */
seam_status compared_list_match(const compared_list *list, const mbs_model *other, const cosim_simulation *simulation,
                                compared_list **created, seam_error *error);
void compared_list_destroy(compared_list *self);

/* Fills a row (n_values) from a state and from the simulation's signals. simulation NULL: signals are NaN.
 * is_evaluated: the state has accelerations a and reactions lambda; if false, forces are NaN. */
void compared_list_read(const compared_list *self, mbs_workspace *workspace, const mbs_state *state, bool is_evaluated,
                        const cosim_simulation *simulation, double *row);

/* A row ends with kinetic and potential energy, J; NaN: not computed. */
enum { TRACK_ENERGIES = 2 };

/* Rows of values at ascending times. A full track drops a quarter of its rows: of every second row, those nearest to
 * the lines between their neighbours. So a long run retains more rows where the motion changes fast. */
typedef struct track {
  const compared_list *list; /* must outlive the last call of track_add() */
  size_t n_values, capacity, n;
  double *times;      /* (capacity) s */
  double *values;     /* (capacity x n_values) values of the list's quantities, then TRACK_ENERGIES energies */
  double *low, *high; /* (n_values) least and largest values between rows; low > high: none */
  double *curvatures, *sorted, *size; /* scratch: curvatures and sorted (capacity / 2), size (n_values) */
} track;

/* Returns `most`, or fewer rows if their values would exceed a million numbers. */
size_t track_affordable_rows(const compared_list *list, size_t most);

/* Creates a track for at most `rows` rows, or four if that is more. Fails with SEAM_NO_MEMORY. */
seam_status track_create(const compared_list *list, size_t rows, track **created, seam_error *error);
void track_destroy(track *self);
/* Adds a row at time t (s) and returns it, for the caller to fill; its energies are NaN. Returns NULL if t is not later
 * than the last row. */
double *track_add(track *self, double t);
/* Adds rows at the times of `points` up to `until`, from a simulation at a macro point. Rows at time `point` or later
 * get the present values, earlier rows interpolated motions, and NaN for forces and signals. `between` is scratch. */
void track_follow(track *self, const track *points, double point, double until, const compared_list *list,
                  mbs_workspace *workspace, const cosim_simulation *simulation, mbs_state *between);
/* Extends the ranges `low` and `high` by values (n_values) between rows. */
void track_extend_ranges(track *self, const double *values);
/* Removes all rows, and the ranges of values between them. */
void track_clear(track *self);
/* These return the size of an image of the rows (bytes), write the image, and read it. `image` must be aligned for any
 * type. The image of a NULL track is empty. SEAM_BAD_STATE: the image is damaged or belongs to another track. */
size_t track_image_size(const track *self);
void track_save(const track *self, void *image);
seam_status track_restore(track *self, const void *image, seam_error *error);

static inline const double *track_row(const track *self, size_t i) { return self->values + i * self->n_values; }

#endif
