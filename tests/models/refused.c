/* Bad files, bodies, points and parameters: each kind once, with the whole message it gets. */
#include <criterion/criterion.h>

#include "tests/support/model_reader.h"

/* A test that `text` is refused with exactly `message`. */
#define REFUSED(name, text, message)                                                                                   \
  Test(refused, name) { expect_refused(text, message); }

REFUSED(unknown_key_at_the_top,
        "seam: 1\n"
        "bodys: {a: {mass: 1, inertia: 1}}\n",
        "text.yaml:2:1: error: unknown key 'bodys' in the file\n"
        "bodys: {a: {mass: 1, inertia: 1}}\n"
        "^\n"
        "did you mean 'bodies'?")

REFUSED(unknown_key_in_a_body,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: 1, inertio: 1}\n",
        "text.yaml:3:16: error: unknown key 'inertio' in body 'a'\n"
        "  a: {mass: 1, inertio: 1}\n"
        "               ^\n"
        "did you mean 'inertia'?")

REFUSED(missing_version, "bodies: {a: {mass: 1, inertia: 1}}\n",
        "text.yaml:1:1: error: the file needs 'seam'\n"
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "^\n"
        "begin with 'seam: 2', the version of the format")

REFUSED(other_version, "seam: 3\n",
        "text.yaml:1:7: error: this version of Seam reads files of version 1 and 2, not 3\n"
        "seam: 3\n"
        "      ^\n"
        "write 'seam: 2', or get a newer Seam")

REFUSED(empty_file, "",
        "text.yaml:1:1: error: the file is empty\n"
        "begin with 'seam: 2'")

REFUSED(comment_only, "# nothing\n",
        "text.yaml:1:1: error: the file is empty\n"
        "# nothing\n"
        "^\n"
        "begin with 'seam: 2'")

REFUSED(list_at_the_top, "[1, 2]\n",
        "text.yaml:1:1: error: the file must be a map, but is a list\n"
        "[1, 2]\n"
        "^\n"
        "write '{key: value, ...}', or indented lines 'key: value'")

REFUSED(no_bodies,
        "seam: 1\n"
        "joints: {}\n",
        "text.yaml:1:1: error: the file has no bodies\n"
        "seam: 1\n"
        "^\n"
        "give at least one under 'bodies:'")

REFUSED(missing_mass,
        "seam: 1\n"
        "bodies:\n"
        "  a: {inertia: 1}\n",
        "text.yaml:3:3: error: body 'a' needs 'mass'\n"
        "  a: {inertia: 1}\n"
        "  ^")

REFUSED(negative_mass,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: -1, inertia: 1}\n",
        "text.yaml:3:13: error: 'mass' in body 'a' must be positive, but is -1\n"
        "  a: {mass: -1, inertia: 1}\n"
        "            ^")

REFUSED(zero_mass,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: 1 - 1, inertia: 1}\n",
        "text.yaml:3:13: error: 'mass' in body 'a' must be positive, but is 0\n"
        "  a: {mass: 1 - 1, inertia: 1}\n"
        "            ^\n"
        "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the bodies at its ends")

REFUSED(missing_inertia,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: 1}\n",
        "text.yaml:3:3: error: body 'a' needs 'inertia'\n"
        "  a: {mass: 1}\n"
        "  ^\n"
        "give it, or write 'rod: [P, Q]' for a uniform rod")

REFUSED(not_a_number,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: .nan, inertia: 1}\n",
        "text.yaml:3:13: error: 'mass' in body 'a' must be a finite number\n"
        "  a: {mass: .nan, inertia: 1}\n"
        "            ^")

REFUSED(infinity,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: .inf, inertia: 1}\n",
        "text.yaml:3:13: error: 'mass' in body 'a' must be a finite number\n"
        "  a: {mass: .inf, inertia: 1}\n"
        "            ^")

