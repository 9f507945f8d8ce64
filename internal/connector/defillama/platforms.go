package defillama

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// Platforms reads counts of protocols by chain from CSV with the columns name, protocols and timestamp,
// in the order of its rows. Rows have a name and no chain id: see [Names]. A count of 0 means that the
// recording did not count the chain, so the row is a loss, like an unreadable one. It returns an error
// if the table cannot be read to its end.
func Platforms(r io.Reader) ([]connector.Row, []connector.Loss, error) {
	table := csv.NewReader(io.LimitReader(r, connector.MaxBytes))
	header, err := table.Read()
	if err == io.EOF {
		return nil, nil, errors.New("defillama platforms: the file is empty")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("defillama platforms: %w", err)
	}
	name, protocols, timestamp := slices.Index(header, "name"), slices.Index(header, "protocols"), slices.Index(header, "timestamp")
	if min(name, protocols, timestamp) < 0 {
		return nil, nil, errors.New("defillama platforms: a column of name, protocols and timestamp is missing")
	}
	var rows []connector.Row
	var lost []connector.Loss
	for {
		record, err := table.Read()
		if err == io.EOF {
			return rows, lost, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("defillama platforms: %w", err)
		}
		row, err := platformsRow(record[name], record[protocols], record[timestamp])
		if err != nil {
			lost = append(lost, row.Loss(err.Error()))
			continue
		}
		rows = append(rows, row)
	}
}

func platformsRow(name, protocols, timestamp string) (connector.Row, error) {
	row := connector.Row{Name: strings.TrimSpace(name)}
	count, err := strconv.ParseUint(protocols, 10, 32)
	if err != nil {
		return row, fmt.Errorf("protocols %.40q is not a whole number", protocols)
	}
	if count == 0 {
		return row, errors.New("0 protocols: the recording did not count them")
	}
	day, _, _ := strings.Cut(timestamp, "T")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return row, fmt.Errorf("timestamp %.40q does not begin with a date", timestamp)
	}
	row.Figure = domain.Figure{Value: float64(count), Source: Source, AsOf: domain.Date(day)}
	return row, nil
}
