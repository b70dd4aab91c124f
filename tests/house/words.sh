#!/bin/sh
# Fails when a term that the field's own has replaced comes back. A line of the list is an extended
# regular expression for whole words, then what to write instead; plain English uses of a word are left alone.
# usage: words.sh (in the root of the tree)
set -eu

list='
mbs_rest_[a-z_]+|mbs_find_rest   mbs_equilibrium_
mbs_measure|mbs_measure_(along|along_body|angle|chord|convection|distance|gap|mesh|rate)   mbs_relative_coordinate
[a-z_]*_instants|get_instant_derivatives|instant derivatives?   feedthrough
n_holds|mbs_is_hold   n_stick_rows, mbs_is_stick_row
cosim_(apply|find)_correction   increment
riders?|[a-z_]+_riders?|riders?_[a-z_]+   extra states
seam_pace|keeps?_the_pace|[a-z_]*_pace   step-size memory
mbs_known|all_known   evaluated state
seam_follow_[a-z]+|SEAM_(NEXT|AGAIN|INSIDE)   NEW_STEP, RETRY, DENSE_OUTPUT
cosim_direction   cosim_seed
drive_column|cosim_drive_column   unknown_ref
cosim_master_turn   begin_next_step
hand_on   publish
felt|feels?   side_wrenches; depend
cosim_(record|sight|point)|of_sights   cosim_snapshot
cosim_account   energy_ledger
cosim_passage   step_interval
cosim_moment|moment_(take|print)   step_end; operating_point
cosim_station|stations?   participant_history
cosim_site|name_(of_)?site|n_sites   signal_port
cosim_tap   probe
far_is_away|is_away|mbs_far_frame   remote
is_told|is_told_[a-z]+|was_told   has_inputs
cosim_nowhere|NO_SUBSYSTEM|[a-z_]+_nowhere   SEAM_NONE
(cosim_|control_)?(foresee|foretell)[a-z_]*|fore(seen|sees|told|tells|saw)   predict, extrapolate
cosim_coupling_choice|cosim_choice|read_choice   coupling_options
composite_part|cosim_composite|wiring_(in_)?composite|create_composite   master_part
cosim_network[a-z_]*   the builder of couplings
mbs_(place|load|constrain|factor)   mbs_stage_kinematics, mbs_stage_forces, mbs_stage_constraints, mbs_stage_factor
kick   velocity_correction
(cosim_)?[a-z_]*_answers?|answers_[a-z_]+   derivatives
user.s parts?   user part
own_(part|system)|one.s own   user-defined, user equations
most_[a-z]+|[A-Z]+_MOST_[A-Z]+   MAX_, capacity
mend|mends|mended|mending   fix
nobody   no one; or say what is missing
tell|tells|told|telling   report, receive, evaluate, know
(is|are|was|were) no (axis|body|bug|coupling|directory|equilibrium|error|input|integral|joint|model|mechanism|name|number|output|parameter|part|place|point|reason|scheme|signal|state|subsystem|[a-z]+ of)   is not a
'

# The words as one expression each; words and their replacements, for the message.
patterns=$(echo "$list" | sed -n 's/^\(.*[^ ]\)   .*$/\1/p' | paste -sd '|')
files=$(find . \( -path './build*' -o -path './.git' -o -path './results' -o -path './tests/data' -o -path './tests/fuzz/corpus' -o -path './tests/house' \) \
  -prune -o \( -name '*.[ch]' -o -name '*.md' -o -name '*.yaml' -o -name '*.sh' -o -name '*.py' -o -name '*.gp' -o -name 'CMakeLists.txt' \) \
  ! -name CHANGELOG.md -print)
# shellcheck disable=SC2086 # a list of files without spaces
found=$(grep -nwE "$patterns" $files | grep -vE 'there (is|are|was|were) no ' || true)
[ -n "$found" ] || exit 0
echo "$found"
echo "$list" | while read -r line; do
  pattern=${line%%   *}
  if [ -n "$pattern" ] && echo "$found" | grep -qwE "$pattern"; then echo "instead of $pattern: ${line#*   }"; fi
done
exit 1
