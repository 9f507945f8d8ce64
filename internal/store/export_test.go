package store

import "os"

// WriteUnsynced is [WriteLastGood] without waiting for the disk, which is what
// nearly all of its time goes to.
func WriteUnsynced(path string, l LastGood) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeEntries(file, l)
}
