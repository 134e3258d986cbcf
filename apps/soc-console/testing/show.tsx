import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { render } from "vitest-browser-react";
import { formatSearch, parseSearch } from "../src/app/address/search.ts";
import { after, deadline, monotonicMs } from "../src/app/browser/clock.ts";
import { AppContext } from "../src/app/context/app-context.ts";
import { CommandsProvider } from "../src/app/keys/commands-context.tsx";
import type { Language } from "../src/app/language/language.ts";
import { LanguageProvider } from "../src/app/language/language-context.tsx";
import type { LiveListener } from "../src/app/live/live.ts";
import type { LiveEvent } from "../src/app/live/live-stream.ts";
import { NoticesProvider } from "../src/app/notices/notices.tsx";
import { createPace } from "../src/app/server/pace.ts";
import { createServer } from "../src/app/server/server.ts";
import { createSharedReads } from "../src/app/server/shared-reads.ts";
import { createSession, type Me } from "../src/app/session/session.ts";
import { createStepUp } from "../src/app/session/step-up.ts";
import { StatusProvider, useShownStatus } from "../src/app/status/status.tsx";
import { TimeProvider } from "../src/app/time/time-context.tsx";
import { NoticesList } from "../src/shell/notices-list.tsx";
import "../src/design/styles.css";

/** The answers of the service by method and path: `GET /alerts`. A function gets the query and the body. */
export type Answers = Readonly<Record<string, unknown>>;

export interface ShowOptions {
  language?: Language;
  mode?: "dummy" | "dry_run" | "real";
  address?: string;
  answers?: Answers;
  onRefused?: (label: string) => void;
}

export interface AnswerRequest {
  query: URLSearchParams;
  body: unknown;
}

export const ME: Me = {
  username: "noor",
  role: "admin",
  email: null,
  disabled: false,
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-01T00:00:00Z",
  permissions: ["alerts:read", "alerts:write", "approvals:manage", "soar:execute"],
  preferences: null,
  limits: {},
};

/** A refusal of the service, with its documented body. */
export function refuse(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ detail }), { status, headers });
}

/** An answer that does not come. */
export const NEVER = () => new Promise<never>(() => undefined);

interface Batch {
  requests: readonly { path: string }[];
}

function createService(answers: Answers) {
  const requests: { name: string; body: unknown }[] = [];

  /** Each item is answered as its own request. */
  async function answerBatch({ requests: items }: Batch): Promise<Response> {
    const responses = await Promise.all(
      items.map(async (item) => {
        const response = await fetch(item.path, {});
        return { status: response.status, body: response.ok ? await response.json() : null };
      }),
    );
    return new Response(JSON.stringify({ responses }));
  }

  const fetch = async (path: string, { method = "GET", body }: RequestInit): Promise<Response> => {
    if (path === "/api/v1/batch" && typeof body === "string") return answerBatch(JSON.parse(body));
    const { pathname, searchParams } = new URL(path, location.origin);
    const name = `${method} ${pathname.replace("/api/v1", "")}`;
    const request: AnswerRequest = {
      query: searchParams,
      body: typeof body === "string" ? JSON.parse(body) : undefined,
    };
    requests.push({ name, body: request.body });
    if (!(name in answers)) return refuse(404, `no test answers ${name}`);
    const found = answers[name];
    const answer: unknown = typeof found === "function" ? await found(request) : found;
    return answer instanceof Response ? answer.clone() : new Response(JSON.stringify(answer));
  };
  return { fetch, requests };
}

function createLiveByHand() {
  const listeners = new Set<LiveListener>();
  return {
    live: {
      start: () => undefined,
      end: () => undefined,
      listen: (listener: LiveListener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      readState: () => "live" as const,
      subscribeState: () => () => undefined,
    },
    emit: (events: readonly LiveEvent[]) => {
      for (const listener of listeners) listener.onEvents(events);
    },
  };
}

function StatusLine() {
  return <footer>{useShownStatus()}</footer>;
}

/** Renders a part of a page inside everything that a page of the console has around it. */
export async function show(part: ReactNode, options: ShowOptions = {}) {
  const { language = "en", mode = "real", address = "/", answers = {}, onRefused } = options;
  localStorage.setItem("language", language);
  const session = createSession();
  session.begin(ME);
  const stepUp = createStepUp();
  const { fetch, requests } = createService({ "GET /system/mode": { mode, read_data_source: "database" }, ...answers });
  const pace = createPace({ nowMs: monotonicMs, after });
  const server = createServer({
    fetch,
    deadline,
    pace,
    token: session.readToken,
    onUnauthenticated: session.end,
    onFactorMissing: session.lackFactor,
    stepUp: stepUp.ask,
  });
  const { live, emit } = createLiveByHand();
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch: formatSearch,
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = await render(
    <AppContext value={{ server, sharedReads: createSharedReads(server, session), pace, live, session, stepUp }}>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <TimeProvider>
            <NoticesProvider>
              <StatusProvider>
                <CommandsProvider onRefused={({ label }) => onRefused?.(label)}>
                  {/* biome-ignore lint/suspicious/noExplicitAny: the registered router is the one of the console */}
                  <RouterProvider router={router as any} />
                  <StatusLine />
                  <NoticesList />
                </CommandsProvider>
              </StatusProvider>
            </NoticesProvider>
          </TimeProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </AppContext>,
  );
  return { page, requests, emit, session, stepUp, pace, address: () => router.state.location.searchStr };
}
