import type { Transport } from "./client";

export class MemoryTransport implements Transport {
  readonly sent: string[] = [];

  constructor(private readonly replies: Record<string, unknown> = {}) {}

  async send(method: string, path: string): Promise<unknown> {
    this.sent.push(`${method} ${path}`);
    return this.replies[path];
  }
}

export const offline: Transport = {
  send: () => Promise.reject(new Error("offline")),
};

export function retrying(inner: Transport, times: number): Transport {
  const send: Transport["send"] = async (method, path, body) => {
    for (let left = times; left > 0; left--) {
      try {
        return await inner.send(method, path, body);
      } catch {
        continue;
      }
    }
    return inner.send(method, path, body);
  };
  return { send };
}
