package oldnames

import (
	"context"
	"errors"
	"strings"

	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/tools"
)

// SearchExperiencesInput is what search_experiences takes.
type SearchExperiencesInput struct {
	Query    string `json:"query" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What to look for."`
	Axis     string `json:"axis,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Accepted and not used: all parts of an experience are searched."`
	Domain   string `json:"domain,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Only experiences of this domain."`
	Strategy string `json:"strategy,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Only experiences with this strategy."`
	Outcome  string `json:"outcome,omitempty" jsonschema:"enum=confirmed,enum=falsified,enum=abandoned" jsonschema_description:"Only experiences that ended so."`
	Limit    int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"How many to return."`
}

// SearchExperiencesOutput is what search_experiences returns.
type SearchExperiencesOutput struct {
	Results  []experience `json:"results"`
	Count    int          `json:"count"`
	Complete bool         `json:"complete"`
	Why      string       `json:"why,omitempty"`
}

// An experience has more than its memory: what the entry of the journal has, as far as it is of this project.
type experience struct {
	ID             string             `json:"id"`
	GhapID         string             `json:"ghap_id"`
	Axis           string             `json:"axis"`
	Domain         string             `json:"domain"`
	Strategy       string             `json:"strategy"`
	Goal           string             `json:"goal"`
	Hypothesis     string             `json:"hypothesis"`
	Action         string             `json:"action"`
	Prediction     string             `json:"prediction"`
	OutcomeStatus  string             `json:"outcome_status"`
	OutcomeResult  string             `json:"outcome_result"`
	Surprise       string             `json:"surprise,omitempty"`
	RootCause      *journal.RootCause `json:"root_cause,omitempty"`
	Lesson         *journal.Lesson    `json:"lesson,omitempty"`
	ConfidenceTier string             `json:"confidence_tier"`
	IterationCount int                `json:"iteration_count"`
	Score          float64            `json:"score"`
	CreatedAt      string             `json:"created_at"`
	Project        string             `json:"project"`
}

// mostChosen is among how many of the best experiences a filter chooses.
const mostChosen = 50

// SearchExperiences finds experiences by what they say.
func (t *Toolset) SearchExperiences(ctx context.Context, call tools.Call, in SearchExperiencesInput) (*SearchExperiencesOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return nil, err
	}
	found, err := o.Recall(ctx, recall.Query{Text: in.Query, Limit: mostChosen, Kinds: []memory.Kind{memory.Experience}})
	if err != nil {
		return nil, err
	}
	out := &SearchExperiencesOutput{Results: []experience{}, Complete: found.Complete, Why: found.Why}
	for _, hit := range found.Memories {
		e, err := o.experience(ctx, hit)
		if err != nil {
			return nil, err
		}
		wanted := (in.Domain == "" || e.Domain == in.Domain) && (in.Strategy == "" || e.Strategy == in.Strategy) && (in.Outcome == "" || e.OutcomeStatus == in.Outcome)
		if wanted && len(out.Results) < in.Limit {
			out.Results = append(out.Results, e)
		}
	}
	out.Count = len(out.Results)
	return out, nil
}

// experience returns an experience with its entry. Of one without an entry here the memory is all there is.
func (o opened) experience(ctx context.Context, hit recall.Hit) (experience, error) {
	e := experience{
		ID: hit.ID, Axis: "full", Goal: hit.Gist, Score: hit.Score, CreatedAt: stamp(hit.Created), Project: hit.Project.Name,
		GhapID: tagged(hit.Tags, "ghap"), Domain: tagged(hit.Tags, "domain"), Strategy: tagged(hit.Tags, "strategy"), ConfidenceTier: tagged(hit.Tags, "tier"),
		OutcomeStatus: statusOf(hit.Outcome),
	}
	entry, err := o.Entry(ctx, e.GhapID)
	if err != nil || entry == nil || entry.Outcome == nil {
		return e, err
	}
	e.Goal, e.Hypothesis, e.Action, e.Prediction = entry.Goal, entry.Hypothesis, entry.Action, entry.Prediction
	e.OutcomeStatus, e.OutcomeResult, e.Surprise, e.RootCause, e.Lesson = string(entry.Outcome.Status), entry.Outcome.Result, entry.Surprise, entry.RootCause, entry.Lesson
	e.IterationCount, e.CreatedAt = entry.Iterations, stamp(entry.Created)
	return e, nil
}

func statusOf(outcome memory.Outcome) string {
	switch outcome {
	case memory.Success:
		return string(journal.Confirmed)
	case memory.Failure:
		return string(journal.Falsified)
	}
	return string(journal.Abandoned)
}

// tagged returns the rest of the tag that begins with a name and a colon; "" if there is none.
func tagged(tags []string, name string) string {
	for _, tag := range tags {
		if rest, ok := strings.CutPrefix(tag, name+":"); ok {
			return rest
		}
	}
	return ""
}

// ListValuesInput is what list_values takes.
type ListValuesInput struct {
	Axis  string `json:"axis,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Accepted and not used."`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000,default=1000" jsonschema_description:"How many to return."`
}

