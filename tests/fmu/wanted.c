/* Outputs that an importer does not want: steps leave out what follows from accelerations, reading finds it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/fmu.h>
#include <seam/models.h>

#include "cosim/steps/simulation.h"
#include "tests/support/command.h"
#include "tests/support/cut_run.h"
#include "tests/support/fmu_host.h"

TestSuite(wanted, .init = enter_scratch, .fini = leave_scratch);

/* ---- One FMU: M.x to M.alpha of the left half, and a quantity of a body ---- */

enum { N_OUTPUTS = 10, OF_AX = 6, OF_QUANTITY = 9, N_DERIVATIVES = 3 * 7 * N_OUTPUTS };

static const char *const names[N_OUTPUTS] = {"M.x",     "M.y",  "M.phi", "M.vx",    "M.vy",
                                             "M.omega", "M.ax", "M.ay",  "M.alpha", "bar1.omega"};

typedef struct unit {
  fmu_host host;
  fmi3_instance instance;
  uint32_t outputs[N_OUTPUTS];
} unit;

static fmi3_instance instantiate(const fmu_host *host) {
  char folder[100];
  snprintf(folder, sizeof folder, "%s/resources/", host->folder);
  fmi3_instance one = host->fmi3.InstantiateCoSimulation("one", host->says->token, folder, false, false, false, false,
                                                         NULL, 0, NULL, NULL, NULL);
  cr_assert_eq(host->fmi3.EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
  cr_assert_eq(host->fmi3.ExitInitializationMode(one), FMI3_OK);
  return one;
}

static unit begin(void) {
  char text[20000];
  snprintf(text, sizeof text, "%s\nfmu: {outputs: [bar1.omega]}\n", seam_catalogue_text("four_bar_bushing"));
  unit made = {.host = fmu_host_open(text, NULL, "left", 3)};
  made.instance = instantiate(&made.host);
  for (int i = 0; i < N_OUTPUTS; i++)
    made.outputs[i] = fmu_reference(&made.host, names[i]);
  return made;
}

static void end(unit *self) {
  self->host.fmi3.FreeInstance(self->instance);
  fmu_host_close(&self->host);
}

static fmi3_status set(const unit *self, fmi3_instance of, const char *name, const double *values, size_t n) {
  const uint32_t reference = fmu_reference(&self->host, name);
  return self->host.fmi3.SetFloat64(of, &reference, 1, values, n);
}

static void want(const unit *self, bool accelerations) {
  double wanted[N_OUTPUTS];
  for (int i = 0; i < N_OUTPUTS; i++)
    wanted[i] = accelerations || i < OF_AX;
  cr_assert_eq(set(self, self->instance, "seam.wanted", wanted, N_OUTPUTS), FMI3_OK);
}

static void step(const unit *self, fmi3_instance of, double t, double H, double force) {
  bool flags[3];
  double last = 0;
  cr_assert_eq(set(self, of, "M.fx", &force, 1), FMI3_OK);
  cr_assert_eq(self->host.fmi3.DoStep(of, t, H, true, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
}

static void read(const unit *self, fmi3_instance of, double *outputs) {
  cr_assert_eq(self->host.fmi3.GetFloat64(of, self->outputs, N_OUTPUTS, outputs, N_OUTPUTS), FMI3_OK);
}

static void read_derivatives(const unit *self, double *values) {
  const uint32_t array = fmu_reference(&self->host, "seam.derivatives");
  cr_assert_eq(self->host.fmi3.GetFloat64(self->instance, &array, 1, values, N_DERIVATIVES), FMI3_OK);
}

Test(wanted, what_steps_leave_out_is_found_when_it_is_read) {
  double all[2][N_OUTPUTS], found[2][N_OUTPUTS], whole[N_DERIVATIVES], left[N_DERIVATIVES];
  const double degree = 1;
  unit self = begin();
  fmi3_state start = NULL;
  cr_assert_eq(self.host.fmi3.GetFMUState(self.instance, &start), FMI3_OK);
  cr_assert_eq(set(&self, self.instance, "seam.degree", &degree, 1), FMI3_OK);
  for (int k = 0; k < 2; k++) {
    step(&self, self.instance, 0.01 * k, 0.01, 5 - k);
    read(&self, self.instance, all[k]);
  }
  read_derivatives(&self, whole);
  cr_assert_eq(self.host.fmi3.SetFMUState(self.instance, start), FMI3_OK);
  want(&self, false);
  for (int k = 0; k < 2; k++) {
    step(&self, self.instance, 0.01 * k, 0.01, 5 - k);
    read(&self, self.instance, found[k]);
  }
  read_derivatives(&self, left);
  cr_expect_arr_eq(found, all, sizeof all);
  for (int i = 0; i < N_DERIVATIVES; i++) {
    const bool is_along = i / N_OUTPUTS % 7 <= 1; /* the degree */
    if (i % N_OUTPUTS < OF_AX || !is_along)
      cr_expect_eq(left[i], whole[i], "%d", i);
    else
      cr_expect(isnan(left[i]) && isfinite(whole[i]), "%d: %g, %g", i, left[i], whole[i]);
  }
  cr_expect_neq(whole[OF_AX], 0);
  cr_assert_eq(self.host.fmi3.FreeFMUState(self.instance, &start), FMI3_OK);
  end(&self);
}

/* Wanted from now on: of the last step, too, they are no zeros. */
Test(wanted, what_a_step_left_out_is_known_when_it_is_wanted_later) {
  double all[N_OUTPUTS], found[N_OUTPUTS], left[N_DERIVATIVES];
  const double degree = 0;
  unit self = begin();
  unit other = self;
  other.instance = instantiate(&self.host);
  step(&other, other.instance, 0, 0.01, 3);
  read(&other, other.instance, all);
  want(&self, false);
  cr_assert_eq(set(&self, self.instance, "seam.degree", &degree, 1), FMI3_OK);
  step(&self, self.instance, 0, 0.01, 3);
  want(&self, true);
  read(&self, self.instance, found);
  read_derivatives(&self, left);
  cr_expect_arr_eq(found, all, sizeof all);
  cr_expect(isnan(left[OF_AX]));
  self.host.fmi3.FreeInstance(other.instance);
  end(&self);
}

/* A state goes to an instance that wants all. */
Test(wanted, states_keep_what_was_left_out) {
  double all[N_OUTPUTS], found[N_OUTPUTS];
  uint8_t bytes[20000];
  size_t size = 0;
  unit self = begin();
  fmi3_instance other = instantiate(&self.host);
  fmi3_state state = NULL, copy = NULL;
  step(&self, other, 0, 0.01, 3);
  read(&self, other, all);
  want(&self, false);
  step(&self, self.instance, 0, 0.01, 3);
  cr_assert_eq(self.host.fmi3.GetFMUState(self.instance, &state), FMI3_OK);
  cr_assert_eq(self.host.fmi3.SerializedFMUStateSize(self.instance, state, &size), FMI3_OK);
  cr_assert_leq(size, sizeof bytes);
  cr_assert_eq(self.host.fmi3.SerializeFMUState(self.instance, state, bytes, size), FMI3_OK);
  step(&self, other, 0.01, 0.01, -20);
  cr_assert_eq(self.host.fmi3.DeserializeFMUState(other, bytes, size, &copy), FMI3_OK);
  cr_assert_eq(self.host.fmi3.SetFMUState(other, copy), FMI3_OK);
  read(&self, other, found);
  cr_expect_arr_eq(found, all, sizeof all);
  cr_assert_eq(self.host.fmi3.FreeFMUState(other, &copy), FMI3_OK);
  cr_assert_eq(self.host.fmi3.FreeFMUState(self.instance, &state), FMI3_OK);
  self.host.fmi3.FreeInstance(other);
  end(&self);
}

Test(wanted, numbers_are_one_or_zero) {
  double wanted[N_OUTPUTS] = {1, 0, 1}, read_again[N_OUTPUTS];
  unit self = begin();
  const uint32_t reference = fmu_reference(&self.host, "seam.wanted");
  cr_assert_eq(self.host.fmi3.GetFloat64(self.instance, &reference, 1, read_again, N_OUTPUTS), FMI3_OK);
  for (int i = 0; i < N_OUTPUTS; i++)
    cr_expect_eq(read_again[i], 1);
  cr_assert_eq(set(&self, self.instance, "seam.wanted", wanted, N_OUTPUTS), FMI3_OK);
  cr_assert_eq(self.host.fmi3.GetFloat64(self.instance, &reference, 1, read_again, N_OUTPUTS), FMI3_OK);
  cr_expect_arr_eq(read_again, wanted, sizeof wanted);
  wanted[3] = 0.5;
  cr_expect_eq(set(&self, self.instance, "seam.wanted", wanted, N_OUTPUTS), FMI3_ERROR);
  end(&self);
}

/* ---- Coupled: tables show accelerations that no coupling reads ---- */

static const char coupled[] =
    "seam: 1\nname: coupled\nsimulate: {end: 1, output_step: 0.1}\ncosim:\n  macro_step: 1e-3\n  scheme: ff-k1\n"
    "  reuse: false\n" /* the scales of FMUs, and so the steps with new derivatives, are others */
    "  subsystems: {left: {fmu: left.fmu}, right: {fmu: right.fmu}}\n  couplings:\n    M:\n      sides:\n"
    "        - {subsystem: left, force: [M.fx, M.fy, M.torque], position: [M.x, M.y, M.phi],\n"
    "           velocity: [M.vx, M.vy, M.omega], acceleration: [M.ax, M.ay, M.alpha]}\n"
    "        - {subsystem: right, force: [M.fx, M.fy, M.torque], position: [M.x, M.y, M.phi],\n"
    "           velocity: [M.vx, M.vy, M.omega], acceleration: [M.ax, M.ay, M.alpha]}\n"
    "      stiffness: [1e3, 1e3, 1e3]\n      damping: [10, 10, 10]\n";

Test(wanted, signals_show_accelerations_that_no_coupling_reads) {
  const char *text = seam_catalogue_text("four_bar_bushing");
  const char *const halves[] = {"left", "right"}, *const paths[] = {"left.fmu", "right.fmu"};
  seam_error error = {0};
  for (int i = 0; i < 2; i++) {
    seam_fmu_options options = seam_default_fmu_options();
    options.version = 3;
    options.subsystem = halves[i];
    options.engine = SEAM_ENGINE;
    cr_assert_eq(seam_fmu_export("model", text, strlen(text), NULL, 0, &options, paths[i], &error), SEAM_OK);
  }
  const char *const overrides[] = {"cosim.scheme=ff-k1", "cosim.reuse=false", NULL};
  cut_run native = cut_run_begin(text, overrides), imported = cut_run_begin(coupled, overrides);
  const size_t bar2 = 3 * mbs_find_body(seam_model_mechanism(native.file), "bar2");
  const cosim_result_signal *signals = imported.simulation->partition.signals;
  for (size_t i = 0; i < cosim_n_signals(imported.simulation); i++)
    cr_expect_eq(signals[i].is_skipped, strstr(signals[i].name, ".M.a") != NULL, "%s", signals[i].name);
  for (int n = 0; n < 100; n++) {
    cr_expect_float_eq(cut_run_signal(&imported, "left.M.alpha"), cosim_state(native.simulation)->a[bar2 + 2], 1e-8,
                       "step %d", n);
    cr_expect_neq(cut_run_signal(&imported, "left.M.alpha"), 0);
    cr_assert_eq(cosim_advance(native.simulation, 1e-3, &error), SEAM_OK);
    cr_assert_eq(cosim_advance(imported.simulation, 1e-3, &error), SEAM_OK);
  }
  cut_run_end(&native);
  cut_run_end(&imported);
}
