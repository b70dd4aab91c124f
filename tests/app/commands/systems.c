/* Systems of FMUs (SSP 1.0): `seam run system.ssp` against closed forms, and what is refused. The FMU is that of
 * tests/fmi/unit/unit.h, m x'' = f - k x - c x'. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"
#include "tests/support/unit_fmu.h"
#include "tests/support/unit_system.h"

TestSuite(systems, .init = enter_scratch, .fini = leave_scratch);

#define CONNECTORS(of_f, of_x)                                                                                         \
  "<ssd:Connectors><ssd:Connector name=\"f\" kind=\"input\">" of_f "</ssd:Connector>"                                  \
  "<ssd:Connector name=\"x\" kind=\"output\">" of_x "</ssd:Connector></ssd:Connectors>\n"
#define REALS CONNECTORS("<ssc:Real/>", "<ssc:Real/>")
#define BINDING(values)                                                                                                \
  "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"                                                 \
  "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>" values "</ssv:Parameters></ssv:ParameterSet>"        \
  "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>\n"
#define VALUE(name, type, value) "<ssv:Parameter name=\"" name "\"><ssv:" type " value=\"" value "\"/></ssv:Parameter>"
#define COMPONENT(name, source, inside)                                                                                \
  "<ssd:Component name=\"" name "\" source=\"" source "\">\n" inside "</ssd:Component>\n"
#define ENDS(from, output, to, input)                                                                                  \
  "startElement=\"" from "\" startConnector=\"" output "\" endElement=\"" to "\" endConnector=\"" input "\""
#define CONNECTION(ends, inside) "<ssd:Connection " ends ">" inside "</ssd:Connection>\n"
#define HOLD                                                                                                           \
  "<ssd:Annotations><ssc:Annotation type=\"org.seam-multibody.exchange\">"                                             \
  "<Hold xmlns=\"urn:org.seam-multibody:exchange\" order=\"2\"/></ssc:Annotation></ssd:Annotations>"
#define BY(factor, offset) "<ssc:LinearTransformation factor=\"" factor "\" offset=\"" offset "\"/>"
#define EXPERIMENT "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"1\"/>\n"

#define A COMPONENT("a", "resources/unit.fmu", REALS BINDING(VALUE("x0", "Real", "0.5")))
#define B COMPONENT("b", "resources/unit.fmu", REALS)
#define LOOP                                                                                                           \
  "<ssd:Connections>" CONNECTION(ENDS("a", "x", "b", "f"), BY("20", "0") HOLD)                                         \
      CONNECTION(ENDS("b", "x", "a", "f"), BY("20", "3") HOLD) "</ssd:Connections>\n"
#define TWO_IN_A_LOOP SYSTEM_TEXT("<ssd:Elements>" A B "</ssd:Elements>\n" LOOP, EXPERIMENT)

static double run_and_read(const char *column, const char *option, const char *value) {
  outcome run = expect_success(SEAM("run", "x.ssp", "-o", "out", "--quiet", option, value));
  outcome_free(&run);
  return csv_last("out/signals.csv", column);
}

/* ---- What is computed ---- */

/* x_a + x_b and x_a - x_b oscillate about 3/80 and 3/120, with 80 and 120 N/m on 1 kg. */
static double in_loop(double sign, double t) {
  const double sum = 3.0 / 80 + (0.5 - 3.0 / 80) * cos(sqrt(80) * t);
  const double difference = 3.0 / 120 + (0.5 - 3.0 / 120) * cos(sqrt(120) * t);
  return (sum + sign * difference) / 2;
}

Test(systems, two_fmus_in_a_loop_oscillate_as_their_equations_do) {
  write_system("x.ssp", TWO_IN_A_LOOP, NULL, 0);
  const double coarse = run_and_read("a.x", "--macro-step", "0.002") - in_loop(1, 1);
  const double fine = run_and_read("a.x", "--macro-step", "0.001") - in_loop(1, 1);
  cr_expect_lt(fabs(fine), 1e-5);
  cr_expect_gt(coarse / fine, 3.5, "order 2 or more, by %g", coarse / fine);
  cr_expect_float_eq(run_and_read("b.x", "--macro-step", "0.001"), in_loop(-1, 1), 1e-5);
}

/* It has no clock of its own: the same motion, one second long. */
Test(systems, an_experiment_may_begin_late) {
  write_system("x.ssp",
               SYSTEM_TEXT("<ssd:Elements>" A B "</ssd:Elements>\n" LOOP,
                           "<ssd:DefaultExperiment startTime=\"5\" stopTime=\"6\"/>\n"),
               NULL, 0);
  outcome run = expect_success(SEAM("run", "x.ssp", "-o", "out", "--macro-step", "0.001"));
  cr_expect(has(run.err, "startTime is 5 s, which is t = 0 in the results"), "%s", run.err);
  cr_expect_float_eq(csv_last("out/signals.csv", "time"), 1, 1e-12);
  cr_expect_float_eq(csv_last("out/signals.csv", "a.x"), in_loop(1, 1), 1e-5);
  outcome_free(&run);
}

