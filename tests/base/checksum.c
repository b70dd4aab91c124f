/* The checksum is that of the XZ format, whole or in pieces, and finds damage that adds up to nothing elsewhere. */
#include "base/checksum.h"

#include <criterion/criterion.h>
#include <string.h>

Test(checksum, its_check_value_is_that_of_the_format) {
  cr_expect_eq(checksum_add(0, "123456789", 9), UINT64_C(0x995dc9bbdf1939fa));
  cr_expect_eq(checksum_add(0, "", 0), 0);
}

Test(checksum, pieces_add_up_to_the_whole) {
  static const char text[] = "time,bar1.x,bar1.y";
  const size_t size = sizeof text;
  for (size_t cut = 0; cut <= size; cut++)
    cr_expect_eq(checksum_add(checksum_add(0, text, cut), text + cut, size - cut), checksum_add(0, text, size));
}

/* Two signs of doubles, say. */
Test(checksum, every_pair_of_flipped_bits_is_found) {
  enum { size = 40 };
  unsigned char bytes[size];
  for (int i = 0; i < size; i++)
    bytes[i] = (unsigned char)(37 * i);
  const uint64_t sum = checksum_add(0, bytes, size);
  for (int i = 0; i < 8 * size; i++)
    for (int j = i + 1; j < 8 * size; j++) {
      bytes[i / 8] ^= (unsigned char)(1 << i % 8);
      bytes[j / 8] ^= (unsigned char)(1 << j % 8);
      cr_assert_neq(checksum_add(0, bytes, size), sum, "bits %d and %d", i, j);
      bytes[i / 8] ^= (unsigned char)(1 << i % 8);
      bytes[j / 8] ^= (unsigned char)(1 << j % 8);
    }
}
