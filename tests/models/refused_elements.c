/* Bad joints, forces, repeats and sections on how to simulate: each kind once, with the whole message it gets. */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"

#define TWO_BODIES                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1}\n"                                                                                       \
  "  b: {mass: 1, inertia: 1}\n"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused_elements, name) { expect_refused(text, message); }

REFUSED(unknown_key_in_a_force,
        TWO_BODIES "forces:\n"
                   "  M: {type: bushing, stifness: [1, 1, 1], bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:22: error: unknown key 'stifness' in force 'M'\n"
        "  M: {type: bushing, stifness: [1, 1, 1], bodies: [a, b], at: [0, 0]}\n"
        "                     ^\n"
        "did you mean 'stiffness'?")

REFUSED(type_by_another_name,
        TWO_BODIES "joints:\n"
                   "  J: {type: hinge, bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:13: error: unknown joint type 'hinge'\n"
        "  J: {type: hinge, bodies: [a, b], at: [0, 0]}\n"
        "            ^\n"
        "did you mean 'revolute'?")

REFUSED(type_of_the_other_section,
        TWO_BODIES "forces:\n"
                   "  F: {type: motor, bodies: [a, b]}\n",
        "text.yaml:6:13: error: unknown force type 'motor'\n"
        "  F: {type: motor, bodies: [a, b]}\n"
        "            ^\n"
        "write it under 'joints', where there is 'motor'")

REFUSED(stiffness_that_follows_the_motion,
        TWO_BODIES "forces:\n"
                   "  S: {type: torsion, bodies: [a, b], stiffness: 2*s}\n",
        "text.yaml:6:49: error: 'stiffness' in force 'S' must be a number, but depends on the motion\n"
        "  S: {type: torsion, bodies: [a, b], stiffness: 2*s}\n"
        "                                                ^\n"
        "write 'torque: ...', a law of s and v, in place of stiffness and damping")

REFUSED(inertia_without_a_reciprocal, "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1e-320}\n",
        "text.yaml:3:25: error: 'inertia' in body 'a' is too small, 9.99989e-321: accelerations would be infinite\n"
        "  a: {mass: 1, inertia: 1e-320}\n"
        "                        ^\n"
        "write 0 for a point mass, which does not turn")

REFUSED(a_name_in_other_letters, "seam: 1\nparameters: {k: 2}\nbodies:\n  a: {mass: K, inertia: 1}\n",
        "text.yaml:4:13: error: unknown name 'K'\n"
        "  a: {mass: K, inertia: 1}\n"
        "            ^\n"
        "did you mean 'k'?")

REFUSED(unknown_key_that_resembles_nothing, TWO_BODIES "simulate: {end: 1, qwertyuiop: 2}\n",
        "text.yaml:5:20: error: unknown key 'qwertyuiop' in simulate\n"
        "simulate: {end: 1, qwertyuiop: 2}\n"
        "                   ^\n"
        "known: end, output_step, integrator, order, rtol, atol, step, largest_step, bounds")

REFUSED(decimal_comma_in_a_map, TWO_BODIES "simulate: {end: 1,5, output_step: 2}\n",
        "text.yaml:5:19: error: unknown key '5' in simulate\n"
        "simulate: {end: 1,5, output_step: 2}\n"
        "                  ^\n"
        "decimals follow a point, as in 1.5")

REFUSED(key_of_another_type,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [a, b], at: [0, 0], axis: [1, 0]}\n",
        "text.yaml:6:51: error: unknown key 'axis' in joint 'J'\n"
        "  J: {type: revolute, bodies: [a, b], at: [0, 0], axis: [1, 0]}\n"
        "                                                  ^\n"
        "known: type, bodies, body, at, friction")

REFUSED(name_taken_by_a_body,
        TWO_BODIES "joints:\n"
                   "  a: {type: revolute, bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:3: error: the name 'a' is taken by a body\n"
        "  a: {type: revolute, bodies: [a, b], at: [0, 0]}\n"
        "  ^\n"
        "names are unique across bodies, joints and forces")

REFUSED(unknown_body,
        "seam: 1\n"
        "bodies: {link: {mass: 1, inertia: 1}}\n"
        "joints:\n"
        "  J: {type: revolute, bodies: [ground, lnik], at: [0, 0]}\n",
        "text.yaml:4:40: error: unknown body 'lnik' in joint 'J'\n"
        "  J: {type: revolute, bodies: [ground, lnik], at: [0, 0]}\n"
        "                                       ^\n"
        "did you mean 'link'?")