Test(systems, a_system_is_the_model_file_with_its_fmus_and_signals) {
  write_system("x.ssp", TWO_IN_A_LOOP, NULL, 0);
  write_text("m.yaml", "seam: 1\nname: x\nsimulate: {end: 1}\ncosim:\n  macro_step: 0.001\n  subsystems:\n"
                       "    a: {fmu: written.fmu, parameters: {x0: 0.5}}\n    b: {fmu: written.fmu}\n  signals:\n"
                       "    - {from: a.x, to: b.f, gain: 20, order: 2}\n"
                       "    - {from: b.x, to: a.f, gain: 20, offset: 3, order: 2}\n");
  outcome one = expect_success(SEAM("run", "x.ssp", "-o", "one", "--quiet"));
  outcome two = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "two", "--quiet"));
  cr_expect(is_same_file("one/signals.csv", "two/signals.csv"));
  outcome_free(&one);
  outcome_free(&two);
  one = expect_success(SEAM("check", "x.ssp"));
  cr_expect(has(one.out, "b.x -> a.f, order 2, gain 20, offset 3\n"), "%s", one.out);
  outcome_free(&one);
  one = expect_success(SEAM("report", "one"));
  outcome_free(&one);
}

/* Neither the system nor its FMUs say a macro step: it is said in both places, unless the user chooses one. */
Test(systems, a_macro_step_that_no_user_chose_is_said) {
  static const char note[] = "gives a macro step, so that 0.001 s is assumed (a thousandth of the end time, or 1 ms "
                             "without an end time) and not checked";
  static const char in_summary[] = "\"macro_step_note\": \"assumed, not checked";
  write_system("x.ssp", TWO_IN_A_LOOP, NULL, 0);
  for (int is_chosen = 0; is_chosen < 2; is_chosen++) {
    outcome run = expect_success(SEAM("run", "x.ssp", "-o", "out", is_chosen ? "--macro-step" : NULL, "0.001"));
    char *summary = read_text("out/summary.json");
    cr_expect_eq(has(run.err, note), !is_chosen, "%s", run.err);
    cr_expect_eq(has(summary, in_summary), !is_chosen, "%s", summary);
    free(summary);
    outcome_free(&run);
  }
}

/* The checkpoint keeps the effective model, which is no system any more. */
Test(systems, a_resumed_run_knows_that_no_user_chose_its_macro_step) {
  write_system("x.ssp", TWO_IN_A_LOOP, NULL, 0);
  outcome run = expect_success(SEAM("run", "x.ssp", "-o", "out", "--checkpoint", "0.3", "--end", "0.5", "--quiet"));
  outcome_free(&run);
  run = expect_success(SEAM("run", "--resume", "out/checkpoint.seam", "--quiet"));
  char *summary = read_text("out/summary.json");
  cr_expect(has(summary, "\"macro_step_note\": \"assumed, not checked"), "%s", summary);
  free(summary);
  outcome_free(&run);
}

/* f = 3 with factor and offset of units: x = (3/100)(1 - cos 10 t) in m. Seen in mm, 1000 x is added to nothing. */
#define UNITS                                                                                                          \
  "<ssd:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit>"                                                 \
  "<ssc:Unit name=\"kN\"><ssc:BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1000\"/></ssc:Unit>"                         \
  "<ssc:Unit name=\"N\"><ssc:BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></ssc:Unit></ssd:Units>"
#define FORCE(of_system)                                                                                               \
  "<ssd:Connectors><ssd:Connector name=\"force\" kind=\"input\"><ssc:Real unit=\"" of_system "\"/></ssd:Connector>"    \
  "</ssd:Connectors>\n"
#define INTO_A(more, inside)                                                                                           \
  "<ssd:Connections>" CONNECTION("startConnector=\"force\" endElement=\"a\" endConnector=\"f\" " more,                 \
                                 inside) "</ssd:Connections>"
#define PUSHED(of_system, more, inside)                                                                                \
  SYSTEM_TEXT(FORCE(of_system)                                                                                         \
                  BINDING(VALUE("force", "Real", "0.003") VALUE("a.c", "Real", "0")) "<ssd:Elements>" COMPONENT(       \
                      "a", "resources/unit.fmu",                                                                       \
                      CONNECTORS("<ssc:Real unit=\"N\"/>", "<ssc:Real/>")                                              \
                          BINDING(VALUE("c", "Real", "7"))) "</ssd:Elements>\n" INTO_A(more, inside),                  \
              UNITS EXPERIMENT)

