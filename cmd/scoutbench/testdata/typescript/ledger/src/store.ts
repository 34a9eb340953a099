import { LedgerEvent } from "./event";

export interface EventStore {
  append(event: LedgerEvent): Promise<number>;
  load(entryId: string): Promise<LedgerEvent[]>;
  readonly size: number;
}

export class MemoryStore implements EventStore {
  private readonly events: LedgerEvent[] = [];

  get size(): number {
    return this.events.length;
  }

  async append(event: LedgerEvent): Promise<number> {
    return this.events.push(event);
  }

  async load(entryId: string): Promise<LedgerEvent[]> {
    return this.events.filter((e) => e.entryId === entryId);
  }
}

/** Tells a listener of what is appended. */
export class ObservedStore implements EventStore {
  constructor(
    private readonly inner: EventStore,
    private readonly notify: (event: LedgerEvent) => void,
  ) {}

  get size(): number {
    return this.inner.size;
  }

  async append(event: LedgerEvent): Promise<number> {
    const position = await this.inner.append(event);
    this.notify(event);
    return position;
  }

  load(entryId: string): Promise<LedgerEvent[]> {
    return this.inner.load(entryId);
  }
}

export function frozenStore(events: readonly LedgerEvent[]): EventStore {
  return {
    size: events.length,
    append: () => Promise.reject(new Error("frozen")),
    load: async (entryId) => events.filter((e) => e.entryId === entryId),
  };
}
