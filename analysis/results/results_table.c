/* Tables of results (<seam/results.h>): the columns of a trajectory, of couplings and of signals, and their rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/results.h>

#include "base/arena.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/table.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/model/measure.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"

struct seam_table {
  const mbs_model *model;
  const cosim_simulation *simulation;
  size_t n, capacity;
  seam_column *columns; /* (n) */
  bool is_incomplete;   /* columns are missing, since memory was exhausted */
  mbs_readout *readout; /* reads a trajectory's columns */
  arena texts;          /* names of the columns; their other texts, if seam_table_create() copied them */
};

/* ---- Columns ---- */

/* Adds a column. `element`, `unit` and `meaning` must outlive the table; `quantity` is copied. */
static void add_column(seam_table *self, const char *element, const char *quantity, const char *unit,
                       const char *meaning) {
  const char *dot = *quantity != '\0' ? "." : "";
  char *name = arena_print(&self->texts, "%s%s%s", element, dot, quantity);
  seam_column *columns = name != NULL ? array_grow(self->columns, &self->capacity, self->n + 1, sizeof *columns) : NULL;
  self->is_incomplete = self->is_incomplete || columns == NULL;
  if (columns == NULL)
    return;
  self->columns = columns;
  self->columns[self->n++] = (seam_column){name, element, name + strlen(element) + strlen(dot), unit, meaning};
}

static void add_time(seam_table *self) { add_column(self, "time", "", "s", "time"); }

static void free_columns(seam_table *self) {
  free(self->columns);
  arena_release(&self->texts);
}

/* Returns in *created a copy of a filled table. If memory was exhausted when a column was added, frees the columns and
 * fails with SEAM_NO_MEMORY. */
