import { h } from "../h";
import { Action } from "../model/action";
import { Column } from "../model/column";
import { State } from "../model/reduce";
import { CardView } from "./card";
import { stageTitle, Theme } from "./theme";

export interface BoardProps {
  state: State;
  theme: Theme;
  dispatch: (action: Action) => void;
}

export function BoardView({ state, theme, dispatch }: BoardProps) {
  return (
    <main>
      {state.columns.map((column) => (
        <ColumnView column={column} theme={theme} dispatch={dispatch} />
      ))}
      <HistoryView actions={state.history} />
    </main>
  );
}

function ColumnView(props: { column: Column; theme: Theme; dispatch: BoardProps["dispatch"] }) {
  const rename = (id: string, title: string) => props.dispatch({ type: "renamed", id, title });
  return (
    <section style={{ background: props.theme.stage[props.column.stage] }}>
      <h2>{stageTitle(props.column.stage)}</h2>
      {props.column.cards.map((card) => (
        <CardView card={card} theme={props.theme} now={new Date()} onRename={rename} />
      ))}
    </section>
  );
}

function HistoryView({ actions }: { actions: Action[] }) {
  return (
    <ol>
      {actions.map((action) => (
        <li>{phrase(action)}</li>
      ))}
    </ol>
  );
}

function phrase(action: Action): string {
  if (action.type === "added") {
    return `added ${action.card.title}`;
  }
  return `${action.type} ${action.id}`;
}