REFUSED(joint_as_a_body,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                   "  K: {type: revolute, bodies: [J, b], at: [0, 0]}\n",
        "text.yaml:7:32: error: 'J' in joint 'K' is a joint, not a body\n"
        "  K: {type: revolute, bodies: [J, b], at: [0, 0]}\n"
        "                               ^\n"
        "name a body")

REFUSED(element_joins_a_body_to_itself,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [a, a], at: [0, 0]}\n",
        "text.yaml:6:35: error: joint 'J' joins 'a' to itself\n"
        "  J: {type: revolute, bodies: [a, a], at: [0, 0]}\n"
        "                                  ^\n"
        "name another body")

REFUSED(one_body_of_two,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [a], at: [0, 0]}\n",
        "text.yaml:6:31: error: joint 'J' of type revolute needs 2 bodies, but lists 1\n"
        "  J: {type: revolute, bodies: [a], at: [0, 0]}\n"
        "                              ^\n"
        "'ground' counts as a body")

REFUSED(no_bodies_of_an_element,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, at: [0, 0]}\n",
        "text.yaml:6:3: error: joint 'J' needs 'bodies'\n"
        "  J: {type: revolute, at: [0, 0]}\n"
        "  ^")

REFUSED(viscous_on_the_ground,
        TWO_BODIES "forces:\n"
                   "  D: {type: viscous, body: ground, damping: [1, 1, 1]}\n",
        "text.yaml:6:28: error: force 'D' acts on the ground, which does not move\n"
        "  D: {type: viscous, body: ground, damping: [1, 1, 1]}\n"
        "                           ^\n"
        "name a body")

REFUSED(body_listed_twice,
        TWO_BODIES "forces:\n"
                   "  D: {type: viscous, bodies: [a, b, a], damping: [1, 1, 1]}\n",
        "text.yaml:6:37: error: force 'D' lists 'a' twice\n"
        "  D: {type: viscous, bodies: [a, b, a], damping: [1, 1, 1]}\n"
        "                                    ^\n"
        "keep one of the two")

REFUSED(the_only_two_bodies_are_one,
        TWO_BODIES "forces:\n"
                   "  D: {type: viscous, bodies: [a, a], damping: [1, 1, 1]}\n",
        "text.yaml:6:34: error: force 'D' lists 'a' twice\n"
        "  D: {type: viscous, bodies: [a, a], damping: [1, 1, 1]}\n"
        "                                 ^\n"
        "keep one of the two")

REFUSED(missing_type,
        TWO_BODIES "joints:\n"
                   "  J: {bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:3: error: joint 'J' needs 'type'\n"
        "  J: {bodies: [a, b], at: [0, 0]}\n"
        "  ^\n"
        "available: revolute, prismatic, fixed, distance, slot, gear, rack, belt, curve, rolling, skate, motion, motor")

REFUSED(unknown_joint_type,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolut, bodies: [a, b], at: [0, 0]}\n",
        "text.yaml:6:13: error: unknown joint type 'revolut'\n"
        "  J: {type: revolut, bodies: [a, b], at: [0, 0]}\n"
        "            ^\n"
        "did you mean 'revolute'?")

REFUSED(unknown_force_type,
        TWO_BODIES "forces:\n"
                   "  F: {type: magnet}\n",
        "text.yaml:6:13: error: unknown force type 'magnet'\n"
        "  F: {type: magnet}\n"
        "            ^\n"
        "available: viscous, spring_damper, torsion, bushing, force, torque, hydraulic_cylinder, beam, drag, actuator, "
        "rotary_actuator, belt, contact, stop, rope, cable")

REFUSED(two_places_for_one,
        "seam: 1\n"
        "points: {P: [0, 0], Q: [1, 0]}\n"
        "bodies:\n"
        "  a: {rod: [P, Q], mass: 1}\n"
        "joints:\n"
        "  J: {type: revolute, bodies: [ground, a], at: [[0, 0], [1, 0]]}\n",
        "text.yaml:6:48: error: 'at' in joint 'J' must be one place, but lists two points\n"
        "  J: {type: revolute, bodies: [ground, a], at: [[0, 0], [1, 0]]}\n"
        "                                               ^\n"
        "write one point or [x, y]; or {BODY1: [x, y], BODY2: [x, y]}, with the names of the bodies and the place in "
        "the frame of each")

