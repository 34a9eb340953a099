package sandbox

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkTrue runs true at each level. cpu-ms/op is the processor time of this process and of all that it started.
func BenchmarkTrue(b *testing.B) {
	for _, level := range []Level{Full, Partial} {
		b.Run(string(level), func(b *testing.B) {
			s := open(b, project(b))
			spec := specOf(b, s, "true")
			spec.Args = []string{"true"}
			begin := processorTime(b)
			for b.Loop() {
				if out, err := s.at(b.Context(), level, spec); err != nil || out.Exit != 0 {
					b.Fatal(err, out)
				}
			}
			b.ReportMetric(float64(processorTime(b)-begin)/float64(time.Millisecond)/float64(b.N), "cpu-ms/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}
