/* Bad signals, bonds, corrections and step control of a co-simulation: each kind once, with the whole message it gets.
 */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"
#include "tests/support/model_texts.h"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused_exchange, name) { expect_refused(text, message); }

#define COUPLED EQUATIONS "    own: {inputs: [f], states: {x: 0}, rates: {x: f}, outputs: {x: x}}\n"

#define INTEGRATED EQUATIONS "    own: {inputs: [f], outputs: {x: f}, integrals: {way: f, work: f*f}}\n"

#define LINEAR                                                                                                         \
  EQUATIONS "    own:\n"                                                                                               \
            "      states: {x: 1, s: 0}\n"                                                                             \
            "      outputs: [x, s, both]\n"                                                                            \
            "      linear: {A: [[0, 0], [1, 0]], C: [[1, 0], [0, 1], [1, 1]], restarts: [s]}\n"

REFUSED(signals_that_are_no_list, COUPLED "  signals: {from: own.x, to: idle.u}\n",
        "text.yaml:8:12: error: 'signals' must be a list, but is a map\n"
        "  signals: {from: own.x, to: idle.u}\n"
        "           ^\n"
        "write lines '- {from: SUBSYSTEM.NAME, to: SUBSYSTEM.NAME}'")

REFUSED(signal_without_an_end, COUPLED "  signals: [{from: own.x}]\n",
        "text.yaml:8:13: error: a signal needs 'to'\n"
        "  signals: [{from: own.x}]\n"
        "            ^")

REFUSED(signal_that_is_no_name, COUPLED "  signals: [{from: own, to: idle.u}]\n",
        "text.yaml:8:20: error: 'own' is not the name of a signal\n"
        "  signals: [{from: own, to: idle.u}]\n"
        "                   ^\n"
        "write SUBSYSTEM.NAME, or SUBSYSTEM.BODY.x")

#define ON_BODIES                                                                                                      \
  MECHANISM "cosim:\n  macro_step: 0.1\n  subsystems: {A: [a], B: [b], own: {inputs: [f], outputs: {x: f}}}\n"

REFUSED(signal_of_an_unknown_quantity, ON_BODIES "  signals: [{from: a.omgea, to: own.f}]\n",
        "text.yaml:9:20: error: unknown quantity 'a.omgea' in a signal\n"
        "  signals: [{from: a.omgea, to: own.f}]\n"
        "                   ^\n"
        "did you mean 'a.omega'?")

REFUSED(signal_of_an_element_alone, ON_BODIES "  signals: [{from: F, to: own.f}]\n",
        "text.yaml:9:20: error: unknown quantity 'F' in a signal\n"
        "  signals: [{from: F, to: own.f}]\n"
        "                   ^\n"
        "'F' offers torque, power")

REFUSED(signal_into_a_quantity, ON_BODIES "  signals: [{from: own.x, to: a.omega}]\n",
        "text.yaml:9:31: error: 'a.omega' is a quantity of the mechanism, not an input\n"
        "  signals: [{from: own.x, to: a.omega}]\n"
        "                              ^\n"
        "send the signal to SUBSYSTEM.ELEMENT.fx, of a force element on one body")

REFUSED(signal_with_an_empty_name, COUPLED "  signals: [{from: own..x, to: idle.u}]\n",
        "text.yaml:8:20: error: 'own..x' is not the name of a signal\n"
        "  signals: [{from: own..x, to: idle.u}]\n"
        "                   ^\n"
        "write SUBSYSTEM.NAME, or SUBSYSTEM.BODY.x")

REFUSED(signal_of_an_unknown_subsystem, COUPLED "  signals: [{from: ow.x, to: idle.u}]\n",
        "text.yaml:8:20: error: unknown subsystem 'ow' in a signal\n"
        "  signals: [{from: ow.x, to: idle.u}]\n"
        "                   ^\n"
        "did you mean 'own'?")

REFUSED(signal_that_is_no_output, COUPLED "  signals: [{from: own.xx, to: idle.u}]\n",
        "text.yaml:8:20: error: subsystem 'own' has no output 'xx'\n"
        "  signals: [{from: own.xx, to: idle.u}]\n"
        "                   ^\n"
        "did you mean 'x'?")

