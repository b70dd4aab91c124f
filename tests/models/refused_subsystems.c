/* Bad subsystems of a co-simulation: each kind once, with the whole message it gets. */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"
#include "tests/support/model_texts.h"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused_subsystems, name) { expect_refused(text, message); }

REFUSED(force_of_two_subsystems, MECHANISM "cosim: {macro_step: 1, subsystems: {l: [a, F], r: [b, F]}}\n",
        "text.yaml:6:55: error: force 'F' is already in subsystem 'l'\n"
        "cosim: {macro_step: 1, subsystems: {l: [a, F], r: [b, F]}}\n"
        "                                                      ^\n"
        "list each force element once")

REFUSED(unknown_force_of_a_subsystem,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], forces: [G]}, r: [b]}}\n",
        "text.yaml:6:63: error: 'G' in subsystem 'l' is not a force element\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], forces: [G]}, r: [b]}}\n"
        "                                                              ^\n"
        "name an entry of 'forces:'")

REFUSED(body_as_a_force, MECHANISM "cosim: {macro_step: 1, subsystems: {l: {forces: [a]}, r: [b]}}\n",
        "text.yaml:6:50: error: 'a' in subsystem 'l' is not a force element\n"
        "cosim: {macro_step: 1, subsystems: {l: {forces: [a]}, r: [b]}}\n"
        "                                                 ^\n"
        "name an entry of 'forces:'")

REFUSED(subsystem_of_nothing, MECHANISM "cosim: {macro_step: 1, subsystems: {l: {rtol: 1e-6}, r: [a, b]}}\n",
        "text.yaml:6:37: error: subsystem 'l' needs 'bodies', 'forces' or 'equations'\n"
        "cosim: {macro_step: 1, subsystems: {l: {rtol: 1e-6}, r: [a, b]}}\n"
        "                                    ^\n"
        "list entries of the model in one of these keys, or give the subsystem equations of its own by 'inputs', "
        "'states', 'rates' and 'outputs'")

REFUSED(forces_that_are_no_list,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], forces: F}, r: [b]}}\n",
        "text.yaml:6:62: error: 'forces' in subsystem 'l' must be a list of names, but is a number or text\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], forces: F}, r: [b]}}\n"
        "                                                             ^\n"
        "write [NAME, NAME, ...]")

REFUSED(unknown_key_of_a_subsystem, MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodys: [a]}, r: [b]}}\n",
        "text.yaml:6:41: error: unknown key 'bodys' in subsystem 'l'\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodys: [a]}, r: [b]}}\n"
        "                                        ^\n"
        "did you mean 'bodies'?")

REFUSED(macro_step_that_does_not_divide,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], macro_step: 0.3}, r: [b]}}\n",
        "text.yaml:6:66: error: 'macro_step' of subsystem 'l' must be that of 'cosim', 1 s, divided by a whole number "
        "from 1 to 1000000, but is 0.3 s\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], macro_step: 0.3}, r: [b]}}\n"
        "                                                                 ^\n"
        "divide the macro step of 'cosim' by a whole number")

REFUSED(macro_step_longer_than_the_whole,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], macro_step: 2}, r: [b]}}\n",
        "text.yaml:6:66: error: 'macro_step' of subsystem 'l' must be that of 'cosim', 1 s, divided by a whole number "
        "from 1 to 1000000, but is 2 s\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], macro_step: 2}, r: [b]}}\n"
        "                                                                 ^\n"
        "divide the macro step of 'cosim' by a whole number")

REFUSED(unknown_integrator_of_a_subsystem,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], integrator: raddau}, r: [b]}}\n",
        "text.yaml:6:66: error: unknown integrator 'raddau' in subsystem 'l'\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], integrator: raddau}, r: [b]}}\n"
        "                                                                 ^\n"
        "did you mean 'radau'?")

