import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { type LedgerBundle, readBundle } from "./ledger-client.ts";
import { type BundleVerdict, countSteps, verifyBundle } from "./verify-bundle.ts";

export type ChainCheck =
  | { state: "idle" }
  | { state: "reading" }
  | { state: "checking"; bundle: LedgerBundle; done: number; total: number }
  | { state: "done"; bundle: LedgerBundle; verdict: BundleVerdict }
  | { state: "failed"; error: unknown };

/** Number of checks between two renders of the progress. */
const PROGRESS_STEP = 16;

/** Loads the chain of a case and verifies it in the browser, with progress. */
export function useChain() {
  const { server } = useApp();
  const [check, setCheck] = useState<ChainCheck>({ state: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(
    async (id: string) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const show = (next: ChainCheck) => !controller.signal.aborted && setCheck(next);
      show({ state: "reading" });
      try {
        const bundle = await readBundle(server, id, controller.signal);
        const total = countSteps(bundle);
        let done = 0;
        show({ state: "checking", bundle, done, total });
        const verdict = await verifyBundle(bundle, () => {
          done += 1;
          if (done % PROGRESS_STEP === 0) show({ state: "checking", bundle, done, total });
          controller.signal.throwIfAborted();
        });
        show({ state: "done", bundle, verdict });
      } catch (error) {
        show({ state: "failed", error });
      }
    },
    [server],
  );
  return { check, start };
}