static seam_status finish(seam_table *self, seam_table **created, seam_error *error) {
  seam_table *made = self->is_incomplete ? NULL : malloc(sizeof *made);
  if (made == NULL) {
    free_columns(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the columns of a table");
  }
  *made = *self;
  *created = made;
  return SEAM_OK;
}

/* ---- Access ---- */

/* Returns a copy of the text, owned by the table; "" for NULL. Sets self->is_incomplete if memory is exhausted. */
static const char *copy_text(seam_table *self, const char *text) {
  const char *copy = text != NULL ? arena_text(&self->texts, text, strlen(text)) : "";
  self->is_incomplete = self->is_incomplete || copy == NULL;
  return copy;
}

seam_status seam_table_create(const seam_column *columns, size_t n, seam_table **created, seam_error *error) {
  ARGUMENTS(error, columns, created);
  seam_table made = {0};
  for (size_t i = 0; i < n; i++) {
    const char *element = copy_text(&made, columns[i].element);
    const char *unit = copy_text(&made, columns[i].unit);
    const char *meaning = copy_text(&made, columns[i].meaning);
    add_column(&made, element, columns[i].quantity != NULL ? columns[i].quantity : "", unit, meaning);
  }
  return finish(&made, created, error);
}

size_t seam_table_n_columns(const seam_table *self) { return self == NULL ? 0 : self->n; }

const seam_column *seam_table_column(const seam_table *self, size_t column) {
  return column < seam_table_n_columns(self) ? &self->columns[column] : NULL;
}

size_t seam_table_find(const seam_table *self, const char *name) {
  for (size_t i = 0; i < seam_table_n_columns(self) && name != NULL; i++)
    if (strcmp(self->columns[i].name, name) == 0)
      return i;
  return SEAM_NONE;
}

void seam_table_destroy(seam_table *self) {
  if (self == NULL)
    return;
  free_columns(self);
  mbs_readout_destroy(self->readout);
  free(self);
}

/* ---- Trajectory: quantities of the mechanism (<seam/measures.h>) ---- */

/* The columns that have been chosen so far. */
typedef struct choice {
  seam_table table;
  mbs_quantity *quantities; /* (table.n) quantity of each column */
  size_t capacity;
  table names; /* names of these columns, to find repetitions */
  bool may_repeat;
} choice;

static void add_quantity(choice *self, mbs_quantity quantity) {
  const mbs_quantity_info info = mbs_quantity_of(self->table.model, quantity);
  seam_table *columns = &self->table;
  mbs_quantity *grown = array_grow(self->quantities, &self->capacity, columns->n + 1, sizeof *grown);
  columns->is_incomplete = columns->is_incomplete || grown == NULL;
  self->quantities = grown != NULL ? grown : self->quantities;
  if (columns->is_incomplete)
    return;
  self->quantities[columns->n] = quantity;
  add_column(columns, info.element, info.name, info.unit, info.meaning);
  if (columns->is_incomplete || !self->may_repeat)
    return;
  const char *name = columns->columns[columns->n - 1].name;
  const size_t length = strlen(name);
  if (table_find(&self->names, name, length) != NULL)
    columns->n--;
  else
    columns->is_incomplete = !table_add(&self->names, name, length, 0);
}

typedef enum column_set { DEFAULT, ALL } column_set;

static void add_element(choice *self, mbs_owner owner, size_t element, column_set which) {
  const size_t n = mbs_n_quantities(self->table.model, owner, element);
  for (size_t i = 0; i < n; i++) {
    const mbs_quantity quantity = {owner, element, i};
    if (which == ALL || mbs_quantity_of(self->table.model, quantity).is_usual)
      add_quantity(self, quantity);
  }
}

static void add_owner(choice *self, mbs_owner owner, column_set which) {
  const size_t n = mbs_n_elements(self->table.model, owner);
  for (size_t i = 0; i < n; i++)
    add_element(self, owner, i, which);
}

enum { TIME, ENERGY }; /* elements of the owner MBS_WHOLE, the entire mechanism */

static void add_elements(choice *self, column_set which) {
  add_owner(self, MBS_BODIES, which);
  add_owner(self, MBS_JOINTS, which);
  add_owner(self, MBS_FORCES, which);
  add_element(self, MBS_WHOLE, ENERGY, which);
  add_owner(self, MBS_VARIABLES, which);
  add_owner(self, MBS_MEASURES, which);
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static seam_status add_named(choice *self, const char *name, size_t length, seam_error *error) {
  const mbs_model *model = self->table.model;
  mbs_quantity found;
  if (is_word(name, length, "default")) {
    add_elements(self, DEFAULT);
  } else if (is_word(name, length, "all")) {
    add_elements(self, ALL);
  } else if (mbs_find_quantity_of_length(model, name, length, &found)) {
    add_quantity(self, found);
  } else if (mbs_find_element_of_length(model, name, length, &found)) {
    add_element(self, found.owner, found.element, ALL);
  } else {
    char hint[400];
    mbs_suggest(model, name, length, hint, sizeof hint);
    return seam_fail(error, SEAM_BAD_INPUT, "unknown column '%.*s'%s%s", (int)(length < 100 ? length : 100), name,
                     hint[0] != '\0' ? "; " : "; columns are default, all, ELEMENT or ELEMENT.QUANTITY, between commas",
                     hint);
  }
  return SEAM_OK;
}

seam_status seam_trajectory_table_choose(const mbs_model *model, const char *columns, seam_table **created,
                                         seam_error *error) {
  ARGUMENTS(error, model, columns, created);
  choice chosen = {.table = {.model = model}, .may_repeat = strchr(columns, ',') != NULL};
  seam_status status = SEAM_OK;
  const char *at = columns;
  add_element(&chosen, MBS_WHOLE, TIME, ALL);
  do {
    const size_t length = strcspn(at, ",");
    status = add_named(&chosen, at, length, error);
    at += length;
  } while (status == SEAM_OK && *at++ == ',');
  if (status == SEAM_OK) {
    seam_table *made = NULL;
    status = finish(&chosen.table, &made, error);
    THEN(status, mbs_readout_create(made->model, chosen.quantities, made->n, &made->readout, error));
    if (status == SEAM_OK)
      *created = made;
    else
      seam_table_destroy(made);
  } else
    free_columns(&chosen.table);
  table_release(&chosen.names);
  free(chosen.quantities);
  return status;
}

seam_status seam_trajectory_table_create(const mbs_model *model, seam_table **created, seam_error *error) {
  ARGUMENTS(error, model, created);
  return seam_trajectory_table_choose(model, "default", created, error);
}

seam_status seam_trajectory_row(const seam_table *self, mbs_workspace *workspace, const mbs_state *state, double *row,
                                seam_error *error) {
  const void *const given[] = {self, workspace, state, row};
  TRY(argument_check(__func__, "table, workspace, state, row", given, 4, error));
  TRY(mbs_state_check(__func__, self->model, state, error));
  mbs_read(self->readout, workspace, state, row);
  if (finite_all(row, (int)self->n))
    return SEAM_OK;
  size_t i = 0;
  while (isfinite(row[i]))
    i++;
  const bool is_measure = mbs_find_measure(self->model, self->columns[i].element) != SEAM_NONE;
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.6g s: %s is not finite; %s", state->t, self->columns[i].name,
                   is_measure ? "guard the measure by if() where it divides by zero or leaves the range of a function"
                              : "look for a force that grows without bound before that time");
}

/* ---- Couplings and power bonds at a macro point, and their energies ---- */

/* A quantity of an element, with the texts for its column. */
typedef struct quantity_texts {
  const char *name, *unit, *meaning;
} quantity_texts;

enum { N_WRENCH = 3, N_ENERGY = 3, MAX_RESIDUALS = 3 };

static const quantity_texts of_wrench[N_WRENCH] = {
    {"lambda_x", "N", "force on the first side"},
    {"lambda_y", "N", "force on the first side"},
    {"lambda_phi", "Nm", "torque on the first side, about its marker"},
};
static const quantity_texts of_bond[1] = {
    {"power", "W", "power into the subsystem of the bond's first port, at the macro point"},
};
static const quantity_texts of_energy[N_ENERGY] = {
    {"residual_power", "W", "power on which the two sides disagree, over the last macro step"},
    {"residual_energy", "J", "energy on which the two sides disagree, since the start"},
    {"created_energy", "J", "energy that the coupling has created since the start"},
};

/* Adds the columns of a coupling's residuals. The first and second rates of "g_x" are named "gd_x" and "gdd_x". */
static void add_residuals(seam_table *self, size_t coupling) {
  static const char *const rates[SEAM_N_RESIDUAL_LEVELS] = {"", "d", "dd"};
  static const char *const units[SEAM_N_RESIDUAL_LEVELS][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"m/s2", "rad/s2"}};
  static const char *const meanings[SEAM_N_RESIDUAL_LEVELS] = {
      "residual of the cut joint", "first rate of the residual", "second rate of the residual"};
  const char *name = cosim_coupling_of(self->simulation, coupling).name;
  const mbs_joint *joint = &self->model->joints[cosim_coupling_of(self->simulation, coupling).element];
  for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++)
    for (int row = 0; row < joint->type->n_rows; row++) {
      /* mbs_joint_motion prescribes an angle */
      const bool is_angle = strcmp(joint->type->residual[row], "g_phi") == 0 || joint->type == &mbs_joint_motion;
      char quantity[16];
      snprintf(quantity, sizeof quantity, "g%s%s", rates[level], joint->type->residual[row] + 1);
      add_column(self, name, quantity, units[level][is_angle], meanings[level]);
    }
}

