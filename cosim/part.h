/* What the master does with a part. */
#ifndef COSIM_PART_H
#define COSIM_PART_H

#include <seam/cosim.h>

static inline bool cosim_part_can_go_back(const cosim_part *self) { return self->ops->restore != NULL; }

static inline void cosim_part_destroy(cosim_part *self) {
  if (self != NULL)
    self->ops->destroy(self);
}

#endif
