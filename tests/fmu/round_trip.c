/* Exported and imported again: halves of a cut model of the catalogue as FMUs, coupled by `sides`, or one half as an
 * FMU and the other in the file, repeat the co-simulation of the whole file under every scheme that is stable there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/fmu.h>
#include <seam/models.h>

#include "cosim/steps/simulation.h"
#include "fmi/library.h"
#include "tests/support/command.h"
#include "tests/support/model_reader.h"

TestSuite(round_trip, .init = enter_scratch, .fini = leave_scratch);

enum { MAX_SCHEMES = 200, N_STEPS = 6, N_SIDES = 2, MAX_VALUES = 5, TEXT = 20000 };

/* A model that one element cuts into two subsystems, each with an angle that is looked at. */
typedef struct cut_model {
  const char *name, *element;
  const char *subsystems[N_SIDES], *bodies[N_SIDES];
  int n_dims;
  bool is_rigid;
  const char *law;        /* keys of its coupling */
  const char *own_bodies; /* of the first subsystem, */
  const char *half;       /* which has this mechanism alone, with the marker `hook` that the coupling takes */
} cut_model;

#define LEFT_OF_FOUR_BAR                                                                                               \
  "bodies:\n  bar1: {rod: [A, P], mass: 1}\n  bar2: {rod: [P, M], mass: 1}\n"                                          \
  "joints:\n  A: {type: revolute, bodies: [ground, bar1], at: A}\n  P: {type: revolute, bodies: [bar1, bar2], at: "    \
  "P}\n"                                                                                                               \
  "forces:\n  hook: {type: force, body: bar2, at: M, x: 0, y: 0}\n"

static const cut_model bushing = {.name = "four_bar_bushing",
                                  .element = "M",
                                  .subsystems = {"left", "right"},
                                  .bodies = {"bar1", "bar4"},
                                  .n_dims = 3,
                                  .law = "stiffness: [1e3, 1e3, 1e3];damping: [10, 10, 10]",
                                  .own_bodies = "bar1, bar2",
                                  .half = LEFT_OF_FOUR_BAR
                                  "  air: {type: viscous, bodies: [bar1, bar2], damping: [0.1, 0.1, 0]}\n"};
static const cut_model fixed = {.name = "four_bar_fixed",
                                .element = "M",
                                .subsystems = {"left", "right"},
                                .bodies = {"bar1", "bar4"},
                                .n_dims = 3,
                                .is_rigid = true,
                                .law = "rigid: true",
                                .own_bodies = "bar1, bar2",
                                .half = LEFT_OF_FOUR_BAR};
static const cut_model pendulum = {.name = "double_pendulum",
                                   .element = "elbow",
                                   .subsystems = {"upper", "lower"},
                                   .bodies = {"link1", "link2"},
                                   .n_dims = 2,
                                   .is_rigid = true,
                                   .law = "rigid: true",
                                   .own_bodies = "link1",
                                   .half = "bodies:\n  link1: {rod: [O, P], mass: 1}\n"
                                           "joints:\n  pivot: {type: revolute, bodies: [ground, link1], at: O}\n"
                                           "forces:\n  hook: {type: force, body: link1, at: P, x: 0, y: 0}\n"
                                           "  air: {type: viscous, bodies: [link1], damping: [d, d, 0]}\n"};

/* ---- Texts ---- */

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...) {
  const size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  cr_assert_lt(vsnprintf(text + length, TEXT - length, format, arguments), (int)(TEXT - length));
  va_end(arguments);
}

/* Integrated so well that errors of the parts do not count. */
static const char *const accurate[] = {"cosim.atol=1e-15", "cosim.implicit={tolerance: 1e-12, iterations: 50}"};
enum { N_ACCURATE = sizeof accurate / sizeof *accurate, N_OVERRIDES = N_ACCURATE + 3 };

/* Integrators of the subsystems: an FMU divides macro steps in its own way, so as much as these differ is equal. */
typedef const char *precision[2];
static const precision tight = {"cosim.order=8", "cosim.rtol=1e-13"};
static const precision looser = {"cosim.order=5", "cosim.rtol=3e-13"};

