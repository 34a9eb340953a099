import { App, MemoryTransport, offline, retrying } from "../src";
import { CardClient, Client } from "../src/api/client";
import { h } from "../src/h";
import { newCard } from "../src/model/card";
import { Badge, CardView } from "../src/view/card";
import { dark } from "../src/view/theme";

class EchoClient extends Client {
  readonly resource = "echo";

  decode(raw: unknown): string {
    return String(raw);
  }
}

test("syncs what was added", async () => {
  const transport = new MemoryTransport();
  const app = new App(transport);
  app.add("first");
  await app.sync();
  expect(transport.sent).toEqual(["PUT /cards/0", "POST /history"]);
  expect(app.canUndo()).toBe(true);
});

test("gives up", async () => {
  const client = new CardClient(retrying(offline, 2));
  let failed = false;
  await client.save(newCard("a", "A")).catch(() => (failed = true));
  expect(failed).toBe(true);
  expect(new EchoClient(offline).decode(1)).toBe("1");
});

test("draws a card", () => {
  const card = { ...newCard("a", "A"), labels: [{ text: "bug", color: "red" }] };
  const drawn = <CardView card={card} theme={dark} now={new Date()} onRename={() => {}} />;
  expect(drawn.tag).toBe("article");
  expect((<Badge label={card.labels[0]} />).children.length).toBe(1);
});
