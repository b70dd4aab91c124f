/* `outline:` of bodies: what is read, and what is refused with place, cause and fix. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/models.h>

#include "tests/support/model_reader.h"

#define BODY(outline)                                                                                                  \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  b: {mass: 1, inertia: 1, outline: " outline "}\n"

static seam_model_file *read_body(const char *text) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_model_file_parse("text.yaml", text, strlen(text), NULL, 0, &file, &error), SEAM_OK, "%s",
               error.message);
  return file;
}

Test(outlines, a_polygon_is_closed_and_in_the_bodys_frame) {
  seam_model_file *file =
      read_body("seam: 1\nparameters: {h: 0.5}\nbodies:\n"
                "  b: {mass: 1, inertia: 1, at: [7, 8], angle: 1, outline: [[0, 0], [2*h, 0], [0, h]]}\n");
  cr_assert_eq(seam_model_n_outlines(file, 0), 1);
  const seam_outline *part = seam_model_outline(file, 0, 0);
  cr_assert_eq(part->n, 3);
  cr_expect(part->closed);
  cr_expect_eq(part->points[1][0], 1);
  cr_expect_eq(part->points[2][1], 0.5);
  seam_model_file_destroy(file);
}

Test(outlines, parts_are_kept_in_order) {
  seam_model_file *file =
      read_body(BODY("[{circle: 0.3, at: [1, 2]}, [[0, 0], [1, 0], [0, 1]], {line: [[0, 0], [1, 1]]}]"));
  cr_assert_eq(seam_model_n_outlines(file, 0), 3);
  const seam_outline *circle = seam_model_outline(file, 0, 0);
  cr_expect_null(circle->points);
  cr_expect_eq(circle->radius, 0.3);
  cr_expect_eq(circle->center[1], 2);
  cr_expect(seam_model_outline(file, 0, 1)->closed);
  cr_expect_not(seam_model_outline(file, 0, 2)->closed);
  cr_expect_null(seam_model_outline(file, 0, 3));
  seam_model_file_destroy(file);
}

Test(outlines, an_open_line_may_cross_itself) {
  seam_model_file *file = read_body(BODY("{line: [[0, 0], [1, 1], [1, 0], [0, 1]]}"));
  cr_expect_eq(seam_model_outline(file, 0, 0)->n, 4);
  seam_model_file_destroy(file);
}

Test(outlines, only_rods_have_a_length) {
  seam_model_file *file =
      read_body("seam: 1\nbodies:\n  r: {rod: [[0, 0], [3, 4]], mass: 1}\n  b: {mass: 1, inertia: 1}\n");
  cr_expect_eq(seam_model_rod_length(file, 0), 5);
  cr_expect(isnan(seam_model_rod_length(file, 1)));
  cr_expect(isnan(seam_model_rod_length(file, 2)));
  cr_expect_eq(seam_model_n_outlines(file, 0), 0);
  cr_expect_eq(seam_model_n_outlines(NULL, 0), 0);
  seam_model_file_destroy(file);
}

/* A test that an outline is refused with exactly `message`. */
#define REFUSED(name, outline, message)                                                                                \
  Test(refused_outlines, name) { expect_refused(BODY(outline), message); }

#define FORMS "write [[x, y], [x, y], [x, y], ...], {line: [[x, y], [x, y], ...]} or {circle: r}"

REFUSED(crossing, "[[0, 0], [1, 1], [1, 0], [0, 1]]",
        "text.yaml:3:37: error: the outline of body 'b' crosses itself: its edges from point 1 and from point 3 meet\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [1, 1], [1, 0], [0, 1]]}\n"
        "                                    ^\n"
        "go around the body once, or write {line: [...]} for an open line")

REFUSED(point_on_an_edge, "[[0, 0], [2, 0], [2, 1], [1, 0], [0, 1]]",
        "text.yaml:3:37: error: the outline of body 'b' crosses itself: its edges from point 1 and from point 3 meet\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [2, 0], [2, 1], [1, 0], [0, 1]]}\n"
        "                                    ^\n"
        "go around the body once, or write {line: [...]} for an open line")

REFUSED(turning_back, "[[0, 0], [2, 0], [1, 0]]",
        "text.yaml:3:37: error: the outline of body 'b' turns back on itself at point 2\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [2, 0], [1, 0]]}\n"
        "                                    ^\n"
        "go around the body once, point by point")

REFUSED(closed_by_hand, "[[0, 0], [2, 0], [1, 1], [0, 0]]",
        "text.yaml:3:37: error: the outline of body 'b' closes by itself, but its last point repeats the first\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [2, 0], [1, 1], [0, 0]]}\n"
        "                                    ^\n"
        "remove the last point")

REFUSED(two_points, "[[0, 0], [2, 0]]",
        "text.yaml:3:37: error: a polygon of the outline of body 'b' needs at least 3 points, but has 2\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [2, 0]]}\n"
        "                                    ^\n" FORMS)

REFUSED(line_of_one_point, "{line: [[0, 0]]}",
        "text.yaml:3:44: error: a line of the outline of body 'b' needs at least 2 points, but has 1\n"
        "  b: {mass: 1, inertia: 1, outline: {line: [[0, 0]]}}\n"
        "                                           ^\n" FORMS)

REFUSED(not_a_number, "[[0, 0], [.nan, 0], [1, 1]]",
        "text.yaml:3:47: error: 'an entry' in body 'b' must be a finite number\n"
        "  b: {mass: 1, inertia: 1, outline: [[0, 0], [.nan, 0], [1, 1]]}\n"
        "                                              ^")

REFUSED(circle_without_size, "{circle: 0}",
        "text.yaml:3:46: error: 'circle' in body 'b' must be positive, but is 0\n"
        "  b: {mass: 1, inertia: 1, outline: {circle: 0}}\n"
        "                                             ^")

REFUSED(line_and_circle, "{circle: 1, line: [[0, 0], [1, 1]]}",
        "text.yaml:3:37: error: an outline of body 'b' must have one of 'line' and 'circle'\n"
        "  b: {mass: 1, inertia: 1, outline: {circle: 1, line: [[0, 0], [1, 1]]}}\n"
        "                                    ^\n" FORMS)

REFUSED(text, "round",
        "text.yaml:3:37: error: the outline of body 'b' must be a list or a map, but is a number or text\n"
        "  b: {mass: 1, inertia: 1, outline: round}\n"
        "                                    ^\n" FORMS)

REFUSED(far_away, "{circle: 1, at: [0, -1e101]}",
        "text.yaml:3:53: error: the outline of body 'b' goes farther than 1e+100 m\n"
        "  b: {mass: 1, inertia: 1, outline: {circle: 1, at: [0, -1e101]}}\n"
        "                                                    ^\n"
        "outlines are in m")
