/* Defaults and names, and the tables that reader and writer share. */
#include "fmi/description.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/description_rows.h"

fmi_description fmi_default_description(fmi_version version) {
  return (fmi_description){.version = version,
                           .capabilities = {.fixed_internal_step = NAN},
                           .experiment = {.start = NAN, .stop = NAN, .tolerance = NAN, .step = NAN}};
}

fmi_variable fmi_default_variable(void) {
  return (fmi_variable){.derivative_of = SEAM_NONE, .min = NAN, .max = NAN, .nominal = NAN, .n_depends_on = SEAM_NONE};
}

fmi_unit fmi_default_unit(void) { return (fmi_unit){.factor = 1}; }

const char *const fmi_causality_names[] = {"local",  "parameter",   "calculatedParameter", "input",
                                           "output", "independent", "structuralParameter", NULL};
const char *const fmi_variability_names[] = {"", "constant", "fixed", "tunable", "discrete", "continuous", NULL};
const char *const fmi_initial_names[] = {"", "exact", "approx", "calculated", NULL};

#define EXACT_MAX 9007199254740991.0 /* 2^53 - 1 */

static const struct {
  const char *name2, *name3;
  double least, greatest;
} types[] = {
    [FMI_FLOAT64] = {"Real", "Float64", -INFINITY, INFINITY},
    [FMI_FLOAT32] = {NULL, "Float32", -FLT_MAX, FLT_MAX},
    [FMI_INT8] = {NULL, "Int8", INT8_MIN, INT8_MAX},
    [FMI_UINT8] = {NULL, "UInt8", 0, UINT8_MAX},
    [FMI_INT16] = {NULL, "Int16", INT16_MIN, INT16_MAX},
    [FMI_UINT16] = {NULL, "UInt16", 0, UINT16_MAX},
    [FMI_INT32] = {"Integer", "Int32", INT32_MIN, INT32_MAX},
    [FMI_UINT32] = {NULL, "UInt32", 0, UINT32_MAX},
    [FMI_INT64] = {NULL, "Int64", -EXACT_MAX, EXACT_MAX},
    [FMI_UINT64] = {NULL, "UInt64", 0, EXACT_MAX},
    [FMI_BOOLEAN] = {"Boolean", "Boolean", 0, 1},
    [FMI_ENUMERATION] = {"Enumeration", "Enumeration", -EXACT_MAX, EXACT_MAX},
    [FMI_STRING] = {"String", "String", 0, 0},
    [FMI_BINARY] = {NULL, "Binary", 0, 0},
    [FMI_CLOCK] = {NULL, "Clock", 0, 0},
};

const char *fmi_type_name(fmi_type type, fmi_version version) {
  if ((size_t)type >= sizeof types / sizeof *types)
    return NULL;
  return version == FMI_2 ? types[type].name2 : types[type].name3;
}

bool fmi_may_be_set_before(const fmi_variable *variable) {
  const bool is_started = variable->initial == FMI_EXACT || variable->initial == FMI_APPROX;
  return variable->variability != FMI_CONSTANT &&
         (variable->causality == FMI_PARAMETER || variable->causality == FMI_STRUCTURAL_PARAMETER ||
          ((variable->causality == FMI_OUTPUT || variable->causality == FMI_LOCAL) && is_started));
}

size_t fmi_n_values(const fmi_variable *variable) {
  size_t n = 1;
  for (size_t i = 0; i < variable->n_dimensions; i++)
    n *= variable->dimensions[i].size;
  return n;
}

bool fmi_is_real(fmi_type type) { return type == FMI_FLOAT64 || type == FMI_FLOAT32; }

bool fmi_is_number(fmi_type type) {
  return type != FMI_BOOLEAN && type != FMI_STRING && type != FMI_BINARY && type != FMI_CLOCK;
}

bool fmi_can_represent(const fmi_variable *variable, fmi_version version, double number, char *why, size_t size) {
  const fmi_type type = variable->type;
  const fmi_type stored = version == FMI_2 && type == FMI_ENUMERATION ? FMI_INT32 : type;
  const double least = types[stored].least, greatest = types[stored].greatest;
  if (fmi_is_real(type) && !isfinite(number))
    return true;
  if (!fmi_is_real(type) && round(number) != number)
    snprintf(why, size, "is a whole number, not %g", number);
  else if (number >= least && number <= greatest)
    return true;
  else
    snprintf(why, size, "is of the type %s, from %.16g to %.16g, not %.16g", fmi_type_name(type, version), least,
             greatest, number);
  return false;
}

size_t fmi_find_variable(const fmi_description *in, const char *name) {
  for (size_t i = 0; i < in->n_variables; i++)
    if (strcmp(in->variables[i].name, name) == 0)
      return i;
  return SEAM_NONE;
}

static const fmi_row root[] = {
    {"modelName", "modelName", FMI_ROW_TEXT, offsetof(fmi_description, model_name), true, NULL},
    {"guid", "instantiationToken", FMI_ROW_TEXT, offsetof(fmi_description, token), true, NULL},
    {"description", "description", FMI_ROW_TEXT, offsetof(fmi_description, description), false, NULL},
    {"generationTool", "generationTool", FMI_ROW_TEXT, offsetof(fmi_description, tool), false, NULL},
    {"generationDateAndTime", "generationDateAndTime", FMI_ROW_TEXT, offsetof(fmi_description, date), false, NULL},
};

