//go:build team

package team

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team/teamtest"
)

// filled returns a team with so many memories of 20 words, which are as frequent as words are: some in a tenth of them, most in few.
func filled(b *testing.B, memories int) *Team {
	b.Helper()
	database := server.Database(b)
	team := open(b, server.URL(teamtest.Superuser, database))
	save(b, team, memory.Draft{Content: "The first makes the schema."})
	server.Run(b, database, fmt.Sprintf(`
INSERT INTO tidepool.memory(id, author, project_key, project, kind, gist, content, outcome, session, turn, source, commit_hash, tags, files, fingerprint,
  created_at, updated_at, words, words_version)
SELECT 'team_' || lpad(to_hex(g), 12, '0'), 'maria', 'k', 'harbor', 'note', left(array_to_string(w, ' '), 240), array_to_string(w, ' '), '', 's' || g/10, g, 'bench', '',
  '{}', '{}', decode(md5(g::text), 'hex'), now(), now(), array_to_tsvector(w), 1
FROM (SELECT g, ARRAY(SELECT DISTINCT 'word' || translate((power(random(), 3) * 5000)::int::text, '0123456789', 'abcdefghij') FROM generate_series(1, 20) i WHERE g > 0) AS w
  FROM generate_series(1, %d) g) AS made`, memories), "ANALYZE tidepool.memory")
	return team
}

// BenchmarkRecall asks with 12 words, on a connection that is there. Beside the mean it reports the 99th percentile.
func BenchmarkRecall(b *testing.B) {
	for _, memories := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(memories), func(b *testing.B) {
			team := filled(b, memories)
			random := rand.New(rand.NewPCG(1, 2))
			var took []time.Duration
			for b.Loop() {
				text := ""
				for range 12 {
					x := random.Float64()
					for _, digit := range fmt.Sprint(int(x * x * x * 5000)) {
						if text == "" || text[len(text)-1] == ' ' {
							text += "word"
						}
						text += string('a' + digit - '0')
					}
					text += " "
				}
				begun := time.Now()
				found, err := team.Recall(b.Context(), Query{Text: text, Limit: 3, Current: true})
				if err != nil || len(found.Memories) == 0 {
					b.Fatalf("%q: %+v, %v", text, found, err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
