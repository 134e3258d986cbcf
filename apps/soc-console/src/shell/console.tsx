import { QueryCache, QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { attentionQuery } from "../app/attention/attention.ts";
import { after } from "../app/browser/clock.ts";
import { useApp, useSessionState } from "../app/context/app-context.ts";
import type { Command } from "../app/keys/commands.ts";
import { CommandsProvider } from "../app/keys/commands-context.tsx";
import { fill, LanguageProvider, usePhrases } from "../app/language/language-context.tsx";
import { modeQuery } from "../app/mode/use-mode.ts";
import { NoticesProvider, useNotices } from "../app/notices/notices.tsx";
import { ApiError, errorWords } from "../app/server/api-error.ts";
import type { Me } from "../app/session/session.ts";
import { StatusProvider } from "../app/status/status.tsx";
import { TimeProvider } from "../app/time/time-context.tsx";
import { FactorDutyPage } from "../pages/identity/factors/duty-page.tsx";
import { nextAddress } from "../pages/identity/sign-in/next-address.ts";
import { SignInDialog } from "../pages/identity/sign-in/sign-in-dialog.tsx";
import { SignInPage } from "../pages/identity/sign-in/sign-in-page.tsx";
import { StepUpDialog } from "../pages/identity/step-up/step-up-dialog.tsx";
import { StepUpForm } from "../pages/identity/step-up/step-up-form.tsx";
import { useWaitSeconds } from "./limit-notice.tsx";
import { createConsoleRouter } from "./router.tsx";
import { shellPhrases } from "./shell-phrases.ts";
import { UnavailablePage } from "./unavailable-page.tsx";

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

const MODE_KEY = ["mode"];

function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      // Query the health at once: otherwise the strip would claim that a lost database is up.
      onError: (error, { queryKey }) => {
        const isLost = error instanceof ApiError && (error.status === 503 || error.status === 0);
        if (isLost && queryKey[0] !== MODE_KEY[0]) void client.invalidateQueries({ queryKey: MODE_KEY });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // Retry only if the service did not answer; a refusal is final.
        retry: (count, error) => count < MAX_RETRIES && error instanceof ApiError && error.status === 0,
        refetchOnWindowFocus: false,
      },
    },
  });
  return client;
}

const ASK_AGAIN_MS = 5000;

/**
 * Asks whether the browser has a session, together with the mode and the counts of the frame, and retries until the service answers. Returns the reason of the failure; the
 * answer itself signs out a browser without a session.
 */
function useFirstQuestion(): ApiError | undefined {
  const { server, session } = useApp();
  const queries = useQueryClient();
  const isAsking = useSessionState().state === "asking";
  const [refusal, setRefusal] = useState<ApiError>();
  useEffect(() => {
    if (!isAsking) return;
    const leaving = new AbortController();
    let cancel: (() => void) | undefined;
    const ask = () => {
      // Read in the same moment: one request. The parts that show the mode and the counts report a failure.
      queries.query({ ...modeQuery(server), retry: false }).catch(() => undefined);
      queries.query(attentionQuery(server)).catch(() => undefined);
      server.get<Me>("/users/me", { signal: leaving.signal }).then(session.begin, (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setRefusal(error);
        cancel = after(ASK_AGAIN_MS, ask);
      });
    };
    ask();
    return () => {
      leaving.abort();
      cancel?.();
    };
  }, [isAsking, server, session, queries]);
  return refusal;
}

/** The next user must not see what the last one has read. */
function useForgottenAnswers(isSignedOut: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isSignedOut) queries.removeQueries({ type: "inactive" });
  }, [isSignedOut, queries]);
}

/** The event stream runs while a user is signed in. */
function useStream(isSignedIn: boolean): void {
  const { live } = useApp();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    live.start();
    const stopListening = live.listen({ onEvents: () => undefined, onReset: () => void queries.invalidateQueries() });
    return () => {
      stopListening();
      live.end();
    };
  }, [isSignedIn, live, queries]);
}

/** `/sign-in?next=…` is not a page of the console: it redirects to `next`. */
function leaveSignIn(): void {
  if (location.pathname === "/sign-in") history.replaceState(null, "", nextAddress(location));
}

function SignedIn({ isEnded }: { isEnded: boolean }) {
  const [router] = useState(() => {
    leaveSignIn();
    return createConsoleRouter();
  });
  const queries = useQueryClient();
  // A resumed session may have missed changes; a new one has nothing to reload.
  useEffect(() => (isEnded ? () => void queries.invalidateQueries() : undefined), [isEnded, queries]);
  return (
    <>
      <RouterProvider router={router} />
      <StepUpDialog />
      <SignInDialog isOpen={isEnded} />
    </>
  );
}

/** The screen before the first answer. It says why there is none yet. */
function Asking() {
  const words = usePhrases(shellPhrases);
  const seconds = useWaitSeconds();
  return (
    <p className="console-asking" role="status">
      {seconds === undefined ? words.loading : fill(words.resumes, { seconds: String(seconds) })}
    </p>
  );
}

function Doors() {
  const session = useSessionState();
  const refusal = useFirstQuestion();
  useForgottenAnswers(session.state === "signed-out");
  useStream(session.state === "signed-in");
  if (session.state === "asking" && refusal) return <UnavailablePage refusal={refusal} />;
  if (session.state === "asking") return <Asking />;
  if (session.state === "signed-out") return <SignInPage hasLeft={session.hasLeft} />;
  if (session.state === "lacks-factor")
    return <FactorDutyPage renderStepUp={(hasKey, onProven) => <StepUpForm hasKey={hasKey} onProven={onProven} />} />;
  return <SignedIn isEnded={session.state === "ended"} />;
}

/** Reports refused and failed commands: a key press without any effect confuses the user. */
function NotedCommands({ children }: { children: ReactNode }) {
  const words = usePhrases(shellPhrases);
  const { notify } = useNotices();
  // A disabled command without a reason has no target, such as Escape without a pane.
  const refuse = ({ label, reason }: Command) => {
    if (reason !== undefined) notify({ tone: "waiting", text: `${label}: ${reason}` });
  };
  const fail = (error: unknown, { label }: Command) => {
    const isAnswer = error instanceof ApiError;
    // An ended session opens the sign-in dialog instead.
    if (isAnswer && error.status === 401) return;
    const why = isAnswer ? errorWords(error) : error instanceof Error ? error.message : String(error);
    notify({ tone: "failed", text: `${fill(words.commandFailed, { command: label })}: ${why}` });
    if (!isAnswer) reportError(error);
  };
  return (
    <CommandsProvider onRefused={refuse} onError={fail}>
      {children}
    </CommandsProvider>
  );
}

export function Console() {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <LanguageProvider>
        <TimeProvider>
          <NoticesProvider>
            <StatusProvider>
              <NotedCommands>
                <Doors />
              </NotedCommands>
            </StatusProvider>
          </NoticesProvider>
        </TimeProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
}
