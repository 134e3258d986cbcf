import { pathToFileURL } from "node:url";
import { createYamlThreadStarter } from "../../src/boot/yaml-thread.ts";
import { builtScript } from "./built-script.ts";

/** Starts the thread that parses YAML of callers, as the product does, from a script that is built once. */
export async function startYamlThread() {
  const start = createYamlThreadStarter(pathToFileURL(await builtScript("src/main-yaml.ts")).href);
  return start();
}
