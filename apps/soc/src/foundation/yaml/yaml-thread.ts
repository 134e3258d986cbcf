import type { MessagePort } from "node:worker_threads";
import { parseYaml, type YamlOptions } from "./yaml.ts";

export interface YamlTask {
  text: string;
  options: YamlOptions;
}

/** What the thread sends first, when it can take tasks. */
export const YAML_READY = "ready";

/** Answers one message with one message, in order. */
export function serveYaml(port: MessagePort): void {
  port.on("message", ({ text, options }: YamlTask) => port.postMessage(parseYaml(text, options)));
  port.postMessage(YAML_READY);
}
