package fold_test

import (
	"testing"

	"vitrine/internal/fold"
)

func TestSimplified(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "穩定币": "稳定币", "穩定幣": "稳定币", "稳定币": "稳定币", "區块鏈遊戏": "区块链游戏", "ETH 質押": "ETH 质押", "ウォレット": "ウォレット", "\xff": "\uFFFD", "𠀀": "𠀀",
	} {
		if got := fold.Simplified(text); got != want {
			t.Errorf("Simplified(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestKatakana(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "めたますく": "メタマスク", "うぉれっとー": "ウォレットー", "ゔぁ": "ヴァ", "取引所の": "取引所ノ", "Base": "Base",
	} {
		if got := fold.Katakana(text); got != want {
			t.Errorf("Katakana(%q) = %q, want %q", text, got, want)
		}
	}
}
