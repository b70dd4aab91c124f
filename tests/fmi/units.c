/* Conversion between units of variables. */
#include <criterion/criterion.h>
#include <string.h>

#include "fmi/description.h"

static const char text[] =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\"><CoSimulation "
    "modelIdentifier=\"m\"/><UnitDefinitions><Unit name=\"deg\"><BaseUnit rad=\"1\" "
    "factor=\"0.0174532925199433\"/></Unit>"
    "<Unit name=\"degC\"><BaseUnit K=\"1\" offset=\"273.15\"/></Unit><Unit name=\"degF\"><BaseUnit K=\"1\" "
    "factor=\"0.5555555555555556\" offset=\"255.3722222222222\"/></Unit><Unit name=\"bare\"/></UnitDefinitions>"
    "<ModelVariables><Float64 name=\"phi\" valueReference=\"1\" causality=\"output\" unit=\"deg\"/>"
    "<Float64 name=\"c\" valueReference=\"2\" causality=\"output\" unit=\"degC\"/>"
    "<Float64 name=\"f\" valueReference=\"3\" causality=\"output\" unit=\"degF\"/>"
    "<Float64 name=\"b\" valueReference=\"4\" causality=\"output\" unit=\"bare\"/>"
    "<Float64 name=\"n\" valueReference=\"5\" causality=\"output\"/></ModelVariables><ModelStructure/>"
    "</fmiModelDescription>";

Test(units, convert_if_they_are_of_one_dimension) {
  enum { PHI, C, F, BARE, NONE };
  fmi_description *in = NULL;
  double factor = 0, offset = 0;
  cr_assert_eq(fmi_description_read(text, strlen(text), "m.xml", &in, NULL), SEAM_OK);
  cr_expect(fmi_convert(fmi_unit_of(in, PHI), fmi_known_unit("rad"), &factor, &offset));
  cr_expect_float_eq(180 * factor, 3.14159265358979, 1e-12);
  cr_expect(fmi_convert(fmi_unit_of(in, C), fmi_unit_of(in, F), &factor, &offset));
  cr_expect_float_eq(100 * factor + offset, 212, 1e-10);
  cr_expect(!fmi_convert(fmi_unit_of(in, PHI), fmi_known_unit("m"), &factor, &offset));
  cr_expect(!fmi_convert(fmi_unit_of(in, BARE), fmi_unit_of(in, PHI), &factor, &offset));
  cr_expect(fmi_convert(fmi_unit_of(in, BARE), (fmi_unit){.name = "bare", .m = 1, .factor = 2}, &factor, &offset));
  cr_expect(factor == 1 && offset == 0);
  cr_expect(fmi_convert(fmi_unit_of(in, NONE), fmi_known_unit("m"), &factor, &offset));
  cr_expect(factor == 1 && offset == 0);
  fmi_description_destroy(in);
}

/* The standards' Hz is 2 pi rad/s; other tools' Hz is 1/s. */
Test(units, radians_count_only_where_numbers_would_change) {
  const fmi_unit rad_s = {.name = "rad/s", .rad = 1, .s = -1, .factor = 1};
  const fmi_unit stiffness = {.name = "N.m/rad", .kg = 1, .m = 2, .s = -2, .rad = -1, .factor = 1};
  const struct {
    fmi_unit from, to;
    double factor; /* 0: refused */
  } pairs[] = {
      {rad_s, {.name = "1/s", .s = -1, .factor = 1}, 1},
      {stiffness, {.name = "N.m", .kg = 1, .m = 2, .s = -2, .factor = 1}, 1},
      {stiffness, {.name = "N", .kg = 1, .m = 1, .s = -2, .factor = 1}, 0},
      {{.name = "deg/s", .rad = 1, .s = -1, .factor = 0.0174532925199433}, rad_s, 0.0174532925199433},
      {{.name = "Hz", .rad = 1, .s = -1, .factor = 6.28318530717959}, rad_s, 6.28318530717959},
      {{.name = "Hz", .s = -1, .factor = 1}, {.name = "1/s", .s = -1, .factor = 1}, 1},
      {rad_s, {.name = "Hz", .s = -1, .factor = 1}, 0},
      {{.name = "1/min", .s = -1, .factor = 1. / 60}, rad_s, 0},
      {{.name = "deg", .rad = 1, .factor = 0.0174532925199433}, {.name = "1", .factor = 1}, 0},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int back = 0; back < 2; back++) {
      double factor = 0, offset = 0;
      const fmi_unit *from = back ? &pairs[i].to : &pairs[i].from, *to = back ? &pairs[i].from : &pairs[i].to;
      cr_expect_eq(fmi_convert(*from, *to, &factor, &offset), pairs[i].factor > 0, "%s, %s", from->name, to->name);
      if (pairs[i].factor > 0)
        cr_expect_float_eq(factor, back ? 1 / pairs[i].factor : pairs[i].factor, 1e-12);
    }
}
