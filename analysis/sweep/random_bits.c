/* The ten rounds change the four words of the counter. A round multiplies words 0 and 2 by the constants M. The lower
 * half of each product becomes a word. The upper half becomes another word, after exclusive or with word 1 or 3 and
 * with a word of the key. After each round the constants W are added to the key (Weyl sequences). */
#include "analysis/sweep/random_bits.h"

enum { N_ROUNDS = 10 };
static const uint32_t M[2] = {0xD2511F53U, 0xCD9E8D57U}, W[2] = {0x9E3779B9U, 0xBB67AE85U};

static random_bits mix(random_bits x, const uint32_t key[2]) {
  const uint64_t product[2] = {(uint64_t)M[0] * x.word[0], (uint64_t)M[1] * x.word[2]};
  return (random_bits){{(uint32_t)(product[1] >> 32) ^ x.word[1] ^ key[0], (uint32_t)product[1],
                        (uint32_t)(product[0] >> 32) ^ x.word[3] ^ key[1], (uint32_t)product[0]}};
}

random_bits random_bits_at(random_bits counter, uint64_t key) {
  uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  for (int round = 0; round < N_ROUNDS; round++) {
    counter = mix(counter, k);
    k[0] += W[0];
    k[1] += W[1];
  }
  return counter;
}
