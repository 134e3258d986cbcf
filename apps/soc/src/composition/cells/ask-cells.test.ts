import { expect, it } from "vitest";
import type { LogBody } from "../../logs/search/logs.schema.ts";
import { askCells, mergeLogPages } from "./ask-cells.ts";

const toCell = (name: string) => ({ name, url: `https://${name}.example`, key_id: "0".repeat(64), ring: 1 });
const toLog = (id: string, second: number): LogBody => {
  const timestamp = `2026-11-18T10:00:${String(second).padStart(2, "0")}.000Z`;
  const empty = { host: null, event_code: null, action: null, outcome: null, user: null, process: null, message: null };
  const network = { src_ip: null, dst_ip: null, src_port: null, dst_port: null };
  const given = { site: "Cairo", source: "fw", severity: "low", raw: id, attributes: {} } as const;
  return { id, timestamp, ingested_at: timestamp, ...given, ...empty, ...network, timestamp_origin: "event" };
};

it("merges the newest logs of all cells by time and id, and adds their counts", async () => {
  const pages = {
    north: { items: [toLog("b", 9), toLog("a", 3)], total: 2 },
    south: { items: [toLog("c", 9), toLog("d", 4)], total: 7, total_is_estimate: true },
  };
  const found = mergeLogPages(
    await askCells([toCell("north"), toCell("south")], async ({ name }) => pages[name === "north" ? "north" : "south"]),
    3,
  );
  expect(found.logs.map(({ cell, id }) => `${cell} ${id}`)).toEqual(["south c", "north b", "south d"]);
  expect(found).toMatchObject({
    total: 9,
    isEstimate: true,
    counts: [
      { cell: "north", value: 2 },
      { cell: "south", value: 7 },
    ],
    missing: [],
  });
});

it("names the cells that do not answer, and the log stores that a cell does not reach", async () => {
  const answers = await askCells([toCell("north"), toCell("south")], async ({ name }) => {
    if (name === "south") throw new Error("cell 'south' at https://south.example does not answer");
    return { items: [toLog("a", 1)], total: 1, missing_stores: ["log store 2 of 2"] };
  });
  const found = mergeLogPages(answers, 10);
  expect(found.missing).toEqual([
    "south: cell 'south' at https://south.example does not answer",
    "north: log store 2 of 2",
  ]);
  expect(found.total).toBe(1);
});