/* The model of the catalogue, with the angles among the outputs of its FMUs. */
static void write_whole(const cut_model *of, char *text) {
  text[0] = '\0';
  add(text, "%s\nfmu: {outputs: [%s.phi, %s.phi]}\n", seam_catalogue_text(of->name), of->bodies[0], of->bodies[1]);
}

static bool has_variable(const fmi_fmu *fmu, const char *name, bool is_input) {
  const fmi_description *in = fmi_fmu_description(fmu);
  const size_t found = fmi_find_variable(in, name);
  return found != SEAM_NONE && in->variables[found].causality == (is_input ? FMI_INPUT : FMI_OUTPUT);
}

/* A side with the ports that its FMU has. */
static void add_side(char *text, const cut_model *of, int side, const char *path) {
  static const char *const names[][3] = {
      {"x", "y", "phi"}, {"vx", "vy", "omega"}, {"ax", "ay", "alpha"}, {"fx", "fy", "torque"}};
  static const struct {
    const char *key, *prefix;
    int names;
    bool is_input;
  } rows[] = {{"force", "", 3, true},
              {"other_position", "other.", 0, true},
              {"other_velocity", "other.", 1, true},
              {"prescribed", "prescribed.", 0, true},
              {"position", "", 0, false},
              {"velocity", "", 1, false},
              {"acceleration", "", 2, false},
              {"integral", "sum_", 0, false},
              {"multiplier", "lambda_", 0, false}};
  fmi_fmu *fmu = NULL;
  seam_error error = {0};
  cr_assert_eq(fmi_fmu_open(path, &fmu, &error), SEAM_OK, "%s", error.message);
  add(text, "        - {subsystem: %s", of->subsystems[side]);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s%s", of->element, rows[i].prefix, names[rows[i].names][0]);
    if (!has_variable(fmu, name, rows[i].is_input))
      continue;
    add(text, ", %s: [", rows[i].key);
    for (int k = 0; k < of->n_dims; k++)
      add(text, "%s%s.%s%s", k > 0 ? ", " : "", of->element, rows[i].prefix, names[rows[i].names][k]);
    add(text, "]");
  }
  add(text, "}\n");
  fmi_fmu_close(fmu);
}

/* NULL in place of a path: that side is a marker of the mechanism. */
static void write_coupled(const cut_model *of, char *text, const char *const paths[N_SIDES]) {
  const char *catalogue = seam_catalogue_text(of->name);
  text[0] = '\0';
  if (paths[0] == NULL)
    add(text, "%.*s%s", (int)(strstr(catalogue, "\nbodies:") + 1 - catalogue), catalogue, of->half);
  else
    add(text, "seam: 1\nname: coupled\n");
  add(text, "simulate: {end: 1, output_step: 0.1}\ncosim:\n  macro_step: 1e-2\n  subsystems:\n");
  if (paths[0] == NULL)
    add(text, "    %s: [%s]\n", of->subsystems[0], of->own_bodies);
  for (int i = 0; i < N_SIDES; i++)
    if (paths[i] != NULL)
      add(text, "    %s: {fmu: %s}\n", of->subsystems[i], paths[i]);
  add(text, "  couplings:\n    cut:\n      sides:\n");
  if (paths[0] == NULL)
    add(text, "        - {marker: %s.hook}\n", of->subsystems[0]);
  for (int i = 0; i < N_SIDES; i++)
    if (paths[i] != NULL)
      add_side(text, of, i, paths[i]);
  for (const char *at = of->law; *at != '\0';) {
    const size_t length = strcspn(at, ";");
    add(text, "      %.*s\n", (int)length, at);
    at += length + (at[length] == ';');
  }
}

/* ---- Runs ---- */

/* Collocation is for long steps: what inner nodes that are close together make of rounding grows as 1/H². */
static double macro_step(const char *scheme) { return strstr(scheme, "colloc") != NULL ? 0.04 : 0.01; }

/* λ and both angles at macro points. */
typedef struct history {
  double at[N_STEPS + 1][MAX_VALUES];
} history;

typedef struct run {
  seam_model_file *file;
  mbs_workspace *ws;
  mbs_state *start;
  cosim_simulation *simulation;
} run;

static void end_run(run *self) {
  cosim_destroy(self->simulation);
  mbs_state_destroy(self->start);
  mbs_workspace_destroy(self->ws);
  seam_model_file_destroy(self->file);
}

