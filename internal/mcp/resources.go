package mcp

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// newsURI is the resource of what launched and ended; a locale may follow a slash.
const newsURI = "catalogue://news"

const jsonType = "application/json"

// maxEvents bounds the events of the news.
const maxEvents = 100

// news is the content of the resource. Texts of the catalogue are in News.
type news struct {
	Revision    int64       `json:"revision"`
	PublishedAt string      `json:"publishedAt"`
	Locale      string      `json:"locale"`
	Notice      string      `json:"notice"`
	Total       int         `json:"total"` // of which News has the newest
	News        []newsEvent `json:"news"`
}

type newsEvent struct {
	Date   string `json:"date"` // YYYY-MM-DD
	Change string `json:"change"`
	Kind   string `json:"kind"`
	Key    string `json:"key"`
	Title  string `json:"title"`
	Note   string `json:"note,omitempty"`
}

// addResources declares the news, in the default locale and in any locale.
func (h *Handler) addResources() {
	const about = "What launched and what ended, newest first, with dates and reasons where known."
	h.server.AddResource(&sdk.Resource{URI: newsURI, Name: "news", Title: "News", Description: about, MIMEType: jsonType}, h.readNews)
	h.server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: newsURI + "/{locale}", Name: "news-in", Title: "News in a language", Description: about, MIMEType: jsonType,
	}, h.readNews)
}

// readNews reads the news in the locale that the URI names, by the API's rules.
func (h *Handler) readNews(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	s := h.config.Snapshot()
	if s == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "no catalogue has been published yet; retry in a moment"}
	}
	asked := strings.TrimPrefix(strings.TrimPrefix(r.Params.URI, newsURI), "/")
	text := encode(newsOf(s, s.Locales().Match(asked)))
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: jsonType, Text: string(text)}}}, nil
}

func newsOf(s *snapshot.Snapshot, id locale.ID) news {
	revision, events := s.Revision(), s.News(id)
	all := news{
		Revision: revision.Number, PublishedAt: revision.PublishedAt.UTC().Format(time.RFC3339), Locale: s.Locales().Name(id),
		Notice: notice, Total: len(events), News: []newsEvent{},
	}
	for _, e := range events[:min(maxEvents, len(events))] {
		event := newsEvent{Date: e.Date, Change: "launched", Kind: "app", Key: e.Key, Title: e.Name, Note: e.Note}
		if e.Ended {
			event.Change = "ended"
		}
		if e.Kind == query.KindChain {
			event.Kind = string(e.Kind)
		}
		all.News = append(all.News, event)
	}
	return all
}
