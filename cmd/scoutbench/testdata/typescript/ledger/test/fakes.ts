import type { EventStore } from "../src/store";
import { Ledger } from "../src/ledger";

export class BrokenStore implements EventStore {
  readonly size = 0;

  append(): Promise<number> {
    return Promise.reject(new Error("disk full"));
  }

  load(): Promise<never[]> {
    return Promise.resolve([]);
  }
}

export function ledgerOver(store: EventStore): Ledger {
  return new Ledger(store, { currency: "EUR", clock: () => 42 });
}
