package domain_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// linkUses set a link as a page, an image or an endpoint of a valid catalogue.
var linkUses = map[string]func(c *domain.Catalog, link string){
	"page":     func(c *domain.Catalog, link string) { c.Chains[0].Website = link },
	"image":    func(c *domain.Catalog, link string) { c.Chains[0].Logo = link },
	"endpoint": func(c *domain.Catalog, link string) { c.Chains[0].RPC = []domain.Endpoint{{URL: link}} },
}

// judged returns the broken rules of a link in one use, in order.
func judged(link, use string) string {
	c := rich()
	linkUses[use](c, link)
	var rules []string
	for _, p := range domain.Check(c, domain.Reading{}).Problems {
		rules = append(rules, string(p.Rule))
	}
	return strings.Join(rules, " ")
}

const (
	malformed   = "malformed-link"
	secret      = "secret-in-link"
	possible    = "possible-key"
	placeholder = "placeholder-in-link"
	private     = "private-host"
)

// verdict has the broken rules of a link as a page, as an image and as an endpoint.
type verdict [3]string

var fine verdict

func anywhere(rule string) verdict  { return verdict{rule, rule, rule} }
func endpoints(rule string) verdict { return verdict{"", "", rule} }

// TestLinksAreJudgedByUse checks labelled links. The harmless ones are from public registries;
// the keys are made up in the formats of their issuers.
func TestLinksAreJudgedByUse(t *testing.T) {
	const (
		hex24  = "6275309bea1b320039c893fa"
		hex32  = "9aa3d95b3bc440fa88ea12eaa4456161"
		hex40  = "c0ffee254729296a45a3885639ac7e10f9d54979"
		hex64  = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"
		key32  = "WddzdzI2o9S3COdT73d5w6AIogbKq4X-"
		key44  = "AvFHGgG8vUoprYSFl1RGV32Q2QWkZC8R74NCmjoJxwjg"
		aUUID  = "7e23688b-0b7b-4137-b4ef-06b5fda90a1a"
		aCID   = "QmdwQDr6vmBtXmK2TmknkEuZNoaDqTasFdZdu3DRw8b2wt"
		aCIDv1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	)
	tests := []struct {
		name  string
		want  verdict
		links []string
	}{
		{"user info", anywhere(secret), []string{
			"https://metamask.io@evil.example.org/",
			"https://user:pass@rpc.example.org/",
			"https://:pass@rpc.example.org/",
			"https://u%73er@rpc.example.org/x?y#z",
			"https://polkadot.js.org/apps/?rpc=wss%3A%2F%2Fuser%3Apass%40rpc.example.org#/explorer",
		}},
		{"user info", verdict{secret + " " + private, secret + " " + private, secret + " " + malformed}, []string{
			"https://user:pass@127.0.0.1/",
		}},
		{"user info", fine, []string{
			"https://medium.com/@ethereum",
			"https://www.npmjs.com/package/@6missedcalls-ai/zora-mcp-server",
		}},
		{"credentials of a known format", anywhere(secret), []string{
			"https://rpc.example.org/v2/alcht_0AbCdEfGhIjKlMnOpQrStUvWxYz123",
			"https://rpc.example.org/?a=alcht_0AbCdEfGhIjKlMnOpQrStUvWxYz123",
			"https://rpc.example.org/?a=sk_live_51H8xq2eZvKYlo2C",
			"https://rpc.example.org/?a=rk%5Flive%5F51H8xq2eZvKYlo2C",
			"https://api.telegram.org/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
			"https://rpc.example.org/bot123456%3AAAHdqTcvCH1v",
			"https://rpc.example.org/AKIAIOSFODNN7EXAMPLE",
			"https://rpc.example.org/x#id=AKIAIOSFODNN7EXAMPLE",
			"https://rpc.example.org/?a=ghp_16C7e42F292c6912E7710c838347Ae178B4a",
			"https://rpc.example.org/?a=github_pat_11ABCDEFG0123456789abcd",
			"https://rpc.example.org/?a=glpat-0123456789abcdefghij",
			"https://rpc.example.org/?a=xoxb-123456789012-abcdefghij",
			"https://maps.example.org/?key=AIzaSyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v",
			"https://rpc.example.org/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
			"https://discord.com/api/webhooks/1234567890/abcdefghijklmnopqrstuvwxyz-ABCDEFG",
			"https://hooks.slack.com/services/T00000000/B00000000/a1B2c3D4e5F6g7H8i9J0k1L2",
			"https://docs.example.org/sk_live_migration", // although it has the prefix of a key
		}},
		{"credentials of a known format", fine, []string{
			"https://discord.com/invite/ethereum",
			"https://t.me/HumanodeTestnet5FaucetBot",
			"https://t.me/unique2faucet_opal_bot",
		}},
		{"keys of providers", anywhere(secret), []string{
			"https://eth-mainnet.g.alchemy.com/v2/prod_" + key32,
			"https://mainnet.infura.io/v3/backend-" + hex32,
			"https://mainnet.infura.io/v3%2F" + hex32,
			"https://mainnet.infura.io/v3/" + hex32 + ".json",
			"https://mainnet.infura.io/v3?id=" + hex32,
			"https://mainnet.infura.io/;" + hex32,
			"https://mainnet.infura.io/v3/" + hex32,
			"https://eth-sepolia.g.alchemy.com/v2/" + key32,
			"https://ETH-Sepolia.G.Alchemy.com./v2/" + key32,
			"https://eth-mainnet.alchemyapi.io/v2/" + key32,
			"https://long-old-cloud.base-mainnet.quiknode.pro/" + hex40 + "/",
			"https://rpc.ankr.com/eth/" + hex64,
			"https://go.getblock.io/" + hex32,
			"https://eth.getblock.io/" + aUUID + "/mainnet/",
			"https://ethereum-mainnet.core.chainstack.com/" + hex32,
			"https://nd-123-456-789.p2pify.com/" + hex32,
			"https://lb.drpc.org/ogrpc?network=ethereum&dkey=" + key44,
			"https://lb.drpc.org/ethereum/" + key44,
			"https://eth-mainnet.blastapi.io/" + aUUID,
			"https://ava-mainnet.blastapi.io/" + aUUID + "/ext/bc/C/rpc",
			"https://opbnb-mainnet.nodereal.io/v1/" + hex32,
			"https://mainnet.gateway.tenderly.co/1a2B3c4D5e6F7g8H9i0Jk",
			"https://virtual.mainnet.rpc.tenderly.co/" + aUUID,
			"https://eth.nownodes.io/" + aUUID,
			"https://mainnet.helius-rpc.com/?api-key=" + aUUID,
			"https://node.rpcpool.com/" + aUUID,
			"https://okc-mainnet.gateway.pokt.network/v1/lb/" + hex24,
			"https://" + hex32 + ".eth.rpc.rivet.cloud/",
			"https://ethereum.blockpi.network/v1/rpc/" + hex40,
			"https://polkadot.js.org/apps/?rpc=wss://mainnet.infura.io/ws/v3/" + hex32,
		}},
		{"keys of providers", verdict{malformed, malformed, secret}, []string{
			"wss://mainnet.infura.io/ws/v3/" + hex32,
		}},
		{"keys of providers", fine, []string{
			"https://mainnet.infura.io/v3/backend-v2-2024-us-east-1",
			"https://eth-mainnet.g.alchemy.com/v2/demo",
			"https://rpc.ankr.com/eth_goerli",
			"https://ethereum.blockpi.network/v1/rpc/public",
			"https://rpc-onchain-points-8n0qkkpr2j.t.conduit.xyz/",
			"https://ethereum-sepolia-rpc.publicnode.com",
			"https://eth-mainnet.public.blastapi.io",
			"https://ipfs.infura.io/ipfs/" + aCID,
			"https://docs.infura.io/networks/ethereum/how-to/secure-a-project/project-id",
			"https://dashboard.tenderly.co/tx/mainnet/0x" + hex64,
			"https://evilinfura.io/v3/x",
			"https://avalanche.rpcpool.com/ext/bc/2VsZe5DstWw2bfgdx3YbjKcMsJnNDjni95sZorBEdk9L9Qr9Fr/rpc",
		}},
		{"parameters", verdict{possible, possible, secret}, []string{
			"https://rpc.example.org/v1/Bearer%20" + key32,
			"https://rpc.example.org/v1;apikey=hunter2",
			"https://rpc.example.org/v1/apikey=hunter2",
			"https://rpc.example.org/?apikey%3Dhunter2",
			"https://rpc.example.org/?apikey%253Dhunter2",
			"https://rpc.example.org/?x%26apikey=hunter2",
			"https://rpc.example.org/?api%20key=hunter2",
			"https://rpc.example.org/?api.key[0]=hunter2",
			"https://rpc.example.org/?apikey2=hunter2",
			"https://rpc.example.org/?аpikey=hunter2",
			"https://rpc.example.org/?auth_token=hunter2",
			"https://rpc.example.org/?X-API-Key=hunter2",
			"https://rpc.example.org/?a=%zz&apikey=S%zz",
			"https://rpc.example.org/?API_KEY=x",
			"https://rpc.example.org/?password=hunter2",
			"https://rpc.example.org/?token=" + key32,
			"https://docs.example.org/?apikey=1",
		}},
		{"parameters", anywhere(secret), []string{
			"https://rpc.example.org/?x=1;api-key=" + hex32,
			"https://rpc.example.org/#access_token=" + hex32,
		}},
		{"parameters", endpoints(secret), []string{
			"https://rpc.example.org/?k=" + key32,
			"https://rpc.example.org/?access=" + hex32,
			"https://rpc.example.org/token/" + key32,
			"https://rpc.example.org/v1/key/" + aUUID + "/eth",
			"https://rpc.example.org/access/" + hex24,
			"https://rpc.example.org/?token=ETH",
			"https://rpc.example.org/?token=abc",
			"https://rpc.example.org/?key=1",
			"https://rpc.example.org/?key[]=abc",
			"https://goerli.hop.exchange/#/send?token=ETH&sourceNetwork=ethereum",
			"https://app.starfish.finance/stake?token=DOT&type=liquid",
			"https://rpc.example.org/v1/Bearer%20abc",
			"https://rpc.example.org/v1/bearer+abc",
			"https://rpc.example.org/v1/Bearer%2520abc",
			"https://rpc.example.org/v1/Bearer%09abc",
			"https://rpc.example.org/v2%252Fapikey%252Fhunter2",
			"https://rpc.example.org/?x-key=abc",
			"https://rpc.example.org/?my_token=abc",
			"https://rpc.example.org/v1/Basic%20dXNlcjpwYXNz",
			"https://rpc.example.org/?h=Bearer:%20abc",
			"https://rpc.example.org/apikey/hunter2",
			"https://rpc.example.org/v1/Api-Key/hunter2/eth",
			"https://rpc.example.org/?key=hunter2",
			"https://birdeye.so/?token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
			"https://app.example.org/?token=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
			"https://firebasestorage.googleapis.com/v0/b/x/o/y.png?alt=media&token=" + aUUID,
		}},
		{"parameters", fine, []string{
			"https://rpc.example.org/?q=key&tokens=2",
			"https://rpc.example.org/?k=20&access=public",
			"https://rpc.example.org/token/usd-coin/access/read-only",
			"https://rpc.example.org/token/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
			"https://rpc.example.org/token/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
			"https://rpc.example.org/?public_key=abc",
			"https://rpc.example.org/keys/yours/a?page=token",
			"https://rpc.example.org/password",
			"https://rpc.example.org/apikey/demo",
			"https://rpc.example.org/Basics%20of%20keys",
			"https://rpc.example.org/?apikey=public",
			"https://andromeda.metis.io/?owner=1088",
			"https://baas-rpc.luniverse.io:18545?lChainId=1641349324562974539",
		}},
		{"parameters", endpoints(malformed), []string{
			"https://rpc.example.org/?apikey=",
		}},
		{"placeholders", fine, []string{
			"https://github.com/Yooooomi/your_spotify",
			"https://docs.example.org/docs/run-your-own-node",
			"https://docs.example.org/get-your-first-token",
			"https://rpc.example.org/insert-coin",
			"https://app.example.org/?filter={%22chain%22:1}&ids=[1,2]",
			"https://example.com/keys/token/id",
		}},
		{"placeholders", endpoints(malformed), []string{
			"https://docs.example.org/docs/your-api-key",
			"https://api.example.org/?apikey=YourApiKeyToken",
			"https://rpc.example.org/API_KEY",
			"https://rpc.example.org/:apikey",
			"https://rpc.example.org/xxxxxxxxxxxx",
		}},
		{"placeholders", verdict{placeholder, placeholder, malformed}, []string{
			"https://rpc.example.org/v3/<API_KEY>",
			"https://rpc.example.org/{key}",
			"https://mainnet.infura.io/v3/${INFURA_API_KEY}",
			"https://rpc.example.org/${KEY}",
			"https://rpc.example.org/%7Bkey%7D/x",
			"https://rpc.example.org/[KEY]",
			"https://rpc.example.org/?k=<your%20key>",
			"https://rpc.example.org/YOUR_API_KEY",
			"https://rpc.example.org/YOUR-KEY",
			"https://rpc.example.org/?apikey=YOUR_PROJECT_ID",
			"https://rpc.example.org/INSERT_KEY_HERE",
			"https://faucet.ropsten.be?${ADDRESS}",
			"http://fauceth.komputing.org?chain=3&address=${ADDRESS}",
			"https://github.com/x/y/blob/main/app/[locale]/page.tsx",
		}},
		{"placeholders", anywhere(malformed), []string{
			"https://rpc.example.org/{{ api key }}",
			"https://{name}.quiknode.pro/",
			"https://<host>/",
		}},
		{"hosts", verdict{private, private, malformed}, []string{
			"http://rpc.default.svc/",
			"http://rpc.default.svc.cluster.local/",
			"http://nas.home.arpa/",
			"http://1.0.0.127.in-addr.arpa/",
			"http://node.onion/",
			"http://node.alt/",
			"http://node.test/",
			"http://node.invalid/",
			"http://mail.corp/",
			"http://node.lan/",
			"http://127.0.0.1.nip.io/",
			"http://app.10.8.0.1.nip.io/",
			"http://app-192-168-0-1.nip.io/",
			"http://7f000001.nip.io/",
			"http://10-0-0-1.sslip.io/rpc",
			"http://www.169-254-169-254.a.sslip.io/",
			"http://fe80--1.sslip.io/",
			"http://2001-db8--1.sslip.io/",
			"http://rpc.localtest.me/",
			"http://lvh.me/",
			"http://[fec0::1]/",
			"http://[fc00::1]/",
			"http://[2001::1]/",
			"http://[4000::1]/",
			"http://[::ffff:0:10.0.0.1]/",
			"http://[2606:4700:4700::1111%25eth0]/",
			"http://0300.0250.1/",
			"http://0xa.1/",
			"http://017700000001/",
			"http://192.88.99.1/",
			"http://localhost:8545",
			"http://LocalHost./",
			"http://node.localhost/",
			"http://printer.local/",
			"http://metadata.google.internal/",
			"http://rpc/",
			"https://https://developer.wax.io",
			"http://127.0.0.1:8545",
			"http://127.1/",
			"http://2130706433/",
			"http://0x7f000001/",
			"http://0x7F.1/",
			"http://0177.0.0.1/",
			"http://134744072/", // 8.8.8.8
			"http://0.0.0.0/",
			"http://10.1.2.3/",
			"http://172.31.255.255/",
			"http://192.168.0.1/",
			"http://169.254.169.254/latest/meta-data/",
			"http://100.64.0.1/",
			"http://192.0.2.1/",
			"http://198.51.100.7/",
			"http://203.0.113.9/",
			"http://255.255.255.255/",
			"http://224.0.0.1/",
			"http://[::1]/",
			"http://[::]/",
			"http://[fe80::1]/",
			"http://[fe80::1%25eth0]/",
			"http://[fd00::1]/",
			"http://[2001:db8::1]/",
			"http://[::ffff:127.0.0.1]/",
			"http://[::ffff:7f00:1]/",
			"http://[::ffff:8.8.8.8]/",
			"http://[::127.0.0.1]/",
			"http://[64:ff9b::10.0.0.1]/",
			"http://[2002:7f00:1::]/",
		}},
		{"hosts", fine, []string{
			"https://147-45-143-23.sslip.io/rpc",
			"https://nip.io/",
			"https://8.8.8.8.nip.io/",
			"https://svc.example.org/",
			"https://arpa.example.org/",
			"https://notlvh.me/",
			"https://r3---sn-abc.example.org/",
			"https://xn--r8jz45g.jp/",
			"https://xn--bcher-kva.example.org/",
			"https://xn--i-7iq.ws/",
			"https://bücher.example.org/",
			"https://пример.рф/",
			"https://радуга.рф/",
			"https://〇〇.jp/",
			"http://8.8.8.8/",
			"http://172.32.0.1/",
			"http://100.128.0.1/",
			"http://[2606:4700:4700::1111]/",
			"http://119.59.126.109:26657",
			"https://example.org/",
			"https://localhost.run/",
			"https://internal.example.org/",
			"https://例え.jp/",
			"https://0x.org/",
			"https://my_node.example.org/",
		}},
		{"hosts", anywhere(malformed), []string{
			"http://１２７。０。０。１/",
			"http://①.1.1.1/",
			"http://1.1.1.٣/",
			"https://१२.example.org/",
			"https://❶.example.org/",
			"https://ｅxample.org/",
			"https://example。org/",
			"https://foo..example.org/",
			"https://foo.example.org../",
			"https://.example.org/",
			"https://-.example.org/", "https://-.com/", "https://foo..com/",
			"https://-a.example.org/", "http://--1.sslip.io/",
			"https://a-.example.org/",
			"https://" + strings.Repeat("a", 64) + ".org/",
			"https://" + strings.Repeat("a.", 130) + "org/",
			"https://xn--.org/",
			"https://xn--a.org/",
			"https://xn--abc-.org/",
			"https://xn--0.org/",
			"https://XN--99999999.org/",
			"https://xn--ls8h=.org/",
			"https://metаmask.io/",
			"https://xn--metmask-4fg.io/",
			"https://аррӏе.com/",
			"https://xn--80ak6aa92e.com/",
			"http://1.2.3.4.5/",
			"http://256.1.1.1/",
			"http://0x7g.1/",
			"https://dungeon-rpc.ibs;team",
		}},
		{"hosts", endpoints(malformed), []string{
			"https://rpc.wallet.example/",
			"https://rpc.EXAMPLE./",
		}},
		{"random parts", endpoints(possible), []string{
			"https://xcap-mainnet.relay.xcap.example.org/znzvh2ueyvm2yts5fv5gnul395jbkfb2/rpc1",
			"https://rpc.example.org/v2/a1b2c3d4e5f6a7b8c9d0",
			"https://rpc.example.org/" + hex32,
			"https://rpc.example.org/1234567890abcdefabcdef1234567890",
			"https://" + hex32 + ".example.org/",
			"https://rpc.example.org/?id=" + key32,
			"https://docs.google.com/forms/d/e/1FAIpQLSdfr1BwUTYepVmmvfVUDRCwALejZ-TUva2YujNpvrEmPAX2pg/viewform",
			"https://faucet.alaya.network/faucet/?id=f93426c0887f11eb83b900163e06151c",
		}},
		{"random parts", fine, []string{
			"https://rpc.example.org/12345678901234567890123456789012",
			"https://rpc.example.org/" + hex40,
			"https://rpc.example.org/0x" + hex40,
			"https://rpc.example.org/" + hex64,
			"https://rpc.example.org/" + aUUID,
			"https://rpc.example.org/" + aCID,
			"https://" + aCIDv1 + ".ipfs.dweb.link/" + aCIDv1,
			"http://174.138.9.169:9650/ext/bc/VUKSzFZKckx4PoZF9gX5QAqLPxbLzvu1vcssPG5QuodaJtdHT/rpc",
			"https://node.chips.ooo/wasp/api/v1/chains/iota1pp3d3mnap3ufmgqnjsnw344sqmf5svjh26y2khnmc89sv6788y3r207a8fn/evm",
			"https://sidescan.luniverse.io/1641349324562974539",
			"https://rpc.example.org/ethereum-mainnet-archive-2024-05-01",
			"https://docs.darwinia.network/pangolin-testnet-1e9ac8b09e874e8abd6a7f18c096ca6a",
			"https://github.com/rizkimaryanto7-creator/xyra-chain",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, link := range test.links {
				if got := (verdict{judged(link, "page"), judged(link, "image"), judged(link, "endpoint")}); got != test.want {
					t.Errorf("%s:\n got %q\nwant %q", link, got, test.want)
				}
			}
		})
	}
}