#define CAN(field) FMI_ROW_FLAG, offsetof(fmi_capabilities, field), false, NULL
static const fmi_row capability[] = {
    {"modelIdentifier", "modelIdentifier", FMI_ROW_TEXT, offsetof(fmi_capabilities, identifier), true, NULL},
    {"needsExecutionTool", "needsExecutionTool", CAN(needs_execution_tool)},
    {"canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess", CAN(only_once_per_process)},
    {"canNotUseMemoryManagementFunctions", NULL, CAN(no_memory_functions)},
    {"canGetAndSetFMUstate", "canGetAndSetFMUState", CAN(can_get_and_set_state)},
    {"canSerializeFMUstate", "canSerializeFMUState", CAN(can_serialize_state)},
    {"providesDirectionalDerivative", "providesDirectionalDerivatives", CAN(directional_derivatives)},
    {NULL, "providesAdjointDerivatives", CAN(adjoint_derivatives)},
    {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", CAN(variable_step)},
    {"canInterpolateInputs", NULL, CAN(interpolates_inputs)},
    {"canRunAsynchronuously", NULL, CAN(runs_asynchronously)}, /* spelled so in the schema */
    {NULL, "providesIntermediateUpdate", CAN(intermediate_update)},
    {NULL, "mightReturnEarlyFromDoStep", CAN(might_return_early)},
    {NULL, "canReturnEarlyAfterIntermediateUpdate", CAN(returns_early_when_asked)},
    {NULL, "hasEventMode", CAN(event_mode)},
    {"maxOutputDerivativeOrder", "maxOutputDerivativeOrder", FMI_ROW_COUNT,
     offsetof(fmi_capabilities, output_derivatives), false, NULL},
    {NULL, "fixedInternalStepSize", FMI_ROW_NUMBER, offsetof(fmi_capabilities, fixed_internal_step), false, NULL},
    {NULL, "recommendedIntermediateInputSmoothness", FMI_ROW_INT, offsetof(fmi_capabilities, intermediate_smoothness),
     false, NULL},
};

static const fmi_row experiment[] = {
    BOTH("startTime", FMI_ROW_NUMBER, fmi_experiment, start),
    BOTH("stopTime", FMI_ROW_NUMBER, fmi_experiment, stop),
    BOTH("tolerance", FMI_ROW_NUMBER, fmi_experiment, tolerance),
    BOTH("stepSize", FMI_ROW_NUMBER, fmi_experiment, step),
};

static const fmi_row base_unit[] = {
    BOTH("kg", FMI_ROW_INT, fmi_unit, kg),
    BOTH("m", FMI_ROW_INT, fmi_unit, m),
    BOTH("s", FMI_ROW_INT, fmi_unit, s),
    BOTH("A", FMI_ROW_INT, fmi_unit, A),
    BOTH("K", FMI_ROW_INT, fmi_unit, K),
    BOTH("mol", FMI_ROW_INT, fmi_unit, mol),
    BOTH("cd", FMI_ROW_INT, fmi_unit, cd),
    BOTH("rad", FMI_ROW_INT, fmi_unit, rad),
    BOTH("factor", FMI_ROW_NUMBER, fmi_unit, factor),
    BOTH("offset", FMI_ROW_NUMBER, fmi_unit, offset),
};

static const fmi_row variable[] = {
    {"name", "name", FMI_ROW_TEXT, offsetof(fmi_variable, name), true, NULL},
    {"valueReference", "valueReference", FMI_ROW_COUNT, offsetof(fmi_variable, reference), true, NULL},
    {"description", "description", FMI_ROW_TEXT, offsetof(fmi_variable, description), false, NULL},
    {"causality", "causality", FMI_ROW_NAMED, offsetof(fmi_variable, causality), false, fmi_causality_names},
    {"variability", "variability", FMI_ROW_NAMED, offsetof(fmi_variable, variability), false, fmi_variability_names},
    {"initial", "initial", FMI_ROW_NAMED, offsetof(fmi_variable, initial), false, fmi_initial_names},
    {NULL, "intermediateUpdate", FMI_ROW_FLAG, offsetof(fmi_variable, intermediate_update), false, NULL},
};

static const fmi_row typed[] = {BOTH("declaredType", FMI_ROW_TEXT, fmi_variable, declared_type)};
static const fmi_row number[] = {
    BOTH("min", FMI_ROW_NUMBER, fmi_variable, min),
    BOTH("max", FMI_ROW_NUMBER, fmi_variable, max),
};
static const fmi_row real[] = {
    BOTH("unit", FMI_ROW_TEXT, fmi_variable, unit),
    BOTH("nominal", FMI_ROW_NUMBER, fmi_variable, nominal),
};

const fmi_rows fmi_root_rows = ROWS(root), fmi_capability_rows = ROWS(capability),
               fmi_experiment_rows = ROWS(experiment), fmi_base_unit_rows = ROWS(base_unit),
               fmi_variable_rows = ROWS(variable), fmi_typed_rows = ROWS(typed), fmi_number_rows = ROWS(number),
               fmi_real_rows = ROWS(real);

void fmi_description_destroy(fmi_description *self) {
  if (self == NULL)
    return;
  arena_release(&self->memory);
  free(self);
}
