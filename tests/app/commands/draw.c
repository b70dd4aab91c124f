/* `seam draw`. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/models.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/xml.h"

TestSuite(draw, .init = enter_scratch, .fini = leave_scratch);

Test(draw, the_check_of_xml_can_fail) {
  cr_expect(xml_is_well_formed("<a b=\"1\"><c/>&amp;</a>\n"));
  cr_expect_not(xml_is_well_formed("<a><b></a></b>"));
  cr_expect_not(xml_is_well_formed("<a>&nbsp;</a>"));
  cr_expect_not(xml_is_well_formed("<a b=\"<\"></a>"));
  cr_expect_not(xml_is_well_formed("<a>"));
  cr_expect_not(xml_is_well_formed("<a/><b></b><c></c>"));
}

/* ---- Pictures ---- */

Test(draw, every_model_of_the_catalogue_is_drawn_twice_alike) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    outcome first = SEAM("draw", name);
    outcome second = SEAM("draw", name);
    const bool is_empty = has(first.err, "the model has no bodies, only user equations: nothing to draw");
    cr_expect_eq(first.exit_status, is_empty ? 2 : 0, "%s: %s", name, first.err);
    cr_expect(is_empty || xml_is_well_formed(first.out), "%s", name);
    cr_expect_str_eq(first.out, second.out);
    outcome_free(&first);
    outcome_free(&second);
  }
}

/* ---- Places ---- */

/* The middle of the pin of a joint, pixels: half a circle is the first arc of its path. */
static void pin_of(const char *svg, const char *joint, double middle[2]) {
  char title[64];
  snprintf(title, sizeof title, "<title>%s: ", joint);
  const char *path = svg;
  while ((path = strstr(path, "<path class=\"pin\" d=\"M")) != NULL) {
    const char *named = strstr(path, "<title>");
    if (named != NULL && strncmp(named, title, strlen(title)) == 0)
      break;
    path++;
  }
  cr_assert_not_null(path, "no pin of '%s'", joint);
  double end[2];
  cr_assert_eq(sscanf(path, "<path class=\"pin\" d=\"M%lf %lfA%*f %*f 0 %*d %*d %lf %lf", &middle[0], &middle[1],
                      &end[0], &end[1]),
               4);
  for (int i = 0; i < 2; i++)
    middle[i] = (middle[i] + end[i]) / 2;
}

Test(draw, joints_are_where_the_poses_put_them) {
  outcome result = SEAM("draw", "four_bar_bushing");
  double a[2];
  double b[2];
  pin_of(result.out, "A", a);
  pin_of(result.out, "B", b);
  const double scale = (b[0] - a[0]) / 2; /* the pivots are 2 m apart */
  /* Geometry of the four-bar: phi1 is 45 degrees, bars 2 and 3 are 2 m long together, phi4 as below. */
  const double phi1 = acos(-1) / 4;
  const double phi2 = 0.6930279763625159;
  const double phi4 = 1.447616603676505;
  const double expected[3][2] = {
      {cos(phi1), sin(phi1)}, {cos(phi1) + cos(phi2), sin(phi1) + sin(phi2)}, {2 + 2 * cos(phi4), 2 * sin(phi4)}};
  static const char *const joints[3] = {"P", "M", "Q"};
  for (int i = 0; i < 3; i++) {
    double at[2];
    pin_of(result.out, joints[i], at);
    cr_expect_lt(fabs(at[0] - a[0] - scale * expected[i][0]), 0.5, "%s", joints[i]);
    cr_expect_lt(fabs(at[1] - a[1] + scale * expected[i][1]), 0.5, "%s", joints[i]);
  }
  cr_expect_gt(scale, 100); /* half a pixel is below 5 mm */
  outcome_free(&result);
}

/* ---- Symbols ---- */

