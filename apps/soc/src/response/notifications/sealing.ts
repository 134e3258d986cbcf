import Type from "typebox";
import Value from "typebox/value";
import type { Seal } from "../../foundation/records/seal.ts";
import type { ChannelSettings } from "./channels.schema.ts";

/** Settings that must not be readable in the database or its backups. */
export type Secrets = Pick<ChannelSettings, "url" | "secret">;

/** The stored form. Rows of earlier releases have the secrets as plain text instead of `sealed`. */
export interface StoredSettings extends ChannelSettings {
  sealed?: string;
}

export interface SettingsCipher {
  seal(channel_id: string, settings: ChannelSettings): StoredSettings;
  /** Omits secrets that cannot be decrypted, because they were sealed with another key or for another channel. */
  open(channel_id: string, stored: StoredSettings): ChannelSettings;
}

const Secrets = Type.Object({ url: Type.Optional(Type.String()), secret: Type.Optional(Type.String()) });

/** Encrypts the secrets of channels. Each is bound to its channel and cannot be decrypted for another one. */
export function createSealing(seal: Seal): SettingsCipher {
  return {
    seal(channel_id, { url, secret, ...plain }) {
      const isSecret = url !== undefined || secret !== undefined;
      return isSecret ? { ...plain, sealed: seal.close(channel_id, JSON.stringify({ url, secret })) } : plain;
    },

    open(channel_id, { sealed, ...plain }) {
      const text = sealed === undefined ? undefined : seal.open(channel_id, sealed);
      return text === undefined ? plain : { ...plain, ...Value.Parse(Secrets, JSON.parse(text)) };
    },
  };
}
