package preview

import "strings"

// A compiler reads gcc, clang, the linker and make: "a.c:1:2: error: message", the source below it, "undefined reference to", and
// "make: *** [target] Error 1".
type compiler struct{}

func (compiler) read(out *output) reading {
	s := compilerScan{out: out, make: -1}
	for i := range out.lines() {
		s.line(i, out.line(i))
	}
	if s.make >= 0 {
		s.add(verdict, s.make)
		s.fails = true
	}
	switch {
	case s.errors > 0:
		s.name = "cc"
	case s.make >= 0:
		s.name = "make"
	}
	return s.reading
}

// A compilerScan is one pass over an output.
type compilerScan struct {
	diagnostics
	out      *output
	make     int  // make's last word, a line; -1: none
	user     int  // where a file of the project led to what follows; 0: nowhere
	foreign  bool // the first error is in a file of the system, and no file of the project is named yet
	declared bool // the compiler's count is kept
}

func (s *compilerScan) line(i int, line string) {
	at, placed := placeOf(line)
	switch {
	case placed && isC(at.path):
		s.diagnostic(i, at)
	case strings.HasPrefix(line, "In file included from "):
		s.user = 0
	case isLinkerError(line):
		s.fail("", "", i, i+1)
	case isMakeError(line):
		s.make = i
	case strings.HasSuffix(line, " generated.") && strings.Contains(line, "error") && digits(line) > 0:
		if !s.declared {
			s.add(verdict, i)
		}
		s.declared = true
	case strings.HasPrefix(line, "collect2: error: ") || strings.HasPrefix(line, "clang: error: "):
		s.add(verdict, i)
		s.fails = true
	}
}

// diagnostic reads a line with a place. An error in a header of the system is about the line of the project that led there: gcc
// prints it before, clang after.
func (s *compilerScan) diagnostic(i int, at place) {
	system := strings.HasPrefix(at.path, "/")
	leads := !system && (strings.HasSuffix(at.message, "required from here") || strings.HasSuffix(at.message, "requested here"))
	switch {
	case isSevere(at.message):
		s.fail(at.path, "", i, sourceEnd(s.out, i))
		if s.isFirst() && system {
			s.foreign = s.user == 0
			if s.user > 0 {
				s.add(cause, s.user-1)
			}
		}
		s.user = 0
	case leads && s.foreign:
		s.add(cause, i)
		s.foreign = false
	case leads:
		s.user = i + 1
	case strings.HasPrefix(at.message, "warning: "):
		s.warn(i)
	case strings.HasPrefix(at.message, "undefined reference to "):
		s.fail(at.path, "", i, i+1)
	}
}

func isSevere(message string) bool {
	return strings.HasPrefix(message, "error: ") || strings.HasPrefix(message, "fatal error: ")
}

// isLinkerError reads "main.c:(.text+0xa): undefined reference to `f'", with the linker's path before it or not, and the linker's
// own complaints.
func isLinkerError(line string) bool {
	if strings.Contains(line, ": undefined reference to ") || strings.Contains(line, ": multiple definition of ") {
		return true
	}
	program, message, _ := strings.Cut(line, ": ")
	return (program == "ld" || strings.HasSuffix(program, "/ld") || program == "ld.lld") && strings.HasPrefix(message, "cannot find ") ||
		strings.HasPrefix(line, "ld.lld: error: ")
}

// isMakeError reads "make: *** …", "make[1]: *** …", and how ninja and CMake end.
func isMakeError(line string) bool {
	program, message, _ := strings.Cut(line, ": ")
	return strings.HasPrefix(message, "*** ") && (program == "make" || strings.HasPrefix(program, "make[") || program == "gmake") ||
		strings.HasPrefix(line, "ninja: build stopped: ")
}

// sourceEnd returns the line behind the source and the marks below a diagnostic, which are further in.
func sourceEnd(out *output, line int) int { return min(goesOn(out, line), line+4) }

// isC reports whether a path is of the family of C.
func isC(path string) bool {
	return isOf(path, ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".tcc", ".inc", ".m", ".mm", ".cu", ".s", ".S") ||
		strings.HasPrefix(path, "/usr/include/") // the standard library of C++ has headers without one
}

// isOf reports whether a path has one of some extensions.
func isOf(path string, extensions ...string) bool {
	for _, extension := range extensions {
		if strings.HasSuffix(path, extension) {
			return true
		}
	}
	return false
}
