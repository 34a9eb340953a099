//go:build linux

package escape

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// controllable reports whether this user can run the way unconfined.
func (t *trial) controllable(way Way) bool {
	switch way.Control {
	case Nobody:
		return false
	case Root:
		return os.Geteuid() == 0
	}
	return true
}

// absent returns what the way is about and this machine has not: a variable without a value, a listener that could not be had.
func (t *trial) absent(way Way) string {
	for _, v := range t.world.variables(false) {
		if name, value, _ := strings.Cut(v, "="); value == "" && regexp.MustCompile(`\$`+name+`\b`).MatchString(way.Try) {
			return "there is no $" + name
		}
	}
	return ""
}

// control runs the lines unconfined in a new world. The result has an error if they do not cause what the way says.
func (t *trial) control(ctx context.Context, way Way, r *Result) error {
	if err := t.world.reset(way.Without); err != nil {
		return err
	}
	first := secret()
	t.world.secrets["first session"] = []string{first}
	r.Control = &Run{}
	var printed []byte
	for i, line := range lines(way) {
		if i == 0 && way.Then != "" {
			line = "FIRST=" + first + "\n" + line
		}
		text, late, err := t.outside(ctx, line, &way)
		if err != nil {
			return err
		}
		if late {
			r.Control.Breaches = append(r.Control.Breaches, lasts)
		}
		if way.Does == passes && bytes.Contains(text, []byte("through: ")) {
			r.Control.Breaches = append(r.Control.Breaches, passes)
		}
		printed = append(printed, text...)
	}
	r.Control.Output = end(printed)
	if err := t.judge(ctx, way, printed, r.Control); err != nil {
		return err
	}
	missing := slices.DeleteFunc(append([]Breach{way.Does}, way.Also...), func(b Breach) bool { return slices.Contains(r.Control.Breaches, b) })
	if len(missing) == 0 {
		return nil
	}
	if r.Absent = lacks(printed); r.Absent != "" {
		return nil
	}
	return fmt.Errorf("unconfined it does not cause %q but %q: %s", missing, r.Control.Breaches, r.Control.Output)
}

// lacks returns the error of an attempt that says that the kernel has not what it is about; "": it says something else, or nothing.
func lacks(printed []byte) string {
	for line := range strings.Lines(string(printed)) {
		why, stopped := strings.CutPrefix(strings.TrimSpace(line), "stopped: ")
		for _, errno := range []syscall.Errno{
			syscall.ENOSYS, syscall.ENOENT, syscall.ENODEV, syscall.ENXIO, syscall.EIO, syscall.EOPNOTSUPP,
			syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.ESOCKTNOSUPPORT,
		} {
			if stopped && strings.HasSuffix(why, errno.Error()) {
				return why
			}
		}
	}
	return ""
}
