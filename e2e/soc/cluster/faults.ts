import { createClock } from "@kit/clock";
import type { Balancer } from "./balancer.ts";
import type { Cluster } from "./cluster.ts";
import type { Host } from "./hosts.ts";
import type { Machine } from "./network.ts";
import type { Random } from "./random.ts";
import type { Server } from "./servers.ts";
import type { Service } from "./services.ts";

/** A fault that was drawn: what it hits, and how it begins and ends. */
interface Fault {
  text: string;
  /** No other fault hits these at the same time. */
  targets: readonly string[];
  run(): Promise<void>;
}

export interface FaultsOptions {
  cluster: Cluster;
  balancer: Balancer;
  random: Random;
  print: (line: string) => void;
  /** Called when no other fault is under way. It kills a worker and returns when others do its work. */
  measureTakeover: (kill: () => void) => Promise<void>;
}

const clock = createClock();
const MAX_CONCURRENT_FAULTS = 2;
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;
const MIN_HOLD_MS = 3000;
const MAX_HOLD_MS = 12_000;
const CLOCK_MS = 5 * 60_000;
const MIN_HOSTS = 2;
const MAX_HOSTS = 4;

/**
 * Injects faults until the time is over, up to two at once, and heals everything. Every kind is drawn once before any
 * is drawn again. Returns the number of faults per kind.
 */
export async function runFaults(options: FaultsOptions, durationMs: number): Promise<Record<string, number>> {
  const { random, print } = options;
  const counts: Record<string, number> = {};
  const underWay = new Map<Promise<void>, Fault>();
  const endMs = clock.monotonicMs() + durationMs;
  const startMs = clock.monotonicMs();
  const failures: unknown[] = [];
  let deck: Kind[] = [];
  while (clock.monotonicMs() < endMs && failures.length === 0) {
    if (deck.length === 0) deck = random.shuffle(ALL_KINDS);
    const kind = deck.pop() ?? "balancer";
    const hosts = options.cluster.hosts.all();
    const fault = draw(options, kind);
    if (!fault) continue;
    await untilFree(underWay, fault);
    // The host that was drawn may have been removed meanwhile.
    if (options.cluster.hosts.all() !== hosts) {
      deck.push(kind);
      continue;
    }
    counts[kind] = (counts[kind] ?? 0) + 1;
    print(`${Math.round((clock.monotonicMs() - startMs) / 1000)} s: ${fault.text}`);
    const running: Promise<void> = fault
      .run()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(running));
    underWay.set(running, fault);
    await clock.sleep(random.between(MIN_PAUSE_MS, MAX_PAUSE_MS));
  }
  await Promise.all(underWay.keys());
  if (failures.length > 0) throw failures[0];
  return counts;
}

/** Waits until the fault may begin: `all` means that no other is under way. */
async function untilFree(underWay: ReadonlyMap<Promise<void>, Fault>, { targets }: Fault): Promise<void> {
  const collides = () =>
    underWay.size >= MAX_CONCURRENT_FAULTS ||
    (targets.includes("all") && underWay.size > 0) ||
    [...underWay.values()].some(
      (other) => other.targets.includes("all") || other.targets.some((each) => targets.includes(each)),
    );
  while (collides()) await Promise.race(underWay.keys());
}

/** The target of a fault, drawn at random for each fault. */
interface FaultTargets extends FaultsOptions {
  host: Host;
  nats: Server;
  store: Server;
  database: Server;
  holdMs: number;
}

function draw(options: FaultsOptions, kind: Kind): Fault | undefined {
  const { cluster, random } = options;
  return KINDS[kind]({
    ...options,
    host: random.pick(cluster.hosts.all()),
    nats: random.pick(cluster.nats),
    store: random.pick(cluster.stores),
    database: random.pick(cluster.databases.servers),
    holdMs: random.between(MIN_HOLD_MS, MAX_HOLD_MS),
  });
}

function killing(service: Service, target: string): Fault {
  return {
    text: `kill -9 of ${service.name}`,
    targets: [target],
    async run() {
      service.kill();
      await clock.sleep(MIN_PAUSE_MS);
      await service.untilReady();
    },
  };
}

function freezing(service: Service, target: string, holdMs: number): Fault {
  return {
    text: `${service.name} frozen for ${holdMs} ms`,
    targets: [target],
    async run() {
      service.freeze();
      await clock.sleep(holdMs);
      service.thaw();
      await service.untilReady();
    },
  };
}

function lining(machine: Machine, how: "cable out" | "narrow line", target: string, holdMs: number): Fault {
  return {
    text: `${how} of ${machine.name} for ${holdMs} ms`,
    targets: [target],
    async run() {
      if (how === "cable out") machine.unplug();
      else machine.narrow();
      await clock.sleep(holdMs);
      machine.heal();
    },
  };
}

