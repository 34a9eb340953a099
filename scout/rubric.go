package scout

import (
	"fmt"
	"slices"
)

// A Rubric is a scorer's judgement of one edge. Every number is 1 to 5.
type Rubric struct {
	Relevance  int   `json:"relevance"`  // 5: the answer to the query
	Risk       int   `json:"risk"`       // 5: breaks, or goes wrong silently
	Complexity int   `json:"complexity"` // 5: hard to put right
	Confidence int   `json:"confidence"` // 5: the scorer is sure
	Tags       []Tag `json:"tags"`       // no tag twice
}

// A Tag says in one word what an edge is. The set is closed.
type Tag string

// The tags.
const (
	TagExhaustive     Tag = "Exhaustive"     // has to list every member
	TagPatternMatch   Tag = "PatternMatch"   // decides by the shape or the value
	TagTypeFamily     Tag = "TypeFamily"     // one of a set of types or members that belong together
	TagBreaksOnAdd    Tag = "BreaksOnAdd"    // wrong as soon as one is added
	TagImport         Tag = "Import"         // only brings a name in
	TagReExport       Tag = "ReExport"       // hands a name on under another one
	TagSignature      Tag = "Signature"      // stands in a declaration's types
	TagImplementation Tag = "Implementation" // does what a contract asks
	TagConstructor    Tag = "Constructor"    // makes a value
	TagRecursive      Tag = "Recursive"      // stands inside the thing it refers to
)

// Tags lists the closed set.
func Tags() []Tag {
	return []Tag{
		TagExhaustive, TagPatternMatch, TagTypeFamily, TagBreaksOnAdd, TagImport,
		TagReExport, TagSignature, TagImplementation, TagConstructor, TagRecursive,
	}
}

// Validate reports the first number outside 1 to 5, unknown tag or repeated tag.
func (r Rubric) Validate() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"relevance", r.Relevance}, {"risk", r.Risk}, {"complexity", r.Complexity}, {"confidence", r.Confidence}} {
		if n.value < 1 || n.value > 5 {
			return fmt.Errorf("%s is %d, not 1 to 5", n.name, n.value)
		}
	}
	for i, tag := range r.Tags {
		if !slices.Contains(Tags(), tag) {
			return fmt.Errorf("%q is not a tag", tag)
		}
		if slices.Contains(r.Tags[:i], tag) {
			return fmt.Errorf("tag %s stands twice", tag)
		}
	}
	return nil
}
