import type { Clock } from "@kit/clock";
import type { Command, Terminal } from "@kit/config/commands";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { findPairingSocket, OPEN_LINE } from "../pairing/pairing-console.ts";
import { sendLine } from "./line-client.ts";

export interface PairCommandDeps {
  dataFolder: () => string;
  terminal: Pick<Terminal, "write">;
  clock: Pick<Clock, "deadline">;
}

const Opened = Type.Object({ code: Type.String(), expires_in_s: Type.Integer() });
const Refused = Type.Object({ error: Type.String() });

/** Opens pairing on the device itself. */
export function createPairCommand({ dataFolder, terminal, clock }: PairCommandDeps): Command {
  return {
    name: "pair",
    takes: "[--json]",
    summary: "Opens pairing for five minutes and prints the six digits to type on a phone.",
    details:
      "It asks the running service through a socket in the folder that PLAYER_DATA_DIR names, never over the network.",
    options: { json: { type: "boolean" } },
    async run({ values }) {
      const path = findPairingSocket(dataFolder());
      const line = await sendLine(path, OPEN_LINE, clock).catch((cause: unknown) => {
        throw new Problem("unavailable", `no service answers at ${path}: start it, and run this as its user`, {
          cause,
        });
      });
      const answer: unknown = JSON.parse(line);
      if (Value.Check(Refused, answer)) throw new Problem("unavailable", answer.error);
      const { code, expires_in_s } = Value.Parse(Opened, answer);
      const text = `${code.slice(0, 3)} ${code.slice(3)}`;
      terminal.write(values.json === true ? `${JSON.stringify({ code, expires_in_s })}\n` : `${text}\n`);
      return 0;
    },
  };
}
