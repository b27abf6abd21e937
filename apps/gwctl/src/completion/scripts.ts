import type { Shell } from './shells.ts';

/**
 * What each shell runs at start-up. On a tab it asks `gwctl __complete WORDS`, which prints a candidate in each line, a tab and
 * what it is; the line `:files` asks for names of files. So the scripts never change, and contexts are those of now.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of gwctl for bash. Load it with: source <(gwctl completion bash)
_gwctl() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _gwctl gwctl
`,
  zsh: `#compdef gwctl
# Completion of gwctl for zsh. Load it with: source <(gwctl completion zsh), after compinit.
_gwctl() {
  local line files=0 found=1
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      files=1
    else
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe -t values gwctl candidates && found=0
  (( files )) && _files && found=0
  return found
}
if [[ "\${funcstack[1]}" == _gwctl ]]; then
  _gwctl "$@"
else
  compdef _gwctl gwctl
fi
`,
  fish: `# Completion of gwctl for fish. Save it as ~/.config/fish/completions/gwctl.fish
function __gwctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c gwctl -f -a "(__gwctl_complete)"
`,
};