Test(systems, what_the_system_takes_is_constant_and_units_are_converted) {
  const double x = 0.03 * (1 - cos(10));
  write_system("x.ssp", PUSHED("kN", "", ""), NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), x, 1e-8);
  write_system("x.ssp", PUSHED("kN", "suppressUnitConversion=\"true\"", BY("1000", "0")), NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), x, 1e-8);
  write_system("x.ssp", PUSHED("kN", "", BY("2", "-3")), NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), x, 1e-8);
}

/* The same force in each unit of the system's connector and of its value, for an FMU whose input is in N. */
#define VALUE_IN(name, value, unit)                                                                                    \
  "<ssv:Parameter name=\"" name "\"><ssv:Real value=\"" value "\" unit=\"" unit "\"/></ssv:Parameter>"
#define REAL_IN(unit) "<ssc:Real unit=\"" unit "\"/>"
#define ON_NEWTONS(real, value, of_a)                                                                                  \
  SYSTEM_TEXT("<ssd:Connectors><ssd:Connector name=\"force\" kind=\"input\">" real "</ssd:Connector></ssd:Connectors>" \
              "\n" BINDING(value) "<ssd:Elements>" COMPONENT("a", "resources/newtons.fmu",                             \
                                                             of_a) "</ssd:Elements>\n" INTO_A("", ""),                 \
              UNITS EXPERIMENT)

static void write_on_newtons(const char *description) {
  unit_options options = default_unit_options(FMI_2);
  size_t size = 0;
  options.is_in_newtons = true;
  write_unit("newtons.fmu", &options);
  char *bytes = read_bytes("newtons.fmu", &size);
  const fmi_entry more = {"resources/newtons.fmu", bytes, size};
  write_system("x.ssp", description, &more, 1);
  free(bytes);
}

Test(systems, a_value_is_taken_into_the_unit_of_the_connector_and_then_into_that_of_the_variable) {
  static const char *const same[] = {
      ON_NEWTONS(REAL_IN("kN"), VALUE("force", "Real", "0.003"), REALS),
      ON_NEWTONS(REAL_IN("kN"), VALUE_IN("force", "0.003", "kN"), REALS),
      ON_NEWTONS(REAL_IN("kN"), VALUE_IN("force", "3", "N"), REALS),
      ON_NEWTONS(REAL_IN("N"), VALUE_IN("force", "3", "N"), REALS),
      ON_NEWTONS(REAL_IN("N"), VALUE_IN("force", "0.003", "kN"), REALS),
      ON_NEWTONS(REAL_IN("kN"), VALUE_IN("force", "3", "N"), CONNECTORS(REAL_IN("N"), "<ssc:Real/>")),
      ON_NEWTONS("<ssc:Real/>", VALUE_IN("force", "0.003", "kN"), REALS),
      ON_NEWTONS("<ssc:Real/>", VALUE("force", "Real", "3"), REALS),
      ON_NEWTONS(REAL_IN("kN"), VALUE_IN("a.f", "0.003", "kN"), REALS),
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    write_on_newtons(same[i]);
    cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), 0.03 * (1 - cos(10)), 1e-8, "%zu", i);
  }
}

/* a holds 0.003 kN and gives them to b, which takes N. */
Test(systems, connections_convert_units_once) {
  unit_options options = default_unit_options(FMI_2);
  fmi_entry more[] = {{"resources/newtons.fmu", NULL, 0}, {"resources/cm.fmu", NULL, 0}};
  options.is_in_newtons = true;
  for (int i = 0; i < 2; i++) {
    options.is_in_cm = i == 1;
    write_unit("one.fmu", &options);
    more[i].data = read_bytes("one.fmu", &more[i].size);
  }
  write_system(
      "x.ssp",
      SYSTEM_TEXT("<ssd:Elements>" COMPONENT(
                      "a", "resources/cm.fmu",
                      "<ssd:Connectors><ssd:Connector name=\"y\" kind=\"output\"/></ssd:Connectors>" BINDING(
                          VALUE("f", "Real", "0.003")))
                      COMPONENT("b", "resources/newtons.fmu", REALS) "</ssd:Elements>\n<ssd:Connections>" CONNECTION(
                          ENDS("a", "y", "b", "f"), "") "</ssd:Connections>",
                  EXPERIMENT),
      more, 2);
  cr_expect_float_eq(run_and_read("b.x", "--macro-step", "0.01"), 0.03 * (1 - cos(10)), 1e-8);
  for (int i = 0; i < 2; i++)
    free((void *)more[i].data);
}

/* The loop again, with the first component in a system of its own, under a name that no subsystem may have: the factor
 * is shared between both levels, and the outer value of a parameter counts. */
