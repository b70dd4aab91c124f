/* A mistake on purpose: two threads write one number. */
#include <pthread.h>

static int number;

static void *write_number(void *unused) {
  (void)unused;
  number++;
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, write_number, NULL) != 0)
    return 0;
  write_number(NULL);
  pthread_join(other, NULL);
  return 0;
}
