import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AskChat, chatAs } from "../../../testing/harness/chat-client.ts";
import { startTwoSites, type TestSite, type TwoSites } from "../../../testing/harness/limited-callers.ts";

let soc: TwoSites;
let ofAlpha: AskChat;
let everywhere: AskChat;
let own: string;
let foreign: string;

async function join(sites: string[] | null): Promise<AskChat> {
  const username = `chat-${randomUUID()}`;
  await soc.addUser(username, "tier3");
  await soc.asAdmin("PATCH", `/users/${username}`, { sites });
  const { token } = await soc.signIn(username);
  return chatAs(soc.app, { authorization: `Bearer ${token}` });
}

async function addEndpoint(hostname: string, { name: site, word }: TestSite): Promise<string> {
  const id = randomUUID();
  await soc.asAdmin("PUT", `/edr/endpoints/${id}`, { hostname, os: `os-${word}`, site });
  return id;
}

beforeAll(async () => {
  soc = await startTwoSites();
  [own, foreign] = [await addEndpoint("ws-7", soc.alpha), await addEndpoint("ws-8", soc.beta)];
  await soc.asAdmin("POST", "/alerts", {
    title: `Beacon ${soc.beta.word}`,
    source: "edr",
    severity: "high",
    host: "ws-8",
  });
  ofAlpha = await join([soc.alpha.id]);
  everywhere = await join(null);
});

afterAll(() => soc.close());

it("answers a caller of one site from the records of that site", async () => {
  const known = await ofAlpha("what do we know about host ws-7");
  expect(known.text).toContain(`os-${soc.alpha.word}`);
  expect(known.citations).toEqual([{ kind: "endpoint", id: own }]);
  const hide = async () => {
    for (const question of ["what do we know about host ws-8", "what is new", "what happened on ws-8 around 14:05"]) {
      const hidden = await ofAlpha(question);
      expect([question, hidden.status]).toEqual([question, 200]);
      for (const secret of [soc.beta.word, foreign]) expect(JSON.stringify(hidden.events)).not.toContain(secret);
      expect(hidden.events.at(-1)?.event).toBe("done");
    }
  };
  await hide();
  await soc.withoutPolicies(["edr_endpoints", "alerts", "cases"], hide);
  expect((await everywhere("what do we know about host ws-8")).text).toContain(soc.beta.word);
});

it("stores the conversation of a caller of one site only for that caller", async () => {
  const first = await ofAlpha("what do we know about host ws-7");
  const second = await ofAlpha("and on ws-8?", first.conversation_id);
  expect([second.status, second.conversation_id]).toEqual([200, first.conversation_id]);
  expect(JSON.stringify(second.events)).not.toContain(soc.beta.word);
  const foreignConversation = await everywhere("what do we know about host ws-8");
  expect((await ofAlpha("and on ws-7?", foreignConversation.conversation_id)).status).toBe(404);
});

it("leaves answers of former sites out of the conversation after the sites of a user change", async () => {
  const username = `moved-${randomUUID()}`;
  await soc.addUser(username, "tier3");
  const signIn = async (sites: string[]) => {
    await soc.asAdmin("PATCH", `/users/${username}`, { sites });
    const { token } = await soc.signIn(username);
    return chatAs(soc.app, { authorization: `Bearer ${token}` });
  };
  await addEndpoint("bank-9", soc.beta);
  const atBeta = await signIn([soc.beta.id]);
  const first = await atBeta("what do we know about host bank-9");
  expect(first.text).toContain(soc.beta.word);
  const again = await atBeta("show its logs", first.conversation_id);
  const atAlpha = await signIn([soc.alpha.id]);
  const second = await atAlpha("show its logs", first.conversation_id);
  expect([second.status, second.conversation_id]).toEqual([200, first.conversation_id]);
  expect(again.text).toContain("bank-9");
  expect(second.text).not.toContain("bank-9");
});
