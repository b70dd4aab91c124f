/* --set key.path=value, and repeats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>
#include <seam/events.h>
#include <seam/measures.h>

#include "mbs/model/measure.h"
#include "models/model_file.h"

#include "tests/support/model_reader.h"

static const char model[] = "seam: 1\n"
                            "parameters: {c: 1}\n"
                            "bodies: {bar1: {mass: c, inertia: 1}, bar2: {mass: 1, inertia: 1}}\n"
                            "forces: {M: {type: bushing, bodies: [bar1, bar2], at: [0, 0], stiffness: [c, c, c]}}\n"
                            "simulate: {end: 1}\n";

static void expect_in_json(const char *override, const char *words) {
  seam_model_file *file = read_model(model, (const char *const[]){override, NULL});
  cr_expect_not_null(strstr(seam_model_json(file), words), "%s", seam_model_json(file));
  seam_model_file_destroy(file);
}

Test(overrides, parameter) { expect_in_json("parameters.c=1e6", "\"stiffness\": [1000000, 1000000, 1000000]"); }
Test(overrides, expression) { expect_in_json("parameters.c=2*pi", "\"c\": 6.283185307179586"); }
Test(overrides, number) { expect_in_json("simulate.end=3", "\"end\": 3"); }
Test(overrides, list) { expect_in_json("forces.M.stiffness=[1, 2*c, 3]", "\"stiffness\": [1, 2, 3]"); }
Test(overrides, body) { expect_in_json("bodies.bar1.mass=2", "\"mass\": 2"); }
Test(overrides, missing_key_is_added) { expect_in_json("bodies.bar1.rate=2", "\"rate\": 2"); }
Test(overrides, missing_section_is_added) { expect_in_json("gravity=[0, -1]", "\"gravity\": [0, -1]"); }

Test(overrides, missing_map_is_added) {
  expect_in_json("cosim={macro_step: 1, subsystems: {l: [bar1], r: [bar2]}}", "\"macro_step\": 1");
}

Test(overrides, last_one_wins) {
  seam_model_file *file = read_model(model, (const char *const[]){"simulate.end=3", "simulate.end=4", NULL});
  cr_expect_eq(seam_model_simulation(file)->end, 4);
  seam_model_file_destroy(file);
}

#define WRONG(name, override, message)                                                                                 \
  Test(overrides, wrong_##name) { expect_refused_with(model, override, message); }

WRONG(parameter, "parameters.cc=1", "--set parameters.cc: error: there is no parameter 'cc'\n1\n^\ndid you mean 'c'?")
WRONG(section, "forcse.M.stiffness=1",
      "--set forcse.M.stiffness: error: there is no key 'forcse'\n1\n^\ndid you mean 'forces'?")
WRONG(parameter_alone, "c=3", "--set c: error: there is no key 'c'\n3\n^\ndid you mean 'parameters.c'?")
WRONG(decimal_comma, "simulate.end=5,5",
      "--set simulate.end: error: expected an operator or the end, found ','\n5,5\n ^\ndecimals follow a point, as in "
      "1.5")
WRONG(list_without_brackets, "simulate.end=c, 5",
      "--set simulate.end: error: expected an operator or the end, found ','\nc, 5\n ^")
WRONG(force, "forces.N.stiffness=[1, 1, 1]",
      "--set forces.N.stiffness: error: there is no force 'N'\n[1, 1, 1]\n^\nknown: M")
WRONG(event, "events.fast.stop=true",
      "--set events.fast.stop: error: there is no event 'fast'\ntrue\n^\n"
      "this section of the file is empty: write all its entries, --set 'events={fast: ...}'")
WRONG(parameter_that_resembles_none, "parameters.zebra=1",
      "--set parameters.zebra: error: there is no parameter 'zebra'\n1\n^\nknown: c")
WRONG(body, "bodies.bar3.mass=1", "--set bodies.bar3.mass: error: there is no body 'bar3'\n1\n^\ndid you mean 'bar1'?")
WRONG(key, "forces.M.stifness=[1, 1, 1]",
      "--set forces.M.stifness: error: unknown key 'stifness' in force 'M'\n[1, 1, 1]\n^\ndid you mean 'stiffness'?")
WRONG(value, "bodies.bar1.mass=-2",
      "--set bodies.bar1.mass: error: 'mass' in body 'bar1' must be positive, but is -2\n-2\n^")
WRONG(expression, "bodies.bar1.mass=2 + d",
      "--set bodies.bar1.mass: error: unknown name 'd'\n2 + d\n    ^\n"
      "known: names of 'parameters'")
WRONG(yaml, "gravity=[0, 1",
      "--set gravity: error: not YAML: flow sequence without a closing bracket\n[0, 1\n     ^\n"
      "check brackets, quotes and indentation here and just before")
WRONG(depth, "simulate.end.x=1",
      "--set simulate.end.x: error: 'end' is '1', not a map, and so cannot contain 'x'\n1\n^\n"
      "set 'end' as a whole, as in 'end={x: ...}'")
WRONG(form, "simulate.end", "--set simulate.end: error: this is not 'key.path=value'")
WRONG(empty_part, "simulate..end=1",
      "--set simulate..end: error: the path before '=' has two dots in a row, or a dot at its beginning or "
      "end\n1\n^\nwrite --set key.path=value")
WRONG(empty_value, "simulate.end=", "--set simulate.end: error: the value is missing\nwrite --set key.path=value")

/* ---- Repeats ----------------------------------------------------------------------------------------------------- */

