/* Bad equations and laws of quantities: each kind once, with the whole message it gets. */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"

#define BODY "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\n"
#define TORQUE BODY "forces: {F: {type: torque, body: a, torque: c.y}}\n"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused_equations, name) { expect_refused(text, message); }

REFUSED(outputs_in_a_circle, TORQUE "equations: {c: {inputs: {u: m}, outputs: {y: 2*u}}}\nmeasures: {m: c.y + 1}\n",
        "text.yaml:5:15: error: outputs, inputs and measures refer to each other in a circle: m -> c.y -> c.u -> m\n"
        "measures: {m: c.y + 1}\n"
        "              ^\n"
        "break the loop: make an output in it a state, or sample the equations")

REFUSED(unknown_output,
        BODY "forces: {F: {type: torque, body: a, torque: motor.troque}}\n"
             "equations: {motor: {outputs: {torque: t}}}\n",
        "text.yaml:3:45: error: unknown quantity 'motor.troque'\n"
        "forces: {F: {type: torque, body: a, torque: motor.troque}}\n"
        "                                            ^\n"
        "did you mean 'motor.torque'?")

REFUSED(law_of_its_own_load, BODY "forces: {F: {type: torque, body: a, torque: 2*F.torque}}\n",
        "text.yaml:3:45: error: force 'F' reads the force of 'F', whose law also depends on quantities: write that law "
        "as a measure, and read the measure in both\nforces: {F: {type: torque, body: a, torque: 2*F.torque}}\n        "
        "                                    ^")

REFUSED(unknown_name_beside_quantities,
        BODY "forces: {F: {type: torque, body: a, torque: 2*speed + a.x}}\nmeasures: {sped: a.omega}\n",
        "text.yaml:3:47: error: unknown name 'speed'\n"
        "forces: {F: {type: torque, body: a, torque: 2*speed + a.x}}\n"
        "                                              ^\n"
        "did you mean 'sped'?")

REFUSED(period_of_zero, BODY "equations: {c: {sample: 0, outputs: {y: t}}}\n",
        "text.yaml:3:25: error: 'sample' in equations 'c' must be positive, but is 0\n"
        "equations: {c: {sample: 0, outputs: {y: t}}}\n"
        "                        ^")

REFUSED(name_of_a_body, BODY "equations: {a: {outputs: {y: t}}}\n",
        "text.yaml:3:13: error: the name 'a' is that of a body, joint or force element\n"
        "equations: {a: {outputs: {y: t}}}\n"
        "            ^\n"
        "choose another name for these equations: in expressions a name must be unique")

REFUSED(name_of_a_constant, BODY "equations: {pi: {outputs: {y: t}}}\n",
        "text.yaml:3:13: error: the name 'pi' is that of a function or a constant\n"
        "equations: {pi: {outputs: {y: t}}}\n"
        "            ^\n"
        "choose another name for these equations: in expressions a name must be unique")

REFUSED(updates_without_period, BODY "equations: {c: {states: {x: 0}, updates: {x: 1}}}\n",
        "text.yaml:3:33: error: equations 'c' has no 'sample', and so cannot have 'updates'\n"
        "equations: {c: {states: {x: 0}, updates: {x: 1}}}\n"
        "                                ^\n"
        "write 'rates', or add 'sample: PERIOD'")

REFUSED(rates_of_sampled_ones, BODY "equations: {c: {sample: 1, states: {x: 0}, rates: {x: 1}}}\n",
        "text.yaml:3:44: error: equations 'c' has 'sample', and so cannot have 'rates'\n"
        "equations: {c: {sample: 1, states: {x: 0}, rates: {x: 1}}}\n"
        "                                           ^\n"
        "write 'updates', the values of the states at the next sample")

REFUSED(state_without_rate, BODY "equations: {c: {states: {x: 0}, rates: {}}}\n",
        "text.yaml:3:33: error: 'rates' of equations 'c' needs 'x'\n"
        "equations: {c: {states: {x: 0}, rates: {}}}\n"
        "                                ^")

REFUSED(inputs_alone, BODY "equations: {c: {inputs: {u: t}}}\n",
        "text.yaml:3:13: error: equations 'c' has neither states nor outputs\n"
        "equations: {c: {inputs: {u: t}}}\n"
        "            ^\n"
        "add 'states' and 'rates', or 'outputs'")

