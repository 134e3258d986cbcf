import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { type StartedProcess, startProcess } from "@kit/testing/process";

/** A real pcscd with the virtual reader of the Debian package vsmartcard-vpcd, and cards that a test places on it. */
export interface VirtualReader {
  /** The path of this pcscd's socket. */
  socketPath: string;
  /** Replaces the card on the reader. */
  place: (uid: string) => void;
  remove: () => void;
  /** Ends pcscd without warning. The card stays on the reader. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const clock = createClock();
const VPCD_PORT = 35_963;
/** The ATR that pcscd reports for a MIFARE Classic card. */
const ATR = Buffer.from("3b8f8001804f0ca000000306030001000000006a", "hex");
const GET_UID = "ffca000000";
const AGAIN_MS = 50;

// vpcd listens on every address, and pcscd has one fixed socket path: both run in a separate namespace.
const WORLD = `
  mkdir -p /run/pcscd && mount --bind "$1" /run/pcscd && ip link set lo up && exec "$2" "$1/door.cjs" "$1/vpcd.sock"
`;
const DOOR = `
  const net = require("node:net");
  const join = (outside) => {
    const inside = net.connect(${VPCD_PORT}, "127.0.0.1");
    for (const [one, other] of [[outside, inside], [inside, outside]]) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  };
  net.createServer(join).listen(process.argv[2], () => console.log("the door is open"));
`;

export async function startVirtualReader(): Promise<VirtualReader> {
  const folder = await mkdtemp(join(tmpdir(), "pcscd-"));
  await writeFile(join(folder, "door.cjs"), DOOR);
  const world = await startProcess({
    command: "unshare",
    args: ["--net", "--mount", "sh", "-ec", WORLD, "sh", folder, process.execPath],
    readyWhen: /the door is open/,
  });
  let pcscd: StartedProcess | undefined;
  let card: VirtualCard | undefined;

  async function start(): Promise<void> {
    pcscd = await startProcess({
      command: "nsenter",
      args: [`--target=${world.pid}`, "--net", "--mount", "pcscd", "--foreground", "--info"],
      readyWhen: /daemon ready/,
    });
  }

  function remove(): void {
    card?.lift();
    card = undefined;
  }

  await start();
  return {
    socketPath: join(folder, "pcscd.comm"),
    remove,
    start,

    place(uid) {
      remove();
      card = layCard(join(folder, "vpcd.sock"), uid);
    },

    async kill() {
      await pcscd?.stop("SIGKILL");
    },

    async stop() {
      remove();
      await pcscd?.stop();
      await world.stop();
      await rm(folder, { recursive: true });
    },
  };
}

interface VirtualCard {
  lift(): void;
}

/** Stays until it is removed: when the reader loses it, it reconnects. */
function layCard(path: string, uid: string): VirtualCard {
  let isLying = true;
  let socket: Socket | undefined;

  function touch(): void {
    if (!isLying) return;
    socket = connect(path);
    socket.on("data", answerer(socket, Buffer.from(uid, "hex")));
    socket.on("error", () => undefined);
    socket.on("close", () => void clock.sleep(AGAIN_MS).then(touch));
  }

  touch();
  return {
    lift() {
      isLying = false;
      socket?.destroy();
    },
  };
}

/** Messages of vpcd: two bytes of length, then one byte for the card's power, or a command for the card. */
function answerer(socket: Socket, uid: Buffer): (bytes: Buffer) => void {
  let unread = Buffer.alloc(0);
  return (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    while (unread.length >= 2 && unread.length >= 2 + unread.readUInt16BE(0)) {
      const end = 2 + unread.readUInt16BE(0);
      const answer = answerTo(unread.subarray(2, end).toString("hex"), uid);
      unread = unread.subarray(end);
      if (answer) socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
    }
  };
}

function answerTo(message: string, uid: Buffer): Buffer | undefined {
  if (message === "04") return ATR;
  if (message.length === 2) return undefined;
  return message === GET_UID ? Buffer.concat([uid, Buffer.from("9000", "hex")]) : Buffer.from("6d00", "hex");
}
