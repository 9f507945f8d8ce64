package chainid

// Taxonomy returns the groups of categories that chains have, in order, and the
// categories of each.
func Taxonomy() (groups []string, keys [][]string) {
	for _, d := range dimensions {
		groups = append(groups, d.group)
		keys = append(keys, d.keys)
	}
	return groups, keys
}
