import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { CONTROL_KEYS, type ControlKey, type KeyChange } from "../controls/control-input.ts";
import type { BatteryBody } from "../power/power.schema.ts";
import { createLineServer, type LineServer } from "../system/line-server.ts";
import { parseJson } from "./json-line.ts";

/** Manual input to the device, one action per command. */
const Command = Type.Object(
  {
    tap: Type.Optional(Type.String({ maxLength: 64 })),
    lift: Type.Optional(Type.Literal(true)),
    button: Type.Optional(Type.Enum(["press", "down", "up"])),
    key: Type.Optional(
      Type.Object(
        { name: Type.Enum([...CONTROL_KEYS]), change: Type.Enum(["press", "down", "repeat", "up", "lost"]) },
        { additionalProperties: false },
      ),
    ),
    turn: Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
    battery: Type.Optional(
      Type.Object({ percentage: Type.Integer({ minimum: 0, maximum: 100 }), charging: Type.Boolean() }),
    ),
    eject: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
);

export interface SimulatorDeps {
  path: string;
  /** Places a card with this UID on the reader. */
  tap: (uid: string) => void;
  lift: () => void;
  /** `press` is a short press: down and up. */
  changeKey: (key: ControlKey, change: KeyChange | "press") => void;
  turn: (steps: number) => void;
  setBattery: (battery: Pick<BatteryBody, "percentage" | "charging">) => void;
  /** Removes the memory card. */
  eject: () => void;
}

/** A control socket for the simulated parts: every line of JSON is one command and gets one answer. */
export function createSimulator(deps: SimulatorDeps): LineServer {
  const { path, tap, lift, changeKey, turn, setBattery, eject } = deps;

  function executeControl({ button, key, turn: steps }: Static<typeof Command>): void {
    if (button) changeKey("main", button);
    if (key) changeKey(key.name, key.change);
    if (steps !== undefined) turn(steps);
  }

  function execute(line: string): object {
    const command = parseJson(line);
    if (!Value.Check(Command, command)) {
      throw invalidField("line", `must have one valid field of ${Object.keys(Command.properties).join(", ")}`);
    }
    if (command.tap !== undefined) tap(command.tap);
    if (command.lift) lift();
    if (command.battery) setBattery(command.battery);
    if (command.eject) eject();
    executeControl(command);
    return { ok: true };
  }

  return createLineServer({ path, component: "simulator", answer: execute });
}
