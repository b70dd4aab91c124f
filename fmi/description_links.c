/* References to variables: by index from 1 in FMI 2; by value reference in FMI 3, where the first of several variables
 * counts (others are aliases). */
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "fmi/description_reader.h"

/* A value reference, sorted, with its first variable. */
typedef struct by_reference {
  uint32_t reference;
  size_t variable;
} by_reference;

typedef struct links {
  fmi_reader *r;
  fmi_description *made;
  by_reference *sorted; /* (n_variables) */
} links;

static int compare(const void *a, const void *b) {
  const by_reference *x = a, *y = b;
  if (x->reference != y->reference)
    return x->reference < y->reference ? -1 : 1;
  return x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Returns the variable of a number in the structure; SEAM_NONE, and a problem, if there is none. */
static size_t variable_of(const links *in, double number, size_t line) {
  const size_t n = in->made->n_variables;
  size_t variable = SEAM_NONE;
  if (in->r->version == FMI_2 && number >= 1 && number <= (double)n)
    variable = (size_t)number - 1;
  if (in->r->version == FMI_3) {
    const uint32_t reference = (uint32_t)number;
    size_t low = 0, high = n;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (in->sorted[middle].reference < reference)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < n && in->sorted[low].reference == reference)
      variable = in->sorted[low].variable;
  }
  if (variable == SEAM_NONE)
    fmi_reader_complain(in->r, line, "%s %.0f belongs to no variable",
                        in->r->version == FMI_2 ? "index" : "value reference", number);
  return variable;
}

static void link_dependencies(const links *in, const fmi_reference *from) {
  const size_t output = variable_of(in, (double)from->variable, from->line);
  size_t n = 0;
  const double *numbers = fmi_read_numbers(in->r, "dependencies", from->dependencies, &n);
  size_t *all = fmi_reader_take(in->r, (n + 1) * sizeof *all);
  if (output == SEAM_NONE || all == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    if (!(numbers[i] >= 0 && numbers[i] <= UINT32_MAX) ||
        (all[i] = variable_of(in, numbers[i], from->line)) == SEAM_NONE)
      return;
  in->made->variables[output].depends_on = all;
  in->made->variables[output].n_depends_on = n;
}

static void link_references(const links *in) {
  const fmi_reference *references = in->r->references.items;
  for (size_t i = 0; i < in->r->references.n; i++) {
    const fmi_reference *from = &references[i];
    if (from->dependencies != NULL)
      link_dependencies(in, from);
    size_t n = 0;
    const double *number =
        from->derivative != NULL ? fmi_read_numbers(in->r, "derivative", from->derivative, &n) : NULL;
    if (n == 1 && number[0] >= 0 && number[0] <= UINT32_MAX)
      in->made->variables[from->variable].derivative_of = variable_of(in, number[0], from->line);
  }
}

static void link_dimensions(const links *in, fmi_variable *variable) {
  for (size_t i = 0; i < variable->n_dimensions; i++) {
    fmi_dimension *dimension = &variable->dimensions[i];
    if (dimension->variable == SEAM_NONE)
      continue;
    dimension->variable = variable_of(in, (double)dimension->variable, fmi_reader_line(in->r));
    const fmi_variable *by = dimension->variable != SEAM_NONE ? &in->made->variables[dimension->variable] : NULL;
    if (by != NULL && by->n_start == 1 && by->start[0] >= 0 && by->start[0] <= UINT32_MAX)
      dimension->size = (size_t)by->start[0];
  }
}

static void check_names(const links *in) {
  table names = {0};
  for (size_t i = 0; i < in->made->n_variables; i++) {
    const char *name = in->made->variables[i].name;
    if (table_find(&names, name, strlen(name)) != NULL)
      FMI_COMPLAIN(in->r, "two variables have the name '%s'", name);
    else if (!table_add(&names, name, strlen(name), i))
      in->r->no_memory = true;
  }
  table_release(&names);
}

void fmi_reader_link(fmi_reader *r) {
  fmi_description *made = r->made;
  links in = {.r = r, .made = made, .sorted = fmi_reader_take(r, (made->n_variables + 1) * sizeof *in.sorted)};
  if (in.sorted == NULL)
    return;
  for (size_t i = 0; i < made->n_variables; i++)
    in.sorted[i] = (by_reference){made->variables[i].reference, i};
  qsort(in.sorted, made->n_variables, sizeof *in.sorted, compare);
  link_references(&in);
  const fmi_type_unit *types = r->types.items;
  for (fmi_variable *variable = made->variables; variable < made->variables + made->n_variables; variable++) {
    link_dimensions(&in, variable);
    for (size_t i = 0; i < r->types.n && variable->unit == NULL && variable->declared_type != NULL; i++)
      if (strcmp(types[i].name, variable->declared_type) == 0)
        variable->unit = types[i].unit;
    const fmi_causality causality = variable->causality;
    const bool is_parameter =
        causality == FMI_PARAMETER || causality == FMI_CALCULATED_PARAMETER || causality == FMI_STRUCTURAL_PARAMETER;
    if (variable->variability == FMI_USUAL)
      variable->variability = is_parameter ? FMI_FIXED : fmi_is_real(variable->type) ? FMI_CONTINUOUS : FMI_DISCRETE;
  }
  check_names(&in);
}
