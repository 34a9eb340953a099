export interface Events {
  added: { sku: string, count: number }
  paid: { total: number }
}

export type Listener<K extends keyof Events> = (event: Events[K]) => void

type Listeners = { [K in keyof Events]: Listener<K>[] }

export class EventBus {
  private readonly listeners: Listeners = { added: [], paid: [] }

  on<K extends keyof Events> (name: K, listener: Listener<K>): void {
    this.listeners[name].push(listener)
  }

  emit<K extends keyof Events> (name: K, event: Events[K]): void {
    for (const listener of this.listeners[name]) listener(event)
  }
}
