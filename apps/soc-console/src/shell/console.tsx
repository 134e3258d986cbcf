import { useCallback, useState } from "react";
import { Mark } from "../design/mark.tsx";
import type { RequestToken } from "../pages/identity/sign-in/auth-client.ts";
import { SignInPage } from "../pages/identity/sign-in/sign-in-page.tsx";
import type { ReadRuntime } from "../pages/runtime/runtime-client.ts";
import { RuntimePage } from "../pages/runtime/runtime-page.tsx";

export interface ConsoleProps {
  requestToken: RequestToken;
  readRuntime: ReadRuntime;
}

/** The token lives here and nowhere else: not in storage, not in the address. */
type Session =
  | { state: "signed-out"; notice: string | undefined }
  | { state: "signed-in"; username: string; accessToken: string };

export function Console({ requestToken, readRuntime }: ConsoleProps) {
  const [session, setSession] = useState<Session>({ state: "signed-out", notice: undefined });
  const signOut = useCallback(() => setSession({ state: "signed-out", notice: "You are signed out." }), []);
  const endSession = useCallback(
    () => setSession({ state: "signed-out", notice: "Your session has ended. Sign in again to go on." }),
    [],
  );

  if (session.state === "signed-out") {
    return (
      <SignInPage
        requestToken={requestToken}
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
          <span className="only-heard">Signed in as </span>
          {session.username}
        </p>
        <button type="button" className="button button-bar" onClick={signOut}>
          Sign out
        </button>
      </header>
      <RuntimePage readRuntime={readRuntime} accessToken={session.accessToken} onUnauthenticated={endSession} />
    </>
  );
}
