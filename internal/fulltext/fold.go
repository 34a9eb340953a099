package fulltext

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends a word in the form in which words are compared: in lower case, in compatibility form, without marks,
// without hyphens and underscores. The voiced sound marks of kana stay, because か and が are different sounds; ß is ss, and ς is σ.
func appendFolded(dst []byte, word string) []byte {
	for i := 0; i < len(word); i++ {
		b := word[i]
		switch {
		case b >= utf8.RuneSelf:
			return appendFoldedUnicode(dst, word[i:])
		case 'A' <= b && b <= 'Z':
			dst = append(dst, b|0x20)
		case b != '_' && b != '-':
			dst = append(dst, b)
		}
	}
	return dst
}

func appendFoldedUnicode(dst []byte, word string) []byte {
	start := len(dst)
	for _, r := range norm.NFKD.String(word) {
		switch {
		case unicode.Is(unicode.Mn, r) && r != '\u3099' && r != '\u309a' && !isSpacingScript(r), isSkipped(r), r == '_', r == '-':
		case r == 'ß':
			dst = append(dst, "ss"...)
		case r == 'ς':
			dst = append(dst, "σ"...)
		case r == '’':
			dst = append(dst, '\'')
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return append(dst[:start], norm.NFC.Bytes(dst[start:])...)
}

// isSpacingScript reports whether a mark is a vowel or tone of a script without spaces, which are as good as letters.
func isSpacingScript(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
