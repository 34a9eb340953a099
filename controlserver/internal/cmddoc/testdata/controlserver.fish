# Completion of controlserver for fish: made by `agent completion fish`.
function __controlserver_at --description 'print the path of the command on the line'
	set -l at controlserver
	for word in (commandline -opc)[2..-1]
		switch "$at/$word"
			case controlserver/show controlserver/store controlserver/store/list controlserver/store/drop
				set at "$at/$word"
		end
	end
	echo "$at"
end
complete -c controlserver -n 'test (__controlserver_at) = controlserver' -f -a show -d '\'Print\' one.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver' -f -a store -d 'Keep them.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver' -l help -s h -d 'Show context-sensitive help.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver' -l project -r -d 'It\'s "the" directory [of $HOME]: a\\b $(exit 3).'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/show' -l form -s f -x -a 'text json' -d '.form as \'text\' or json.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/show' -l help -s h -d 'Show context-sensitive help.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/show' -l project -r -d 'It\'s "the" directory [of $HOME]: a\\b $(exit 3).'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store' -f -a list -d 'List them.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store' -f -a drop -d 'Drop: some.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store' -l all -d 'All of them.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store' -l help -s h -d 'Show context-sensitive help.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store' -l project -r -d 'It\'s "the" directory [of $HOME]: a\\b $(exit 3).'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/list' -l all -d 'All of them.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/list' -l help -s h -d 'Show context-sensitive help.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/list' -l project -r -d 'It\'s "the" directory [of $HOME]: a\\b $(exit 3).'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/drop' -f -a 'old new'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/drop' -l help -s h -d 'Show context-sensitive help.'
complete -c controlserver -n 'test (__controlserver_at) = controlserver/store/drop' -l project -r -d 'It\'s "the" directory [of $HOME]: a\\b $(exit 3).'