function losing({ machine }: { machine: Machine }, target: string, { random, holdMs }: FaultTargets): Fault {
  const direction = random.pick(["sent", "received"] as const);
  return {
    text: `${machine.name} loses everything ${direction} for ${holdMs} ms`,
    targets: [target],
    async run() {
      machine.lose(direction);
      await clock.sleep(holdMs);
      machine.heal();
    },
  };
}

function shifting({ random, host, holdMs }: FaultTargets): Fault {
  const shiftMs = random.pick([CLOCK_MS, -CLOCK_MS]);
  return {
    text: `clock of ${host.name} off by ${shiftMs} ms for ${holdMs} ms`,
    targets: [host.name],
    async run() {
      host.shiftClock(shiftMs);
      await clock.sleep(holdMs);
      host.shiftClock(0);
    },
  };
}

function killingWorker({ host, measureTakeover }: FaultTargets): Fault {
  const { worker } = host.services;
  return {
    text: `kill -9 of ${worker.name}`,
    targets: ["all"],
    async run() {
      await measureTakeover(() => worker.kill());
      await worker.untilReady();
    },
  };
}

function adding({ cluster: { hosts } }: FaultTargets): Fault | undefined {
  if (hosts.all().length >= MAX_HOSTS) return undefined;
  return { text: "a host added", targets: ["all"], run: async () => void (await hosts.add()) };
}

function removing({ cluster: { hosts }, host, random }: FaultTargets): Fault | undefined {
  if (hosts.all().length <= MIN_HOSTS) return undefined;
  const signal = random.pick(["SIGTERM", "SIGKILL"] as const);
  return { text: `${host.name} removed by ${signal}`, targets: ["all"], run: () => hosts.remove(host, signal) };
}

function promoting({ cluster: { databases } }: FaultTargets): Fault {
  return {
    text: `kill -9 of ${databases.primary().machine.name}, promotion of the standby`,
    targets: ["all"],
    run: () => databases.promote(),
  };
}

function breakingBalancer({ balancer, holdMs }: FaultTargets): Fault {
  return {
    text: `balancer errors for ${holdMs} ms`,
    targets: ["balancer"],
    async run() {
      balancer.setFaulty(true);
      await clock.sleep(holdMs);
      balancer.setFaulty(false);
    },
  };
}

/** Faults hit one server of NATS or of the database at a time; every other machine is a separate target. */
const KINDS = {
  "kill worker": killingWorker,
  "kill intake": ({ host }: FaultTargets) => killing(host.services.intake, host.name),
  "kill api": ({ host }: FaultTargets) => killing(host.services.api, host.name),
  "kill NATS": ({ nats }: FaultTargets) => killing(nats.service, "NATS"),
  "kill store": ({ store }: FaultTargets) => killing(store.service, store.machine.name),
  "freeze worker": ({ host, holdMs }: FaultTargets) => freezing(host.services.worker, host.name, holdMs),
  "freeze intake": ({ host, holdMs }: FaultTargets) => freezing(host.services.intake, host.name, holdMs),
  "freeze NATS": ({ nats, holdMs }: FaultTargets) => freezing(nats.service, "NATS", holdMs),
  "freeze store": ({ store, holdMs }: FaultTargets) => freezing(store.service, store.machine.name, holdMs),
  "cable of host": ({ host, holdMs }: FaultTargets) => lining(host.machine, "cable out", host.name, holdMs),
  "cable of NATS": ({ nats, holdMs }: FaultTargets) => lining(nats.machine, "cable out", "NATS", holdMs),
  "cable of store": ({ store, holdMs }: FaultTargets) => lining(store.machine, "cable out", store.machine.name, holdMs),
  "cable of database": ({ database, holdMs }: FaultTargets) =>
    lining(database.machine, "cable out", "database", holdMs),
  "one-way host": (drawn: FaultTargets) => losing(drawn.host, drawn.host.name, drawn),
  "one-way NATS": (drawn: FaultTargets) => losing(drawn.nats, "NATS", drawn),
  "one-way store": (drawn: FaultTargets) => losing(drawn.store, drawn.store.machine.name, drawn),
  "one-way database": (drawn: FaultTargets) => losing(drawn.database, "database", drawn),
  "narrow host": ({ host, holdMs }: FaultTargets) => lining(host.machine, "narrow line", host.name, holdMs),
  "narrow store": ({ store, holdMs }: FaultTargets) => lining(store.machine, "narrow line", store.machine.name, holdMs),
  clock: shifting,
  "host added": adding,
  "host removed": removing,
  promotion: promoting,
  password: ({ cluster }: FaultTargets) => ({
    text: "rotation of the password",
    targets: ["all"],
    run: () => cluster.rotatePassword(),
  }),
  "rolling restart": ({ cluster }: FaultTargets) => ({
    text: "rolling restart",
    targets: ["all"],
    run: () => cluster.restartAll(),
  }),
  balancer: breakingBalancer,
} satisfies Record<string, (drawn: FaultTargets) => Fault | undefined>;
type Kind = keyof typeof KINDS;
const ALL_KINDS = Object.keys(KINDS) as Kind[];
