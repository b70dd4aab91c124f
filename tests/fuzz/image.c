/* Fuzz target: an image with any numbers in it, under a right checksum, is refused, or the run goes on from it or ends
 * with a message. The first byte chooses an engine; ten bytes each replace a number: its place (2), its bytes (8). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <seam/cosim.h>
#include <seam/models.h>

#include "base/checksum.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { n_engines = 4, PATCH = 10, MAX_STEPS = 200 };
static const double step = 1e-3; /* s */

typedef struct engine {
  cosim_simulation *simulation; /* NULL: */
  mbs_integrator *integrator;
  mbs_state *state;
  void *image; /* after some steps */
  size_t size;
} engine;

static void expect(seam_status status) {
  if (status != SEAM_OK)
    abort();
}

static bool stop_after_some(void *context, double t) {
  (void)t;
  return ++*(int *)context > MAX_STEPS;
}

/* A co-simulation of the four bars by a scheme. */
static void create_simulation(engine *self, const seam_model_file *file, const char *scheme) {
  cosim_builder *builder = NULL;
  expect(cosim_builder_copy(seam_model_cosim(file), &builder, NULL));
  expect(cosim_use_scheme(builder, scheme, NULL));
  expect(cosim_create(builder, &self->simulation, NULL));
  cosim_builder_destroy(builder);
  expect(cosim_start(self->simulation, self->state, NULL));
  for (int i = 0; i < 4; i++)
    expect(cosim_advance(self->simulation, step, NULL));
  self->size = cosim_image_size(self->simulation);
  self->image = malloc(self->size);
  cosim_save(self->simulation, self->image);
}

static void create_integrator(engine *self, const mbs_model *model, const char *method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  expect(mbs_integrator_create(model, &options, &self->integrator, NULL));
  expect(mbs_integrator_start(self->integrator, self->state, NULL));
  expect(mbs_integrator_advance(self->integrator, 4 * step, self->state, NULL));
  self->size = mbs_integrator_image_size(self->integrator);
  self->image = malloc(self->size);
  mbs_integrator_save(self->integrator, self->image);
}

/* The model lives as long as the process. */
static engine create(int kind) {
  static const char *const names[n_engines] = {"ff-k2", "fd-k1-exchange", "erk", "radau"};
  const char *text = seam_catalogue_text("four_bar_bushing");
  static seam_model_file *file;
  engine self = {0};
  mbs_workspace *workspace = NULL;
  if (file == NULL)
    expect(seam_model_file_parse("fuzz", text, strlen(text), NULL, 0, &file, NULL));
  const mbs_model *model = seam_model_mechanism(file);
  expect(mbs_workspace_create(model, &workspace, NULL));
  expect(mbs_state_create(model, &self.state, NULL));
  expect(mbs_assemble(workspace, self.state, NULL, NULL, NULL));
  mbs_workspace_destroy(workspace);
  if (kind < 2)
    create_simulation(&self, file, names[kind]);
  else
    create_integrator(&self, model, names[kind]);
  return self;
}

static void go_on(engine *self, const void *image) {
  int count = 0;
  if (self->simulation != NULL) {
    if (cosim_restore(self->simulation, image, self->size, NULL) == SEAM_OK)
      cosim_advance(self->simulation, step, NULL);
    expect(cosim_restore(self->simulation, self->image, self->size, NULL));
    return;
  }
  mbs_integrator_set_interrupt(self->integrator, stop_after_some, &count);
  if (mbs_integrator_restore(self->integrator, image, self->size, NULL) == SEAM_OK)
    mbs_integrator_advance(self->integrator, 5 * step, self->state, NULL);
  expect(mbs_integrator_restore(self->integrator, self->image, self->size, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static engine engines[n_engines];
  if (size == 0)
    return 0;
  engine *self = &engines[data[0] % n_engines];
  if (self->image == NULL)
    *self = create(data[0] % n_engines);
  char *image = malloc(self->size);
  if (image == NULL)
    return 0;
  memcpy(image, self->image, self->size);
  const size_t n_numbers = self->size / sizeof(double) - 1; /* but the checksum */
  for (size_t at = 1; at + PATCH <= size; at += PATCH) {
    const size_t place = (size_t)(data[at] | data[at + 1] << 8) % n_numbers;
    memcpy(image + place * sizeof(double), data + at + 2, sizeof(double));
  }
  const uint64_t sum = checksum_add(0, image, self->size - sizeof sum);
  memcpy(image + self->size - sizeof sum, &sum, sizeof sum);
  go_on(self, image);
  free(image);
  return 0;
}
