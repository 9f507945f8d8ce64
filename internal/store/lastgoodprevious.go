package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"vitrine/internal/atomicfile"
)

// A newer version may write a last good file that the version before cannot read. So that a
// downgrade within the first day can start without the store, the file of another program is kept.

// previousKept is how long a file of another program is kept at least.
const previousKept = 24 * time.Hour

// PreviousLastGood returns the path of the copy of a last good file that another program wrote.
func PreviousLastGood(path string) string { return path + ".previous" }

// keepPrevious copies the file at path if another program than the named one wrote it, and else
// removes an old copy. program is "" if unknown; then it does nothing.
func keepPrevious(path, program string) error {
	if program == "" {
		return nil
	}
	file, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	by, err := programOf(file)
	if err != nil {
		return nil // no last good file, or a damaged one
	}
	previous := PreviousLastGood(path)
	if by == program {
		return removeOld(previous)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return atomicfile.Write(previous, "", 0o600, func(to *os.File) error {
		_, err := io.Copy(to, file)
		return err
	})
}

func removeOld(path string) error {
	info, err := os.Stat(path)
	if err == nil && time.Since(info.ModTime()) > previousKept {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

const (
	programMagic = 0x184D2A50 // of a skippable frame
	programLimit = 1 << 10
)

// programFrame returns the frame with the name of a program, nothing for "".
func programFrame(program string) []byte {
	if program == "" {
		return nil
	}
	program = program[:min(len(program), programLimit)]
	frame := binary.LittleEndian.AppendUint32(nil, programMagic)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(program)))
	return append(frame, program...)
}

// programOf returns the program that wrote a last good file, "" if unknown or if the file has
// another format. It does not verify the checksum.
func programOf(file io.Reader) (string, error) {
	var header lastGoodHeader
	if err := binary.Read(file, binary.LittleEndian, &header); err != nil {
		return "", err
	}
	if !header.named() {
		return "", fileError("it is not a file of ours")
	}
	if header.Format != lastGoodFormat {
		return "", nil
	}
	return readProgram(file)
}

// readProgram reads the beginning of the streams.
func readProgram(from io.Reader) (string, error) {
	var frame struct{ Magic, Length uint32 }
	err := binary.Read(from, binary.LittleEndian, &frame)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err == nil && frame.Magic != programMagic {
		return "", nil // written before programs were named
	}
	if err != nil {
		return "", err
	}
	if frame.Length > programLimit {
		return "", fileError(fmt.Sprintf("the name of its program has %d bytes", frame.Length))
	}
	program := make([]byte, frame.Length)
	if _, err := io.ReadFull(from, program); err != nil {
		return "", err
	}
	return string(program), nil
}
