/* State and functions common to the files that read `cosim:`. */
#ifndef MODELS_SECTIONS_COSIM_SECTION_H
#define MODELS_SECTIONS_COSIM_SECTION_H

#include "cosim/schemes/scheme.h"
#include "models/reader.h"

typedef struct cosim_section {
  reader *r;
  cosim_builder *builder;
  cosim_options options;   /* the builder receives them at the end */
  cosim_scheme of_kind[2]; /* schemes of force elements, of joints */
  bool has_rtol, has_atol, has_macro_step;
  bool collocates;      /* all schemes of the section are of collocation */
  size_t *subsystem_of; /* (n_entries) of bodies and of force elements that a subsystem lists; SEAM_NONE */
  table subsystems;     /* names of those in the builder, to their numbers */
  table listed;         /* equations that a subsystem lists, to its number */
  table cuts;           /* names of elements that are cut */
  table coupled, connected, bonds, energy_corrected, balanced; /* keys that must not be given twice */
} cosim_section;

/* Memory while the file is read, zeroed; NULL when it is exhausted. */
void *cosim_section_take(const cosim_section *c, size_t n, size_t size);

/* Keys of an integrator, in this order; their values may be NULL. */
enum { INTEGRATOR_METHOD, INTEGRATOR_ORDER, INTEGRATOR_RTOL, INTEGRATOR_ATOL, INTEGRATOR_STEP, N_INTEGRATOR_KEYS };
/* With the form of its methods, and what the defaults of the method, the order and the tolerances are. */
#define INTEGRATOR_KEYS(methods, method, order, rtol, atol)                                                            \
  {"integrator", false, methods, "", "method; default: " method},                                                      \
      {"order", false, &form_order, "", "order of erk: 4, 5 or 8; default: " order},                                   \
      {"rtol", false, &form_positive, "", "relative tolerance of positions, velocities and states; default: " rtol},   \
      {"atol", false, &form_positive, "m, rad, m/s, rad/s", "absolute tolerance; default: " atol}, {                   \
    "micro_step", false, &form_step, "s", "step of the method, adaptive or fixed; default: adaptive"                   \
  }
seam_status cosim_section_integrator(reader *r, yaml_node *const *values, const form *methods,
                                     mbs_integrator_options *integrator);

/* One of two words, the second of which sets the flag; true or false. Nothing, where `value` is NULL. */
seam_status cosim_section_either(reader *r, const yaml_node *value, const form *words, bool *flag);
seam_status cosim_section_flag(reader *r, const yaml_node *value, bool *flag);

/* A signal "subsystem.name" or "subsystem.name.name" of an existing subsystem; of user equations an existing signal. */
seam_status cosim_section_signal(const cosim_section *c, const yaml_node *value, bool input, const char **name);

/* Enters a key; refuses one that exists already: "WHAT 'key' is given twice". */
seam_status cosim_section_once(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                               const char *key);

/* The number of a subsystem; refuses a name that is not a coupling. */
seam_status cosim_section_subsystem(const cosim_section *c, const yaml_node *name, size_t *subsystem);
/* The one whose name stands before the first point; NULL: there is none. */
const cosim_subsystem_def *cosim_section_owner(const cosim_section *c, const char *text);
seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name);

/* A scheme's name, of joints or of force elements. */
seam_status cosim_section_scheme_name(const cosim_section *c, const yaml_node *value, bool at_joint, const char **name);

/* An entry of `couplings:` with sides. */
seam_status cosim_section_part_coupling(cosim_section *c, yaml_node *value);

/* The inputs or outputs of a subsystem that couplings name, in their order: as many as there is room for. For the
 * reader of subsystems, before anything of `couplings:` is checked. */
size_t cosim_section_coupled(const reader *r, const char *subsystem, bool inputs, const char **names, size_t room);

/* Values of keys, in the order in which they are read. */
seam_status cosim_section_subsystems(cosim_section *c, yaml_node *value);
seam_status cosim_section_scheme(cosim_section *c, yaml_node *value);
seam_status cosim_section_couplings(cosim_section *c, yaml_node *value);
seam_status cosim_section_signals(cosim_section *c, yaml_node *value);
seam_status cosim_section_bonds(cosim_section *c, yaml_node *value);
seam_status cosim_section_corrections(cosim_section *c, yaml_node *value);
seam_status cosim_section_step_control(cosim_section *c, yaml_node *value);

/* Returns true if the schemes that `scheme:`, which was read, and `couplings:` (may be NULL) give are all of
 * collocation. */
bool cosim_section_collocates(const cosim_section *c, const yaml_node *couplings);
/* Control by the local error, where the file gives neither a macro step nor a control. */
seam_status cosim_section_default_control(cosim_section *c);

#endif
