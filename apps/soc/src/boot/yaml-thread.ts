import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { YamlReaderDeps } from "../foundation/yaml/yaml-reader.ts";

// A text within the limits of the parser needs less than a quarter of this heap.
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** `main-yaml` lies beside the entry file of the process: in the bundle, in a build, and among the sources. */
export function createYamlThreadStarter(entry: string): YamlReaderDeps["startThread"] {
  const file = new URL(`./main-yaml${extname(new URL(entry).pathname)}`, entry);
  return async () => new Worker(file, { resourceLimits: RESOURCE_LIMITS, env: {}, stdin: false });
}
