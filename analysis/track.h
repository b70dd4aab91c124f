/* The quantities by which a run is judged, and their values over time. */
#ifndef ANALYSIS_TRACK_H
#define ANALYSIS_TRACK_H

#include <stdbool.h>

#include <seam/cosim.h>
#include <seam/measures.h>

/* Kinds of quantities; analysis/deviation.c has the travel of each. */
typedef enum judged_kind {
  JUDGED_PLACE,
  JUDGED_ANGLE,
  JUDGED_VELOCITY,
  JUDGED_RATE,
  JUDGED_SIGNAL,
  JUDGED_FORCE /* reactions, accelerations, and measures of them and of energies: judged separately, only at macro
                  points */
} judged_kind;

/* A quantity; the two components of a place or a velocity count together. */
typedef struct judged_quantity {
  const char *element, *name; /* "crank", "place"; name "": the element has only one */
  const char *unit;
  judged_kind kind;
  double least;     /* least travel, in its unit: a share of a scale or of a state's size; 0: there is no such limit */
  int n;            /* number of components */
  size_t at;        /* index of the first component in a row */
  bool never_jumps; /* true for poses of bodies; variables and measures may jump, whatever their unit */
} judged_quantity;

/* The quantities of one model. judged_list_match() makes a list with the order of another model's list. */
typedef struct judged_list {
  const mbs_model *model;
  judged_quantity *quantities; /* (n) */
  size_t n, n_values;
  size_t *bodies; /* (n_bodies) numbers of the bodies in this model; SEAM_NONE: missing */
  size_t n_bodies;
  mbs_readout *readout; /* reads variables and measures (n_read) */
  size_t *read_at;      /* (n_read) index of each in a row */
  double *read;         /* (n_read) scratch */
  size_t n_read;
  mbs_readout *forces; /* reads reactions, and measures of these (n_forces) */
  size_t *force_at;    /* (n_forces) index of each in a row */
  double *force;       /* (n_forces) scratch */
  size_t n_forces;
  size_t *signals, *signal_at; /* (n_signals) number of each signal in the simulation, and its index in a row */
  size_t n_signals;
} judged_list;

/* Lists places, angles and their rates of all bodies; variables and measures; reactions of joints; and the other
 * signals of the builder's simulation (NULL: none). Integrals over a macro step, used by balance corrections, are left
 * out, as they are not values at a time. SEAM_NO_MEMORY. */
seam_status judged_list_create(const mbs_model *model, const cosim_simulation *simulation, const cosim_builder *builder,
                               judged_list **created, seam_error *error);
/* Lists the same quantities, found by name in another model, and the same signals of its simulation (NULL: none).
 * Values of missing ones will be NaN. SEAM_NO_MEMORY. */
seam_status judged_list_match(const judged_list *list, const mbs_model *other, const cosim_simulation *simulation,
                              judged_list **created, seam_error *error);
void judged_list_destroy(judged_list *self);

/* Fills a row (n_values) from a state and the signals of the simulation (NULL: these are NaN). is_evaluated: the state
 * has a and lambda; else forces are NaN. */
void judged_read(const judged_list *self, mbs_workspace *workspace, const mbs_state *state, bool is_evaluated,
                 const cosim_simulation *simulation, double *row);

/* Rows end with kinetic and potential energy; NaN: not computed. */
enum { TRACK_ENERGIES = 2 };

/* Rows of values at ascending times. A full track drops a quarter of its rows: among every second row, the half nearest
 * to the straight lines between their neighbours. So a long run keeps the rows of short motions. */
typedef struct track {
  const judged_list *list; /* needed until the last row is added */
  size_t n_values, capacity, n;
  double *times;                 /* (capacity) */
  double *values;                /* (capacity x n_values) values of the list, then energies */
  double *low, *high;            /* (n_values) range of values seen between rows, track_see(); low > high: none */
  double *bends, *ranked, *size; /* scratch; the first two (capacity / 2), size (n_values) */
} track;

/* Creates a track of at most `rows` rows (at least 4), limited to a million numbers. SEAM_NO_MEMORY. */
seam_status track_create(const judged_list *list, size_t rows, track **created, seam_error *error);
void track_destroy(track *self);
/* Returns room for the row at time t, with energies NaN; NULL: t is not later than the last row. */
double *track_add(track *self, double t);
/* Extends the ranges `low` and `high` by values between rows. */
void track_see(track *self, const double *values);
/* Forgets rows and values between them. */
void track_clear(track *self);
/* Return the size of an image of the rows (bytes), write the image, and read it. The image is aligned for any type;
 * that of NULL is empty. SEAM_BAD_STATE: the image is damaged, or of another track. */
size_t track_image_size(const track *self);
void track_save(const track *self, void *image);
seam_status track_restore(track *self, const void *image, seam_error *error);

static inline const double *track_row(const track *self, size_t i) { return self->values + i * self->n_values; }

#endif
