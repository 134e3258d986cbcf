import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Send } from "./app/api/answer.ts";
import { deadline } from "./app/clock.ts";
import { createRequestToken } from "./pages/identity/sign-in/auth-client.ts";
import { createReadRuntime } from "./pages/runtime/runtime-client.ts";
import { Console } from "./shell/console.tsx";

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
