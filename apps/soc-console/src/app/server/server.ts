import { ApiError, parseSeconds, type RefusedAnswer, toApiError, toNoAnswer } from "./api-error.ts";
import { type BatchAnswer, createGatheredReads, type GatheredRead } from "./gather-reads.ts";
import type { Pace, Priority } from "./pace.ts";

/** The response to a change. In dry_run, the state that the change would have produced. */
export type ChangeResult<Body> = Body | { dry_run: true; preview: Body };

export function isPreview<Body>(answer: ChangeResult<Body>): answer is { dry_run: true; preview: Body } {
  return typeof answer === "object" && answer !== null && "dry_run" in answer && "preview" in answer;
}

/** A record as parsed from JSON: text instead of Date. */
export type Wire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** A list of the API. */
export interface ListResponse<Item> {
  items: Item[];
  total: number;
  total_is_estimate?: boolean;
  next_cursor?: string | null;
}

export interface ServerDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
  pace: Pace;
  /** The access token, if the browser cannot store the session cookie; otherwise undefined. */
  token: () => string | undefined;
  /** The service no longer knows this session. */
  onUnauthenticated: () => void;
  /** The service requires a second factor before any other request. */
  onFactorMissing: () => void;
  /** Asks the user for a fresh second factor. Resolves to false if the user declines. */
  stepUp: () => Promise<boolean>;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface RequestOptions {
  query?: Readonly<Record<string, QueryValue>> | undefined;
  body?: unknown;
  /** The version of the record that the change is based on. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  priority?: Priority | undefined;
  timeoutMs?: number | undefined;
  /** A file instead of JSON. */
  isFile?: boolean | undefined;
}

/** A response with the headers that pages need. */
export interface Answer<Body> {
  body: Body;
  etag: string | undefined;
  /** The undo token; undefined if the change cannot be undone. */
  changeId: string | undefined;
}

export type Server = ReturnType<typeof createServer>;

const TIMEOUT_MS = 30_000;
/** Several reads in one request. */
const BATCH = "/batch";
/** How often a rate-limited read is retried. */
const MAX_READS_AGAIN = 2;
/** The limit of the service for a path in a batch. */
const MAX_PATH_LENGTH = 4000;
/** Reads of the log store, of the ledger and of entities may take seconds: they must not delay other reads. */
const SLOW = /^\/(?:siem\/(?!sources)|ledger\/|entities\/)/;

