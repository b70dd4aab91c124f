/* The quantities that a run is judged by, and their values over its time. */
#ifndef ANALYSIS_TRACK_H
#define ANALYSIS_TRACK_H

#include <stdbool.h>

#include <seam/cosim.h>
#include <seam/measures.h>

/* Kinds differ in their travel: analysis/deviation.c. */
typedef enum judged_kind {
  JUDGED_PLACE,
  JUDGED_ANGLE,
  JUDGED_VELOCITY,
  JUDGED_RATE,
  JUDGED_SIGNAL,
  JUDGED_FORCE /* reactions, accelerations and measures of them: judged apart, at macro points alone */
} judged_kind;

/* A quantity: a place or a velocity has two components, which count together. */
typedef struct judged_quantity {
  const char *element, *name; /* "crank", "place"; name "": the element has but one */
  const char *unit;
  judged_kind kind;
  int n;            /* components */
  size_t at;        /* the first of them in a row */
  bool never_jumps; /* the pose of a body; a variable or a measure may, whatever its unit */
} judged_quantity;

/* The quantities of one model, in the order of another's where it is made after that. */
typedef struct judged_list {
  const mbs_model *model;
  judged_quantity *quantities; /* (n) */
  size_t n, n_values;
  size_t *bodies; /* (n_bodies) bodies of this model; SEAM_NONE: it has no such body */
  size_t n_bodies;
  mbs_readout *readout; /* of variables and measures, (n_read) */
  size_t *read_at;      /* (n_read) their place in a row */
  double *read;         /* (n_read) scratch */
  size_t n_read;
  mbs_readout *forces; /* of reactions and measures that follow from them, */
  size_t *force_at;    /* (n_forces) */
  double *force;       /* (n_forces) scratch */
  size_t n_forces;
  size_t *signals, *signal_at; /* (n_signals) of the simulation, and their place in a row */
  size_t n_signals;
} judged_list;

/* Places, angles and their rates of all bodies; variables and measures; reactions of joints; signals of the simulation
 * (NULL: none) of the builder that are not among them. Integrals over a macro step, which balance corrections take, are
 * left out: they are not of a time. SEAM_NO_MEMORY. */
seam_status judged_list_create(const mbs_model *model, const cosim_simulation *simulation, const cosim_builder *builder,
                               judged_list **created, seam_error *error);
/* Lists the same quantities of another model by their names, or signals of its simulation (NULL: none) where the model
 * does not have them; those that it lacks are NaN. SEAM_NO_MEMORY. */
seam_status judged_list_match(const judged_list *list, const mbs_model *other, const cosim_simulation *simulation,
                              judged_list **created, seam_error *error);
void judged_list_destroy(judged_list *self);

/* Fills a row (n_values) from a state, whose a and lambda are known or not (forces are NaN then), and of signals from
 * the simulation (NULL: NaN). */
void judged_read(const judged_list *self, mbs_workspace *workspace, const mbs_state *state, bool is_evaluated,
                 const cosim_simulation *simulation, double *row);

/* A run's own rows have its kinetic and potential energy behind the quantities; NaN where they are not computed. */
enum { TRACK_ENERGIES = 2 };

/* Rows over time, ascending: when there is no more room every second one is left out, and from then on too. */
typedef struct track {
  size_t n_values, capacity;
  size_t n, stride, skipped; /* rows; one of `stride` is kept; those since the last one */
  double *times;             /* (capacity) */
  double *values;            /* (capacity x n_values) */
} track;

/* Creates a track of at most `rows` rows (at least 2), and fewer where they would be more than a million numbers.
 * SEAM_NO_MEMORY. */
seam_status track_create(size_t n_values, size_t rows, track **created, seam_error *error);
void track_destroy(track *self);
/* Returns room for the row at time t, which is later than all before; NULL: it is left out. */
double *track_add(track *self, double t);
/* Does the same for the last row of a run, which is never left out. */
double *track_add_last(track *self, double t);
/* The rows as bytes, aligned for any type; of NULL: none. SEAM_BAD_STATE: they are damaged, or of another track. */
size_t track_image_size(const track *self);
void track_save(const track *self, void *image);
seam_status track_restore(track *self, const void *image, seam_error *error);

static inline const double *track_row(const track *self, size_t i) { return self->values + i * self->n_values; }

#endif
