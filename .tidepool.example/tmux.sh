#!/bin/sh
# Claude Code on the left, what it asks and what the daemon does on the right.
# In tmux already: adds the pane on the right to this window.
set -eu
dir=$(git rev-parse --show-toplevel 2>/dev/null || pwd)
if [ -n "${TMUX:-}" ]; then
	exec tmux split-window -h -d -l 38% -c "$dir" agent ui
fi
name=$(basename "$dir" | tr -c 'A-Za-z0-9_\n-' '_')
exec tmux new-session -A -s "$name" -c "$dir" "${CLAUDE:-claude}" \; split-window -h -d -l 38% -c "$dir" agent ui