REFUSED(overflow,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: 1e999, inertia: 1}\n",
        "text.yaml:3:13: error: the number is too large\n"
        "  a: {mass: 1e999, inertia: 1}\n"
        "            ^")

REFUSED(nothing_where_a_number_belongs,
        "seam: 1\n"
        "bodies:\n"
        "  a:\n"
        "    mass:\n"
        "    inertia: 1\n",
        "text.yaml:4:5: error: 'mass' in body 'a' must be a number, but is nothing\n"
        "    mass:\n"
        "    ^")

REFUSED(list_where_a_number_belongs,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: [1], inertia: 1}\n",
        "text.yaml:3:13: error: 'mass' in body 'a' must be a number, but is a list\n"
        "  a: {mass: [1], inertia: 1}\n"
        "            ^")

REFUSED(number_where_a_list_belongs,
        "seam: 1\n"
        "gravity: 9.81\n",
        "text.yaml:2:10: error: 'gravity' in the file must be a list of 2 numbers, but is a number or text\n"
        "gravity: 9.81\n"
        "         ^")

REFUSED(list_of_wrong_length,
        "seam: 1\n"
        "gravity: [0, 0, 9.81]\n",
        "text.yaml:2:10: error: 'gravity' in the file must be a list of 2 numbers, but has 3\n"
        "gravity: [0, 0, 9.81]\n"
        "         ^")

REFUSED(text_where_a_map_belongs,
        "seam: 1\n"
        "bodies: {a: heavy}\n",
        "text.yaml:2:13: error: body 'a' must be a map, but is a number or text\n"
        "bodies: {a: heavy}\n"
        "            ^\n"
        "write '{key: value, ...}', or indented lines 'key: value'")

REFUSED(list_where_a_section_belongs,
        "seam: 1\n"
        "bodies: [a, b]\n",
        "text.yaml:2:9: error: 'bodies' must be a map, but is a list\n"
        "bodies: [a, b]\n"
        "        ^\n"
        "write '{name: value, ...}', or indented lines 'name: value'")

REFUSED(duplicate_key,
        "seam: 1\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 1}\n"
        "  a: {mass: 1, inertia: 1}\n",
        "text.yaml:4:3: error: key 'a' appears twice\n"
        "  a: {mass: 1, inertia: 1}\n"
        "  ^\n"
        "keep one of the two")

REFUSED(ground_as_a_body,
        "seam: 1\n"
        "bodies: {ground: {mass: 1, inertia: 1}}\n",
        "text.yaml:2:10: error: 'ground' is the name of the ground\n"
        "bodies: {ground: {mass: 1, inertia: 1}}\n"
        "         ^\n"
        "choose another name")

REFUSED(bad_name,
        "seam: 1\n"
        "bodies: {my body: {mass: 1, inertia: 1}}\n",
        "text.yaml:2:10: error: 'my body' is not a name\n"
        "bodies: {my body: {mass: 1, inertia: 1}}\n"
        "         ^\n"
        "use letters, digits, _ and -, the first one a letter or _")

REFUSED(unknown_point,
        "seam: 1\n"
        "points: {Peter: [0, 0]}\n"
        "bodies:\n"
        "  a: {rod: [Petra, [1, 0]], mass: 1}\n",
        "text.yaml:4:13: error: unknown point 'Petra' in body 'a'\n"
        "  a: {rod: [Petra, [1, 0]], mass: 1}\n"
        "            ^\n"
        "did you mean 'Peter'?")

REFUSED(rod_without_length,
        "seam: 1\n"
        "bodies:\n"
        "  a: {rod: [[1, 0], [1, 0]], mass: 1}\n",
        "text.yaml:3:12: error: the two points of 'rod' in body 'a' coincide\n"
        "  a: {rod: [[1, 0], [1, 0]], mass: 1}\n"
        "           ^")

