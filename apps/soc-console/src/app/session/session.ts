import type { MeBody } from "@soc/service/contract/identity/me/me";
import type { Wire } from "../server/server.ts";

export type Me = Wire<MeBody>;
export type Permission = Me["permissions"][number];
/**
 * What a page or a change requires. Some routes are for administrators only; many are not for users restricted to some
 * sites, whatever their permissions.
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
 * `asking`: not known yet whether the browser has a session. `ended`: the session ended while a page is open; the page
 * stays, and signing in resumes it. `lacks-factor`: the user must provide or add a second factor first.
 */
export type SessionState =
  | { state: "asking" }
  | { state: "signed-out"; hasLeft: boolean }
  | { state: "signed-in"; me: Me }
  | { state: "lacks-factor"; me: Me }
  | { state: "ended"; me: Me };

export type Session = ReturnType<typeof createSession>;

/** The signed-in user. The cookie holds the session. A token is kept in memory only if the cookie cannot be stored. */
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
    /** The service requires a second factor before any other request. */
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