#define NESTED                                                                                                         \
  SYSTEM_TEXT(BINDING(VALUE("inner.a b.x0", "Real", "0.5")) "<ssd:Elements><ssd:System name=\"inner\">\n" REALS        \
                  BINDING(VALUE("a b.x0", "Real", "0.1")) "<ssd:Elements>" COMPONENT(                                  \
                      "a b", "resources/unit.fmu",                                                                     \
                      REALS) "</ssd:Elements>\n"                                                                       \
                             "<ssd:Connections>" CONNECTION(                                                           \
                                 "startConnector=\"f\" endElement=\"a b\" endConnector=\"f\"", BY("2", "0"))           \
                                 CONNECTION("startElement=\"a b\" startConnector=\"x\" endConnector=\"x\"",            \
                                            "") "</ssd:Connections></ssd:System>\n" B "</ssd:Elements>\n"              \
                                                "<ssd:Connections>" CONNECTION(ENDS("inner", "x", "b", "f"),           \
                                                                               BY("20", "0") HOLD)                     \
                                                    CONNECTION(ENDS("b", "x", "inner", "f"),                           \
                                                               BY("10", "1.5") HOLD) "</ssd:Connections>\n",           \
              EXPERIMENT)

Test(systems, systems_within_a_system_are_taken_apart) {
  write_system("x.ssp", NESTED, NULL, 0);
  cr_expect_float_eq(run_and_read("inner_a_b.x", "--macro-step", "0.001"), in_loop(1, 1), 1e-5);
  cr_expect_float_eq(run_and_read("b.x", "--macro-step", "0.001"), in_loop(-1, 1), 1e-5);
}

