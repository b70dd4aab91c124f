/* Tables of the attributes that reader and writer of modelDescription.xml share. */
#ifndef FMI_DESCRIPTION_ROWS_H
#define FMI_DESCRIPTION_ROWS_H

#include "fmi/description.h"

typedef enum fmi_kind {
  FMI_ROW_TEXT,   /* const char *; NULL: not written */
  FMI_ROW_FLAG,   /* bool; false: not written */
  FMI_ROW_NUMBER, /* double; NaN: not written */
  FMI_ROW_INT,    /* int; 0: not written */
  FMI_ROW_COUNT,  /* uint32_t; 0: not written unless required */
  FMI_ROW_NAMED   /* enumerator, written by its name; 0: not written */
} fmi_kind;

typedef struct fmi_row {
  const char *name2, *name3; /* names in FMI 2 and 3; NULL: not in this version */
  fmi_kind kind;
  size_t offset;
  bool is_required;
  const char *const *names; /* names for FMI_ROW_NAMED, ended by NULL */
} fmi_row;

typedef struct fmi_rows {
  const fmi_row *rows;
  size_t n;
} fmi_rows;

/* A row with one name in both versions, and the rows of a table. */
#define BOTH(name, kind, type, field)                                                                                  \
  { name, name, kind, offsetof(type, field), false, NULL }
#define ROWS(table)                                                                                                    \
  { (table), sizeof(table) / sizeof *(table) }

extern const fmi_rows fmi_root_rows, fmi_capability_rows, fmi_experiment_rows, fmi_base_unit_rows;
/* Attributes of variables. The first table has those that stand in the variable's own element. The others have those
 * that FMI 2 gives in the element of the type (Real, ...): for all types, for numbers, for reals. */
extern const fmi_rows fmi_variable_rows, fmi_typed_rows, fmi_number_rows, fmi_real_rows;

/* Returns the name of a row in a version; NULL: not in this version. */
static inline const char *fmi_row_name(const fmi_row *row, fmi_version version) {
  return version == FMI_2 ? row->name2 : row->name3;
}

#endif
