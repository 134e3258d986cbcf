import type { Command } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import type { RotateDeps } from "../keys/rotate-keys.ts";

const DETAILS =
  "It reads the variables of the service. SOC_DATABASE_OWNER_URL, or else SOC_DATABASE_URL, names the database: docs/operations/keys.md.";

/** The keys that all hosts of a platform share. */
export function createPlatformKeyCommands(deps: RotateDeps): Command[] {
  const build = (verb: "prepare" | "rotate", summary: string): Command => ({
    name: `keys ${verb}`,
    takes: "ledger|channels",
    summary,
    details: DETAILS,
    words: { min: 1, max: 1 },
    async run({ positionals: [name = ""] }) {
      const { prepareKey, rotateKey } = await import("../keys/rotate-keys.ts");
      return (verb === "prepare" ? prepareKey : rotateKey)(readName(name), deps);
    },
  });
  return [
    build("prepare", "Makes the next key beside the one in use."),
    build("rotate", "Replaces a key by the next one on this host; run again after a failure, it continues."),
    {
      name: "keys retire",
      takes: "channels",
      summary: "Removes the former key of this host, after the last secret that needs it.",
      details: DETAILS,
      words: { min: 1, max: 1 },
      async run({ positionals: [name = ""] }) {
        if (name !== "channels") throw invalidField("key", "must be channels");
        const { retireChannelsKey } = await import("../keys/rotate-keys.ts");
        return retireChannelsKey(deps);
      },
    },
  ];
}

function readName(name: string): "ledger" | "channels" {
  if (name === "ledger" || name === "channels") return name;
  throw invalidField("key", "must be ledger or channels");
}
