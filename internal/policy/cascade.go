package policy

import (
	"encoding/json"
	"slices"
	"time"

	"tidepool/protocol"
)

// A Considered is a policy of a file, and what came of it for one tool call.
type Considered struct {
	*Definition
	State   State
	By      *Definition         // what overrides it; nil: nothing
	Matches bool                // its enforcement matches the call, or cannot be checked
	Decides protocol.Permission // what it says about the call; NoDecision: nothing, or it is told
	Reason  string              // if it matches
	Field   string              // where, as a dotted path into the tool's input; "" if the pattern does not say
}

// A Judgement is what a policy says about one tool call.
type Judgement struct {
	Verdict    Verdict      // the zero Verdict if nothing decides
	Decided    bool         // false leaves the call to the user's own permissions
	By         *Definition  // the policy that decides; nil: a rule of the settings, see Verdict.Rule, or nothing
	Considered []Considered // all policies of files, the highest level first
	Settings   Verdict      // what the rules of the settings say by themselves; the zero Verdict: nothing
}

// Told returns the policies that the model is told about this call.
func (j *Judgement) Told() []Considered {
	return slices.DeleteFunc(slices.Clone(j.Considered), func(c Considered) bool {
		return !c.Matches || c.State != InForce || c.Severity != Info
	})
}

// With returns the policy with definitions beside its rules, instead of those that it has. The error names a definition that has a pattern
// that cannot be used.
func (p *Policy) With(definitions []Definition) (*Policy, error) {
	next := &Policy{rules: p.rules, allowed: p.allowed}
	for i := range definitions {
		d, err := define(&definitions[i])
		if err != nil {
			return nil, err
		}
		next.defined = append(next.defined, d)
	}
	slices.SortStableFunc(next.defined, func(a, b *defined) int { return int(a.Level) - int(b.Level) })
	for _, d := range next.defined {
		for _, other := range next.defined {
			if other.mayReplace(d) {
				d.replacedBy = append(d.replacedBy, other)
			}
		}
	}
	return next, nil
}

// Definitions returns the policies of files with their states at a time, the highest level first.
func (p *Policy) Definitions(now time.Time) []Considered {
	all := make([]Considered, len(p.defined))
	for i, d := range p.defined {
		all[i].Definition = d.Definition
		all[i].State, all[i].By = d.state(now)
	}
	return all
}

// Weigh returns what the policy says about a tool call, and why, see [Policy.Decide].
func (p *Policy) Weigh(tool string, input json.RawMessage) Judgement {
	return p.weigh(tool, input, time.Now())
}

func (p *Policy) weigh(tool string, input json.RawMessage, now time.Time) Judgement {
	c := &call{tool: tool, input: input}
	j := Judgement{}
	if p.defined != nil {
		j.Considered = p.Definitions(now)
		j.consider(p, c, func(c *Considered) bool { return c.State == Unusable || c.State == InForce && c.Severity != Info })
	}
	settings, decided := p.first(c)
	if decided {
		j.Settings = settings
		j.take(settings, nil)
	}
	if p.defined != nil { // what decides nothing comes last: the time is limited
		j.consider(p, c, func(c *Considered) bool { return c.State == Overridden || c.State == InForce && c.Severity == Info })
	}
	return j
}

// consider asks those policies which wanted picks.
func (j *Judgement) consider(p *Policy, c *call, wanted func(*Considered) bool) {
	for i := range j.Considered {
		to := &j.Considered[i]
		if !wanted(to) {
			continue
		}
		for k := range p.defined[i].conditions {
			r := &p.defined[i].conditions[k]
			at, fits := c.fits(r)
			if !fits {
				continue
			}
			v := c.verdict(r, at)
			to.Matches, to.Reason, to.Field = true, v.Reason, at
			if to.State != Overridden {
				to.Decides = p.defined[i].decision()
				j.take(Verdict{Decision: to.Decides, Reason: v.Reason, Field: at}, to.Definition)
			}
			break
		}
	}
}

// take notes a verdict if it is stricter than the one so far.
func (j *Judgement) take(v Verdict, by *Definition) {
	if strictness(v.Decision) > strictness(j.Verdict.Decision) {
		j.Verdict, j.By, j.Decided = v, by, true
	}
}

func strictness(p protocol.Permission) int {
	return slices.Index([]protocol.Permission{protocol.NoDecision, protocol.Allow, protocol.Ask, protocol.Deny}, p)
}

// first returns the verdict of the first rule of the settings that fits a call.
func (p *Policy) first(c *call) (Verdict, bool) {
	for i := range p.rules {
		r := &p.rules[i]
		if at, fits := c.fits(r); fits {
			return c.verdict(r, at), true
		}
	}
	return Verdict{Decision: protocol.Allow, Reason: "Allowed by Tidepool"}, p.allowed
}

// A call is a tool call that rules look at.
type call struct {
	evaluation
	tool    string
	input   json.RawMessage
	decoded any // once, and only for a rule that looks inside
}

// fits reports whether a rule fits the call, or may, and where.
func (c *call) fits(r *rule) (at string, fits bool) {
	c.unchecked = ""
	if !c.concerns(r, c.tool) {
		return "", false
	}
	if r.pattern == nil || c.unchecked != "" {
		return "", true
	}
	if c.decoded == nil {
		c.decoded = decode(c.input)
	}
	return r.field.find(c.decoded, func(text string) bool { return c.text(r, text) })
}
