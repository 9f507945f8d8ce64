package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
)

// breakThings breaks one thing after the other until ctx is done, each for half of the interval.
func (s *setting) breakThings(ctx context.Context) {
	all := []func(context.Context){
		s.killReader, s.breakPlace(stopped), s.breakPlace(slow), s.breakPlace(cut), s.breakPlace(torn), s.breakPlace(replayed),
		s.cutDatabase, s.killRedis, s.killReader,
	}
	if s.gateway != "" {
		all = append(all, s.breakPlace(half), s.stopGateway)
	}
	for i := 0; ; i++ {
		if i%len(all) == 0 {
			rand.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
		}
		if !pause(ctx, s.faultsEvery/2) {
			return
		}
		all[i%len(all)](ctx)
	}
}

// pause waits and reports whether ctx is not done yet.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (s *setting) broken(what string) { fmt.Printf("%s %s\n", time.Now().Format(time.TimeOnly), what) }

func (s *setting) killReader(ctx context.Context) {
	r := s.readers[rand.IntN(len(s.readers))]
	s.broken(r.name + " is killed")
	r.stop(syscall.SIGKILL)
	pause(ctx, s.faultsEvery/4)
	s.note(r.start())
	pause(ctx, s.faultsEvery/4)
}

func (s *setting) breakPlace(f fault) func(context.Context) {
	return func(ctx context.Context) {
		s.broken(faultNames[f])
		s.place.fault.Store(int32(f))
		pause(ctx, s.faultsEvery/2)
		s.place.fault.Store(int32(sound))
		s.note(s.place.keepPointer())
	}
}

// stopGateway stops the S3 server: connections are accepted, and nothing answers.
func (s *setting) stopGateway(ctx context.Context) {
	s.broken("the S3 server stops")
	s.bucket.signal(syscall.SIGSTOP)
	pause(ctx, s.faultsEvery/2)
	s.bucket.signal(syscall.SIGCONT)
}

func (s *setting) cutDatabase(ctx context.Context) {
	s.broken("PostgreSQL cannot be reached")
	s.database.shut()
	pause(ctx, s.faultsEvery/2)
	s.database.open()
}

func (s *setting) killRedis(ctx context.Context) {
	s.broken("Redis is killed")
	s.note(s.redis.Kill())
	pause(ctx, s.faultsEvery/2)
	s.note(s.redis.Start())
}

// note remembers an error of the trial itself.
func (s *setting) note(err error) {
	if err != nil {
		s.answers.problem("the trial: " + err.Error())
	}
}
