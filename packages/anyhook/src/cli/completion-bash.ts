/**
 * The completion script for bash. It needs no bash-completion package, works in the bash 3.2 of macOS, and evaluates nothing
 * that was typed. Lines of `anyhook complete` are a value, a tab and a description; the last one is a colon and flags.
 */
export const BASH_COMPLETION = `# bash completion for anyhook
_anyhook() {
  local line="\${COMP_LINE:0:COMP_POINT}" words value cur cut=""
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  cur="\${words[\${#words[@]}-1]}"
  # bash starts a new word after = and :, and replaces only that word.
  [[ "$cur" == *[=:]* ]] && cut="\${cur%"\${cur##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    if [[ "$value" == :[0-9]* ]]; then
      # Flag 4: file names do not fit here.
      (( \${value#:} & 4 )) && compopt +o default 2> /dev/null
    elif [[ -n "$value" && "$value" == "$cur"* ]]; then
      COMPREPLY+=("\${value#"$cut"}")
    fi
  done < <(anyhook complete -- "\${words[@]:1}" 2> /dev/null)
}
complete -o default -F _anyhook anyhook
`;