/* Version 2.0 writes the types of FMI 3. */
Test(systems, version_2_is_read_as_far_as_it_says_the_same) {
  static const char two[] =
      SYSTEM_TEXT("<ssd:Elements>" COMPONENT("a", "resources/unit.fmu",
                                             CONNECTORS("<ssc:Float64/>", "<ssc:Float64/>")
                                                 BINDING(VALUE("x0", "Float64", "0.5"))) B "</ssd:Elements>\n" LOOP,
                  EXPERIMENT);
  char text[sizeof two];
  strcpy(text, two);
  char *version = strstr(text, "version=\"1.0\" name=\"two\"");
  cr_assert_not_null(version);
  version[strlen("version=\"")] = '2';
  write_system("x.ssp", text, NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.001"), in_loop(1, 1), 1e-5);
}

/* x0 = 0.001 * 250 + 0.25, by a mapping in the description, and in a file; values that it does not name are left out.
 */
#define MAPPING                                                                                                        \
  "<ssm:ParameterMapping xmlns:ssm=\"" SSP_SPACE("ParameterMapping") "\" xmlns:ssc=\"" SSP_SPACE(                      \
      "Common") "\" version=\"1.0\"><ssm:MappingEntry source=\"begin\" target=\"a.x0\">" BY("0.001",                   \
                                                                                            "0.25") "</ssm:"           \
                                                                                                    "MappingEntry></"  \
                                                                                                    "ssm:"             \
                                                                                                    "ParameterMapping" \
                                                                                                    ">"
#define MAPPED(mapping)                                                                                                \
  SYSTEM_TEXT("<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version=\"1.0\" "   \
              "name=\"p\"><ssv:Parameters>" VALUE("begin", "Real", "250") VALUE(                                       \
                  "b.x0", "Real", "9") "</ssv:"                                                                        \
                                       "Parameters></ssv:"                                                             \
                                       "ParameterSet>"                                                                 \
                                       "</ssd:ParameterValues>" mapping                                                \
                                       "</ssd:ParameterBinding></ssd:ParameterBindings>\n<ssd:Elements>" COMPONENT(    \
                                           "a", "resources/unit.fmu", REALS) B "</ssd:Elements>\n" LOOP,               \
              EXPERIMENT)

Test(systems, parameter_mappings_name_and_transform_values) {
  static const char file[] = MAPPING;
  const fmi_entry more = {"resources/m.ssm", file, sizeof file - 1};
  write_system("x.ssp", MAPPED("<ssd:ParameterMapping>" MAPPING "</ssd:ParameterMapping>"), NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.001"), in_loop(1, 1), 1e-5);
  write_system("x.ssp", MAPPED("<ssd:ParameterMapping source=\"resources/m.ssm\"/>"), &more, 1);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.001"), in_loop(1, 1), 1e-5);
}

/* The FMU of the tests has no units: an empty one of a connector is none. */
Test(systems, an_empty_unit_is_none) {
  write_system("x.ssp",
               SYSTEM_TEXT("<ssd:Elements>" COMPONENT("a", "resources/unit.fmu",
                                                      CONNECTORS(REAL_IN(""), REAL_IN("")) BINDING(
                                                          VALUE("x0", "Real", "0.5"))) B "</ssd:Elements>\n" LOOP,
                           UNITS EXPERIMENT),
               NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.001"), in_loop(1, 1), 1e-5);
  write_on_newtons(ON_NEWTONS(REAL_IN("kN"), VALUE("force", "Real", "0.003"), CONNECTORS(REAL_IN(""), "<ssc:Real/>")));
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), 0.03 * (1 - cos(10)), 1e-8);
}

/* The FMU of the tests says no unit, its connector does. */
Test(systems, a_value_by_name_is_in_the_unit_of_the_connector) {
  write_system("x.ssp",
               SYSTEM_TEXT(BINDING(VALUE_IN("a.f", "0.003", "kN")) "<ssd:Elements>" COMPONENT(
                               "a", "resources/unit.fmu", CONNECTORS(REAL_IN("N"), "<ssc:Real/>")) "</ssd:Elements>\n",
                           UNITS EXPERIMENT),
               NULL, 0);
  cr_expect_float_eq(run_and_read("a.x", "--macro-step", "0.01"), 0.03 * (1 - cos(10)), 1e-8);
}

/* A set in a file of its own, whose prefix names the component; later values replace earlier ones, those of the system
 * the component's; a name without a variable is passed over and said. */
static const char set[] = "<ssv:ParameterSet xmlns:ssv=\"" SSP_SPACE(
    "ParameterValues") "\" version=\"1.0\" name=\"p\"><ssv:Parameters>" VALUE("x0", "Real", "0.25")
    VALUE("k", "Integer", "400") VALUE("label", "String", "a &amp; b") VALUE("mirrored", "Boolean", "true")
        VALUE("divisions", "Integer", "40") VALUE("none", "Real", "1") "</ssv:Parameters></ssv:ParameterSet>";

Test(systems, parameter_sets_in_files_go_to_the_components_that_they_name) {
  const fmi_entry more[] = {{"resources/p.ssv", set, sizeof set - 1}};
  write_system("x.ssp",
               SYSTEM_TEXT("<ssd:ParameterBindings><ssd:ParameterBinding source=\"resources/p.ssv\" prefix=\"a.\"/>"
                           "</ssd:ParameterBindings><ssd:Elements>" A "</ssd:Elements>\n",
                           EXPERIMENT),
               more, 1);
  outcome run = expect_success(SEAM("run", "x.ssp", "-o", "out"));
  cr_expect(has(run.err, "note: x.ssp/resources/p.ssv:1: no variable has the name 'a.none': the value is ignored"),
            "%s", run.err);
  outcome_free(&run);
  cr_expect_float_eq(csv_last("out/signals.csv", "a.x"), 0.25 * cos(20), 1e-7);
}

#define TWO_HELD(of_last, of_system)                                                                                   \
  SYSTEM_TEXT("<ssd:Elements>" A B                                                                                     \
              "</ssd:Elements>\n<ssd:Connections>" CONNECTION(ENDS("a", "x", "b", "f"), BY("20", "0"))                 \
                  CONNECTION(ENDS("b", "x", "a", "f"), BY("20", "3") of_last) "</ssd:Connections>\n" of_system,        \
              EXPERIMENT)

Test(systems, an_order_of_the_system_itself_is_none_of_a_connection) {
  write_system("x.ssp", TWO_HELD("", ""), NULL, 0);
  const double none = run_and_read("a.x", "--macro-step", "0.005");
  write_system("x.ssp", TWO_HELD("", HOLD), NULL, 0);
  cr_expect_eq(run_and_read("a.x", "--macro-step", "0.005"), none);
  write_system("x.ssp", TWO_HELD(HOLD, ""), NULL, 0);
  cr_expect_neq(run_and_read("a.x", "--macro-step", "0.005"), none);
}

Test(systems, a_folder_may_be_named_like_an_archive) {
  cr_assert_eq(mkdir("old.ssp", 0700), 0);
  write_system("old.ssp/x.ssp", TWO_IN_A_LOOP, NULL, 0);
  outcome run = expect_success(SEAM("run", "old.ssp/x.ssp", "-o", "out", "--quiet"));
  outcome_free(&run);
  cr_expect_float_eq(csv_last("out/signals.csv", "a.x"), in_loop(1, 1), 1e-5);
}

/* ---- What is refused ---- */

static void expect_message(const char *message) {
  outcome result = SEAM("run", "x.ssp", "-o", "refused");
  cr_expect_eq(result.exit_status, 2, "%s", message);
  cr_expect(has(result.err, message), "%s\nnot\n%s", result.err, message);
  cr_expect(!file_exists("refused"));
  outcome_free(&result);
}

static void expect_refused(const char *description, const char *message) {
  write_system("x.ssp", description, NULL, 0);
  expect_message(message);
}

#define ELEMENTS(inside) SYSTEM_TEXT("<ssd:Elements>" inside "</ssd:Elements>\n", EXPERIMENT)
#define LINKED(first, second, links)                                                                                   \
  SYSTEM_TEXT("<ssd:Elements>" first second "</ssd:Elements>\n<ssd:Connections>" links "</ssd:Connections>\n",         \
              EXPERIMENT)

Test(systems, components_are_fmus_that_are_there) {
  expect_refused(ELEMENTS(COMPONENT("a", "resources/none.fmu", "")),
                 "x.ssp/SystemStructure.ssd:4: component 'a': x.ssp: it has no entry 'resources/none.fmu'\n");
  expect_refused(ELEMENTS(COMPONENT("a", "../unit.fmu", "")),
                 "component 'a': '../unit.fmu' is not an entry of the archive: give a path below its resources/");
  expect_refused(ELEMENTS(COMPONENT("a", "http://x.org/unit.fmu", "")), "is not an entry of the archive");
  expect_refused(ELEMENTS(A A), ":8: a component 'a' already exists, in line 4: rename one");
  expect_refused(SYSTEM_TEXT("", EXPERIMENT), "x.ssp/SystemStructure.ssd: the system has no components");
  expect_refused(ELEMENTS(COMPONENT("a", "SystemStructure.ssd", "")),
                 "component 'a': x.ssp/SystemStructure.ssd: not a zip archive");
}

/* What the model that is made of a system is refused for names the system and the variable: no one sees its lines. */
Test(systems, refusals_name_no_lines_of_the_model_that_is_made) {
  static const char *const descriptions[] = {
      ELEMENTS(COMPONENT("a", "resources/unit.fmu", REALS BINDING(VALUE("mass", "Real", "-1")))),
      LINKED(A,
             COMPONENT("b", "resources/unit.fmu",
                       "<ssd:Connectors><ssd:Connector name=\"sampled\" kind=\"output\"/></ssd:Connectors>"),
             CONNECTION(ENDS("b", "sampled", "a", "f"), HOLD))};
  static const char *const messages[] = {
      "x.ssp: error: 'mass' of subsystem 'a' must be at least 0, but is -1\n",
      "x.ssp: error: link from 'b.sampled' to 'a.f': 'b.sampled' is constant between its samples: leave out 'order'"};
  for (size_t i = 0; i < 2; i++) {
    write_system("x.ssp", descriptions[i], NULL, 0);
    outcome result = SEAM("run", "x.ssp", "-o", "refused");
    cr_expect_eq(result.exit_status, 2);
    cr_expect(has(result.err, messages[i]), "%s", result.err);
    cr_expect_not(has(result.err, "^"), "%s", result.err);
    outcome_free(&result);
  }
}

Test(systems, connectors_are_variables_of_their_kind_and_type) {
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu",
                                    "<ssd:Connectors><ssd:Connector name=\"g\" kind=\"input\"/></ssd:Connectors>")),
                 ":5: the FMU of component 'a' has no variable 'g'");
  expect_refused(
      ELEMENTS(COMPONENT("a", "resources/unit.fmu",
                         "<ssd:Connectors><ssd:Connector name=\"x\" kind=\"input\"/></ssd:Connectors>")),
      "connector 'x' of component 'a' is of the kind 'input', but the variable of the FMU is of the kind 'output'");
  expect_refused(
      ELEMENTS(COMPONENT("a", "resources/unit.fmu", CONNECTORS("<ssc:Integer/>", ""))),
      "connector 'f' of component 'a' is of the type Integer, but the variable of the FMU is of the type Real");
}

