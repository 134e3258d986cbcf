import { expect, it } from "vitest";
import { listFittingSites, readNow } from "./agent-now.ts";

const AGENT = { id: "agent-001", status: "active", instances: 1 } as const;

it("shows first what prevents an agent from running", () => {
  expect(readNow(AGENT, 0)).toBe("ready");
  expect(readNow({ ...AGENT, instances: 0 }, 0)).toBe("parked");
  expect(readNow({ ...AGENT, status: "disabled", instances: 0 }, 0)).toBe("disabled");
  expect(readNow({ ...AGENT, status: "error" }, 0)).toBe("failed");
  expect(readNow({ ...AGENT, status: "error", instances: 0 }, 0)).toBe("parked");
});

it("attributes every running investigation to the supervisor", () => {
  const supervisor = { ...AGENT, id: "agent-016" };
  expect(readNow(supervisor, 2)).toBe("working");
  expect(readNow(supervisor, 0)).toBe("ready");
  expect(readNow({ ...supervisor, status: "disabled" }, 2)).toBe("disabled");
  expect(readNow(AGENT, 2)).toBe("ready");
});

it("offers the sites that declare a class of the agent and do not have it", () => {
  const sites = [
    { id: "a", profile: { asset_classes: ["it", "ot"] } },
    { id: "b", profile: { asset_classes: ["medical"] } },
    { id: "c", profile: { asset_classes: ["ot"] } },
    { id: "d", profile: {} },
  ];
  const fitting = listFittingSites({ sites: ["c"], asset_classes: ["ot", "iot"] }, sites);
  expect(fitting.map(({ id }) => id)).toEqual(["a"]);
});