static const char chain[] =
    "seam: 1\n"
    "parameters: {N: 3}\n"
    "points: {P0: [0, 0]}\n"
    "repeat:\n"
    "  - for: {i: [1, N]}\n"
    "    points: {\"P{i}\": [2*i, i^2]}\n"
    "    bodies: {\"link{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: i}}\n"
    "  - for: {i: [1, N - 1]}\n"
    "    joints: {\"J{i}\": {type: revolute, bodies: [\"link{i}\", \"link{i+1}\"], at: \"P{i}\"}}\n";

Test(overrides, generates_entries) {
  seam_model_file *file = read_model(chain, NULL);
  const mbs_model *mechanism = seam_model_mechanism(file);
  cr_expect_eq(mbs_n_bodies(mechanism), 3);
  cr_expect_eq(mbs_n_joints(mechanism), 2);
  cr_expect_str_eq(mbs_body_of(mechanism, 2).name, "link3");
  cr_expect_not_null(strstr(seam_model_json(file), "\"P3\": [6, 9]"));
  cr_expect_not_null(strstr(seam_model_json(file), "\"link3\": {\"rod\": [\"P2\", \"P3\"], \"mass\": 3}"));
  cr_expect_null(strstr(seam_model_json(file), "repeat"));
  seam_model_file_destroy(file);
}

Test(overrides, override_of_a_parameter_changes_the_number) {
  seam_model_file *file = read_model(chain, (const char *const[]){"parameters.N=5", NULL});
  cr_expect_eq(mbs_n_bodies(seam_model_mechanism(file)), 5);
  seam_model_file_destroy(file);
}

Test(overrides, override_of_a_generated_entry) {
  seam_model_file *file = read_model(chain, (const char *const[]){"bodies.link2.mass=8", NULL});
  cr_expect_not_null(strstr(seam_model_json(file), "\"link2\": {\"rod\": [\"P1\", \"P2\"], \"mass\": 8}"));
  seam_model_file_destroy(file);
}

