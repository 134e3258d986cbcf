import { useCallback } from "react";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";

/** Shows a refusal of the service as a notice. Rethrows any other error, which is a bug. */
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
