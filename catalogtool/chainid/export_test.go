package chainid

// Taxonomy returns the groups of categories of chains in order, and their categories.
func Taxonomy() (groups []string, keys [][]string) {
	for _, d := range dimensions {
		groups = append(groups, d.group)
		keys = append(keys, d.keys)
	}
	return groups, keys
}
