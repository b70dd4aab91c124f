/* The attributes that a reader and a writer of modelDescription.xml share, as tables. */
#ifndef FMI_DESCRIPTION_ROWS_H
#define FMI_DESCRIPTION_ROWS_H

#include "fmi/description.h"

typedef enum fmi_kind {
  FMI_ROW_TEXT,   /* const char *; NULL: not written */
  FMI_ROW_FLAG,   /* bool; false: not written */
  FMI_ROW_NUMBER, /* double; NaN: not written */
  FMI_ROW_INT,    /* int; 0: not written */
  FMI_ROW_COUNT,  /* uint32_t; 0: not written unless required */
  FMI_ROW_NAMED   /* enumerator, by names; 0: not written */
} fmi_kind;

typedef struct fmi_row {
  const char *name2, *name3; /* in FMI 2 and 3; NULL: not there */
  fmi_kind kind;
  size_t offset;
  bool is_required;
  const char *const *names; /* of FMI_ROW_NAMED, up to a NULL behind the first */
} fmi_row;

typedef struct fmi_rows {
  const fmi_row *rows;
  size_t n;
} fmi_rows;

extern const fmi_rows fmi_root_rows, fmi_capability_rows, fmi_experiment_rows, fmi_base_unit_rows;
/* Rows of attributes of a variable: those of every variable; those that FMI 2 writes at the element of the type: of
 * every type, of numbers, of real numbers. */
extern const fmi_rows fmi_variable_rows, fmi_typed_rows, fmi_number_rows, fmi_real_rows;

extern const char *const fmi_causality_names[], *const fmi_variability_names[], *const fmi_initial_names[];

/* Name of a row in a version; NULL: not there. */
const char *fmi_row_name(const fmi_row *row, fmi_version version);

#endif
