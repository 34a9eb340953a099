import { Money } from "./money";

export interface Posted {
  type: "posted";
  entryId: string;
  debit: string;
  credit: string;
  value: Money;
  at: number;
}

export interface Reversed {
  type: "reversed";
  entryId: string;
  reason: string;
  at: number;
}

export interface Annotated {
  type: "annotated";
  entryId: string;
  note: string;
  at: number;
}

export type LedgerEvent = Posted | Reversed | Annotated;

export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

export function describe(event: LedgerEvent): string {
  switch (event.type) {
    case "posted":
      return `${event.debit} to ${event.credit}`;
    case "reversed":
      return `reversed: ${event.reason}`;
    case "annotated":
      return event.note;
    default:
      return assertNever(event);
  }
}

export const eventIcons: Record<LedgerEvent["type"], string> = {
  posted: "+",
  reversed: "-",
  annotated: "#",
};

/** Only money that moves counts. */
export function isFinancial(event: LedgerEvent): boolean {
  switch (event.type) {
    case "posted":
    case "reversed":
      return true;
    default:
      return false;
  }
}