REFUSED(one_name_for_two, BODY "equations: {c: {inputs: {u: t}, outputs: {u: t}}}\n",
        "text.yaml:3:43: error: 'u' in equations 'c' is an input, state or output already\n"
        "equations: {c: {inputs: {u: t}, outputs: {u: t}}}\n"
        "                                          ^\n"
        "choose another name")

REFUSED(unit_of_nothing, BODY "equations: {c: {outputs: {u: t}, units: {v: A}}}\n",
        "text.yaml:3:42: error: 'units' in equations 'c' names 'v', which is not an input, state or output\n"
        "equations: {c: {outputs: {u: t}, units: {v: A}}}\n"
        "                                         ^\n"
        "name an input, state or output")

REFUSED(matrix_of_other_size, BODY "equations: {c: {states: {x: 0}, linear: {A: [[1, 2]], C: [[1]]}, outputs: [y]}}\n",
        "text.yaml:3:46: error: 'A' in equations 'c' must be a list of 1 numbers, but has 2\n"
        "equations: {c: {states: {x: 0}, linear: {A: [[1, 2]], C: [[1]]}, outputs: [y]}}\n"
        "                                             ^")

#define LISTED(keys) BODY "equations: {c: {outputs: {y: t}}}\ncosim: {macro_step: 1, subsystems: {" keys "}}\n"

REFUSED(unknown_equations_in_a_subsystem, LISTED("p: [a], d: {equations: [x]}"),
        "text.yaml:4:61: error: unknown equations 'x' in subsystem 'd'\n"
        "cosim: {macro_step: 1, subsystems: {p: [a], d: {equations: [x]}}}\n"
        "                                                            ^\n"
        "name an entry of 'equations:' at the top of the file")
REFUSED(equations_in_two_subsystems, LISTED("p: {bodies: [a], equations: [c]}, d: {equations: [c]}"),
        "text.yaml:4:87: error: equations 'c' are already in subsystem 'p'\n"
        "cosim: {macro_step: 1, subsystems: {p: {bodies: [a], equations: [c]}, d: {equations: [c]}}}\n"
        "                                                                                      ^\n"
        "list equations once")
REFUSED(order_of_signals_without_equations, LISTED("p: {bodies: [a], signal_order: 1}, d: {equations: [c]}"),
        "text.yaml:4:54: error: 'signal_order' in subsystem 'p' needs 'equations'\n"
        "cosim: {macro_step: 1, subsystems: {p: {bodies: [a], signal_order: 1}, d: {equations: [c]}}}\n"
        "                                                     ^\n"
        "remove 'signal_order', and give 'order' to signals of this subsystem under 'signals'")

REFUSED(measure_that_names_equations_of_a_subsystem,
        BODY "measures: {m: 2*c.y}\ncosim: {macro_step: 1, subsystems: {p: [a], c: {outputs: {y: t}}}}\n",
        "text.yaml:3:17: error: unknown quantity 'c.y'\n"
        "measures: {m: 2*c.y}\n"
        "                ^\n"
        "move the equations to 'equations:' at the top, and write 'c: {equations: [c]}'")
REFUSED(event_on_what_a_subsystem_does_not_have,
        BODY "events: {e: c.z > 1}\ncosim: {macro_step: 1, subsystems: {p: [a], c: {outputs: {y: t}}}}\n",
        "text.yaml:3:13: error: subsystem 'c' has no 'z'\n"
        "events: {e: c.z > 1}\n"
        "            ^\n"
        "name one of its outputs, states or inputs")
REFUSED(event_on_an_input_that_is_sampled,
        BODY "events: {e: c.u > 1}\n"
             "cosim: {macro_step: 1, subsystems: {p: [a], c: {sample: 1, inputs: [u], outputs: {y: u}}}}\n",
        "text.yaml:3:13: error: 'c.u' is an input of a sampled subsystem, and is known only at the samples\n"
        "events: {e: c.u > 1}\n"
        "            ^\n"
        "name the source of this signal, an output or a quantity")
REFUSED(word_of_a_joint_for_a_body, BODY "measures: {m: 2*a.angle}\n",
        "text.yaml:3:17: error: unknown quantity 'a.angle'\n"
        "measures: {m: 2*a.angle}\n"
        "                ^\n"
        "did you mean 'a.phi'?")

/* ---- Sampled subsystems ---- */