REFUSED(two_points_for_one_place,
        "seam: 1\n"
        "points: {P: [0, 0], Q: [1, 0]}\n"
        "bodies:\n"
        "  a: {rod: [P, Q], mass: 1}\n"
        "joints:\n"
        "  J: {type: revolute, bodies: [ground, a], at: [P, Q]}\n",
        "text.yaml:6:48: error: 'at' in joint 'J' must be one place, but lists two points\n"
        "  J: {type: revolute, bodies: [ground, a], at: [P, Q]}\n"
        "                                               ^\n"
        "write one point or [x, y]; or {BODY1: [x, y], BODY2: [x, y]}, with the names of the bodies and the place in "
        "the frame of each")

#define CYLINDER(PUMP, REST)                                                                                           \
  "seam: 1\n"                                                                                                          \
  "bodies: {a: {mass: 1, inertia: 1, at: [2, 0]}}\n"                                                                   \
  "forces:\n"                                                                                                          \
  "  lift:\n"                                                                                                          \
  "    type: hydraulic_cylinder\n"                                                                                     \
  "    bodies: [ground, a]\n"                                                                                          \
  "    at: [[0, 0], [2, 0]]\n"                                                                                         \
  "    area: 2\n"                                                                                                      \
  "    cylinder_length: 1\n"                                                                                           \
  "    discharge: 0.7\n"                                                                                               \
  "    density: 850\n"                                                                                                 \
  "    pump: " PUMP "\n"                                                                                               \
  "    tank: 1\n"                                                                                                      \
  "    valve_area: 4\n"                                                                                                \
  "    " REST "\n"

REFUSED(cylinder_without_spool, CYLINDER("9", "bulk: [0.1, 0]"),
        "text.yaml:4:3: error: force 'lift' needs 'spool'\n"
        "  lift:\n"
        "  ^")

REFUSED(cylinder_with_one_area_and_two, CYLINDER("9", "bulk: [0.1, 0]\n    spool: 0.5\n    areas: [1, 2]"),
        "text.yaml:17:5: error: force 'lift' has 'area' and 'areas'\n"
        "    areas: [1, 2]\n"
        "    ^\n"
        "keep one of the two")

REFUSED(cylinder_with_a_weak_pump, CYLINDER("0.5", "bulk: [0.1, 0]\n    spool: 0.5"),
        "text.yaml:12:11: error: 'pump' in force 'lift' must be above 'tank', but 0.5 is not above 1\n"
        "    pump: 0.5\n"
        "          ^\n"
        "the fluid flows from the pump to the tank")

REFUSED(cylinder_of_no_length, CYLINDER("9", "bulk: [0.1, 0]\n    spool: 0.5\n    length: -1"),
        "text.yaml:17:13: error: 'length' in force 'lift' must be positive, but is -1\n"
        "    length: -1\n"
        "            ^\n"
        "write the distance of the two points for which both chambers are equally long")

REFUSED(cylinder_of_a_fluid_that_expands, CYLINDER("9", "bulk: [0.1, -0.1]\n    spool: 0.5"),
        "text.yaml:4:3: error: cylinder 'lift': its bulk modulus at 1 Pa is not positive: check 'bulk'\n"
        "  lift:\n"
        "  ^")

REFUSED(one_point_for_two_places,
        TWO_BODIES "forces:\n"
                   "  S: {type: spring_damper, bodies: [a, b], at: [0, 1], stiffness: 1}\n",
        "text.yaml:6:49: error: unknown point '0' in force 'S'\n"
        "  S: {type: spring_damper, bodies: [a, b], at: [0, 1], stiffness: 1}\n"
        "                                                ^\n"
        "write two points as [[x, y], [x, y]], or by their names")

REFUSED(wrong_body_in_a_place,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [ground, a], at: {ground: [0, 0], b: [0, 0]}}\n",
        "text.yaml:6:65: error: unknown key 'b' in 'at' of joint 'J'\n"
        "  J: {type: revolute, bodies: [ground, a], at: {ground: [0, 0], b: [0, 0]}}\n"
        "                                                                ^\n"
        "known: ground, a")

