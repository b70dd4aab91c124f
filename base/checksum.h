/* CRC-64 of ECMA-182 in the reflected form of the XZ format (generator 0x42f0e1eba9ea3693): finds every error of one or
 * two bits, every burst of up to 64 bits, and others but for one in 2^64. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of some bytes, with the sum of those before them; 0: there are none. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t size);

#endif
