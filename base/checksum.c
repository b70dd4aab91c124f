/* Processes four bits at a time. The table has the remainder of each four-bit value after division by the generator. */
#include "base/checksum.h"

static const uint64_t remainders[16] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x7d9ba13851336649), UINT64_C(0xfb374270a266cc92),
    UINT64_C(0x86ace348f355aadb), UINT64_C(0x64b62bcaebc387a1), UINT64_C(0x192d8af2baf0e1e8),
    UINT64_C(0x9f8169ba49a54b33), UINT64_C(0xe21ac88218962d7a), UINT64_C(0xc96c5795d7870f42),
    UINT64_C(0xb4f7f6ad86b4690b), UINT64_C(0x325b15e575e1c3d0), UINT64_C(0x4fc0b4dd24d2a599),
    UINT64_C(0xadda7c5f3c4488e3), UINT64_C(0xd041dd676d77eeaa), UINT64_C(0x56ed3e2f9e224471),
    UINT64_C(0x2b769f17cf112238),
};

uint64_t checksum_add(uint64_t sum, const void *data, size_t size) {
  const unsigned char *byte = data;
  sum = ~sum;
  for (size_t i = 0; i < size; i++) {
    sum ^= byte[i];
    sum = sum >> 4 ^ remainders[sum & 15];
    sum = sum >> 4 ^ remainders[sum & 15];
  }
  return ~sum;
}
