/* States, workspaces, builders and linearisations of the engine for tests. Where memory is exhausted the test fails. */
#ifndef TESTS_SUPPORT_ENGINE_H
#define TESTS_SUPPORT_ENGINE_H

#include <criterion/criterion.h>

#include "mbs/dynamics/linearised.h"

static inline mbs_builder *new_builder(void) {
  mbs_builder *builder = NULL;
  cr_assert_eq(mbs_builder_create(&builder, NULL), SEAM_OK);
  return builder;
}

static inline mbs_state *new_state(const mbs_model *model) {
  mbs_state *state = NULL;
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  return state;
}

static inline mbs_workspace *new_workspace(const mbs_model *model) {
  mbs_workspace *workspace = NULL;
  cr_assert_eq(mbs_workspace_create(model, &workspace, NULL), SEAM_OK);
  return workspace;
}

static inline mbs_linearised *new_linearised(const mbs_model *model) {
  mbs_linearised *linear = NULL;
  cr_assert_eq(mbs_linearised_create(model, &linear, NULL), SEAM_OK);
  return linear;
}

#endif
