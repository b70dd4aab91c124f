/* The image of an integrator: a head that is checked, times, the block of the method, and a checksum. */
#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/checksum.h"
#include "mbs/integrator_internal.h"

enum { image_magic = 0x5ea3401, image_version = 8 };

typedef struct image_head {
  uint32_t magic, version, method, order;
  uint64_t n_bodies, n_rows, n_extra, model, size;
} image_head;

static image_head head_of(const mbs_integrator *self) {
  return (image_head){.magic = image_magic,
                      .version = image_version,
                      .method = self->method,
                      .order = self->order,
                      .n_bodies = (uint64_t)self->model->n_bodies,
                      .n_rows = (uint64_t)self->model->n_rows,
                      .n_extra = self->n_extra,
                      .model = self->model->fingerprint,
                      .size = mbs_integrator_image_size(self)};
}

/* After the head. */
typedef struct image_times {
  mbs_times times;
  double smooth_from, reached;
} image_times;

size_t mbs_integrator_image_size(const mbs_integrator *self) {
  const size_t added = sizeof(image_head) + sizeof(image_times) + sizeof(uint64_t);
  return self == NULL ? 0 : seam_integrator_image_size(self->integrator) + added;
}

/* Of all that is before it. */
static uint64_t checksum_of(const void *image, size_t size) { return checksum_add(0, image, size - sizeof(uint64_t)); }

void mbs_integrator_save(const mbs_integrator *self, void *image) {
  if (self == NULL || image == NULL)
    return;
  const image_head head = head_of(self);
  const image_times when = {self->times, self->ws->smooth.from, self->reached};
  memcpy(image, &head, sizeof head);
  memcpy((char *)image + sizeof head, &when, sizeof when);
  seam_integrator_save(self->integrator, (char *)image + sizeof head + sizeof when);
  const uint64_t sum = checksum_of(image, head.size);
  memcpy((char *)image + head.size - sizeof sum, &sum, sizeof sum);
}

seam_status mbs_integrator_restore(mbs_integrator *self, const void *image, size_t size, seam_error *error) {
  ARGUMENTS(error, self, image);
  image_head expected = head_of(self);
  image_head saved = {0};
  uint64_t sum = 0;
  if (size == expected.size) {
    memcpy(&saved, image, sizeof saved);
    memcpy(&sum, (const char *)image + size - sizeof sum, sizeof sum);
  }
  expected.n_extra = saved.n_extra;
  if (memcmp(&saved, &expected, sizeof expected) != 0 || saved.n_extra > self->extra.n)
    return seam_fail(error, SEAM_BAD_STATE,
                     "the saved state belongs to another model, method or version of Seam: save it again");
  if (sum != checksum_of(image, size))
    return seam_fail(error, SEAM_BAD_STATE, "the saved state is damaged: save it again");
  image_times when;
  memcpy(&when, (const char *)image + sizeof expected, sizeof when);
  const seam_status status =
      seam_integrator_restore(self->integrator, (const char *)image + sizeof expected + sizeof when, error);
  self->reached = status == SEAM_OK ? when.reached : NAN;
  if (status != SEAM_OK)
    return status;
  self->n_extra = (size_t)saved.n_extra;
  self->times = when.times;
  self->watcher.seen = NAN;
  self->ws->smooth.from = when.smooth_from;
  self->ws->smooth.to = when.times.next.before;
  return SEAM_OK;
}