REFUSED(range_of_a_list_too_long,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {for: {i: [1, 1e6]}, bodies: [\"a{i}\"]}, r: [b]}}\n",
        "text.yaml:6:69: error: subsystem 'l' lists more names than there are bodies and forces\n"
        "cosim: {macro_step: 1, subsystems: {l: {for: {i: [1, 1e6]}, bodies: [\"a{i}\"]}, r: [b]}}\n"
        "                                                                    ^\n"
        "make the range of 'for' shorter")

REFUSED(unknown_key_of_equations, EQUATIONS "    own: {state: {x: 0}, rates: {x: 1}}\n",
        "text.yaml:7:11: error: unknown key 'state' in subsystem 'own'\n"
        "    own: {state: {x: 0}, rates: {x: 1}}\n"
        "          ^\n"
        "did you mean 'states'?")

REFUSED(state_without_a_rate, EQUATIONS "    own: {states: {x: 0, v: 0}, rates: {x: v}}\n",
        "text.yaml:7:33: error: 'rates' of subsystem 'own' needs 'v'\n"
        "    own: {states: {x: 0, v: 0}, rates: {x: v}}\n"
        "                                ^")

REFUSED(rate_without_a_state, EQUATIONS "    own: {states: {x: 0}, rates: {x: 0, xx: 1}}\n",
        "text.yaml:7:41: error: unknown key 'xx' in 'rates' of subsystem 'own'\n"
        "    own: {states: {x: 0}, rates: {x: 0, xx: 1}}\n"
        "                                        ^\n"
        "did you mean 'x'?")

REFUSED(states_without_rates, EQUATIONS "    own: {states: {x: 0}}\n",
        "text.yaml:7:11: error: subsystem 'own' needs 'rates' or 'linear' for its states\n"
        "    own: {states: {x: 0}}\n"
        "          ^\n"
        "write rates: {STATE: EXPRESSION, ...}")

REFUSED(states_that_are_no_map, EQUATIONS "    own: {states: [x]}\n",
        "text.yaml:7:19: error: 'states' in subsystem 'own' must be a map, but is a list\n"
        "    own: {states: [x]}\n"
        "                  ^\n"
        "write {NAME: INITIAL VALUE, ...}")

REFUSED(inputs_that_are_no_list, EQUATIONS "    own: {inputs: u}\n",
        "text.yaml:7:19: error: 'inputs' in subsystem 'own' must be a list, but is a number or text\n"
        "    own: {inputs: u}\n"
        "                  ^\n"
        "write [NAME, ...]")

REFUSED(outputs_that_are_no_map, EQUATIONS "    own: {outputs: [y]}\n",
        "text.yaml:7:20: error: 'outputs' in subsystem 'own' must be a map, but is a list\n"
        "    own: {outputs: [y]}\n"
        "                   ^\n"
        "write {NAME: EXPRESSION, ...}")

REFUSED(input_that_is_no_name, EQUATIONS "    own: {inputs: [a-b]}\n",
        "text.yaml:7:20: error: 'a-b' is not a name\n"
        "    own: {inputs: [a-b]}\n"
        "                   ^\n"
        "use letters, digits and _, the first one not a digit")

REFUSED(input_of_a_reserved_name, EQUATIONS "    own: {inputs: [sin]}\n",
        "text.yaml:7:20: error: 'sin' in subsystem 'own' is a function, a constant or the index of a repeat\n"
        "    own: {inputs: [sin]}\n"
        "                   ^\n"
        "choose another name")

REFUSED(state_named_as_the_time, EQUATIONS "    own: {states: {t: 0}, rates: {t: 1}}\n",
        "text.yaml:7:20: error: 't' in subsystem 'own' is the time already\n"
        "    own: {states: {t: 0}, rates: {t: 1}}\n"
        "                   ^\n"
        "choose another name")

REFUSED(state_named_as_an_input, EQUATIONS "    own: {inputs: [x], states: {x: 0}, rates: {x: 1}}\n",
        "text.yaml:7:33: error: 'x' in subsystem 'own' is an input, state or output already\n"
        "    own: {inputs: [x], states: {x: 0}, rates: {x: 1}}\n"
        "                                ^\n"
        "choose another name")

REFUSED(unknown_name_in_a_rate, EQUATIONS "    own: {inputs: [force], states: {x: 0}, rates: {x: 2*forc}}\n",
        "text.yaml:7:57: error: unknown name 'forc'\n"
        "    own: {inputs: [force], states: {x: 0}, rates: {x: 2*forc}}\n"
        "                                                        ^\n"
        "did you mean 'force'?")

REFUSED(initial_value_of_a_state, EQUATIONS "    own: {states: {x: 0, v: x}, rates: {x: v, v: 0}}\n",
        "text.yaml:7:29: error: unknown name 'x'\n"
        "    own: {states: {x: 0, v: x}, rates: {x: v, v: 0}}\n"
        "                            ^\n"
        "known: names of 'parameters'")

REFUSED(output_named_as_an_integral, EQUATIONS "    own: {inputs: [u], outputs: {y: u}, integrals: {y: u}}\n",
        "text.yaml:7:53: error: 'y' in subsystem 'own' is an input, state or output already\n"
        "    own: {inputs: [u], outputs: {y: u}, integrals: {y: u}}\n"
        "                                                    ^\n"
        "choose another name")

REFUSED(fixed_method_without_micro_step, EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4}\n",
        "text.yaml:7:55: error: subsystem 'own' needs 'micro_step': rk4 takes fixed steps\n"
        "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4}\n"
        "                                                      ^\n"
        "write micro_step: SECONDS, or micro_steps: NUMBER in a macro step")

REFUSED(number_of_micro_steps_beside_their_length,
        EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4, micro_step: 0.1, micro_steps: 2}\n",
        "text.yaml:7:77: error: 'micro_steps' in subsystem 'own' cannot stand beside 'micro_step'\n"
        "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4, micro_step: 0.1, micro_steps: 2}\n"
        "                                                                            ^\n"
        "remove one of the two")

