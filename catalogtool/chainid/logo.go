package chainid

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/connector"
)

const ipfs = "ipfs://"

// ReadIcons reads chainid_icons.json, an object from icon names to variants:
// {"ethereum": [{"url": "ipfs://…", …}]}. It returns the URL of the first variant by name and omits
// icons without one.
func ReadIcons(r io.Reader) (map[string]string, error) {
	limited := &io.LimitedReader{R: r, N: connector.MaxBytes + 1}
	var in map[string][]struct {
		URL string `json:"url"`
	}
	err := json.NewDecoder(limited).Decode(&in)
	if limited.N <= 0 {
		return nil, fmt.Errorf("chainid icons: %w", connector.ErrTooLarge)
	}
	if err != nil {
		return nil, fmt.Errorf("chainid icons: %w", plainly(err))
	}
	icons := make(map[string]string, len(in))
	for name, forms := range in {
		if len(forms) > 0 {
			icons[name] = forms[0].URL
		}
	}
	return icons, nil
}

// logo returns the URL of the chain's icon at the gateway, "" for none.
func (c *conversion) logo(rec record) string {
	if c.opts.Gateway == "" || c.opts.Icons == nil || rec.Icon == "" {
		return ""
	}
	url, ok := c.opts.Icons[rec.Icon]
	if !ok {
		c.lose(rec.Lost(fmt.Sprintf("there is no icon %.40q", rec.Icon)))
		return ""
	}
	path, ok := strings.CutPrefix(url, ipfs)
	if !ok || !isContentPath(path) {
		c.lose(rec.Lost(fmt.Sprintf("icon %.40q is not an ipfs:// address: %.200q", rec.Icon, url)))
		return ""
	}
	return c.opts.Gateway + path
}

// isContentPath reports whether a text is a content id, optionally with a path, in characters that
// need no escaping in a URL.
func isContentPath(s string) bool {
	if s == "" || len(s) > 500 || s[0] == '/' || strings.Contains(s, "..") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-", r))
	})
}
