package shell

import (
	"path"
	"slices"
	"strings"
)

// A wrapper is a program that runs the program which its arguments name.
type wrapper struct {
	sub        []string // words before the program, such as run; one of them must follow; nil: none
	values     string   // options, between blanks, whose value is the next word
	positional int      // arguments before the program
}

func wrapperNamed(name string) (wrapper, bool) {
	w, ok := map[string]wrapper{
		"env":       {values: " -u -C --unset --chdir "},
		"cross-env": {},
		"timeout":   {values: " -k -s --kill-after --signal ", positional: 1},
		"nice":      {values: " -n --adjustment "},
		"ionice":    {values: " -c -n "},
		"stdbuf":    {values: " -i -o -e "},
		"time":      {values: " -f -o "},
		"sudo":      {values: " -u -g -C -p "},
		"flock":     {values: " -w -E ", positional: 1},
		"xvfb-run":  {values: " -s -n -e "},
		"exec":      {values: " -a "},
		"nohup":     {},
		"command":   {},
		"setsid":    {},
		"npx":       {values: " -p --package "},
		"bunx":      {},
		"pnpm":      {sub: []string{"exec", "dlx"}},
		"yarn":      {sub: []string{"exec", "dlx"}},
		"npm":       {sub: []string{"exec"}},
		"uv":        {sub: []string{"run"}, values: " --with --python -p --extra --group "},
		"poetry":    {sub: []string{"run"}},
		"pipenv":    {sub: []string{"run"}},
		"bundle":    {sub: []string{"exec"}},
	}[name]
	return w, ok
}

// unwrap removes the programs that only run another one. Of one that runs none, such as a bare env, it is left.
func unwrap(words []string) []string {
	for len(words) > 1 {
		w, ok := wrapperNamed(path.Base(words[0]))
		if !ok {
			break
		}
		inner := w.inner(words[1:])
		if len(inner) == 0 {
			break
		}
		words = inner
	}
	return words
}

// inner returns the words from the program on.
func (w wrapper) inner(words []string) []string {
	if w.sub != nil {
		if !slices.Contains(w.sub, words[0]) {
			return nil
		}
		words = words[1:]
	}
	for left := w.positional; len(words) > 0; words = words[1:] {
		switch word := words[0]; {
		case word == "--":
		case strings.HasPrefix(word, "-"):
			if strings.Contains(w.values, " "+word+" ") && len(words) > 1 {
				words = words[1:]
			}
		case assigns(word):
		case left > 0:
			left--
		default:
			return words
		}
	}
	return nil
}

// assigns reports whether a word is a variable with its value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(strings.ToUpper(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