/* An element of each kind; where the tables get another one, this needs it too. */
static const char everything[] =
    "seam: 1\n"
    "bodies:\n"
    "  a: {rod: [[0, 0], [1, 0]], mass: 1}\n"
    "  b: {rod: [[1, 0], [2, 0]], mass: 1}\n"
    "  c: {mass: 1, inertia: 1, at: [3, 0]}\n"
    "  d: {mass: 1, inertia: 1, at: [3, 2]}\n"
    "  e: {mass: 1, inertia: 1, at: [0, 3], outline: [[0, 0], [1, 0], [0, 1]]}\n"
    "joints:\n"
    "  J1: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  J2: {type: fixed, bodies: [a, b], at: [1, 0]}\n"
    "  J3: {type: prismatic, bodies: [ground, c], at: [3, 0], axis: [1, 0]}\n"
    "  J4: {type: distance, bodies: [c, d], at: [[3, 0], [3, 2]]}\n"
    "  J5: {type: slot, bodies: [ground, d], at: [3, 2], axis: [0, 1]}\n"
    "  J6: {type: gear, bodies: [a, e], ratio: -2}\n"
    "  J7: {type: revolute, bodies: [ground, e], at: [0, 3]}\n"
    "  J8: {type: motion, of: x, body: c, law: 3 + t}\n"
    "  J9: {type: rack, bodies: [c, d], at: [3, 2], axis: [1, 0], radius: 0.5}\n"
    "  J10: {type: belt, bodies: [a, e], at: [[0, 0], [0, 3]], radii: [0.5, 0.8], crossed: true}\n"
    "  J11: {type: curve, bodies: [ground, b], curve: ring, at: [2, 0]}\n"
    "  J12: {type: rolling, bodies: [ground, e], at: [[0, 2], [0, 3]], axis: [1, 0], radius: 1}\n"
    "  J13: {type: skate, body: d, at: [3, 2], axis: [1, 0]}\n"
    "curves: {ring: {polar: 2}}\n"
    "forces:\n"
    "  F1: {type: viscous, bodies: [a, b], damping: [1, 1, 1]}\n"
    "  F2: {type: spring_damper, bodies: [ground, b], at: [[2, 2], [2, 0]], stiffness: 1, damping: 1}\n"
    "  F3: {type: torsion, bodies: [ground, a], stiffness: 1}\n"
    "  F4: {type: bushing, bodies: [b, c], at: [2.5, 0], stiffness: [1, 1, 1]}\n"
    "  F5: {type: force, body: d, x: t}\n"
    "  F6: {type: torque, body: e, torque: 1}\n"
    "  F7: {type: hydraulic_cylinder, bodies: [ground, e], at: [[-2, 3], [0, 3.5]], area: 1e-2, cylinder_length: 1,\n"
    "       discharge: 0.67, density: 850, pump: 1e6, tank: 1e5, bulk: [6.53e-10, -1.19e-18], valve_area: 1e-5,\n"
    "       spool: 0.5}\n"
    "  F8: {type: beam, bodies: [ground, c], at: [[5, 0], [3, 0]], axial_stiffness: 1, bending_stiffness: 1}\n"
    "  F9: {type: drag, body: d, density: 1.2, coefficient: 1, area: 0.3}\n"
    "  F10: {type: actuator, bodies: [ground, d], at: [[5, 2], [3, 2]], command: 10, lag: 0.1}\n"
    "  F11: {type: rotary_actuator, bodies: [ground, e], command: 10*t, lag: 0.1}\n"
    "  F12: {type: belt, bodies: [a, e], at: [[0, 0], [0, 3]], radii: [0.5, 0.8], stiffness: 10}\n"
    "  F13: {type: contact, bodies: [ground, d], at: [[3, 1], [3, 2]], line: [1, 0], radius: 0.8, stiffness: 10}\n"
    "  F14: {type: contact, bodies: [a, e], at: [[0, 0], [0, 3]], radii: [0.5, 0], stiffness: 10}\n"
    "  F15: {type: stop, of: angle, bodies: [ground, e], upper: 1, stiffness: 10}\n"
    "  F16: {type: stop, of: distance, bodies: [ground, d], at: [[5, 2], [3, 2]], lower: 1, stiffness: 10}\n"
    "  F17: {type: rope, bodies: [ground, c], at: [[5, 0], [3, 0]], stiffness: 10}\n"
    "  F18: {type: cable, bodies: [ground, a, ground], at: [[-2, 0], [0, 0], [2, 0]], radii: [0, 0.1, 0], stiffness: "
    "10}\n";

static void expect_symbol(const char *svg, const char *kind) {
  char title[64];
  snprintf(title, sizeof title, ": %s</title>", kind);
  cr_expect(has(svg, title), "no symbol of a %s", kind);
}

