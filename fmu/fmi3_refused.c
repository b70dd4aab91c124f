#include "fmu/fmi3_internal.h"

/* Parameters are the standard's. NOLINTBEGIN(readability-non-const-parameter,misc-unused-parameters) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static fmi3_status refuse(fmi3_instance instance, const char *function) {
  return fmi3_status_of(fmu_refuse(instance, function));
}

/* ---- Values of other types: lists must be empty ------------------------------------------------------------------ */

#define NO_VALUES(name, type)                                                                                          \
  fmi3_status fmi3##name(fmi3_instance instance, const uint32_t references[], size_t n, type values[],                 \
                         size_t n_values) {                                                                            \
    return n == 0 ? FMI3_OK : refuse(instance, __func__);                                                              \
  }
NO_VALUES(GetFloat32, float)
NO_VALUES(GetInt8, int8_t)
NO_VALUES(GetUInt8, uint8_t)
NO_VALUES(GetInt16, int16_t)
NO_VALUES(GetUInt16, uint16_t)
NO_VALUES(GetInt32, int32_t)
NO_VALUES(GetUInt32, uint32_t)
NO_VALUES(GetInt64, int64_t)
NO_VALUES(GetUInt64, uint64_t)
NO_VALUES(GetBoolean, bool)
NO_VALUES(GetString, const char *)
NO_VALUES(SetFloat32, const float)
NO_VALUES(SetInt8, const int8_t)
NO_VALUES(SetUInt8, const uint8_t)
NO_VALUES(SetInt16, const int16_t)
NO_VALUES(SetUInt16, const uint16_t)
NO_VALUES(SetInt32, const int32_t)
NO_VALUES(SetUInt32, const uint32_t)
NO_VALUES(SetInt64, const int64_t)
NO_VALUES(SetUInt64, const uint64_t)
NO_VALUES(SetBoolean, const bool)
NO_VALUES(SetString, const char *const)

fmi3_status fmi3GetBinary(fmi3_instance instance, const uint32_t references[], size_t n, size_t sizes[],
                          const uint8_t *values[], size_t n_values) {
  return n == 0 ? FMI3_OK : refuse(instance, __func__);
}

fmi3_status fmi3SetBinary(fmi3_instance instance, const uint32_t references[], size_t n, const size_t sizes[],
                          const uint8_t *const values[], size_t n_values) {
  return n == 0 ? FMI3_OK : refuse(instance, __func__);
}

/* ---- Clocks ------------------------------------------------------------------------------------------------------ */

#define NO_CLOCKS(name, type)                                                                                          \
  fmi3_status fmi3##name(fmi3_instance instance, const uint32_t references[], size_t n, type values[]) {               \
    return n == 0 ? FMI3_OK : refuse(instance, __func__);                                                              \
  }
NO_CLOCKS(GetClock, bool)
NO_CLOCKS(SetClock, const bool)
NO_CLOCKS(GetShiftDecimal, double)
NO_CLOCKS(SetShiftDecimal, const double)
NO_CLOCKS(SetIntervalDecimal, const double)

#define NO_FRACTIONS(name, type)                                                                                       \
  fmi3_status fmi3##name(fmi3_instance instance, const uint32_t references[], size_t n, type counters[],               \
                         type resolutions[]) {                                                                         \
    return n == 0 ? FMI3_OK : refuse(instance, __func__);                                                              \
  }
NO_FRACTIONS(GetShiftFraction, uint64_t)
NO_FRACTIONS(SetShiftFraction, const uint64_t)
NO_FRACTIONS(SetIntervalFraction, const uint64_t)

fmi3_status fmi3GetIntervalDecimal(fmi3_instance instance, const uint32_t references[], size_t n, double intervals[],
                                   fmi3_interval qualifiers[]) {
  return n == 0 ? FMI3_OK : refuse(instance, __func__);
}

fmi3_status fmi3GetIntervalFraction(fmi3_instance instance, const uint32_t references[], size_t n, uint64_t counters[],
                                    uint64_t resolutions[], fmi3_interval qualifiers[]) {
  return n == 0 ? FMI3_OK : refuse(instance, __func__);
}

fmi3_status fmi3ActivateModelPartition(fmi3_instance instance, uint32_t clock, double t) {
  return refuse(instance, __func__);
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

#define NO_MODE(name)                                                                                                  \
  fmi3_status fmi3##name(fmi3_instance instance) { return refuse(instance, __func__); }
NO_MODE(EnterConfigurationMode)
NO_MODE(ExitConfigurationMode)
NO_MODE(EnterContinuousTimeMode)

/* ---- Model exchange ---------------------------------------------------------------------------------------------- */

fmi3_status fmi3CompletedIntegratorStep(fmi3_instance instance, bool no_set_state_before, bool *enter_event_mode,
                                        bool *terminate_simulation) {
  return refuse(instance, __func__);
}

fmi3_status fmi3SetTime(fmi3_instance instance, double t) { return refuse(instance, __func__); }

#define NO_NUMBERS(name, type)                                                                                         \
  fmi3_status fmi3##name(fmi3_instance instance, type x[], size_t n) { return refuse(instance, __func__); }
NO_NUMBERS(SetContinuousStates, const double)
NO_NUMBERS(GetContinuousStateDerivatives, double)
NO_NUMBERS(GetEventIndicators, double)
NO_NUMBERS(GetContinuousStates, double)
NO_NUMBERS(GetNominalsOfContinuousStates, double)

#define NO_COUNT(name)                                                                                                 \
  fmi3_status fmi3##name(fmi3_instance instance, size_t *n) {                                                          \
    *n = 0;                                                                                                            \
    return refuse(instance, __func__);                                                                                 \
  }
NO_COUNT(GetNumberOfEventIndicators)
NO_COUNT(GetNumberOfContinuousStates)

/* ---- Other derivatives and dependencies -------------------------------------------------------------------------- */

fmi3_status fmi3GetAdjointDerivative(fmi3_instance instance, const uint32_t unknowns[], size_t n_unknowns,
                                     const uint32_t knowns[], size_t n_knowns, const double seed[], size_t n_seed,
                                     double sensitivity[], size_t n_sensitivity) {
  return refuse(instance, __func__);
}

fmi3_status fmi3GetOutputDerivatives(fmi3_instance instance, const uint32_t references[], size_t n,
                                     const int32_t orders[], double values[], size_t n_values) {
  return n == 0 ? FMI3_OK : refuse(instance, __func__);
}

fmi3_status fmi3GetNumberOfVariableDependencies(fmi3_instance instance, uint32_t reference, size_t *n) {
  *n = 0;
  return refuse(instance, __func__);
}

fmi3_status fmi3GetVariableDependencies(fmi3_instance instance, uint32_t dependent, size_t dependent_elements[],
                                        uint32_t independents[], size_t independent_elements[], fmi3_dependency kinds[],
                                        size_t n) {
  return refuse(instance, __func__);
}
/* NOLINTEND(readability-non-const-parameter,misc-unused-parameters) */
