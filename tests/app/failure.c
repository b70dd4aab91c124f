/* Notes on stderr. */
#include "app/failure.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/command.h"

TestSuite(failure, .init = enter_scratch, .fini = leave_scratch);

Test(failure, a_note_of_several_runs_is_printed_once) {
  const int terminal = dup(STDERR_FILENO);
  const int file = open("notes", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  cr_assert(terminal >= 0 && dup2(file, STDERR_FILENO) >= 0);
  for (int run = 0; run < 3; run++) {
    print_note(NULL, "of the whole");
    print_note(NULL, "of a part");
  }
  dup2(terminal, STDERR_FILENO);
  close(terminal);
  close(file);
  char *text = read_text("notes");
  cr_expect_str_eq(text, "note: of the whole\nnote: of a part\n");
  free(text);
}
