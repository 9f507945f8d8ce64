package distribution

import (
	"encoding/json"

	"vitrine/internal/changelog"
)

// Unpack returns the content of a file.
func Unpack(f File, packed []byte) ([]byte, error) { return f.unpack(packed) }

// Packer compresses files.
type Packer struct{ packer }

// Pack compresses a file.
func (p *Packer) Pack(prefix string, content []byte) (File, []byte, error) {
	return p.pack(prefix, content)
}

// Pack compresses a file as the first of a write.
func Pack(prefix string, content []byte) (File, []byte, error) {
	return new(Packer).Pack(prefix, content)
}

// Files returns the paths that an entry names.
func Files(e *Entry) map[string]bool {
	paths := map[string]bool{}
	for _, f := range e.described() {
		paths[f.Path] = true
	}
	return paths
}

// Sign returns the signature of any bytes.
func Sign(k *SigningKey, data []byte) []byte { return k.sign(data, new(Entry)) }

// SignaturePath returns the path of the signature of a pointer.
func SignaturePath(pointer []byte) string { return signaturePath(pointer) }

// HexSum returns the SHA-256 of data.
func HexSum(data []byte) string { return hexSum(data) }

// EncodeLog returns the content of all blocks of a log.
func EncodeLog(log *changelog.Log) ([]byte, error) { return encodeBlock(log.Revisions()) }

// DecodeLog returns the log of the content of all blocks.
func DecodeLog(content []byte) (*changelog.Log, error) {
	revisions, err := decodeBlock(content)
	if err != nil {
		return nil, err
	}
	return joinLog(revisions)
}

// KeyText returns a public key as text.
func KeyText(k *PublicKey) string { return k.key.String() }

// Followed returns the statement that a key follows another one.
func Followed(k *SigningKey, next *PublicKey, catalogue string) KeyStatement {
	return k.followedBy(next, catalogue)
}

// Resigned returns files whose pointer is that of a later revision of the catalogue of another
// pointer, with other statements, signed by a key.
func Resigned(files map[string][]byte, of []byte, key *SigningKey, statements func(catalogue string) []KeyStatement) map[string][]byte {
	var e, last Entry
	if json.Unmarshal(files[EntryFile], &e) != nil || json.Unmarshal(of, &last) != nil {
		return nil
	}
	e.Catalogue, e.Epoch, e.Revision.Number = last.Catalogue, last.Epoch, last.Revision.Number+1
	e.Keys, e.Deltas = statements(e.Catalogue), nil
	data, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	files[EntryFile] = data
	files[signaturePath(data)] = key.sign(data, &e)
	return files
}

// LimitTables sets the maximum size of a compressed table.
func LimitTables(w *Writer, limit int) { w.tableLimit = limit }
