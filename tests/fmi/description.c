/* modelDescription.xml of both versions is read; what is wrong is named with its line. */
#include "fmi/description.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIME, FORCE, X, V, MASS, STEPS, IS_ON, LABEL, PAIR, N_VARIABLES };

static const char example_2[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"a mass &amp; a spring\""
    " guid=\"{8c4e810f-3df3-4a00-8276-176fa3c9f000}\" generationTool=\"Seam\" "
    "variableNamingConvention=\"structured\">\n"
    "  <CoSimulation modelIdentifier=\"mass_spring\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
    " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"2\"/>\n"
    "  <UnitDefinitions>\n"
    "    <Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1\" offset=\"0\"/></Unit>\n"
    "    <Unit name=\"mm\"><BaseUnit m=\"1\" factor=\"0.001\" offset=\"0\"/></Unit>\n"
    "  </UnitDefinitions>\n"
    "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n  </LogCategories>\n"
    "  <DefaultExperiment stopTime=\"10\" stepSize=\"0.001\"/>\n"
    "  <ModelVariables>\n"
    "    <ScalarVariable name=\"time\" valueReference=\"0\" causality=\"independent\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"M.fx\" valueReference=\"7\" description=\"a &lt; b &amp; &quot;c&quot;&#10;\""
    " causality=\"input\"><Real unit=\"N\" start=\"0\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"x\" valueReference=\"8\" causality=\"output\"><Real unit=\"m\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"v\" valueReference=\"9\" causality=\"output\"><Real "
    "derivative=\"3\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"mass\" valueReference=\"4294967295\" causality=\"parameter\" variability=\"tunable\">"
    "<Real min=\"0\" max=\"INF\" nominal=\"2\" start=\"0.1\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"steps\" valueReference=\"1\" causality=\"parameter\" variability=\"fixed\">"
    "<Integer start=\"3\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"is_on\" valueReference=\"2\" causality=\"input\" variability=\"discrete\">"
    "<Boolean start=\"true\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"label\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\">"
    "<String start=\"&lt;\xc3\xa9>\"/></ScalarVariable>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure>\n"
    "    <Outputs>\n      <Unknown index=\"3\" dependencies=\"\"/>\n      <Unknown index=\"4\" dependencies=\"2\"/>\n"
    "    </Outputs>\n"
    "    <InitialUnknowns>\n      <Unknown index=\"3\"/>\n      <Unknown index=\"4\"/>\n    </InitialUnknowns>\n"
    "  </ModelStructure>\n</fmiModelDescription>\n";

/* FMI 3 has arrays too. */
static const char example_3[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"a mass &amp; a spring\" instantiationToken="
    "\"{8c4e810f-3df3-4a00-8276-176fa3c9f000}\" generationTool=\"Seam\" variableNamingConvention=\"structured\">\n"
    "  <CoSimulation modelIdentifier=\"mass_spring\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
    " canHandleVariableCommunicationStepSize=\"true\" providesIntermediateUpdate=\"true\""
    " maxOutputDerivativeOrder=\"2\"/>\n"
    "  <UnitDefinitions>\n"
    "    <Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1\" offset=\"0\"/></Unit>\n"
    "    <Unit name=\"mm\"><BaseUnit m=\"1\" factor=\"0.001\" offset=\"0\"/></Unit>\n"
    "  </UnitDefinitions>\n"
    "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n  </LogCategories>\n"
    "  <DefaultExperiment stopTime=\"10\" stepSize=\"0.001\"/>\n"
    "  <ModelVariables>\n"
    "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>\n"
    "    <Float64 name=\"M.fx\" valueReference=\"7\" description=\"a &lt; b &amp; &quot;c&quot;&#10;\" "
    "causality=\"input\""
    " unit=\"N\" start=\"0\"/>\n"
    "    <Float64 name=\"x\" valueReference=\"8\" causality=\"output\" unit=\"m\"/>\n"
    "    <Float64 name=\"v\" valueReference=\"9\" causality=\"output\" derivative=\"8\"/>\n"
    "    <Float64 name=\"mass\" valueReference=\"4294967295\" causality=\"parameter\" variability=\"tunable\" min=\"0\""
    " max=\"INF\" nominal=\"2\" start=\"0.1\"/>\n"
    "    <Int32 name=\"steps\" valueReference=\"1\" causality=\"parameter\" variability=\"fixed\" start=\"3\"/>\n"
    "    <Boolean name=\"is_on\" valueReference=\"2\" causality=\"input\" variability=\"discrete\" start=\"true\"/>\n"
    "    <String name=\"label\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\">"
    "<Start value=\"&lt;\xc3\xa9>\"/></String>\n"
    "    <Float64 name=\"pair\" valueReference=\"5\" causality=\"input\" start=\"-1.5 1e+300\"><Dimension start=\"2\"/>"
    "</Float64>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure>\n"
    "    <Output valueReference=\"8\" dependencies=\"\"/>\n    <Output valueReference=\"9\" dependencies=\"7\"/>\n"
    "    <InitialUnknown valueReference=\"8\"/>\n    <InitialUnknown valueReference=\"9\"/>\n"
    "  </ModelStructure>\n</fmiModelDescription>\n";

static void expect_variables(const fmi_description *read) {
  const fmi_variable *variables = read->variables;
  cr_expect_str_eq(variables[FORCE].description, "a < b & \"c\"\n");
  cr_expect_eq(variables[FORCE].variability, FMI_CONTINUOUS);
  cr_expect_eq(variables[V].derivative_of, X);
  cr_expect_eq(variables[X].n_depends_on, 0);
  cr_assert_eq(variables[V].n_depends_on, 1);
  cr_expect_eq(variables[V].depends_on[0], FORCE);
  cr_expect_eq(variables[MASS].reference, 4294967295U);
  cr_expect_eq(variables[MASS].start[0], 0.1);
  cr_expect(isinf(variables[MASS].max) && isnan(variables[X].max));
  cr_expect_eq(variables[STEPS].type, FMI_INT32);
  cr_expect_eq(variables[IS_ON].start[0], 1);
  cr_expect_str_eq(variables[LABEL].start_text, "<\xc3\xa9>");
  cr_expect_eq(fmi_find_variable(read, "mass"), MASS);
  cr_expect_eq(fmi_find_variable(read, "weight"), SEAM_NONE);
  if (read->version == FMI_3) {
    cr_expect_eq(fmi_n_values(&variables[PAIR]), 2);
    cr_expect_eq(variables[PAIR].start[1], 1e300);
  }
}

static void expect_read(fmi_version version, const char *text) {
  fmi_description *read = NULL;
  seam_error error = {0};
  cr_assert_eq(fmi_description_read(text, strlen(text), "x.xml", &read, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(read->version, version);
  cr_expect_str_eq(read->model_name, "a mass & a spring");
  cr_expect_str_eq(read->token, "{8c4e810f-3df3-4a00-8276-176fa3c9f000}");
  cr_expect_str_eq(read->capabilities.identifier, "mass_spring");
  cr_expect(read->capabilities.can_get_and_set_state && read->capabilities.can_serialize_state);
  cr_expect_eq(read->capabilities.interpolates_inputs, version == FMI_2);
  cr_expect_eq(read->capabilities.intermediate_update, version == FMI_3);
  cr_expect_not(read->capabilities.event_mode);
  cr_expect_eq(read->capabilities.output_derivatives, 2);
  cr_expect_eq(read->experiment.step, 1e-3);
  cr_expect(isnan(read->experiment.start));
  cr_expect_eq(read->n_units, 2);
  cr_expect_eq(read->units[1].factor, 1e-3);
  cr_expect_str_eq(read->log_categories[0], "logStatusError");
  cr_assert_eq(read->n_variables, version == FMI_2 ? LABEL + 1 : N_VARIABLES);
  expect_variables(read);
  fmi_description_destroy(read);
}

Test(description, version_2_is_read) { expect_read(FMI_2, example_2); }
Test(description, version_3_is_read) { expect_read(FMI_3, example_3); }

#define HEAD_2                                                                                                         \
  "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"                                              \
  "<CoSimulation modelIdentifier=\"m\"/>\n"
#define HEAD_3 "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n"
#define X_2 "<ScalarVariable name=\"x\" valueReference=\"1\"><Real/></ScalarVariable>"
#define END "<ModelStructure/></fmiModelDescription>"

static fmi_description *read_text_of(const char *text, seam_error *error) {
  fmi_description *read = NULL;
  fmi_description_read(text, strlen(text), "x.xml", &read, error);
  cr_assert_not_null(read);
  return read;
}

Test(description, units_come_from_declared_types_and_aliases_are_variables) {
  fmi_description *read = read_text_of(
      HEAD_2 "<TypeDefinitions><SimpleType name=\"L\"><Real unit=\"m\"/></SimpleType></TypeDefinitions><ModelVariables>"
             "<ScalarVariable name=\"x\" valueReference=\"1\"><Real declaredType=\"L\"/></ScalarVariable>"
             "</ModelVariables>" END,
      NULL);
  cr_assert_eq(read->n_problems, 0, "%s", read->problems[0]);
  cr_expect_str_eq(read->variables[0].unit, "m");
  fmi_description_destroy(read);
  read = read_text_of(HEAD_3 "<TypeDefinitions><Float64Type name=\"L\" unit=\"m\"/></TypeDefinitions><ModelVariables>\n"
                             "<UInt64 name=\"n\" valueReference=\"2\" causality=\"structuralParameter\" start=\"3\"/>"
                             "<Float64 name=\"x\" valueReference=\"1\" declaredType=\"L\">"
                             "<Dimension valueReference=\"2\"/><Dimension start=\"2\"/><Alias name=\"y\"/></Float64>"
                             "</ModelVariables>" END,
                      NULL);
  cr_assert_eq(read->n_problems, 0, "%s", read->problems[0]);
  cr_assert_eq(read->n_variables, 3);
  cr_expect_str_eq(read->variables[2].name, "y");
  cr_expect_str_eq(read->variables[2].unit, "m");
  cr_expect_eq(fmi_n_values(&read->variables[2]), 6);
  cr_expect_eq(read->variables[2].reference, 1);
  cr_expect_null(read->capabilities.identifier);
  fmi_description_destroy(read);
}

Test(description, what_is_wrong_is_said_with_its_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "x.xml:1: the file is empty"},
      {"<a/>", "x.xml:1: element <a> may not stand here"},
      {"<fmiModelDescription fmiVersion=\"1.0\"/>",
       "x.xml:1: FMI version '1.0'; Seam reads 2.0 and 3.0: export the model again from its tool, for FMI 2.0"},
      {HEAD_2 "<ModelVariables>" X_2 "</ModelVariables>", "x.xml:3: not well-formed XML, no element found"},
      {HEAD_2 "<ModelVariables/>" END, "x.xml:3: no variables"},
      {HEAD_2 "\n<CoSimulation/><ModelVariables>" X_2 "</ModelVariables>" END,
       "x.xml:4: <CoSimulation> lacks the attribute modelIdentifier"},
      {HEAD_2 "<CoSimulation modelIdentifier=\"../m\"/><ModelVariables>" X_2 "</ModelVariables>" END,
       "x.xml:3: modelIdentifier is '../m', not an identifier of C"},
      {HEAD_2 "<ModelVariables>" X_2 "\n" X_2 "</ModelVariables>" END, "x.xml:4: two variables have the name 'x'"},
      {HEAD_2 "<ModelVariables>\n\n<ScalarVariable name=\"x\" valueReference=\"-1\"><Real/></ScalarVariable>"
              "</ModelVariables>" END,
       "x.xml:5: attribute valueReference is '-1', not a whole number from 0 to 4294967295"},
      {HEAD_2 "<ModelVariables><ScalarVariable name=\"x\" valueReference=\" \"><Real/></ScalarVariable>"
              "</ModelVariables>" END,
       "x.xml:3: attribute valueReference is ' ', not a whole number from 0 to 4294967295"},
      {HEAD_2
       "<ModelVariables><ScalarVariable name=\"x\" valueReference=\"1\" causality=\"in\"><Real/></ScalarVariable>"
       "</ModelVariables>" END,
       "x.xml:3: attribute causality is 'in', which the standard does not know"},
      {HEAD_2 "<ModelVariables><ScalarVariable name=\"x\" valueReference=\"1\"><Real start=\"1,5\"/></ScalarVariable>"
              "</ModelVariables>" END,
       "x.xml:3: '1,5' of 'x' is not a list of numbers"},
      {HEAD_2 "<ModelVariables><ScalarVariable name=\"x\" valueReference=\"1\"><Real derivative=\"2\"/>"
              "</ScalarVariable></ModelVariables>" END,
       "x.xml:3: index 2 belongs to no variable"},
      {HEAD_3 "<ModelVariables><Real name=\"x\" valueReference=\"1\"/></ModelVariables>" END,
       "x.xml:2: element <Real> may not stand here"},
      {HEAD_3 "<CoSimulation modelIdentifier=\"m\" hasEventMode=\"yes\"/><ModelVariables>"
              "<Float64 name=\"x\" valueReference=\"1\"/></ModelVariables>" END,
       "x.xml:2: attribute hasEventMode is 'yes', not true or false"},
      {"<!DOCTYPE a [<!ENTITY b \"ccc\">]>" HEAD_2 "</fmiModelDescription>",
       "x.xml:1: entity 'b' is declared, which Seam refuses: write its text in its place"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    seam_error error = {0};
    fmi_description *read = read_text_of(cases[i].text, &error);
    cr_expect_eq(error.status, SEAM_BAD_INPUT);
    cr_expect_str_eq(error.message, cases[i].message);
    cr_expect_gt(read->n_problems, 0);
    fmi_description_destroy(read);
  }
}

Test(description, all_problems_are_collected) {
  fmi_description *read = read_text_of(HEAD_2 "<ModelVariables>\n<ScalarVariable/><ScalarVariable name=\"x\"/>"
                                              "</ModelVariables></fmiModelDescription>",
                                       NULL);
  cr_expect_eq(read->n_problems, 3);
  fmi_description_destroy(read);
}

/* Every piece of a text cut off, every byte changed: refused or read, never a crash. */
Test(description, damaged_texts_are_refused_or_read) {
  char text[sizeof example_3];
  const size_t size = sizeof text - 1;
  memcpy(text, example_3, sizeof text);
  for (size_t i = 0; i + 1 < size; i++) { /* without the last line's end it is whole */
    fmi_description *read = NULL;
    seam_error error = {0};
    cr_expect_eq(fmi_description_read(text, i, "x.xml", &read, &error), SEAM_BAD_INPUT);
    fmi_description_destroy(read);
    text[i] ^= 0x15;
    fmi_description_read(text, size, "x.xml", &read, &error);
    text[i] ^= 0x15;
    fmi_description_destroy(read);
  }
}

/* ---- Ranges ---- */

static void expect_range(fmi_version version, fmi_type type, double least, double greatest) {
  const fmi_variable variable = {.name = "n", .type = type};
  char why[160];
  cr_expect(fmi_can_represent(&variable, version, least, why, sizeof why) &&
            fmi_can_represent(&variable, version, greatest, why, sizeof why));
  cr_expect(!fmi_can_represent(&variable, version, least - 1, why, sizeof why));
  cr_expect(!fmi_can_represent(&variable, version, greatest + 1, why, sizeof why));
  cr_expect(strstr(why, fmi_type_name(type, version)) != NULL, "%s", why);
  cr_expect(!fmi_can_represent(&variable, version, 1e300, why, sizeof why));
  cr_expect(!fmi_can_represent(&variable, version, NAN, why, sizeof why));
  cr_expect(!fmi_can_represent(&variable, version, INFINITY, why, sizeof why));
}

Test(description, each_type_holds_its_range) {
  const fmi_variable single = {.name = "x", .type = FMI_FLOAT32}, real = {.name = "x", .type = FMI_FLOAT64};
  char why[160];
  expect_range(FMI_2, FMI_INT32, -2147483648.0, 2147483647);
  expect_range(FMI_2, FMI_ENUMERATION, -2147483648.0, 2147483647);
  expect_range(FMI_3, FMI_INT8, -128, 127);
  expect_range(FMI_3, FMI_UINT8, 0, 255);
  expect_range(FMI_3, FMI_INT16, -32768, 32767);
  expect_range(FMI_3, FMI_UINT16, 0, 65535);
  expect_range(FMI_3, FMI_INT32, -2147483648.0, 2147483647);
  expect_range(FMI_3, FMI_UINT32, 0, 4294967295);
  expect_range(FMI_3, FMI_INT64, -9007199254740991.0, 9007199254740991.0);
  expect_range(FMI_3, FMI_UINT64, 0, 9007199254740991.0);
  expect_range(FMI_3, FMI_ENUMERATION, -9007199254740991.0, 9007199254740991.0);
  cr_expect(fmi_can_represent(&single, FMI_3, -3e38, why, sizeof why) &&
            fmi_can_represent(&real, FMI_3, 1e300, why, sizeof why));
  cr_expect(!fmi_can_represent(&single, FMI_3, 1e300, why, sizeof why));
  cr_expect_str_eq(why, "is of the type Float32, from -3.402823466385289e+38 to 3.402823466385289e+38, not 1e+300");
}
