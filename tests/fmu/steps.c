/* Steps of one FMU: closed forms, repetition, states, refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "tests/support/fmu_host.h"

static const char cart[] = "seam: 1\n"
                           "name: cart\n"
                           "parameters: {m: 2}\n"
                           "bodies: {cart: {mass: m, inertia: 1, at: [0, 0]}}\n"
                           "forces: {push: {type: force, body: cart, at: [0, 0], x: thrust, y: 0}}\n"
                           "fmu:\n"
                           "  inputs: {thrust: {start: 3, unit: N}}\n"
                           "  outputs: [cart.x, cart.vx, cart.ax, push.fx, energy.kinetic]\n"
                           "  parameters: [m]\n"
                           "simulate: {end: 1}\n";

static fmi2_status step_2(const fmu_host *host, fmi2_component instance, double t, double H) {
  return host->fmi2.DoStep(instance, t, H, FMI2_FALSE);
}

/* ---- Inputs ---- */

Test(steps, a_law_reads_an_input_with_its_derivatives) {
  const fmu_host host = fmu_host_open(cart, NULL, NULL, 2);
  fmi2_component instance = fmu_start_2(&host);
  const unsigned thrust = fmu_reference(&host, "thrust");
  const int orders[2] = {1, 2};
  const double rates[2] = {4, 6};
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.ax"), 1.5, 1e-14);
  for (int k = 0; k < 2; k++)
    cr_assert_eq(host.fmi2.SetRealInputDerivatives(instance, &thrust, 1, &orders[k], &rates[k]), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0, 0.5), FMI2_OK);
  /* m x'' = 3 + 4 t + 3 t² */
  const double t = 0.5;
  const double expected = (3 * t * t / 2 + 4 * t * t * t / 6 + 3 * t * t * t * t / 12) / 2;
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.x"), expected, 1e-12);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.ax"), (3 + 4 * t + 3 * t * t) / 2, 1e-12);
  cr_assert_float_eq(fmu_get_2(&host, instance, "push.fx"), 3 + 4 * t + 3 * t * t, 1e-12);
  /* Derivatives are those of one step: then the input stays where it has come to. */
  double v = fmu_get_2(&host, instance, "cart.vx");
  cr_assert_eq(step_2(&host, instance, t, 0.25), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.vx"), v + (3 + 4 * t + 3 * t * t) / 2 * 0.25, 1e-12);
  /* A slope that is set later comes without the curvature of the first step. */
  const double slope = -2;
  v = fmu_get_2(&host, instance, "cart.vx");
  cr_assert_eq(host.fmi2.SetRealInputDerivatives(instance, &thrust, 1, orders, &slope), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0.75, 0.25), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.vx"),
                     v + ((3 + 4 * t + 3 * t * t) * 0.25 + slope * 0.25 * 0.25 / 2) / 2, 1e-12);
  cr_assert_float_eq(fmu_get_2(&host, instance, "energy.kinetic"), pow(fmu_get_2(&host, instance, "cart.vx"), 2),
                     1e-12);
  host.fmi2.FreeInstance(instance);
  fmu_host host_again = host;
  fmu_host_close(&host_again);
}

Test(steps, parameters_make_another_mechanism_before_the_start) {
  fmu_host host = fmu_host_open(cart, NULL, NULL, 2);
  fmi2_component instance = fmu_start_2(&host);
  cr_assert_eq(host.fmi2.Reset(instance), FMI2_OK);
  fmu_set_2(&host, instance, "parameters.m", 0.5);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.ax"), 6, 1e-14);
  fmu_set_2(&host, instance, "thrust", 1);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0, 1), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.x"), 1, 1e-12);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

Test(steps, a_whole_mechanism_keeps_its_energy) {
  fmu_host host =
      fmu_host_open(seam_catalogue_text("double_pendulum"), (const char *const[]){"parameters.d=0", NULL}, NULL, 2);
  fmi2_component instance = fmu_start_2(&host);
  const double energy = fmu_get_2(&host, instance, "energy.total");
  for (int n = 0; n < 100; n++)
    cr_assert_eq(step_2(&host, instance, 0.01 * n, 0.01), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "energy.total"), energy, 1e-7 * (1 + fabs(energy)));
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

/* ---- Derivatives ---- */

static double directional(const fmu_host *host, fmi2_component instance, const char *unknown, const char *known) {
  const unsigned of = fmu_reference(host, unknown);
  const unsigned by = fmu_reference(host, known);
  const double seed = 2;
  double value = 0;
  cr_assert_eq(host->fmi2.GetDirectionalDerivative(instance, &of, 1, &by, 1, &seed, &value), FMI2_OK);
  return value / 2;
}

