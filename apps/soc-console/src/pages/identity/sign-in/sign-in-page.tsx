import type { TokenBody } from "@soc/service/contract/identity/auth/auth";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { refusalWords } from "../../../app/api/refusal-words.ts";
import { later, now } from "../../../app/clock.ts";
import { Mark } from "../../../design/mark.tsx";
import type { RequestToken } from "./auth-client.ts";
import "./sign-in.css";

export interface SignInPageProps {
  requestToken: RequestToken;
  /** Why the analyst is here again. */
  notice: string | undefined;
  onSignedIn: (username: string, token: TokenBody) => void;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function SignInPage({ requestToken, notice, onSignedIn }: SignInPageProps) {
  const [trouble, setTrouble] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => usernameField.current?.focus(), []);

  async function signIn(form: FormData): Promise<void> {
    setIsAsking(true);
    setTrouble(undefined);
    const username = textOf(form, "username");
    const answer = await requestToken({ username, password: textOf(form, "password") });
    setIsAsking(false);
    if (answer.kind === "given") {
      onSignedIn(username, answer.body);
      return;
    }
    setTrouble(refusalWords(answer, { timeIn: (seconds) => later(now(), seconds) }));
    passwordField.current?.select();
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
