import type { TokenBody } from "@soc/service/contract/identity/auth/auth";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../app/api/api-client.ts";
import { errorWords } from "../../../app/api/error-words.ts";
import { later, now } from "../../../app/clock.ts";
import { Mark } from "../../../design/mark.tsx";
import type { AuthClient } from "./auth-client.ts";
import "./sign-in.css";

export interface SignInPageProps {
  auth: AuthClient;
  /** Why the analyst is here again. */
  notice: string | undefined;
  onSignedIn: (username: string, token: TokenBody) => void;
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function SignInPage({ auth, notice, onSignedIn }: SignInPageProps) {
  const [trouble, setTrouble] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => usernameField.current?.focus(), []);

  async function signIn(form: FormData): Promise<void> {
    setIsAsking(true);
    setTrouble(undefined);
    const username = readText(form, "username");
    try {
      const token = await auth.requestToken({ username, password: readText(form, "password") });
      setIsAsking(false);
      onSignedIn(username, token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsAsking(false);
      setTrouble(errorWords(error, { timeIn: (seconds) => later(now(), seconds) }));
      passwordField.current?.select();
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isAsking) void signIn(new FormData(event.currentTarget));
  }

  return (
    <div className="sign-in">
      <header className="sign-in-brand">
        <Mark />
        <p className="sign-in-product">Manara SOC</p>
        <p className="sign-in-saying">The tower that watches.</p>
      </header>
      <main className="sign-in-main">
        <form className="sign-in-form" method="post" aria-labelledby="sign-in" onSubmit={submit}>
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
          <div id="sign-in-trouble" role="alert">
            {trouble && <p className="trouble">{trouble}</p>}
          </div>
          <button type="submit" className="button button-main" aria-disabled={isAsking}>
            {isAsking ? "Signing in…" : "Sign in"}
          </button>
          <p className="soft sign-in-note">Reloading this page signs you out.</p>
        </form>
      </main>
    </div>
  );
}
