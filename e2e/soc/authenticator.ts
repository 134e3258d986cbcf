import type { CDPSession, Page } from "playwright-core";

type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  status: number;
  body: Json;
}

/** Sends a request as the page does for its own site. */
export const askInPage = (page: Page, method: string, path: string, body?: object): Promise<Answer> =>
  page.evaluate(
    async ([sentMethod, url, sent]) => {
      const headers = { "content-type": "application/json" };
      const options = sent === null ? {} : { headers, body: sent };
      const answer = await fetch(url, { method: sentMethod, ...options });
      return { status: answer.status, body: await answer.json() };
    },
    [method, `/api/v1${path}`, body ? JSON.stringify(body) : null] as const,
  );

/** The browser makes a key, as a page asks it to. */
export const createInPage = (page: Page, options: object): Promise<Json> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    const made = await navigator.credentials.create({ publicKey });
    return (made as PublicKeyCredential).toJSON();
  }, options);

/** The browser signs a challenge, as a page asks it to. */
export const signInPage = (page: Page, options: object): Promise<Json> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON);
    const signed = await navigator.credentials.get({ publicKey });
    return (signed as PublicKeyCredential).toJSON();
  }, options);

export interface VirtualAuthenticator {
  /** Makes it older or newer: the next signature has one more than this count. */
  setCount(count: number): Promise<void>;
  /** Whether it recognises its user, by a PIN or a finger. */
  setVerified(isVerified: boolean): Promise<void>;
}

/** Replaces the machine's authenticators by Chromium's virtual one. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setCount(signCount) {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      for (const credential of credentials) {
        const { credentialId } = credential;
        await session.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
        await session.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount } });
      }
    },

    async setVerified(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}
