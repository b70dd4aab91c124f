/* Bad `fmu:` sections: each kind once, with the whole message it gets. */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"

#define BODY "seam: 1\nparameters: {k: 1}\nbodies: {a: {mass: 1, inertia: 1}}\n"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused_fmu, name) { expect_refused(text, message); }

REFUSED(input_with_the_name_of_a_parameter, BODY "fmu: {inputs: {k: 0}}\n",
        "text.yaml:4:16: error: the name 'k' is that of a parameter\n"
        "fmu: {inputs: {k: 0}}\n"
        "               ^\n"
        "choose another name for these inputs: in expressions a name must be unique")
REFUSED(list_of_inputs, BODY "fmu: {inputs: [u]}\n",
        "text.yaml:4:15: error: 'inputs' in 'fmu' must be a map, but is a list\n"
        "fmu: {inputs: [u]}\n"
        "              ^\n"
        "write {NAME: START, ...}")
REFUSED(unknown_output, BODY "fmu: {outputs: [a.z]}\n",
        "text.yaml:4:17: error: unknown quantity 'a.z'; 'a' offers x, y, phi, vx, vy, omega, ax, ay, alpha, kinetic, "
        "potential\n"
        "fmu: {outputs: [a.z]}\n"
        "                ^")
REFUSED(unknown_parameter, BODY "fmu: {parameters: [c]}\n",
        "text.yaml:4:20: error: there is no parameter 'c'\n"
        "fmu: {parameters: [c]}\n"
        "                   ^\n"
        "name one of 'parameters'")
REFUSED(unknown_key, BODY "fmu: {output: [a.x]}\n",
        "text.yaml:4:7: error: unknown key 'output' in 'fmu'\n"
        "fmu: {output: [a.x]}\n"
        "      ^\n"
        "did you mean 'outputs'?")
REFUSED(input_without_number, BODY "fmu: {inputs: {u: {start: a.x}}}\n",
        "text.yaml:4:27: error: unknown name 'a'\n"
        "fmu: {inputs: {u: {start: a.x}}}\n"
        "                          ^\n"
        "known: names of 'parameters'")
REFUSED(input_twice, BODY "forces: {u: {type: torque, body: a, torque: 0}}\nfmu: {inputs: {u: 0}}\n",
        "text.yaml:5:16: error: the name 'u' is that of a body, joint or force element\n"
        "fmu: {inputs: {u: 0}}\n"
        "               ^\n"
        "choose another name for these inputs: in expressions a name must be unique")
