package store

import "os"

// WriteUnsynced is [WriteLastGood] without waiting for the disk, which is what
// nearly all of its time goes to.
func WriteUnsynced(path string, s *State) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeState(file, s)
}
