#include "base/powers_of_ten.h"

const power_of_ten powers_of_ten[] = {
#include "base/powers_of_ten.inc"
};