REFUSED(zero_axis,
        TWO_BODIES "joints:\n"
                   "  J: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 0]}\n",
        "text.yaml:6:63: error: 'axis' in joint 'J' must not be zero\n"
        "  J: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 0]}\n"
        "                                                              ^\n"
        "write a direction such as [1, 0]")

REFUSED(negative_stiffness,
        TWO_BODIES "forces:\n"
                   "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, -1, 1]}\n",
        "text.yaml:6:65: error: 'stiffness' in force 'M' must not be negative, but is -1\n"
        "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, -1, 1]}\n"
        "                                                                ^")

REFUSED(law_beside_stiffness,
        TWO_BODIES "forces:\n"
                   "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1, force: s}\n",
        "text.yaml:6:66: error: 'stiffness' in force 'S' cannot stand beside the law 'force'\n"
        "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1, force: s}\n"
        "                                                                 ^\n"
        "put it into the law, or remove the law")

REFUSED(spring_without_law,
        TWO_BODIES "forces:\n"
                   "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]]}\n",
        "text.yaml:6:3: error: force 'S' needs 'stiffness', 'damping' or the law 'force'\n"
        "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]]}\n"
        "  ^")

REFUSED(negative_length,
        TWO_BODIES "forces:\n"
                   "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1, length: -1}\n",
        "text.yaml:6:88: error: 'length' in force 'S' must not be negative, but is -1\n"
        "  S: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1, length: -1}\n"
        "                                                                                       ^\n"
        "a distance is never negative; a component along an 'axis' may be")

REFUSED(unknown_bushing_law,
        TWO_BODIES "forces:\n"
                   "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1], law: marker}\n",
        "text.yaml:6:77: error: unknown law 'marker' in force 'M'\n"
        "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1], law: marker}\n"
        "                                                                            ^\n"
        "did you mean 'markers'?")

REFUSED(law_of_a_wrong_variable,
        TWO_BODIES "forces:\n"
                   "  T: {type: torque, body: a, torque: 2*s}\n",
        "text.yaml:6:40: error: unknown name 's'\n"
        "  T: {type: torque, body: a, torque: 2*s}\n"
        "                                       ^\n"
        "known: t, names of 'parameters'")

REFUSED(simulate_without_end, TWO_BODIES "simulate: {output_step: 0.1}\n",
        "text.yaml:5:1: error: simulate needs 'end'\n"
        "simulate: {output_step: 0.1}\n"
        "^")

REFUSED(order_six, TWO_BODIES "simulate: {end: 1, order: 6}\n",
        "text.yaml:5:27: error: 'order' in simulate must be 4, 5 or 8, but is 6\n"
        "simulate: {end: 1, order: 6}\n"
        "                          ^")

REFUSED(unknown_integrator, TWO_BODIES "simulate: {end: 1, integrator: newmark-beta}\n",
        "text.yaml:5:32: error: unknown integrator 'newmark-beta' in simulate\n"
        "simulate: {end: 1, integrator: newmark-beta}\n"
        "                               ^\n"
        "known: erk, radau, ida, cvode, euler, symplectic_euler, rk2, rk4")

REFUSED(negative_tolerance, TWO_BODIES "simulate: {end: 1, rtol: -1}\n",
        "text.yaml:5:26: error: 'rtol' in simulate must be positive, but is -1\n"
        "simulate: {end: 1, rtol: -1}\n"
        "                         ^")

REFUSED(step_in_words, TWO_BODIES "simulate: {end: 1, step: adaptve}\n",
        "text.yaml:5:26: error: unknown name 'adaptve'\n"
        "simulate: {end: 1, step: adaptve}\n"
        "                         ^\n"
        "known: names of 'parameters'")

REFUSED(body_in_two_subsystems, TWO_BODIES "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a], r: [b, a]}}\n",
        "text.yaml:5:67: error: body 'a' is already in subsystem 'l'\n"
        "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a], r: [b, a]}}\n"
        "                                                                  ^\n"
        "list each body once")

REFUSED(body_in_no_subsystem,
        TWO_BODIES "  c: {mass: 1, inertia: 1}\n"
                   "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:6:39: error: body 'c' is in no subsystem\n"
        "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a], r: [b]}}\n"
        "                                      ^\n"
        "every body belongs to exactly one")

