import { useCallback, useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import type { AskedAction } from "./action-dialog.tsx";
import type { EdrStats, Endpoint, Verb } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";

const KEYS: readonly [Verb, string][] = [
  ["isolate", "i"],
  ["unisolate", "⇧I"],
  ["scan", "n"],
];

export interface EndpointVerbs {
  asked: AskedAction | undefined;
  close: () => void;
  /** The available actions on an endpoint; empty for a user who may not. */
  build: (endpoint: Endpoint, release?: string | null) => readonly Command[];
}

/** The commands isolate, release and scan. Each opens its confirmation. */
export function useEndpointVerbs(stats: EdrStats | undefined): EndpointVerbs {
  const words = usePhrases(edrPhrases);
  const mode = useMode();
  const { mayWrite, reason } = useChanges();
  const [asked, setAsked] = useState<AskedAction>();
  const hasAdapter = stats?.adapter.configured ?? false;
  const build = useCallback(
    (endpoint: Endpoint, release?: string | null): readonly Command[] => {
      if (!mayWrite) return [];
      const { desired, reported } = endpoint.isolation;
      const isIsolated = desired === "isolated" || reported === "isolated";
      return KEYS.filter(([verb]) => verb !== "unisolate" || isIsolated).map(([verb, key]) => ({
        id: `endpoints.${verb}`,
        label: mode === "dry_run" ? words.previews[verb] : words.verbs[verb],
        group: words.group,
        keys: [key],
        isEnabled: reason === undefined,
        reason,
        isInStatusLine: true,
        run: () => setAsked({ verb, endpoint, hasAdapter, release }),
      }));
    },
    [mayWrite, reason, mode, words, hasAdapter],
  );
  return { asked, close: () => setAsked(undefined), build };
}
