/* modelDescription.xml of both versions: what is written passes the schemas and is read back; what is wrong is named
 * with its line. */
#include "fmi/description.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/xml.h"

TestSuite(description, .init = enter_scratch, .fini = leave_scratch);

/* ---- Writing ---- */

enum { TIME, FORCE, X, V, MASS, STEPS, IS_ON, LABEL, PAIR, N_VARIABLES };

static const double zero[] = {0}, three[] = {3}, yes[] = {1}, tenth[] = {0.1}, two[] = {-1.5, 1e300};
static const size_t on_v_and_force[] = {FORCE, V};

static fmi_variable named(const char *name, uint32_t reference, fmi_type type, fmi_causality causality) {
  fmi_variable made = fmi_default_variable();
  made.name = name;
  made.reference = reference;
  made.type = type;
  made.causality = causality;
  return made;
}

static void add_variables(fmi_description *to, fmi_variable *variables) {
  variables[TIME] = named("time", 0, FMI_FLOAT64, FMI_INDEPENDENT);
  variables[FORCE] = named("M.fx", 7, FMI_FLOAT64, FMI_INPUT);
  variables[FORCE].start = zero, variables[FORCE].n_start = 1;
  variables[FORCE].unit = "N";
  variables[FORCE].description = "a < b & \"c\"\n";
  variables[X] = named("x", 8, FMI_FLOAT64, FMI_OUTPUT);
  variables[X].unit = "m";
  variables[V] = named("v", 9, FMI_FLOAT64, FMI_OUTPUT);
  variables[V].derivative_of = X;
  variables[V].depends_on = on_v_and_force;
  variables[V].n_depends_on = 1;
  variables[X].n_depends_on = 0;
  variables[MASS] = named("mass", 4294967295U, FMI_FLOAT64, FMI_PARAMETER);
  variables[MASS].variability = FMI_TUNABLE;
  variables[MASS].start = tenth, variables[MASS].n_start = 1;
  variables[MASS].min = 0, variables[MASS].max = INFINITY, variables[MASS].nominal = 2;
  variables[STEPS] = named("steps", 1, FMI_INT32, FMI_PARAMETER);
  variables[STEPS].variability = FMI_FIXED;
  variables[STEPS].start = three, variables[STEPS].n_start = 1;
  variables[IS_ON] = named("is_on", 2, FMI_BOOLEAN, FMI_INPUT);
  variables[IS_ON].variability = FMI_DISCRETE;
  variables[IS_ON].start = yes, variables[IS_ON].n_start = 1;
  variables[LABEL] = named("label", 3, FMI_STRING, FMI_PARAMETER);
  variables[LABEL].variability = FMI_FIXED;
  variables[LABEL].start_text = "<\xc3\xa9>";
  to->variables = variables;
  to->n_variables = LABEL + 1;
}

static fmi_description example(fmi_version version, fmi_variable *variables, fmi_unit *units, const char **categories) {
  fmi_description made = fmi_default_description(version);
  made.model_name = "a mass & a spring";
  made.token = "{8c4e810f-3df3-4a00-8276-176fa3c9f000}";
  made.tool = "Seam";
  made.structured_names = true;
  made.capabilities.identifier = "mass_spring";
  made.capabilities.can_get_and_set_state = true;
  made.capabilities.can_serialize_state = true;
  made.capabilities.variable_step = true;
  made.capabilities.interpolates_inputs = true;
  made.capabilities.intermediate_update = true;
  made.capabilities.output_derivatives = 2;
  made.experiment.stop = 10;
  made.experiment.step = 1e-3;
  units[0] = (fmi_unit){.factor = 1};
  units[0].name = "N", units[0].kg = 1, units[0].m = 1, units[0].s = -2;
  units[1] = (fmi_unit){.factor = 1};
  units[1].name = "mm", units[1].m = 1, units[1].factor = 1e-3;
  made.units = units, made.n_units = 2;
  categories[0] = "logStatusError";
  made.log_categories = categories, made.n_log_categories = 1;
  add_variables(&made, variables);
  return made;
}

static fmi_dimension dimensions[1] = {{.size = 2, .variable = SEAM_NONE}};

/* FMI 3 has arrays too. */
static char *written(fmi_version version, size_t *size) {
  fmi_variable variables[N_VARIABLES];
  fmi_unit units[2];
  const char *categories[1];
  fmi_description made = example(version, variables, units, categories);
  if (version == FMI_3) {
    variables[PAIR] = named("pair", 5, FMI_FLOAT64, FMI_INPUT);
    variables[PAIR].start = two, variables[PAIR].n_start = 2;
    variables[PAIR].dimensions = dimensions, variables[PAIR].n_dimensions = 1;
    made.n_variables = N_VARIABLES;
  }
  char *text = NULL;
  seam_error error = {0};
  cr_assert_eq(fmi_description_write(&made, &text, size, &error), SEAM_OK, "%s", error.message);
  return text;
}

