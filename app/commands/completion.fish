# Completion of seam for fish; 'seam completion fish' prints it.
function __seam
  set -l given (commandline -opc)
  set -l word (commandline -ct)
  set -l before (string match -r '^--[^=]*=' -- $word) # of --name=VALUE
  if set -q before[1]
    set -a given (string trim -rc = -- $before)
    set word (string sub -s (math 1 + (string length -- $before)) -- $word)
  end
  type -q $given[1]; or return
  set -l found ($given[1] --complete $given[2..] "$word" 2>/dev/null)
  switch "$found[1]"
    case files
      set -a found (__fish_complete_path $word)
    case folders
      set -a found (__fish_complete_directories $word)
  end
  printf '%s\n' "$before"$found[2..]
end
complete -c seam -f -a '(__seam)'
