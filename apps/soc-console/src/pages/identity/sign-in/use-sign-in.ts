import type { TokenBody } from "@soc/service/contract/identity/auth/auth";
import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { ApiError } from "../../../app/server/api-error.ts";
import { signWithKey } from "../../../app/session/security-key.ts";
import {
  readMe,
  requestKeyOptions,
  requestPasskeyOptions,
  requestToken,
  requestTokenByPasskey,
} from "./auth-client.ts";

export interface TypedPassword {
  username: string;
  password: string;
  code: string;
}

export interface SignIn {
  /** `not-signed`: the user did not use a key. */
  trouble: "not-signed" | ApiError | undefined;
  isAsking: boolean;
  /** The password is correct; a second factor is missing. */
  needsFactor: boolean;
  byPassword: (typed: TypedPassword) => void;
  byKey: (typed: TypedPassword) => void;
  byPasskey: () => void;
  /** A session that started elsewhere in this browser, such as in the provider's tab. */
  bySession: () => void;
  /** Back to the password, for example for another user. */
  forget: () => void;
}

/** All ways to sign in. Each ends with a session. `expected`: the user of the page below the dialog. */
export function useSignIn(expected: string): SignIn {
  const { server, session } = useApp();
  const [trouble, setTrouble] = useState<SignIn["trouble"]>();
  const [isAsking, setIsAsking] = useState(false);
  const [needsFactor, setNeedsFactor] = useState(false);

  async function enter(): Promise<void> {
    const me = await readMe(server);
    // The page below belongs to another user.
    if (expected !== "" && me.username !== expected) return location.assign("/");
    session.begin(me);
  }

  /** The cookie holds the session. If the browser does not store it (plain HTTP on a network), the token does. */
  async function begin({ access_token }: TokenBody): Promise<void> {
    session.keepToken(undefined);
    await enter().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      session.keepToken(access_token);
      return enter();
    });
  }

  async function signIn(request: () => Promise<TokenBody | undefined>): Promise<void> {
    if (isAsking) return;
    setIsAsking(true);
    setTrouble(undefined);
    try {
      const token = await request();
      if (token) await begin(token);
      else setTrouble("not-signed");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "factor_missing" && !needsFactor) setNeedsFactor(true);
      else setTrouble(error);
    } finally {
      setIsAsking(false);
    }
  }

  return {
    trouble,
    isAsking,
    needsFactor,
    byPassword: ({ code, ...password }) =>
      void signIn(() => requestToken(server, { ...password, ...(code !== "" && { code }) })),
    byKey: ({ username, password }) =>
      void signIn(async () => {
        const webauthn = await signWithKey(await requestKeyOptions(server, { username, password }));
        return webauthn && requestToken(server, { username, password, webauthn });
      }),
    byPasskey: () =>
      void signIn(async () => {
        const credential = await signWithKey(await requestPasskeyOptions(server));
        return credential && requestTokenByPasskey(server, credential);
      }),
    bySession: () =>
      void enter().catch((error: unknown) => {
        // Still signed out, or no response: keep the form.
        if (!(error instanceof ApiError)) throw error;
      }),
    forget() {
      setNeedsFactor(false);
      setTrouble(undefined);
    },
  };
}