// ListValuesOutput is what list_values returns.
type ListValuesOutput struct {
	Results []value `json:"results"` // the newest first
	Count   int     `json:"count"`
}

type value struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	ClusterID string `json:"cluster_id"` // the domain of the experiences that support it
	Axis      string `json:"axis"`
	CreatedAt string `json:"created_at"`
}

// ListValues lists the values of the project.
func (t *Toolset) ListValues(ctx context.Context, call tools.Call, in ListValuesInput) (*ListValuesOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return nil, err
	}
	found, err := o.List(ctx, recall.ListQuery{Project: o.project.Key, Kinds: []memory.Kind{memory.Value}, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &ListValuesOutput{Results: []value{}, Count: len(found)}
	for _, m := range found {
		out.Results = append(out.Results, value{m.ID, m.Content, tagged(m.Tags, "domain"), "full", stamp(m.Created)})
	}
	return out, nil
}

// ValidateValueInput is what validate_value and store_value take.
type ValidateValueInput struct {
	Text      string `json:"text" jsonschema:"minLength=1,maxLength=4000" jsonschema_description:"The value, in one sentence."`
	ClusterID string `json:"cluster_id,omitempty" jsonschema:"maxLength=80" jsonschema_description:"Accepted and not used: the experiences that are about the text are looked for."`
	Axis      string `json:"axis,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Accepted and not used."`
}

// ValidateValueOutput is what validate_value returns.
type ValidateValueOutput struct {
	Valid      bool     `json:"valid"`
	Similarity float64  `json:"similarity"` // to the nearest experience
	Reason     string   `json:"reason"`     // why it is valid, or why not
	ClusterID  string   `json:"cluster_id,omitempty"`
	Support    []string `json:"support,omitempty"` // ids of entries
}

// ValidateValue says whether enough experiences support a value.
func (t *Toolset) ValidateValue(ctx context.Context, call tools.Call, in ValidateValueInput) (ValidateValueOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return ValidateValueOutput{}, err
	}
	j, err := o.Judge(ctx, in.Text)
	return ValidateValueOutput{j.Valid, j.Similarity, j.Why, j.Domain, j.Support}, err
}

// StoreValueOutput is what store_value returns.
type StoreValueOutput struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// StoreValue keeps a value that enough experiences support.
func (t *Toolset) StoreValue(ctx context.Context, call tools.Call, in ValidateValueInput) (StoreValueOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return StoreValueOutput{}, err
	}
	j, err := o.Judge(ctx, in.Text)
	if err != nil {
		return StoreValueOutput{}, err
	}
	if !j.Valid {
		return StoreValueOutput{}, &journal.InvalidError{Problems: []string{"the value is not supported: " + j.Why}}
	}
	d := j.Draft(in.Text, call.Caller.Session)
	d.Trust, d.Source = memory.Saved, call.Tool
	saved, err := o.Save(ctx, d)
	return StoreValueOutput{saved.ID, in.Text}, err
}

// Failure returns an error of the journal as older clients expect it in the body of an answer; ok is false for any other error.
func Failure(err error) (body map[string]any, ok bool) {
	var kind interface{ Kind() string }
	if !errors.As(err, &kind) {
		return nil, false
	}
	return map[string]any{"error": map[string]string{"type": kind.Kind(), "message": err.Error()}}, true
}
