import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { ChannelSettings } from "./channels.schema.ts";

/** Settings that must not be readable in the database or its backups. */
export type Secrets = Pick<ChannelSettings, "url" | "secret">;

/** As stored. Rows of earlier releases hold the secrets as plain text instead of `sealed`. */
export interface StoredSettings extends ChannelSettings {
  sealed?: string;
}

export interface Sealing {
  seal(channel_id: string, settings: ChannelSettings): StoredSettings;
  /** Omits secrets that cannot be decrypted: they were sealed with another key or for another channel. */
  open(channel_id: string, stored: StoredSettings): ChannelSettings;
}

const Secrets = Type.Object({ url: Type.Optional(Type.String()), secret: Type.Optional(Type.String()) });

const CIPHER = "aes-256-gcm";
export const KEY_BYTES = 32;
// GCM: a 96-bit nonce, never reused with one key, and a 128-bit tag (NIST SP 800-38D, 5.2.1.1 and 8.2.2).
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

/** Encrypts the secrets of channels. Each is bound to its channel and cannot be decrypted for another one. */
export function createSealing(key: Uint8Array, ids: Pick<Ids, "secret">): Sealing {
  if (key.length !== KEY_BYTES) throw invalidField("channels.key", `must hold ${KEY_BYTES} bytes`);

  function encrypt(channel_id: string, text: string): string {
    const nonce = ids.secret(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(channel_id));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  function decrypt(channel_id: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
    if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(channel_id))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      // The tag does not match: the caller treats the secrets as missing.
      return undefined;
    }
  }

  return {
    seal(channel_id, { url, secret, ...plain }) {
      const isSecret = url !== undefined || secret !== undefined;
      return isSecret ? { ...plain, sealed: encrypt(channel_id, JSON.stringify({ url, secret })) } : plain;
    },

    open(channel_id, { sealed, ...plain }) {
      const text = sealed === undefined ? undefined : decrypt(channel_id, sealed);
      return text === undefined ? plain : { ...plain, ...Value.Parse(Secrets, JSON.parse(text)) };
    },
  };
}