REFUSED(rod_with_a_pose,
        "seam: 1\n"
        "bodies:\n"
        "  a: {rod: [[0, 0], [1, 0]], mass: 1, at: [1, 2]}\n",
        "text.yaml:3:39: error: 'rod' gives position and angle of body 'a' already\n"
        "  a: {rod: [[0, 0], [1, 0]], mass: 1, at: [1, 2]}\n"
        "                                      ^\n"
        "remove this key, or 'rod'")

REFUSED(expression_that_does_not_parse,
        "seam: 1\n"
        "parameters: {c: 2*(3 + }\n",
        "text.yaml:2:23: error: expected a number, a name or '(', found the end of the expression\n"
        "parameters: {c: 2*(3 + }\n"
        "                      ^")

REFUSED(division_by_zero,
        "seam: 1\n"
        "parameters: {c: 2, d: 1/(c - 2)}\n",
        "text.yaml:2:24: error: division by zero\n"
        "parameters: {c: 2, d: 1/(c - 2)}\n"
        "                       ^")

REFUSED(unknown_name,
        "seam: 1\n"
        "parameters: {phi1: 1, phi2: \"2*phi1 + ph1\"}\n",
        "text.yaml:2:39: error: unknown name 'ph1'\n"
        "parameters: {phi1: 1, phi2: \"2*phi1 + ph1\"}\n"
        "                                      ^\n"
        "did you mean 'phi1'?")

REFUSED(unknown_function,
        "seam: 1\n"
        "parameters: {c: sine(1)}\n",
        "text.yaml:2:17: error: unknown function 'sine'\n"
        "parameters: {c: sine(1)}\n"
        "                ^\n"
        "did you mean 'sin'?")

REFUSED(cycle,
        "seam: 1\n"
        "parameters:\n"
        "  a: 1\n"
        "  b: a + c\n"
        "  c: 2*d\n"
        "  d: b\n",
        "text.yaml:4:6: error: parameters refer to each other in a circle: b -> c -> d -> b\n"
        "  b: a + c\n"
        "     ^\n"
        "give one of them a number")

REFUSED(parameter_that_names_itself,
        "seam: 1\n"
        "parameters: {a: a + 1}\n",
        "text.yaml:2:17: error: parameters refer to each other in a circle: a -> a\n"
        "parameters: {a: a + 1}\n"
        "                ^\n"
        "give one of them a number")

REFUSED(parameter_with_the_name_of_a_function,
        "seam: 1\n"
        "parameters: {sin: 1}\n",
        "text.yaml:2:14: error: 'sin' is a function or a constant and cannot be a parameter\n"
        "parameters: {sin: 1}\n"
        "             ^\n"
        "choose another name")

REFUSED(parameter_with_the_name_of_a_constant,
        "seam: 1\n"
        "parameters: {pi: 3}\n",
        "text.yaml:2:14: error: 'pi' is a function or a constant and cannot be a parameter\n"
        "parameters: {pi: 3}\n"
        "             ^\n"
        "choose another name")

REFUSED(anchor,
        "seam: 1\n"
        "parameters: {a: &x 1}\n",
        "text.yaml:2:17: error: an anchor (&) is not allowed here\n"
        "parameters: {a: &x 1}\n"
        "                ^\n"
        "write the value itself; if it is meant as text, quote it")

REFUSED(alias,
        "seam: 1\n"
        "parameters: {a: *x}\n",
        "text.yaml:2:17: error: an alias (*) is not allowed here\n"
        "parameters: {a: *x}\n"
        "                ^\n"
        "write the value itself; if it is meant as text, quote it")

REFUSED(tag,
        "seam: 1\n"
        "parameters: {a: !!float 1}\n",
        "text.yaml:2:17: error: a tag (!) is not allowed here\n"
        "parameters: {a: !!float 1}\n"
        "                ^\n"
        "write the value itself; if it is meant as text, quote it")

REFUSED(second_document,
        "seam: 1\n"
        "---\n"
        "seam: 1\n",
        "text.yaml:2:1: error: a second document begins here\n"
        "---\n"
        "^\n"
        "keep one document in a file")

