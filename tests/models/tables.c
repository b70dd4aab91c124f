/* `tables:` of a model file: their files, what is refused and how, and runs over them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seam/models.h>

#include "tests/support/model_run.h"

/* ---- Files ---- */

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  cr_assert_geq(fputs(text, file), 0);
  cr_assert_eq(fclose(file), 0);
}

static void enter_folder(void) {
  char folder[] = "/tmp/seam_tables_XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

#define MODEL(table, mass)                                                                                             \
  "seam: 1\n"                                                                                                          \
  "tables: {f: " table "}\n"                                                                                           \
  "bodies: {a: {mass: \"" mass "\", inertia: 1}}\n"

/* The mass of the body of a model. */
static double mass_of(const char *text) {
  seam_model_file *file = read_model(text, NULL);
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  cr_assert_eq(mbs_workspace_create(seam_model_mechanism(file), &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(seam_model_mechanism(file), &state, NULL), SEAM_OK);
  double forces[3];
  mbs_inverse_dynamics(ws, state, (double[]){1, 0, 0}, NULL, forces);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  return forces[0];
}

Test(tables, files_of_all_kinds_are_read, .init = enter_folder) {
  static const char *const texts[] = {
      "x,y\n0,1\n2,5\n",  "\xef\xbb\xbf# a comment\n\n\"x\" ; \"y\"\r\n0;1\r\n2;5\r\n",
      "x\ty\n0\t1\n2\t5", "  0   1\n  2   5\n",
      "0,1\n2,5\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    write_file("f.csv", texts[i]);
    cr_expect_float_eq(mass_of(MODEL("{file: f.csv}", "f(1)")), 3, 1e-15, "file %zu", i);
  }
  write_file("f.csv", "time,u,v\n0,7,1\n1,7,2\n4,9,8\n");
  cr_expect_float_eq(mass_of(MODEL("{file: f.csv, x: time, y: v}", "f(2)")), 4, 1e-15);
}

Test(tables, paths_begin_where_the_model_file_is, .init = enter_folder) {
  cr_assert_eq(system("mkdir sub"), 0);
  write_file("sub/f.csv", "x,y\n0,1\n2,5\n");
  write_file("sub/model.yaml", MODEL("{file: f.csv}", "f(1)"));
  seam_model_file *file = NULL;
  seam_error error;
  cr_assert_eq(seam_model_file_read("sub/model.yaml", NULL, 0, &file, &error), SEAM_OK, "%s", error.message);
  seam_model_file_destroy(file);
  const char *const here = "tables.f.file=sub/f.csv";
  cr_assert_eq(seam_model_file_read("sub/model.yaml", &here, 1, &file, &error), SEAM_OK, "%s", error.message);
  seam_model_file_destroy(file);
}

Test(tables, the_effective_model_holds_the_points, .init = enter_folder) {
  FILE *csv = fopen("f.csv", "w");
  cr_assert_not_null(csv);
  for (int i = 0; i <= 20000; i++)
    fprintf(csv, "%.17g %.17g\n", i / 7.0, sin(i / 7.0));
  cr_assert_eq(fclose(csv), 0);
  seam_model_file *file = read_model(MODEL("{file: f.csv, interpolation: spline}", "3 + f(1)"), NULL);
  const char *json = seam_model_json(file);
  cr_expect_null(strstr(json, "f.csv"));
  cr_assert_eq(remove("f.csv"), 0);
  seam_model_file *again = read_model(json, NULL);
  cr_expect_str_eq(seam_model_json(again), json);
  seam_model_file_destroy(again);
  seam_model_file_destroy(file);
}

/* Sections are read a second time for the whole model, with the points in the place of the file. */
Test(tables, files_of_curves_in_the_whole, .init = enter_folder) {
  const mbs_model *whole = NULL;
  write_file("f.csv", "0,0\n1,0.1\n2,0\n");
  seam_model_file *file = read_model("seam: 2\n"
                                     "curves: {road: {file: f.csv}}\n"
                                     "bodies: {a: {mass: 1, inertia: 1, at: [1, 1]}, b: {mass: 1, inertia: 1}}\n"
                                     "cosim:\n"
                                     "  macro_step: 0.1\n"
                                     "  subsystems: {a: [a], b: [b], c: {inputs: [u], outputs: {y: u}}}\n"
                                     "  signals: [{from: b.x, to: c.u}]\n",
                                     NULL);
  cr_expect_eq(seam_model_whole(file, &whole, NULL), SEAM_OK);
  cr_expect_eq(mbs_n_elements(whole, MBS_MEASURES), 2);
  seam_model_file_destroy(file);
}

/* ---- Messages ---- */

#define REFUSED(name, table, mass, message)                                                                            \
  Test(tables, name) { expect_refused(MODEL(table, mass), message); }

REFUSED(no_points, "{interpolation: akima}", "1",
        "text.yaml:2:10: error: table 'f' needs its points\n"
        "tables: {f: {interpolation: akima}}\n"
        "         ^\n"
        "write 'x: [...]' and 'y: [...]', or 'file: NAME.csv'")

REFUSED(one_point, "{x: [0], y: [1]}", "1",
        "text.yaml:2:10: error: table 'f', linear, needs 2 points, but has 1\n"
        "tables: {f: {x: [0], y: [1]}}\n"
        "         ^\n"
        "add points")

REFUSED(lists_of_different_lengths, "{x: [0, 1], y: [1]}", "1",
        "text.yaml:2:28: error: 'y' in table 'f' must be a list of 2 numbers, but has 1\n"
        "tables: {f: {x: [0, 1], y: [1]}}\n"
        "                           ^")

REFUSED(points_that_do_not_grow, "{x: [0, 1, 1], y: [1, 2, 3], interpolation: akima}", "1",
        "text.yaml:2:24: error: x of table 'f' does not grow: 1 after 1, at point 3\n"
        "tables: {f: {x: [0, 1, 1], y: [1, 2, 3], interpolation: akima}}\n"
        "                       ^\n"
        "sort the points by x; of those with the same x keep one, or two of a linear table that jumps")

REFUSED(a_period_that_does_not_close, "{x: [0, 1, 2], y: [1, 2, 3], extrapolation: periodic}", "1",
        "text.yaml:2:38: error: y of the periodic table 'f' ends with 3, but begins with 1\n"
        "tables: {f: {x: [0, 1, 2], y: [1, 2, 3], extrapolation: periodic}}\n"
        "                                     ^\n"
        "make its last value equal to the first one, a period before")

REFUSED(an_unknown_interpolation, "{x: [0, 1], y: [1, 2], interpolation: akma}", "1",
        "text.yaml:2:51: error: unknown interpolation 'akma' in table 'f'\n"
        "tables: {f: {x: [0, 1], y: [1, 2], interpolation: akma}}\n"
        "                                                  ^\n"
        "did you mean 'akima'?")

REFUSED(a_number_outside, "{x: [0, 1], y: [1, 2]}", "f(2)",
        "text.yaml:3:21: error: table 'f' has no value at 2, outside of its points\n"
        "bodies: {a: {mass: \"f(2)\", inertia: 1}}\n"
        "                    ^")

REFUSED(a_table_without_argument, "{x: [0, 1], y: [1, 2]}", "f",
        "text.yaml:3:21: error: 'f' is a function: its arguments follow in brackets\n"
        "bodies: {a: {mass: \"f\", inertia: 1}}\n"
        "                    ^")

REFUSED(a_misspelt_table, "{x: [0, 1], y: [1, 2]}", "f1(1)",
        "text.yaml:3:21: error: unknown function 'f1'\n"
        "bodies: {a: {mass: \"f1(1)\", inertia: 1}}\n"
        "                    ^\n"
        "did you mean 'f'?")

Test(tables, names_that_are_taken) {
  expect_refused("seam: 1\n"
                 "tables: {sin: {x: [0, 1], y: [0, 1]}}\n",
                 "text.yaml:2:10: error: 'sin' is a function or a constant and cannot be a table\n"
                 "tables: {sin: {x: [0, 1], y: [0, 1]}}\n"
                 "         ^\n"
                 "choose another name");
  expect_refused("seam: 1\n"
                 "parameters: {k: 1}\n"
                 "tables: {k: {x: [0, 1], y: [0, 1]}}\n",
                 "text.yaml:3:10: error: 'k' is a parameter and cannot be a table\n"
                 "tables: {k: {x: [0, 1], y: [0, 1]}}\n"
                 "         ^\n"
                 "choose another name");
}

#define REFUSED_FILE(name, table, text, message)                                                                       \
  Test(tables, name, .init = enter_folder) {                                                                           \
    write_file("f.csv", text);                                                                                         \
    expect_refused(MODEL(table, "1"), message);                                                                        \
  }

REFUSED_FILE(no_such_file, "{file: g.csv}", "",
             "text.yaml:2:20: error: cannot read 'g.csv': No such file or directory\n"
             "tables: {f: {file: g.csv}}\n"
             "                   ^\n"
             "a path is relative to the folder of the model file")

REFUSED_FILE(a_folder, "{file: .}", "",
             "text.yaml:2:20: error: cannot read '.': it is not a file\n"
             "tables: {f: {file: .}}\n"
             "                   ^\n"
             "a path is relative to the folder of the model file")

REFUSED_FILE(an_empty_file, "{file: f.csv}", "# nothing\n\n",
             "f.csv: error: the file is empty\n"
             "write a line with the names of its columns, and lines of numbers")

REFUSED_FILE(a_file_without_numbers, "{file: f.csv}", "x,y\n",
             "f.csv: error: the file has a header but no rows: add rows of numbers")

REFUSED_FILE(a_missing_column, "{file: f.csv, y: w}", "x,y\n0,1\n1,2\n",
             "text.yaml:2:30: error: 'f.csv' has no column 'w'\n"
             "tables: {f: {file: f.csv, y: w}}\n"
             "                             ^\n"
             "its columns are 'x' 'y'")

REFUSED_FILE(a_misspelt_column, "{file: f.csv, y: forse}", "x,force,other\n0,1,2\n1,2,3\n",
             "text.yaml:2:30: error: 'f.csv' has no column 'forse'\n"
             "tables: {f: {file: f.csv, y: forse}}\n"
             "                             ^\n"
             "did you mean 'force'?")

REFUSED_FILE(one_column, "{file: f.csv}", "x\n0\n1\n",
             "f.csv:1:1: error: there are not two columns\n"
             "x\n"
             "^\n"
             "separate columns by commas, semicolons, tabs or spaces")

REFUSED_FILE(not_a_number, "{file: f.csv}", "x,y\n0,1\n1,nan\n",
             "f.csv:3:3: error: this is not a finite number\n"
             "1,nan\n"
             "  ^\n"
             "write a number with a decimal point, as -1.5e-3")

REFUSED_FILE(decimal_commas, "{file: f.csv}", "x;y\n0;1,5\n1;2\n",
             "f.csv:2:3: error: this is not a finite number\n"
             "0;1,5\n"
             "  ^\n"
             "write a number with a decimal point, as -1.5e-3")

REFUSED_FILE(a_short_line, "{file: f.csv}", "x,y,z\n0,1,2\n1,2\n",
             "f.csv:3:1: error: the line has 2 fields, but the first line 3\n"
             "1,2\n"
             "^\n"
             "give every line as many fields")

REFUSED_FILE(an_order_that_falls, "{file: f.csv}", "x,y\n0,1\n2,2\n1,3\n",
             "text.yaml:2:20: error: x of table 'f' does not grow: 1 after 2, at point 3\n"
             "tables: {f: {file: f.csv}}\n"
             "                   ^\n"
             "sort the points by x; of those with the same x keep one, or two of a linear table that jumps")

/* ---- Runs ---- */

/* A valve that holds its values, a ramp that jumps in time, a road that jumps at x = 0.5: v_x = 1 + 3 (t - 0.5). */
Test(tables, values_are_held_and_jump_where_they_should) {
  static const char *const text =
      "seam: 1\ntables:\n  valve: {x: [0, 1, 2.5, 3], y: [1, -2, 4, 0], interpolation: hold, extrapolation: hold}\n"
      "  ramp: {x: [0, 1, 1, 2], y: [0, 1, -1, 0], extrapolation: hold}\n"
      "  road: {x: [-1, 0.5, 0.5, 9], y: [0, 0, 3, 3], extrapolation: hold}\n"
      "bodies: {b: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
      "forces: {f: {type: force, body: b, x: \"road(b.x)\", y: \"valve(t) + ramp(t)\"}}\nsimulate: {end: 4}\n";
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (int k = 0; k < 4; k++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[k];
    model_run run = model_run_begin(text, NULL, &options, NAN);
    model_run_reach(&run, 3.5);
    const double bound = k < 2 ? 1e-9 : 1e-5;
    cr_expect_float_eq(model_run_read(&run, "b.vx"), 10, bound, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "b.x"), 0.5 + 3 + 13.5, bound, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "b.vy"), 0, bound, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "b.y"), -5.0 / 12, bound, "%s", methods[k]);
    model_run_end(&run);
  }
}

