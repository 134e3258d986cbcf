import { expect, test } from "vitest";
import { ME } from "../../../testing/show.tsx";
import { createSession } from "../session/session.ts";
import { createSharedReads } from "./shared-reads.ts";

/** A tab of a user; `asked` counts its requests. */
function openTab(username: string, answer: () => Promise<string>) {
  const session = createSession();
  session.begin({ ...ME, username });
  const tab = { asked: 0, session, read: () => shared.read<string>("/stats/attention", new AbortController().signal) };
  const get = async <Body,>(): Promise<Body> => {
    tab.asked += 1;
    return (await answer()) as Body;
  };
  const shared = createSharedReads({ get }, session);
  return tab;
}

const count = (tabs: readonly { asked: number }[]) => tabs.reduce((sum, { asked }) => sum + asked, 0);

test("asks the service a few times for the same event in many tabs of a user", async () => {
  const tabs = Array.from({ length: 20 }, () => openTab("noor", async () => "7"));
  expect(await Promise.all(tabs.map((tab) => tab.read()))).toEqual(tabs.map(() => "7"));
  expect(count(tabs)).toBeLessThanOrEqual(2);
});

test("asks again for a read that begins after the last answer was asked for", async () => {
  const [one, other] = [openTab("noor", async () => "old"), openTab("noor", async () => "new")];
  await one.read();
  expect(await other.read()).toBe("new");
});

test("never gives an answer to a tab of another user", async () => {
  const [noor, sam] = [openTab("noor", async () => "of noor"), openTab("sam", async () => "of sam")];
  expect(await Promise.all([noor.read(), sam.read()])).toEqual(["of noor", "of sam"]);
});

test("lets the next tab ask when a tab fails", async () => {
  const failing = openTab("noor", () => Promise.reject(new Error("down")));
  const working = openTab("noor", async () => "7");
  const [failed, read] = await Promise.allSettled([failing.read(), working.read()]);
  expect([failed.status, read]).toEqual(["rejected", { status: "fulfilled", value: "7" }]);
});
