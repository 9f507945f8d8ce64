package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image/png"
	"slices"
	"strings"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngChunks are the chunks of an image without metadata.
var pngChunks = []string{"IHDR", "PLTE", "tRNS", "IDAT", "IEND"}

// isPlainPNG reports whether data has only chunks of an image, and nothing after them.
func isPlainPNG(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(pngSignature))
	for ok && len(rest) >= 12 {
		size, name := binary.BigEndian.Uint32(rest), string(rest[4:8])
		if uint64(size) > uint64(len(rest)-12) || !slices.Contains(pngChunks, name) {
			return false
		}
		if rest = rest[12+size:]; name == "IEND" {
			return len(rest) == 0
		}
	}
	return false
}

// cleanPNG returns an equal image without metadata. It returns data itself if there is none, or if
// data is no PNG within the limits.
func cleanPNG(data []byte) []byte {
	if isPlainPNG(data) || sidesFault(data) != nil {
		return data
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return data
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, decoded); err != nil {
		return data
	}
	return out.Bytes()
}

// sidesFault returns the fault of the header of a PNG.
func sidesFault(data []byte) *Fault {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return whole("it is not a PNG: "+plainError(err), "save it as PNG again")
	case config.Width > maxSide || config.Height > maxSide:
		f := whole(fmt.Sprintf("it has %d×%d pixels, the limit is %d×%d", config.Width, config.Height, maxSide, maxSide), "scale it down")
		f.Large = true
		return f
	}
	return nil
}

func checkPNG(data []byte) *Fault {
	if len(data) > MaxPNG {
		return tooLarge(len(data), MaxPNG)
	}
	if f := sidesFault(data); f != nil {
		return f
	}
	if !isPlainPNG(data) {
		return whole("it has more than an image", "save it as PNG without metadata")
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		return whole("it is damaged: "+plainError(err), "save it as PNG again")
	}
	return nil
}

// plainError returns the message of an error of package png without its prefix.
func plainError(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "png: "), "invalid format: ")
}

// sizeOfPNG reads the sides from the first chunk.
func sizeOfPNG(content string) (width, height int) {
	const header = 24 // bytes, which are 32 characters
	if len(content) < header/3*4 {
		return 0, 0
	}
	data, err := base64.StdEncoding.DecodeString(content[:header/3*4])
	if err != nil || !bytes.HasPrefix(data, []byte(pngSignature)) {
		return 0, 0
	}
	return int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:]))
}