Test(steps, directional_derivatives_are_those_of_the_equations_of_motion) {
  fmu_host host = fmu_host_open(cart, NULL, NULL, 2);
  fmi2_component instance = fmu_start_2(&host);
  cr_assert_float_eq(directional(&host, instance, "cart.ax", "thrust"), 0.5, 1e-9);
  cr_assert_eq(directional(&host, instance, "cart.x", "thrust"), 0);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
  /* Of a bar that hangs on a bar: the same as a difference of accelerations. */
  host = fmu_host_open(seam_catalogue_text("four_bar_bushing"), NULL, "left", 2);
  instance = fmu_start_2(&host);
  const double exact = directional(&host, instance, "M.ay", "M.fx");
  const double spin = directional(&host, instance, "M.alpha", "M.torque");
  cr_assert_eq(host.fmi2.Reset(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  const double before[2] = {fmu_get_2(&host, instance, "M.ay"), fmu_get_2(&host, instance, "M.alpha")};
  fmu_set_2(&host, instance, "M.fx", 1);
  const double after = fmu_get_2(&host, instance, "M.ay");
  fmu_set_2(&host, instance, "M.fx", 0);
  fmu_set_2(&host, instance, "M.torque", 1);
  cr_assert_float_eq(exact, after - before[0], 1e-12);
  cr_assert_float_eq(spin, fmu_get_2(&host, instance, "M.alpha") - before[1], 1e-11);
  cr_assert_gt(fabs(exact), 1e-3);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

/* ---- States ---- */

enum { N_STEPS = 20 };

static void run_steps(const fmu_host *host, fmi2_component instance, int from, double *end) {
  static const char *const read[] = {"M.x", "M.vy", "M.alpha"};
  for (int n = from; n < from + N_STEPS; n++) {
    fmu_set_2(host, instance, "M.fx", sin(0.1 * n));
    fmu_set_2(host, instance, "M.torque", 0.01 * n);
    cr_assert_eq(step_2(host, instance, 1e-3 * n, 1e-3), FMI2_OK);
  }
  for (int i = 0; i < 3; i++)
    end[i] = fmu_get_2(host, instance, read[i]);
}

Test(steps, save_step_restore_step_gives_the_same_bits) {
  fmu_host host = fmu_host_open(seam_catalogue_text("four_bar_bushing"), NULL, "left", 2);
  fmi2_component instance = fmu_start_2(&host);
  fmi2_component other = fmu_start_2(&host);
  fmi2_state state = NULL;
  fmi2_state copy = NULL;
  size_t size = 0;
  double end[4][3];
  run_steps(&host, instance, 0, end[0]);
  cr_assert_eq(host.fmi2.GetFMUstate(instance, &state), FMI2_OK);
  cr_assert_eq(host.fmi2.SerializedFMUstateSize(instance, state, &size), FMI2_OK);
  char *bytes = malloc(size);
  cr_assert_eq(host.fmi2.SerializeFMUstate(instance, state, bytes, size), FMI2_OK);
  run_steps(&host, instance, N_STEPS, end[1]);
  cr_assert_eq(host.fmi2.SetFMUstate(instance, state), FMI2_OK);
  run_steps(&host, instance, N_STEPS, end[2]);
  cr_assert_arr_eq(end[1], end[2], sizeof end[1]);
  cr_assert_eq(host.fmi2.DeSerializeFMUstate(other, bytes, size, &copy), FMI2_OK);
  cr_assert_eq(host.fmi2.SetFMUstate(other, copy), FMI2_OK);
  run_steps(&host, other, N_STEPS, end[3]);
  cr_assert_arr_eq(end[1], end[3], sizeof end[1]);
  cr_assert_neq(end[0][0], end[1][0]);
  cr_assert_eq(host.fmi2.FreeFMUstate(instance, &state), FMI2_OK);
  cr_assert_eq(host.fmi2.FreeFMUstate(other, &copy), FMI2_OK);
  cr_assert_null(state);
  free(bytes);
  host.fmi2.FreeInstance(instance);
  host.fmi2.FreeInstance(other);
  fmu_host_close(&host);
}

typedef struct worker {
  const fmu_host *host;
  double end[3];
} worker;

static void *work(void *context) {
  worker *self = context;
  fmi2_component instance = fmu_start_2(self->host);
  run_steps(self->host, instance, 0, self->end);
  self->host->fmi2.FreeInstance(instance);
  return NULL;
}

Test(steps, four_instances_in_four_threads_give_the_same_bits) {
  fmu_host host = fmu_host_open(seam_catalogue_text("four_bar_bushing"), NULL, "left", 2);
  worker workers[5];
  pthread_t threads[4];
  for (int i = 0; i < 5; i++)
    workers[i] = (worker){.host = &host};
  work(&workers[4]);
  for (int i = 0; i < 4; i++)
    cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++)
    cr_assert_arr_eq(workers[i].end, workers[4].end, sizeof workers[4].end);
  fmu_host_close(&host);
}

/* ---- FMI 3 ---- */

/* A master that knows its inputs as functions of time. */
typedef struct updater {
  const fmu_host *host;
  fmi3_instance instance;
  int n;
} updater;

static double thrust_at(double t) { return 3 + 4 * t + 3 * t * t - pow(t, 6); }

/* Types are the standard's. NOLINTBEGIN(readability-non-const-parameter) */
static void update(fmi3_environment environment, double t, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time) {
  updater *self = environment;
  const uint32_t thrust = fmu_reference(self->host, "thrust");
  const double value = thrust_at(t);
  (void)get_allowed;
  (void)step_finished;
  (void)can_return_early;
  (void)early_return_requested;
  (void)early_return_time;
  cr_assert(set_requested);
  cr_assert_eq(self->host->fmi3.SetFloat64(self->instance, &thrust, 1, &value, 1), FMI3_OK);
  self->n++;
}
/* NOLINTEND(readability-non-const-parameter) */

Test(steps, inputs_of_intermediate_updates_are_polynomials_over_a_step) {
  fmu_host host = fmu_host_open(cart, NULL, NULL, 3);
  updater master = {.host = &host};
  char folder[100];
  const uint32_t thrust = fmu_reference(&host, "thrust");
  const uint32_t x = fmu_reference(&host, "cart.x");
  const double t = 0.5;
  double value = 0;
  bool flags[3];
  double last = 0;
  snprintf(folder, sizeof folder, "%s/resources/", host.folder);
  master.instance = host.fmi3.InstantiateCoSimulation("one", host.says->token, folder, false, false, false, false,
                                                      &thrust, 1, &master, NULL, update);
  cr_assert_not_null(master.instance);
  cr_assert_eq(host.fmi3.EnterInitializationMode(master.instance, false, 0, 0, false, 0), FMI3_OK);
  cr_assert_eq(host.fmi3.ExitInitializationMode(master.instance), FMI3_OK);
  cr_assert_eq(host.fmi3.DoStep(master.instance, 0, t, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert_eq(last, t);
  cr_assert_eq(master.n, 7);
  cr_assert_eq(host.fmi3.GetFloat64(master.instance, &x, 1, &value, 1), FMI3_OK);
  const double expected = (3 * t * t / 2 + 4 * pow(t, 3) / 6 + 3 * pow(t, 4) / 12 - pow(t, 8) / 56) / 2;
  cr_assert_float_eq(value, expected, 1e-12);
  host.fmi3.FreeInstance(master.instance);
  fmu_host_close(&host);
}

/* The law of y has no value after 0.6 s. A shorter step then begins with the inputs of its beginning, as outputs do. */
Test(steps, a_discarded_step_returns_the_inputs_of_its_beginning) {
  static const char ends[] =
      "seam: 2\n"
      "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}\n"
      "forces: {push: {type: force, body: cart, at: [0, 0], x: thrust, y: \"if(t > 0.6, sqrt(0.6 - t), 0)\"}}\n"
      "fmu: {inputs: {thrust: 3}, outputs: [cart.ax, cart.x]}\n";
  fmu_host host = fmu_host_open(ends, NULL, NULL, 3);
  updater master = {.host = &host};
  char folder[100];
  const uint32_t thrust = fmu_reference(&host, "thrust");
  const uint32_t outputs[2] = {fmu_reference(&host, "cart.ax"), fmu_reference(&host, "cart.x")};
  const double t = 0.5;
  double values[2], last = 0;
  bool flags[3];
  snprintf(folder, sizeof folder, "%s/resources/", host.folder);
  master.instance = host.fmi3.InstantiateCoSimulation("one", host.says->token, folder, false, false, false, false,
                                                      &thrust, 1, &master, NULL, update);
  cr_assert_eq(host.fmi3.EnterInitializationMode(master.instance, false, 0, 0, false, 0), FMI3_OK);
  cr_assert_eq(host.fmi3.ExitInitializationMode(master.instance), FMI3_OK);
  cr_assert_eq(host.fmi3.DoStep(master.instance, 0, 1, false, &flags[0], &flags[1], &flags[2], &last), FMI3_DISCARD);
  cr_assert_eq(host.fmi3.GetFloat64(master.instance, outputs, 2, values, 2), FMI3_OK);
  cr_expect_float_eq(values[0], 1.5, 1e-14);
  cr_assert_eq(host.fmi3.DoStep(master.instance, 0, t, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert_eq(host.fmi3.GetFloat64(master.instance, outputs, 2, values, 2), FMI3_OK);
  const double expected = (3 * t * t / 2 + 4 * pow(t, 3) / 6 + 3 * pow(t, 4) / 12 - pow(t, 8) / 56) / 2;
  cr_expect_float_eq(values[1], expected, 1e-12);
  host.fmi3.FreeInstance(master.instance);
  fmu_host_close(&host);
}

/* ---- Refusals ---- */

static fmi2_component open_2(const fmu_host *host, const char *token, const char *resources,
                             const fmi2_callbacks *callbacks) {
  return host->fmi2.Instantiate("one", FMI2_CO_SIMULATION, token, resources, callbacks, FMI2_FALSE, FMI2_FALSE);
}

Test(steps, what_a_master_does_wrong_is_said_by_name) {
  fmu_host host = fmu_host_open(cart, NULL, NULL, 2);
  fmu_log log = {.n = 0};
  const fmi2_callbacks callbacks = {.logger = fmu_log_2, .environment = &log};
  char uri[100];
  double value = 1;
  snprintf(uri, sizeof uri, "file://%s/resources", host.folder);
  cr_assert_null(open_2(&host, "{another}", uri, &callbacks));
  cr_assert_not_null(strstr(log.text, "token '{another}'"), "%s", log.text);
  cr_assert_null(open_2(&host, host.says->token, "file:///nowhere", &callbacks));
  cr_assert_not_null(strstr(log.text, "/nowhere/seam.json"), "%s", log.text);
  fmi2_component instance = open_2(&host, host.says->token, uri, &callbacks);
  cr_assert_eq(step_2(&host, instance, 0, 0.1), FMI2_ERROR);
  cr_assert_str_eq(log.text, "fmi2DoStep() is called before the initialization, where it is not allowed");
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  const unsigned m = fmu_reference(&host, "parameters.m");
  cr_assert_eq(host.fmi2.SetReal(instance, &m, 1, &value), FMI2_ERROR);
  cr_assert_not_null(strstr(log.text, "'parameters.m' can be set before"), "%s", log.text);
  /* After an error: back to the beginning. */
  cr_assert_eq(step_2(&host, instance, 0, 0.1), FMI2_ERROR);
  cr_assert_eq(host.fmi2.Reset(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  const unsigned thrust = fmu_reference(&host, "thrust");
  value = NAN;
  cr_assert_eq(host.fmi2.SetReal(instance, &thrust, 1, &value), FMI2_ERROR);
  cr_assert_not_null(strstr(log.text, "'thrust' is set to a value that is not finite"), "%s", log.text);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

Test(steps, a_step_that_fails_is_discarded_and_may_be_shorter) {
  static const char jam[] = "seam: 1\n"
                            "name: jam\n"
                            "bodies: {one: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                            "forces: {pull: {type: force, body: one, at: [0, 0], x: \"1/(u - 1)\", y: 0}}\n"
                            "fmu: {inputs: {u: 0}, outputs: [one.x]}\n";
  fmu_host host = fmu_host_open(jam, NULL, NULL, 2);
  fmu_log log = {.n = 0};
  const fmi2_callbacks callbacks = {.logger = fmu_log_2, .environment = &log};
  char uri[100];
  double t = -1;
  snprintf(uri, sizeof uri, "file://%s/resources", host.folder);
  fmi2_component instance = open_2(&host, host.says->token, uri, &callbacks);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0, 0.1), FMI2_OK);
  fmu_set_2(&host, instance, "u", 1);
  cr_assert_eq(step_2(&host, instance, 0.1, 0.1), FMI2_DISCARD);
  cr_assert_eq(log.n, 1);
  cr_assert_eq(host.fmi2.GetRealStatus(instance, FMI2_LAST_SUCCESSFUL_TIME, &t), FMI2_OK);
  cr_assert_eq(t, 0.1);
  fmu_set_2(&host, instance, "u", 0);
  cr_assert_eq(step_2(&host, instance, 0.1, 0.05), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "one.x"), -0.15 * 0.15 / 2, 1e-12);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

/* ---- Events ---- */

/* Free fall from 1 m: it is at 0.5 m after sqrt(1/g), and at 0 after sqrt(2/g), where the run ends. */
static const char fall[] = "seam: 1\n"
                           "name: fall\n"
                           "gravity: [0, -10]\n"
                           "bodies: {ball: {mass: 1, inertia: 1, at: [0, 1]}}\n"
                           "events: {half: \"ball.y < 0.5\"}\n"
                           "stop: \"ball.y < lowest\"\n"
                           "fmu: {inputs: {lowest: 0}, outputs: [ball.y, ball.vy]}\n";

static void update_once(const fmu_host *host, fmi3_instance one) {
  bool flags[5];
  double next = 0;
  cr_assert_eq(host->fmi3.UpdateDiscreteStates(one, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &next),
               FMI3_OK);
  for (int i = 0; i < 5; i++)
    cr_expect_not(flags[i]);
  cr_assert_eq(host->fmi3.EnterStepMode(one), FMI3_OK);
}

/* An initialized instance of FMI 3 whose steps may end early. */
static fmi3_instance begin_early(const fmu_host *host, bool event_mode, fmu_log *log) {
  char folder[100];
  snprintf(folder, sizeof folder, "%s/resources/", host->folder);
  fmi3_instance one = host->fmi3.InstantiateCoSimulation("one", host->says->token, folder, false, true, event_mode,
                                                         true, NULL, 0, log, fmu_log_3, NULL);
  cr_assert_eq(host->fmi3.EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
  cr_assert_eq(host->fmi3.ExitInitializationMode(one), FMI3_OK);
  return one;
}

/* With event mode it begins there, and enters it at each event; a step in between is an error. */
Test(steps, event_mode_stands_between_steps) {
  fmu_host host = fmu_host_open(fall, NULL, NULL, 3);
  fmu_log log = {.n = 0};
  bool flags[3];
  double last = 0;
  cr_assert(host.says->capabilities.event_mode);
  fmi3_instance one = begin_early(&host, true, &log);
  update_once(&host, one);
  cr_assert_eq(host.fmi3.DoStep(one, 0, 0.4, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert(flags[2] && flags[0] && !flags[1]);
  cr_assert_float_eq(last, sqrt(0.1), 1e-10);
  cr_assert_eq(host.fmi3.EnterEventMode(one), FMI3_OK);
  cr_assert_eq(host.fmi3.EvaluateDiscreteStates(one), FMI3_OK);
  update_once(&host, one);
  cr_assert_eq(host.fmi3.EnterEventMode(one), FMI3_OK);
  cr_assert_eq(host.fmi3.DoStep(one, last, 0.1, false, &flags[0], &flags[1], &flags[2], &last), FMI3_ERROR);
  cr_assert_str_eq(log.text, "fmi3DoStep() is called in event mode, where it is not allowed");
  host.fmi3.FreeInstance(one);
  fmu_host_close(&host);
}

/* A ball that falls on the ground, e = 0.5, impacts after sqrt(2 h/g) and rises for half of that; impacts lie inside of
 * steps, and the step ends where the flight is. A clock of 0.1 s counts. */
Test(steps, hard_contacts_and_samples_lie_inside_of_steps) {
  static const char text[] = "seam: 1\n"
                             "name: bounce\n"
                             "gravity: [0, -10]\n"
                             "bodies: {ball: {mass: 1, inertia: 1, at: [0, 1.1]}}\n"
                             "forces:\n"
                             "  floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0],\n"
                             "          radius: 0.1, hard: true, restitution: 0.5}\n"
                             "equations:\n"
                             "  clock: {sample: 0.1, states: {n: 0}, updates: {n: n + 1}, outputs: {count: n}}\n"
                             "fmu: {outputs: [ball.y, ball.vy, clock.count]}\n";
  fmu_host host = fmu_host_open(text, NULL, NULL, 2);
  fmi2_component one = fmu_start_2(&host);
  const double impact = sqrt(0.2);
  for (int i = 0; i < 3; i++)
    cr_assert_eq(host.fmi2.DoStep(one, 0.25 * i, 0.25, FMI2_FALSE), FMI2_OK);
  const double s = 0.75 - impact, v = 5 * impact;
  cr_expect_float_eq(fmu_get_2(&host, one, "ball.y"), 0.1 + v * s - 5 * s * s, 1e-8);
  cr_expect_float_eq(fmu_get_2(&host, one, "ball.vy"), v - 10 * s, 1e-7);
  cr_expect_eq(fmu_get_2(&host, one, "clock.count"), 7); /* 0 at 0, 1 at 0.1, ... */
  host.fmi2.FreeInstance(one);
  fmu_host_close(&host);
}

Test(steps, a_step_ends_early_at_an_event) {
  fmu_host host = fmu_host_open(fall, NULL, NULL, 3);
  fmu_log log = {.n = 0};
  bool flags[3];
  double last = 0;
  cr_assert(host.says->capabilities.might_return_early);
  fmi3_instance one = begin_early(&host, false, &log);
  fmi3_state state = NULL;
  cr_assert_eq(host.fmi3.DoStep(one, 0, 0.3, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert(!flags[2] && last == 0.3);
  cr_assert_eq(host.fmi3.GetFMUState(one, &state), FMI3_OK);
  double first = 0;
  for (int i = 0; i < 2; i++) {
    cr_assert_eq(host.fmi3.DoStep(one, 0.3, 0.3, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
    cr_assert(flags[2] && !flags[1] && !flags[0]);
    cr_assert_float_eq(last, sqrt(0.1), 1e-10);
    cr_assert_str_eq(log.text, "t = 0.316227766 s: event 'half'");
    first = i == 0 ? last : first;
    cr_assert_eq(last, first, "it is the same after going back");
    if (i == 0)
      cr_assert_eq(host.fmi3.SetFMUState(one, state), FMI3_OK);
  }
  cr_assert_eq(host.fmi3.DoStep(one, last, 0.3, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert(flags[2] && flags[1]);
  cr_assert_float_eq(last, sqrt(0.2), 1e-10);
  const uint32_t y = fmu_reference(&host, "ball.y");
  double value = 1;
  cr_assert_eq(host.fmi3.GetFloat64(one, &y, 1, &value, 1), FMI3_OK);
  cr_assert_float_eq(value, 0, 1e-10);
  cr_assert_eq(host.fmi3.FreeFMUState(one, &state), FMI3_OK);
  host.fmi3.FreeInstance(one);
  fmu_host_close(&host);
}

/* It would be at 0.45 m 15 ms after it is at half; a thrust that is set there stops it at 0.495 m. */
Test(steps, an_event_seen_ahead_is_gone_where_the_motion_changes) {
  static const char text[] = "seam: 1\nname: caught\ngravity: [0, -10]\n"
                             "bodies: {ball: {mass: 1, inertia: 1, at: [0, 1]}}\n"
                             "forces: {lift: {type: force, body: ball, x: 0, y: u}}\n"
                             "events: {half: \"ball.y < 0.5\", low: \"ball.y < 0.45\"}\n"
                             "fmu: {inputs: {u: 0}, outputs: [ball.y]}\n";
  for (int is_caught = 0; is_caught < 2; is_caught++) {
    fmu_host host = fmu_host_open(text, NULL, NULL, 3);
    fmu_log log = {.n = 0};
    bool flags[3];
    double last = 0;
    const double lift = is_caught ? 1000 : 0;
    const uint32_t u = fmu_reference(&host, "u");
    fmi3_instance one = begin_early(&host, false, &log);
    cr_assert_eq(host.fmi3.DoStep(one, 0, 0.4, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
    cr_assert_float_eq(last, sqrt(0.1), 1e-10);
    cr_assert_eq(host.fmi3.SetFloat64(one, &u, 1, &lift, 1), FMI3_OK);
    const double end = last + 3e-2 / (is_caught ? 10 : 1);
    cr_assert_eq(host.fmi3.DoStep(one, last, end - last, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
    cr_expect_eq(flags[2], !is_caught);
    cr_expect_float_eq(last, is_caught ? end : sqrt(0.11), 1e-10);
    cr_assert_eq(host.fmi3.DoStep(one, last, 3e-2, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
    cr_expect_not(flags[2]);
    host.fmi3.FreeInstance(one);
    fmu_host_close(&host);
  }
}

/* A ball above 4.8 m from 0.8 s to 1.2 s, in which it passes x = 1 m: that event shows the one before it. */
Test(steps, an_event_between_two_of_another_condition_shows_both) {
  static const char thrown[] = "seam: 2\n"
                               "gravity: [0, -10]\n"
                               "bodies: {ball: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 10]}}\n"
                               "events: {high: ball.y - 4.8, one: ball.x - 1}\n"
                               "fmu: {outputs: [ball.y]}\n";
  static const double times[] = {0.8, 1, 1.2, 8};
  fmu_host host = fmu_host_open(thrown, NULL, NULL, 3);
  fmu_log log = {.n = 0};
  fmi3_instance one = begin_early(&host, false, &log);
  bool flags[3];
  double last = 0;
  for (size_t i = 0; i < 4; i++) {
    cr_assert_eq(host.fmi3.DoStep(one, last, 8 - last, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
    cr_expect_float_eq(last, times[i], 1e-9);
    cr_expect_eq(flags[2], i < 3);
  }
  host.fmi3.FreeInstance(one);
  fmu_host_close(&host);
}

/* Both are crossed at once: none is lost, and the one that stops is said. */
Test(steps, events_of_one_time_end_one_step) {
  fmu_host host = fmu_host_open(fall, (const char *const[]){"fmu.inputs.lowest=0.5", NULL}, NULL, 3);
  fmu_log log = {.n = 0};
  bool flags[3];
  double last = 0;
  fmi3_instance one = begin_early(&host, false, &log);
  cr_assert_eq(host.fmi3.DoStep(one, 0, 0.4, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_expect(flags[2] && flags[1]);
  cr_expect_float_eq(last, sqrt(0.1), 1e-10);
  cr_expect_not_null(strstr(log.text, ", which ends the run"), "%s", log.text);
  host.fmi3.FreeInstance(one);
  fmu_host_close(&host);
}

/* Where laws have no value under the inputs that are set, until these are others. */
Test(steps, an_output_that_is_not_finite_is_not_given) {
  static const char text[] = "seam: 1\nname: root\nbodies: {cart: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                             "forces: {push: {type: force, body: cart, at: [0, 0], x: \"sqrt(u)\", y: 0}}\n"
                             "fmu: {inputs: {u: 4}, outputs: [cart.x, cart.ax]}\nsimulate: {end: 1}\n";
  fmu_host host = fmu_host_open(text, NULL, NULL, 2);
  fmu_log log = {0};
  double value = 0;
  const fmi2_callbacks callbacks = {.logger = fmu_log_2, .environment = &log};
  char folder[100];
  snprintf(folder, sizeof folder, "file://%s/resources", host.folder);
  fmi2_component one = host.fmi2.Instantiate("one", FMI2_CO_SIMULATION, host.says->token, folder, &callbacks, 0, 0);
  cr_assert_not_null(one);
  cr_assert_eq(host.fmi2.SetupExperiment(one, 0, 0, 0, 0, 0), FMI2_OK);
  cr_assert_eq(host.fmi2.EnterInitializationMode(one), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(one), FMI2_OK);
  const unsigned acceleration = fmu_reference(&host, "cart.ax"), place = fmu_reference(&host, "cart.x");
  fmu_set_2(&host, one, "u", -1);
  cr_expect_eq(host.fmi2.GetReal(one, &acceleration, 1, &value), FMI2_DISCARD);
  cr_expect_not_null(strstr(log.text, "output 'cart.ax' is not finite with the inputs at this time"), "%s", log.text);
  cr_expect_eq(host.fmi2.GetReal(one, &place, 1, &value), FMI2_OK);
  fmu_set_2(&host, one, "u", 9);
  cr_expect_float_eq(fmu_get_2(&host, one, "cart.ax"), 3, 1e-12);
  host.fmi2.FreeInstance(one);
  fmu_host_close(&host);
}

/* ---- The end ---- */

Test(steps, a_step_beyond_the_stop_time_is_an_error) {
  const fmi2_callbacks silent = {0};
  char folder[100];
  fmu_host host = fmu_host_open(cart, NULL, NULL, 2);
  snprintf(folder, sizeof folder, "file://%s/resources", host.folder);
  fmi2_component instance =
      host.fmi2.Instantiate("cart", FMI2_CO_SIMULATION, host.says->token, folder, &silent, FMI2_FALSE, FMI2_FALSE);
  cr_assert_eq(host.fmi2.SetupExperiment(instance, FMI2_FALSE, 0, 0, FMI2_TRUE, 0.3), FMI2_OK);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  for (int n = 0; n < 3; n++) /* 0.1 + 0.1 + 0.1 > 0.3, by rounding */
    cr_assert_eq(step_2(&host, instance, n * 0.1, 0.1), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0.1 + 0.1 + 0.1, 0.1), FMI2_ERROR);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
  bool needs = false, ends = false, early = false;
  double last = 0;
  host = fmu_host_open(cart, NULL, NULL, 3);
  snprintf(folder, sizeof folder, "%s/resources/", host.folder);
  fmi3_instance third = host.fmi3.InstantiateCoSimulation("cart", host.says->token, folder, false, false, false, false,
                                                          NULL, 0, NULL, NULL, NULL);
  cr_assert_eq(host.fmi3.EnterInitializationMode(third, false, 0, 0, true, 0.3), FMI3_OK);
  cr_assert_eq(host.fmi3.ExitInitializationMode(third), FMI3_OK);
  cr_assert_eq(host.fmi3.DoStep(third, 0, 0.3, true, &needs, &ends, &early, &last), FMI3_OK);
  cr_assert_eq(host.fmi3.DoStep(third, 0.3, 0.1, true, &needs, &ends, &early, &last), FMI3_ERROR);
  host.fmi3.FreeInstance(third);
  fmu_host_close(&host);
}

/* A ball falls by 1 m: 1 - g t²/2 = 0. An event before, which stops nothing, ends no step of FMI 2. */
Test(steps, a_stop_of_the_model_ends_an_fmu_of_fmi_2) {
  static const char falling[] = "seam: 1\n"
                                "name: falling\n"
                                "gravity: [0, -9.81]\n"
                                "bodies: {ball: {mass: 1, inertia: 0.1, at: [0, 1]}}\n"
                                "events: {half: ball.y < 0.5}\n"
                                "stop: {when: ball.y < 0}\n"
                                "fmu: {outputs: [ball.y]}\n"
                                "simulate: {end: 1}\n";
  const double end = sqrt(2 / 9.81);
  fmu_host host = fmu_host_open(falling, NULL, NULL, 2);
  fmu_log log = {.n = 0};
  const fmi2_callbacks callbacks = {.logger = fmu_log_2, .environment = &log};
  char uri[100];
  snprintf(uri, sizeof uri, "file://%s/resources", host.folder);
  fmi2_component instance = open_2(&host, host.says->token, uri, &callbacks);
  cr_assert_eq(host.fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(host.fmi2.ExitInitializationMode(instance), FMI2_OK);
  int ends = FMI2_TRUE;
  double last = 0;
  for (int n = 0; n < 4; n++)
    cr_assert_eq(step_2(&host, instance, 0.1 * n, 0.1), FMI2_OK);
  cr_assert_eq(host.fmi2.GetBooleanStatus(instance, FMI2_TERMINATED, &ends), FMI2_OK);
  cr_assert_eq(ends, FMI2_FALSE);
  cr_assert_eq(step_2(&host, instance, 0.4, 0.1), FMI2_DISCARD);
  cr_assert_eq(host.fmi2.GetBooleanStatus(instance, FMI2_TERMINATED, &ends), FMI2_OK);
  cr_assert_eq(host.fmi2.GetRealStatus(instance, FMI2_LAST_SUCCESSFUL_TIME, &last), FMI2_OK);
  cr_assert_eq(ends, FMI2_TRUE);
  cr_assert_float_eq(last, end, 1e-9);
  cr_assert_float_eq(fmu_get_2(&host, instance, "ball.y"), 0, 1e-8);
  /* A state of the end, restored, is the end. */
  fmi2_state state = NULL;
  cr_assert_eq(host.fmi2.GetFMUstate(instance, &state), FMI2_OK);
  cr_assert_eq(host.fmi2.SetFMUstate(instance, state), FMI2_OK);
  cr_expect_eq(log.n, 0);
  cr_expect_eq(step_2(&host, instance, last, 0.1), FMI2_ERROR);
  cr_assert_eq(host.fmi2.FreeFMUstate(instance, &state), FMI2_OK);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

/* ---- Without bodies ---- */

/* x' = k (u - x), u = 2 + 3 t over a step: x = u - 3/k + c exp(-k t). Its outputs are its variables, without energies
 * of no bodies. */
Test(steps, equations_without_bodies_are_a_whole) {
  static const char lag[] = "seam: 2\nname: lag\nparameters: {k: 4}\n"
                            "equations: {lag: {states: {x: 0}, rates: {x: k*(u - x)}}}\n"
                            "fmu: {inputs: {u: 0}, parameters: [k]}\nsimulate: {end: 1}\n";
  fmu_host host = fmu_host_open(lag, NULL, NULL, 2);
  fmi2_component instance = fmu_start_2(&host);
  const unsigned u = fmu_reference(&host, "u");
  const int first = 1;
  const double slope = 3;
  size_t n_outputs = 0;
  for (size_t v = 0; v < host.says->n_variables; v++)
    n_outputs += host.says->variables[v].causality == FMI_OUTPUT;
  cr_expect_eq(n_outputs, 1);
  fmu_set_2(&host, instance, "u", 2);
  cr_assert_eq(host.fmi2.SetRealInputDerivatives(instance, &u, 1, &first, &slope), FMI2_OK);
  cr_assert_eq(step_2(&host, instance, 0, 0.5), FMI2_OK);
  cr_expect_float_eq(fmu_get_2(&host, instance, "lag.x"), 3.5 - 0.75 + (0.75 - 2) * exp(-2), 1e-8);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}