/* Whether the scheme exists there. */
static bool begin_run(run *self, const char *text, const char *scheme, const precision given, seam_error *error) {
  char choice[80];
  const char *overrides[N_OVERRIDES] = {choice, given[0], given[1]};
  snprintf(choice, sizeof choice, "cosim.scheme=\"%.60s\"", scheme);
  memcpy(overrides + 3, accurate, sizeof accurate);
  *self = (run){0};
  if (seam_model_file_parse("model.yaml", text, strlen(text), overrides, N_OVERRIDES, &self->file, error) != SEAM_OK)
    return false;
  const mbs_model *model = seam_model_mechanism(self->file);
  cr_assert_eq(mbs_workspace_create(model, &self->ws, error), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &self->start, error), SEAM_OK);
  cr_assert_eq(mbs_assemble(self->ws, self->start, NULL, NULL, error), SEAM_OK, "%s", error->message);
  return cosim_create(seam_model_cosim(self->file), &self->simulation, error) == SEAM_OK &&
         cosim_start(self->simulation, self->start, error) == SEAM_OK;
}

static double signal_now(const run *of, const char *subsystem, const char *body) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s.phi", subsystem, body);
  for (size_t i = 0; i < cosim_n_signals(of->simulation); i++)
    if (strcmp(cosim_signal_of(of->simulation, i).name, name) == 0)
      return cosim_signal_now(of->simulation, i);
  cr_assert_fail("%s", name);
  return NAN;
}

static void record(const run *of, const cut_model *model, double *values) {
  double wrench[COSIM_MAX_FORCES];
  const mbs_model *mechanism = seam_model_mechanism(of->file);
  cosim_master_wrench(of->simulation->engine->master, 0, wrench);
  memcpy(values, wrench, 3 * sizeof *wrench);
  for (int i = 0; i < N_SIDES; i++) {
    const size_t body = mechanism != NULL ? mbs_find_body(mechanism, model->bodies[i]) : SEAM_NONE;
    values[3 + i] = body != SEAM_NONE ? cosim_state(of->simulation)->q[3 * body + 2]
                                      : signal_now(of, model->subsystems[i], model->bodies[i]);
  }
}

/* SEAM_BAD_INPUT: the scheme does not exist there. */
static seam_status take_run(const cut_model *model, const char *text, const char *scheme, const precision given,
                            history *to, seam_error *error) {
  run self;
  seam_status status = begin_run(&self, text, scheme, given, error) ? SEAM_OK : SEAM_BAD_INPUT;
  for (int n = 0; n <= N_STEPS && status == SEAM_OK; n++) {
    record(&self, model, to->at[n]);
    status = n < N_STEPS ? cosim_advance(self.simulation, macro_step(scheme), error) : SEAM_OK;
  }
  end_run(&self);
  return status;
}

/* ---- Comparison ---- */

static void export_side(const cut_model *of, const char *text, int side, const char *scheme, int version,
                        const char *path) {
  char choice[80];
  const char *overrides[N_OVERRIDES] = {choice, tight[0], tight[1]};
  seam_fmu_options options = seam_default_fmu_options();
  seam_error error = {0};
  snprintf(choice, sizeof choice, "cosim.scheme=\"%.60s\"", scheme);
  memcpy(overrides + 3, accurate, sizeof accurate);
  options.version = version;
  options.subsystem = of->subsystems[side];
  options.engine = SEAM_ENGINE;
  cr_assert_eq(seam_fmu_export("model.yaml", text, strlen(text), overrides, N_OVERRIDES, &options, path, &error),
               SEAM_OK, "%s: %s", scheme, error.message);
}

/* Of all macro points, relative to the largest of each kind. */
static double difference(const cut_model *of, const history *a, const history *b) {
  double worst = 0;
  for (int kind = 0; kind < 3; kind++) {
    double largest = 0, most = 0;
    for (int n = 0; n <= N_STEPS; n++)
      for (int i = kind == 0 ? 0 : 2 + kind; i < (kind == 0 ? of->n_dims : 3 + kind); i++) {
        largest = fmax(largest, fabs(a->at[n][i]));
        most = fmax(most, fabs(a->at[n][i] - b->at[n][i]));
      }
    worst = fmax(worst, most / largest);
  }
  return worst;
}

