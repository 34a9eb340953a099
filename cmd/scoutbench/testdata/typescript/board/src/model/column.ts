import { byPriority, Card } from "./card";

export enum Stage {
  Backlog = "backlog",
  Doing = "doing",
  Done = "done",
}

export interface Column {
  stage: Stage;
  cards: Card[];
  limit?: number;
}

export function isFull(column: Column): boolean {
  return column.limit !== undefined && column.cards.length >= column.limit;
}

export function sorted(column: Column): Column {
  return { ...column, cards: [...column.cards].sort(byPriority) };
}

export function following(stage: Stage): Stage | null {
  switch (stage) {
    case Stage.Backlog:
      return Stage.Doing;
    case Stage.Doing:
      return Stage.Done;
    case Stage.Done:
      return null;
  }
}
