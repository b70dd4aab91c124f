/* `seam schema`. tests/models/schema.py compares it with what is read. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/json.h"
#include "tests/support/command.h"

TestSuite(schema, .init = enter_scratch, .fini = leave_scratch);

Test(schema, keys_have_their_meaning_and_unit) {
  outcome result = SEAM("schema");
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  cr_expect_eq(result.exit_status, 0);
  cr_assert(json_parse(result.out, &memory, &root, &failure));
  const json_node *bushing = json_get(json_get(root, "definitions"), "force_bushing");
  const json_node *meaning = json_get(json_get(json_get(bushing, "properties"), "angle"), "description");
  cr_assert_not_null(meaning);
  cr_expect_str_eq(meaning->text, "angle without load; default: the initial one [rad]");
  const json_node *required = json_get(bushing, "required");
  cr_assert_not_null(required);
  cr_expect_str_eq(required->first->text, "type");
  const json_node *others = json_get(bushing, "additionalProperties");
  cr_assert(others != NULL && others->text != NULL);
  cr_expect_str_eq(others->text, "false");
  arena_release(&memory);
  outcome_free(&result);
}

/* A softer law than a linear one has no tangent at the first touch. */
Test(schema, exponents_of_contacts_and_stops_begin_at_one) {
  static const char *const types[] = {"force_contact", "force_stop"};
  outcome result = SEAM("schema");
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  cr_assert(json_parse(result.out, &memory, &root, &failure));
  for (size_t i = 0; i < 2; i++) {
    const json_node *of = json_get(json_get(json_get(root, "definitions"), types[i]), "properties");
    const json_node *number = json_get(json_get(of, "exponent"), "anyOf");
    cr_assert(number != NULL && number->first != NULL, "%s", types[i]);
    cr_expect_null(json_get(number->first, "exclusiveMinimum"));
    const json_node *least = json_get(number->first, "minimum");
    cr_expect(least != NULL && least->number == 1, "%s", types[i]);
  }
  arena_release(&memory);
  outcome_free(&result);
}

Test(schema, takes_no_model) {
  outcome result = SEAM("schema", "swing.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "usage: seam schema"), "%s", result.err);
  outcome_free(&result);
}