static void add_columns(seam_table *self, const char *element, const quantity_texts *quantities, size_t n) {
  for (size_t i = 0; i < n; i++)
    add_column(self, element, quantities[i].name, quantities[i].unit, quantities[i].meaning);
}

seam_status seam_couplings_table_create(const mbs_model *model, const cosim_simulation *simulation,
                                        seam_table **created, seam_error *error) {
  ARGUMENTS(error, model, simulation, created);
  TRY(mbs_state_check(__func__, model, cosim_state(simulation), error));
  seam_table self = {.model = model, .simulation = simulation};
  add_time(&self);
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    const char *name = cosim_coupling_of(simulation, k).name;
    add_columns(&self, name, of_wrench, N_WRENCH);
    if (cosim_coupling_of(simulation, k).is_joint)
      add_residuals(&self, k);
    add_columns(&self, name, of_energy, N_ENERGY);
  }
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_coupling_def *def = cosim_part_coupling(simulation, k);
    const cosim_side_def *marker = def->side[0].element != NULL ? &def->side[0] : &def->side[1];
    const int first = marker->element != NULL ? marker->first : 0; /* 0: x; 1: y; 2: angle */
    add_columns(&self, def->name, of_wrench + first, (size_t)def->n_dims);
    add_columns(&self, def->name, of_energy, N_ENERGY);
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++) {
    add_columns(&self, cosim_bond_name(simulation, i), of_energy, N_ENERGY - 1);
    add_columns(&self, cosim_bond_name(simulation, i), of_bond, 1);
  }
  return finish(&self, created, error);
}

static double *fill_energy(cosim_bond_energy energy, double *at) {
  at[0] = energy.residual_power;
  at[1] = energy.residual_energy;
  return at + 2;
}

