/* State and functions shared by the files that read `cosim:`. */
#ifndef MODELS_SECTIONS_COSIM_SECTION_H
#define MODELS_SECTIONS_COSIM_SECTION_H

#include "cosim/schemes/scheme.h"
#include "models/reader.h"

typedef struct cosim_section {
  reader *r;
  cosim_builder *builder;
  cosim_options options;   /* given to the builder at the end */
  cosim_scheme of_kind[2]; /* default schemes of force elements, of joints */
  bool has_rtol, has_atol, has_macro_step;
  bool collocates;      /* all schemes in the file are collocation schemes */
  size_t *subsystem_of; /* (n_entries) subsystem that lists the body or force element; SEAM_NONE: none */
  table subsystems;     /* names of the builder's subsystems, with their indices */
  table listed;         /* names of listed equations, with the index of the subsystem */
  table cuts;           /* names of cut elements */
  table coupled, connected, bonds, energy_corrected, balanced; /* keys that must be unique */
} cosim_section;

/* Allocates zeroed memory for the time of reading; NULL: no memory. */
void *cosim_section_allocate(const cosim_section *c, size_t n, size_t size);

/* Rows for the keys of an integrator. Arguments: form of the methods, then texts of the defaults. */
#define INTEGRATOR_KEYS(methods, method, order, rtol, atol)                                                            \
  {"integrator", false, methods, "", "method; default: " method},                                                      \
      {"order", false, &form_order, "", "order of erk: 4, 5 or 8; default: " order},                                   \
      {"rtol", false, &form_positive, "", "relative tolerance of positions, velocities and states; default: " rtol},   \
      {"atol", false, &form_positive, "m, rad, m/s, rad/s", "absolute tolerance; default: " atol}, {                   \
    "micro_step", false, &form_step, "s", "step of the method, adaptive or fixed; default: adaptive"                   \
  }

/* Reads a signal "subsystem.name" or "subsystem.name.name" of an existing subsystem, or a quantity; signals of
 * equations and FMUs must exist. */
seam_status cosim_section_signal(const cosim_section *c, const yaml_node *value, bool input, const char **name);

/* Adds a key; refuses an existing one: "WHAT 'key' is given twice". */
seam_status cosim_section_once(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                               const char *key);

/* Gives the index of a subsystem by name, or fails. */
seam_status cosim_section_subsystem(const cosim_section *c, const yaml_node *name, size_t *subsystem);
/* Returns the subsystem whose name ends at the first dot of a text; NULL: none. */
const cosim_subsystem_def *cosim_section_owner(const cosim_section *c, const char *text);
seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name);

/* Reads the name of a scheme for joints or for force elements. */
seam_status cosim_section_scheme_name(const cosim_section *c, const yaml_node *value, bool at_joint, const char **name);

/* Lists the inputs or outputs of a subsystem that couplings name, in the order there, at most `room`; returns their
 * number. To be called before `couplings:` is read: the names are not checked. */
size_t cosim_section_coupled(const reader *r, const char *subsystem, bool inputs, const char **names, size_t room);

/* Readers of keys, in this order. */
seam_status cosim_section_subsystems(cosim_section *c, yaml_node *value);
seam_status cosim_section_scheme(cosim_section *c, yaml_node *value);
seam_status cosim_section_couplings(cosim_section *c, yaml_node *value);
seam_status cosim_section_signals(cosim_section *c, yaml_node *value);
seam_status cosim_section_bonds(cosim_section *c, yaml_node *value);
seam_status cosim_section_corrections(cosim_section *c, yaml_node *value);
seam_status cosim_section_step_control(cosim_section *c, yaml_node *value);

/* Returns true if all schemes of `scheme:`, already read, and of `couplings:` (may be NULL) are collocation schemes. */
bool cosim_section_collocates(const cosim_section *c, const yaml_node *couplings);
/* Sets step control by the local error. Call this if the file gives neither a macro step nor a step control. */
seam_status cosim_section_default_control(cosim_section *c);

#endif
