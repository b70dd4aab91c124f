#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/fmu_export.h"

/* ---- Units of measure -------------------------------------------------------------------------------------------- */

static const fmi_unit known_units[] = {
    {.name = "kg", .kg = 1, .factor = 1},
    {.name = "m", .m = 1, .factor = 1},
    {.name = "s", .s = 1, .factor = 1},
    {.name = "rad", .rad = 1, .factor = 1},
    {.name = "A", .A = 1, .factor = 1},
    {.name = "V", .kg = 1, .m = 2, .s = -3, .A = -1, .factor = 1},
    {.name = "Hz", .s = -1, .factor = 1},
    {.name = "m/s", .m = 1, .s = -1, .factor = 1},
    {.name = "m/s2", .m = 1, .s = -2, .factor = 1},
    {.name = "rad/s", .rad = 1, .s = -1, .factor = 1},
    {.name = "rad/s2", .rad = 1, .s = -2, .factor = 1},
    {.name = "m.s", .m = 1, .s = 1, .factor = 1},
    {.name = "rad.s", .rad = 1, .s = 1, .factor = 1},
    {.name = "N", .kg = 1, .m = 1, .s = -2, .factor = 1},
    {.name = "N/m", .kg = 1, .s = -2, .factor = 1},
    {.name = "Nm", .kg = 1, .m = 2, .s = -2, .factor = 1},
    {.name = "Ns", .kg = 1, .m = 1, .s = -1, .factor = 1},
    {.name = "Nms", .kg = 1, .m = 2, .s = -1, .factor = 1},
    {.name = "J", .kg = 1, .m = 2, .s = -2, .factor = 1},
    {.name = "W", .kg = 1, .m = 2, .s = -3, .factor = 1},
    {.name = "Pa", .kg = 1, .m = -1, .s = -2, .factor = 1},
};
enum { N_UNITS = sizeof known_units / sizeof *known_units };

/* Lists the known units of measure that variables of the FMU use. Returns their number. */
static size_t list_units(const fmu_unit *unit, fmi_unit units[N_UNITS]) {
  size_t n = 0;
  for (size_t i = 0; i < N_UNITS; i++)
    for (size_t v = 0; v < unit->n_variables; v++)
      if (unit->variables[v].unit != NULL && strcmp(unit->variables[v].unit, known_units[i].name) == 0) {
        units[n++] = known_units[i];
        break;
      }
  return n;
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

static const struct {
  fmi_causality causality;
  fmi_variability variability;
  fmi_initial initial;
} of_role[] = {
    [FMU_TIME] = {FMI_INDEPENDENT, FMI_CONTINUOUS, FMI_BY_CAUSALITY},
    [FMU_PARAMETER] = {FMI_PARAMETER, FMI_FIXED, FMI_EXACT},
    [FMU_INPUT] = {FMI_INPUT, FMI_CONTINUOUS, FMI_BY_CAUSALITY},
    [FMU_OUTPUT] = {FMI_OUTPUT, FMI_CONTINUOUS, FMI_CALCULATED},
    [FMU_DEGREE] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_DERIVATIVES] = {FMI_LOCAL, FMI_DISCRETE, FMI_CALCULATED},
    [FMU_SHAPES] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_INPUT_DEGREE] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
    [FMU_WANTED] = {FMI_PARAMETER, FMI_TUNABLE, FMI_EXACT},
};

static fmi_variable describe(const fmu_variable *variable, size_t reference, const double *start) {
  fmi_variable of = fmi_default_variable();
  of.name = variable->name;
  of.description = variable->meaning != NULL && variable->meaning[0] != '\0' ? variable->meaning : NULL;
  for (size_t i = 0; i < N_UNITS && variable->unit != NULL; i++) /* a unit that is not known has no fmi_unit */
    if (strcmp(known_units[i].name, variable->unit) == 0)
      of.unit = known_units[i].name;
  of.reference = (uint32_t)reference;
  of.type = FMI_FLOAT64;
  of.causality = of_role[variable->role].causality;
  of.variability = variable->is_held ? FMI_DISCRETE : of_role[variable->role].variability;
  of.initial = of_role[variable->role].initial;
  of.intermediate_update = variable->role == FMU_INPUT;
  of.start = start;
  of.n_start = start != NULL ? 1 : 0;
  return of;
}

/* Returns the start value of a variable, or values of an array; NULL: the variable has no start value. */
static const double *start_of(const fmu_unit *unit, const fmu_variable *variable, const double *inputs) {
  if (variable->role == FMU_INPUT)
    return &inputs[variable->number];
  if (variable->role == FMU_SHAPES)
    return fmu_unit_shapes;
  if (variable->role == FMU_WANTED)
    return unit->wanted;
  const bool has_one =
      variable->role == FMU_PARAMETER || variable->role == FMU_DEGREE || variable->role == FMU_INPUT_DEGREE;
  return has_one ? &variable->start : NULL;
}