Test(systems, connections_join_an_output_to_an_input_that_has_no_other) {
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "x", "c", "f"), "")), "the system has no component 'c'");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "v", "b", "f"), "")), "component 'a' has no connector 'v'");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "x", "bb", "f"), "")),
                 "the system has no component 'bb': did you mean 'b'?");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "xx", "b", "f"), "")),
                 "component 'a' has no connector 'xx': did you mean 'x'?");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "f", "b", "f"), "")),
                 "a connection from 'f', of the kind 'input', to 'f', of the kind 'input': Seam connects outputs of "
                 "components to inputs");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "x", "b", "f"), "") "\n" CONNECTION(ENDS("b", "x", "b", "f"), "")),
                 ":14: 'f' of component 'b' has two sources, here and in line 12: keep one");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "x", "b", "f"), BY("0", "1"))),
                 "a transformation by 0 x + 1: give finite numbers, and a factor that is not 0");
  expect_refused(LINKED(A, B, CONNECTION(ENDS("a", "x", "b", "f"), "<ssc:BooleanMappingTransformation/>")),
                 "<BooleanMappingTransformation>: Seam connects real variables, which take a LinearTransformation");
  expect_refused(PUSHED("m", "", ""),
                 "unit 'm' of 'force' cannot be converted into 'N' of 'f': define both with equal exponents under "
                 "<Units>, or say suppressUnitConversion=\"true\" and give a LinearTransformation");
}

