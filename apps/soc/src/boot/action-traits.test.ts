import { expect, it } from "vitest";
import { openedPlatform } from "../../testing/harness/whole-platform.ts";
import type { ActionTraits } from "../foundation/actions/action.ts";

// The approval handshake of the API document relies on these: an action that loses its trait runs unapproved.
it.each([
  ["isCritical", ["cps.revoke", "edr.isolate", "edr.unisolate", "http.request"]],
  ["needs", ["edr.isolate", "edr.scan", "edr.unisolate"]],
  ["mayHaveHappened", ["cps.revoke", "edr.isolate", "edr.scan", "edr.unisolate", "http.request"]],
  ["opensCase", ["case.create"]],
  ["changesAlert", ["alert.update"]],
] as const satisfies [keyof ActionTraits, string[]][])(
  "gives the trait %s exactly to the actions %j",
  async (trait, names) => {
    const { platform } = await openedPlatform();
    const marked = [...platform.services.actions.values()].filter((action) => action[trait]).map(({ name }) => name);
    expect(marked.toSorted()).toEqual(names);
  },
);
