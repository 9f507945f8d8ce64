// Command tool has the parts of bench/run that need Go: it generates large catalogues, serves
// prepared bytes without a framework, decodes a file, and measures searches in process.
//
//	tool large DIR N [CHANGED]      writes a catalogue directory
//	tool decode DIR                 decodes its NDJSON files with encoding/json
//	tool bare ADDR URL PATH...      serves what URL answers for these paths
//	tool search [flags]             searches against SQLite and PostgreSQL
//	tool curve N QUERIES            compiles N accounts and searches them
//
// All commands except bare print one JSON object. Durations are in seconds. bench/run computes
// the ratios.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"vitrine/bench/large"
)

var errUsage = errors.New("usage: tool large|decode|bare|search|curve; see its package comment")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tool:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	command, args := args[0], args[1:]
	switch {
	case command == "large" && (len(args) == 2 || len(args) == 3):
		return writeLarge(ctx, args)
	case command == "decode" && len(args) == 1:
		return printing(decode(args[0]))
	case command == "bare" && len(args) > 2:
		return bare(ctx, args[0], args[1], args[2:])
	case command == "search":
		return printing(searches(ctx, args))
	case command == "curve" && len(args) == 2:
		return curve(ctx, args)
	}
	return errUsage
}

func writeLarge(ctx context.Context, args []string) error {
	counts, err := numbers(args[1:])
	if err != nil {
		return err
	}
	changed := 0
	if len(counts) == 2 {
		changed = counts[1]
	}
	bytes, err := large.Write(ctx, args[0], counts[0], changed)
	return printing(struct {
		Bytes int64 `json:"bytes"`
	}{bytes}, err)
}

func curve(ctx context.Context, args []string) error {
	counts, err := numbers(args)
	if err != nil {
		return err
	}
	return printing(point(ctx, counts[0], counts[1]))
}

func numbers(args []string) ([]int, error) {
	out := make([]int, len(args))
	for i, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no count", arg)
		}
		out[i] = n
	}
	return out, nil
}

func printing(result any, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
