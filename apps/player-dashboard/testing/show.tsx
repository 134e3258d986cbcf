import { type ComponentChildren, render } from "preact";
import { onTestFinished } from "vitest";
import { type ApiRequest, createApiClient } from "../src/app/api/api-client.ts";
import { createCommands } from "../src/app/api/commands.ts";
import { errorWords } from "../src/app/api/error-words.ts";
import { type App, AppContext } from "../src/app/app.ts";
import { after, deadline, nowMs } from "../src/app/browser/clock.ts";
import { createTokenKeeper } from "../src/app/browser/token-keeper.ts";
import { ControlProvider } from "../src/app/controls/control-provider.tsx";
import type { Language } from "../src/app/language/language.ts";
import { createLanguageChoice } from "../src/app/language/language-choice.ts";
import { createLive } from "../src/app/live/live.ts";
import { createNavigation } from "../src/app/navigation.ts";
import { createNotices } from "../src/app/notices/notices.ts";
import { unlock } from "../src/app/token/unlock.ts";
import { TokenDialog } from "../src/app/unlock/token-dialog.tsx";
import { createHandSockets } from "./manual-socket.ts";
import "../src/design/controls.css";
import "../src/design/layout.css";

export const TOKEN = "0123456789abcdef".repeat(4);

/** What the device answers: a body with status 200, or a refusal. */
export type Answer = object | Refusal | Promise<object>;
export class Refusal {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code?: string) {
    this.status = status;
    this.code = code;
  }
}
/** An answer that never arrives. */
export const PENDING = new Promise<object>(() => undefined);
export const UNREACHABLE: Answer = new Refusal(0);

export interface ShowOptions {
  /** By method and path, such as `GET /pairing`. Every other request is answered with 404. */
  answers?: Record<string, Answer>;
  token?: string | undefined;
  language?: Language;
}

/** Renders a part of the dashboard with the app that `main.tsx` assembles around it. The device is a table of answers. */
export function show(part: ComponentChildren, { answers = {}, token = TOKEN, language = "en" }: ShowOptions = {}) {
  const sent: (ApiRequest & { token: string | null })[] = [];
  const sockets = createHandSockets();

  async function request(path: string, { method, body, headers }: RequestInit): Promise<Response> {
    const key = `${method} ${path.replace("/api", "")}`;
    sent.push({
      method: method === "POST" || method === "DELETE" ? method : "GET",
      path: path.replace("/api", ""),
      token: new Headers(headers).get("authorization")?.replace("Bearer ", "") ?? null,
      ...(typeof body === "string" && { body: JSON.parse(body) }),
    });
    const answer = await (answers[key] ?? new Refusal(404));
    if (!(answer instanceof Refusal)) return Response.json(answer);
    if (answer.status === 0) throw new TypeError("Failed to fetch");
    const named = { ...(answer.code && { "problem-code": answer.code }) };
    return Response.json({ error: "refused" }, { status: answer.status, headers: named });
  }

  const choice = createLanguageChoice();
  choice.speak(language);
  const notices = createNotices(after);
  const tokens = createTokenKeeper(token === "" ? undefined : token);
  const api = createApiClient({ fetch: request, deadline, token: () => tokens.token.value });
  const live = createLive({ api, openSocket: () => sockets.open(), after, nowMs });
  const report = (error: Parameters<typeof errorWords>[0]) => notices.show("refused", errorWords(error, language));
  const commands = createCommands({ tokens, report });
  const place = { restore: () => undefined, leave: () => undefined } as const;
  const navigation = createNavigation({
    read: () => "/",
    push: () => undefined,
    onMove: () => undefined,
    toTop: () => undefined,
    place,
  });
  const app: App = {
    ...{ api, live, commands, tokens, notices, navigation, choice },
    unlock: (typed) => unlock(typed, (held) => createApiClient({ fetch: request, deadline, token: () => held })),
  };
  const root = document.body.appendChild(document.createElement("div"));
  const draw = (shown: ComponentChildren) =>
    render(
      <AppContext.Provider value={app}>
        <ControlProvider>
          {shown}
          <TokenDialog />
        </ControlProvider>
      </AppContext.Provider>,
      root,
    );
  draw(part);
  onTestFinished(() => {
    render(null, root);
    root.remove();
    live.close();
  });
  return {
    ...{ app, answers, sent, sockets, draw },
    notices: () => notices.shown.value.map(({ kind, text }) => `${kind}: ${text}`),
  };
}