/* A mass on a spring whose foot follows a road; the exact motion for z = sin(w s), s = t, with k/m = 9, from rest:
 * x = 9/(9 - w²) (sin(w t) - w/3 sin(3 t)). */
#define ON_A_ROAD                                                                                                      \
  "seam: 1\n"                                                                                                          \
  "tables: {road: {file: road.csv, interpolation: %s}}\n"                                                              \
  "bodies: {foot: {mass: 1, inertia: 1}, car: {mass: 1, inertia: 1, at: [0, 1]}}\n"                                    \
  "joints:\n"                                                                                                          \
  "  up: {type: prismatic, bodies: [ground, car], at: [0, 0], axis: [0, 1]}\n"                                         \
  "  x: {type: prismatic, bodies: [ground, foot], at: [0, 0], axis: [0, 1]}\n"                                         \
  "  y: {type: motion, of: y, body: foot, law: \"road(t)\"}\n"                                                         \
  "forces: {s: {type: spring_damper, bodies: [foot, car], at: [[0, 0], [0, 1]], axis: [0, 1], stiffness: 9}}\n"        \
  "simulate: {end: 5}\n"

static double car_after_5_s(const char *interpolation, int n) {
  const double w = 2;
  FILE *csv = fopen("road.csv", "w");
  cr_assert_not_null(csv);
  for (int i = 0; i <= n; i++)
    fprintf(csv, "%.17g,%.17g\n", 5.0 * i / n, sin(w * 5.0 * i / n));
  cr_assert_eq(fclose(csv), 0);
  char text[1024];
  snprintf(text, sizeof text, ON_A_ROAD, interpolation);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-11;
  options.atol = 1e-13;
  model_run run = model_run_begin(text, NULL, &options, NAN);
  model_run_advance(&run, 5);
  cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
  cr_expect_geq(mbs_integrator_statistics(run.integrator).steps, (size_t)n, "a step went over a point");
  const double y = run.state->q[4];
  model_run_end(&run);
  const double exact = 1 + 9 / (9 - w * w) * (sin(5 * w) - w / 3 * sin(15));
  return fabs(y - exact);
}

