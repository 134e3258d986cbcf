import { expect } from "vitest";
import { CANARIES, listReads, listReadsOfUsers, listUses, type SiteRecords, type TwoSites } from "./two-sites.ts";

export const UNKNOWN = "0190f5d2-5b1a-7c3d-8e4f-1234567890ab";

/** Everything that is stored of other sites, except alerts of the platform about itself. */
async function readOthers(world: TwoSites): Promise<string> {
  const rows = await world.query(`
    SELECT 'alert', alerts::text FROM alerts WHERE site IS DISTINCT FROM 'Alpha' AND source <> 'detection'
    UNION ALL SELECT 'case', cases::text FROM cases WHERE NOT sites <@ '{Alpha}'
    UNION ALL SELECT name, row FROM (
      SELECT 'comment' AS name, case_id, case_comments::text AS row FROM case_comments
      UNION ALL SELECT 'task', case_id, case_tasks::text FROM case_tasks
      UNION ALL SELECT 'observable', case_id, case_observables::text FROM case_observables
      UNION ALL SELECT 'timeline', case_id, case_timeline::text FROM case_timeline
      UNION ALL SELECT 'evidence', case_id, case_evidence::text FROM case_evidence
      UNION ALL SELECT 'ledger', case_id, ledger_entries::text FROM ledger_entries
    ) AS items JOIN cases ON cases.id = case_id WHERE NOT sites <@ '{Alpha}' ORDER BY 1, 2`);
  return JSON.stringify(rows);
}

/** Neither the user nor the key of Alpha reads a text or an id of other sites. */
export async function expectNothingForeign(world: TwoSites): Promise<void> {
  const reads = listReads(world);
  const asked = [
    ...[...reads, ...listReadsOfUsers(world)].map((path) => ({ headers: world.user, path })),
    ...reads.map((path) => ({ headers: world.apiKey, path })),
  ];
  for (const { headers, path } of asked) {
    const { status, text } = await world.ask(headers, "GET", path);
    expect([path, status, world.findForeign(text, path)]).toEqual([path, 200, []]);
  }
}

/** Each use of these records is answered like that of nonexistent records, and changes nothing. */
export async function expectUnknown(world: TwoSites, records: SiteRecords): Promise<void> {
  const before = await readOthers(world);
  const into = { alert: world.alpha.other, case: world.alpha.case };
  const ids = Object.values(records).filter((id) => /^[0-9a-f]{8}-/.test(id));
  const toUnknown = (text: string) => ids.reduce((all, id) => all.replaceAll(id, UNKNOWN), text);
  for (const [method, path, body] of listUses(records, into)) {
    for (const headers of [world.user, world.apiKey]) {
      const { status, text } = await world.ask(headers, method, path, body);
      const unknown = await world.ask(headers, method, toUnknown(path), JSON.parse(toUnknown(JSON.stringify(body))));
      expect([method, path, status, toUnknown(text)]).toEqual([method, path, 404, unknown.text]);
    }
  }
  expect(await readOthers(world)).toBe(before);
}

/** Of items about alerts and cases of all sites, the user of Alpha sees, counts and marks only those of Alpha. */
export async function expectOwnInbox(world: TwoSites): Promise<void> {
  const { alpha, beta, nowhere, both, user } = world;
  await world.query("DELETE FROM inbox_items");
  const subjects = [
    ...[alpha, beta, nowhere].flatMap((each) => [
      `alert ${each.alert} ${each.canary}`,
      `case ${each.case} ${each.canary}`,
    ]),
    `case ${both.case} ${CANARIES.both}`,
    `approval x ${CANARIES.both}`,
  ];
  for (const subject of subjects) {
    const [type = "", id = "", title = ""] = subject.split(" ");
    await world.query(
      `INSERT INTO inbox_items (id, username, kind, subject_type, subject_id, title, at, cause)
       VALUES (gen_random_uuid(), 'alpha', 'assigned', $1, $2, $3, now(), $2)`,
      [type, id, title],
    );
  }
  const { text } = await world.ask(user, "GET", "/inbox");
  expect(world.findForeign(text)).toEqual([]);
  const { items, total } = JSON.parse(text);
  expect([total, items.map(({ subject_id }: { subject_id: string }) => subject_id).toSorted()]).toEqual([
    2,
    [alpha.alert, alpha.case].toSorted(),
  ]);
  expect(JSON.parse((await world.ask(user, "GET", "/inbox/count")).text)).toMatchObject({ unread: 2 });
  const [read] = [await world.ask(user, "POST", "/inbox/read", { all: true })];
  expect(JSON.parse(read.text)).toEqual({ read: 2 });
  expect(await world.query("SELECT count(*)::int FROM inbox_items WHERE read_at IS NOT NULL")).toEqual([{ count: 2 }]);
}

/** Of changes at all sites, the user of Alpha receives only the events of those at Alpha. */
export async function expectOwnEvents(world: TwoSites): Promise<void> {
  const { user, alpha, beta, nowhere, both } = world;
  const last = "the last event";
  const received = await world.listen(user, last, async () => {
    for (const { alert, case: case_id, canary } of [beta, nowhere, alpha]) {
      await world.asAdmin("PATCH", `/alerts/${alert}`, { resolution: canary });
      await world.asAdmin("POST", `/cases/${case_id}/tasks`, { title: `${canary} soon` });
    }
    await world.asAdmin("PATCH", `/cases/${both.case}`, { description: `${CANARIES.both} ${world.both.alert}` });
    await world
      .asAdmin("POST", "/sites", { name: `${CANARIES.both} ${last.length}`, profile: { asset_classes: [] } })
      .catch(() => undefined);
    await world.asAdmin("PATCH", `/alerts/${alpha.alert}`, { resolution: last });
  });
  expect(world.findForeign(received)).toEqual([]);
  const types = [...received.matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type);
  expect(types).toEqual(["alert.updated", "task.created", "alert.updated"]);
}
