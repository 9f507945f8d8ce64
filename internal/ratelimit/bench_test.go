package ratelimit

import (
	"context"
	"sync/atomic"
	"testing"
)

func BenchmarkKeyOf(b *testing.B) {
	address := []byte("address 2001:db8:1234:5678::/64")
	for b.Loop() {
		KeyOf(address)
	}
}

// BenchmarkTake takes from one key, and from as many keys as have a place.
func BenchmarkTake(b *testing.B) {
	for name, count := range map[string]int{"one": 1, "many": 262_144} {
		keys := make([]Key, count)
		for n := range keys {
			keys[n] = number(n)
		}
		ctx := context.Background()
		b.Run(name, func(b *testing.B) {
			m, n := NewMemory(), 0
			for b.Loop() {
				m.Take(ctx, keys[n%count], perMinute, 1)
				n++
			}
		})
		b.Run(name+"/parallel", func(b *testing.B) {
			m := NewMemory()
			var started atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				n := int(started.Add(1)) * 7919
				for pb.Next() {
					m.Take(ctx, keys[n%count], perMinute, 1)
					n++
				}
			})
		})
	}
}
