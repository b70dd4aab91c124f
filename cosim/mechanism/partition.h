/* A mechanism cut into subsystems: the subsystem of each body, the cut elements, their ports and sides.
 *
 * The scheme of a cut decides if the master or the exchange couples it. In the exchange one subsystem, the evaluator,
 * evaluates the element. It receives the motions of the element's markers on other subsystems and sends them the
 * element's wrench. */
#ifndef COSIM_MECHANISM_PARTITION_H
#define COSIM_MECHANISM_PARTITION_H

#include "base/arena.h"
#include "cosim/mechanism/cut_element.h"
#include "cosim/mechanism/energy_ledger.h"
#include "cosim/parts/multibody_part.h"
#include "cosim/schemes/cut.h"
#include <seam/cosim.h>

/* Contact modes (open, closed, released) of a cut strand or contact, one for each coordinate. */
typedef struct cosim_cut_modes {
  int32_t of[3];
  int32_t n_begin_switches; /* number of times that a mode changed at the beginning of the present step */
} cosim_cut_modes;

/* State of a cut at the present macro point, as stored in images. */
typedef struct cosim_cut_state {
  cosim_snapshot snapshot;
  cosim_energy_ledger ledger;
  cosim_cut_modes modes;
} cosim_cut_state;

/* An element between two subsystems. It is exchanged if the exchange couples it. */
typedef struct cosim_element_cut {
  cosim_cut base; /* the cut as the master sees it; exchanged: its sides are not used */
  bool is_joint;
  size_t element;      /* index of the joint or force element in the model */
  size_t body[2];      /* bodies in the model; one may be the ground if exchanged */
  size_t subsystem[2]; /* subsystem of each side; for the ground: the evaluator */
  cosim_mechanism_element law;
  int port[2];      /* port of each side in its subsystem; -1: the side is on the ground */
  int master_index; /* index among the master's couplings; -1: the cut is exchanged */
  bool is_exchanged;
  int bond;                      /* exchanged: index of its power bond in the exchange */
  size_t evaluator;              /* exchanged: the subsystem that evaluates the element */
  bool is_remote[2];             /* true: the body of the side is not in the evaluator */
  int evaluator_port[2];         /* for a remote side: its port in the evaluator */
  int force_order, motion_order; /* orders of the holds of force and motion */
  bool smooth;                   /* each hold begins with the end value and slope of the hold before */
  cosim_cut_state now;           /* state in a simulation */
} cosim_element_cut;

/* A body, or a force element on one body, where signals enter or leave a mechanical subsystem. */
typedef struct cosim_signal_port {
  size_t subsystem;
  cosim_probe at;
  bool has_inputs; /* true: a port, which has inputs; false: a probe */
  int number;      /* index of that port or probe */
} cosim_signal_port;

/* A quantity of the model that signals read: an output of the subsystem on whose motion it depends. */
typedef struct cosim_signal_quantity {
  const char *name; /* borrowed from the definition */
  size_t subsystem;
  mbs_quantity quantity;
  int number; /* index among the subsystem's quantities */
} cosim_signal_quantity;

/* A quantity of one subsystem that a signal sends to the laws or equations of another one (partition_equations.c). */
typedef struct cosim_linked_quantity {
  size_t reader, source; /* subsystems */
  mbs_quantity quantity;
  const char *name;
  int order;  /* order of the signal's hold */
  int port;   /* port of the reader's part that receives the quantity */
  int number; /* index among the quantities of the partition */
} cosim_linked_quantity;

/* A spring with a damper, or a rigid connection, of two user parts, or of a user part and a marker. */
typedef struct cosim_part_cut {
  cosim_cut base;
  cosim_linear_element spring;
  cosim_element rigid;
  size_t force[2];          /* force element whose marker is the side; SEAM_NONE: the side is in a user part */
  int first[2];             /* if the side is a marker: its first coordinate that is coupled */
  int port[2];              /* if the side is a marker: port of its part */
  cosim_part_ledger ledger; /* ledger in a simulation */
} cosim_part_cut;

/* A signal in results: an output of a user part, or a quantity that signals read. */
typedef struct cosim_result_signal {
  const char *name; /* "subsystem.name", "element.quantity" */
  const char *unit, *meaning;
  size_t subsystem;
  int output;
  size_t variable; /* variable of the model that takes the output's value; SEAM_NONE: no variable does */
  bool is_skipped; /* the part does not compute the output in steps; cosim_signal_now() computes it */
} cosim_result_signal;

/* An input or output of a subsystem that has a name (cosim/mechanism/signal_names.h). */
typedef struct cosim_named_signal {
  const char *name;
  size_t subsystem;
  bool is_output;
  int number; /* index among the inputs or outputs of the subsystem's part */
} cosim_named_signal;

