package bundle

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// origins has the files of the records of each kind.
type origins map[domain.Kind][]segment

// A segment is a range of records of a kind that came from one file: from index first up to the
// next segment's. It has the lines on which they begin.
type segment struct {
	file  *file
	first int
	lines []int32
}

// beginFile records that the records of a kind from index first on come from f.
func (o origins) beginFile(kind domain.Kind, f *file, first int) {
	o[kind] = append(o[kind], segment{file: f, first: first})
}

// mark records the lines of the records of a document (or, in a long list, of one record), as
// [decoder.decode] appends them.
func (o origins) mark(of *domain.Description, n *node) {
	lists := listsIn(of.File)
	for _, d := range lists {
		o.markList(d.Kind, n.value(d.List))
	}
	switch {
	case len(lists) > 0:
	case of.Long:
		o.markLine(of.Kind, n.line)
	default:
		o.markLine(of.Kind, 1) // the file is the record
	}
}

func (o origins) markList(kind domain.Kind, n *node) {
	if n == nil || n.kind != list {
		return
	}
	for _, item := range n.items {
		o.markLine(kind, item.line)
	}
}

func (o origins) markLine(kind domain.Kind, line int) {
	segments := o[kind]
	last := &segments[len(segments)-1]
	last.lines = append(last.lines, int32(line)) // files have fewer than 2³¹ lines
}

// segmentOf returns the segment of a record and the record's index in it; nil for a kind without
// files.
func (o origins) segmentOf(kind domain.Kind, index int) (*segment, int) {
	segments := o[kind]
	i, _ := slices.BinarySearchFunc(segments, index+1, func(s segment, index int) int { return cmp.Compare(s.first, index) })
	if i == 0 || index < 0 {
		return nil, 0
	}
	return &segments[i-1], index - segments[i-1].first
}
