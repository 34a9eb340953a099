export type Priority = "low" | "normal" | "urgent";

export type Label = { text: string; color: string };

export interface Card {
  id: string;
  title: string;
  priority: Priority;
  labels: Label[];
  assignee?: string;
  due: Date | null;
}

export function newCard(id: string, title: string): Card {
  return { id, title, priority: "normal", labels: [], due: null };
}

export function isLate(card: Card, now: Date): boolean {
  return card.due !== null && card.due < now;
}

const weights = new Map<Priority, number>([
  ["low", 0],
  ["normal", 1],
  ["urgent", 2],
]);

export function byPriority(a: Card, b: Card): number {
  return (weights.get(b.priority) ?? 0) - (weights.get(a.priority) ?? 0);
}
