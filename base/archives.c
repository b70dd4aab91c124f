/* Defines symbols that Debian's static archives lack. A shared library made from them then needs no libgfortran, MPI or
 * OpenMP.
 *
 * libfyaml, SuiteSparse and BLAS are not position-independent, so they cannot refer to variables of libc. The linker
 * (--wrap) replaces stdin, stdout and stderr by the variables below. LAPACK's messages need libgfortran, which is not
 * position-independent either; xerbla_() below replaces them. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern FILE *real_stdin __asm__("__real_stdin");
extern FILE *real_stdout __asm__("__real_stdout");
extern FILE *real_stderr __asm__("__real_stderr");

FILE *wrapped_stdin __asm__("__wrap_stdin");
FILE *wrapped_stdout __asm__("__wrap_stdout");
FILE *wrapped_stderr __asm__("__wrap_stderr");

__attribute__((constructor)) static void take_streams(void) {
  wrapped_stdin = real_stdin;
  wrapped_stdout = real_stdout;
  wrapped_stderr = real_stderr;
}

/* LAPACK calls this for a wrong argument; only an error in Seam can cause one. Aborts like LAPACK's own xerbla(). */
void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length) {
  fprintf(stderr, "LAPACK: argument %d of %.*s is wrong\n", *argument, (int)length, name);
  abort();
}

/* SUNDIALS 7 refers to MPI, and SuiteSparse 7 to OpenMP's clock. Seam calls neither, so these definitions only satisfy
 * the linker. Only the address of the null communicator is used, for comparisons. */
#define NEVER_CALLED(name)                                                                                             \
  void name(void);                                                                                                     \
  void name(void) { abort(); }
NEVER_CALLED(MPI_Comm_dup)
NEVER_CALLED(MPI_Comm_free)
NEVER_CALLED(MPI_Comm_rank)
NEVER_CALLED(omp_get_wtime)
#undef NEVER_CALLED
const char ompi_mpi_comm_null = 0;

/* Implements Fortran's a // b: writes both texts into `size` characters. */
void concatenate(size_t size, char *to, size_t n_a, const char *a, size_t n_b,
                 const char *b) __asm__("_gfortran_concat_string");
void concatenate(size_t size, char *to, size_t n_a, const char *a, size_t n_b, const char *b) {
  const size_t first = n_a < size ? n_a : size;
  const size_t second = n_b < size - first ? n_b : size - first;
  memset(to, ' ', size);
  memcpy(to, a, first);
  memcpy(to + first, b, second);
}
