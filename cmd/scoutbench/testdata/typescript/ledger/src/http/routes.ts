import { kindLabels } from "../account";
import { describe, eventIcons, LedgerEvent } from "../event";
import { Ledger } from "../ledger";
import { format, money } from "../money";
import type { EventStore } from "../store";
import { json, noContent, problem, Reply } from "./reply";

export interface Request {
  path: string[];
  body: { debit?: string; credit?: string; amount?: number; reason?: string };
}

export type Handler = (request: Request) => Promise<Reply>;

export function routes(ledger: Ledger, store: EventStore): Record<string, Handler> {
  return {
    "POST /transfers": async ({ body }) => {
      if (!body.debit || !body.credit || !body.amount) {
        return problem(422, "debit, credit and amount are required");
      }
      const posted = await ledger.transfer(body.debit, body.credit, money(body.amount, "EUR"));
      return json(201, { id: posted.entryId });
    },
    "DELETE /transfers": async ({ path, body }) => {
      await ledger.reverse(path[1], body.reason ?? "");
      return noContent;
    },
    "GET /history": async ({ path }) => json(200, (await store.load(path[1])).map(line)),
    "GET /accounts": async ({ path }) => account(ledger, path[1]),
  };
}

function line(event: LedgerEvent): string {
  return `${eventIcons[event.type]} ${describe(event)}`;
}

function account(ledger: Ledger, id: string): Reply {
  const found = ledger.find(id);
  if (!found) {
    return problem(404, `no account ${id}`);
  }
  return json(200, { id, kind: kindLabels[found.kind], balance: format(found.balance) });
}
