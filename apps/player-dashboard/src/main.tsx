import { render } from "preact";
import { deadline, every } from "./clock.ts";
import { createLanguageChoice } from "./language/language-choice.ts";
import { startPoll } from "./live/poll.ts";
import { createSystemClient } from "./system/system-client.ts";
import { SystemPage } from "./system/system-page.tsx";
import { createSystemReadings } from "./system/system-reading.ts";

const PERIOD_MS = 10_000;

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

const choice = createLanguageChoice();
const readSystem = createSystemClient({ fetch: (path, options) => fetch(path, options), deadline });
const { reading, refresh } = createSystemReadings(readSystem);
const poll = startPoll({ page: document, every, periodMs: PERIOD_MS, task: refresh });
window.addEventListener("online", poll.now);

render(<SystemPage choice={choice} reading={reading} tryNow={poll.now} />, root);
