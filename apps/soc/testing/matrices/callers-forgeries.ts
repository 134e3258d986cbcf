import type { OutgoingHttpHeaders } from "node:http";
import {
  CompactSign,
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  FlattenedSign,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from "jose";
import type { SignedIn } from "../harness/callers-platform.ts";

/** The material for forgeries: more than an attacker would ever have. */
export interface GenuineCredentials {
  admin: SignedIn;
  auditor: SignedIn;
  /** The platform's own key. Most forged tokens are signed with it, so that only the named property is wrong. */
  privateJwk: JWK;
}

const HOUR_SECONDS = 3600;

export async function createForge({ admin, auditor, privateJwk }: GenuineCredentials) {
  const { d: _secret, ...publicJwk } = privateJwk;
  const ours = await importKey(privateJwk);
  const stranger = await generateKeyPair("EdDSA", { extractable: true });
  const strangersJwk = await exportJWK(stranger.publicKey);
  const header = decodeProtectedHeader(admin.token);
  const claims = decodeJwt(admin.token);
  const { iat = 0, exp = 0, tv } = claims;
  const version = Number(tv);
  const [head = "", , signature = ""] = auditor.token.split(".");
  const payload = encoded(claims);

  const sign = (changed: object, key = ours, otherHeader: object = {}): Promise<string> =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ ...header, alg: "EdDSA", ...otherHeader })
      .sign(key, { crit: { level: true } });
  const signHeader = (otherHeader: object, key = ours) => sign({}, key, otherHeader);
  const signSecretly = (secret: Buffer) =>
    new SignJWT(claims).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret);
  const json = await new FlattenedSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ ...header, alg: "EdDSA" })
    .sign(ours);
  const notJson = new CompactSign(Buffer.from("admin")).setProtectedHeader({ ...header, alg: "EdDSA" });
  const strangersToken = await signHeader({}, stranger.privateKey);

  const tokens: Record<string, string> = {
    "nothing after the scheme": "",
    "alg none": `${encoded({ ...header, alg: "none" })}.${payload}.`,
    "alg none with a genuine signature": `${encoded({ ...header, alg: "none" })}.${payload}.${signature}`,
    "HS256 by the public key's bytes": await signSecretly(Buffer.from(publicJwk.x ?? "", "base64url")),
    "HS256 by the public key's PEM": await signSecretly(
      Buffer.from(await exportSPKI(await importKey(publicJwk, true))),
    ),
    "a stranger's signature under our kid": strangersToken,
    "a stranger's signature under his kid": await signHeader({ kid: "stranger" }, stranger.privateKey),
    "a stranger's key in jwk": await signHeader({ jwk: strangersJwk }, stranger.privateKey),
    "a stranger's keys at jku": await signHeader({ jku: "https://evil.example/jwks" }, stranger.privateKey),
    "a stranger's certificate at x5u": await signHeader({ x5u: "https://evil.example/pem" }, stranger.privateKey),
    "no kid": await signHeader({ kid: undefined }),
    "a path as kid": await signHeader({ kid: "../../../../dev/null" }, stranger.privateKey),
    "SQL as kid": await signHeader({ kid: `' OR kid = '${header.kid}` }, stranger.privateKey),
    "another typ": await signHeader({ typ: "at+jwt" }),
    "an unknown critical header": await signHeader({ crit: ["level"], level: 1 }),
    "another user's payload under a genuine signature": `${head}.${payload}.${signature}`,
    "no signature": admin.token.replace(/[^.]*$/, ""),
    "a signature of zeros": admin.token.replace(/[^.]*$/, Buffer.alloc(64).toString("base64url")),
    "a payload that is not JSON": await notJson.sign(ours),
    "JSON in place of the compact form": JSON.stringify(json),
    "another issuer": await sign({ iss: "another" }),
    "another audience": await sign({ aud: "another" }),
    "valid in an hour": await sign({ nbf: iat + HOUR_SECONDS, exp: exp + HOUR_SECONDS }),
    "no exp": await sign({ exp: undefined }),
    "no nbf": await sign({ nbf: undefined }),
    "no jti": await sign({ jti: undefined }),
    "no sub": await sign({ sub: undefined }),
    "a user that does not exist": await sign({ sub: "absent" }),
    "a role that does not exist": await sign({ role: "root" }),
    "the next token version": await sign({ tv: version + 1 }),
    "the token version before": await sign({ tv: version - 1 }),
    "the token version as text": await sign({ tv: String(version) }),
    "a session's id": admin.sessionId,
    "something behind the token": `${admin.token} and more`,
    "two tokens with a comma": `${admin.token} , Bearer ${auditor.token}`,
  };
  const forgeries: Record<string, OutgoingHttpHeaders> = {
    // Capitalised, because only then the types allow a header to be sent twice.
    "two Authorization headers": { Authorization: [`Bearer ${admin.token}`, `Bearer ${strangersToken}`] },
    "scheme Basic": { authorization: `Basic ${admin.token}` },
    "no scheme": { authorization: admin.token },
    "a bad token beside a good session": { ...bearer(strangersToken), ...session(admin.sessionId) },
    "a token in the session cookie": session(admin.token),
    "a session cookie of another name": { cookie: `soc_session=${admin.sessionId}` },
  };
  for (const [name, token] of Object.entries(tokens)) forgeries[name] = bearer(token);

  return {
    forgeries,
    expired: bearer(await sign({ iat: iat - HOUR_SECONDS, nbf: iat - HOUR_SECONDS, exp: exp - HOUR_SECONDS })),
    /** The same claims with another role. It must be accepted, or the refusals of the forgeries would prove nothing. */
    async signedByHand({ token }: SignedIn, role: string): Promise<OutgoingHttpHeaders> {
      return bearer(await sign({ ...decodeJwt(token), role }));
    },
  };
}

export function bearer(token: string): OutgoingHttpHeaders {
  return { authorization: `Bearer ${token}` };
}

export function session(id: string): OutgoingHttpHeaders {
  return { cookie: `__Host-soc_session=${id}` };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

async function importKey(jwk: JWK, extractable = false): Promise<CryptoKey> {
  const key = await importJWK(jwk, "EdDSA", { extractable });
  if (key instanceof Uint8Array) throw new Error("a secret is not a key pair");
  return key;
}
