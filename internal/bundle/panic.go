package bundle

import (
	"cmp"
	"fmt"
)

// reading returns a function that formats a panic. file points to the file that is being read, ""
// if unknown.
func reading(file *string) func(cause string) string {
	return func(cause string) string {
		return fmt.Sprintf("reading %s failed (%s), which is a fault of vitrine; please report it, and take the file away until it is mended",
			cmp.Or(printable(*file), "a file of the directory"), cause)
	}
}
