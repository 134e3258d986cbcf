import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";

/** Encrypts texts that must not be readable in the database or its backups. */
export interface Seal {
  /** Binds the text to its subject: it cannot be decrypted for another one. */
  close(subject: string, text: string): string;
  /** Undefined if the text was sealed with another key or for another subject. */
  open(subject: string, sealed: string): string | undefined;
}

const CIPHER = "aes-256-gcm";
export const KEY_BYTES = 32;
// GCM: a 96-bit nonce, never reused with one key, and a 128-bit tag (NIST SP 800-38D, 5.2.1.1 and 8.2.2).
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

export function createSeal(key: Uint8Array, ids: Pick<Ids, "secret">): Seal {
  if (key.length !== KEY_BYTES) throw invalidField("SOC_CHANNELS_KEY_FILE", `must hold ${KEY_BYTES} bytes`);
  return {
    close(subject, text) {
      const nonce = ids.secret(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(subject));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },

    open(subject, sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(subject))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        // The tag does not match: the caller treats the text as missing.
        return undefined;
      }
    },
  };
}

/**
 * Encrypts with the first key and decrypts with any of them. The keys are read again before each encryption and when a
 * text cannot be decrypted, so that a key rotation needs no restart.
 */
export function createRenewedSeal(readKeys: () => readonly Uint8Array[], ids: Pick<Ids, "secret">): Seal {
  let seals = read();

  function read(): Seal[] {
    return readKeys().map((key) => createSeal(key, ids));
  }

  /** A file that is still being copied is not a key yet. */
  function renew(): void {
    try {
      seals = read();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }

  function openByAny(subject: string, sealed: string): string | undefined {
    for (const seal of seals) {
      const text = seal.open(subject, sealed);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  return {
    close(subject, text) {
      renew();
      const [first] = seals;
      if (!first) throw new Error("a seal has a key");
      return first.close(subject, text);
    },

    open(subject, sealed) {
      const text = openByAny(subject, sealed);
      if (text !== undefined) return text;
      renew();
      return openByAny(subject, sealed);
    },
  };
}