Test(overrides, override_of_a_generated_subsystem_or_equation) {
  static const char text[] =
      "seam: 1\nrepeat:\n"
      "  - for: {i: [1, 2]}\n"
      "    equations: {\"c{i}\": {states: {y: i}, rates: {y: 0}}}\n"
      "    cosim: {subsystems: {\"s{i}\": {inputs: [u], states: {x: 0}, rates: {x: u}, outputs: {x: x}}}}\n"
      "cosim: {macro_step: 0.1, signals: [{from: s1.x, to: s2.u}]}\n";
  seam_model_file *file =
      read_model(text, (const char *const[]){"cosim.subsystems.s2.states.x=7", "equations.c1.states.y=5", NULL});
  cr_expect_not_null(strstr(seam_model_json(file), "\"states\": {\"x\": 7}"), "%s", seam_model_json(file));
  cr_expect_not_null(strstr(seam_model_json(file), "\"states\": {\"y\": 5}"), "%s", seam_model_json(file));
  seam_model_file_destroy(file);
}

Test(overrides, empty_range_generates_nothing) {
  seam_model_file *file = read_model(chain, (const char *const[]){"parameters.N=1", NULL});
  cr_expect_eq(mbs_n_bodies(seam_model_mechanism(file)), 1);
  cr_expect_eq(mbs_n_joints(seam_model_mechanism(file)), 0);
  seam_model_file_destroy(file);
}

Test(overrides, last_index_runs_fastest) {
  seam_model_file *file = read_model("seam: 1\nrepeat:\n"
                                     "  - for: {i: [1, 2], j: [-1, 0]}\n"
                                     "    bodies: {\"b{i}_{j + 1}\": {mass: 1, inertia: 1, at: [i, j]}}\n",
                                     NULL);
  static const char *const names[] = {"b1_0", "b1_1", "b2_0", "b2_1"};
  for (size_t i = 0; i < 4; i++)
    cr_expect_str_eq(mbs_body_of(seam_model_mechanism(file), i).name, names[i]);
  seam_model_file_destroy(file);
}

Test(overrides, index_in_a_law) {
  seam_model_file *file =
      read_model("seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nrepeat:\n"
                 "  - for: {i: [1, 2]}\n"
                 "    forces: {\"T{i}\": {type: torque, body: a, torque: \"i*sin(i*t) - sinh(t)\"}}\n",
                 NULL);
  cr_expect_not_null(strstr(seam_model_json(file), "\"torque\": \"(2)*sin((2)*t) - sinh(t)\""), "%s",
                     seam_model_json(file));
  seam_model_file_destroy(file);
}

Test(overrides, equations_events_and_measures_of_each_body) {
  seam_model_file *file =
      read_model("seam: 1\nrepeat:\n"
                 "  - for: {i: [1, 2]}\n"
                 "    bodies: {\"b{i}\": {mass: 1, inertia: 1}}\n"
                 "    measures: {\"m{i}\": \"i*b{i}.x\"}\n"
                 "    events: {\"e{i}\": \"c{i}.y > i\"}\n"
                 "    equations: {\"c{i}\": {inputs: {x: \"m{i}\"}, states: {y: i}, rates: {y: i*x}}}\n",
                 NULL);
  const mbs_model *mechanism = seam_model_mechanism(file);
  cr_expect_eq(mbs_n_variables(mechanism), 2);
  cr_expect_str_eq(mbs_variable_of(mechanism, 1).name, "c2.y");
  cr_expect_eq(mbs_n_events(mechanism), 2);
  cr_expect_str_eq(mbs_event_of(mechanism, 1).name, "e2");
  cr_expect_neq(mbs_find_measure(mechanism, "m2"), SEAM_NONE);
  cr_expect_not_null(strstr(seam_model_json(file), "\"rates\": {\"y\": \"(2)*x\"}"), "%s", seam_model_json(file));
  seam_model_file_destroy(file);
}

