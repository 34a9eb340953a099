package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A value decodes one key into a field of a Config.
type value interface {
	decode(*node) *fault // changes the field only if it returns nil
	show() any           // what to print: plain data for encoding/json
	accepts() string     // which values, as an error and docs/settings.md put it
}

// fromText makes the node that text from the environment or the command line stands for: JSON for numbers,
// lists and objects, the text itself for everything else.
func fromText(v value, s string) *node {
	switch v.(type) {
	case *wholeNumber, *ceiling, *decimal, *onOff, *recording, *stays, *nameList, *program, *passes, *dirs, *rules, *languageTable:
		if n, bad := parse([]byte(s)); bad == nil {
			n.forgetLines()
			return n
		}
	}
	return &node{kind: str, text: s}
}

func (n *node) forgetLines() {
	n.line = 0
	for i := range n.members {
		n.members[i].line = 0
		n.members[i].value.forgetLines()
	}
	for _, item := range n.items {
		item.forgetLines()
	}
}

type oneOf struct {
	field   *string
	choices []string
	grants  string // the choice that counts only in a trusted file; "": none
}

func choice(field *string, choices ...string) value { return &oneOf{field, choices, ""} }

func (v *oneOf) decode(n *node) *fault {
	if n.kind != str || !slices.Contains(v.choices, n.text) {
		return n.expected(v.accepts())
	}
	*v.field = n.text
	return nil
}

func (v *oneOf) accepts() string {
	quoted := make([]string, len(v.choices))
	for i, c := range v.choices {
		quoted[i] = strconv.Quote(c)
	}
	return "one of " + strings.Join(quoted, ", ")
}

func (v *oneOf) show() any { return *v.field }

type wholeNumber struct {
	field    *int
	min, max int
}

func whole(field *int, min, max int) value { return &wholeNumber{field, min, max} }

func (v *wholeNumber) decode(n *node) *fault {
	i, err := strconv.Atoi(n.text)
	if n.kind != number || err != nil || i < v.min || i > v.max {
		return n.expected(v.accepts())
	}
	*v.field = i
	return nil
}

func (v *wholeNumber) show() any { return *v.field }
func (v *wholeNumber) accepts() string {
	return fmt.Sprintf("a whole number from %d to %d", v.min, v.max)
}

type onOff struct{ field *bool }

func (v *onOff) decode(n *node) *fault {
	if n.kind != boolean {
		return n.expected(v.accepts())
	}
	*v.field = n.text == "true"
	return nil
}

func (v *onOff) show() any       { return *v.field }
func (v *onOff) accepts() string { return "true or false" }

// A recording is an onOff that only the user can switch on.
type recording struct{ onOff }

type span struct {
	field    *time.Duration
	min, max time.Duration
}

func duration(field *time.Duration, min, max time.Duration) value { return &span{field, min, max} }

func (v *span) decode(n *node) *fault {
	d, err := parseDuration(n.text)
	if n.kind != str || err != nil || d < v.min || d > v.max {
		return n.expected(v.accepts())
	}
	*v.field = d
	return nil
}

func (v *span) show() any { return brief(*v.field) }
func (v *span) accepts() string {
	like := `"30s"`
	if v.max >= day {
		like += ` or "7d"`
	}
	return fmt.Sprintf("a duration from %s to %s, written like %s", brief(v.min), brief(v.max), like)
}

const day = 24 * time.Hour

// parseDuration reads what brief writes: days, as "365d", or a duration of Go.
func parseDuration(text string) (time.Duration, error) {
	days, isDays := strings.CutSuffix(text, "d")
	if !isDays {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(days, 10, 16)
	return time.Duration(n) * day, err
}

// brief is d.String without the zero minutes and seconds, and in days if it is whole ones: 5m instead of 5m0s, 30d instead of
// 720h0m0s.
func brief(d time.Duration) string {
	if d > 0 && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

type text struct{ field *string }

func (v *text) decode(n *node) *fault {
	if n.kind != str || strings.TrimSpace(n.text) == "" {
		return n.expected(v.accepts())
	}
	*v.field = n.text
	return nil
}

func (v *text) show() any       { return *v.field }
func (v *text) accepts() string { return "a name" }

// A pattern is a regular expression with a group.
type pattern struct{ field *string }

func (v *pattern) decode(n *node) *fault {
	if n.kind != str {
		return n.expected(v.accepts())
	}
	if re, err := regexp.Compile(n.text); err != nil || re.NumSubexp() == 0 {
		return n.expected(v.accepts())
	}
	*v.field = n.text
	return nil
}

func (v *pattern) show() any       { return *v.field }
func (v *pattern) accepts() string { return "a regular expression with a group" }

// A program is run with its arguments.
type program struct{ nameList }

// passes are names of variables that the daemon and all that it starts may have.
type passes struct{ nameList }

// dirs are directories of files that count for every project of the user.
type dirs struct{ passes }

func (v *dirs) decode(n *node) *fault {
	for i, item := range n.items {
		if item.kind != str || !filepath.IsAbs(item.text) && !strings.HasPrefix(item.text, "~/") {
			return item.expected(`a directory like "/srv/policy" or "~/policy"`).within("[" + strconv.Itoa(i) + "]")
		}
	}
	return v.passes.decode(n)
}

func (v *dirs) accepts() string { return "a list of directories" }

type nameList struct{ field *[]string }

func (v *nameList) decode(n *node) *fault {
	list := make([]string, len(n.items))
	for i, item := range n.items {
		if item.kind != str || strings.TrimSpace(item.text) == "" {
			return item.expected("a name").within("[" + strconv.Itoa(i) + "]")
		}
		list[i] = item.text
	}
	if n.kind != array {
		return n.expected(v.accepts())
	}
	*v.field = list
	return nil
}

func (v *nameList) show() any       { return *v.field }
func (v *nameList) accepts() string { return "a list of names" }

type address struct{ field *string }

func (v *address) decode(n *node) *fault {
	if n.kind == str && n.text == "" {
		*v.field = ""
		return nil
	}
	u, err := url.Parse(n.text)
	if n.kind != str || err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		shown := node{kind: n.kind, line: n.line, text: mask(n.text)}
		return shown.expected(v.accepts())
	}
	*v.field = n.text
	return nil
}

func (v *address) show() any       { return mask(*v.field) }
func (v *address) accepts() string { return `a URL like "http://127.0.0.1:11434"` }

// mask hides the password of a URL. Text that is no URL but may hold one is hidden behind its "@".
func mask(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Redacted()
	}
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "xxxxx" + address[at:]
	}
	return address
}

// A port is the address of a port of the loopback interface.
type port struct{ field *string }

func (v *port) decode(n *node) *fault {
	if n.kind != str {
		return n.expected(v.accepts())
	}
	if address, err := netip.ParseAddrPort(n.text); n.text != "" && (err != nil || !address.Addr().IsLoopback()) {
		return n.expected(v.accepts() + ": any other address can be reached from the network")
	}
	*v.field = n.text
	return nil
}

func (v *port) show() any { return *v.field }
func (v *port) accepts() string {
	return `a port of the loopback interface, as "127.0.0.1:0" or "[::1]:8000"`
}
