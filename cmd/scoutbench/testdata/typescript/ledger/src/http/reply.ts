export interface Reply {
  status: number;
  body: string;
  headers: Record<string, string>;
}

export function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value), headers: { "content-type": "application/json" } };
}

export function problem(status: number, title: string): Reply {
  return json(status, { title });
}

export const noContent: Reply = { status: 204, body: "", headers: {} };