#define NAMES_OF_SCHEMES                                                                                               \
  "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1, or "                                     \
  "DECOMPOSITION-colloc-sSTAGES[-ITERATION], such as ff-colloc-s3"

REFUSED(one_subsystem, TWO_BODIES "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a, b]}}\n",
        "text.yaml:5:51: error: 'subsystems' must hold at least two subsystems, or one FMU\n"
        "cosim: {macro_step: 1, scheme: ff-k1, subsystems: {l: [a, b]}}\n"
        "                                                  ^\n"
        "write {left: [BODY, ...], right: [BODY, ...]}, or equations: {NAME: {inputs: ...}, ...}")

REFUSED(bad_scheme, TWO_BODIES "cosim: {macro_step: 1, scheme: ff-k1-semy, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:38: error: 'ff-k1-semy' is not the name of a scheme: expected explicit, semi, update, implicit or "
        "exchange\n"
        "cosim: {macro_step: 1, scheme: ff-k1-semy, subsystems: {l: [a], r: [b]}}\n"
        "                                     ^\n" NAMES_OF_SCHEMES)

REFUSED(order_of_a_scheme, TWO_BODIES "cosim: {macro_step: 1, scheme: ff-k9, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:35: error: 'ff-k9' is not the name of a scheme: the order must be k0 to k3\n"
        "cosim: {macro_step: 1, scheme: ff-k9, subsystems: {l: [a], r: [b]}}\n"
        "                                  ^\n" NAMES_OF_SCHEMES)

REFUSED(option_of_another_method,
        TWO_BODIES "cosim: {macro_step: 1, scheme: 'ff-weighted(index=2)-k1', subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:45: error: 'ff-weighted(index=2)-k1' is not the name of a scheme: 'index' is not an option of "
        "'weighted', which has a or b\n"
        "cosim: {macro_step: 1, scheme: 'ff-weighted(index=2)-k1', subsystems: {l: [a], r: [b]}}\n"
        "                                            ^\n" NAMES_OF_SCHEMES)

REFUSED(stages_of_a_scheme, TWO_BODIES "cosim: {macro_step: 1, scheme: ff-colloc-s9, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:42: error: 'ff-colloc-s9' is not the name of a scheme: the number of stages must be s1 to s5 with "
        "colloc\n"
        "cosim: {macro_step: 1, scheme: ff-colloc-s9, subsystems: {l: [a], r: [b]}}\n"
        "                                         ^\n" NAMES_OF_SCHEMES)

REFUSED(order_in_place_of_stages,
        TWO_BODIES "cosim: {macro_step: 1, scheme: ff-colloc-k2, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:42: error: 'ff-colloc-k2' is not the name of a scheme: expected s and the number of stages, as in "
        "'ff-colloc-s3'\n"
        "cosim: {macro_step: 1, scheme: ff-colloc-k2, subsystems: {l: [a], r: [b]}}\n"
        "                                         ^\n" NAMES_OF_SCHEMES)

REFUSED(collocation_without_corrector,
        TWO_BODIES "cosim: {macro_step: 1, scheme: ff-colloc-s3-explicit, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:45: error: 'ff-colloc-s3-explicit' is not the name of a scheme: 'colloc' needs a corrector, which "
        "is semi or implicit\n"
        "cosim: {macro_step: 1, scheme: ff-colloc-s3-explicit, subsystems: {l: [a], r: [b]}}\n"
        "                                            ^\n" NAMES_OF_SCHEMES)

REFUSED(scheme_of_the_other_kind,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [a, b], at: [0, 0]}\n"
                   "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {J: {scheme: ff-k1}}}\n",
        "text.yaml:7:78: error: 'ff-k1' is a scheme of force elements, not of joints\n"
        "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {J: {scheme: ff-k1}}}\n"
        "                                                                             ^\n"
        "take a scheme of joints, such as ff-index2-k1")

REFUSED(coupling_inside_a_subsystem,
        TWO_BODIES "joints:\n"
                   "  J: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
                   "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {J: {scheme: ff-k1}}}\n",
        "text.yaml:7:66: error: 'J' is not a coupling: it does not join two subsystems\n"
        "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {J: {scheme: ff-k1}}}\n"
        "                                                                 ^\n"
        "only joints and forces between two subsystems are couplings")