Test(tables, a_sampled_road_converges_to_the_smooth_one, .init = enter_folder) {
  static const struct {
    const char *interpolation;
    double order, error;
  } cases[] = {{"linear", 2, 2e-3}, {"pchip", 2, 2e-3}, {"akima", 2, 2e-4}, {"spline", 4, 2e-6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double coarse = car_after_5_s(cases[i].interpolation, 100);
    const double fine = car_after_5_s(cases[i].interpolation, 400);
    cr_expect_lt(coarse, cases[i].error, "%s: %g", cases[i].interpolation, coarse);
    cr_expect_gt(log(coarse / fine) / log(4), cases[i].order - 0.15, "%s: %g, %g", cases[i].interpolation, coarse,
                 fine);
  }
}

Test(tables, a_run_beyond_the_last_point_ends_with_its_name, .init = enter_folder) {
  write_file("road.csv", "0,0\n1,0.1\n2,0\n");
  char text[1024];
  snprintf(text, sizeof text, ON_A_ROAD, "akima");
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run run = model_run_begin(text, NULL, &options, NAN);
  model_run_advance(&run, 5);
  cr_expect_eq(run.status, SEAM_CONSTRAINT_LOST);
  cr_expect_str_eq(
      run.error.message,
      "t = 2 s: joint 'y' cannot follow its law, which is not a finite number from this time on: check its expression");
  model_run_end(&run);
}

Test(tables, a_torque_curve_gives_the_exact_speed) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  /* J w' = T(w) with T = 10 - w linear between its points: w = 10 (1 - exp(-t)). */
  model_run run = model_run_begin("seam: 1\n"
                                  "tables: {motor: {x: [-5, 2, 4.5, 20], y: [15, 8, 5.5, -10]}}\n"
                                  "bodies: {rotor: {mass: 1, inertia: 1}}\n"
                                  "joints: {axle: {type: revolute, bodies: [ground, rotor], at: [0, 0]}}\n"
                                  "forces: {m: {type: torsion, bodies: [ground, rotor], torque: \"-motor(v)\"}}\n"
                                  "simulate: {end: 2, rtol: 1e-10, atol: 1e-12}\n",
                                  NULL, &options, NAN);
  model_run_advance(&run, 2);
  cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
  cr_expect_float_eq(run.state->v[2], 10 * (1 - exp(-2)), 1e-8, "%.12g", run.state->v[2]);
  model_run_end(&run);
}

/* A saw of 30 J a period, far away on both sides; it has two kinks in each. */
Test(tables, the_potential_of_thousands_of_periods_is_exact) {
  static const struct {
    double angle, potential;
  } cases[] = {{0.05, 3.75}, {1500.05, 7500 * 30 + 3.75}, {-1500.05, -7500 * 30 - 3.75}, {20000.1, 1e5 * 30 + 15}};
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run run = model_run_begin("seam: 1\n"
                                  "tables: {saw: {x: [0, 0.1, 0.2], y: [0, 300, 0], extrapolation: periodic}}\n"
                                  "bodies: {rotor: {mass: 1, inertia: 1}}\n"
                                  "joints: {axle: {type: revolute, bodies: [ground, rotor], at: [0, 0]}}\n"
                                  "forces: {m: {type: torsion, bodies: [ground, rotor], torque: \"saw(s)\"}}\n",
                                  NULL, &options, NAN);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run.state->q[2] = cases[i].angle;
    const double potential = mbs_energy_of(run.ws, run.state).potential;
    cr_expect_float_eq(potential, cases[i].potential, 1e-12 * fabs(cases[i].potential) + 1e-9, "%.17g", potential);
  }
  model_run_end(&run);
}
