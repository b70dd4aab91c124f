/* State and functions shared by all files that read the section `cosim:`. */
#ifndef MODELS_SECTIONS_COSIM_SECTION_H
#define MODELS_SECTIONS_COSIM_SECTION_H

#include "cosim/schemes/scheme.h"
#include "models/reader.h"

typedef struct cosim_section {
  reader *r;
  cosim_builder *builder;
  cosim_options options;   /* passed to the builder at the end */
  cosim_scheme of_kind[2]; /* default schemes: [0] of force elements, [1] of joints */
  bool has_rtol, has_atol, has_macro_step;
  bool collocates;      /* all schemes in the file are collocation schemes */
  size_t *subsystem_of; /* (n_entries) subsystem that lists the body or force element; SEAM_NONE: none */
  table subsystems;     /* names of the builder's subsystems, with their indices */
  table listed;         /* `equations:` that subsystems list, with the index of the subsystem */
  table cuts;           /* names of cut elements */
  table coupled, connected, bonds, energy_corrected, balanced; /* names already read, which must be unique */
} cosim_section;

/* Rows of a table of keys for an integrator. Arguments: form of the methods, then texts of the defaults. */
#define INTEGRATOR_KEYS(methods, method, order, rtol, atol)                                                            \
  {"integrator", false, methods, "", "method; default: " method},                                                      \
      {"order", false, &form_order, "", "order of erk: 4, 5 or 8; default: " order},                                   \
      {"rtol", false, &form_positive, "", "relative tolerance of positions, velocities and states; default: " rtol},   \
      {"atol", false, &form_positive, "m, rad, m/s, rad/s", "absolute tolerance; default: " atol}, {                   \
    "micro_step", false, &form_step, "s", "step of the method, adaptive or fixed; default: adaptive"                   \
  }

/* Reads a signal "subsystem.name" or "subsystem.name.name", or a quantity of the mechanism. Fails if equations or an
 * FMU do not have the signal. Changes nothing if the key is missing (NULL). */
seam_status cosim_section_signal(const cosim_section *c, const yaml_node *value, bool input, const char **name);

/* Adds a key to the table `seen`. If it is there, fails: "WHAT 'key' is given twice". */
seam_status cosim_section_check_unique(const cosim_section *c, table *seen, const yaml_node *at, const char *what,
                                       const char *key);

seam_status cosim_section_subsystem(const cosim_section *c, const yaml_node *name, const cosim_subsystem_def **found);
/* Returns the subsystem whose name is the text up to its first dot; NULL: none. */
const cosim_subsystem_def *cosim_section_owner(const cosim_section *c, const char *text);
seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name);

/* Reads the name of a scheme for joints (at_joint) or for force elements; NULL for a missing key. */
seam_status cosim_section_scheme_name(const cosim_section *c, const yaml_node *value, bool at_joint, const char **name);

/* Lists the inputs or outputs of a subsystem that `couplings:` names, in the order of that section, which is read
 * later. Returns their number, at most `room`. */
size_t cosim_section_coupled(const reader *r, const char *subsystem, bool inputs, const char **names, size_t room);

/* Readers of keys, in the order of their calls. */
seam_status cosim_section_subsystems(cosim_section *c, yaml_node *value);
seam_status cosim_section_couplings(cosim_section *c, yaml_node *value);
seam_status cosim_section_signals(cosim_section *c, yaml_node *value);
seam_status cosim_section_bonds(cosim_section *c, yaml_node *value);
seam_status cosim_section_corrections(cosim_section *c, yaml_node *value);

#endif
