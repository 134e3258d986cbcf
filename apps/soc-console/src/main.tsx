import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApiClient } from "./app/api/api-client.ts";
import { deadline } from "./app/clock.ts";
import { Console } from "./shell/console.tsx";

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

const connect = (accessToken?: string) =>
  createApiClient({ fetch: (path, options) => fetch(path, options), deadline, token: () => accessToken });

createRoot(root).render(
  <StrictMode>
    <Console connect={connect} />
  </StrictMode>,
);
