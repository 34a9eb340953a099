import { Action, ActionType, unreachable } from "./action";
import { Card } from "./card";
import { Column, isFull, sorted, Stage } from "./column";

export interface State {
  columns: Column[];
  history: Action[];
}

export const empty: State = {
  columns: [{ stage: Stage.Backlog, cards: [] }, { stage: Stage.Doing, cards: [], limit: 3 }, { stage: Stage.Done, cards: [] }],
  history: [],
};

export function reduce(state: State, action: Action): State {
  const next = { ...state, history: [...state.history, action] };
  switch (action.type) {
    case "added":
      return put(next, action.card, action.stage);
    case "moved":
      return put(without(next, action.id), findCard(state, action.id), action.to);
    case "renamed":
      return edit(next, action.id, (card) => ({ ...card, title: action.title }));
    case "removed":
      return without(next, action.id);
    default:
      return unreachable(action);
  }
}

export function findCard(state: State, id: string): Card {
  const found = state.columns.flatMap((c) => c.cards).find((c) => c.id === id);
  if (!found) {
    throw new Error(`no card ${id}`);
  }
  return found;
}

function put(state: State, card: Card, stage: Stage): State {
  return each(state, (column) => {
    if (column.stage !== stage) {
      return column;
    }
    if (isFull(column)) {
      throw new Error(`${stage} is full`);
    }
    return sorted({ ...column, cards: [...column.cards, card] });
  });
}

function without(state: State, id: string): State {
  return each(state, (column) => ({ ...column, cards: column.cards.filter((c) => c.id !== id) }));
}

function edit(state: State, id: string, change: (card: Card) => Card): State {
  return each(state, (column) => ({ ...column, cards: column.cards.map((c) => (c.id === id ? change(c) : c)) }));
}

function each(state: State, change: (column: Column) => Column): State {
  return { ...state, columns: state.columns.map(change) };
}

export const undoable: Record<ActionType, boolean> = {
  added: true,
  moved: true,
  renamed: true,
  removed: false,
};
