import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Send } from "./answer.ts";
import { createRequestToken } from "./auth/auth-client.ts";
import { deadline } from "./clock.ts";
import { Console } from "./console.tsx";
import { createReadRuntime } from "./runtime/runtime-client.ts";

const TIMEOUT_MS = 10_000;

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

// Cookies are left out both ways: the session is the token in memory, and a reload ends it.
const send: Send = (path, options) =>
  fetch(path, { ...options, cache: "no-store", credentials: "omit", signal: deadline(TIMEOUT_MS) });

createRoot(root).render(
  <StrictMode>
    <Console requestToken={createRequestToken(send)} readRuntime={createReadRuntime(send)} />
  </StrictMode>,
);
