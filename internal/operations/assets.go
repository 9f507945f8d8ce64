package operations

import (
	"math"
	"net/http"
	"strings"

	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// cachePicture is the caching of pictures: the content of a path never changes.
const cachePicture = "public, max-age=31536000, immutable"

// picturePolicy is the policy of a picture that is opened as a document: nothing runs or loads in it.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// pictureAt returns the picture at a path. Pictures of the previous revision are served while it is
// kept: pages in shared caches refer to them.
func (h *Handler) pictureAt(g *generation, path string) (snapshot.Picture, bool) {
	if g == nil || !strings.HasPrefix(path, snapshot.PicturesPath) {
		return snapshot.Picture{}, false
	}
	if p, ok := g.snapshot.Picture(path); ok {
		return p, true
	}
	if kept := h.previous.Load(); kept != nil {
		return kept.snapshot.Picture(path)
	}
	return snapshot.Picture{}, false
}

// isFreePicture reports whether a request is for a picture, which costs no quota: like prepared bodies, it
// is in memory, and a page may have a hundred.
func (h *Handler) isFreePicture(r *http.Request, g *generation) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || bounded(r) != nil {
		return false
	}
	_, ok := h.pictureAt(g, r.URL.EscapedPath())
	return ok
}

// picture replies with the picture at the path of a request. Its cache entry belongs to no generation, so a
// publish does not remove it.
func (h *Handler) picture(g *generation, r request) (reply, error) {
	k := key{generation: math.MaxUint64, operation: "asset", variant: r.segment}
	if found, ok := h.cachedReply(r, k, response.Once); ok {
		return found, nil
	}
	p, ok := h.pictureAt(g, r.segment)
	if !ok {
		return reply{}, &response.Problem{Code: response.NotFound, Detail: "there is no picture at this path any more"}
	}
	fields := response.Fields{More: http.Header{
		"Content-Type": {p.MediaType}, "Cache-Control": {cachePicture}, "Content-Security-Policy": {picturePolicy},
	}}
	return h.planned(r, k, &cacheEntry{fields: fields}, wholePlan(p.Bytes(), response.Once))
}
