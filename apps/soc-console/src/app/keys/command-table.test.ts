import { describe, expect, it, vi } from "vitest";
import { createCommandTable, refuseClashes } from "./command-table.ts";
import type { Command } from "./commands.ts";

function command(id: string, rest: Partial<Command> = {}): Command {
  return { id, label: id, group: "test", run: () => undefined, ...rest };
}

describe("the command table", () => {
  it("lets the most recently mounted part win a key", () => {
    const table = createCommandTable();
    table.put({}, [command("console.search", { keys: ["/", "s"] })]);
    table.put({}, [command("page.sort", { keys: ["s"] })]);
    expect(table.list().map(({ id, keys }) => [id, keys])).toEqual([
      ["page.sort", ["s"]],
      ["console.search", ["/"]],
    ]);
    expect(table.bindings().map(({ id }) => id)).toEqual(["page.sort", "console.search"]);
  });

  it("returns the keys when that part is removed", () => {
    const table = createCommandTable();
    const page = {};
    table.put({}, [command("console.search", { keys: ["s"] })]);
    table.put(page, [command("page.sort", { keys: ["s"] })]);
    table.remove(page);
    expect(table.list().map(({ id, keys }) => [id, keys])).toEqual([["console.search", ["s"]]]);
  });

  it("notifies only of visible changes, and runs the newest function", async () => {
    const table = createCommandTable();
    const page = {};
    const [listener, first, second] = [vi.fn(), vi.fn(), vi.fn()];
    table.subscribe(listener);
    table.put(page, [command("a", { run: first })]);
    const [shown] = table.list();
    table.put(page, [command("a", { run: second })]);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(table.list()[0]).toBe(shown);
    await shown?.run();
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
    table.put(page, [command("a", { run: second, isEnabled: false })]);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe("one part", () => {
  it.each([
    [[command("a", { keys: ["x"] }), command("b", { keys: ["x"] })], "a and b have the same keys"],
    [[command("a"), command("a")], "a is there twice"],
  ])("rejects conflicting commands of one part", (commands, message) => {
    expect(() => refuseClashes(commands)).toThrow(message);
  });

  it("accepts commands without conflicts", () => {
    expect(() => refuseClashes([command("a", { keys: ["x"] }), command("b", { keys: ["⇧X"] })])).not.toThrow();
  });
});
