import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Frees everything that is no longer referenced, at once: what is then still in memory is held. */
export function collectGarbage(): void {
  runInNewContext("gc()");
}
