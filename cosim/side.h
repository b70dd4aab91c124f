#ifndef COSIM_SIDE_H
#define COSIM_SIDE_H
#include <seam/cosim.h>
#endif
