import { parentPort } from "node:worker_threads";
import { serveYaml } from "./foundation/yaml/yaml-thread.ts";

/** The thread that parses YAML of callers: `foundation/yaml/yaml-reader.ts` starts and ends it. */
if (parentPort) serveYaml(parentPort);
