/* `seam draw`. */
#include <criterion/criterion.h>
#include <seam/models.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(draw, .init = enter_scratch, .fini = leave_scratch);

/* ---- XML ---- */

/* Whether every element that opens closes, in order, and attributes are quoted: a check for what Seam writes, with
 * neither comments nor processing instructions. */
static bool is_well_formed(const char *text) {
  const char *open[64];
  size_t depth = 0;
  size_t n_roots = 0;
  while (*text != '\0') {
    if (*text == '&' && strncmp(text, "&amp;", 5) != 0 && strncmp(text, "&lt;", 4) != 0)
      return false;
    if (*text != '<') {
      text++;
      continue;
    }
    const bool closes = text[1] == '/';
    const char *name = text + 1 + closes;
    const size_t length = strcspn(name, " \n/>");
    const char *end = name + length;
    for (bool quoted = false; *end != '\0' && (quoted || *end != '>'); end++) {
      quoted ^= *end == '"';
      if (*end == '<')
        return false;
    }
    if (*end == '\0')
      return false;
    if (closes) {
      if (depth == 0 || strncmp(open[--depth], name, length) != 0 || strcspn(open[depth], " \n/>") != length)
        return false;
    } else if (end[-1] != '/') {
      n_roots += depth == 0;
      if (depth == 64)
        return false;
      open[depth++] = name;
    }
    text = end + 1;
  }
  return depth == 0 && n_roots == 1;
}

Test(draw, the_check_of_xml_can_fail) {
  cr_expect(is_well_formed("<a b=\"1\"><c/>&amp;</a>\n"));
  cr_expect_not(is_well_formed("<a><b></a></b>"));
  cr_expect_not(is_well_formed("<a>&nbsp;</a>"));
  cr_expect_not(is_well_formed("<a b=\"<\"></a>"));
  cr_expect_not(is_well_formed("<a>"));
  cr_expect_not(is_well_formed("<a/><b></b><c></c>"));
}

/* ---- Pictures ---- */

Test(draw, every_model_of_the_catalogue_is_drawn_twice_alike) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    outcome first = SEAM("draw", name);
    outcome second = SEAM("draw", name);
    const bool is_empty = has(first.err, "the model has no bodies, only user equations: nothing to draw");
    cr_expect_eq(first.exit_status, is_empty ? 2 : 0, "%s: %s", name, first.err);
    cr_expect(is_empty || is_well_formed(first.out), "%s", name);
    cr_expect_str_eq(first.out, second.out);
    outcome_free(&first);
    outcome_free(&second);
  }
}
