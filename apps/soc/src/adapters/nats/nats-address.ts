import { invalidField } from "@kit/problem";

export interface NatsAddress {
  servers: string[];
  user: string | undefined;
  pass: string | undefined;
  hasTls: boolean;
}

/**
 * Parses a list like `nats://soc:secret@one:4222,nats://two:4222`: the first address contains the credentials, and one
 * `tls:` enables encryption.
 */
export function parseNatsAddress(text: string): NatsAddress {
  const urls = text.split(",").map((part) => {
    const url = URL.canParse(part.trim()) ? new URL(part.trim()) : undefined;
    if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === "") {
      // The message omits the value: it may contain a password.
      throw invalidField("SOC_STREAM", "must be outbox or a list of addresses like nats://host:4222");
    }
    return url;
  });
  const [first] = urls;
  return {
    servers: urls.map(({ host }) => host),
    user: first?.username ? decodeURIComponent(first.username) : undefined,
    pass: first?.password ? decodeURIComponent(first.password) : undefined,
    hasTls: urls.some(({ protocol }) => protocol === "tls:"),
  };
}
