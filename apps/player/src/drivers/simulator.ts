import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { invalidField, Problem } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { CONTROL_KEYS, type ControlKey, type KeyChange } from "../controls/control-input.ts";
import type { BatteryBody } from "../power/power.schema.ts";
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

export interface Simulator {
  start(): Promise<void>;
  close(): Promise<void>;
}

const MAX_LINE_CHARACTERS = 4096;

/** A control socket for the simulated parts: every line of JSON is one command and gets one answer. */
export function createSimulator({ path, tap, lift, changeKey, turn, setBattery, eject }: SimulatorDeps): Simulator {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function executeControl({ button, key, turn: steps }: Static<typeof Command>): void {
    if (button) changeKey("main", button);
    if (key) changeKey(key.name, key.change);
    if (steps !== undefined) turn(steps);
  }

  function execute(line: string): void {
    const command = parseJson(line);
    if (!Value.Check(Command, command)) {
      throw invalidField("line", `must have one valid field of ${Object.keys(Command.properties).join(", ")}`);
    }
    if (command.tap !== undefined) tap(command.tap);
    if (command.lift) lift();
    if (command.battery) setBattery(command.battery);
    if (command.eject) eject();
    executeControl(command);
  }

  function answer(line: string): object {
    try {
      execute(line);
      return { ok: true };
    } catch (error) {
      if (error instanceof Problem) return { error: error.message };
      throw error;
    }
  }

  function serve(socket: Socket): void {
    let unread = "";
    sockets.add(socket);
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      const lines = (unread + text).split("\n");
      unread = lines.pop() ?? "";
      for (const line of lines) socket.write(`${JSON.stringify(answer(line))}\n`);
      if (unread.length > MAX_LINE_CHARACTERS) socket.destroy();
    });
    // A client that disconnects early gets no answer.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  }

  return {
    async start() {
      // A killed process leaves its socket file behind.
      await rm(path, { force: true });
      const opened = createServer(serve);
      server = opened;
      await new Promise<void>((resolve, reject) => {
        opened.once("error", (cause) => reject(new Problem("failed", "simulator: no socket can be opened", { cause })));
        opened.listen(path, resolve);
      });
      await chmod(path, 0o600);
    },

    async close() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      if (closing) await new Promise((resolve) => closing.close(resolve));
    },
  };
}
