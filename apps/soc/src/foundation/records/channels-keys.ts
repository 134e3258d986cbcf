import { existsSync, readFileSync } from "node:fs";
import { toFormerKey, toNextKey } from "./key-file.ts";

/** Returns the key of stored secrets and, during a rotation, the next and the former key. */
export function readChannelsKeys(path: string): Buffer[] {
  const others = [toNextKey(path), toFormerKey(path)].filter((each) => existsSync(each));
  return [path, ...others].map((each) => readFileSync(each));
}
