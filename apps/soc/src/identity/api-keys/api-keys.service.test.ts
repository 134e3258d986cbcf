import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { createFixedWindows } from "@kit/http/limits";
import { expect, it } from "vitest";
import type { LookedUp } from "../users/users.service.ts";
import { formatKey, hashKey } from "./api-key.ts";
import { type ApiKeysServiceDeps, createApiKeysService } from "./api-keys.service.ts";
import { createIntakeKeys } from "./intake-keys.ts";

const SECRET = formatKey(Buffer.alloc(32));
const OWNER = { username: "noor", role: "admin", disabled: false, sites: null };
const ADDRESS = "192.0.2.1";

function newService() {
  const clock = createFakeClock();
  const key = {
    id: "1",
    name: "shipper",
    key_hash: hashKey(SECRET),
    scopes: ["siem:ingest"],
    owner: OWNER.username,
    revoked: false,
    expires_at: new Date(clock.now().getTime() + 3_600_000),
    last_used_at: clock.now(),
    sites: null,
  };
  let answer: unknown = { user: OWNER, source: "database" };
  const store = { findByHash: async () => key, markUsed: async () => undefined };
  const deps = {
    runtime: { choose: async () => store },
    users: { lookUp: async () => answer as LookedUp },
    intakeKeys: createIntakeKeys({ windows: createFixedWindows({ clock }), clock }),
    clock,
    ids: createIds(clock),
  } as unknown as ApiKeysServiceDeps;
  return {
    find: (address?: string) => createApiKeysService(deps).findCaller(SECRET, address),
    setAnswer: (next: unknown) => {
      answer = next;
    },
  };
}

it.each([undefined, ADDRESS])("answers unavailable if the owner of a key cannot be read (address %s)", async (from) => {
  const { find, setAnswer } = newService();
  setAnswer({ user: undefined, source: "unavailable" });
  await expect(find(from)).rejects.toMatchObject({ kind: "unavailable" });
  // Not even with the last known rights of the owner: rights are never cached.
  setAnswer({ user: OWNER, source: "unavailable" });
  await expect(find(from)).rejects.toMatchObject({ kind: "unavailable" });
  setAnswer({ user: OWNER, source: "database" });
  expect(await find(from)).toMatchObject({ username: "key:shipper", scopes: ["siem:ingest"] });
});

it("refuses a key whose owner was deleted", async () => {
  const { find, setAnswer } = newService();
  setAnswer({ user: undefined, source: "database" });
  expect(await find(ADDRESS)).toBeUndefined();
});
