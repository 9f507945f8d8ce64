package distribution

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the memory that decompression may use beside its result.
const maxWindow = 8 << 20

// packer compresses the files of a write with one encoder, which uses some 12 MB. The zero value is ready.
// It is not safe for concurrent use.
type packer struct {
	encoder *zstd.Encoder // nil before the first file
}

// pack compresses the content of a file and describes it. The name begins with a prefix. The bytes
// depend on the content only.
func (p *packer) pack(prefix string, content []byte) (File, []byte, error) {
	if p.encoder == nil {
		var err error
		if p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
			return File{}, nil, err
		}
	}
	packed := p.encoder.EncodeAll(content, nil)
	sum := hexSum(packed)
	return File{
		Path: "files/" + prefix + "-" + sum + ".ndjson.zst", Size: int64(len(packed)), SHA256: sum,
		ContentSize: int64(len(content)), ContentSHA256: hexSum(content),
	}, packed, nil
}

// brokenFile reports a file that a pointer names and that is missing or has other bytes or content.
type brokenFile struct{ error }

// fetch returns the compressed bytes of a file. The error is a [brokenFile] if the place lacks them.
func (f File) fetch(ctx context.Context, from place) ([]byte, error) {
	packed, err := find(ctx, from, f.Path, f.Size)
	switch {
	case err != nil:
		return nil, err
	case packed == nil: // the distribution is not missing
		return nil, brokenFile{fmt.Errorf("%s is missing, although %s names it", f.Path, EntryFile)}
	case int64(len(packed)) != f.Size || hexSum(packed) != f.SHA256:
		return nil, brokenFile{fmt.Errorf("%s is damaged: it has other bytes than %s declares", f.Path, EntryFile)}
	}
	return packed, nil
}

// content returns the content of a file. The error is a [brokenFile] if the place lacks it.
func (f File) content(ctx context.Context, from place) ([]byte, error) {
	packed, err := f.fetch(ctx, from)
	if err != nil {
		return nil, err
	}
	content, err := f.unpack(packed)
	if err != nil {
		return nil, brokenFile{err}
	}
	return content, nil
}

// unpack returns the content of a file whose compressed bytes are given. It checks size and hash
// after decompression, which stops at the declared size.
func (f File) unpack(packed []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	defer decoder.Close()
	content := bytes.NewBuffer(make([]byte, 0, f.ContentSize+bytes.MinRead))
	if _, err := io.Copy(content, io.LimitReader(decoder, f.ContentSize+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if int64(content.Len()) != f.ContentSize || hexSum(content.Bytes()) != f.ContentSHA256 {
		return nil, fmt.Errorf("%s has other content than %s declares", f.Path, EntryFile)
	}
	return content.Bytes(), nil
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