REFUSED(unknown_coupling,
        TWO_BODIES "joints:\n"
                   "  elbow: {type: revolute, bodies: [a, b], at: [0, 0]}\n"
                   "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {elbo: {scheme: ff-k1}}}\n",
        "text.yaml:7:66: error: unknown coupling 'elbo'\n"
        "cosim: {macro_step: 1, subsystems: {l: [a], r: [b]}, couplings: {elbo: {scheme: ff-k1}}}\n"
        "                                                                 ^\n"
        "did you mean 'elbow'?")

REFUSED(unknown_sequence, TWO_BODIES "cosim: {macro_step: 1, sequence: jacoby, subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:34: error: unknown sequence 'jacoby' in cosim\n"
        "cosim: {macro_step: 1, sequence: jacoby, subsystems: {l: [a], r: [b]}}\n"
        "                                 ^\n"
        "did you mean 'jacobi'?")

REFUSED(missing_macro_step, TWO_BODIES "cosim: {subsystems: {l: [a], r: [b]}}\n",
        "text.yaml:5:1: error: 'cosim' needs 'macro_step'\n"
        "cosim: {subsystems: {l: [a], r: [b]}}\n"
        "^\n"
        "add 'macro_step: SECONDS', or take a collocation scheme such as ff-colloc-s3, which chooses its macro steps")

#define ONE_CUT TWO_BODIES "forces: {c: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}}\n"

/* The scheme of a single coupling counts too. */
REFUSED(missing_macro_step_of_a_coupling,
        ONE_CUT "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3, couplings: {c: {scheme: ff-k1}}}\n",
        "text.yaml:6:1: error: 'cosim' needs 'macro_step'\n"
        "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3, couplings: {c: {scheme: ff-k1}}}\n"
        "^\n"
        "add 'macro_step: SECONDS', or take a collocation scheme such as ff-colloc-s3, which chooses its macro steps")

REFUSED(
    repeat_index_taken,
    "seam: 1\n"
    "parameters: {i: 1}\n"
    "repeat:\n"
    "  - {for: {i: [1, 2]}}\n",
    "text.yaml:4:12: error: the index 'i' has the name of a parameter, a function, a constant or a variable of laws\n"
    "  - {for: {i: [1, 2]}}\n"
    "           ^\n"
    "choose another name")

REFUSED(repeat_range_not_whole,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2.5]}}\n",
        "text.yaml:3:19: error: the range of 'i' must be two whole numbers, but has 2.5\n"
        "  - {for: {i: [1, 2.5]}}\n"
        "                  ^")

REFUSED(
    repeat_too_long,
    "seam: 1\n"
    "repeat:\n"
    "  - {for: {i: [1, 1e6], j: [1, 1e6]}, bodies: {\"b{i}_{j}\": {mass: 1, inertia: 1}}}\n",
    "text.yaml:3:5: error: repeats generate 1e+12 entries, which need about 2.1e+06 GB, more than this machine has\n"
    "  - {for: {i: [1, 1e6], j: [1, 1e6]}, bodies: {\"b{i}_{j}\": {mass: 1, inertia: 1}}}\n"
    "    ^\n"
    "make the ranges shorter")

REFUSED(repeat_makes_a_name_twice,
        "seam: 1\n"
        "repeat:\n"
        "  - for: {i: [1, 2]}\n"
        "    bodies: {\"b\": {mass: 1, inertia: 1}}\n",
        "text.yaml:4:15: error: the name 'b' is taken by a body; i = 2\n"
        "    bodies: {\"b\": {mass: 1, inertia: 1}}\n"
        "              ^\n"
        "names are unique across bodies, joints and forces")

REFUSED(repeat_brace_not_closed,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, bodies: {\"b{i\": {mass: 1, inertia: 1}}}\n",
        "text.yaml:3:34: error: '{' without '}' in 'b{i'; i = 1\n"
        "  - {for: {i: [1, 2]}, bodies: {\"b{i\": {mass: 1, inertia: 1}}}\n"
        "                                 ^\n"
        "close it with }")

REFUSED(repeat_fraction_in_a_name,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 2]}, bodies: {\"b{i/2}\": {mass: 1, inertia: 1}}}\n",
        "text.yaml:3:34: error: '{i/2}' must be a whole number, but is 0.5; i = 1\n"
        "  - {for: {i: [1, 2]}, bodies: {\"b{i/2}\": {mass: 1, inertia: 1}}}\n"
        "                                 ^")

