# Completes vitrine in fish. Load it with: vitrine completion fish | source
function __vitrine_candidates
    set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token --cut-at-cursor)
    command vitrine complete -- $words[2..-1] 2>/dev/null
end
# Files only where vitrine has no candidates.
complete --command vitrine --condition 'test -n "$(__vitrine_candidates)"' --no-files --arguments '(__vitrine_candidates)'
