import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";

export interface NetworkNamespace {
  /** The address of the machine inside. */
  inside: string;
  /** The address of the test's own machine, as the machine inside sees it. */
  outside: string;
  /** The start of a command line that runs inside. */
  command: readonly string[];
}

let count = 0;

/**
 * Creates a machine with its own address for one test: a network namespace with a virtual cable to this machine. Needs
 * root.
 */
export function createNamespaceForTest(): NetworkNamespace {
  count += 1;
  const place = `${process.pid % 10_000}-${count}`;
  const [name, cable, end] = [`manara-${place}`, `mo${place}`, `mi${place}`];
  const network = `10.${100 + (process.pid % 100)}.${count}`;
  const [outside, inside] = [`${network}.1`, `${network}.2`];
  const ip = (line: string) => execFileSync("/bin/ip", line.split(" "), { stdio: ["ignore", "ignore", "pipe"] });
  ip(`netns add ${name}`);
  onTestFinished(() => void ip(`netns delete ${name}`));
  ip(`link add ${cable} type veth peer name ${end} netns ${name}`);
  ip(`addr add ${outside}/24 dev ${cable}`);
  ip(`link set ${cable} up`);
  for (const line of [
    `addr add ${inside}/24 dev ${end}`,
    `link set ${end} up`,
    "link set lo up",
    `route add default via ${outside}`,
  ]) {
    ip(`-n ${name} ${line}`);
  }
  return { inside, outside, command: ["ip", "netns", "exec", name] };
}
