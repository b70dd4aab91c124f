/* Runs of <seam/runs.h>: rows are those of a plain integration, restored runs go on to the bit, verdicts say no, sinks
 * and callbacks end runs, misuse is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/runs.h>

#include "base/json.h"
#include "tests/support/misuse.h"

/* ---- A run, and what it gives ---- */

enum { MAX_ROWS = 4000, MAX_COLUMNS = 40, MAX_LABELS = 20 };

typedef struct given {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
  mbs_assembly report;
  cosim_simulation *simulation;
  seam_run *run;
  seam_run_sink sink;
  size_t n[SEAM_N_RUN_TABLES];
  double (*rows)[MAX_COLUMNS]; /* of the trajectory */
  char labels[MAX_LABELS][64]; /* of events */
  size_t refused_row;          /* the sink refuses this one of the trajectory; 0: none */
  double interrupted, saved;   /* s, from when on; NaN: never */
  void *image;                 /* (size) of the run, saved once */
  size_t size;
  char note[512]; /* the last one */
  seam_error error;
} given;

static seam_status take(void *context, seam_run_table table, const double *row, const seam_run_label *label,
                        seam_error *error) {
  given *g = context;
  const size_t at = g->n[table]++;
  if (table == SEAM_TRAJECTORY_TABLE) {
    if (at > 0 && at == g->refused_row)
      return seam_fail(error, SEAM_NO_FILE, "the sink is full");
    cr_assert_lt(at, MAX_ROWS);
    memcpy(g->rows[at], row, seam_table_n_columns(seam_run_columns(g->run, table)) * sizeof *row);
  }
  cr_expect_eq(label != NULL, table == SEAM_EVENTS_TABLE);
  if (label != NULL && at < MAX_LABELS)
    snprintf(g->labels[at], sizeof *g->labels, "%s %s", label->event, label->direction);
  return SEAM_OK;
}

static seam_status rest(void *context, double t, seam_error *error) {
  given *g = context;
  if (g->image != NULL || !(t >= g->saved))
    return SEAM_OK;
  g->size = seam_run_image_size(g->run);
  g->image = malloc(g->size);
  return seam_run_save(g->run, g->image, error);
}

static void keep_note(void *context, const char *note) {
  given *g = context;
  snprintf(g->note, sizeof g->note, "%s", note);
}

static bool is_interrupted(void *context, double t) { return t >= ((given *)context)->interrupted; }

static given begin(const char *text, const char *const *overrides, bool is_cut) {
  given g = {.interrupted = NAN, .saved = NAN, .rows = calloc(MAX_ROWS, sizeof *g.rows)};
  size_t n = 0;
  while (overrides != NULL && overrides[n] != NULL)
    n++;
  cr_assert_eq(seam_model_file_parse("test", text, strlen(text), overrides, n, &g.file, &g.error), SEAM_OK, "%s",
               g.error.message);
  g.model = seam_model_mechanism(g.file);
  cr_assert_eq(mbs_workspace_create(g.model, &g.workspace, &g.error), SEAM_OK);
  cr_assert_eq(mbs_state_create(g.model, &g.state, &g.error), SEAM_OK);
  cr_assert_eq(mbs_assemble(g.workspace, g.state, &g.report, NULL, &g.error), SEAM_OK, "%s", g.error.message);
  if (is_cut)
    cr_assert_eq(cosim_create(seam_model_cosim(g.file), &g.simulation, &g.error), SEAM_OK, "%s", g.error.message);
  return g;
}

static seam_run_def definition(given *g) {
  return (seam_run_def){.file = g->file,
                        .model = g->model,
                        .workspace = g->workspace,
                        .state = g->state,
                        .assembly = &g->report,
                        .simulation = g->simulation,
                        .builder = seam_model_cosim(g->file)};
}

/* `g` must not move from here on. */
static void create(given *g) {
  const seam_run_def def = definition(g);
  cr_assert_eq(seam_run_create(&def, &g->run, &g->error), SEAM_OK, "%s", g->error.message);
  g->sink = (seam_run_sink){g, take, rest, {is_interrupted, g}, keep_note};
}

static seam_status carry_out(given *g) {
  if (g->run == NULL)
    create(g);
  return seam_run_carry_out(g->run, &g->sink, &g->error);
}

static void end(given *g) {
  seam_run_destroy(g->run);
  cosim_destroy(g->simulation);
  mbs_state_destroy(g->state);
  mbs_workspace_destroy(g->workspace);
  seam_model_file_destroy(g->file);
  free(g->image);
  free(g->rows);
}

