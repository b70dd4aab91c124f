#!/bin/bash
# Completion as the shells do it: bash's function is called with the words that readline makes of a line (it breaks them
# at '='), zsh's with keys on a terminal of its own.
# usage: completion.sh SEAM
set -u
seam=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir results
touch swing.yaml 'a crane.yaml'
# shellcheck disable=SC1090
source <("$seam" completion bash)
failed=0

# WANTED WORD...: the last word is completed; what is wanted stands between spaces, "..." at its end: and more.
completes() {
  local wanted=$1 found
  COMP_WORDS=("${@:2}")
  COMP_CWORD=$(($# - 2))
  COMPREPLY=()
  "$(complete -p seam | sed 's/.*-F \([^ ]*\) .*/\1/')" seam "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  found="${COMPREPLY[*]}"
  [[ $wanted == *... && $found == "${wanted%...}"* ]] && return
  [[ $found == "$wanted" ]] && return
  echo "'${*:2}' is completed by '$found' where '$wanted' is wanted"
  failed=1
}

PATH=$(dirname "$seam"):$PATH
mkdir results/swing
printf 'time,disc.x,disc.y\n0,0,0\n' >results/swing/trajectory.csv

completes 'check draw animate run ...' seam ''
completes 'compare converge completion' seam co
completes '--help --version' seam --
completes 'point map model --help' seam stability ''
completes 'static stability' seam help sta
completes 'map model' seam help stability m
completes '--end' seam run --en
completes '--output-step --order' seam run swing.yaml --o
completes '--corrected' seam stability point --model mbcorr --co
completes 'rk2 rk4' seam run swing.yaml --integrator rk
completes 'rk2 rk4' seam run swing.yaml --integrator = rk
completes 'erk radau ida ...' seam run swing.yaml --integrator =
completes 'ff-index2-k0 ff-index2-k1 ff-index2-k2' seam run --scheme ff-index2
completes 'ff-k0,fd-d-k0 ff-k0,fd-d-k1 ff-k0,fd-d-k2' seam compare x --schemes ff-k0,fd-d
completes 'all' seam compare x --schemes a
completes 'csv,npy' seam run x --format csv,n
completes 'exact raise' seam converge x --history ''
completes 'four_bar_bushing four_bar_fixed' seam run four
completes 'squeezer' seam check sq
completes 'swing.yaml' seam check swi
completes 'a crane.yaml' seam run --quiet 'a c'
completes 'results' seam run x -o r
completes 'results' seam plot ''
completes 'disc.x disc.y' seam plot results/swing disc
completes 'four_bar_bushing four_bar_fixed' seam models four
completes 'bash zsh fish' seam completion ''
completes '' seam run x --end ''
completes '' seam run x --quiet --set para

if command -v fish >/dev/null; then
  "$seam" completion fish >seam.fish
  # WANTED LINE: all that fish offers behind the line, without descriptions.
  offers() {
    local found
    found=$(HOME=$PWD fish --no-config -c "source seam.fish; complete -C '$2'" | cut -f 1 | tr '\n' ' ')
    [[ " $found" == *" $1 "* ]] && return
    echo "'$2' is completed by '$found' in fish where '$1' is wanted"
    failed=1
  }
  offers 'converge' 'seam conv'
  offers 'map' 'seam stability '
  offers '--end' 'seam run --en'
  offers 'rk2 rk4' 'seam run --integrator rk'
  offers 'ff-k0,fd-d-k0 ff-k0,fd-d-k1 ff-k0,fd-d-k2' 'seam compare x --schemes ff-k0,fd-d'
  offers 'four_bar_bushing four_bar_fixed' 'seam models four'
  offers 'swing.yaml' 'seam check swi'
  offers 'disc.x disc.y' 'seam plot results/swing disc'
fi

if ! command -v zsh >/dev/null; then
  echo 'zsh is missing: its script is not tried'
  exit $failed
fi
mkdir functions
"$seam" completion zsh >functions/_seam
zsh -n functions/_seam || failed=1
# LINE WANTED: pressing Tab behind the line shows or completes what is wanted.
cat >pressed.zsh <<'ZSH'
zmodload zsh/zpty
zpty keys zsh -f -i
zpty -w keys "PS1='>' COLUMNS=200 LINES=500; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -C -d $PWD/known; zstyle ':completion:*' list-prompt ''; LISTMAX=1000; print read''y"
zpty -r keys text '*ready*'
zpty -w -n keys "$1"$'\t\t'
zpty -w -n keys $'\C-a print \'<\' \C-e \'>do\'\'ne\'\n'
zpty -r keys text '*>done*'
print -r -- $text
ZSH
presses() {
  local text
  text=$(zsh -f pressed.zsh "$1" | tr -d '\r')
  grep -qF -e "$2" <<<"$text" && return
  echo "'$2' is not what zsh shows behind '$1': $text"
  failed=1
}
presses 'seam con' 'seam converge'
presses 'seam stability ' 'rho over a grid of two parameters'
presses 'seam run --integ' 'seam run --integrator'
presses 'seam run --integrator=ra' 'radau'
presses 'seam run --integrator rk' 'rk4'
presses 'seam compare x --schemes ff-k0,fd-d-k' 'fd-d-k2'
presses 'seam models four_bar_b' 'four_bar_bushing'
presses 'seam check sw' 'swing.yaml'
presses 'seam plot results/swing disc' 'disc.y'
presses 'seam run --cos' '--cosim'
exit $failed
