package observe_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/observe"
	"vitrine/internal/store"
)

func row(id, name string, value float64, asOf domain.Date) connector.Row {
	return connector.Row{ChainID: id, Name: name, Figure: domain.Figure{Value: value, Source: "defillama", AsOf: asOf}}
}

func observed(slug string, value float64, asOf domain.Date) domain.Observation {
	return domain.Observation{Kind: domain.KindChain, Key: slug, Figure: domain.FigureTVL, Value: value, Source: "defillama", AsOf: asOf}
}

func catalogue() *domain.Catalog {
	return &domain.Catalog{Chains: []domain.Chain{
		{Slug: "ethereum", ChainID: "1"},
		{Slug: "base", ChainID: "8453"},
		{Slug: "evmos", ChainID: "eip155:9001"},
		{Slug: "old-harmony", ChainID: "1666600000", Status: domain.StatusRetired},
		{Slug: "harmony", ChainID: "1666600000"},
		{Slug: "hyper", ChainID: "999"},
		{Slug: "wanchain-testnet", ChainID: "999"},
	}}
}

func TestChains(t *testing.T) {
	rows := []connector.Row{
		row("1", "Ethereum", 10, "2026-11-22"), row("8453", "Base", 5, "2026-11-22"), row("9001", "Evmos", 0, "2026-11-22"),
		row("1666600000", "Harmony", 3, "2026-11-22"), row("999", "Hyperliquid", 7, "2026-11-22"),
		row("4242", "Unknown", 1, "2026-11-22"), row("", "Solana", 9, "2026-11-22"), row("8453", "Base (old)", 1, "2026-11-22"),
	}
	got, err := observe.Chains(domain.FigureTVL, rows, catalogue(), []domain.Observation{
		observed("ethereum", 10, "2026-11-22"), observed("base", 5, "2026-11-21"),
		{Kind: domain.KindChain, Key: "hyper", Figure: domain.FigureTVL, Value: 1, Source: "another", AsOf: "2027-01-01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := observe.Result{
		Joined: 4,
		Observations: []store.Observation{
			{Observation: observed("base", 5, "2026-11-22"), UpstreamID: "Base"},
			{Observation: observed("evmos", 0, "2026-11-22"), UpstreamID: "Evmos"},
			{Observation: observed("harmony", 3, "2026-11-22"), UpstreamID: "Harmony"},
		},
		Lost: []connector.Loss{
			{ChainID: "999", Name: "Hyperliquid", Reason: "several chains have the id: hyper and wanchain-testnet"},
			{ChainID: "4242", Name: "Unknown", Reason: "no chain of the catalogue has the id"},
			{Name: "Solana", Reason: "the row has no chain id"},
			{ChainID: "8453", Name: "Base (old)", Reason: connector.Lesser},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAccounts(t *testing.T) {
	account := func(handle, id string, n float64) connector.KeyedRow {
		return connector.KeyedRow{Key: handle, ID: id, Figure: domain.Figure{Value: n, Source: "x", AsOf: "2026-11-23"}}
	}
	before := func(handle string, n float64) domain.Observation {
		return domain.Observation{Kind: domain.KindAccount, Key: handle, Figure: domain.FigureFollowers, Value: n, Source: "x", AsOf: "2026-11-22"}
	}
	asked := []string{"Base", "arbitrum", "taken", "gone"}
	rows := []connector.KeyedRow{account("base", "1", 10), account("Arbitrum", "2", 0), account("taken", "9", 5), account("other", "4", 1), account("BASE", "1", 3)}
	got, err := observe.Requested(domain.KindAccount, domain.FigureFollowers, rows, asked, map[string]string{"taken": "3", "Base": "1"}, []domain.Observation{before("base", 9), before("notasked", 1), before("elsewhere", 1)})
	want := observe.Result{
		Joined: 2,
		Observations: []store.Observation{
			{Observation: domain.Observation{Kind: domain.KindAccount, Key: "Base", Figure: domain.FigureFollowers, Value: 10, Source: "x", AsOf: "2026-11-23"}, UpstreamID: "1"},
			{Observation: domain.Observation{Kind: domain.KindAccount, Key: "arbitrum", Figure: domain.FigureFollowers, Value: 0, Source: "x", AsOf: "2026-11-23"}, UpstreamID: "2"},
		},
		Lost: []connector.Loss{
			{Name: "taken", Reason: "another account has taken over the handle: its id is 9, was 3"},
			{Name: "other", Reason: "the account was not requested"}, {Name: "BASE", Reason: "the response has the account twice"},
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	all := []domain.Observation{before("base", 9), before("arbitrum", 1), before("taken", 1), before("gone", 1)}
	if _, err := observe.Requested(domain.KindAccount, domain.FigureFollowers, rows[:1], asked, nil, all); err == nil || !strings.Contains(err.Error(), "has values for 1 accounts now and 4 before") {
		t.Errorf("a response with few rows: %v", err)
	}
	if _, err := observe.Requested(domain.KindAccount, domain.FigureFollowers, nil, asked, nil, all); err == nil || !strings.Contains(err.Error(), "belongs to an account") {
		t.Errorf("an empty response: %v", err)
	}
}

func TestChannels(t *testing.T) {
	channel := func(id string, n float64) connector.KeyedRow {
		return connector.KeyedRow{Key: id, ID: id, Figure: domain.Figure{Value: n, Source: "youtube", AsOf: "2026-11-23"}}
	}
	observed := func(id string, n float64, asOf domain.Date) domain.Observation {
		return domain.Observation{Kind: domain.KindChannel, Key: id, Figure: domain.FigureSubscribers, Value: n, Source: "youtube", AsOf: asOf}
	}
	asked := []string{"UCa", "UCb", "UCc", "UCd"}
	rows := []connector.KeyedRow{channel("UCc", 3), channel("UCa", 0), channel("UCa", 7), channel("UCA", 9), channel("UCb", 5)}
	got, err := observe.Requested(domain.KindChannel, domain.FigureSubscribers, rows, asked, nil, []domain.Observation{observed("UCb", 5, "2026-11-23"), observed("UCc", 3, "2026-11-20"), observed("UCz", 1, "2027-01-01")})
	want := observe.Result{
		Joined: 3,
		Observations: []store.Observation{
			{Observation: observed("UCa", 0, "2026-11-23"), UpstreamID: "UCa"}, {Observation: observed("UCc", 3, "2026-11-23"), UpstreamID: "UCc"},
		},
		Lost: []connector.Loss{{Name: "UCa", Reason: "the response has the channel twice"}, {Name: "UCA", Reason: "the channel was not requested"}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	earlier := []domain.Observation{observed("UCc", 3, "2026-11-20"), observed("UCa", 1, "2026-11-20")}
	got.DropDates(earlier, func(key string) bool { return key == "UCa" })
	if diff := cmp.Diff(want.Observations, got.Observations); diff != "" {
		t.Errorf("without changes of dates alone in other documents (-want +got):\n%s", diff)
	}
	got.DropDates(earlier, func(string) bool { return true })
	if diff := cmp.Diff(want.Observations[:1], got.Observations); diff != "" {
		t.Errorf("without changes of dates alone (-want +got):\n%s", diff)
	}
	for reason, of := range map[string]struct {
		rows   []connector.KeyedRow
		before []domain.Observation
	}{
		"belongs to a channel":                       {nil, nil},
		"has values for 1 channels now and 2 before": {rows[:1], []domain.Observation{observed("UCa", 1, "2026-11-20"), observed("UCb", 1, "2026-11-20")}},
		"older than the observations of 2026-11-24":  {rows[:1], []domain.Observation{observed("UCc", 1, "2026-11-24")}},
	} {
		if got, err := observe.Requested(domain.KindChannel, domain.FigureSubscribers, of.rows, asked, nil, of.before); err == nil || !strings.Contains(err.Error(), reason) || got.Observations != nil {
			t.Errorf("%+v, %v; want %s", got, err, reason)
		}
	}
}

func TestChainsRejectsAnswers(t *testing.T) {
	before := []domain.Observation{
		observed("ethereum", 10, "2026-11-20"), observed("base", 5, "2026-11-20"), observed("evmos", 1, "2026-11-20"), observed("harmony", 1, "2026-11-20"),
	}
	tests := []struct {
		name   string
		rows   []connector.Row
		reason string
	}{
		{"empty", nil, "no row of llama_tvl belongs to a chain"},
		{"of other chains", []connector.Row{row("4242", "x", 1, "2026-11-22")}, "no row of llama_tvl belongs to a chain"},
		{"shrunken", []connector.Row{row("1", "Ethereum", 1, "2026-11-22"), row("8453", "Base", 1, "2026-11-22")}, "has values for 2 chains now and 4 before"},
		{"older", []connector.Row{
			row("1", "Ethereum", 1, "2026-11-19"), row("8453", "Base", 1, "2026-11-19"), row("9001", "Evmos", 1, "2026-11-19"), row("1666600000", "Harmony", 1, "2026-11-19"),
		}, "older than the observations of 2026-11-20"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := observe.Chains(domain.FigureTVL, tt.rows, catalogue(), before)
			if rejected := (*observe.RejectedError)(nil); !errors.As(err, &rejected) || !strings.Contains(err.Error(), tt.reason) || got.Observations != nil {
				t.Errorf("%+v, error %v; want %s", got, err, tt.reason)
			}
		})
	}
}