REFUSED(repeat_says_for_which_index,
        "seam: 1\n"
        "repeat:\n"
        "  - {for: {i: [1, 3]}, bodies: {\"b{i}\": {mass: 3 - i, inertia: 1}}}\n",
        "text.yaml:3:48: error: 'mass' in body 'b3' must be positive, but is 0; i = 3\n"
        "  - {for: {i: [1, 3]}, bodies: {\"b{i}\": {mass: 3 - i, inertia: 1}}}\n"
        "                                               ^\n"
        "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the bodies at its ends")

REFUSED(name_of_no_whole_value,
        "seam: 1\n"
        "parameters: {N: 3}\n"
        "bodies: {\"b{N/2}\": {mass: 1, inertia: 1}}\n",
        "text.yaml:3:11: error: '{N/2}' must be a whole number, but is 1.5\n"
        "bodies: {\"b{N/2}\": {mass: 1, inertia: 1}}\n"
        "          ^")

REFUSED(repeat_of_a_number,
        "seam: 1\n"
        "repeat: 3\n",
        "text.yaml:2:9: error: 'repeat' must be a list of blocks, but is a number or text\n"
        "repeat: 3\n"
        "        ^\n"
        "write lines '- for: {i: [1, N]}'")

/* ---- What elements ask of each other ---- */

#define WHEELS                                                                                                         \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  sun: {mass: 1, inertia: 1}\n"                                                                                     \
  "  planet: {mass: 1, inertia: 1, at: [1, 0]}\n"                                                                      \
  "  carrier: {mass: 1, inertia: 1}\n"                                                                                 \
  "joints:\n"                                                                                                          \
  "  s: {type: revolute, bodies: [ground, sun], at: [0, 0]}\n"                                                         \
  "  p: {type: revolute, bodies: [carrier, planet], at: [1, 0]}\n"

REFUSED(gear_on_a_carrier_that_rotates,
        WHEELS "  c: {type: revolute, bodies: [ground, carrier], at: [0, 0]}\n"
               "  mesh: {type: gear, bodies: [sun, planet], ratio: -2}\n",
        "text.yaml:10:3: error: wheel 'planet' of gear 'mesh' has its axle on 'carrier', which can rotate, but a gear "
        "without 'at' needs axles that do not rotate\n"
        "  mesh: {type: gear, bodies: [sun, planet], ratio: -2}\n"
        "  ^\n"
        "add at: [P, Q], the centres of the two wheels: angles are then measured from the line through the centres")

Test(refused_elements, gear_with_centres_on_a_carrier_that_rotates_is_none) {
  seam_model_file_destroy(read_model(WHEELS
                                     "  c: {type: revolute, bodies: [ground, carrier], at: [0, 0]}\n"
                                     "  mesh: {type: gear, bodies: [sun, planet], at: [[0, 0], [1, 0]], ratio: -2}\n",
                                     NULL));
}

Test(refused_elements, gear_on_a_carrier_that_only_slides_is_none) {
  seam_model_file_destroy(read_model(WHEELS
                                     "  c: {type: prismatic, bodies: [ground, carrier], at: [0, 0], axis: [1, 0]}\n"
                                     "  mesh: {type: gear, bodies: [sun, planet], ratio: -2}\n",
                                     NULL));
}

REFUSED(a_beam_without_length,
        "seam: 1\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
        "forces:\n"
        "  B:\n"
        "    {type: beam, bodies: [a, b], at: [[0, 0], [0, 0]],\n"
        "     axial_stiffness: 1e6, bending_stiffness: 10}\n",
        "text.yaml:4:3: error: force 'B': both ends of the beam coincide: move them apart\n  B:\n  ^")

REFUSED(a_beam_of_negative_length,
        "seam: 1\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
        "forces:\n"
        "  B:\n"
        "    {type: beam, bodies: [a, b], at: [[0, 0], [1, 0]],\n"
        "     axial_stiffness: 1e6, bending_stiffness: 10, length: -1}\n",
        "text.yaml:6:59: error: 'length' in force 'B' must be positive, but is -1\n"
        "     axial_stiffness: 1e6, bending_stiffness: 10, length: -1}\n"
        "                                                          ^\n"
        "write the distance of its ends without load")