Test(overrides, subsystems) {
  seam_model_file *file = read_model(chain, (const char *const[]){"cosim={macro_step: 1, subsystems: {u: [link1], l: "
                                                                  "{for: {k: [2, N]}, bodies: ['link{k}']}}}",
                                                                  NULL});
  cr_expect_eq(cosim_builder_definition(file->cosim)->subsystems[1].n_bodies, 2);
  cr_expect_str_eq(cosim_builder_definition(file->cosim)->subsystems[1].bodies[1], "link3");
  seam_model_file_destroy(file);
}

Test(overrides, effective_model_reads_back_to_itself) {
  seam_model_file *file = read_model(chain, NULL);
  seam_model_file *again = read_model(seam_model_json(file), NULL);
  cr_expect_str_eq(seam_model_json(file), seam_model_json(again));
  seam_model_file_destroy(file);
  seam_model_file_destroy(again);
}

Test(overrides, time_of_10000_links) {
  const double start = cpu_time();
  seam_model_file *file = read_model(chain, (const char *const[]){"parameters.N=10000", NULL});
  printf("10000 links read in %.3f s\n", cpu_time() - start);
  cr_expect_eq(mbs_n_joints(seam_model_mechanism(file)), 9999);
  seam_model_file_destroy(file);
}

Test(overrides, subsystems_with_ranges_of_their_own) {
  seam_model_file *file =
      read_model("seam: 1\n"
                 "parameters: {N: 3}\n"
                 "repeat:\n"
                 "  - for: {i: [1, N], j: [1, N]}\n"
                 "    bodies: {\"b{i}_{j}\": {mass: 1, inertia: 1}}\n"
                 "  - for: {i: [1, N - 1]}\n"
                 "    cosim:\n"
                 "      subsystems:\n"
                 "        \"left{i}\": {for: {j: [1, i]}, bodies: [\"b{i}_{j}\"], macro_step: 1/i}\n"
                 "        \"right{i}\": {for: {j: [i + 1, N]}, bodies: [\"b{i}_{j}\"]}\n"
                 "cosim: {macro_step: 1, subsystems: {last: {for: {j: [1, N]}, "
                 "bodies: [\"b{N}_{j}\"]}}}\n",
                 NULL);
  static const struct {
    const char *name, *first;
    size_t n_bodies, steps;
  } expected[] = {{"last", "b3_1", 3, 1},
                  {"left1", "b1_1", 1, 1},
                  {"right1", "b1_2", 2, 1},
                  {"left2", "b2_1", 2, 2},
                  {"right2", "b2_3", 1, 1}};
  for (size_t i = 0; i < 5; i++) {
    const cosim_subsystem_def *def = &cosim_builder_definition(file->cosim)->subsystems[i];
    cr_expect_str_eq(def->name, expected[i].name);
    cr_expect_eq(def->n_bodies, expected[i].n_bodies, "%s has %zu", def->name, def->n_bodies);
    cr_expect_str_eq(def->bodies[0], expected[i].first);
    cr_expect_eq(def->steps, expected[i].steps);
  }
  cr_expect_null(strstr(seam_model_json(file), "for"));
  seam_model_file_destroy(file);
}

/* As in the file itself, whether it is applied before entries are generated or behind. */
Test(overrides, values_are_filled_in) {
  static const char *const overrides[] = {"forces.f.body=b{N}", "forces.f.at=P{N - 1}", "stop=b{N}.x > 9", NULL};
  seam_model_file *file = read_model("seam: 2\nparameters: {N: 2}\npoints: {P1: [0, 0], P2: [1, 0]}\n"
                                     "bodies: {b1: {mass: 1, inertia: 1, at: P1}, b2: {mass: 1, inertia: 1, at: P2}}\n"
                                     "forces: {f: {type: force, body: b1, at: P2, x: 1}}\n",
                                     overrides);
  const mbs_force_info f = mbs_force_of(seam_model_mechanism(file), 0);
  cr_expect_eq(f.bodies[0], 1);
  cr_expect_float_eq(f.markers[0][0], -1, 0, "P1, seen from the centre of b2");
  seam_model_file_destroy(file);
}
