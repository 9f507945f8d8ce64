package distribution

import "vitrine/internal/changelog"

// Unpack returns the content of a file.
func Unpack(f File, packed []byte) ([]byte, error) { return f.unpack(packed) }

// Pack compresses a file.
func Pack(prefix string, content []byte) (File, []byte, error) { return pack(prefix, content) }

// Files returns the paths that an entry names.
func Files(e *Entry) map[string]bool { return e.files() }

// Sign returns the signature of any bytes.
func Sign(k *SigningKey, data []byte) []byte { return k.sign(data, new(Entry)) }

// SignaturePath returns the path of the signature of a pointer.
func SignaturePath(pointer []byte) string { return signaturePath(pointer) }

// HexSum returns the SHA-256 of data.
func HexSum(data []byte) string { return hexSum(data) }

// EncodeLog returns the content of the file of a log.
func EncodeLog(log *changelog.Log) ([]byte, error) { return encodeLog(log) }

// DecodeLog returns the log of a file.
func DecodeLog(content []byte) (*changelog.Log, error) { return decodeLog(content) }
