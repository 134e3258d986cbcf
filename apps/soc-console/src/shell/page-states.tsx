import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMe } from "../app/context/app-context.ts";
import { fill, usePhrases } from "../app/language/language-context.tsx";
import { Page } from "../app/page/page.tsx";
import { meets, type Need } from "../app/session/session.ts";
import { EmptyState, ErrorState, Skeleton } from "../design/states.tsx";
import { shellPhrases } from "./shell-phrases.ts";

export function NotFoundPage() {
  const words = usePhrases(shellPhrases);
  return (
    <Page title={words.notFound}>
      <EmptyState title={words.notFound} text={words.notFoundText} />
    </Page>
  );
}

/** A bug in a page: the frame and the other pages keep working. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const words = usePhrases(shellPhrases);
  const message = error instanceof Error ? error.message : String(error);
  const isOldVersion = /dynamically imported module/.test(message);
  return (
    <Page title={words.failed}>
      <ErrorState
        title={words.failed}
        text={isOldVersion ? words.newVersion : `${words.failedText} (${message})`}
        retryLabel={words.retry}
        onRetry={isOldVersion ? () => location.reload() : reset}
      />
    </Page>
  );
}

export function LoadingPage() {
  return (
    <main id="main" className="page">
      <Skeleton rows={12} />
    </main>
  );
}

/** A deep link to a page that the user may not read names the missing permission. */
export function Guarded({ needs, children }: { needs: readonly Need[]; children: ReactNode }) {
  const words = usePhrases(shellPhrases);
  const me = useMe();
  const lacking = needs.filter((need) => !meets(me, [need]));
  if (lacking.length === 0) return children;
  const permissions = lacking.filter((need) => need !== "role:admin" && need !== "all-sites");
  const text = [
    permissions.length > 0 && fill(words.notAllowedText, { permission: permissions.join(", ") }),
    lacking.includes("role:admin") && words.onlyAdministrators,
    lacking.includes("all-sites") && words.onlyAllSites,
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <Page title={words.notAllowed}>
      <EmptyState title={words.notAllowed} text={text} />
    </Page>
  );
}
