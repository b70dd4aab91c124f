/* Derivatives of steps by inputs, along powers and other shapes of them, against differences of steps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/models.h>

#include "tests/support/command.h"
#include "tests/support/fmu_host.h"

TestSuite(derivatives, .init = enter_scratch, .fini = leave_scratch);

enum { N_POWERS = 7 };

static void step_and_read(const fmu_host *host, fmi3_instance one, double H, const uint32_t *outputs, size_t n,
                          double *values) {
  bool flags[3];
  double last = 0;
  cr_assert_eq(host->fmi3.DoStep(one, 0, H, false, &flags[0], &flags[1], &flags[2], &last), FMI3_OK);
  cr_assert_eq(host->fmi3.GetFloat64(one, outputs, n, values, n), FMI3_OK);
}

/* A master that gives M.fx = Σ c τ^k. */
typedef struct polynomial {
  const fmu_host *host;
  fmi3_instance instance;
  uint32_t input;
  double c[N_POWERS], H;
  int n_asked; /* within steps */
} polynomial;

/* NOLINTBEGIN(readability-non-const-parameter) */
static void follow(fmi3_environment environment, double t, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested, double *early_return_time) {
  polynomial *self = environment;
  double value = 0;
  self->n_asked++;
  (void)set_requested;
  (void)get_allowed;
  (void)step_finished;
  (void)can_return_early;
  (void)early_return_requested;
  (void)early_return_time;
  for (int k = N_POWERS - 1; k >= 0; k--)
    value = value * t / self->H + self->c[k];
  cr_assert_eq(self->host->fmi3.SetFloat64(self->instance, &self->input, 1, &value, 1), FMI3_OK);
}
/* NOLINTEND(readability-non-const-parameter) */

/* M.fx is input 0 of three, M.y output 1, M.alpha output 8, in the order of their references. */
enum { N_INPUTS = 3, OF_Y = 1, OF_ALPHA = 8 };

typedef struct trial {
  fmu_host host;
  polynomial master;
  uint32_t outputs[2];
  size_t n_outputs;
  double *all; /* the array */
  fmi3_state start;
} trial;

static void set_array(trial *self, const char *name, const double *values, size_t n) {
  const uint32_t reference = fmu_reference(&self->host, name);
  cr_assert_eq(self->host.fmi3.SetFloat64(self->master.instance, &reference, 1, values, n), FMI3_OK, "%s", name);
}

static void set(trial *self, const char *name, double value) { set_array(self, name, &value, 1); }

static void begin(trial *self) {
  char folder[100];
  self->start = NULL; /* one that exists would be used again */
  self->host = fmu_host_open(seam_catalogue_text("four_bar_bushing"), NULL, "left", 3);
  self->master =
      (polynomial){.host = &self->host, .input = fmu_reference(&self->host, "M.fx"), .c = {1, 2, -1}, .H = 0.05};
  self->outputs[0] = fmu_reference(&self->host, "M.y");
  self->outputs[1] = fmu_reference(&self->host, "M.alpha");
  const fmi_variable *says = &self->host.says->variables[fmi_find_variable(self->host.says, "seam.derivatives")];
  cr_assert_eq(says->dimensions[0].size, N_INPUTS);
  cr_assert_eq(says->dimensions[1].size, N_POWERS);
  self->n_outputs = says->dimensions[2].size;
  self->all = calloc(N_INPUTS * N_POWERS * self->n_outputs, sizeof *self->all);
  snprintf(folder, sizeof folder, "%s/resources/", self->host.folder);
  fmi3_instance one =
      self->host.fmi3.InstantiateCoSimulation("one", self->host.says->token, folder, false, false, false, false,
                                              &self->master.input, 1, &self->master, NULL, follow);
  self->master.instance = one;
  cr_assert_eq(self->host.fmi3.EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
  set(self, "M.fx", self->master.c[0]);
  cr_assert_eq(self->host.fmi3.ExitInitializationMode(one), FMI3_OK);
  cr_assert_eq(self->host.fmi3.GetFMUState(one, &self->start), FMI3_OK);
}

static void end(trial *self) {
  free(self->all);
  cr_assert_eq(self->host.fmi3.FreeFMUState(self->master.instance, &self->start), FMI3_OK);
  self->host.fmi3.FreeInstance(self->master.instance);
  fmu_host_close(&self->host);
}

/* A step from the start; M.y and M.alpha at its end. */
static void step_from_start(trial *self, double *values) {
  cr_assert_eq(self->host.fmi3.SetFMUState(self->master.instance, self->start), FMI3_OK);
  set(self, "M.fx", self->master.c[0]);
  step_and_read(&self->host, self->master.instance, self->master.H, self->outputs, 2, values);
}

static void read_all(trial *self) {
  const uint32_t array = fmu_reference(&self->host, "seam.derivatives");
  cr_assert_eq(
      self->host.fmi3.GetFloat64(self->master.instance, &array, 1, self->all, N_INPUTS * N_POWERS * self->n_outputs),
      FMI3_OK);
}

/* Row k of the array is of this shape. */
static void expect_along(trial *self, int k, const double *shape) {
  const double width = 1e-3;
  const double *row = self->all + (size_t)k * self->n_outputs;
  double moved[2][2];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < N_POWERS; j++)
      self->master.c[j] += (i == 0 ? width : -2 * width) * shape[j];
    step_from_start(self, moved[i]);
  }
  for (int j = 0; j < N_POWERS; j++)
    self->master.c[j] += width * shape[j];
  cr_assert_float_eq(row[OF_Y], (moved[0][0] - moved[1][0]) / (2 * width), 1e-9, "shape %d", k);
  cr_assert_float_eq(row[OF_ALPHA], (moved[0][1] - moved[1][1]) / (2 * width), 1e-5, "shape %d", k);
  cr_assert_neq(row[OF_ALPHA], 0);
}