typedef struct cosim_partition {
  arena memory; /* memory of arrays and names, except `linked` */
  const mbs_model *model;
  const cosim_subsystem_def *subsystems; /* (n_subsystems) borrowed from the definition */
  size_t n_subsystems;
  bool by_exchange;        /* something is exchanged (see choose_engines()), and no user parts are coupled */
  int n_master_cuts;       /* number of cuts that a master couples */
  size_t *subsystem_of;    /* (bodies) subsystem of each body */
  size_t *evaluator_of;    /* (force elements) subsystem that lists the element; SEAM_NONE: none lists it */
  cosim_element_cut *cuts; /* (n_cuts) joints, then force elements, in the order of the model */
  size_t n_cuts;
  cosim_scheme of_kind[2];        /* default schemes of force elements [0] and joints [1] */
  cosim_part_cut *part_couplings; /* (n_part_couplings) couplings of user parts */
  size_t n_part_couplings;
  cosim_result_signal *signals; /* (n_signals) signals in results */
  size_t n_signals;
  double *outputs;                 /* scratch: outputs of one part */
  cosim_signal_port *signal_ports; /* (n_signal_ports) ports and probes with signals */
  size_t n_signal_ports;
  cosim_signal_quantity *quantities; /* (n_quantities) quantities that signals read */
  size_t n_quantities;
  size_t *owner_of_variable; /* (n_variables) subsystem that has the variable; SEAM_NONE: all have it; SEAM_NONE - 1: it
                                reads several subsystems; NULL: no subsystem lists equations */
  cosim_named_signal *names; /* (n_names) first outputs that are quantities, then signals of user parts and markers */
  size_t n_names;
  cosim_linked_quantity *linked; /* (n_linked) quantities that signals send to other subsystems */
  size_t n_linked;
  cosim_part **parts;      /* (n_subsystems) part of each subsystem */
  cosim_part **mechanical; /* (n_mechanical) those of them that are multibody parts (cosim_is_mechanical()) */
  size_t n_mechanical;
  bool parts_are_taken; /* an engine owns the parts; else they belong to the partition */
} cosim_partition;

/* The model and the definition must outlive the partition. Free with cosim_partition_free(), also after a failure.
 * SEAM_BAD_INPUT naming the subsystem, body or coupling; SEAM_NO_MEMORY. */
seam_status cosim_partition_make(const mbs_model *model, const cosim_definition *definition, cosim_partition *made,
                                 seam_error *error);
void cosim_partition_free(cosim_partition *self);
/* Returns a list of the parts (n_subsystems), which now belong to the caller. NULL: no memory, nothing has changed. */
cosim_part **cosim_partition_take_parts(cosim_partition *self);

/* The first steps of cosim_partition_make(): finds subsystems and cuts. Reads only the subsystems of the definition. */
seam_status cosim_partition_cut(const mbs_model *model, const cosim_definition *definition, cosim_partition *made,
                                seam_error *error);

/* Returns true if a variable is an input of the model and its name has a dot, as "plant.y". Such a variable belongs to
 * no subsystem. At macro points it has the value of the user part's output of that name, if there is one. */
bool cosim_is_coupled_variable(const mbs_model *model, size_t variable);

/* Returns the index of the subsystem whose name is the first `length` bytes of a text; SEAM_NONE: there is none. */
size_t cosim_find_subsystem(const cosim_partition *self, const char *name, size_t length);

/* Returns the cut with a name; NULL: there is none. */
cosim_element_cut *cosim_find_cut(const cosim_partition *self, const char *name);

/* Returns true if a subsystem consists of bodies, force elements or equations of the model, not of a user part. */
static inline bool cosim_is_mechanical(const cosim_partition *self, size_t subsystem) {
  return self->subsystems[subsystem].user == NULL;
}

/* Returns true if the master advances a subsystem. If user parts are coupled, it advances all; else those with bodies,
 * if it couples some cut. */
static inline bool cosim_is_under_master(const cosim_partition *self, size_t subsystem) {
  return self->n_part_couplings > 0 || (self->n_master_cuts > 0 && self->subsystems[subsystem].n_bodies > 0);
}

/* Returns true if some subsystem lists equations of the model. cosim_owner_of_listed() returns the subsystem that lists
 * the equations of a variable or measure; SEAM_NONE: none does. */
static inline bool cosim_has_equations(const cosim_partition *self) { return self->owner_of_variable != NULL; }
size_t cosim_owner_of_listed(const cosim_partition *self, mbs_quantity quantity);

/* After cosim_partition_cut(): gives each cut the scheme of its options. Without one, it gets the default scheme of
 * joints or of force elements. Without a default, a force element that a subsystem lists gets "fd-k0-exchange".
 * SEAM_BAD_INPUT: a scheme or the order of a hold is wrong, or options name something that is not a coupling. */
seam_status cosim_choose_schemes(cosim_partition *self, const cosim_definition *definition, seam_error *error);

/* Writes and returns the name of the exchange's scheme nearest to a scheme of the master, for messages. */
enum { COSIM_SCHEME_NAME = 32 };
const char *cosim_exchange_scheme(const cosim_scheme *scheme, char name[COSIM_SCHEME_NAME]);

/* Steps of cosim_partition_make() in other files: equations that subsystems list; signal ports for the names in the
 * definition; ports and parts, with the names of their signals. */
seam_status cosim_partition_add_equations(cosim_partition *self, const cosim_definition *definition, seam_error *error);
seam_status cosim_partition_find_signal_ports(cosim_partition *self, const cosim_definition *definition,
                                              seam_error *error);
seam_status cosim_partition_make_parts(cosim_partition *self, const cosim_definition *definition, seam_error *error);
seam_status cosim_partition_name_signals(cosim_partition *self, seam_error *error);

#endif
