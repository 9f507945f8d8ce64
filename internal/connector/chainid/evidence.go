package chainid

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"vitrine/internal/connector"
)

// claim is a category that some source says a chain has, and how it says so.
type claim struct {
	key     string
	because string
}

// parentChain names the chain that a record is built on.
type parentChain struct {
	Type  string `json:"type"`  // "L2" or "shard"
	Chain string `json:"chain"` // as "eip155-1"

	Bridges list[page] `json:"bridges"`
}

// settlesOn reports whether the record says that it settles on its parent. A
// shard does not: it carries a part of the same network.
func (p parentChain) settlesOn() bool { return p.Type == "L2" }

// id returns the canonical chain id of the parent, "" where it is none of an
// EVM chain.
func (p parentChain) id() string {
	digits, ok := strings.CutPrefix(p.Chain, "eip155-")
	if !ok {
		return ""
	}
	id, err := connector.ParseChainID(json.RawMessage(digits))
	if err != nil {
		return ""
	}
	return id
}

// registryClaims returns what being listed says. The registry is of EVM networks,
// yet it lists a few others, under ids that let wallets name them: those need a
// reviewed fact.
func registryClaims() []claim { return []claim{{evm, "the registry of EVM networks"}} }

// settlements are the chains that have a category for those who settle on them.
var settlements = map[string]string{
	"1": onEthereum, "42161": onArbitrum, "8453": onBase, "56": onBNB, "100": onGnosis,
}

// stackHosts are hosts whose chains all have one stack: operators of one
// software who serve nothing else there. Hosts of providers that run several
// stacks (Caldera, Conduit, Gelato, AltLayer) prove none and are not here.
var stackHosts = []struct{ domain, stack string }{
	{"subnets.avax.network", avalancheL1},    // Ava Labs' RPCs of Avalanche L1s; the C-Chain has api.avax.network
	{"skalenodes.com", skaleChain},           // SKALE's own nodes
	{"tanssi-mainnet.network", substrate},    // Tanssi runs chains of its Substrate templates
	{"tanssi-testnet.network", substrate},    // the same, for tests
	{"dancebox.tanssi.network", substrate},   // Tanssi's former test network
	{"a.stagenet.tanssi.network", substrate}, // Tanssi's stage
}

// hostClaims returns the stacks that the hosts of a record's RPCs prove, each
// once, in order of the RPCs.
func hostClaims(rec record) []claim {
	var out []claim
	known := map[string]bool{}
	for _, address := range rec.RPC.of {
		u, err := url.Parse(address)
		if err != nil {
			continue
		}
		host := strings.ToLower(u.Hostname())
		for _, h := range stackHosts {
			if (host == h.domain || strings.HasSuffix(host, "."+h.domain)) && !known[h.stack] {
				known[h.stack] = true
				out = append(out, claim{h.stack, fmt.Sprintf("an RPC on %s", h.domain)})
			}
		}
	}
	return out
}

// cosmosID is the form of chain ids of Cosmos SDK chains that have an EVM:
// name, EIP-155 id, revision.
var cosmosID = regexp.MustCompile(`^[a-z]+_([1-9][0-9]*)-[1-9][0-9]*$`)

// shortNameClaims says that a chain is one of the Cosmos SDK if its short name
// is a Cosmos chain id that holds the chain's own id.
func shortNameClaims(rec record) []claim {
	if m := cosmosID.FindStringSubmatch(rec.ShortName); m != nil && m[1] == rec.id {
		return []claim{{cosmosSDK, fmt.Sprintf("short name %s, which is a Cosmos chain id", rec.ShortName)}}
	}
	return nil
}

// ecosystemsOfStack are the ecosystems that a stack brings with it, because the
// chain is made with the kit of that network or run by its contracts. The OP
// Stack and the ZK Stack are used far outside of any one ecosystem, and
// Substrate outside of Polkadot.
var ecosystemsOfStack = map[string][]string{
	orbit:       {arbitrumEcosystem},
	polygonCDK:  {polygonEcosystem},
	cosmosSDK:   {cosmosEcosystem},
	avalancheL1: {avalancheEcosystem},
	skaleChain:  {ethereumEcosystem}, // its nodes and chains are registered in contracts on Ethereum
}

// ecosystemsOfSettlement are the ecosystems of the chains that are settled on.
// Arbitrum and Base are layers of Ethereum.
var ecosystemsOfSettlement = map[string][]string{
	onEthereum: {ethereumEcosystem},
	onArbitrum: {ethereumEcosystem, arbitrumEcosystem},
	onBase:     {ethereumEcosystem},
	onBitcoin:  {bitcoinEcosystem},
	onBNB:      {bnbEcosystem},
}
