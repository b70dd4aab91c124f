#include "mbs/model/model.h"

const mbs_joint_type *mbs_joint_type_of(const mbs_joint_def *def) {
  static const mbs_joint_type *const rows[] = {
#define MBS_JOINT_ROW(kind, name) &mbs_joint_##name,
      MBS_JOINT_TABLE(MBS_JOINT_ROW)};
  const mbs_joint_type *row = rows[def->kind];
  return row->choose != NULL ? row->choose(def) : row;
}

const mbs_force_type *mbs_force_kind_row(mbs_force_kind kind) {
  static const mbs_force_type *const rows[] = {
#define MBS_FORCE_ROW(kind, name) &mbs_force_##name,
      MBS_FORCE_TABLE(MBS_FORCE_ROW)};
  return rows[kind];
}