/* Sets, for each output, the inputs on which it depends directly, if the part reports feedthrough. Importers such as
 * Seam read outputs in an order that follows from this dependence. depends_on: memory for all these indices. */
static void add_dependence(const fmu_unit *unit, fmi_description *to, size_t *depends_on) {
  const cosim_part *part = unit->part;
  for (size_t o = 0; o < unit->n_variables && part->feedthrough != NULL; o++) {
    const fmu_variable *output = &unit->variables[o];
    if (output->role != FMU_OUTPUT)
      continue;
    to->variables[o].depends_on = depends_on;
    to->variables[o].n_depends_on = 0;
    for (size_t i = 0; i < unit->n_variables; i++)
      if (unit->variables[i].role == FMU_INPUT &&
          part->feedthrough[output->number * part->n_inputs + unit->variables[i].number]) {
        *depends_on++ = i;
        to->variables[o].n_depends_on++;
      }
  }
}

static void set_dimensions(fmi_variable *of, fmi_dimension *dimensions, size_t n) {
  of->dimensions = dimensions;
  of->n_dimensions = n;
  of->n_start = of->start != NULL ? fmi_n_values(of) : 0;
}

/* ---- The interface ----------------------------------------------------------------------------------------------- */

static void describe_interface(fmi_description *of, const fmu_unit *unit, const char *identifier) {
  const seam_simulation *simulation = seam_model_simulation(unit->file);
  const cosim_builder *builder = seam_model_cosim(unit->file);
  const bool has_inputs = unit->part->n_inputs > 0;
  of->capabilities.identifier = identifier;
  of->capabilities.can_get_and_set_state = true;
  of->capabilities.can_serialize_state = true;
  of->capabilities.directional_derivatives = true;
  of->capabilities.variable_step = true;
  of->capabilities.interpolates_inputs = has_inputs;
  of->capabilities.no_memory_functions = true;
  of->capabilities.intermediate_update = has_inputs;
  of->capabilities.might_return_early = unit->events != NULL;
  of->capabilities.event_mode = unit->events != NULL || fmu_unit_samples(unit);
  of->experiment.start = 0;
  of->experiment.stop = simulation->end;
  of->experiment.tolerance = simulation->integrator.rtol;
  of->experiment.step =
      builder != NULL ? cosim_builder_definition(builder)->options.macro_step : simulation->output_step;
}

seam_status fmu_describe(const fmu_unit *unit, fmi_version version, const char *identifier, const char *token,
                         unsigned needed_glibc, const double *inputs, char **text, size_t *size, seam_error *error) {
  static const char *categories[] = {"logEvents", "logStatusDiscard", "logStatusError"};
  fmi_description of = fmi_default_description(version);
  fmi_unit units[N_UNITS];
  char needs[64];
  snprintf(needs, sizeof needs, "for Linux with glibc 2.%u or newer", needed_glibc);
  of.variables = calloc(unit->n_variables, sizeof *of.variables);
  size_t *depends_on = calloc((size_t)unit->part->n_inputs * (size_t)unit->part->n_outputs + 1, sizeof *depends_on);
  if (of.variables == NULL || depends_on == NULL) {
    free(of.variables);
    free(depends_on);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the model description");
  }
  of.model_name = identifier;
  of.description = needed_glibc > 0 ? needs : NULL;
  of.token = token;
  of.tool = "Seam";
  of.units = units;
  of.n_units = list_units(unit, units);
  of.log_categories = categories;
  of.n_log_categories = sizeof categories / sizeof *categories;
  describe_interface(&of, unit, identifier);
  fmi_dimension dimensions[] = {{fmu_unit_count(unit, FMU_INPUT), SEAM_NONE},
                                {FMU_MAX_POWER + 1, SEAM_NONE},
                                {fmu_unit_count(unit, FMU_OUTPUT), SEAM_NONE}};
  fmi_dimension square[] = {{COSIM_FMU_POWERS, SEAM_NONE}, {COSIM_FMU_POWERS, SEAM_NONE}};
  for (size_t i = 0; i < unit->n_variables; i++) {
    if (version == FMI_2 && unit->variables[i].role >= FMU_DEGREE)
      continue;
    of.variables[of.n_variables] = describe(&unit->variables[i], i, start_of(unit, &unit->variables[i], inputs));
    if (unit->variables[i].role == FMU_DERIVATIVES)
      set_dimensions(&of.variables[of.n_variables], dimensions, sizeof dimensions / sizeof *dimensions);
    if (unit->variables[i].role == FMU_SHAPES)
      set_dimensions(&of.variables[of.n_variables], square, sizeof square / sizeof *square);
    if (unit->variables[i].role == FMU_WANTED)
      set_dimensions(&of.variables[of.n_variables], &dimensions[2], 1);
    of.n_variables++;
  }
  add_dependence(unit, &of, depends_on);
  const seam_status status = fmi_description_write(&of, text, size, error);
  free(of.variables);
  free(depends_on);
  return status;
}
