#include <math.h>
#include <string.h>

#include "fmi/description.h"

const fmi_unit fmi_known_units[FMI_N_KNOWN_UNITS] = {
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
    {.name = "kg m/s", .kg = 1, .m = 1, .s = -1, .factor = 1},
    {.name = "kg m2/s", .kg = 1, .m = 2, .s = -1, .factor = 1},
    {.name = "J", .kg = 1, .m = 2, .s = -2, .factor = 1},
    {.name = "W", .kg = 1, .m = 2, .s = -3, .factor = 1},
    {.name = "Pa", .kg = 1, .m = -1, .s = -2, .factor = 1},
};

static fmi_unit find(const fmi_unit *units, size_t n, const char *name) {
  for (size_t i = 0; i < n && name != NULL; i++)
    if (strcmp(units[i].name, name) == 0)
      return units[i];
  return (fmi_unit){.name = name};
}

fmi_unit fmi_known_unit(const char *name) { return find(fmi_known_units, FMI_N_KNOWN_UNITS, name); }

fmi_unit fmi_unit_of(const fmi_description *in, size_t variable) {
  return find(in->units, in->n_units, in->variables[variable].unit);
}

/* Dimensional analysis treats rad as 1 (FMI 2.0.4 and 3.0 at BaseUnit), and tools write Nm/rad or Nm, rad/s or 1/s.
 * Units that differ in rad alone fit if equal numbers mean the same. If their factors differ, one of them may count
 * revolutions, as 1/min; Hz counts cycles. */
static bool fit_in_angle(const fmi_unit *from, const fmi_unit *to, double factor, double offset) {
  return from->rad == to->rad ||
         (factor == 1 && offset == 0 && strcmp(from->name, "Hz") != 0 && strcmp(to->name, "Hz") != 0);
}

bool fmi_convert(fmi_unit from, fmi_unit to, double *factor, double *offset) {
  *factor = 1;
  *offset = 0;
  if (from.name == NULL || to.name == NULL)
    return true;
  if (from.factor == 0 || to.factor == 0)
    return strcmp(from.name, to.name) == 0;
  *factor = from.factor / to.factor;
  *offset = (from.offset - to.offset) / to.factor;
  return from.kg == to.kg && from.m == to.m && from.s == to.s && from.A == to.A && from.K == to.K &&
         from.mol == to.mol && from.cd == to.cd && fit_in_angle(&from, &to, *factor, *offset) && isfinite(*factor) &&
         isfinite(*offset) && *factor != 0;
}
