import { useCallback } from "react";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { errorWords } from "../../../app/server/error-words.ts";

/** Says why the service refused; any other error is a fault of the console and thrown. */
export function useFailureNotice(): (error: unknown) => void {
  const { notify } = useNotices();
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) throw error;
      const id = error.requestId === undefined ? "" : ` (${error.requestId})`;
      notify({ tone: "failed", text: `${errorWords(error)}${id}` });
    },
    [notify],
  );
}
