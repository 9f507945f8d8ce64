package distribution

import (
	"context"
	"fmt"
	"strings"

	"vitrine/internal/changelog"
)

// writing is one write of a revision by a [Writer].
type writing struct {
	ctx   context.Context // ends the write
	dir   string
	entry *Entry
	lines *index
	set   set

	packer  packer
	reuse   map[string]File // files of both entries by the hash of their content
	mark    string          // part of the names of new files
	written int
	bytes   int64
	omitted []string // see [Written.Omitted]
}

// reusable lets the write use the files of an entry whose full set was verified, unless they were
// removed since.
func (w *writing) reusable(e *Entry) {
	for _, f := range e.described() {
		if folder(w.dir).has(f) {
			w.reuse[f.ContentSHA256] = f
		}
	}
}

// fullSet writes the files of all kinds. before is the index of the previous entry, nil for none,
// and news are the records that changed since. Files of other records are not encoded again.
func (w *writing) fullSet(before *index, news []id) error {
	for i, k := range w.lines.kinds {
		var known *kindIndex
		if before != nil {
			known = before.kinds[i]
		}
		files, err := w.kindFiles(k, known, news)
		if err != nil {
			return err
		}
		k.files = files
		kind := Kind{Kind: string(k.of.Kind), Records: len(k.keys), Digest: k.digest(), Files: []File{}}
		for _, f := range files {
			if f.Path != "" {
				kind.Files = append(kind.Files, f)
			}
		}
		w.entry.Kinds = append(w.entry.Kinds, kind)
	}
	w.entry.Digest = digestOf(w.entry.Kinds)
	return nil
}

// kindFiles returns the files of a kind, those without a changed record from the index before.
func (w *writing) kindFiles(k, before *kindIndex, news []id) ([]File, error) {
	parts := k.parts()
	files := make([]File, len(parts))
	if before != nil && len(before.files) == len(files) {
		copy(files, before.files)
		for _, record := range news {
			if record.kind == k.of.Kind {
				files[partOf(record.key, len(files))] = File{}
			}
		}
	}
	for i, positions := range parts {
		if _, ok := w.reuse[files[i].ContentSHA256]; ok || len(positions) == 0 {
			continue
		}
		content, err := k.content(&w.lines.encoder, positions)
		if err != nil {
			return nil, err
		}
		if files[i], err = w.file(string(k.of.Kind), content); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// changes writes the blocks of the log of changes, nil for none, and returns them. known are those of
// the last log, which are not encoded again.
func (w *writing) changes(log *changelog.Log, known []block) ([]block, error) {
	if log == nil {
		return nil, nil
	}
	var blocks []block
	var files []File
	for _, revisions := range divide(log.Revisions()) {
		file, err := w.block(revisions, known)
		if err != nil {
			return nil, err
		}
		blocks, files = append(blocks, block{revisions, file}), append(files, file)
	}
	if checkLog(files) == nil { // of a log that is too large, readers answer that changes are unknown
		w.entry.Changes = files
	}
	return blocks, nil
}

// block returns the file of a block.
func (w *writing) block(revisions []changelog.Revision, known []block) (File, error) {
	for _, b := range known {
		if _, ok := w.reuse[b.file.ContentSHA256]; ok && b.has(revisions) {
			return b.file, nil
		}
	}
	content, err := encodeBlock(revisions)
	if err != nil {
		return File{}, err
	}
	return w.file("changes", content)
}

// file writes a file unless the previous entry or this one has its content, and returns its
// description.
func (w *writing) file(prefix string, content []byte) (File, error) {
	if f, ok := w.reuse[hexSum(content)]; ok {
		return f, nil
	}
	if err := w.ctx.Err(); err != nil {
		return File{}, err
	}
	f, packed, err := w.packer.pack(strings.TrimSuffix(prefix+"-"+w.mark, "-"), content)
	if err != nil {
		return File{}, err
	}
	w.written++
	w.bytes += f.Size
	w.reuse[f.ContentSHA256] = f // several deltas may have the same lines
	return f, folder(w.dir).writeFile(f.Path, packed)
}

// deltas writes the delta of each base and returns the bases that have one. A delta that would be
// as large as the full set is omitted, and so are those of older revisions, which are no smaller.
func (w *writing) deltas(bases []base) ([]base, error) {
	w.entry.Deltas = []Delta{}
	total := int64(0)
	for _, k := range w.entry.Kinds {
		for _, f := range k.Files {
			total += f.ContentSize
		}
	}
	bases = w.lines.short(bases, min(max(total/2, 64<<10), maxContent))
	for _, b := range bases {
		content, err := w.lines.deltaContent(b)
		if err != nil {
			return nil, err
		}
		d := Delta{From: b.revision, Lines: len(b.changed)}
		if len(b.changed) > 0 {
			file, err := w.file(fmt.Sprintf("delta-%d-%d", b.revision.Number, w.entry.Revision.Number), content)
			if err != nil {
				return nil, err
			}
			d.File = &file
		}
		w.entry.Deltas = append(w.entry.Deltas, d)
	}
	return bases, nil
}
