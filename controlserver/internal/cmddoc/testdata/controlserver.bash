# Completion of controlserver for bash: made by `agent completion bash`.
_controlserver() {
	COMPREPLY=()
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at='' words='' i
	if [ "$cur" = = ]; then # bash takes --flag=value for three words
		cur=''
	elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "$at/${COMP_WORDS[i]}" in
		/show | /store | /store/list | /store/drop) at="$at/${COMP_WORDS[i]}" ;;
		esac
	done
	case "$at $prev" in
	'/show --form' | '/show -f')
		COMPREPLY=($(compgen -W 'text json' -- "$cur"))
		return
		;;
	' --project' | '/show --project' | '/store --project' | '/store/list --project' | '/store/drop --project') return ;;
	esac
	case "$at" in
	'') words='show store --help -h --project' ;;
	'/show') words='--form -f --help -h --project' ;;
	'/store') words='list drop --all --help -h --project' ;;
	'/store/list') words='--all --help -h --project' ;;
	'/store/drop') words='old new --help -h --project' ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _controlserver controlserver
