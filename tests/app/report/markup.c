/* Texts of others become neither markup nor scripts nor words of a shell. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/markup.h"

typedef struct written {
  FILE *file;
  char *text;
  size_t size;
} written;

static FILE *start(written *self) {
  self->file = open_memstream(&self->text, &self->size);
  cr_assert_not_null(self->file);
  return self->file;
}

static void expect(written *self, const char *text) {
  fclose(self->file);
  cr_expect_str_eq(self->text, text);
  free(self->text);
}

/* RFC 4648, section 10. */
Test(markup, base64_is_that_of_the_standard) {
  static const char *const vectors[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    written out;
    base64_write(start(&out), vectors[i][0], strlen(vectors[i][0]));
    expect(&out, vectors[i][1]);
  }
  written out;
  base64_write(start(&out), "\xff\xef\xfb", 3);
  expect(&out, "/+/7");
}

/* More than what is gathered at once. */
Test(markup, long_base64_has_four_letters_for_three_bytes) {
  static unsigned char zeros[30002];
  written out;
  base64_write(start(&out), zeros, sizeof zeros);
  fclose(out.file);
  cr_expect_eq(out.size, (sizeof zeros + 2) / 3 * 4);
  cr_expect_eq(strspn(out.text, "A"), out.size - 1);
  free(out.text);
}

Test(markup, text_becomes_no_markup) {
  written out;
  markup_text(start(&out), "</script><b a=\"1\" c='2'>&amp;\t\xc2\xb5\n");
  expect(&out, "&lt;/script&gt;&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\t\xc2\xb5\n");
}

Test(markup, control_characters_and_torn_letters_are_replaced) {
  written out;
  markup_text(start(&out), "a\x01\xff\xe2\x82z\r\n");
  expect(&out, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\n");
  markup_bytes(start(&out), "\xe2\x82\xac<\xe2\x82\xac", 6);
  expect(&out, "\xe2\x82\xac&lt;\xef\xbf\xbd\xef\xbf\xbd");
}

Test(markup, json_cannot_end_its_script) {
  static const char json[] = "{\"a\": \"</script><!--\"}";
  written out;
  markup_json(start(&out), json, strlen(json));
  expect(&out, "{\"a\": \"\\u003c/script>\\u003c!--\"}");
}

Test(markup, numbers_that_are_none_say_so) {
  written out;
  markup_number(start(&out), 0.00012345);
  expect(&out, "0.000123");
  markup_number(start(&out), NAN);
  expect(&out, "not finite");
}

Test(markup, words_of_a_shell_are_quoted_where_they_must_be) {
  written out;
  FILE *file = start(&out);
  markup_argument(file, "results/a-b_1.csv");
  fputc(' ', file);
  markup_argument(file, "a b$(c)");
  fputc(' ', file);
  markup_argument(file, "it's");
  fputc(' ', file);
  markup_argument(file, "");
  expect(&out, "results/a-b_1.csv &#39;a b$(c)&#39; &#39;it&#39;\\&#39;&#39;s&#39; &#39;&#39;");
}

static void write_name(FILE *file, const void *context) { fputs(context, file); }

/* What a slot writes is no template. */
Test(markup, templates_are_filled_once) {
  static const markup_slot slots[] = {{"name", write_name, NULL}};
  written out;
  markup_fill(start(&out), "<@{name}> @ {x} @{name}@{unknown}.", slots, 1, "@{name}");
  expect(&out, "<@{name}> @ {x} @{name}.");
}
