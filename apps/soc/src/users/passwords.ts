import { hash, verify } from "@node-rs/argon2";

// Argon2id, the library's default, above the OWASP minimum of 19 MiB and 2 passes: about 0.1 s of one core.
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

export function isPasswordOf(password_hash: string, password: string): Promise<boolean> {
  return verify(password_hash, password);
}
