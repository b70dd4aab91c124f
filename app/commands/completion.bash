# Completion of seam for bash; 'seam completion bash' prints it.
_seam() {
  local word=${COMP_WORDS[COMP_CWORD]} given=() kind found
  for found in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $found == '=' ]] || given+=("$found") # bash breaks --name=VALUE at '='
  done
  [[ $word != '=' ]] || { word='' && given+=(''); }
  COMPREPLY=()
  {
    read -r kind
    while IFS=$'\t' read -r found _; do
      [[ $found != "$word"* ]] || COMPREPLY+=("$found")
    done
  } < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${given[@]}" 2>/dev/null)
  case $kind in
    files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
    folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
    list) compopt -o nospace 2>/dev/null ;;
  esac
  [[ $kind != f* ]] || compopt -o filenames 2>/dev/null
}
complete -F _seam seam