#ifdef SEAM_FMI_SCHEMAS
static void expect_passes(fmi_version version) {
  char command[1024];
  snprintf(command, sizeof command,
           "xmllint --noout --schema '" SEAM_FMI_SCHEMAS "/fmi%d/fmi%dModelDescription.xsd' modelDescription.xml",
           (int)version, (int)version);
  cr_expect_eq(system(command), 0);
}
#else
static void expect_passes(fmi_version version) {
  (void)version;
  cr_skip_test("fmi.description (the schemas of FMI)");
}
#endif

static void expect_valid(fmi_version version) {
  size_t size = 0;
  char *text = written(version, &size);
  cr_expect_eq(strlen(text), size);
  cr_expect(xml_is_well_formed(strchr(text, '\n')));
  write_text("modelDescription.xml", text);
  free(text);
  expect_passes(version);
}

Test(description, what_is_written_passes_the_schema_of_version_2) { expect_valid(FMI_2); }
Test(description, what_is_written_passes_the_schema_of_version_3) { expect_valid(FMI_3); }

Test(description, lists_of_the_structure_name_outputs_and_their_beginnings) {
  size_t size = 0;
  char *two_text = written(FMI_2, &size), *three_text = written(FMI_3, &size);
  cr_expect(has(two_text, "<Outputs>\n      <Unknown index=\"3\" dependencies=\"\"/>\n"
                          "      <Unknown index=\"4\" dependencies=\"2\"/>\n    </Outputs>"),
            "%s", two_text);
  cr_expect(has(two_text, "<InitialUnknowns>\n      <Unknown index=\"3\"/>\n      <Unknown index=\"4\"/>\n"));
  cr_expect(has(two_text, "<Real unit=\"m\"/>"));
  cr_expect(has(two_text, "derivative=\"3\""));
  cr_expect(has(three_text, "<Output valueReference=\"9\" dependencies=\"7\"/>"));
  cr_expect(has(three_text, "derivative=\"8\""));
  cr_expect(has(three_text, "start=\"-1.5 1e+300\"><Dimension start=\"2\"/></Float64>"));
  free(two_text);
  free(three_text);
}

static void expect_unwritten(const fmi_description *made, const char *message) {
  char *text = NULL;
  size_t size = 0;
  seam_error error = {0};
  cr_expect_eq(fmi_description_write(made, &text, &size, &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, message), "%s", error.message);
  cr_expect_null(text);
}

Test(description, what_no_schema_has_is_not_written) {
  fmi_variable variables[N_VARIABLES];
  fmi_unit units[2];
  const char *categories[1];
  fmi_description made = example(FMI_2, variables, units, categories);
  variables[X].name = "v";
  expect_unwritten(&made, "variable 'v': two variables have this name");
  variables[X].name = "x\x01";
  expect_unwritten(&made, "not UTF-8, or control characters");
  variables[X].name = "x";
  variables[X].type = FMI_FLOAT32;
  expect_unwritten(&made, "variable 'x': its type");
  variables[X].type = FMI_FLOAT64;
  made.token = NULL;
  expect_unwritten(&made, "identifier is missing");
  made = example(FMI_3, variables, units, categories);
  variables[TIME].causality = FMI_LOCAL;
  expect_unwritten(&made, "must be the independent one");
}

/* ---- Reading ---- */

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

static void expect_read_back(fmi_version version) {
  size_t size = 0;
  char *text = written(version, &size);
  fmi_description *read = NULL;
  seam_error error = {0};
  cr_assert_eq(fmi_description_read(text, size, "x.xml", &read, &error), SEAM_OK, "%s", error.message);
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
  free(text);
}

Test(description, version_2_is_read_back) { expect_read_back(FMI_2); }
Test(description, version_3_is_read_back) { expect_read_back(FMI_3); }

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
  size_t size = 0;
  char *text = written(FMI_3, &size);
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
  free(text);
}

/* ---- Ranges ---- */

static void expect_range(fmi_version version, fmi_type type, double least, double greatest) {
  const fmi_variable variable = named("n", 0, type, FMI_PARAMETER);
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
  const fmi_variable single = named("x", 0, FMI_FLOAT32, FMI_PARAMETER), real = named("x", 0, FMI_FLOAT64, FMI_INPUT);
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
