const SECRET_NAME = /token|passw|secret|cookie|authorization|api[-_]?key|private[-_]?key|psk|credential/i;
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@"']*@)?([^\s/?#"']*)[^\s"']*/gi;
const SUSPECT = /:\/\/|bearer|basic|splunk|apikey/i;
const CREDENTIAL_IN_TEXT = /\b(bearer|basic|splunk|apikey)\s+[\w.~+/=-]{8,}/gi;
const HIDDEN = "[redacted]";
const MAX_DEPTH = 6;

function redact(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[deeper]";
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value, depth);
}

/** The same fields without what must never be written: secrets by their name, and all of a URL but its host. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    shown[name] = SECRET_NAME.test(name) ? HIDDEN : redact(field, depth + 1);
  }
  return shown;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const shown = redactFields(error, depth);
  shown.name = error.name;
  shown.message = redactText(error.message);
  shown.stack = redactText(error.stack ?? "");
  if (error.cause !== undefined) shown.cause = redact(error.cause, depth + 1);
  return shown;
}

function redactText(text: string): string {
  // Most texts are plain words, and a log line is written for every request.
  if (!SUSPECT.test(text)) return text;
  return text.replace(URL_IN_TEXT, "$1$2/…").replace(CREDENTIAL_IN_TEXT, `$1 ${HIDDEN}`);
}