REFUSED(micro_steps_of_an_adaptive_method, EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, micro_steps: 2}\n",
        "text.yaml:7:43: error: 'micro_steps' in subsystem 'own' has no effect: erk chooses its steps by their error\n"
        "    own: {states: {x: 1}, rates: {x: -x}, micro_steps: 2}\n"
        "                                          ^\n"
        "remove 'micro_steps', or choose euler, symplectic_euler, rk2 or rk4")

REFUSED(no_micro_steps, EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4, micro_steps: 0}\n",
        "text.yaml:7:73: error: 'micro_steps' in subsystem 'own' must be a whole number from 1 to 50000, but is 0\n"
        "    own: {states: {x: 1}, rates: {x: -x}, integrator: rk4, micro_steps: 0}\n"
        "                                                                        ^")

REFUSED(symplectic_method_of_one_state,
        EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, integrator: symplectic_euler, micro_step: 0.01}\n",
        "text.yaml:7:55: error: subsystem 'own' has an odd number of states, 1, but symplectic_euler needs a velocity "
        "for each position\n"
        "    own: {states: {x: 1}, rates: {x: -x}, integrator: symplectic_euler, micro_step: 0.01}\n"
        "                                                      ^\n"
        "list positions, then their velocities, in the same order")

REFUSED(implicit_method_of_equations, EQUATIONS "    own: {states: {x: 1}, rates: {x: -x}, integrator: radau}\n",
        "text.yaml:7:55: error: unknown integrator 'radau' in subsystem 'own'\n"
        "    own: {states: {x: 1}, rates: {x: -x}, integrator: radau}\n"
        "                                                      ^\n"
        "known: erk, euler, symplectic_euler, rk2, rk4, cvode, adams")

REFUSED(rates_beside_linear, EQUATIONS "    own: {states: {x: 1}, rates: {x: 1}, linear: {A: [[1]], C: []}}\n",
        "text.yaml:7:27: error: 'rates' in subsystem 'own' cannot stand beside 'linear', which is integrated exactly\n"
        "    own: {states: {x: 1}, rates: {x: 1}, linear: {A: [[1]], C: []}}\n"
        "                          ^\n"
        "remove one of the two")

REFUSED(linear_without_states, EQUATIONS "    own: {inputs: [u], linear: {A: [[1]], B: [[1]], C: []}}\n",
        "text.yaml:7:24: error: subsystem 'own' needs 'states' for its matrices\n"
        "    own: {inputs: [u], linear: {A: [[1]], B: [[1]], C: []}}\n"
        "                       ^\n"
        "write states: {NAME: INITIAL VALUE, ...}")

REFUSED(linear_without_its_inputs, EQUATIONS "    own: {inputs: [u], states: {x: 1}, linear: {A: [[1]], C: []}}\n",
        "text.yaml:7:40: error: 'linear' of subsystem 'own' needs 'B'\n"
        "    own: {inputs: [u], states: {x: 1}, linear: {A: [[1]], C: []}}\n"
        "                                       ^")

REFUSED(rows_of_a_matrix, EQUATIONS "    own: {states: {x: 1, v: 0}, linear: {A: [[0, 1]], C: []}}\n",
        "text.yaml:7:45: error: 'A' in subsystem 'own' must be a list of 2 rows of 2 numbers\n"
        "    own: {states: {x: 1, v: 0}, linear: {A: [[0, 1]], C: []}}\n"
        "                                            ^\n"
        "write [[1, 2], [3, 4]]")