#define SUBSYSTEM(keys)                                                                                                \
  BODY "cosim:\n"                                                                                                      \
       "  macro_step: 0.01\n"                                                                                          \
       "  subsystems:\n"                                                                                               \
       "    plant: [a]\n"                                                                                              \
       "    c: {" keys "}\n"

REFUSED(period_that_is_no_multiple, SUBSYSTEM("sample: 0.025, outputs: {y: t}"),
        "text.yaml:7:17: error: 'sample' of subsystem 'c' must be a whole multiple or a whole fraction of the macro "
        "step, 0.01 s, but is 0.025 s\n"
        "    c: {sample: 0.025, outputs: {y: t}}\n"
        "                ^\n"
        "choose a macro step that divides the sample period, or add 'step_control'")
REFUSED(rates_of_a_sampled_subsystem, SUBSYSTEM("sample: 0.02, states: {x: 0}, rates: {x: 1}"),
        "text.yaml:7:39: error: subsystem 'c' has 'sample', and so cannot have 'rates'\n"
        "    c: {sample: 0.02, states: {x: 0}, rates: {x: 1}}\n"
        "                                      ^\n"
        "write 'updates', the values of the states at the next sample")
REFUSED(updates_of_a_subsystem_without_period, SUBSYSTEM("states: {x: 0}, updates: {x: 1}"),
        "text.yaml:7:25: error: subsystem 'c' has no 'sample', and so cannot have 'updates'\n"
        "    c: {states: {x: 0}, updates: {x: 1}}\n"
        "                        ^\n"
        "write 'rates', or add 'sample: PERIOD'")
REFUSED(sampled_subsystem_without_updates, SUBSYSTEM("sample: 0.02, states: {x: 0}"),
        "text.yaml:7:23: error: subsystem 'c' needs 'updates' or 'linear' for its states\n"
        "    c: {sample: 0.02, states: {x: 0}}\n"
        "                      ^\n"
        "write updates: {STATE: EXPRESSION, ...}")
REFUSED(integrator_of_a_sampled_subsystem, SUBSYSTEM("sample: 0.02, integrator: rk4, outputs: {y: t}"),
        "text.yaml:7:23: error: subsystem 'c' has 'sample', and so cannot have 'integrator'\n"
        "    c: {sample: 0.02, integrator: rk4, outputs: {y: t}}\n"
        "                      ^\n"
        "remove this key: outputs and states change only at the samples")
REFUSED(integrals_at_samples, SUBSYSTEM("sample: 0.02, integrals: {x: 1}"),
        "text.yaml:7:23: error: subsystem 'c' has 'sample', and so cannot have 'integrals'\n"
        "    c: {sample: 0.02, integrals: {x: 1}}\n"
        "                      ^\n"
        "remove this key: outputs and states change only at the samples")
REFUSED(macro_step_of_a_sampled_subsystem, SUBSYSTEM("sample: 0.02, macro_step: 5e-3, outputs: {y: t}"),
        "text.yaml:7:23: error: subsystem 'c' has 'sample', and so cannot have 'macro_step'\n"
        "    c: {sample: 0.02, macro_step: 5e-3, outputs: {y: t}}\n"
        "                      ^\n"
        "remove this key: outputs and states change only at the samples")
REFUSED(restarts_at_samples,
        SUBSYSTEM("sample: 0.02, states: {x: 0}, linear: {A: [[1]], C: [[1]], restarts: [x]}, outputs: [y]"),
        "text.yaml:7:68: error: 'restarts' in subsystem 'c' has no effect: only subsystems of 'cosim' without 'sample' "
        "can restart at macro steps\n"
        "    c: {sample: 0.02, states: {x: 0}, linear: {A: [[1]], C: [[1]], restarts: [x]}, outputs: [y]}\n"
        "                                                                   ^\n"
        "remove 'restarts'")
REFUSED(updates_beside_matrices,
        SUBSYSTEM("sample: 0.02, states: {x: 0}, updates: {x: 1}, linear: {A: [[1]], C: [[1]]}, outputs: [y]"),
        "text.yaml:7:39: error: 'updates' in subsystem 'c' cannot stand beside 'linear'\n"
        "    c: {sample: 0.02, states: {x: 0}, updates: {x: 1}, linear: {A: [[1]], C: [[1]]}, outputs: [y]}\n"
        "                                      ^\n"
        "remove one of the two")
