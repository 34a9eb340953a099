package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/figures"
	"tidepool/internal/fingerprint"
	"tidepool/internal/measure"
	"tidepool/internal/scrub"
	"tidepool/internal/scrub/planted"
)

// Sizes of what is measured.
const (
	casesOfKind = 5         // secrets that are drawn of each kind
	mixedSize   = 100 << 10 // bytes of output
	timedRuns   = 30        // searches of it
	warmRuns    = 5         // searches before, which compile the rules
	knownValues = 300       // of a large environment
)

// secretRows measures the scrubber, with gitleaks' engine beside it.
func secretRows(ctx context.Context, root string) ([]figures.Row, error) {
	s, err := scrub.New(scrub.Options{})
	if err != nil {
		return nil, err
	}
	source, err := goSource(ctx)
	if err != nil {
		return nil, err
	}
	peer, err := searchByGitleaks(ctx, root, source)
	if err != nil {
		return nil, err
	}
	times, err := measure.Run(ctx, "scrub", root)
	if err != nil {
		return nil, err
	}
	return []figures.Row{
		recallRow(s, peer, "planted secrets found", .95, planted.Tuning(), planted.Apart()),
		recallRow(s, peer, "of these, of kinds that no rule was made by", 0, planted.Apart()),
		harmlessRow(s, peer),
		sourceRow(s, peer, source),
		knownRow(s),
		timeRow(times, peer),
		{
			What: fmt.Sprintf("100 KB searched for %d known values alone", knownValues), Hold: "–", Measured: milliseconds(times["known"]), Beside: "–", Held: true,
		},
	}, nil
}

// replaced returns how a scrubber replaces secrets. A text that is withheld counts as one that is shown: nobody can use it.
func replaced(s *scrub.Scrubber) func(text string) string {
	return func(text string) string {
		clean, found := s.Text(text)
		if len(found) == 1 && found[0].Rule == scrub.Withheld {
			return text
		}
		return clean
	}
}

// recallRow says how many planted secrets are found.
func recallRow(s *scrub.Scrubber, peer *gitleaks, what string, hold float64, of ...[]planted.Kind) figures.Row {
	found, theirs, all, kinds := 0, 0, 0, 0
	for _, k := range of {
		cases := planted.Cases(k, casesOfKind)
		n, _ := planted.Recall(cases, replaced(s))
		m, _ := planted.Recall(cases, peer.replaced)
		found, theirs, all, kinds = found+n, theirs+m, all+len(cases), kinds+len(k)
	}
	share := float64(found) / float64(all)
	r := figures.Row{
		What: fmt.Sprintf("%s, %d of %d kinds", what, all, kinds), Hold: "–", Measured: fmt.Sprintf("%.3f", share),
		Beside: fmt.Sprintf("gitleaks %.3f", float64(theirs)/float64(all)), Held: share >= hold,
	}
	if hold > 0 {
		r.Hold = fmt.Sprintf("≥ %.2f", hold)
	}
	return r
}

// harmlessRow says how many lines without a secret are changed.
func harmlessRow(s *scrub.Scrubber, peer *gitleaks) figures.Row {
	ours, theirs := 0, 0
	for _, line := range planted.Harmless() {
		if clean, _ := s.Text(line); clean != line {
			ours++
		}
		if peer.replaced(line) != line {
			theirs++
		}
	}
	return figures.Row{
		What: fmt.Sprintf("harmless lines changed, of %d", len(planted.Harmless())), Hold: "0", Measured: fmt.Sprint(ours),
		Beside: fmt.Sprintf("gitleaks %d", theirs), Held: ours == 0,
	}
}

