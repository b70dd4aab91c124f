#include "tests/support/rogue_fmu.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/library.h"
#include "tests/support/command.h"
#include "tests/support/unit_system.h"

#define VARIABLE_2(name, reference, more, type)                                                                        \
  "<ScalarVariable name=\"" name "\" valueReference=\"" reference "\" " more ">" type "</ScalarVariable>\n"

static const char description_2[] =
    "<?xml version=\"1.0\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"rogue\" guid=\"r\">\n"
    "<CoSimulation modelIdentifier=\"rogue\" canHandleVariableCommunicationStepSize=\"true\" "
    "canGetAndSetFMUstate=\"true\"/>\n"
    "<ModelVariables>\n" /* value references are those of rogue.h */
    VARIABLE_2("u", "1", "causality=\"input\"", "<Real start=\"1\"/>")
        VARIABLE_2("x", "2", "causality=\"output\" initial=\"exact\"", "<Real start=\"0\"/>") VARIABLE_2(
            "p", "3", "causality=\"parameter\" variability=\"fixed\"",
            "<Real start=\"1\"/>") VARIABLE_2("stop", "4", "causality=\"output\"",
                                              "<Real/>") VARIABLE_2("tolerance", "5", "causality=\"output\"", "<Real/>")
            VARIABLE_2("mode", "7", "causality=\"parameter\" variability=\"fixed\"",
                       "<String start=\"\"/>") VARIABLE_2("count", "8", "causality=\"output\"", "<Integer/>")
                VARIABLE_2("limit", "9", "causality=\"input\"", "<Integer start=\"1000\"/>")
                    VARIABLE_2("below", "10", "causality=\"output\"", "<Boolean/>") VARIABLE_2(
                        "on", "11", "causality=\"input\"",
                        "<Boolean start=\"false\"/>") "</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n";

static const char description_3[] =
    "<?xml version=\"1.0\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"rogue\" instantiationToken=\"r\">\n"
    "<CoSimulation modelIdentifier=\"rogue\" canHandleVariableCommunicationStepSize=\"true\" hasEventMode=\"true\"/>\n"
    "<ModelVariables>\n"
    "<Float64 name=\"u\" valueReference=\"1\" causality=\"input\" start=\"1\"/>\n"
    "<Float64 name=\"x\" valueReference=\"2\" causality=\"output\"/>\n"
    "<Float64 name=\"p\" valueReference=\"3\" causality=\"parameter\" variability=\"fixed\" start=\"1\"/>\n"
    "<Float64 name=\"sum\" valueReference=\"6\" causality=\"output\"/>\n"
    "<Float64 name=\"table\" valueReference=\"12\" causality=\"parameter\" variability=\"fixed\" start=\"1 1 1\">"
    "<Dimension valueReference=\"13\"/></Float64>\n"
    "<UInt64 name=\"size\" valueReference=\"13\" causality=\"structuralParameter\" variability=\"fixed\" start=\"3\" "
    "max=\"4\"/>\n"
    "<String name=\"mode\" valueReference=\"7\" causality=\"parameter\" variability=\"fixed\"><Start "
    "value=\"\"/></String>\n"
    "</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n";

static void write(const char *path, int version, const void *binary, size_t size) {
  const char *text = version == 2 ? description_2 : description_3;
  char name[128];
  snprintf(name, sizeof name, "binaries/%s/rogue.so", fmi_platform((fmi_version)version));
  const fmi_entry entries[] = {{"modelDescription.xml", text, strlen(text)}, {name, binary, size}};
  cr_assert_eq(fmi_archive_write(path, entries, 2, NULL), SEAM_OK);
}

void write_rogue(const char *path, int version) {
  size_t size = 0;
  char *binary = read_bytes(version == 2 ? ROGUE_2 : ROGUE_3, &size);
  write(path, version, binary, size);
  free(binary);
}

void write_rogue_binary(const char *path, const void *binary, size_t size) { write(path, 2, binary, size); }
