/* Pictures as text: what is in them, and what is refused. That they are those of the command, python.pictures compares.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/drawing.h>

#define DISC                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "name: disc\n"                                                                                                       \
  "bodies: {disc: {mass: 1, inertia: 1, at: [0, 0]}, other: {mass: 1, inertia: 1, at: [1, 0]}}\n"

static seam_model_file *file;
static seam_error error;
static double t[] = {0, 1, 2};
static double q[] = {0, 0, 0, 1, 0, 0, 0.5, 0, 1, 1, 1, 0, 1, 0, 2, 1, 2, 0};

static void set_up(void) {
  cr_assert_eq(seam_model_file_parse("disc.yaml", DISC, strlen(DISC), NULL, 0, &file, &error), SEAM_OK, "%s",
               error.message);
}

static void tear_down(void) { seam_model_file_destroy(file); }

TestSuite(pictures, .init = set_up, .fini = tear_down);

static seam_motion motion(void) { return (seam_motion){.t = t, .q = q, .n = 3, .label = "a < b"}; }

static size_t count(const char *text, const char *part) {
  size_t n = 0;
  while ((text = strstr(text, part)) != NULL) {
    n++;
    text++;
  }
  return n;
}

Test(pictures, that_move) {
  char *text = NULL;
  const seam_motion shown = motion();
  cr_assert_eq(seam_animation_svg(file, &shown, &shown, false, NAN, &text, &error), SEAM_OK, "%s", error.message);
  cr_expect(strncmp(text, "<svg", 4) == 0 || strncmp(text, "<?xml", 5) == 0, "%.40s", text);
  cr_expect_geq(count(text, "<animateTransform"), 4); /* two bodies, twice */
  cr_expect(strstr(text, "a &lt; b") != NULL);
  cr_expect(strstr(text, "</svg>") != NULL);
  seam_text_free(text);
}

Test(pictures, that_stand) {
  char *text = NULL;
  cr_assert_eq(seam_drawing_svg(file, q, true, &text, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(count(text, "<animate"), 0);
  cr_expect(strstr(text, "other") != NULL);
  seam_text_free(text);
}

static void expect_refusal(const seam_motion *shown, double speed, const char *part) {
  char *text = NULL;
  cr_expect_eq(seam_animation_svg(file, shown, NULL, false, speed, &text, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, part) != NULL, "%s", error.message);
  cr_expect_null(text);
}

Test(pictures, that_cannot_be_made_are_refused) {
  const seam_motion whole = motion();
  seam_motion shown = whole;
  expect_refusal(NULL, 1, "is NULL");
  expect_refusal(&whole, 0, "speed");
  expect_refusal(&whole, INFINITY, "speed");
  shown.n = 1;
  expect_refusal(&shown, 1, "fewer than two rows");
  shown = whole;
  t[2] = 1;
  expect_refusal(&shown, 1, "the time of row 2 of the motion is not after that of the row before");
  t[2] = 2;
  q[9] = NAN;
  expect_refusal(&shown, 1, "'other' is farther than 1e+100 m at t = 1 s");
  char *text = NULL;
  q[4] = INFINITY;
  cr_expect_eq(seam_drawing_svg(file, q, true, &text, &error), SEAM_BAD_INPUT);
  cr_expect_eq(seam_drawing_svg(file, NULL, true, &text, &error), SEAM_BAD_INPUT);
}
