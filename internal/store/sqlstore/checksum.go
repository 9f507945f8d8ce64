package sqlstore

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// checksum is the checksum of a row's content. Engines detect damage to their own structures, but
// not always to the content: a text with a flipped bit would be served.
type checksum uint32

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newChecksum() checksum { return 0 }

func (c checksum) number(n int64) checksum {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	return checksum(crc32.Update(uint32(c), castagnoli, b[:]))
}

func (c checksum) float(f float64) checksum { return c.number(int64(math.Float64bits(f))) }

func (c checksum) text(s string) checksum { return c.bytes([]byte(s)) }

// bytes distinguishes nil from empty, and separates fields.
func (c checksum) bytes(b []byte) checksum {
	n := int64(len(b))
	if b == nil {
		n = -1
	}
	return checksum(crc32.Update(uint32(c.number(n)), castagnoli, b))
}

func (c checksum) value() int64 { return int64(c) }
