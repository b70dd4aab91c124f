/* Memory of large arrays. */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stddef.h>

/* Does the same as calloc(); free the array with free(). Large arrays use huge pages if the system has them. A pass
 * over such an array then takes a tenth less time. */
void *large_calloc(size_t n, size_t size);

#endif
