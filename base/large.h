/* Memory of large arrays. */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stddef.h>

/* As calloc(); free with free(). Large arrays use large pages if the system has them: sweeps over all of them take a
 * tenth less time. */
void *large_calloc(size_t n, size_t size);

#endif