void seam_couplings_row(const seam_table *self, double time, double *row) {
  if (self == NULL || row == NULL)
    return;
  const cosim_simulation *simulation = self->simulation;
  double *at = row;
  *at++ = time;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++) {
    double wrench[2][N_WRENCH];
    cosim_coupling_wrenches(simulation, k, wrench);
    memcpy(at, wrench[0], sizeof wrench[0]);
    at += N_WRENCH;
    double residual[SEAM_N_RESIDUAL_LEVELS][MAX_RESIDUALS];
    const size_t n = cosim_coupling_residuals(simulation, k, residual[0], residual[1], residual[2]);
    for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS; level++, at += n)
      memcpy(at, residual[level], n * sizeof *at);
    at = fill_energy(cosim_coupling_energy(simulation, k), at);
    *at++ = cosim_coupling_created(simulation, k);
  }
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_bond_energy energy = cosim_part_coupling_energy(simulation, k);
    double lambda[N_WRENCH];
    cosim_part_coupling_wrench(simulation, k, lambda);
    for (int i = 0; i < cosim_part_coupling(simulation, k)->n_dims; i++)
      *at++ = lambda[i];
    at = fill_energy(energy, at);
    *at++ = energy.residual_energy;
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++) {
    const cosim_bond_energy energy = cosim_bond_energy_of(simulation, i);
    at = fill_energy(energy, at);
    *at++ = energy.power;
  }
}

static void add_energy(cosim_bond_energy energy, double created, seam_interface_energy *sum) {
  sum->residual_power += energy.residual_power;
  sum->residual_energy += energy.residual_energy;
  sum->created += created;
}

seam_interface_energy seam_interface_energy_of(const cosim_simulation *simulation) {
  seam_interface_energy sum = {0};
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    add_energy(cosim_coupling_energy(simulation, k), cosim_coupling_created(simulation, k), &sum);
  for (size_t k = 0; k < cosim_n_part_couplings(simulation); k++) {
    const cosim_bond_energy energy = cosim_part_coupling_energy(simulation, k);
    add_energy(energy, energy.residual_energy, &sum);
  }
  for (size_t i = 0; i < cosim_n_bonds(simulation); i++)
    add_energy(cosim_bond_energy_of(simulation, i), 0, &sum);
  return sum;
}

/* ---- Signals at a macro point ---- */

seam_status seam_signals_table_create(const cosim_simulation *simulation, seam_table **created, seam_error *error) {
  ARGUMENTS(error, simulation, created);
  seam_table self = {.simulation = simulation};
  add_time(&self);
  for (size_t i = 0; i < cosim_n_signals(simulation); i++) {
    const char *meaning = cosim_signal_of(simulation, i).meaning;
    add_column(&self, cosim_signal_of(simulation, i).name, "", cosim_signal_of(simulation, i).unit,
               meaning[0] != '\0' ? meaning : "signal of a subsystem");
  }
  return finish(&self, created, error);
}

void seam_signals_row(const seam_table *self, double time, double *row) {
  if (self == NULL || row == NULL)
    return;
  row[0] = time;
  for (size_t i = 0; i + 1 < self->n; i++)
    row[i + 1] = cosim_signal_now(self->simulation, i);
}

/* ---- Names as identifiers of programming languages ---- */

/* Characters other than letters and digits become _. An x is put before a first character that is not a letter, as
 * MATLAB's matlab.lang.makeValidName does. */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the names of columns");
}

/* Replaces the name of the next column by its identifier, which must not be among those that are `taken`. */
static seam_status rename_column(seam_column *column, arena *texts, const seam_table *of, table *taken,
                                 seam_error *error) {
  char *name = arena_print(texts, "%s%s", is_letter(column->name[0]) ? "" : "x", column->name);
  TRY(check_memory(name != NULL, error));
  const size_t length = strlen(name);
  for (char *c = name; *c != '\0'; c++)
    *c = is_letter(*c) || (*c >= '0' && *c <= '9') ? *c : '_';
  const table_slot *other = table_find(taken, name, length);
  if (other != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the columns '%s' and '%s' would both be named '%s'; rename an element of the model, or keep the "
                     "dots in names (--names dot)",
                     of->columns[other->value].name, column->name, name);
  column->name = name;
  return check_memory(table_add(taken, name, length, taken->count), error);
}

seam_status seam_table_use_identifiers(seam_table *self, seam_error *error) {
  ARGUMENTS(error, self);
  seam_column *renamed = calloc(self->n, sizeof *renamed);
  TRY(check_memory(renamed != NULL, error));
  memcpy(renamed, self->columns, self->n * sizeof *renamed);
  table taken = {0};
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < self->n && status == SEAM_OK; i++)
    status = rename_column(&renamed[i], &self->texts, self, &taken, error);
  if (status == SEAM_OK)
    memcpy(self->columns, renamed, self->n * sizeof *renamed);
  table_release(&taken);
  free(renamed);
  return status;
}
