import { expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { buildProcessTree, hasNameOrId, type ProcessNode, selectFamily } from "./process-tree.ts";

const fits = (text: string) => (node: ProcessNode) => hasNameOrId(node, text);

const event = (at: number, attributes: Record<string, unknown>) =>
  sampleLog({ id: `log-${at}`, timestamp: `2026-11-15T09:00:0${at}.000Z`, user: "ada", attributes });

/** explorer starts winword, which starts cmd, which starts whoami; svchost is unrelated. */
const EVENTS = [
  event(1, { ProcessGuid: "{2}", ParentProcessGuid: "{1}", Image: "winword.exe", ParentImage: "explorer.exe" }),
  event(2, { ProcessGuid: "{3}", ParentProcessGuid: "{2}", Image: "cmd.exe", CommandLine: "cmd /c whoami" }),
  event(3, { ProcessGuid: "{4}", ParentProcessGuid: "{3}", Image: "whoami.exe" }),
  event(4, { ProcessGuid: "{9}", ParentProcessGuid: "{8}", Image: "svchost.exe" }),
];

it("links each process to its parent, even if no event describes the parent", () => {
  const nodes = buildProcessTree(EVENTS.toReversed());
  expect(nodes.map(({ id, parent_id, name }) => [id, parent_id, name])).toEqual([
    ["{1}", null, "explorer.exe"],
    ["{2}", "{1}", "winword.exe"],
    ["{3}", "{2}", "cmd.exe"],
    ["{4}", "{3}", "whoami.exe"],
    ["{8}", null, null],
    ["{9}", "{8}", "svchost.exe"],
  ]);
  expect(nodes[2]).toMatchObject({ command_line: "cmd /c whoami", user: "ada", log_id: "log-2" });
});

it("selects the ancestors and the descendants of a process", () => {
  const family = selectFamily(buildProcessTree(EVENTS), fits("CMD"));
  expect(family.map(({ id }) => id)).toEqual(["{1}", "{2}", "{3}", "{4}"]);
  expect(selectFamily(buildProcessTree(EVENTS), fits("absent"))).toEqual([]);
});

it.each([
  ["Sysmon's process ids", { ProcessId: 7, ParentProcessId: 5 }],
  ["Windows' audit, where ProcessId is the creator", { NewProcessId: "7", ProcessId: "5" }],
  ["Sysmon's GUIDs as some shippers spell them", { ProcessGUID: "7", ParentProcessGUID: "5" }],
  ["ECS, nested", { process: { pid: 7, parent: { pid: 5 } } }],
  ["ECS, flat", { "process.pid": 7, "process.parent.pid": 5 }],
])("reads %s", (_what, attributes) => {
  expect(buildProcessTree([event(1, attributes)]).map(({ id, parent_id }) => [id, parent_id])).toEqual([
    ["5", null],
    ["7", "5"],
  ]);
});

it("terminates if reused process ids form a cycle", () => {
  const circle = [event(1, { ProcessId: 1, ParentProcessId: 2 }), event(2, { ProcessId: 2, ParentProcessId: 1 })];
  expect(selectFamily(buildProcessTree(circle), fits("1")).map(({ id }) => id)).toEqual(["2", "1"]);
});
