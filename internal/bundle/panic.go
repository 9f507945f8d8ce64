package bundle

import (
	"cmp"
	"fmt"
)

// reading returns what is said of a panic; file is what is being read by the time
// of it, "" when that is not known.
func reading(file *string) func(cause string) string {
	return func(cause string) string {
		return fmt.Sprintf("reading %s failed (%s), which is a fault of vitrine; please report it, and take the file away until it is mended",
			cmp.Or(printable(*file), "a file of the directory"), cause)
	}
}
