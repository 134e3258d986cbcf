import type { Clock } from "@kit/clock";
import { type Command, type CommandArguments, readText, type Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import type { Environment } from "./service-client.ts";

export interface AuditCommandsDeps {
  environment: Environment;
  terminal: Terminal;
  clock: Pick<Clock, "now">;
}

const MAX_REASON = 500;

export function createAuditCommands({ environment, terminal, clock }: AuditCommandsDeps): Command[] {
  return [
    {
      name: "audit delete",
      takes: "--before <date> --reason <text>",
      summary: "Deletes audit entries that are older than a day, and signs a statement of it.",
      details: [
        "The date is one such as 2025-01-01, and begins at midnight UTC. Entries are deleted in batches of up to 250, from the first one; their ids and hashes stay.",
        "It checks these batches first, and deletes nothing while the database has a fault that no operator has accepted.",
        "It reads the variables of the service, and the key of the ledger. SOC_DATABASE_OWNER_URL, or else SOC_DATABASE_URL, names the database: docs/operations/audit.md.",
      ].join("\n"),
      options: { before: { type: "string" }, reason: { type: "string" } },
      async run(given) {
        const before = readDay(given, clock.now());
        const reason = readReason(given);
        const { readPlaces } = await import("../backup/platform-places.ts");
        const { readKeyState } = await import("../keys/key-files.ts");
        const { openLedgerKey } = await import("../../foundation/records/ledger-key.ts");
        const { deleteAuditEntries } = await import("../../cases/module.ts");
        const { asOwner } = await import("../as-owner.ts");
        const { databaseUrl, ledgerKeyFile: path } = readPlaces(environment);
        // A missing key is an error: opening it would create another one.
        await readKeyState({ name: "ledger", variable: "SOC_LEDGER_KEY_FILE", path });
        const key = await openLedgerKey(path);
        const deleted = await asOwner(databaseUrl, (db) =>
          db.transaction().execute((tx) => deleteAuditEntries(tx, { before, reason }, { key, clock })),
        );
        if (!deleted) {
          terminal.write("No batch has only older entries: nothing was deleted\n");
          return 0;
        }
        const { entries, until, statement } = deleted;
        terminal.write(`${entries} audit entries are deleted, up to ${until.toISOString()}\n`);
        terminal.writeError(`The statement covers the batches 1 to ${statement.batches}.\n`);
        return 0;
      },
    },
  ];
}

function readDay(given: CommandArguments, now: Date): Date {
  const text = readText(given, "before") ?? "";
  const day = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(`${text}T`)) {
    throw invalidField("--before", "must be a date such as 2025-01-01");
  }
  if (day > now) throw invalidField("--before", "must not be in the future");
  return day;
}

function readReason(given: CommandArguments): string {
  const reason = (readText(given, "reason") ?? "").trim();
  if (reason === "" || reason.length > MAX_REASON) {
    throw invalidField("--reason", `must have 1 to ${MAX_REASON} characters`);
  }
  return reason;
}