Test(derivatives, of_a_step_are_those_of_its_differences) {
  trial self;
  double y[2];
  begin(&self);
  set(&self, "seam.degree", 2);
  step_from_start(&self, y);
  read_all(&self);
  for (int k = 0; k <= 2; k++) {
    double power[N_POWERS] = {0};
    power[k] = 1;
    expect_along(&self, k, power);
  }
  cr_assert_eq(self.all[3 * self.n_outputs + OF_ALPHA], 0);
  end(&self);
}

Test(derivatives, go_along_shapes_that_a_master_sets) {
  static const double shapes[N_POWERS][N_POWERS] = {{1, -1}, {0, 0.5, 2, 0, -1}};
  double read[N_POWERS][N_POWERS] = {{0}};
  trial self;
  double y[2];
  begin(&self);
  set_array(&self, "seam.shapes", &shapes[0][0], N_POWERS * N_POWERS);
  const uint32_t reference = fmu_reference(&self.host, "seam.shapes");
  cr_assert_eq(self.host.fmi3.GetFloat64(self.master.instance, &reference, 1, &read[0][0], N_POWERS * N_POWERS),
               FMI3_OK);
  cr_expect_arr_eq(read, shapes, sizeof shapes);
  set(&self, "seam.degree", 1);
  step_from_start(&self, y);
  read_all(&self);
  expect_along(&self, 0, shapes[0]);
  expect_along(&self, 1, shapes[1]);
  end(&self);
}

/* A master that knows the degree of its inputs is asked as often as they need. */
Test(derivatives, inputs_of_a_degree_are_asked_for_as_often) {
  trial self;
  double y[2], same[2];
  begin(&self);
  self.master.n_asked = 0;
  step_from_start(&self, y);
  cr_expect_eq(self.master.n_asked, N_POWERS);
  for (int degree = 2; degree <= N_POWERS; degree++) {
    set(&self, "seam.input_degree", degree);
    self.master.n_asked = 0;
    step_from_start(&self, same);
    cr_expect_eq(self.master.n_asked, degree);
    for (int i = 0; i < 2; i++)
      cr_expect_float_eq(same[i], y[i], 1e-11, "degree %d: %g", degree, same[i] - y[i]);
  }
  set(&self, "seam.input_degree", 1); /* which is one too few */
  step_from_start(&self, same);
  cr_expect_gt((y[0] - same[0]) * (y[0] - same[0]), 1e-20);
  end(&self);
}

Test(derivatives, degrees_and_shapes_that_are_none_are_refused) {
  static const double bad[] = {-1, 0.5, 8};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    trial self;
    begin(&self);
    const uint32_t degree = fmu_reference(&self.host, "seam.input_degree");
    cr_expect_eq(self.host.fmi3.SetFloat64(self.master.instance, &degree, 1, &bad[i], 1), FMI3_ERROR);
    end(&self);
  }
  trial self;
  double shapes[N_POWERS * N_POWERS] = {0};
  begin(&self);
  const uint32_t reference = fmu_reference(&self.host, "seam.shapes");
  cr_expect_eq(self.host.fmi3.SetFloat64(self.master.instance, &reference, 1, shapes, 1), FMI3_ERROR);
  end(&self);
}