REFUSED(columns_of_a_matrix, EQUATIONS "    own: {states: {x: 1, v: 0}, linear: {A: [[0, 1], [1]], C: []}}\n",
        "text.yaml:7:54: error: 'A' in subsystem 'own' must be a list of 2 numbers, but has 1\n"
        "    own: {states: {x: 1, v: 0}, linear: {A: [[0, 1], [1]], C: []}}\n"
        "                                                     ^")

REFUSED(restart_of_no_state, EQUATIONS "    own: {states: {x: 1}, linear: {A: [[0]], C: [], restarts: [y]}}\n",
        "text.yaml:7:64: error: 'y' is not a state of subsystem 'own'\n"
        "    own: {states: {x: 1}, linear: {A: [[0]], C: [], restarts: [y]}}\n"
        "                                                               ^\n"
        "name one of its 'states'")

REFUSED(names_of_linear_outputs, EQUATIONS "    own: {states: {x: 1}, outputs: {y: x}, linear: {A: [[0]], C: [[1]]}}\n",
        "text.yaml:7:36: error: 'outputs' in subsystem 'own' must be a list, but is a map\n"
        "    own: {states: {x: 1}, outputs: {y: x}, linear: {A: [[0]], C: [[1]]}}\n"
        "                                   ^\n"
        "write [NAME, ...]: their values are the rows of C and D")

REFUSED(start_of_a_state_that_restarts,
        EQUATIONS "    own: {states: {x: 1}, linear: {A: [[0]], C: [], restarts: [x]}}\n",
        "text.yaml:7:64: error: 'x' is in 'restarts' and must begin at 0, but begins at 1\n"
        "    own: {states: {x: 1}, linear: {A: [[0]], C: [], restarts: [x]}}\n"
        "                                                               ^\n"
        "write 0 in 'states', or remove the name from 'restarts'")

REFUSED(rates_of_no_states, EQUATIONS "    own: {inputs: [u], rates: {x: u}}\n",
        "text.yaml:7:32: error: 'rates' in subsystem 'own' has entries, but there are no 'states'\n"
        "    own: {inputs: [u], rates: {x: u}}\n"
        "                               ^\n"
        "write states: {NAME: INITIAL VALUE, ...}")

REFUSED(repeat_in_the_wrong_place, EQUATIONS "    for: {i: [1, 2]}\n",
        "text.yaml:7:5: error: 'for' in 'subsystems' cannot repeat subsystems\n"
        "    for: {i: [1, 2]}\n"
        "    ^\n"
        "write repeat: [{for: {i: [1, N]}, cosim: {subsystems: {...}}}] at the top of the file")

REFUSED(names_of_nothing, MECHANISM "cosim: {macro_step: 1, subsystems: {l: [a, b], r: []}}\n",
        "text.yaml:6:51: error: subsystem 'r' is empty\n"
        "cosim: {macro_step: 1, subsystems: {l: [a, b], r: []}}\n"
        "                                                  ^\n"
        "list its bodies, or remove it")

REFUSED(fixed_method_of_bodies_without_micro_step,
        MECHANISM "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], integrator: rk4}, r: [b]}}\n",
        "text.yaml:6:66: error: subsystem 'l' needs 'micro_step': rk4 takes fixed steps\n"
        "cosim: {macro_step: 1, subsystems: {l: {bodies: [a], integrator: rk4}, r: [b]}}\n"
        "                                                                 ^\n"
        "write micro_step: SECONDS")

REFUSED(fixed_method_of_all_without_micro_step,
        MECHANISM "cosim: {macro_step: 1, integrator: rk4, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:6:54: error: subsystem 'l' needs 'micro_step': rk4 takes fixed steps\n"
        "cosim: {macro_step: 1, integrator: rk4, subsystems: {l: [a], r: [b]}}\n"
        "                                                     ^\n"
        "write micro_step: SECONDS")

REFUSED(range_with_an_index_of_the_repeat_around_it,
        "seam: 1\n"
        "bodies: {a1: {mass: 1, inertia: 1}}\n"
        "repeat:\n"
        "  - for: {i: [1, 1]}\n"
        "    cosim: {subsystems: {\"s{i}\": {for: {i: [1, 1]}, bodies: [\"a{i}\"]}, rest: []}}\n"
        "cosim: {macro_step: 1}\n",
        "text.yaml:5:41: error: the index 'i' is already that of the enclosing repeat; i = 1\n"
        "    cosim: {subsystems: {\"s{i}\": {for: {i: [1, 1]}, bodies: [\"a{i}\"]}, rest: []}}\n"
        "                                        ^\n"
        "choose another name")
