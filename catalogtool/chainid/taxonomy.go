package chainid

import "slices"

// The categories that rules name. Others come from reviewed facts only; see [dimensions].
const (
	CategoryMainnet = string(Mainnet)
	CategoryTestnet = string(Testnet)

	layer1    = "layer-1"
	layer2    = "layer-2"
	layer3    = "layer-3"
	sidechain = "sidechain"

	evm = "evm"

	opStack     = "op-stack"
	orbit       = "arbitrum-orbit"
	polygonCDK  = "polygon-cdk"
	cosmosSDK   = "cosmos-sdk"
	substrate   = "substrate"
	avalancheL1 = "avalanche-l1"
	skaleChain  = "skale-chain"

	ethereumEcosystem  = "ethereum-ecosystem"
	superchain         = "superchain"
	arbitrumEcosystem  = "arbitrum-ecosystem"
	polygonEcosystem   = "polygon-ecosystem"
	bnbEcosystem       = "bnb-ecosystem"
	avalancheEcosystem = "avalanche-ecosystem"
	cosmosEcosystem    = "cosmos-ecosystem"
	bitcoinEcosystem   = "bitcoin-ecosystem"

	onEthereum = "settles-on-ethereum"
	onArbitrum = "settles-on-arbitrum"
	onBase     = "settles-on-base"
	onBitcoin  = "settles-on-bitcoin"
	onBNB      = "settles-on-bnb"
	onGnosis   = "settles-on-gnosis"
	onTestnet  = "settles-on-testnet"
	onOther    = "settles-on-other"
)

// dimension is a group of categories of chains.
type dimension struct {
	group   string   // key of the group of categories
	keys    []string // in the order of a chain's categories
	several bool     // whether a chain may have more than one
}

// The indexes of [dimensions], in the order of a chain's categories.
const (
	byNetwork = iota
	byLayer
	byVM
	byStack
	byEcosystem
	bySettlement
)

// dimensions is the taxonomy of chains in output order. The conversion gives chains no other categories.
var dimensions = [...]dimension{
	byNetwork: {group: "chain_network", keys: []string{CategoryMainnet, CategoryTestnet}},
	byLayer:   {group: "chain_layer", keys: []string{layer1, layer2, layer3, sidechain}},
	byVM: {group: "chain_vm", keys: []string{
		evm, "svm", "move-vm", "wasm-vm", "cairo-vm", "bitcoin-script", "ton-vm", "plutus", "avm", "michelson"}},
	byStack: {group: "chain_stack", keys: []string{
		opStack, orbit, "zk-stack", polygonCDK, cosmosSDK, substrate, avalancheL1, skaleChain, "bitcoin-core-stack"}},
	byEcosystem: {group: "chain_ecosystem", several: true, keys: []string{
		ethereumEcosystem, superchain, arbitrumEcosystem, polygonEcosystem, bnbEcosystem, avalancheEcosystem,
		cosmosEcosystem, "polkadot-ecosystem", bitcoinEcosystem, "solana-ecosystem"}},
	bySettlement: {group: "chain_settlement", keys: []string{
		onEthereum, onArbitrum, onBase, onBitcoin, onBNB, onGnosis, onTestnet, onOther}},
}

// dimensionOf returns the index in [dimensions] of a category, false for an unknown one.
func dimensionOf(key string) (int, bool) {
	for i, d := range dimensions {
		if slices.Contains(d.keys, key) {
			return i, true
		}
	}
	return 0, false
}

// within returns the keys that belong to the dimension, without duplicates, in the order of the
// taxonomy; nil for none.
func (d dimension) within(keys []string) []string {
	var out []string
	for _, key := range d.keys {
		if slices.Contains(keys, key) {
			out = append(out, key)
		}
	}
	return out
}

// settles reports whether chains of a layer settle on another chain.
func settles(layer string) bool { return layer == layer2 || layer == layer3 }
