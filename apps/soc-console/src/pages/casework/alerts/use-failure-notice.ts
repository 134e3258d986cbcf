import { useCallback } from "react";
import { later, now } from "../../../app/clock.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { errorWords } from "../../../app/server/error-words.ts";

/** The service's sentence about a failure. */
export function failureWords(error: ApiError): string {
  return errorWords(error, { timeIn: (seconds) => later(now(), seconds) });
}

/** Says why the service refused; any other error is a fault of the console and thrown. */
export function useFailureNotice(): (error: unknown) => void {
  const { notify } = useNotices();
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) throw error;
      const id = error.requestId === undefined ? "" : ` (${error.requestId})`;
      notify({ tone: "failed", text: `${failureWords(error)}${id}` });
    },
    [notify],
  );
}