/* Schemes with the same ports: of one decomposition, at force elements those of I-extensions apart. */
static void name_ports(const char *scheme, char ports[8]) {
  snprintf(ports, 8, "%.2s%s", scheme, strstr(scheme, "-i-k") != NULL ? "-i" : "");
}

/* What is compared: versions of FMI (0: a marker of the mechanism), and which schemes. */
typedef struct pairing {
  int versions[N_SIDES];
  const char *iterations[4]; /* NULL behind the last */
  const char *part_of_name;  /* "": all */
  bool by_differences;       /* which move the end of what weighted multipliers iterate to */
} pairing;

typedef struct tally {
  int n_stable, n_unstable;
} tally;

/* New values that stand inside of a step make inputs of pieces, each a step of the FMU: then derivatives are
 * differences, and one correction differs a little; repeated ones do not. */
static bool is_of_pieces(const char *scheme) {
  const bool has_inner =
      strstr(scheme, "-d-") != NULL || strstr(scheme, "-i-") != NULL || strstr(scheme, "index") != NULL;
  return has_inner && strstr(scheme, "-k2") == NULL && strstr(scheme, "-implicit") == NULL;
}

/* A scheme that amplifies a change of order and tolerance to more than 3e-11 is not stable there; the amplified change
 * bounds how equal two runs can be. */
static void compare_scheme(const cut_model *of, const pairing *pair, const char *scheme, const char *whole,
                           const char *coupled, tally *count) {
  static history native, other, imported;
  seam_error error = {0};
  const seam_status status = take_run(of, whole, scheme, tight, &native, &error);
  if (status == SEAM_BAD_INPUT)
    return;
  const bool ends = status == SEAM_OK && take_run(of, whole, scheme, looser, &other, NULL) == SEAM_OK;
  const double sensitivity = ends ? difference(of, &native, &other) : INFINITY;
  if (!(sensitivity < 3e-11)) {
    count->n_unstable++;
    return;
  }
  count->n_stable++;
  cr_assert_eq(take_run(of, coupled, scheme, tight, &imported, &error), SEAM_OK, "%s: %s", scheme, error.message);
  /* A half with a marker is assembled alone. */
  const double least = pair->by_differences ? 5e-11 : pair->versions[0] == 0 ? 2e-11 : 2e-12;
  const double bound = is_of_pieces(scheme) ? 2e-10 : fmin(1e-10, least + 10 * sensitivity);
  cr_expect_lt(difference(of, &native, &imported), bound, "%s of %s: %g, sensitivity %g", scheme, of->name,
               difference(of, &native, &imported), sensitivity);
}

static bool is_wanted(const pairing *pair, const char *scheme) {
  const bool is_marker = pair->versions[0] == 0; /* which takes forces */
  return strstr(scheme, "projection") == NULL && strstr(scheme, pair->part_of_name) != NULL &&
         (!is_marker || scheme[0] == 'f') && !(pair->by_differences && strstr(scheme, "weighted") != NULL);
}

static bool is_possible(const char *whole, const char *scheme) {
  run trial;
  const bool begins = begin_run(&trial, whole, scheme, tight, NULL);
  end_run(&trial);
  return begins;
}

/* Without SEAM_LONG every eighth scheme has one of three iterations in turn. */
enum { LEFT_OUT = 24 };
static bool is_left(const pairing *pair, size_t scheme, int k) {
  return pair->iterations[2] != NULL && getenv("SEAM_LONG") == NULL && (int)(scheme % LEFT_OUT) != 8 * k;
}

static bool is_left_out(const pairing *pair, size_t scheme) {
  return is_left(pair, scheme, 0) && is_left(pair, scheme, 1) && is_left(pair, scheme, 2);
}

