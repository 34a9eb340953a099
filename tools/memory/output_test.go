package memory

import (
	"strings"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
)

// What a team shares is of somebody else, even where it was saved for the same project.
func TestTeamsMemoriesAreAttributed(t *testing.T) {
	own := memory.Project{Key: "k", Name: "harbor"}
	m := memory.Memory{ID: "team_3f2a9c01b7de", Kind: memory.Fix, Scope: memory.ForTeam, Trust: memory.Saved, Gist: "It raced.", Author: "maria <b>", Project: own}
	r := rememberedAs(m, own, 500)
	if text := r.attribution() + r.heading(time.Now()); !r.Foreign || r.Author != "maria ‹b›" || !strings.HasPrefix(text, "[From project: harbor]\n[fix, saved by maria ‹b›") {
		t.Errorf("%q, %+v", text, r)
	}
}
