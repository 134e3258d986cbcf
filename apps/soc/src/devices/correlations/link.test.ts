import { describe, expect, it } from "vitest";
import { hasLabelledAlerts, measurePairs, readLabelledAlerts } from "../../../testing/fixtures/labelled-alerts.ts";
import { groupRecords } from "./group.ts";
import { type CorrelatedRecord, describeLink, findLinks } from "./link.ts";
import { listAlertEntities, type SharedEntity } from "./shared-entity.ts";

const NOON = Date.UTC(2026, 10, 16, 12);
let made = 0;

function record(minutes: number, ...entities: SharedEntity[]): CorrelatedRecord {
  made += 1;
  return { kind: "alert", id: `alert-${made}`, at: new Date(NOON + minutes * 60_000), entities };
}
const host = (value: string): SharedEntity => ({ kind: "host", value });
const user = (value: string): SharedEntity => ({ kind: "user", value });
const address = (value: string): SharedEntity => ({ kind: "address", value });

describe("links between records", () => {
  it("exist when two records share a host within a day", () => {
    const first = record(0, host("ws-7"), user("ada"));
    const [link] = findLinks(record(4, host("ws-7"), user("ada")), [first, record(0, host("ws-8"))]);
    expect(link?.other).toBe(first);
    expect(link?.score).toBeCloseTo(0.96);
    expect(findLinks(record(24 * 60 + 1, host("ws-7")), [first])).toEqual([]);
    expect(findLinks(record(24 * 60, host("ws-7")), [first])).toHaveLength(1);
  });

  it("name what the records share and their time difference", () => {
    const later = record(4, host("ws-7"), user("ada"));
    const [link] = findLinks(later, [record(0, host("ws-7"), user("ada"))]);
    expect(link && describeLink(later, link)).toBe("both name the host ws-7 and the user ada, 4 minutes apart");
  });

  it("do not exist for an entity that many share", () => {
    const crowd = Array.from({ length: 30 }, (_, place) => record(place, host(`ws-${place}`), address("192.0.2.1")));
    expect(findLinks(record(31, host("srv"), address("192.0.2.1")), crowd)).toEqual([]);
    expect(findLinks(record(31, host("srv"), address("192.0.2.1")), crowd.slice(0, 4))).toHaveLength(4);
    expect(groupRecords(crowd).every((group) => group.length < 10)).toBe(true);
  });
});

it("ignore entities that every machine has", () => {
  const named = (name: string) => ({ name, full_name: name, count: 1 });
  const alert = {
    ...{
      host: "WS-7.corp.example",
      user: "NT AUTHORITY\\SYSTEM",
      iocs: ["EVIL.example", "44d88612fea8a8f36de82e1278abb02f"],
    },
    entities: {
      ...{ hosts: [named("ws-7")], users: [named("WS-7$"), named("CORP\\Ada")], is_complete: true },
      addresses: [named("127.0.0.1"), named("fe80::1"), named("203.0.113.9")],
    },
  };
  expect(listAlertEntities(alert as never)).toEqual([
    { kind: "host", value: "ws-7" },
    { kind: "user", value: "ada" },
    { kind: "address", value: "203.0.113.9" },
    { kind: "ioc", value: "evil.example" },
    { kind: "hash", value: "44d88612fea8a8f36de82e1278abb02f" },
  ]);
});

describe.skipIf(!hasLabelledAlerts)("182 labelled alerts of known incidents", () => {
  it("are grouped like their provider did: F1 of all pairs at least 0.95", () => {
    const records = readLabelledAlerts();
    const groups = new Map(
      groupRecords(records).flatMap((group, place) => group.map(({ id }) => [id, place] as const)),
    );
    const { right, wrong, missed, f1 } = measurePairs(records, (id) => groups.get(id));
    console.info(`pairs right ${right}, wrong ${wrong}, missed ${missed}: F1 ${f1.toFixed(3)}`);
    expect(f1).toBeGreaterThanOrEqual(0.95);
  });
});
