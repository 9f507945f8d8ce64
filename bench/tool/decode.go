package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// decoded is the result of one pass over the NDJSON files of a directory.
type decoded struct {
	Records int     `json:"records"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// record has the fields of accounts and chains. The decoder skips all others, which favours it.
type record struct {
	Handle      string            `json:"handle"`
	Slug        string            `json:"slug"`
	Name        json.RawMessage   `json:"name"`
	Description map[string]string `json:"description"`
	Categories  []string          `json:"categories"`
	Followers   float64           `json:"followers_count"`
}

// decode decodes all records and keeps them in memory, like a publish.
func decode(dir string) (decoded, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	if err != nil {
		return decoded{}, err
	}
	var result decoded
	var all []record
	start := time.Now()
	for _, file := range files {
		if all, err = appendRecords(all, file); err != nil {
			return decoded{}, err
		}
	}
	result.Seconds = time.Since(start).Seconds()
	result.Records = len(all)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return decoded{}, err
		}
		result.Bytes += info.Size()
	}
	return result, nil
}

func appendRecords(all []record, file string) (_ []record, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for {
		var r record
		if err := lines.Decode(&r); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
}
