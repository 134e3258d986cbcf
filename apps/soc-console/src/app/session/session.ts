import type { MeBody } from "@soc/service/contract/identity/me/me";
import type { Wire } from "../server/wire.ts";

export type Me = Wire<MeBody>;
export type Permission = Me["permissions"][number];
/**
 * What a page or a change needs. Some routes are for administrators; many are not for users who work for some sites
 * only, whatever their permissions.
 */
export type Need = Permission | "role:admin" | "all-sites";

export function meets(me: Pick<Me, "role" | "permissions" | "sites">, needs: readonly Need[]): boolean {
  return needs.every((need) => {
    if (need === "role:admin") return me.role === "admin";
    if (need === "all-sites") return me.sites === undefined;
    return me.permissions.includes(need);
  });
}

/**
 * `asking`: whether the browser has a session is not known yet. `ended`: the session is over while a page is open; the
 * page stays, and signing in again goes on where it was. `lacks-factor`: the user must show or add a second factor before
 * the service answers anything else.
 */
export type SessionState =
  | { state: "asking" }
  | { state: "signed-out"; hasLeft: boolean }
  | { state: "signed-in"; me: Me }
  | { state: "lacks-factor"; me: Me }
  | { state: "ended"; me: Me };

export type Session = ReturnType<typeof createSession>;

/** Who is signed in. The cookie holds the session; a token is kept in memory only where the cookie cannot be. */
export function createSession() {
  const listeners = new Set<() => void>();
  let current: SessionState = { state: "asking" };
  let token: string | undefined;

  function become(next: SessionState): void {
    current = next;
    for (const listener of listeners) listener();
  }

  return {
    read: () => current,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readToken: () => token,
    keepToken: (held: string | undefined): void => {
      token = held;
    },
    begin: (me: Me) => become({ state: "signed-in", me }),
    /** The service answers nothing else before the user has shown a second factor. */
    lackFactor: (): void => {
      if (current.state === "signed-in") become({ state: "lacks-factor", me: current.me });
    },
    /** The service no longer knows the session. */
    end: (): void => {
      if (current.state === "signed-in") become({ state: "ended", me: current.me });
      else if (current.state === "lacks-factor") become({ state: "signed-out", hasLeft: false });
      else if (current.state === "asking") become({ state: "signed-out", hasLeft: false });
    },
    leave: (): void => {
      token = undefined;
      become({ state: "signed-out", hasLeft: true });
    },
  };
}
