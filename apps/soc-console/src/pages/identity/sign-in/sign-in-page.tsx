import type { TokenBody } from "@soc/service/contract/identity/auth/auth";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../app/api/api-client.ts";
import { errorWords } from "../../../app/api/error-words.ts";
import { later, now } from "../../../app/clock.ts";
import { Mark } from "../../../design/mark.tsx";
import type { AuthClient } from "./auth-client.ts";
import { hasSecurityKeys, readUsername, signWithKey } from "./security-key.ts";
import "./sign-in.css";

export interface SignInPageProps {
  auth: AuthClient;
  /** Why the analyst is here again. */
  notice: string | undefined;
  onSignedIn: (username: string, token: TokenBody) => void;
}

const NEEDS_FACTOR = "code: a second factor is needed";
const NOT_SIGNED = "No key was used. Try again, or choose another way.";

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Whether this site and this browser offer security keys; false until that is known. */
function useSecurityKeys(auth: AuthClient): boolean {
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    let isShown = true;
    auth.readMethods().then(
      ({ passkey }) => isShown && setIsOffered(passkey.is_available && hasSecurityKeys()),
      // The other ways to sign in say what is wrong with the service.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [auth]);
  return isOffered;
}

export function SignInPage({ auth, notice, onSignedIn }: SignInPageProps) {
  const [trouble, setTrouble] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [needsFactor, setNeedsFactor] = useState(false);
  const hasKeys = useSecurityKeys(auth);
  const form = useRef<HTMLFormElement>(null);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => usernameField.current?.focus(), []);
  useEffect(() => {
    if (needsFactor) codeField.current?.focus();
  }, [needsFactor]);

  /** Signs in in one of the ways, which ends with a token; undefined when the user did not use a key. */
  async function signIn(requestToken: () => Promise<TokenBody | undefined>): Promise<void> {
    if (isAsking) return;
    setIsAsking(true);
    setTrouble(undefined);
    try {
      const token = await requestToken();
      setIsAsking(false);
      if (token) onSignedIn(readUsername(token.access_token), token);
      else setTrouble(NOT_SIGNED);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsAsking(false);
      if (error.message === NEEDS_FACTOR && !needsFactor) return setNeedsFactor(true);
      setTrouble(errorWords(error, { timeIn: (seconds) => later(now(), seconds) }));
      (codeField.current ?? passwordField.current)?.select();
    }
  }

  function readPassword() {
    const typed = new FormData(form.current ?? undefined);
    return {
      username: readText(typed, "username"),
      password: readText(typed, "password"),
      code: readText(typed, "code"),
    };
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { code, ...password } = readPassword();
    void signIn(() => auth.requestToken({ ...password, ...(code !== "" && { code }) }));
  }

  function signInByKey(): void {
    const { username, password } = readPassword();
    void signIn(async () => {
      const webauthn = await signWithKey(await auth.requestKeyOptions({ username, password }));
      return webauthn && auth.requestToken({ username, password, webauthn });
    });
  }

  function signInByPasskey(): void {
    void signIn(async () => {
      const credential = await signWithKey(await auth.requestPasskeyOptions());
      return credential && auth.requestTokenByPasskey(credential);
    });
  }

  return (
    <div className="sign-in">
      <header className="sign-in-brand">
        <Mark />
        <p className="sign-in-product">Manara SOC</p>
        <p className="sign-in-saying">The tower that watches.</p>
      </header>
      <main className="sign-in-main">
        <form ref={form} className="sign-in-form" method="post" aria-labelledby="sign-in" onSubmit={submit}>
          <h1 id="sign-in" className="title">
            Sign in
          </h1>
          <div role="status">{notice && !trouble && <p className="notice">{notice}</p>}</div>
          <div className="field">
            <label htmlFor="username">Username</label>
            <input
              ref={usernameField}
              id="username"
              name="username"
              required
              maxLength={100}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
          <div className="field">
            <label htmlFor="password">Password</label>
            <input
              ref={passwordField}
              id="password"
              name="password"
              type="password"
              required
              maxLength={1000}
              autoComplete="current-password"
              aria-describedby="sign-in-trouble"
            />
          </div>
          {needsFactor && (
            <div className="field">
              <label htmlFor="code">Code of your app, or recovery code</label>
              <input
                ref={codeField}
                id="code"
                name="code"
                required
                minLength={6}
                maxLength={50}
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                aria-describedby="sign-in-trouble"
              />
            </div>
          )}
          <div id="sign-in-trouble" role="alert">
            {trouble && <p className="trouble">{trouble}</p>}
          </div>
          <button type="submit" className="button button-main" aria-disabled={isAsking}>
            {isAsking ? "Signing in…" : "Sign in"}
          </button>
          {hasKeys && (
            <button
              type="button"
              className="button"
              aria-disabled={isAsking}
              onClick={needsFactor ? signInByKey : signInByPasskey}
            >
              {needsFactor ? "Use a security key" : "Sign in with a passkey"}
            </button>
          )}
          <p className="soft sign-in-note">Reloading this page signs you out.</p>
        </form>
      </main>
    </div>
  );
}
