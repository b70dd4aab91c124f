/* Where an event ends a run. */
#include <criterion/criterion.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

static const char ball[] = "seam: 1\n"
                           "name: ball\n"
                           "gravity: [0, -10]\n"
                           "bodies: {ball: {mass: 1, inertia: 1, at: [0, 5]}}\n"
                           "events:\n"
                           "  passes: {when: ball.y - 4, stop: false}\n"
                           "  lands: {when: ball.y, stop: true}\n"
                           "simulate: {end: 3}\n";

typedef struct falling {
  seam_model_file *file;
  const mbs_model *model;
  mbs_state *state;
  mbs_workspace *workspace;
} falling;

static falling fall(const char *text) {
  falling made = {0};
  seam_error error = {0};
  cr_assert_eq(seam_model_file_parse("ball", text, strlen(text), NULL, 0, &made.file, &error), SEAM_OK, "%s",
               error.message);
  made.model = seam_model_mechanism(made.file);
  cr_assert_eq(mbs_state_create(made.model, &made.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_workspace_create(made.model, &made.workspace, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(made.workspace, made.state, NULL, NULL, NULL), SEAM_OK);
  return made;
}

static void drop(falling *made) {
  mbs_workspace_destroy(made->workspace);
  mbs_state_destroy(made->state);
  seam_model_file_destroy(made->file);
}

static bool stop(void *context, double t) {
  (void)context;
  (void)t;
  return true;
}

Test(stops, a_run_ends_where_its_first_event_that_stops_happens) {
  falling made = fall(ball);
  const mbs_integrator_options options = mbs_default_integrator_options();
  mbs_event event;
  cr_expect(seam_has_stops(made.model));
  cr_assert_eq(seam_find_stop(made.model, made.state, &options, NULL, 3, &event, NULL), SEAM_OK);
  cr_expect_str_eq(mbs_event_of(made.model, event.number).name, "lands");
  cr_expect_float_eq(event.time, 1, 1e-9);
  cr_expect_eq(made.state->q[1], 5);
  cr_assert_eq(seam_find_stop(made.model, made.state, &options, NULL, 0.5, &event, NULL), SEAM_OK);
  cr_expect_eq(event.number, SEAM_NONE);
  cr_expect_eq(event.time, 0.5);
  drop(&made);
}

Test(stops, a_search_is_interrupted) {
  falling made = fall(ball);
  const mbs_integrator_options options = mbs_default_integrator_options();
  const seam_interrupt interrupt = {.is_requested = stop};
  mbs_event event;
  cr_expect_eq(seam_find_stop(made.model, made.state, &options, &interrupt, 3, &event, NULL), SEAM_INTERRUPTED);
  drop(&made);
}

Test(stops, without_such_an_event_there_is_nothing_to_find) {
  falling made = fall("seam: 1\nname: ball\nbodies: {ball: {mass: 1, inertia: 1}}\n");
  const mbs_integrator_options options = mbs_default_integrator_options();
  mbs_event event;
  cr_expect_not(seam_has_stops(made.model));
  cr_expect_not(seam_has_stops(NULL));
  cr_assert_eq(seam_find_stop(made.model, made.state, &options, NULL, 2, &event, NULL), SEAM_OK);
  cr_expect_eq(event.time, 2);
  cr_expect_eq(seam_find_stop(NULL, made.state, &options, NULL, 2, &event, NULL), SEAM_BAD_INPUT);
  drop(&made);
}
