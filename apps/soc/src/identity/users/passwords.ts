import { hash, verify } from "@node-rs/argon2";

export interface Passwords {
  hash(password: string): Promise<string>;
  isRight(password_hash: string, password: string): Promise<boolean>;
}

// Argon2id, the library's default, above the OWASP minimum of 19 MiB and 2 passes: about 0.1 s of one core.
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export const ARGON2_PASSWORDS: Passwords = {
  hash: (password) => hash(password, COST),
  isRight: (password_hash, password) => verify(password_hash, password),
};

/** A hash of discarded random bytes, with the same cost as a real one. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=65536,t=3,p=1$Ot/LV58PHqYV5ulPLslM2A$vNmQRGx/CT1MWDDrXLxbYpAkLGTS0S19p+NRknC/HKs";
