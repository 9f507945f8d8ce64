#compdef vitrine
# Completes vitrine in zsh. Load it with: source <(vitrine completion zsh)
_vitrine() {
	local -a candidates
	local line help
	while IFS=$'\t' read -r line help; do
		candidates+=("${line//:/\\:}:$help")
	done < <("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
	if (( ${#candidates} )); then
		_describe vitrine candidates
	else
		_files
	fi
}
if [ "$funcstack[1]" = "_vitrine" ]; then
	_vitrine "$@"
else
	compdef _vitrine vitrine
fi
