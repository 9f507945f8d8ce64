package store

import "os"

// WriteUnsynced is [WriteLastGood] without fsync, which takes nearly all of its time.
func WriteUnsynced(path string, l LastGood) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeEntries(file, l)
}
