import { useCallback, useMemo, useState } from "react";
import type { ApiClient } from "../app/api/api-client.ts";
import { Mark } from "../design/mark.tsx";
import { createRuntimeClient } from "../pages/foundation/runtime/runtime-client.ts";
import { RuntimePage } from "../pages/foundation/runtime/runtime-page.tsx";
import { createAuthClient } from "../pages/identity/sign-in/auth-client.ts";
import { SignInPage } from "../pages/identity/sign-in/sign-in-page.tsx";

export interface ConsoleProps {
  /** Makes a client that sends this access token. */
  connect: (accessToken?: string) => ApiClient;
}

/** The token is kept here and nowhere else: not in storage, not in the address. */
type Session =
  | { state: "signed-out"; notice: string | undefined }
  | { state: "signed-in"; username: string; accessToken: string };

export function Console({ connect }: ConsoleProps) {
  const [session, setSession] = useState<Session>({ state: "signed-out", notice: undefined });
  const accessToken = session.state === "signed-in" ? session.accessToken : undefined;
  const auth = useMemo(() => createAuthClient(connect()), [connect]);
  const runtime = useMemo(() => createRuntimeClient(connect(accessToken)), [connect, accessToken]);
  const signOut = useCallback(() => setSession({ state: "signed-out", notice: "You are signed out." }), []);
  const endSession = useCallback(
    () => setSession({ state: "signed-out", notice: "Your session has ended. Sign in again to continue." }),
    [],
  );

  if (session.state === "signed-out") {
    return (
      <SignInPage
        auth={auth}
        notice={session.notice}
        onSignedIn={(username, { access_token }) =>
          setSession({ state: "signed-in", username, accessToken: access_token })
        }
      />
    );
  }
  return (
    <>
      <header className="bar">
        <Mark />
        <p className="bar-product">Manara SOC</p>
        <p className="bar-user">
          <span className="screen-reader-only">Signed in as </span>
          {session.username}
        </p>
        <button type="button" className="button button-bar" onClick={signOut}>
          Sign out
        </button>
      </header>
      <RuntimePage runtime={runtime} onUnauthenticated={endSession} />
    </>
  );
}
