/* CRC-64 of ECMA-182 in the reflected form of the XZ format (generator 0x42f0e1eba9ea3693). It detects all errors of
 * one or two bits and all bursts of up to 64 bits. It misses one in 2^64 of other errors. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Appends `data` to a sequence of bytes with the checksum `sum` (0: it is empty); returns the new checksum. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t size);

#endif
