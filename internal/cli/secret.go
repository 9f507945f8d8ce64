package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxSecret limits the file of a secret, in bytes.
const maxSecret = 16 << 10

// readSecret reads a secret from a file or, if path is "", from an environment variable, without the
// space around it. The result is "" if there is none. Errors do not contain it.
func readSecret(path, variable string) (string, error) {
	if path == "" {
		return strings.TrimSpace(os.Getenv(variable)), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
	if err == nil && len(data) > maxSecret {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxSecret)
	}
	return strings.TrimSpace(string(data)), err
}

// credential is a token or key that an upstream requires.
type credential struct {
	variable string
	flag     string
}

// read reads the secret from a file or, if path is "", from the variable. Errors do not contain it.
func (c credential) read(path string) (string, error) {
	text, err := readSecret(path, c.variable)
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", fmt.Errorf("there is no key for the upstream: pass %s FILE, or set %s", c.flag, c.variable)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the key of %s or %s has characters that no key has", c.flag, c.variable)
	}
	return text, nil
}
