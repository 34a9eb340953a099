package contextd

import (
	"context"
	"strings"

	contextdv1 "tidepool/internal/contextd/v1"
	"tidepool/internal/wording"
)

// memories is MemoryService.
type memories struct{ *caller }

// A memory is one in the result of memory_recall and memory_expand.
type memory struct {
	ID         string   `json:"id"`
	Gist       string   `json:"gist"`
	Content    string   `json:"content"`
	Outcome    string   `json:"outcome"`
	Confidence float32  `json:"confidence"`
	Tags       []string `json:"tags"`
}

// Limits of Search.
const (
	usualMemories = 5
	mostMemories  = 50 // among which min_confidence chooses
)

// Search finds memories by what they say.
func (s memories) Search(ctx context.Context, r *contextdv1.MemorySearchRequest) (*contextdv1.MemorySearchResponse, error) {
	if r.GetScope() == "org" {
		return nil, invalid("there is no scope org here: ask for project, team or all")
	}
	in := arguments{"query": r.GetQuery()}
	set(in, "scope", r.GetScope())
	set(in, "limit", r.GetLimit())
	if r.GetOutcome() != "all" {
		set(in, "outcome", r.GetOutcome())
	}
	limit := int(r.GetLimit())
	if limit == 0 {
		limit = usualMemories
	}
	if r.GetMinConfidence() > 0 && limit <= mostMemories {
		in["limit"] = mostMemories
	}
	var found struct {
		Memories []memory `json:"memories"`
		Why      string   `json:"why"`
	}
	if err := s.run(ctx, "memory_recall", r, in, &found); err != nil {
		return nil, err
	}
	out := new(contextdv1.MemorySearchResponse)
	for _, m := range found.Memories {
		if m.Confidence >= r.GetMinConfidence() && len(out.Memories) < limit {
			out.Memories = append(out.Memories, &contextdv1.MemoryRef{
				Id: m.ID, Title: m.Gist, DescriptionPreview: wording.Clip(m.Content, mostDescription), Confidence: m.Confidence, Outcome: m.Outcome,
			})
		}
	}
	out.TotalCount = int32(len(out.Memories))
	if found.Why != "" {
		out.Why = &found.Why
	}
	count(out)
	return out, nil
}

// Store keeps a memory. The description is its first paragraph.
func (s memories) Store(ctx context.Context, r *contextdv1.MemoryStoreRequest) (*contextdv1.MemoryStoreResponse, error) {
	content := strings.TrimSpace(r.GetDescription() + "\n\n" + r.GetContent())
	in := arguments{"content": content}
	set(in, "gist", r.GetTitle())
	set(in, "outcome", r.GetOutcome())
	if len(r.GetTags()) > 0 {
		in["tags"] = r.GetTags()
	}
	out := new(contextdv1.MemoryStoreResponse)
	if err := s.run(ctx, "memory_save", r, in, out); err != nil {
		return nil, err
	}
	count(out)
	return out, nil
}

// Feedback says whether a memory was of use.
func (s memories) Feedback(ctx context.Context, r *contextdv1.MemoryFeedbackRequest) (*contextdv1.MemoryFeedbackResponse, error) {
	in := arguments{"id": r.GetMemoryId(), "helpful": r.GetHelpful()}
	set(in, "comment", r.GetComment())
	var found struct {
		Confidence float32 `json:"confidence"`
	}
	if err := s.run(ctx, "memory_feedback", r, in, &found); err != nil {
		return nil, err
	}
	out := &contextdv1.MemoryFeedbackResponse{NewConfidence: found.Confidence}
	count(out)
	return out, nil
}

// Get returns a memory. Its description is the first paragraph of what is kept.
func (s memories) Get(ctx context.Context, r *contextdv1.MemoryGetRequest) (*contextdv1.MemoryGetResponse, error) {
	var m memory
	if err := s.run(ctx, "memory_expand", r, arguments{"id": r.GetId()}, &m); err != nil {
		return nil, err
	}
	description, _, _ := strings.Cut(m.Content, "\n\n")
	out := &contextdv1.MemoryGetResponse{
		Id: m.ID, Title: m.Gist, Description: wording.Clip(description, mostPreview), Content: m.Content, Outcome: m.Outcome, Confidence: m.Confidence, Tags: m.Tags,
	}
	count(out)
	return out, nil
}

// remediations is RemediationService.
type remediations struct{ *caller }

// Search finds problems that were solved before.
func (s remediations) Search(ctx context.Context, r *contextdv1.RemediationSearchRequest) (*contextdv1.RemediationSearchResponse, error) {
	in := arguments{"query": strings.TrimSpace(r.GetError() + "\n" + r.GetContext())}
	set(in, "limit", r.GetLimit())
	out := new(contextdv1.RemediationSearchResponse)
	if err := s.run(ctx, "remediation_search", r, in, out); err != nil {
		return nil, err
	}
	count(out)
	return out, nil
}

// Record keeps a problem with its solution.
func (s remediations) Record(ctx context.Context, r *contextdv1.RemediationRecordRequest) (*contextdv1.RemediationRecordResponse, error) {
	out := new(contextdv1.RemediationRecordResponse)
	err := pass(ctx, s.caller, "remediation_record", r, out, nil)
	return out, err
}
