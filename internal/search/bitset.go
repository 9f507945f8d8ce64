package search

// bitset is a set of numbers, one bit for each.
type bitset []uint64

// newBitset returns an empty set with room for the numbers below n.
func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(n uint32) { b[n/64] |= 1 << (n % 64) }

func (b bitset) has(n uint32) bool { return b[n/64]&(1<<(n%64)) != 0 }