REFUSED(signal_that_is_no_input, COUPLED "  signals: [{from: own.x, to: idle.y}]\n",
        "text.yaml:8:31: error: subsystem 'idle' has no input 'y'\n"
        "  signals: [{from: own.x, to: idle.y}]\n"
        "                              ^")

REFUSED(order_of_a_signal, COUPLED "  signals: [{from: own.x, to: idle.u, order: 5}]\n",
        "text.yaml:8:46: error: 'order' in a signal must be a whole number from 0 to 4, but is 5\n"
        "  signals: [{from: own.x, to: idle.u, order: 5}]\n"
        "                                             ^")

REFUSED(smooth_that_is_no_flag, COUPLED "  signals: [{from: own.x, to: idle.u, smooth: yes}]\n",
        "text.yaml:8:47: error: unknown smooth 'yes' in a signal\n"
        "  signals: [{from: own.x, to: idle.u, smooth: yes}]\n"
        "                                              ^\n"
        "known: false, true")

REFUSED(bond_of_one_port, COUPLED "  bonds: {p: {ports: [{input: idle.u, output: idle.y}]}}\n",
        "text.yaml:8:22: error: 'ports' in bond 'p' must be a list of two or more\n"
        "  bonds: {p: {ports: [{input: idle.u, output: idle.y}]}}\n"
        "                     ^\n"
        "write [{input: ..., output: ...}, {input: ..., output: ..., sign: -1}]")

REFUSED(sign_of_a_port,
        COUPLED "  bonds: {p: {ports: [{input: idle.u, output: idle.y, sign: 0}, {input: own.f, output: own.x}]}}\n",
        "text.yaml:8:61: error: 'sign' in bond 'p' must not be 0\n"
        "  bonds: {p: {ports: [{input: idle.u, output: idle.y, sign: 0}, {input: own.f, output: own.x}]}}\n"
        "                                                            ^\n"
        "write 1, -1 or another factor, so that sign · input · output is the power that enters the subsystem")

REFUSED(bonds_that_are_no_map, COUPLED "  bonds: []\n",
        "text.yaml:8:10: error: 'bonds' must be a map, but is a list\n"
        "  bonds: []\n"
        "         ^\n"
        "write {NAME: {ports: [...]}}")

REFUSED(bond_named_as_a_force,
        MECHANISM "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, bonds: {M: {ports: []}}}\n",
        "text.yaml:6:64: error: the name 'M' is that of a body, joint or force element\n"
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, bonds: {M: {ports: []}}}\n"
        "                                                               ^\n"
        "choose another name for the bond")

REFUSED(orders_of_a_coupling,
        MECHANISM "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, couplings: {M: {orders: {force: 1}}}}\n",
        "text.yaml:6:72: error: coupling 'M' needs 'motion'\n"
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, couplings: {M: {orders: {force: 1}}}}\n"
        "                                                                       ^")

REFUSED(order_of_a_coupling_too_high,
        MECHANISM
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, couplings: {M: {orders: {force: 1, motion: 5}}}}\n",
        "text.yaml:6:99: error: 'motion' in coupling 'M' must be a whole number from 0 to 4, but is 5\n"
        " [b]}, couplings: {M: {orders: {force: 1, motion: 5}}}}\n"
        "                                                  ^")

REFUSED(coupling_of_no_cut,
        MECHANISM "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, couplings: {F: {smooth: true}}}\n",
        "text.yaml:6:68: error: 'F' is not a coupling: it does not join two subsystems\n"
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, couplings: {F: {smooth: true}}}\n"
        "                                                                   ^\n"
        "only joints and forces between two subsystems are couplings")

REFUSED(unknown_correction, COUPLED "  corrections: {enery: []}\n",
        "text.yaml:8:17: error: unknown key 'enery' in corrections\n"
        "  corrections: {enery: []}\n"
        "                ^\n"
        "did you mean 'energy'?")

REFUSED(correction_that_is_no_map, COUPLED "  corrections: {energy: 1}\n",
        "text.yaml:8:25: error: 'energy' in corrections must be a map or a list of maps\n"
        "  corrections: {energy: 1}\n"
        "                        ^\n"
        "write {...}, or [{...}, {...}]")

