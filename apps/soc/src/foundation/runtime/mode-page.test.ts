import { join } from "node:path";
import { toTemplate } from "@kit/http/openapi";
import { expect, it } from "vitest";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { type Effect, MODE_TABLE, OUTSIDE, selectRow } from "./mode-table.ts";
import { MODES } from "./runtime.schema.ts";

const PAGE = join(import.meta.dirname, "../../../../../docs/api/soc-modes.md");

const HEAD = `# What each mode does with each request

Generated from the table that the gates use and from what each route declares (\`vitest -u\` regenerates it); the tests
call every route in every mode, with the database available, disconnected and stalled. "Down" is a database that does not
answer within 1.5 seconds.

- **database**, **showcase**: answered from there.
- **always**: answered without a database, too, if the caller's token was valid at its last check.
- **done**: stored, with its audit entry and its event.
- **preview**: 200 with \`dry_run\` and \`preview\`; nothing is stored.
- **blocked**: 403. **unavailable**: 503 within 2 seconds.

A tool answers 200 with its envelope in every case: blocked is \`mode_blocked\`, unavailable is \`unavailable\`, and a preview has
\`dry_run\` beside the fields of the tool. By \`/mcp\` each tool follows its own row here.

| Request | dummy, up | dummy, down | dry_run, up | dry_run, down | real, up | real, down |
|---|---|---|---|---|---|---|
`;

function buildRows(request: string, effect: Effect, isAlways: boolean): string[] {
  if (effect === "finding") {
    return [
      ...buildRows(`${request} by a person`, selectRow(effect, false), isAlways),
      ...buildRows(`${request} by API key`, selectRow(effect, true), isAlways),
    ];
  }
  const fates = MODES.flatMap((mode) => [MODE_TABLE[effect][mode].up, MODE_TABLE[effect][mode].down]);
  const cells = isAlways ? fates.map((fate) => (fate === "unavailable" ? "always" : fate)) : fates;
  return [`| ${[request, ...cells].join(" | ")} |`];
}

it("documents the effect of every route in every mode", async () => {
  const { app, close } = await wholePlatform("dummy");
  const rows = app.registeredRoutes
    .filter(({ path }) => path.startsWith("/api/v1"))
    .toSorted((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1))
    .flatMap(({ method, path, config }) =>
      buildRows(`\`${method} ${toTemplate(path)}\``, config.effect ?? "none", config.worksOffline ?? false),
    );
  await close();
  const outside = Object.entries(OUTSIDE).map(
    ([kind, by]) => `| ${[kind, ...MODES.map((mode) => by[mode])].join(" | ")} |`,
  );
  const tail = `\n## What leaves the platform\n\n| | ${MODES.join(" | ")} |\n|---|---|---|---|\n${outside.join("\n")}\n`;
  await expect(`${HEAD}${rows.join("\n")}\n${tail}`).toMatchFileSnapshot(PAGE);
});
