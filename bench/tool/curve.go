package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"vitrine/bench/large"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// curvePoint has the costs of one size of catalogue.
type curvePoint struct {
	Accounts       int     `json:"accounts"`
	CompileSeconds float64 `json:"compileSeconds"`
	SourceHeap     uint64  `json:"sourceHeap"`   // bytes of the uncompiled catalogue
	SnapshotHeap   uint64  `json:"snapshotHeap"` // additional bytes of the snapshot
	Matches        int     `json:"matches"`      // of a search, median
	Search         spread  `json:"search"`
}

// point compiles n accounts and searches for generated names with few matches.
func point(ctx context.Context, n, searches int) (curvePoint, error) {
	empty := heap()
	c, err := large.Catalog(ctx, n, 0)
	if err != nil {
		return curvePoint{}, err
	}
	result := curvePoint{Accounts: n, SourceHeap: heap() - empty}
	start := time.Now()
	s, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 1})
	if err != nil {
		return curvePoint{}, err
	}
	s.Finish()
	result.CompileSeconds = time.Since(start).Seconds()
	result.SnapshotHeap = heap() - empty - result.SourceHeap

	const rounds = 5
	terms := selectiveTerms(c.Accounts, searches)
	times := make([][]time.Duration, len(terms))
	totals := make([]int, len(terms))
	for range rounds {
		for i, term := range terms {
			start := time.Now()
			q, err := query.ParseList(query.KindUser, raw(term), s.Locales())
			if err != nil {
				return curvePoint{}, err
			}
			part := s.List(q)
			part.Body()
			totals[i] = part.Total
			times[i] = append(times[i], time.Since(start))
		}
	}
	result.Search, result.Matches = summed(times), median(totals)
	runtime.KeepAlive(c)
	return result, nil
}

// heap returns the bytes of the heap in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // frees what finalizers and pools held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// median returns the median of at least one value.
func median(values []int) int {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