/** Calls the HTTP API. Every failure is an `ApiError`, or the reason of an aborted signal. */
export function createServer(deps: ServerDeps) {
  const { pace } = deps;
  let largestLimit = 0;

  /**
   * The headers describe the limit with the fewest requests left. The limits of playbooks and investigations are
   * smaller and separate: they must not delay other requests.
   */
  function noteLimit(headers: Headers): void {
    const [limit, remaining, resetSeconds] = ["limit", "remaining", "reset"].map((name) =>
      parseSeconds(headers.get(`ratelimit-${name}`)),
    );
    if (limit === undefined || remaining === undefined || resetSeconds === undefined) return;
    largestLimit = Math.max(largestLimit, limit);
    if (limit === largestLimit) pace.note({ limit, remaining, resetSeconds });
  }

  /** Turns a refusal into an error. Reports an ended session and slows down later requests after a rate limit. */
  function refuse(answer: RefusedAnswer, body: unknown): ApiError {
    const error = toApiError(answer, body);
    if (error.status === 401) deps.onUnauthenticated();
    if (error.status === 429) pace.block(error.retryAfterSeconds ?? 1);
    return error;
  }

  async function send<Body>(method: string, path: string, asked: RequestOptions): Promise<Answer<Body>> {
    try {
      return await sendOnce<Body>(method, path, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403) throw error;
      if (error.code === "factor_missing") deps.onFactorMissing();
      if (error.code !== "factor_not_fresh" || !(await deps.stepUp())) throw error;
      // Once: if the factor is still not fresh enough, asking again does not help.
      return sendOnce<Body>(method, path, asked);
    }
  }

  async function sendOnce<Body>(
    method: string,
    path: string,
    asked: RequestOptions,
    attempt = 0,
  ): Promise<Answer<Body>> {
    await pace.take(asked.priority ?? (method === "GET" ? "visible" : "user"), asked.signal);
    const response = await deps
      .fetch(`/api/v1${path}${formatQuery(asked.query)}`, toOptions(method, asked, deps))
      .catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    noteLimit(response.headers);
    const body = await readBody(response, asked).catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    if (response.ok) return toAnswer<Body>(response, body);
    const error = refuse(response, body);
    const mayRepeat = error.status === 429 && (method === "GET" || path === BATCH) && attempt < MAX_READS_AGAIN;
    if (mayRepeat) return sendOnce(method, path, asked, attempt + 1);
    throw error;
  }

  /** A streamed response. It has its own limit and does not queue. */
  async function open(path: string, asked: RequestOptions): Promise<NonNullable<Response["body"]>> {
    const response = await deps
      .fetch(`/api/v1${path}`, toOptions("POST", asked, deps))
      .catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    if (response.ok && response.body) return response.body;
    const body: unknown = await parseJson(response).catch((cause: unknown) => throwNoAnswer(cause, asked.signal));
    const error = toApiError(response, body);
    if (error.status === 401) deps.onUnauthenticated();
    if (error.code === "factor_missing") deps.onFactorMissing();
    throw error;
  }

  const gather = createGatheredReads({
    sendAlone: async ({ path, signal }) => (await send<unknown>("GET", path, { signal })).body,
    sendBatch: async (paths, signal) => {
      const requests = paths.map((path) => ({ path: `/api/v1${path}` }));
      return (await send<BatchAnswer>("POST", BATCH, { body: { requests }, signal, priority: "visible" })).body;
    },
  });

  /** The batch if the read may wait for others; undefined if it is sent alone. */
  function toGathered(path: string, { query, signal, priority, timeoutMs }: RequestOptions): GatheredRead | undefined {
    const read = { path: `${path}${formatQuery(query)}`, signal };
    const mayWait = priority !== "user" && timeoutMs === undefined && !SLOW.test(path);
    return mayWait && read.path.length < MAX_PATH_LENGTH - "/api/v1".length ? read : undefined;
  }

  return {
    /** Reads of one moment are sent as one request. */
    get: async <Body>(path: string, asked: RequestOptions = {}) => {
      const gathered = toGathered(path, asked);
      if (!gathered) return (await send<Body>("GET", path, asked)).body;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- service and console are one release, as in toAnswer
      return (await gather(gathered)) as Body;
    },
    post: async <Body>(path: string, body?: unknown, asked: RequestOptions = {}) =>
      (await send<Body>("POST", path, { ...asked, body })).body,
    put: async <Body>(path: string, body: unknown, asked: RequestOptions = {}) =>
      (await send<Body>("PUT", path, { ...asked, body })).body,
    patch: async <Body>(path: string, body: unknown, asked: RequestOptions = {}) =>
      (await send<Body>("PATCH", path, { ...asked, body })).body,
    remove: async <Body>(path: string, asked: RequestOptions = {}) => (await send<Body>("DELETE", path, asked)).body,
    /** A file. Unlike a plain link, it can ask for a second factor first. */
    download: async (path: string, asked: RequestOptions = {}) =>
      (await send<Blob>("GET", path, { ...asked, isFile: true })).body,
    /** The same with the response headers. */
    send,
    /** For a request that `fetch` cannot send: its refusal has the same effects. */
    refuse,
    open,
  };
}

function toOptions(method: string, asked: RequestOptions, { token, deadline }: ServerDeps): RequestInit {
  const held = token();
  const limit = deadline(asked.timeoutMs ?? TIMEOUT_MS);
  return {
    method,
    cache: "no-store",
    credentials: held === undefined ? "same-origin" : "omit",
    signal: asked.signal ? AbortSignal.any([asked.signal, limit]) : limit,
    headers: {
      accept: "application/json",
      ...(held !== undefined && { authorization: `Bearer ${held}` }),
      ...(asked.body !== undefined && !(asked.body instanceof Blob) && { "content-type": "application/json" }),
      ...(asked.ifMatch !== undefined && { "if-match": asked.ifMatch }),
    },
    ...(asked.body !== undefined && { body: asked.body instanceof Blob ? asked.body : JSON.stringify(asked.body) }),
  };
}

/** `?a=1&b=x&b=y`. Undefined values are omitted and lists are repeated. */
export function formatQuery(query: RequestOptions["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return (typeof value === "object" ? value : [value]).map((one) => [name, String(one)]);
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function throwNoAnswer(cause: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw signal.reason;
  throw toNoAnswer(cause);
}

function readBody(response: Response, { isFile = false }: RequestOptions): Promise<unknown> {
  return response.ok && isFile ? response.blob() : parseJson(response);
}

async function parseJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

function toAnswer<Body>({ headers }: Response, body: unknown): Answer<Body> {
  // Service and console are one release: the schemas of the service are the types of its responses.
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checking every answer again would send the schemas to the browser
    body: body as Body,
    etag: headers.get("etag") ?? undefined,
    changeId: headers.get("x-change-id") ?? undefined,
  };
}