// TestEveryLinkFieldRefusesUserInfo checks every link field of every kind.
func TestEveryLinkFieldRefusesUserInfo(t *testing.T) {
	const link = "https://metamask.io@evil.example.org/"
	c, fields := full(), map[*domain.Field]bool{}
	var want, got []string
	eachFieldOf(c, func(v visit) {
		if v.f.Type == domain.TypeLink && hasValue(v) {
			*v.f.Line(v.record) = link
			want, fields[v.f] = append(want, v.path+" "+string(domain.RuleSecretInLink)), true
		}
	})
	for _, p := range rules(domain.Check(c, domain.Reading{}).Problems) {
		if strings.HasSuffix(p, " "+string(domain.RuleSecretInLink)) {
			got = append(got, p)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if len(fields) < 11 { // the fields of links count once
		t.Errorf("only %d fields hold links", len(fields))
	}
}

// TestMessagesHoldNoSecret checks that messages do not repeat secrets.
func TestMessagesHoldNoSecret(t *testing.T) {
	for _, link := range []string{
		"https://user:hunter2xyz@rpc.example.org/", "https://user:hunter2xyz@127.0.0.1/{key}", "https://user:hunter2xyz@rpc.example.org:99999/", "https://rpc.example.org/{key}?password=hunter2xyz",
		"http://localhost/?apikey=hunter2xyz", "https://user:hunter2xyz@/", "https://a:hunter2xyz@@rpc.example.org/",
	} {
		for use, set := range linkUses {
			c := rich()
			set(c, link)
			for _, line := range lines(domain.Check(c, domain.Reading{}).Problems) {
				if strings.Contains(line, "hunter2") && (use == "endpoint" || !strings.Contains(link, "password=")) {
					t.Errorf("%s as %s: %s", link, use, line)
				}
			}
		}
	}
}

// TestPublishedLinksStayValid checks that links that were published before these rules are
// served.
func TestPublishedLinksStayValid(t *testing.T) {
	c := rich()
	c.Chains[0].Website, c.Chains[0].RPC = "https://a@b.example.org/", []domain.Endpoint{{URL: "http://127.0.0.1/{key}?password=x"}}
	if found := domain.CheckAgain(nil, c); len(found) > 0 {
		t.Errorf("%q", lines(found))
	}
}

// TestKeysAndIDs checks that keys in the formats of providers are found, and that usual ids on
// other hosts are not mistaken for keys. Both lists are random, with a fixed seed.
func TestKeysAndIDs(t *testing.T) {
	const (
		base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		base36 = "0123456789abcdefghijklmnopqrstuvwxyz"
		base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
		hex    = "0123456789abcdef"
		bech32 = "023456789acdefghjklmnpqrstuvwxyz"
	)
	random := rand.New(rand.NewPCG(1, 2))
	some := func(alphabet string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	id := func() string {
		return strings.Join([]string{some(hex, 8), some(hex, 4), some(hex, 4), some(hex, 4), some(hex, 12)}, "-")
	}
	keys := map[string]func() string{
		"Infura":     func() string { return "https://mainnet.infura.io/v3/" + some(hex, 32) },
		"Alchemy":    func() string { return "https://eth-mainnet.g.alchemy.com/v2/" + some(base62+"-_", 32) },
		"QuickNode":  func() string { return "https://a-b-c.quiknode.pro/" + some(hex, 40) + "/" },
		"Ankr":       func() string { return "https://rpc.ankr.com/eth/" + some(hex, 64) },
		"GetBlock":   func() string { return "https://go.getblock.io/" + some(hex, 32) },
		"dRPC":       func() string { return "https://lb.drpc.org/eth/" + some(base62+"-_", 44) },
		"BlastAPI":   func() string { return "https://eth-mainnet.blastapi.io/" + id() },
		"NodeReal":   func() string { return "https://eth-mainnet.nodereal.io/v1/" + some(hex, 32) },
		"Tenderly":   func() string { return "https://mainnet.gateway.tenderly.co/" + some(base62, 22) },
		"parameters": func() string { return "https://rpc.example.org/?api_key=" + some(base62, 24) },
	}
	const each = 200
	for _, name := range slices.Sorted(maps.Keys(keys)) { // in a fixed order, so that the counts are deterministic
		missed := 0
		for range each {
			if judged(keys[name](), "endpoint") != secret {
				missed++
			}
		}
		if missed > each/100 {
			t.Errorf("%s: %d of %d keys missed", name, missed, each)
		}
	}
	unknown := 0
	for range each {
		for _, key := range []string{some(hex, 32), some(base62, 32), some(base36, 32), some(base62, 22)} {
			if judged("https://rpc.example.org/v1/"+key, "endpoint") == possible {
				unknown++
			}
		}
	}
	if unknown < each*4*93/100 {
		t.Errorf("%d of %d keys on unknown hosts found", unknown, each*4)
	}
	ids := map[string]func() string{
		"an address":   func() string { return "0x" + some(hex, 40) },
		"a hash":       func() string { return some(hex, 64) },
		"a commit":     func() string { return some(hex, 40) },
		"a UUID":       id,
		"a CID":        func() string { return "Qm" + some(base58, 44) },
		"a CID v1":     func() string { return "bafy" + some("abcdefghijklmnopqrstuvwxyz234567", 55) },
		"an account":   func() string { return some(base58, 44) },
		"a blockchain": func() string { return "2" + some(base58, 48) },
		"bech32":       func() string { return "cosmos1" + some(bech32, 38) },
		"a number":     func() string { return some("0123456789", 24) },
		"a dated slug": func() string {
			return fmt.Sprintf("release-%d-%02d-notes-v%d", 2020+random.IntN(9), 1+random.IntN(12), random.IntN(9))
		},
		"a Notion slug":  func() string { return "Getting-started-" + some(hex, 32) },
		"a test network": func() string { return fmt.Sprintf("composable-testnet-%d", random.IntN(9999)) },
	}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		for range each {
			if link := "https://rpc.example.org/x/" + ids[name](); judged(link, "endpoint") != "" {
				t.Errorf("%s is mistaken for a key: %s", name, link)
				break
			}
		}
	}
}

// FuzzLinks checks that no link causes a panic, and that no message has its user info.
func FuzzLinks(f *testing.F) {
	for _, link := range []string{
		"https://user:pass@[::ffff:127.0.0.1%25x]:1/{key}?apikey=&token=x;y#/a?b=c", "http://0x/", "http://0x7f.1/", "//x", "/x?rpc=wss://a:b@c", "celo:x@y?key=1",
		"http://1.2.3.4.5/", "http://。/", "http://0..1/", "https://%31/",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		for _, set := range linkUses {
			c := rich()
			set(c, strings.ReplaceAll(link, "//", "//u:S3cr3tPa55@"))
			for _, line := range lines(domain.Check(c, domain.Reading{}).Problems) {
				if strings.Contains(line, "S3cr3tPa55") && !strings.Contains(link, "?") && !strings.Contains(link, "#") && strings.Count(link, "//") == 1 && strings.Contains(link, "://") {
					t.Errorf("%q: %s", link, line)
				}
			}
		}
	})
}