REFUSED(
    energy_correction_of_nothing, COUPLED "  corrections: {energy: {mu: 1}}\n",
    "text.yaml:8:17: error: an energy correction needs either 'coupling', 'bond' or 'subsystem'\n"
    "  corrections: {energy: {mu: 1}}\n"
    "                ^\n"
    "write 'coupling: NAME' with a coupling that has an '-exchange' scheme, 'bond: NAME', or 'subsystem: NAME' for the "
    "sum of all forces of couplings on this subsystem")

REFUSED(
    energy_correction_of_two,
    MECHANISM "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, corrections: {energy: {coupling: M, bond: p}}}\n",
    "text.yaml:6:92: error: an energy correction needs either 'coupling', 'bond' or 'subsystem'\n"
    "[a], r: [b]}, corrections: {energy: {coupling: M, bond: p}}}\n"
    "                                                  ^\n"
    "write 'coupling: NAME' with a coupling that has an '-exchange' scheme, 'bond: NAME', or 'subsystem: NAME' for the "
    "sum of all forces of couplings on this subsystem")

REFUSED(energy_correction_of_an_unknown_bond, COUPLED "  corrections: {energy: {bond: p, subsystem: own}}\n",
        "text.yaml:8:32: error: unknown bond 'p' in an energy correction\n"
        "  corrections: {energy: {bond: p, subsystem: own}}\n"
        "                               ^\n"
        "give it under 'bonds:'")

REFUSED(energy_correction_without_a_subsystem,
        COUPLED "  bonds: {p: {ports: [{input: idle.u, output: idle.y}, {input: own.f, output: own.x}]}}\n"
                "  corrections: {energy: {bond: p}}\n",
        "text.yaml:9:26: error: an energy correction of bond 'p' needs 'subsystem'\n"
        "  corrections: {energy: {bond: p}}\n"
        "                         ^\n"
        "name the subsystem that gets the correcting force")

REFUSED(energy_correction_of_an_unknown_subsystem,
        MECHANISM
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, corrections: {energy: {coupling: M, subsystem: ll}}}\n",
        "text.yaml:6:103: error: unknown subsystem 'll' in an energy correction\n"
        "}, corrections: {energy: {coupling: M, subsystem: ll}}}\n"
        "                                                  ^\n"
        "did you mean 'l'?")

REFUSED(energy_correction_of_an_unknown_coupling,
        MECHANISM "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, corrections: {energy: {coupling: N}}}\n",
        "text.yaml:6:89: error: unknown coupling 'N'\n"
        "cosim: {macro_step: 0.1, subsystems: {l: [a], r: [b]}, corrections: {energy: {coupling: N}}}\n"
        "                                                                                        ^")

REFUSED(balance_spread, COUPLED "  corrections: {balance: {input: idle.u, spread: 5}}\n",
        "text.yaml:8:50: error: 'spread' in a balance correction must be a whole number from 1 to 4, but is 5\n"
        "  corrections: {balance: {input: idle.u, spread: 5}}\n"
        "                                                 ^")

REFUSED(balance_shape, COUPLED "  corrections: {balance: {input: idle.u, shape: smoth}}\n",
        "text.yaml:8:49: error: unknown shape 'smoth' in a balance correction\n"
        "  corrections: {balance: {input: idle.u, shape: smoth}}\n"
        "                                                ^\n"
        "did you mean 'smooth'?")

REFUSED(model_based_alpha, COUPLED "  corrections: {model_based: {alpha: 3}}\n",
        "text.yaml:8:38: error: 'alpha' in 'model_based' must be at most 2, but is 3\n"
        "  corrections: {model_based: {alpha: 3}}\n"
        "                                     ^")

REFUSED(unknown_step_control, COUPLED "  step_control: {method: eco, tolerance: 1e-6}\n",
        "text.yaml:8:26: error: unknown method 'eco' in step_control\n"
        "  step_control: {method: eco, tolerance: 1e-6}\n"
        "                         ^\n"
        "did you mean 'ecco'?")

