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
