#!/bin/sh
# Installs tidepool below a directory of the user's, or takes it out again. It needs no root.
# In an unpacked tarball it installs what lies beside it; --help lists what else it can do.
set -eu
umask 022
LC_ALL=C
export LC_ALL

usage() {
	cat <<'END'
Usage: install.sh [TARBALL|URL] [--sha256 SUM] [--prefix DIR] [--replace]
       install.sh --uninstall [--prefix DIR]

Installs agent and controlserver with their completions and manual pages below DIR, which is ~/.local
if not given. Without TARBALL or URL it installs the tree beside itself.

  --sha256 SUM   the checksum that the tarball must have. Without it the file SHA256SUMS beside the
                 tarball, or at the same place of the URL, must name the tarball
  --prefix DIR   install below DIR
  --replace      overwrite files that install.sh has not installed; --uninstall does not bring them back
  --uninstall    remove what install.sh has installed, and nothing else

A URL begins with https://, or with http:// and an address of this machine.
END
}

fail() { # fail WHAT HINT
	printf 'error: %s\nhint: %s\n' "$(printable "$1")" "$(printable "$2")" >&2
	exit 1
}

# printable takes control characters out of a text: a file name may have some that a terminal obeys.
printable() { printf '%s' "$1" | tr -d '\000-\037\177'; }

misused() {
	printf 'error: %s\nhint: install.sh --help shows how it is called\n' "$(printable "$1")" >&2
	exit 2
}

from='' sum='' prefix=${HOME:+$HOME/.local} replace='' action=install
while [ $# -gt 0 ]; do
	case $1 in
	--help | -h) usage && exit ;;
	--uninstall) action=uninstall ;;
	--replace) replace=yes ;;
	--sha256 | --prefix)
		[ $# -gt 1 ] || misused "$1 needs a value"
		if [ "$1" = --prefix ]; then prefix=$2; else sum=$2; fi
		shift
		;;
	--prefix=*) prefix=${1#*=} ;;
	--sha256=*) sum=${1#*=} ;;
	-*) misused "install.sh does not know $1" ;;
	*)
		[ -z "$from" ] || misused "install.sh takes one tarball, got $from and $1"
		from=$1
		;;
	esac
	shift
done
[ -n "$prefix" ] || misused 'HOME is not set, so --prefix must say where to install'
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
record=lib/tidepool/installed # what was installed, below the prefix: a word and a path a line

work=''
cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# makeWork makes a directory for what is downloaded and unpacked.
makeWork() { work=$(mktemp -d "${TMPDIR:-/tmp}/tidepool-install.XXXXXX"); }

