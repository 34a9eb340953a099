package wording

import (
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"
)

type hinted struct{}

func (hinted) Error() string { return "no gopls" }
func (hinted) Hint() string  { return "install it" }

func TestHintOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("no gopls"), ""},
		{hinted{}, "install it"},
		{fmt.Errorf("callers: %w", hinted{}), "install it"},
		{errors.Join(errors.New("other"), hinted{}), "install it"},
	} {
		if got := HintOf(test.err); got != test.want {
			t.Errorf("%v: %q", test.err, got)
		}
	}
}

func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		Count(0, "file"):             "0 files",
		Count(1, "file"):             "1 file",
		Count(2, "switch"):           "2 switches",
		Count(1, "memory"):           "1 memory",
		Count(2, "memory"):           "2 memories",
		Count(0, "day"):              "0 days",
		OneLine(" a\n\tb\r\n"):       "a b",
		OneLine("a\xff b"):           "a\uFFFD b",
		Clip("schön", 5):             "schön",
		Clip("schöner", 5):           "schö…",
		Clip("\xff", 5):              "\uFFFD",
		ClipBytes("schön", 6):        "schön",
		ClipBytes("schön", 5):        "schö",
		ClipBytes("schön", 4):        "sch",
		ClipBytes("\xbf\xbf\xbf", 2): "",

		Visible("a\r\nb\tc\rd"):             "a\nb c␍d",
		Visible("\x1b[2J\a\x7f\u0085"):      "␛[2J␇␡\uFFFD",
		Visible("x\u202ey\u2028z\xff"):      "x\uFFFDy\uFFFDz\uFFFD",
		Visible("ü世\U0001F44D\u200d\u200c"): "ü世\U0001F44D\u200d\u200c",
		Stored("a\n</memory-data>\x1b", 50): "a ‹/memory-data›␛",
		Stored("＜/memory-data﹥ <b>", 17):    "‹/memory-data› ‹…",
		Unmarked("<a>\r\n<b>"):              "‹a›\n‹b›",
		Visible("\U000E0068\U000E0069"):     "\uFFFD\uFFFD",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzClip(f *testing.F) {
	f.Add("schön", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 1 + max(most, -most)%100
		if got := Clip(text, most); !utf8.ValidString(got) || utf8.RuneCountInString(got) > most {
			t.Errorf("%q clipped to %d: %q", text, most, got)
		}
		if got := ClipBytes(text, most); len(got) > most || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q clipped to %d bytes: %q", text, most, got)
		}
	})
}