REFUSED(step_control_without_tolerance, COUPLED "  step_control: {method: ecco}\n",
        "text.yaml:8:3: error: step_control needs 'tolerance'\n"
        "  step_control: {method: ecco}\n"
        "  ^")

REFUSED(step_control_shrinkage, COUPLED "  step_control: {method: ecco, tolerance: 1, shrinkage: 1}\n",
        "text.yaml:8:57: error: 'shrinkage' in step_control must be below 1, but is 1\n"
        "  step_control: {method: ecco, tolerance: 1, shrinkage: 1}\n"
        "                                                        ^\n"
        "'shrinkage' is the smallest ratio of a macro step to the previous macro step")

REFUSED(step_control_growth, COUPLED "  step_control: {method: ecco, tolerance: 1, growth: 0.5}\n",
        "text.yaml:8:54: error: 'growth' in step_control must be at least 1, but is 0.5\n"
        "  step_control: {method: ecco, tolerance: 1, growth: 0.5}\n"
        "                                                     ^\n"
        "'growth' is the largest ratio of a macro step to the previous macro step")

REFUSED(step_control_bounds, COUPLED "  step_control: {method: ecco, tolerance: 1, shortest: 2, longest: 1}\n",
        "text.yaml:8:56: error: 'shortest' in step_control must be at most 'longest', 1 s, but is 2 s\n"
        "  step_control: {method: ecco, tolerance: 1, shortest: 2, longest: 1}\n"
        "                                                       ^")

REFUSED(repeat_of_a_value_of_cosim,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {macro_step: 1}}\n",
        "text.yaml:3:44: error: 'macro_step' in a repeat must be a map or a list, but is a number or text\n"
        "  - {for: {i: [1, 2]}, cosim: {macro_step: 1}}\n"
        "                                           ^\n"
        "write it outside of the repeat")

