import { execFileSync } from "node:child_process";
import { sendSignal } from "@kit/testing/process";

/** One machine of the cluster: a network namespace with an address and a cable to the switch. */
export interface Machine {
  name: string;
  address: string;
  /** The command that runs a program on this machine. */
  inside(program: string, args: readonly string[]): { command: string; args: string[] };
  unplug(): void;
  /** Drops what the machine sends, or what is sent to it; the other direction works. */
  lose(direction: "sent" | "received"): void;
  /** A slow line with a short queue in both directions. */
  narrow(): void;
  /** The cable as it was. */
  heal(): void;
}

export interface Network {
  /** The address of the test itself, for senders and the balancer. */
  address: string;
  addMachine(name: string, number: number): Machine;
  remove(): void;
}

const PREFIX = "socf-";
const BRIDGE = `${PREFIX}switch`;
const SUBNET = "10.77.0";
const INSIDE = "eth0";
/** A queue without room drops every packet. */
const DROP = ["pfifo", "limit", "0"];
const SLOW = ["tbf", "rate", "1mbit", "burst", "16kb", "latency", "200ms"];

const ip = (...args: string[]) => execFileSync("/bin/ip", args, { stdio: ["ignore", "ignore", "pipe"] });
const tryIp = (...args: string[]) => {
  try {
    ip(...args);
  } catch {
    // It does not exist.
  }
};

/** Whether this machine can make network namespaces: that needs root and iproute2. */
export function canMakeNetworks(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    ip("netns", "add", `${PREFIX}probe`);
    ip("netns", "del", `${PREFIX}probe`);
    return true;
  } catch {
    return false;
  }
}

/** A switch to which machines are connected. What an earlier run has left is removed first. */
export function createNetwork(): Network {
  const machines: string[] = [];
  tryIp("link", "del", BRIDGE);
  ip("link", "add", BRIDGE, "type", "bridge", "forward_delay", "0");
  ip("addr", "add", `${SUBNET}.1/24`, "dev", BRIDGE);
  ip("link", "set", BRIDGE, "up");
  return {
    address: `${SUBNET}.1`,
    addMachine(name, number) {
      machines.push(name);
      return connectMachine(name, `${SUBNET}.${number}`);
    },
    remove() {
      for (const name of machines) tryIp("netns", "del", `${PREFIX}${name}`);
      tryIp("link", "del", BRIDGE);
    },
  };
}

/** Kills the processes of an earlier run that ended before it could stop them. */
function endLeftovers(space: string): void {
  try {
    const pids = execFileSync("/bin/ip", ["netns", "pids", space], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    for (const pid of pids.split("\n").filter(Boolean)) sendSignal(Number(pid), "SIGKILL");
  } catch {
    // There was none.
  }
}

function connectMachine(name: string, address: string): Machine {
  const space = `${PREFIX}${name}`;
  const cable = `${PREFIX}${name}`;
  endLeftovers(space);
  tryIp("netns", "del", space);
  tryIp("link", "del", cable);
  ip("netns", "add", space);
  ip("link", "add", cable, "type", "veth", "peer", "name", INSIDE, "netns", space);
  ip("link", "set", cable, "master", BRIDGE, "up");
  ip("-n", space, "addr", "add", `${address}/24`, "dev", INSIDE);
  ip("-n", space, "link", "set", INSIDE, "up");
  ip("-n", space, "link", "set", "lo", "up");
  const shape = (side: "sent" | "received", discipline: readonly string[]) => {
    const where =
      side === "sent" ? ["-n", space, "qdisc", "replace", "dev", INSIDE] : ["qdisc", "replace", "dev", cable];
    execFileSync("/sbin/tc", [...where, "root", ...discipline]);
  };
  const unshape = (side: "sent" | "received") => {
    const where = side === "sent" ? ["-n", space, "qdisc", "del", "dev", INSIDE] : ["qdisc", "del", "dev", cable];
    try {
      execFileSync("/sbin/tc", [...where, "root"], { stdio: "ignore" });
    } catch {
      // The line has no discipline of ours.
    }
  };
  return {
    name,
    address,
    inside: (program, args) => ({ command: "/bin/ip", args: ["netns", "exec", space, program, ...args] }),
    unplug: () => void ip("link", "set", cable, "down"),
    lose: (direction) => shape(direction, DROP),
    narrow() {
      shape("sent", SLOW);
      shape("received", SLOW);
    },
    heal() {
      unshape("sent");
      unshape("received");
      ip("link", "set", cable, "up");
    },
  };
}
