package scrub

import (
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// A ruleFile is what is used of gitleaks' configuration. What depends on commits and on the paths of files is left out: a text
// has neither.
type ruleFile struct {
	AllowList allowSource `toml:"allowlist"`
	Rules     []ruleSource
}

type ruleSource struct {
	ID          string
	Regex       string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	Path        string
	AllowLists  []allowSource `toml:"allowlists"`
}

type allowSource struct {
	Condition   string
	Paths       []string
	RegexTarget string
	Regexes     []string
	StopWords   []string
}

// readRules returns the rules that gitleaks comes with. Only their text is used, not gitleaks' engine, which runs each rule over
// the whole text.
func readRules() (ruleFile, error) {
	var file ruleFile
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &file); err != nil {
		return ruleFile{}, fmt.Errorf("reading the rules of gitleaks: %w", err)
	}
	return file, nil
}
