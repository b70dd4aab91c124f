/* Symbols, units and names in gnuplot's enhanced mode. */
#include "app/plots/label.h"

#include <criterion/criterion.h>
#include <string.h>

Test(label, symbols_of_quantities) {
  static const struct {
    const char *element, *quantity, *text;
  } cases[] = {
      {"bar1", "phi", "{/:Italic φ}_{bar1}"},
      {"", "phi", "{/:Italic φ}"},
      {"left_arm", "vx", "{/:Italic v}_{x, left\\_arm}"},
      {"M", "gdd_phi", "{/:Italic g\u0308}_{φ, M}"},
      {"time", "", "{/:Italic t}"},
      {"energy", "kinetic", "{/:Italic E}_{kinetic}"},
      {"bar1", "kinetic", "{/:Italic E}_{kinetic, bar1}"},
      {"M", "created_energy", "created energy of M"},
      {"tyre_force", "", "tyre\\_force"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    label text = {""};
    label_add_symbol(&text, cases[i].element, cases[i].quantity);
    cr_expect_str_eq(text.text, cases[i].text);
  }
}

Test(label, units_and_numbers) {
  label text = {""};
  label_add(&text, "a");
  label_add_unit(&text, "rad/s2");
  label_add_unit(&text, "Nm");
  label_add_unit(&text, "");
  label_add_number(&text, -0.123456);
  cr_expect_str_eq(text.text, "a / (rad/s^2) / N m−0.1235");
}

/* A text that is too long is cut, and nothing is written behind it. */
Test(label, long_texts) {
  label text = {""};
  for (int i = 0; i < 1000; i++)
    label_add(&text, "{name}_");
  cr_expect_eq(strlen(text.text), LABEL_SIZE - 1);
}