// sourceRow says how often Go's own source is taken for a secret. Its tests have keys, so not each of these is wrong.
func sourceRow(s *scrub.Scrubber, peer *gitleaks, source []string) figures.Row {
	ours, theirs, size := 0, 0, 0
	for _, text := range source {
		_, found := s.Text(text)
		ours, theirs, size = ours+len(found), theirs+len(peer.found[text]), size+len(text)
	}
	megabytes := float64(size) / (1 << 20)
	return figures.Row{
		What: fmt.Sprintf("findings a MB of Go's source, %.0f MB", megabytes), Hold: "≤ 2", Measured: fmt.Sprintf("%.2f", float64(ours)/megabytes),
		Beside: fmt.Sprintf("gitleaks %.2f", float64(theirs)/megabytes), Held: float64(ours) <= 2*megabytes,
	}
}

// goSource returns the files of the toolchain's source.
func goSource(ctx context.Context) ([]string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking go where its source is: %w", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src")
	var all []string
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, string(text))
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no Go source below %s", dir)
	}
	return all, err
}

// benchKey is a key of fingerprints; the figures do not depend on it.
func benchKey() fingerprint.Key { return fingerprint.Key{1, 2, 3} }

// values returns passwords that were drawn.
func values() []string {
	var all []string
	for _, c := range planted.Cases(slices.Concat(planted.Tuning(), planted.Apart()), 6) {
		for _, secret := range c.Secrets {
			if len(all) < knownValues && len(secret) >= fingerprint.MinLength && !strings.Contains(secret, "\x1b") {
				all = append(all, secret)
			}
		}
	}
	return all
}

// knowing returns a registry that knows the values.
func knowing(s *scrub.Scrubber) *scrub.Registry {
	r := s.Registry(benchKey())
	for _, value := range values() {
		r.Learn(fingerprint.Of(benchKey(), "X", value)...)
	}
	return r
}

// knownRow says how many known values are found, each in six forms.
func knownRow(s *scrub.Scrubber) figures.Row {
	r := knowing(s)
	found, all := 0, 0
	for _, value := range values() {
		for _, form := range []string{
			value, value[:4] + "\x1b[0m" + value[4:], base64.StdEncoding.EncodeToString([]byte("user:" + value)), hex.EncodeToString([]byte(value)),
			fmt.Sprintf("%q", value), fmt.Sprintf("%%41%s", value),
		} {
			clean, _ := r.Known("it is " + form + " here")
			if all++; scrub.HasToken(clean) && !strings.Contains(clean, form) && !strings.Contains(clean, value) {
				found++
			}
		}
	}
	share := float64(found) / float64(all)
	return figures.Row{
		What: fmt.Sprintf("known values found: %d, each plain, coloured, encoded, quoted", len(values())), Hold: "1.000", Measured: fmt.Sprintf("%.3f", share), Beside: "–",
		Held: found == all,
	}
}

// scrubStep measures a search of 100 KB.
func scrubStep(context.Context, string) (measure.Figures, error) {
	s, err := scrub.New(scrub.Options{})
	if err != nil {
		return nil, err
	}
	text, r := planted.Mixed(mixedSize), knowing(s)
	f := make(measure.Figures)
	for name, search := range map[string]func(string) (string, []scrub.Finding){"text": s.Text, "known": r.Known} {
		var wall, cpu []time.Duration
		for i := range warmRuns + timedRuns {
			start, used := time.Now(), measure.CPU()
			search(text)
			if i >= warmRuns {
				wall, cpu = append(wall, time.Since(start)), append(cpu, measure.CPU()-used)
			}
		}
		f[name], f[name+" cpu"] = measure.Percentile(wall, 50), measure.Percentile(cpu, 50)
	}
	return f, nil
}

// timeRow says what a search of 100 KB costs.
func timeRow(times measure.Figures, peer *gitleaks) figures.Row {
	theirs := measure.Percentile(peer.cpu, 50)
	ratio := float64(times["text cpu"]) / float64(theirs)
	return figures.Row{
		What: "100 KB of mixed output searched; CPU", Hold: "≤ 20 ms; ≤ 0.2×", Measured: fmt.Sprintf("%s; %s of CPU, %.2f×", milliseconds(times["text"]), milliseconds(times["text cpu"]), ratio),
		Beside: "gitleaks " + milliseconds(theirs) + " of CPU", Held: times["text"] <= 20*time.Millisecond && ratio <= .2,
	}
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