# isPath says whether $1 is a plain path below a directory.
isPath() {
	case $1 in
	'' | /* | .. | ../* | */.. | */../* | *[!A-Za-z0-9._/+-]*) return 1 ;;
	esac
}

# plainDirectories sees to it that the directories of the path $1 below the prefix are no links: what is written there would land elsewhere.
plainDirectories() {
	dir=$(dirname "$1")
	while [ "$dir" != . ]; do
		if [ -L "$prefix/$dir" ]; then
			fail "$prefix/$dir is a symbolic link, which install.sh does not follow" "make it a directory, or choose another one by --prefix"
		fi
		if [ -e "$prefix/$dir" ] && [ ! -d "$prefix/$dir" ]; then
			fail "$prefix/$dir is no directory" "remove it, or choose another directory by --prefix"
		fi
		dir=$(dirname "$dir")
	done
}

recorded() { [ -f "$prefix/$record" ] && grep -qxF "$1" "$prefix/$record"; }

checksum() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$1" | cut -d' ' -f1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$1" | cut -d' ' -f1
	else
		fail 'there is no sha256sum and no shasum to check the tarball with' 'install coreutils'
	fi
}

download() { # download URL FILE
	case $1 in
	*@*) fail "$1 is not asked: it has an @" 'name a URL without a user' ;;
	https://*) ;;
	http://127.0.0.1[:/]* | http://localhost[:/]* | http://\[::1\][:/]*) ;;
	*) fail "$1 is not asked: it is neither https nor on this machine" 'name an https URL, or download the tarball yourself' ;;
	esac
	if command -v curl >/dev/null 2>&1; then
		(ulimit -f 524288 && curl --fail --silent --show-error --location --proto '=https,http' --proto-redir '=https' \
			--max-redirs 5 --connect-timeout 30 --output "$2" -- "$1") && return # at most 256 MiB: 512 bytes a block
	elif command -v wget >/dev/null 2>&1; then
		(ulimit -f 524288 && wget -q --max-redirect=0 --timeout=30 -O "$2" -- "$1") && return
	else
		fail 'there is no curl and no wget to download with' 'install curl, or download the tarball yourself'
	fi
	fail "$1 cannot be downloaded" 'see the line above; install.sh takes the path of a tarball too'
}

# wanted prints the checksum that the list of checksums $1 has for the name $2.
wanted() { awk -v name="$2" 'NF == 2 && ($2 == name || $2 == "*" name) { print $1; exit }' "$1"; }

# unpack gets and checks the tarball, and sets tree to what was unpacked.
unpack() {
	makeWork
	name=$(basename "$from")
	case $from in
	*://*)
		case $from in *[?#]*) fail "$from has a query or a fragment" 'name the URL of the tarball alone' ;; esac
		tarball=$work/tarball sums=$work/sums
		download "$from" "$tarball"
		[ -n "$sum" ] || download "${from%/*}/SHA256SUMS" "$sums"
		;;
	*)
		tarball=$from sums=$(dirname "$from")/SHA256SUMS
		[ -f "$tarball" ] || fail "there is no tarball $tarball" 'name the file, or a URL'
		;;
	esac
	if [ -z "$sum" ]; then
		[ -f "$sums" ] || fail "there is no $sums to check the tarball with" 'download it from where the tarball is, or give the checksum by --sha256'
		sum=$(wanted "$sums" "$name")
		[ -n "$sum" ] || fail "SHA256SUMS does not name $name" 'keep the name that the tarball had, or give the checksum by --sha256'
	fi
	got=$(checksum "$tarball")
	if [ "$got" != "$(printf '%s' "$sum" | tr A-F a-f)" ]; then
		fail "the checksum of $name is $got, not $sum" 'the file is damaged, or another one: download it again'
	fi
	mkdir "$work/tree"
	tar -xzf "$tarball" -C "$work/tree" || fail "$name cannot be unpacked" 'name a tarball of tidepool'
	tree=''
	for top in "$work"/tree/*; do
		[ -z "$tree" ] || fail "$name is no tarball of tidepool" 'it is named tidepool-VERSION-SYSTEM-ARCHITECTURE.tar.gz'
		tree=$top
	done
}

# files prints the files and links of the tree that are to be installed.
files() {
	(cd "$tree" && for dir in bin lib share; do
		[ ! -d "$dir" ] || [ -L "$dir" ] || find "$dir" ! -type d
	done) | sort
}

# check looks at everything before anything is changed.
check() {
	for program in agent controlserver; do
		if [ ! -f "$tree/bin/$program" ] || [ -L "$tree/bin/$program" ]; then
			fail "there is no bin/$program in $tree" 'run install.sh in an unpacked tarball, or name a tarball'
		fi
	done
	if ! said=$("$tree/bin/agent" --version 2>&1); then
		fail "its programs do not run on this machine ($(uname -sm)): $said" 'take the tarball for this system and architecture'
	fi
	files >"$work/files"
	printf '%s\n' "$record" >"$work/all"
	cat "$work/files" >>"$work/all"
	while read -r path; do
		isPath "$path" || fail "the tree has the path $path" 'this is no tarball of tidepool'
		if [ -L "$tree/$path" ]; then
			case $(readlink "$tree/$path") in */*) fail "the tree has the link $path to another directory" 'this is no tarball of tidepool' ;; esac
		fi
		plainDirectories "$path"
		if [ -d "$prefix/$path" ] && [ ! -L "$prefix/$path" ]; then
			fail "$prefix/$path is a directory" 'move it away, or choose another directory by --prefix'
		fi
		if [ "$path" = "$record" ] || recorded "file $path" || [ -n "$replace" ]; then continue; fi
		if [ -e "$prefix/$path" ] || [ -L "$prefix/$path" ]; then
			fail "$prefix/$path is there, and install.sh has not installed it" 'move it away, choose another directory by --prefix, or overwrite it by --replace'
		fi
	done <"$work/all"
}