static const char *text_of(const char *entry) { return seam_catalogue_text(entry); }

static const char *const short_run[] = {"simulate.end=1", "simulate.output_step=0.03", NULL};

static const char ball[] = "seam: 1\n"
                           "name: ball\n"
                           "gravity: [0, -9.81]\n"
                           "bodies: {ball: {mass: 1, inertia: 1, at: [0, 2]}}\n"
                           "events: {low: ball.y - 1}\n"
                           "stop: ball.y < 0\n"
                           "simulate: {end: 5, output_step: 0.1}\n";

/* ---- Rows ---- */

Test(runs, rows_are_those_of_a_plain_integration) {
  given g = begin(text_of("double_pendulum"), short_run, false);
  mbs_state *state = NULL;
  mbs_integrator *integrator = NULL;
  const mbs_integrator_options *options = &seam_model_simulation(g.file)->integrator;
  cr_assert_eq(mbs_state_create(g.model, &state, NULL), SEAM_OK);
  mbs_state_copy(state, g.state);
  cr_assert_eq(carry_out(&g), SEAM_OK, "%s", g.error.message);
  cr_assert_eq(g.n[SEAM_TRAJECTORY_TABLE], 35);
  cr_assert_eq(mbs_integrator_create(g.model, options, &integrator, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, NULL), SEAM_OK);
  mbs_integrator_set_stop(integrator, 1);
  const seam_table *columns = seam_run_columns(g.run, SEAM_TRAJECTORY_TABLE);
  for (size_t row = 0; row <= 34; row++) {
    double expected[MAX_COLUMNS];
    const double t = row < 34 ? 0.03 * (double)row : 1;
    cr_assert_eq(mbs_integrator_advance(integrator, t, state, NULL), SEAM_OK);
    cr_assert_eq(seam_trajectory_row(columns, g.workspace, state, expected, NULL), SEAM_OK);
    cr_expect_arr_eq(g.rows[row], expected, seam_table_n_columns(columns) * sizeof *expected, "row %zu", row);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  end(&g);
}

/* Free fall: y = 2 - 9.81 t²/2 in every row; the ball passes 1 and stops the run at 0. */
Test(runs, events_have_rows_and_end_the_run) {
  given g = begin(ball, NULL, false);
  cr_assert_eq(carry_out(&g), SEAM_OK, "%s", g.error.message);
  const size_t y = seam_table_find(seam_run_columns(g.run, SEAM_TRAJECTORY_TABLE), "ball.y");
  for (size_t row = 0; row < g.n[SEAM_TRAJECTORY_TABLE]; row++)
    cr_expect_float_eq(g.rows[row][y], 2 - 9.81 * g.rows[row][0] * g.rows[row][0] / 2, 1e-12);
  const seam_run_facts facts = seam_run_facts_of(g.run);
  cr_assert_not_null(facts.ended);
  cr_expect_str_eq(mbs_event_of(g.model, facts.ended->number).name, "stop");
  cr_expect_float_eq(facts.time, sqrt(2 * 2 / 9.81), 1e-10);
  cr_expect_eq(g.n[SEAM_EVENTS_TABLE], 2);
  cr_expect_str_eq(g.labels[0], "low falling");
  cr_expect_eq(facts.rows, g.n[SEAM_TRAJECTORY_TABLE]);
  end(&g);
}

/* Each macro step seen by itself gives what a run that takes itself on gives. */
Test(runs, macro_points_that_are_seen_give_the_same_rows) {
  static const char *const overrides[] = {"simulate.end=0.1", "simulate.output_step=0.0007", NULL};
  given own = begin(text_of("four_bar_bushing"), overrides, true);
  given seen = begin(text_of("four_bar_bushing"), overrides, true);
  cr_assert_eq(carry_out(&own), SEAM_OK, "%s", own.error.message);

  const double H = cosim_builder_definition(seam_model_cosim(seen.file))->options.macro_step;
  cosim_simulation *simulation = seen.simulation;
  cr_assert_eq(cosim_start(simulation, seen.state, NULL), SEAM_OK);
  seam_run_def def = definition(&seen);
  def.simulation = NULL;
  def.seen = simulation;
  cr_assert_eq(seam_run_create(&def, &seen.run, &seen.error), SEAM_OK, "%s", seen.error.message);
  seen.sink = (seam_run_sink){&seen, take, NULL, {NULL, NULL}, NULL};
  const size_t n = (size_t)round(0.1 / H);
  for (size_t k = 0; k <= n; k++) {
    cr_assert_eq(k == 0 ? SEAM_OK : cosim_advance_smooth(simulation, H, H, NULL), SEAM_OK);
    cr_assert_eq(seam_run_see(seen.run, &seen.sink, (double)k * 0.1 / (double)n, NULL), SEAM_OK);
  }
  cr_expect_eq(own.n[SEAM_TRAJECTORY_TABLE], 144);
  cr_expect_arr_eq(own.n, seen.n, sizeof own.n);
  cr_expect_arr_eq(own.rows, seen.rows, 144 * sizeof *own.rows);
  end(&own);
  end(&seen);
}

/* ---- Ends ---- */

Test(runs, a_sink_that_refuses_a_row_ends_the_run_with_its_status) {
  given g = begin(text_of("double_pendulum"), short_run, false);
  g.refused_row = 10;
  cr_expect_eq(carry_out(&g), SEAM_NO_FILE);
  cr_expect_str_eq(g.error.message, "the sink is full");
  cr_expect_eq(g.n[SEAM_TRAJECTORY_TABLE], 11, "no row is given to a sink that failed");
  cr_expect_eq(seam_run_facts_of(g.run).rows, 10);
  end(&g);
}

static void expect_interrupted(bool is_cut) {
  given g = begin(text_of("double_pendulum"), short_run, is_cut);
  g.interrupted = 0.5;
  cr_expect_eq(carry_out(&g), SEAM_INTERRUPTED);
  const seam_run_facts facts = seam_run_facts_of(g.run);
  cr_expect_eq(seam_run_conclude(g.run, &g.error), SEAM_INTERRUPTED, "a verdict does not hide it");
  cr_expect_lt(facts.time, 0.75);
  cr_expect_geq(facts.time, 0.5);
  if (!is_cut)
    cr_expect_eq(g.rows[g.n[SEAM_TRAJECTORY_TABLE] - 1][0], facts.time, "what was reached has a row");
  end(&g);
}

Test(runs, a_run_that_is_interrupted_says_so) {
  expect_interrupted(false);
  expect_interrupted(true);
}

/* A wheel begins below the road, which is solid there, or rests on it. */
Test(runs, a_contact_that_begins_deep_is_noted) {
  static const char wheel[] = "seam: 1\nname: wheel\ngravity: [0, -10]\n"
                              "parameters: {y: 0}\n"
                              "curves: {road: {points: [[-5, 0], [0, 0.1], [5, 0]], interpolation: spline}}\n"
                              "bodies: {w: {mass: 1, inertia: 0.1, at: [0.3, y]}}\n"
                              "forces: {tyre: {type: contact, bodies: [ground, w], curve: road, at: {w: [0, 0]}, "
                              "radius: 0.3, stiffness: 1e4}}\n"
                              "simulate: {end: 0.1, output_step: 0.01}\n";
  given rests = begin(wheel, (const char *const[]){"parameters.y=0.39", NULL}, false);
  cr_assert_eq(carry_out(&rests), SEAM_OK, "%s", rests.error.message);
  cr_expect_str_eq(rests.note, "");
  end(&rests);
  given deep = begin(wheel, (const char *const[]){"parameters.y=-0.4", NULL}, false);
  cr_assert_eq(carry_out(&deep), SEAM_OK, "%s", deep.error.message);
  cr_expect_eq(strncmp(deep.note, "contact 'tyre' begins with a penetration of 0.8 m, which stores ", 64), 0, "%s",
               deep.note);
  end(&deep);
}

/* A block on three points, which rest on the floor: the third one's force is a choice. */
Test(runs, forces_that_the_motion_does_not_determine_are_noted_once) {
  static const char block[] = "seam: 1\nname: block\ngravity: [0, -10]\nparameters: {n: 1}\n"
                              "bodies: {b: {mass: 1, inertia: 0.1, at: [0, 0.1]}}\n"
                              "repeat:\n  - for: {i: [-n, 1]}\n    forces: {\"c{i+n}\": {type: contact, hard: true, "
                              "bodies: [ground, b], at: {ground: [0, 0], b: [i, -0.1]}, line: [1, 0], radius: 0}}\n"
                              "simulate: {end: 0.1, output_step: 0.01}\n";
  given two = begin(block, (const char *const[]){"parameters.n=0", NULL}, false);
  seam_set_note_handler(keep_note, &two);
  cr_assert_eq(carry_out(&two), SEAM_OK, "%s", two.error.message);
  cr_expect_eq(seam_run_facts_of(two.run).n_undetermined, 0);
  cr_expect_str_eq(two.note, "");
  end(&two);
  given three = begin(block, NULL, false);
  seam_set_note_handler(keep_note, &three);
  cr_assert_eq(carry_out(&three), SEAM_OK, "%s", three.error.message);
  cr_expect_eq(seam_run_facts_of(three.run).n_undetermined, 3);
  cr_expect_str_eq(three.note, "t = 0 s: the motion does not determine the forces of contact 'c0' and others: those "
                               "of least norm are given");
  seam_set_note_handler(NULL, NULL);
  end(&three);
}

/* ---- Verdicts ---- */

static seam_status verdict_of(const char *const *overrides, given *g) {
  *g = begin(text_of("double_pendulum"), overrides, false);
  cr_assert_eq(carry_out(g), SEAM_OK, "%s", g->error.message);
  cr_assert_eq(seam_run_find_error(g->run, NULL, &g->error), SEAM_OK, "%s", g->error.message);
  return seam_run_conclude(g->run, &g->error);
}

Test(runs, a_run_is_accurate_or_wrong) {
  static const char *const coarse[] = {"simulate.end=2", "simulate.integrator=euler", "simulate.step=0.02", NULL};
  given g;
  cr_expect_eq(verdict_of(short_run, &g), SEAM_OK, "%s", g.error.message);
  cr_expect_eq(seam_run_facts_of(g.run).verdict->word, SEAM_WORD_ACCURATE);
  end(&g);
  cr_expect_eq(verdict_of(coarse, &g), SEAM_WRONG);
  const seam_run_facts facts = seam_run_facts_of(g.run);
  cr_expect_gt(facts.verdict->error.of_travel, facts.verdict->bounds.rough);
  cr_expect_eq(facts.verdict->error.by, SEAM_TRUTH_INTEGRATOR);
  cr_expect_eq(facts.exit_status, 3);
  cr_expect_str_eq(facts.message, g.error.message);
  end(&g);
}

/* ---- Images ---- */

static void expect_same_end(const char *entry, const char *const *overrides, bool is_cut) {
  given whole = begin(text_of(entry), overrides, is_cut);
  whole.saved = 0.4;
  cr_assert_eq(carry_out(&whole), SEAM_OK, "%s", whole.error.message);
  cr_assert_not_null(whole.image);
  cr_assert_eq(seam_run_conclude(whole.run, &whole.error), SEAM_OK, "%s", whole.error.message);

  given again = begin(text_of(entry), overrides, is_cut);
  create(&again);
  cr_assert_eq(seam_run_restore(again.run, whole.image, whole.size, &again.error), SEAM_OK, "%s", again.error.message);
  cr_assert_eq(carry_out(&again), SEAM_OK, "%s", again.error.message);
  cr_assert_eq(seam_run_conclude(again.run, &again.error), SEAM_OK);

  const size_t n = again.n[SEAM_TRAJECTORY_TABLE];
  const size_t first = whole.n[SEAM_TRAJECTORY_TABLE] - n;
  cr_expect(n > 0 && first > 0);
  cr_expect_arr_eq(whole.rows[first], again.rows, n * sizeof *again.rows, "%s", entry);
  const seam_run_facts a = seam_run_facts_of(whole.run);
  const seam_run_facts b = seam_run_facts_of(again.run);
  cr_expect_eq(a.rows, b.rows);
  cr_expect_arr_eq(a.verdict, b.verdict, sizeof *a.verdict);
  end(&whole);
  end(&again);
}

Test(runs, a_restored_run_goes_on_to_the_bit) {
  static const char *const by_ida[] = {"simulate.end=1", "simulate.output_step=0.03", "simulate.integrator=ida", NULL};
  expect_same_end("double_pendulum", short_run, false);
  expect_same_end("double_pendulum", by_ida, false);
  expect_same_end("double_pendulum", short_run, true);
  expect_same_end("four_bar_bushing", short_run, true);
  expect_same_end("hard_bouncing_ball", short_run, false);
}

static void expect_refused_image(const char *entry, const void *image, size_t size) {
  given g = begin(text_of(entry), short_run, false);
  create(&g);
  cr_expect_eq(seam_run_restore(g.run, image, size, &g.error), SEAM_BAD_STATE, "%zu bytes", size);
  end(&g);
}

Test(runs, images_that_are_damaged_or_of_another_model_are_refused) {
  given g = begin(text_of("double_pendulum"), short_run, false);
  g.saved = 0.4;
  cr_assert_eq(carry_out(&g), SEAM_OK);
  for (size_t size = 0; size < g.size; size += g.size / 100)
    expect_refused_image("double_pendulum", g.image, size);
  expect_refused_image("four_bar_bushing", g.image, g.size);
  uint64_t *words = g.image;
  for (size_t i = 0; i < 5; i++) { /* sizes of blocks, the next row */
    const uint64_t kept = words[i];
    words[i] = UINT64_MAX - 7;
    expect_refused_image("double_pendulum", g.image, g.size);
    words[i] = kept;
  }
  end(&g);
}

/* ---- Summaries ---- */

Test(runs, a_summary_is_json_with_what_the_run_and_its_caller_know) {
  static const char *const overrides[] = {"a=\"b\"", "c=\n"};
  given g = begin(ball, NULL, false);
  cr_assert_eq(carry_out(&g), SEAM_OK);
  cr_assert_eq(seam_run_conclude(g.run, &g.error), SEAM_OK, "%s", g.error.message);
  seam_run_facts facts = seam_run_facts_of(g.run);
  facts.overrides = overrides;
  facts.n_overrides = 2;
  facts.wall = 3;
  char *text = NULL;
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  cr_assert_eq(seam_run_summary(&facts, &text, &g.error), SEAM_OK);
  cr_assert(json_parse(text, &memory, &root, &failure), "%s", failure.what);
  cr_expect_str_eq(json_text(json_get(root, "verdict"), "status"), "done");
  cr_expect_eq(json_value(json_get(root, "verdict"), "rows"), (double)facts.rows);
  cr_expect_str_eq(json_text(json_get(root, "ended"), "event"), "stop");
  cr_expect_eq(json_value(json_get(json_get(root, "events"), "low"), "count"), 1);
  cr_expect_eq(json_value(json_get(root, "statistics"), "wall_s"), 3);
  cr_expect_str_eq(json_get(root, "overrides")->first->text, overrides[0]);
  cr_expect_null(json_get(root, "arguments"), "there was no command line");
  cr_expect_null(json_get(root, "cosim"));
  cr_expect_str_eq(json_text(json_get(root, "model"), "name"), "ball");
  arena_release(&memory);
  seam_text_free(text);
  end(&g);
}

/* ---- Misuse ---- */

Test(runs, misuse_is_refused) {
  given g = begin(text_of("double_pendulum"), short_run, true);
  seam_error *error = &g.error;
  seam_run_def def = definition(&g);
  seam_run *run = NULL;
  expect_refused(seam_run_create(NULL, &run, error), SEAM_BAD_INPUT, "def", error);
  def.builder = NULL;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "builder", error);
  def = definition(&g);
  def.end = 0.01;
  g.state->t = 0.5;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "would begin at t = 0.5 s and end at 0.01 s",
                 error);
  g.state->t = 0;
  def.end = 1e15;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "more than 1e+09 rows", error);
  def.end = -1;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "would begin at t = 0 s and end at -1 s", error);
  def.end = NAN;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "gives no end time", error);
  def = definition(&g);
  def.output_step = -0.1;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "the output step is -0.1 s", error);
  def = definition(&g);
  def.macro_step = -1e-3;
  expect_refused(seam_run_create(&def, &run, error), SEAM_BAD_INPUT, "the macro step -0.001 s", error);
  create(&g);
  expect_refused(seam_run_choose_columns(g.run, "nothing.x", error), SEAM_BAD_INPUT, "nothing.x", error);
  expect_refused(seam_run_see(g.run, &g.sink, 0, error), SEAM_BAD_INPUT, "seam_run_carry_out()", error);
  cr_expect_null(seam_run_columns(g.run, SEAM_N_RUN_TABLES));
  cr_expect_null(seam_run_table_name(SEAM_N_RUN_TABLES));
  cr_expect_null(seam_start_coordinate(6));
  seam_run_destroy(NULL);
  end(&g);
}

Test(runs, a_run_is_carried_out_once) {
  given g = begin(text_of("double_pendulum"), short_run, false);
  cr_assert_eq(carry_out(&g), SEAM_OK);
  expect_refused(carry_out(&g), SEAM_BAD_INPUT, "create another run", &g.error);
  end(&g);
}