/* The same number would be kN or N. */
Test(systems, a_value_with_a_unit_at_a_connector_without_one_is_not_taken_without_conversion) {
  write_on_newtons(SYSTEM_TEXT(
      "<ssd:Connectors><ssd:Connector name=\"force\" kind=\"input\"><ssc:Real/></ssd:Connector>"
      "</ssd:Connectors>\n" BINDING(VALUE_IN("force", "0.003", "kN")) "<ssd:Elements>" COMPONENT(
          "a", "resources/newtons.fmu", REALS) "</ssd:Elements>\n" INTO_A("suppressUnitConversion=\"true\"", ""),
      UNITS EXPERIMENT));
  expect_message("suppressUnitConversion=\"true\" needs a unit at connector 'force', whose value is in 'kN': give the "
                 "connector that unit, or remove suppressUnitConversion\n");
}

Test(systems, values_are_of_the_type_of_what_takes_them) {
  expect_refused(
      ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("k", "String", "soft")))),
      "x.ssp/SystemStructure.ssd:5: 'k' of component 'a' is of the type Real, but its value is of the type String");
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("divisions", "Real", "2")))),
                 "'divisions' of component 'a' is of the type Integer, but its value is of the type Real");
  expect_refused(
      ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("divisions", "Integer", "2147483648")))),
      "x.ssp/SystemStructure.ssd:5: 'divisions' of component 'a' is of the type Integer, from -2147483648 to "
      "2147483647, not 2147483648\n");
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("divisions", "Integer", "1e30")))),
                 "from -2147483648 to 2147483647, not 1e+30\n");
  write_on_newtons(ON_NEWTONS(REAL_IN("kN"), VALUE_IN("force", "3", "m"), REALS));
  expect_message("x.ssp/SystemStructure.ssd:5: 'force' is in 'kN', but its value is in 'm', which cannot be converted: "
                 "give the value in the unit of the variable");
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("x", "Real", "2")))),
                 "'x' of component 'a' is continuous output: Seam sets parameters and inputs");
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu", BINDING(VALUE("k", "Enumeration", "soft")))),
                 "parameter 'k' is of the type Enumeration: give it a Real, Integer, Boolean or String");
}