# note puts a line into the new record unless it is there.
note() { grep -qxF "$1" "$work/record" || printf '%s\n' "$1" >>"$work/record"; }

# makeDirectories makes the missing directories of the path $1, outermost first, and notes them.
makeDirectories() {
	missing='' dir=$(dirname "$1")
	while [ "$dir" != . ] && [ ! -d "$prefix/$dir" ]; do
		missing="$dir $missing"
		dir=$(dirname "$dir")
	done
	for dir in $missing; do
		mkdir "$prefix/$dir"
		note "directory $dir"
	done
}

# place puts a copy of the file or link $1 at the path $2, in one step: a program that runs keeps its file.
place() {
	new=$(mktemp "$(dirname "$2")/.tidepool.XXXXXX")
	if [ -L "$1" ]; then
		rm "$new" && ln -s "$(readlink "$1")" "$new"
	else
		cat "$1" >"$new"
		if [ -x "$1" ]; then chmod 755 "$new"; else chmod 644 "$new"; fi
	fi
	if [ -L "$2" ]; then rm "$2"; fi # mv would move into the directory that a link names
	mv -f "$new" "$2"
}

install() {
	if [ -n "$from" ]; then
		unpack
	else
		tree=$(cd "$(dirname "$0")" && pwd)
		makeWork
	fi
	check
	mkdir -p "$prefix" || fail "$prefix cannot be made" 'choose another directory by --prefix'
	[ -w "$prefix" ] || fail "you may not write to $prefix" 'choose another directory by --prefix'
	: >"$work/record"
	if [ -f "$prefix/$record" ]; then cat "$prefix/$record" >"$work/record"; fi
	makeDirectories "$record"
	while read -r path; do
		makeDirectories "$path"
		note "file $path"
	done <"$work/files"
	place "$work/record" "$prefix/$record" # first: what a crash leaves can be taken out
	while read -r path; do
		place "$tree/$path" "$prefix/$path"
	done <"$work/files"
	printf 'installed %s below %s\n' "$(printable "$(printf '%s' "$said" | cut -d' ' -f1,2)")" "$(printable "$prefix")"
	case ":$PATH:" in
	*":$prefix/bin:"*) ;;
	*) printf 'put it on your PATH, in ~/.profile too: export PATH="%s/bin:$PATH"\n' "$(printable "$prefix")" ;;
	esac
	echo 'then run agent init in a project'
}

uninstall() {
	if [ -L "$prefix/$record" ] || [ ! -f "$prefix/$record" ]; then
		fail "nothing is installed below $prefix: there is no $prefix/$record" 'name the directory that it was installed below by --prefix'
	fi
	makeWork
	cat "$prefix/$record" >"$work/record"
	while read -r kind path; do
		isPath "$path" || fail "$prefix/$record has the path $path" 'install again, then uninstall'
		plainDirectories "$path"
	done <"$work/record"
	sort -r "$work/record" >"$work/reverse" # files first, and of directories the inner ones
	while read -r kind path; do
		if [ "$kind" = file ] && { [ -f "$prefix/$path" ] || [ -L "$prefix/$path" ]; }; then
			rm -f "$prefix/$path"
		fi
	done <"$work/reverse"
	rm -f "$prefix/$record"
	while read -r kind path; do
		if [ "$kind" = directory ]; then
			rmdir "$prefix/$path" 2>/dev/null || [ ! -d "$prefix/$path" ] ||
				printf 'left: %s, which has other files\n' "$(printable "$prefix/$path")"
		fi
	done <"$work/reverse"
	printf 'uninstalled from %s\n' "$(printable "$prefix")"
	echo 'projects keep what agent init has set up: agent uninit, before this, takes that out'
}

$action