static tally compare(const cut_model *of, const pairing *pair) {
  static const char *const files[N_SIDES] = {"one.fmu", "two.fmu"};
  const char *const paths[N_SIDES] = {pair->versions[0] > 0 ? files[0] : NULL, files[1]};
  seam_scheme_name names[MAX_SCHEMES];
  char whole[TEXT], coupled[TEXT] = "", exported[8] = "";
  tally count = {0};
  const size_t n = seam_scheme_names(of->is_rigid, names, MAX_SCHEMES);
  write_whole(of, whole);
  for (size_t i = 0; i < n; i++) {
    const char *name = names[i].text;
    char ports[8];
    name_ports(name, ports);
    if (!is_wanted(pair, name) || is_left_out(pair, i) || !is_possible(whole, name))
      continue;
    if (strcmp(ports, exported) != 0) {
      snprintf(exported, sizeof exported, "%s", ports);
      for (int side = 0; side < N_SIDES; side++)
        if (paths[side] != NULL)
          export_side(of, whole, side, name, pair->versions[side], paths[side]);
      write_coupled(of, coupled, paths);
    }
    for (int k = 0; pair->iterations[k] != NULL; k++) {
      if (is_left(pair, i, k))
        continue;
      char scheme[64];
      snprintf(scheme, sizeof scheme, "%.31s%s", name, pair->iterations[k]);
      compare_scheme(of, pair, scheme, whole, coupled, &count);
    }
  }
  cr_log_info("%s: %d stable, %d not", of->name, count.n_stable, count.n_unstable);
  return count;
}

/* With derivatives of their own, one correction is the same as well. */
static const pairing both = {{3, 3}, {"", "-implicit", "-explicit"}, "", false};
/* By differences, for FMI 2 on the first side. */
static const pairing older = {{2, 3}, {"-implicit", "-explicit"}, "k1", true};
static const pairing with_marker = {{0, 3}, {"", "-implicit", "-explicit"}, "k1", false};
static const pairing with_older = {{0, 2}, {"-implicit"}, "k1", true};

static void expect_equal(const cut_model *of, const pairing *pair, int least) {
  const tally count = compare(of, pair);
  const bool is_whole = pair->iterations[2] == NULL || getenv("SEAM_LONG") != NULL;
  cr_expect_geq(count.n_stable, is_whole ? least : least / LEFT_OUT, "%d", count.n_stable);
}

Test(round_trip, of_a_bushing) { expect_equal(&bushing, &both, 100); }
Test(round_trip, of_a_fixed_joint) { expect_equal(&fixed, &both, 18); }
Test(round_trip, of_a_revolute_joint) { expect_equal(&pendulum, &both, 45); }

Test(round_trip, in_version_2) {
  expect_equal(&bushing, &older, 4);
  expect_equal(&pendulum, &older, 4);
}

Test(round_trip, with_a_marker_of_the_mechanism) {
  expect_equal(&bushing, &with_marker, 6);
  expect_equal(&fixed, &with_marker, 4);
  expect_equal(&pendulum, &with_older, 2);
}

/* ---- Energies ---- */

/* Runs the file and returns the energy (J) that its coupling of parts, or else that of the mechanism, created. */
static double created(const cut_model *of, const char *text, const char *scheme, bool is_of_parts) {
  run self;
  seam_error error = {0};
  cr_assert(begin_run(&self, text, scheme, tight, &error), "%s: %s", of->name, error.message);
  for (int n = 0; n < 40; n++)
    cr_assert_eq(cosim_advance(self.simulation, 5e-3, &error), SEAM_OK, "%s", error.message);
  const double energy = is_of_parts ? cosim_part_coupling_energy(self.simulation, 0).residual_energy
                                    : cosim_coupling_created(self.simulation, 0);
  end_run(&self);
  return energy;
}

static void expect_same_energy(const cut_model *of, const char *scheme) {
  static const char *const files[N_SIDES] = {"one.fmu", "two.fmu"};
  char whole[TEXT], coupled[TEXT];
  write_whole(of, whole);
  for (int side = 0; side < N_SIDES; side++)
    export_side(of, whole, side, scheme, 3, files[side]);
  write_coupled(of, coupled, files);
  const double expected = created(of, whole, scheme, false);
  const double found = created(of, coupled, scheme, true);
  cr_expect_gt(fabs(expected), 0);
  cr_expect_float_eq(found, expected, 1e-2 * fabs(expected), "%s: %g, %g", scheme, found, expected);
}

Test(round_trip, couplings_create_what_those_of_the_file_do) {
  expect_same_energy(&bushing, "ff-k0-explicit");
  expect_same_energy(&bushing, "fd-k0");
  expect_same_energy(&bushing, "dd-k1-explicit");
  expect_same_energy(&fixed, "ff-baumgarte-k0");
}