REFUSED(repeat_of_one_correction,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {corrections: {energy: {bond: \"b{i}\"}}}}\n",
        "text.yaml:3:54: error: 'energy' in a repeat must be a list, but is a map\n"
        "  - {for: {i: [1, 2]}, cosim: {corrections: {energy: {bond: \"b{i}\"}}}}\n"
        "                                                     ^\n"
        "write [{...}]")

REFUSED(repeat_of_another_kind,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {signals: []}}\n"
        "cosim: {signals: {}}\n",
        "text.yaml:4:18: error: 'signals' must be a list, because it is one under 'repeat'\n"
        "cosim: {signals: {}}\n"
        "                 ^")

REFUSED(repeat_of_a_subsystem,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {subsystems: {m: {outputs: {y: i}}}}}\n"
        "cosim: {macro_step: 1}\n",
        "text.yaml:3:45: error: a subsystem 'm' already exists; i = 2\n"
        "  - {for: {i: [1, 2]}, cosim: {subsystems: {m: {outputs: {y: i}}}}}\n"
        "                                            ^\n"
        "choose another name")

REFUSED(repeat_of_a_bond,
        "seam: 1\n"
        "repeat:\n"
        "  - for: {i: [1, 2]}\n"
        "    cosim:\n"
        "      subsystems: {\"m{i}\": {inputs: [u], outputs: {y: i}}}\n"
        "      bonds: {p: {ports: [{input: m1.u, output: m1.y}, {input: m2.u, output: m2.y}]}}\n"
        "cosim: {macro_step: 1}\n",
        "text.yaml:6:15: error: the name 'p' is that of another bond; i = 2\n"
        "      bonds: {p: {ports: [{input: m1.u, output: m1.y}, {input: m2.u, output: m2.y}]}}\n"
        "              ^\n"
        "choose another name for the bond")

REFUSED(repeat_of_a_coupling,
        "seam: 1\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
        "joints: {J: {type: revolute, bodies: [a, b], at: [0, 0]}}\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {couplings: {J: {smooth: true}}}}\n"
        "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:44: error: coupling 'J' is given twice; i = 2\n"
        "  - {for: {i: [1, 2]}, cosim: {couplings: {J: {smooth: true}}}}\n"
        "                                           ^\n"
        "keep one of the two")

REFUSED(state_named_as_an_index,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, cosim: {subsystems: {\"m{i}\": {states: {i: 0}, rates: {i: 0}}}}}\n"
        "cosim: {macro_step: 1}\n",
        "text.yaml:3:63: error: 'i' in subsystem 'm1' is a function, a constant or the index of a repeat; i = 1\n"
        "  - {for: {i: [1, 2]}, cosim: {subsystems: {\"m{i}\": {states: {i: 0}, rates: {i: 0}}}}}\n"
        "                                                              ^\n"
        "choose another name")

REFUSED(signal_there_twice, COUPLED "  signals: [{from: own.x, to: idle.u}, {from: own.x, to: idle.u, gain: 2}]\n",
        "text.yaml:8:58: error: the signal 'own.x -> idle.u' is given twice\n"
        "  signals: [{from: own.x, to: idle.u}, {from: own.x, to: idle.u, gain: 2}]\n"
        "                                                         ^\n"
        "keep one of the two")

REFUSED(gain_of_nothing, COUPLED "  signals: [{from: own.x, to: idle.u, gain: 0}]\n",
        "text.yaml:8:45: error: 'gain' in a signal must not be 0: nothing would pass\n"
        "  signals: [{from: own.x, to: idle.u, gain: 0}]\n"
        "                                            ^\n"
        "remove the signal")

REFUSED(energy_correction_there_twice,
        COUPLED "  bonds: {p: {ports: [{input: idle.u, output: idle.y}, {input: own.f, output: own.x}]}}\n"
                "  corrections: {energy: [{bond: p, subsystem: own}, {bond: p, subsystem: idle}]}\n",
        "text.yaml:9:60: error: the energy correction of 'p' is given twice\n"
        "  corrections: {energy: [{bond: p, subsystem: own}, {bond: p, subsystem: idle}]}\n"
        "                                                           ^\n"
        "keep one of the two")

REFUSED(balance_correction_there_twice,
        COUPLED "  corrections: {balance: [{input: idle.u}, {input: idle.u, spread: 2}]}\n",
        "text.yaml:8:52: error: the balance correction of 'idle.u' is given twice\n"
        "  corrections: {balance: [{input: idle.u}, {input: idle.u, spread: 2}]}\n"
        "                                                   ^\n"
        "keep one of the two")

REFUSED(integral_of_a_subsystem_that_has_none, COUPLED "  corrections: {balance: {input: idle.u, integral: own.x}}\n",
        "text.yaml:8:52: error: 'own.x' is not an integral over the macro step\n"
        "  corrections: {balance: {input: idle.u, integral: own.x}}\n"
        "                                                   ^\n"
        "write integrals: {NAME: EXPRESSION} in subsystem 'own'")

REFUSED(integral_that_is_a_plain_output, INTEGRATED "  corrections: {balance: {input: idle.u, integral: own.x}}\n",
        "text.yaml:8:52: error: 'own.x' is not an integral over the macro step\n"
        "  corrections: {balance: {input: idle.u, integral: own.x}}\n"
        "                                                   ^\n"
        "known: way, work")

REFUSED(integral_of_a_state_that_goes_on, LINEAR "  corrections: {balance: {input: idle.u, integral: own.both}}\n",
        "text.yaml:11:52: error: 'own.both' is not an integral over the macro step\n"
        "  corrections: {balance: {input: idle.u, integral: own.both}}\n"
        "                                                   ^\n"
        "known: s")

REFUSED(
    integral_of_a_body,
    MECHANISM
    "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, corrections: {balance: {input: r.F.fx, integral: l.a.x}}}\n",
    "text.yaml:6:103: error: 'l.a.x' is not an integral over the macro step\n"
    " corrections: {balance: {input: r.F.fx, integral: l.a.x}}}\n"
    "                                                  ^\n"
    "name an integral, or leave 'integral' out: a polynomial through macro points is then integrated")

REFUSED(
    integral_that_is_a_quantity,
    MECHANISM
    "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, corrections: {balance: {input: r.F.fx, integral: a.x}}}\n",
    "text.yaml:6:103: error: 'a.x' is not an integral over the macro step\n"
    " corrections: {balance: {input: r.F.fx, integral: a.x}}}\n"
    "                                                  ^\n"
    "name an integral, or leave 'integral' out: a polynomial through macro points is then integrated")
