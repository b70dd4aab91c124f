#ifndef COSIM_LINEAR_PART_H
#define COSIM_LINEAR_PART_H
#include <seam/cosim.h>
#endif
