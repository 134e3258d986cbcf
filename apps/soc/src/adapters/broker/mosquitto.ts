import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { promisify } from "node:util";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Broker } from "../../ports/broker.ts";
import { openMqtt } from "./mqtt-connection.ts";

export interface MosquittoSettings {
  /** mqtts://host:port */
  url: string;
  /** How to make the broker read its files again. */
  reload: { pidFile: string } | { command: readonly string[] };
}

export interface MosquittoDeps extends MosquittoSettings {
  /** The certificate of the authority, as PEM. */
  authority: string;
  clock: Pick<Clock, "sleep">;
}

const TOPIC = "$CONTROL/dynamic-security/v1";
const REVOKED = "ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED";
const RELOAD_MS = 5000;
const PROGRAM = "mosquitto";
const DEFAULT_PORT = 8883;
const KEEP_ALIVE_S = 30;
/** How long the broker may hold a command before it drops it. */
const COMMAND_S = 60;
const run = promisify(execFile);

const Responses = Type.Object({
  responses: Type.Array(
    Type.Object({
      command: Type.String(),
      error: Type.Optional(Type.String()),
      correlationData: Type.Optional(Type.String()),
    }),
  ),
});

/** Mosquitto 2.0 with its dynamic-security plugin. */
export function createMosquitto({ url, reload, authority, clock }: MosquittoDeps): Broker {
  const { hostname, port: portText } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(portText || DEFAULT_PORT);
  const tls = {
    host,
    port,
    ca: authority,
    minVersion: "TLSv1.3",
    // A server name must not be an address (RFC 6066, section 3).
    ...(isIP(host) === 0 && { servername: host }),
  } as const;

  return {
    host: `${hostname}:${port}`,

    async reload(signal) {
      const [program = "", ...args] = "command" in reload ? reload.command : ["kill", "-HUP", await readPid(reload)];
      await run(program, args, { signal, timeout: RELOAD_MS }).catch((cause: unknown) => {
        throw new Problem("unavailable", "broker: reloading it failed", { cause });
      });
    },

    /**
     * In TLS 1.3 the client's handshake ends before the server has checked its certificate. The server then sends a
     * session ticket or an alert. The client sends nothing first, because the server's reset would discard the alert.
     */
    refuses: ({ cert, key }, signal) =>
      new Promise((resolve, reject) => {
        const socket = connect({ ...tls, cert, key });
        const abort = () => socket.destroy(new Problem("unavailable", "broker: no answer to the probe"));
        signal.addEventListener("abort", abort, { once: true });
        const end = (isRefused: boolean) => {
          resolve(isRefused);
          socket.destroy();
        };
        socket.once("session", () => end(false));
        socket.once("error", (error: NodeJS.ErrnoException) => {
          if (error.code === REVOKED) end(true);
          else if (error.code === "ECONNRESET") end(false);
          else reject(error);
        });
        socket.once("close", () => {
          signal.removeEventListener("abort", abort);
          resolve(false);
        });
      }),

    /** Without `createClient` the plugin does not know the device; `deleteClient` keeps the plugin's file small. */
    async cut(device_ids, { cert, key }, signal) {
      let settle: (answer: string | undefined) => void = () => undefined;
      const answered = new Promise<string | undefined>((resolve) => {
        settle = resolve;
      });
      const connection = await openMqtt(
        {
          ...{ tls: { ...tls, cert, key }, sessionSeconds: 0, keepAliveSeconds: KEEP_ALIVE_S, window: 1, clock },
          onMessage: async ({ payload }) => settle(payload.toString("utf8")),
        },
        signal,
      );
      connection.ended.addEventListener("abort", () => settle(undefined), { once: true });
      const abort = () => connection.close();
      signal.addEventListener("abort", abort, { once: true });
      try {
        await connection.subscribe([`${TOPIC}/response`], 1);
        const commands = device_ids.flatMap((username) => [
          { command: "createClient", username },
          { command: "disableClient", username, correlationData: username },
          { command: "deleteClient", username },
        ]);
        await connection.publish(TOPIC, JSON.stringify({ commands }), COMMAND_S);
        const answer = await answered;
        if (answer === undefined) throw new Problem("unavailable", "broker: the command was not answered");
        requireAllCut(Value.Parse(Responses, JSON.parse(answer)), device_ids);
      } finally {
        signal.removeEventListener("abort", abort);
        connection.close();
      }
    },

    async join({ filters, window, onMessage }, { cert, key }, signal) {
      const connection = await openMqtt(
        { tls: { ...tls, cert, key }, sessionSeconds: 0, keepAliveSeconds: KEEP_ALIVE_S, window, onMessage, clock },
        signal,
      );
      try {
        await connection.subscribe(filters, 1);
      } catch (error) {
        connection.close();
        throw error;
      }
      return connection;
    },
  };
}

/**
 * After a crash of the broker its PID file remains, and another program may have its PID: a signal would end that
 * program.
 */
async function readPid({ pidFile }: { pidFile: string }): Promise<string> {
  const pid = (await readFile(pidFile, "utf8")).trim();
  if (!/^[1-9]\d{0,9}$/.test(pid)) throw new Problem("unavailable", "SOC_BROKER_PID_FILE: contains no process id");
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (name.trim() !== PROGRAM) throw new Problem("unavailable", "SOC_BROKER_PID_FILE: its process is not mosquitto");
  return pid;
}

function requireAllCut({ responses }: Static<typeof Responses>, device_ids: readonly string[]): void {
  const done = responses.filter(({ command, error }) => command === "disableClient" && error === undefined);
  const cut = new Set(done.map(({ correlationData }) => correlationData));
  const missed = device_ids.filter((id) => !cut.has(id));
  if (missed.length > 0) throw new Problem("unavailable", `broker: ${missed.length} sessions were not ended`);
}
