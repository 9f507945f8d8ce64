package search

import (
	"encoding/binary"
	"math/bits"
)

// packed has many lists of numbers in one array of bytes, each number as a uvarint. The words of all records
// are the largest part of an index, and frequent words mostly have small numbers.
type packed struct {
	ends  []uint32 // the end of each list in bytes
	bytes []byte
}

func (p *packed) at(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.bytes[from:p.ends[i]]
}

// unpack appends the numbers of a list.
func unpack(to []uint32, list []byte) []uint32 {
	for i := 0; i < len(list); i++ {
		number := uint32(list[i] & 0x7F)
		for shift := 7; list[i] >= 0x80; shift += 7 {
			i++
			number |= uint32(list[i]&0x7F) << shift
		}
		to = append(to, number)
	}
	return to
}

// packedSize is the number of bytes that a number takes.
func packedSize(number uint32) int { return (bits.Len32(number|1) + 6) / 7 }

// recordsOf returns the number of records of parts.
func recordsOf(parts []lists) int {
	n := 0
	for _, part := range parts {
		n += len(part.ends)
	}
	return n
}

// packWords returns the words of all records, each part having those of consecutive records. The flags of a
// word are its lowest bits.
func packWords(parts []lists) packed {
	size := 0
	for _, part := range parts {
		for _, word := range part.all {
			size += packedSize(bits.RotateLeft32(word, flagBits))
		}
	}
	mustFit(size)
	p := packed{ends: make([]uint32, 0, recordsOf(parts)), bytes: make([]byte, 0, size)}
	for _, part := range parts {
		for record := range part.ends {
			for _, word := range part.at(uint32(record)) {
				p.bytes = binary.AppendUvarint(p.bytes, uint64(bits.RotateLeft32(word, flagBits)))
			}
			p.ends = append(p.ends, uint32(len(p.bytes)))
		}
	}
	return p
}

// words appends the words of a record to to.
func (p *packed) words(to []uint32, record uint32) []uint32 {
	to = unpack(to, p.at(record))
	for i := range to {
		to[i] = bits.RotateLeft32(to[i], -flagBits)
	}
	return to
}
