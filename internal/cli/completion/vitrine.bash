# Completes vitrine in bash. Load it with: source <(vitrine completion bash)
_vitrine() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o bashdefault -o default -F _vitrine vitrine