Test(systems, what_is_not_taken_is_refused_by_name) {
  expect_refused(ELEMENTS(A "<ssd:SignalDictionaryReference name=\"s\" dictionary=\"d\"/>"),
                 "Seam reads no signal dictionaries: connect the components to each other");
  expect_refused(ELEMENTS(COMPONENT("a", "resources/unit.fmu",
                                    "<ssd:ParameterBindings><ssd:ParameterBinding source=\"resources/p.ssv\"/>"
                                    "</ssd:ParameterBindings>")),
                 "x.ssp: it has no entry 'resources/p.ssv'");
  expect_refused(ELEMENTS("<ssd:Component name=\"a\" type=\"application/x-ssp-package\" source=\"a.ssp\"/>"),
                 "component 'a' is of the type 'application/x-ssp-package': Seam takes FMUs");
  expect_refused(ELEMENTS("<ssd:Component name=\"a\" implementation=\"ModelExchange\" source=\"a.fmu\"/>"),
                 "component 'a' is for ModelExchange: Seam takes FMUs for co-simulation");
  expect_refused(ELEMENTS(A "<ssd:Part/>"), "element <Part> may not stand here");
  expect_refused(
      SYSTEM_TEXT("<ssd:Elements>" A "</ssd:Elements>\n", "<ssd:DefaultExperiment startTime=\"3\" stopTime=\"2\"/>"),
      "stopTime is 2 s: give a finite time after startTime");
  expect_refused("<a/>", "element <a> may not stand here: it is not of SSP 1.0");
  expect_refused("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "x.ssp/SystemStructure.ssd:1: entity 'b'");
  expect_refused("", "x.ssp/SystemStructure.ssd:1: the file is empty");
  expect_refused("<ssd:SystemStructureDescription xmlns:ssd=\"" SSP_SPACE("Description") "\" version=\"3.0\"/>",
                 "version '3.0' of SSP: write the system in version 1.0 or 2.0");
}

/* "../escape" in both headers, of the same length as the name that is replaced. */
static void rename_entry(const char *path, const char *from, const char *to) {
  size_t size = 0;
  char *bytes = read_bytes(path, &size);
  const size_t length = strlen(from);
  for (size_t i = 0; i + length <= size; i++)
    if (memcmp(bytes + i, from, length) == 0)
      memcpy(bytes + i, to, length);
  FILE *file = fopen(path, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
  free(bytes);
}

Test(systems, archives_that_lead_astray_are_refused_as_a_whole) {
  const fmi_entry more[] = {{"xx/escaped", "text", 4}};
  write_system("x.ssp", NULL, NULL, 0);
  expect_message("x.ssp: it has no entry 'SystemStructure.ssd'\n");
  write_text("x.ssp", "text");
  expect_message("x.ssp: not a zip archive");
  write_system("x.ssp", TWO_IN_A_LOOP, more, 1);
  rename_entry("x.ssp", "xx/escaped", "../escaped");
  expect_message("x.ssp: entry '../escaped' leads out of the archive's folder");
  cr_expect(!file_exists("../escaped"));
}

/* ---- One alone ---- */

Test(systems, one_fmu_runs_alone) {
  write_system("x.ssp", TWO_IN_A_LOOP, NULL, 0);
  write_text("m.yaml", "seam: 1\nsimulate: {end: 1}\ncosim:\n  macro_step: 0.01\n  subsystems:\n"
                       "    a: {fmu: written.fmu, parameters: {x0: 0.5}, inputs: {f: 3}}\n");
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
  cr_expect_float_eq(csv_last("out/signals.csv", "a.x"), 0.03 + 0.47 * cos(10), 1e-7);
  outcome_free(&run);
  run = SEAM("run", "m.yaml", "-o", "no");
  cr_expect_eq(run.exit_status, 2);
  cr_expect(has(run.err, "the equations of the FMU 'a' are not known: use 'seam run --cosim'"), "%s", run.err);
  outcome_free(&run);
}

/* ---- Offsets of signals ---- */

/* 2 kg between springs, pushed by 20 y + offset; y = x + shift of a second oscillator that the cart drives. */
static const char pushed[] =
    "seam: 1\nname: pushed\ngravity: [0, 0]\n"
    "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces:\n  push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}\n"
    "  spring: {type: spring_damper, bodies: [ground, cart], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 50}\n"
    "simulate: {end: 1, output_step: 0.1, rtol: 1e-10, atol: 1e-12}\n"
    "cosim:\n  macro_step: 1e-2\n  subsystems:\n    left: [cart]\n"
    "    other: {inputs: [f], states: {x: 0, v: 1}, rates: {x: v, v: f - 200*x}, outputs: {y: x + %s},\n"
    "            integrator: rk4, micro_steps: 4}\n"
    "  signals:\n    - {from: other.y, to: left.push.fx, gain: 20, offset: %s, order: 1}\n"
    "    - {from: left.cart.x, to: other.f, gain: 20, order: 1}\n%s";

static double run_pushed(const char *shift, const char *offset, const char *more, const char *how) {
  char text[2048];
  snprintf(text, sizeof text, pushed, shift, offset, more);
  write_text("m.yaml", text);
  outcome run = expect_success(SEAM("run", "m.yaml", "-o", "out", "--quiet", how));
  outcome_free(&run);
  return csv_last("out/trajectory.csv", "cart.x");
}

Test(systems, an_offset_of_a_signal_is_as_one_of_the_output) {
  static const char *const corrections[] = {"", "  corrections: {model_based: {}}\n",
                                            "  corrections: {balance: {input: left.push.fx}}\n"};
  for (size_t i = 0; i < sizeof corrections / sizeof *corrections; i++)
    cr_expect_float_eq(run_pushed("0", "4", corrections[i], "--cosim"),
                       run_pushed("0.2", "0", corrections[i], "--cosim"), 1e-12, "%s", corrections[i]);
  const double whole = run_pushed("0", "4", "", "--quiet");
  cr_expect_float_eq(whole, run_pushed("0.2", "0", "", "--quiet"), 1e-12);
  cr_expect_float_eq(run_pushed("0", "4", "", "--cosim"), whole, 1e-3);
  cr_expect_gt(fabs(whole), 0.01);
}

/* Of deviations: what is constant does not amplify. */
static char *radius_of_pushed(const char *offset) {
  char text[2048];
  snprintf(text, sizeof text, pushed, "0", offset, "");
  write_text("m.yaml", text);
  outcome result = expect_success(SEAM("stability", "model", "m.yaml", "-o", "out", "--macro-steps", "0.001:0.1:4"));
  char *said = strndup(result.out, (size_t)(strstr(result.out, "on the file's own motion") - result.out));
  outcome_free(&result);
  return said;
}

Test(systems, offsets_leave_the_stability_of_an_exchange_as_it_is) {
  char *with = radius_of_pushed("4"), *without = radius_of_pushed("0");
  cr_expect_str_eq(with, without);
  free(with);
  free(without);
}
