#compdef seam
# Completion of seam for zsh; 'seam completion zsh' prints it.
local -a given=("${(@Q)words[2,CURRENT-1]}") found
! compset -P '--*=' || given+=("${IPREFIX%=}")
found=("${(@f)$(${~words[1]} --complete "$given[@]" "${(Q)PREFIX}" 2>/dev/null)}")
local kind=$found[1]
found=("${(@)found[2,-1]//:/\\:}")
found=("${(@)${(@)found/$'\t'/:}%:}")
case $kind in
  files) _describe seam found; _files ;;
  folders) _describe seam found; _files -/ ;;
  list) _describe seam found -qS, ;;
  *) _describe seam found ;;
esac