REFUSED(key_that_is_a_list, "[a, b]: 1\n",
        "text.yaml:1:1: error: a key must be plain text\n"
        "[a, b]: 1\n"
        "^\n"
        "write 'key: value'")

REFUSED(open_bracket,
        "seam: 1\n"
        "bodies: {a: {mass: 1\n",
        "text.yaml:3:1: error: not YAML: missing comma in flow mapping\n"
        "check brackets, quotes and indentation here and just before")

REFUSED(indented_next_line,
        "seam: 1\n"
        "parameters:\n"
        "  a: 1\n"
        "    k: 2\n",
        "text.yaml:3:6: error: not YAML: invalid multiline plain key\n"
        "  a: 1\n"
        "     ^\n"
        "the next line is indented further than this one: begin both in the same column")

REFUSED(no_blank_behind_a_colon,
        "seam: 1\n"
        "bodies: {b: {mass:1, inertia: 1}}\n",
        "text.yaml:2:14: error: unknown key 'mass:1' in body 'b'\n"
        "bodies: {b: {mass:1, inertia: 1}}\n"
        "             ^\n"
        "inside {} a blank follows the colon, as in 'mass: 1'")

REFUSED(no_blank_behind_the_colon_of_a_name,
        "seam: 1\n"
        "parameters: {L:1, k: 2}\n",
        "text.yaml:2:14: error: 'L:1' is not a name\n"
        "parameters: {L:1, k: 2}\n"
        "             ^\n"
        "inside {} a blank follows the colon, as in 'mass: 1'")

REFUSED(equals_sign_for_a_colon,
        "seam = 2\n"
        "bodies: {b: {mass: 1, inertia: 1}}\n",
        "text.yaml:1:1: error: not YAML: invalid multiline plain key\n"
        "seam = 2\n"
        "^\n"
        "a key ends with a colon and a blank, as in 'name: value'")

REFUSED(comma_of_a_list,
        "seam: 1\n"
        "bodies: {b: {mass: 1, inertia: 1, at: 0, -0.5}}\n",
        "text.yaml:2:42: error: unknown key '-0.5' in body 'b'\n"
        "bodies: {b: {mass: 1, inertia: 1, at: 0, -0.5}}\n"
        "                                         ^\n"
        "a list needs brackets, as in [1, 2]")

REFUSED(name_with_a_slash,
        "seam: 1\n"
        "name: ../x\n",
        "text.yaml:2:7: error: 'name' must not be empty, begin with a dot or contain a slash\n"
        "name: ../x\n"
        "      ^\n"
        "results are written into a folder of this name")

REFUSED(comma_of_an_expression,
        "seam: 1\n"
        "bodies: {a: {mass: min(1, 2), inertia: 1}}\n",
        "text.yaml:2:27: error: unknown key '2)' in body 'a'\n"
        "bodies: {a: {mass: min(1, 2), inertia: 1}}\n"
        "                          ^\n"
        "an expression with a comma needs quotes inside {} and [], as in \"min(1, t)\"")

REFUSED(commas_of_an_expression,
        "seam: 1\n"
        "bodies: {a: {mass: if(2 > 1, 2, 3), inertia: 1}}\n",
        "text.yaml:2:30: error: unknown key '2' in body 'a'\n"
        "bodies: {a: {mass: if(2 > 1, 2, 3), inertia: 1}}\n"
        "                             ^\n"
        "an expression with a comma needs quotes inside {} and [], as in \"min(1, t)\"")

REFUSED(unit_behind_a_number,
        "seam: 1\n"
        "bodies: {a: {mass: 500 g, inertia: 1}}\n",
        "text.yaml:2:24: error: expected an operator or the end, found 'g'\n"
        "bodies: {a: {mass: 500 g, inertia: 1}}\n"
        "                       ^\n"
        "units are SI and not written: 30 degrees are 30*deg, 100 mm 0.1, 60 rpm 60*2*pi/60")
