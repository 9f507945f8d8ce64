package trial

import (
	"bufio"
	"cmp"
	"fmt"
	"net"
	"sync"
	"time"
)

// crowded is the number of connections of a crowd.
const crowded = 4

// Crowd sends many requests as fast as possible, pipelined on each connection, and counts the
// responses by status. header returns the header lines of a request, each with its CRLF; it is
// called concurrently.
func Crowd(addr, path string, requests int, header func(i int) string) map[int]int {
	var mu sync.Mutex
	var failed error
	total := map[int]int{}
	var running sync.WaitGroup
	for part := range crowded {
		running.Go(func() {
			first, end := part*requests/crowded, (part+1)*requests/crowded
			statuses, err := crowd(addr, path, first, end, header)
			mu.Lock()
			defer mu.Unlock()
			for status, count := range statuses {
				total[status] += count
			}
			failed = cmp.Or(failed, err)
		})
	}
	running.Wait()
	Check(failed)
	return total
}

func crowd(addr, path string, first, end int, header func(i int) string) (map[int]int, error) {
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var sending sync.WaitGroup
	defer sending.Wait()
	defer conn.Close() // ends pending writes
	sending.Go(func() {
		out := bufio.NewWriter(conn)
		for i := first; i < end; i++ {
			if _, err := fmt.Fprintf(out, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, addr, header(i)); err != nil {
				return // the reader gets the error, too
			}
		}
		out.Flush()
	})
	statuses, in := map[int]int{}, bufio.NewReader(conn)
	for range end - first {
		if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return statuses, err
		}
		resp, err := discardResponse(in)
		if err != nil {
			return statuses, err
		}
		statuses[resp.StatusCode]++
	}
	return statuses, nil
}
