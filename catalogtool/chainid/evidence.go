package chainid

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// claim is a category of a chain by some source, with its evidence.
type claim struct {
	key     string
	because string
}

// registryClaims returns the claims that follow from being listed. The registry lists EVM networks,
// and a few others under ids for wallets, which need a reviewed fact.
func registryClaims() []claim { return []claim{{evm, "the registry of EVM networks"}} }

// settlements are the settlement categories by chain id.
var settlements = map[string]string{
	"1": onEthereum, "42161": onArbitrum, "8453": onBase, "56": onBNB, "100": onGnosis,
}

// stackHosts are hosts whose operators serve only one stack. Providers of several stacks (Caldera,
// Conduit, Gelato, AltLayer) are not listed.
var stackHosts = []struct{ domain, stack string }{
	{"subnets.avax.network", avalancheL1},    // Ava Labs' RPCs of Avalanche L1s; the C-Chain has api.avax.network
	{"skalenodes.com", skaleChain},           // SKALE's own nodes
	{"tanssi-mainnet.network", substrate},    // Tanssi runs chains of its Substrate templates
	{"tanssi-testnet.network", substrate},    // the same, for tests
	{"dancebox.tanssi.network", substrate},   // Tanssi's former test network
	{"a.stagenet.tanssi.network", substrate}, // Tanssi's stage
}

// hostClaims returns the stacks that follow from the hosts of a record's RPCs, each once, in the
// order of the RPCs.
func hostClaims(rec record) []claim {
	var out []claim
	known := map[string]bool{}
	for _, address := range rec.RPC.Of {
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

// cosmosID matches chain ids of Cosmos SDK chains with an EVM: name, EIP-155 id, revision.
var cosmosID = regexp.MustCompile(`^[a-z]+_([1-9][0-9]*)-[1-9][0-9]*$`)

// shortNameClaims returns the Cosmos SDK if the short name is a Cosmos chain id that contains the
// chain's own id.
func shortNameClaims(rec record) []claim {
	if m := cosmosID.FindStringSubmatch(rec.ShortName); m != nil && m[1] == rec.ID {
		return []claim{{cosmosSDK, fmt.Sprintf("short name %s, which is a Cosmos chain id", rec.ShortName)}}
	}
	return nil
}

// ecosystemsOfStack are the ecosystems that a stack implies. The OP Stack, the ZK Stack and
// Substrate imply none, since several ecosystems use them.
var ecosystemsOfStack = map[string][]string{
	orbit:       {arbitrumEcosystem},
	polygonCDK:  {polygonEcosystem},
	cosmosSDK:   {cosmosEcosystem},
	avalancheL1: {avalancheEcosystem},
	skaleChain:  {ethereumEcosystem}, // its nodes and chains are registered in contracts on Ethereum
}

// ecosystemsOfSettlement are the ecosystems that a settlement implies. Arbitrum and Base are layers
// of Ethereum.
var ecosystemsOfSettlement = map[string][]string{
	onEthereum: {ethereumEcosystem},
	onArbitrum: {ethereumEcosystem, arbitrumEcosystem},
	onBase:     {ethereumEcosystem},
	onBitcoin:  {bitcoinEcosystem},
	onBNB:      {bnbEcosystem},
}
