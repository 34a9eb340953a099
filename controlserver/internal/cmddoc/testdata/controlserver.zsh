#compdef controlserver
# Completion of controlserver for zsh: made by `agent completion zsh`.

_controlserver() {
	local -a commands
	local curcontext="$curcontext" state line
	_arguments -C \
		'--help[Show context-sensitive help.]' \
		'-h[Show context-sensitive help.]' \
		'--project=[It'\''s "the" directory \[of $HOME\]: a\b $(exit 3).]:value:_files' \
		'1: :->command' \
		'*:: :->arguments'
	case "$state" in
	command)
		commands=(
			'show:'\''Print'\'' one.'
			'store:Keep them.'
		)
		_describe -t commands command commands
		;;
	arguments)
		case "$line[1]" in
		show) _controlserver_show ;;
		store) _controlserver_store ;;
		esac
		;;
	esac
}

_controlserver_show() {
	_arguments -C \
		'--form=[.form as '\''text'\'' or json.]:value:(text json)' \
		'-f+[.form as '\''text'\'' or json.]:value:(text json)' \
		'--help[Show context-sensitive help.]' \
		'-h[Show context-sensitive help.]' \
		'--project=[It'\''s "the" directory \[of $HOME\]: a\b $(exit 3).]:value:_files' \
		'1:id:_files' \
		'*:more:_files'
}

_controlserver_store() {
	local -a commands
	local curcontext="$curcontext" state line
	_arguments -C \
		'--all[All of them.]' \
		'--help[Show context-sensitive help.]' \
		'-h[Show context-sensitive help.]' \
		'--project=[It'\''s "the" directory \[of $HOME\]: a\b $(exit 3).]:value:_files' \
		'1: :->command' \
		'*:: :->arguments'
	case "$state" in
	command)
		commands=(
			'list:List them.'
			'drop:Drop\: some.'
		)
		_describe -t commands command commands
		;;
	arguments)
		case "$line[1]" in
		list) _controlserver_store_list ;;
		drop) _controlserver_store_drop ;;
		esac
		;;
	esac
}

_controlserver_store_list() {
	_arguments -C \
		'--all[All of them.]' \
		'--help[Show context-sensitive help.]' \
		'-h[Show context-sensitive help.]' \
		'--project=[It'\''s "the" directory \[of $HOME\]: a\b $(exit 3).]:value:_files'
}

_controlserver_store_drop() {
	_arguments -C \
		'--help[Show context-sensitive help.]' \
		'-h[Show context-sensitive help.]' \
		'--project=[It'\''s "the" directory \[of $HOME\]: a\b $(exit 3).]:value:_files' \
		'1:kind:(old new)'
}

if [ "$funcstack[1]" = "_controlserver" ]; then
	_controlserver "$@"
else
	compdef _controlserver controlserver
fi