Test(draw, every_kind_of_element_has_a_symbol) {
  write_text("all.yaml", everything);
  outcome result = SEAM("draw", "all.yaml");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  for (int kind = 0; kind < MBS_JOINT_KINDS; kind++)
    expect_symbol(result.out, mbs_joint_kind_text((mbs_joint_kind)kind));
  for (int kind = 0; kind < MBS_FORCE_KINDS; kind++)
    expect_symbol(result.out, mbs_force_kind_text((mbs_force_kind)kind));
  expect_symbol(result.out, "body");
  outcome_free(&result);
}

static size_t count(const char *text, const char *part) {
  size_t n = 0;
  for (; (text = strstr(text, part)) != NULL; text++)
    n++;
  return n;
}

Test(draw, couplings_are_marked_and_subsystems_are_coloured) {
  outcome cut = SEAM("draw", "four_bar_bushing");
  outcome whole = SEAM("draw", "four_bar_bushing", "--whole");
  cr_expect_eq(count(cut.out, "class=\"cut\""), 2); /* the bushing, and the legend */
  cr_expect_eq(count(cut.out, "class=\"link s0\""), 3);
  cr_expect_eq(count(cut.out, "class=\"link s1\""), 3);
  cr_expect_eq(count(whole.out, "class=\"cut\""), 0);
  cr_expect_eq(count(whole.out, "class=\"link\""), 4);
  outcome_free(&cut);
  outcome_free(&whole);
}

Test(draw, names_are_text_of_xml) {
  write_text("m.yaml", "seam: 1\nname: a<b & c\nbodies: {b: {mass: 1, inertia: 1}}\n");
  outcome result = SEAM("draw", "m.yaml");
  cr_expect(xml_is_well_formed(result.out));
  cr_expect(has(result.out, "<title>a&lt;b &amp; c</title>"));
  outcome_free(&result);
}

Test(draw, what_cannot_be_assembled_is_drawn_as_the_file_places_it) {
  write_text("open.yaml", "seam: 1\nbodies:\n  a: {rod: [[0, 0], [1, 0]], mass: 1}\njoints:\n"
                          "  J: {type: revolute, bodies: [ground, a], at: {ground: [0, 0], a: [-0.5, 0]}}\n"
                          "  K: {type: revolute, bodies: [ground, a], at: {ground: [3, 0], a: [0.5, 0]}}\n");
  outcome result = SEAM("draw", "open.yaml", "-o", "open.svg");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "note: the mechanism cannot be assembled; bodies are drawn where the file places them"),
            "%s", result.err);
  char *svg = read_text("open.svg");
  cr_expect(xml_is_well_formed(svg));
  free(svg);
  outcome_free(&result);
}

Test(draw, bodies_on_one_another_are_drawn_apart_and_others_are_not) {
  outcome apart = SEAM("draw", "two_mass_oscillator");
  outcome together = SEAM("draw", "slider_crank");
  cr_expect(has(apart.out, ">bodies drawn apart</text>"));
  cr_expect_not(has(together.out, "drawn apart"));
  outcome_free(&apart);
  outcome_free(&together);
}

Test(draw, places_whose_squares_overflow_are_refused_by_name) {
  static const char *const commands[] = {"draw", "check", "animate", "run"};
  write_text("far.yaml", "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [1e300, 0]}\nsimulate: {end: 1}\n");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    outcome result = SEAM(commands[i], "far.yaml");
    cr_expect_eq(result.exit_status, 2, "%s", commands[i]);
    cr_expect(has(result.err, "far.yaml:3:3: error: body 'a': its place (1e+300, 0) is farther than 1e+100 m from the "
                              "origin: correct the place"),
              "%s", result.err);
    cr_expect_not(has(result.out, "nan"), "%s", commands[i]);
    outcome_free(&result);
  }
}

Test(draw, great_places_have_finite_numbers) {
  write_text("far.yaml", "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [1e100, 0]}\n"
                         "  b: {mass: 1, inertia: 1}\nforces:\n"
                         "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 1]], stiffness: 1}\n");
  outcome result = SEAM("draw", "far.yaml");
  cr_expect_eq(result.exit_status, 0);
  cr_expect_not(has(result.out, "nan") || has(result.out, "inf"), "%s", result.out);
  outcome_free(&result);
}
