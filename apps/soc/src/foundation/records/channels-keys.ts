import { existsSync, readFileSync } from "node:fs";
import { toFormerKey, toNextKey } from "./key-file.ts";

/** The key of stored secrets, and while it is replaced also the next one and the former one. */
export function readChannelsKeys(path: string): Buffer[] {
  const others = [toNextKey(path), toFormerKey(path)].filter((each) => existsSync(each));
  return [path, ...others].map((each) => readFileSync(each));
}
