import { expect, it } from "vitest";
import { formatRouteLine, readContract } from "./route-tables.ts";

const DOCUMENT = `# API
## Routes
### Things
| Method | Path | Needs | Origin | Takes | Answers |
|---|---|---|---|---|---|
| GET | \`/api/things\` | \`none\` | contract | nothing | things |
| DELETE | \`/api/things/{id}\` | \`things:write other:write\` | contract | nothing | result |
| PUT | \`/api/extra\` | \`token\` | extension | x | y |

## Rules
| GET | \`/api/mentioned\` | \`none\` | contract | in passing | only |
`;
const NOT_YET = "# Not yet\n## Player\n\nCount: 1\n\n- DELETE /api/things/{id}\n\n## SOC\n\nCount: 0\n";

it("reads the documented routes and those that must be served now", () => {
  expect(readContract(DOCUMENT, NOT_YET, "Player")).toEqual({
    documented: ["GET /api/things none", "DELETE /api/things/{id} things:write other:write"],
    served: ["GET /api/things none", "PUT /api/extra token"],
    notYet: { count: 1, routes: ["DELETE /api/things/{id}"] },
  });
  expect(readContract(DOCUMENT, NOT_YET, "SOC").served).toContain("DELETE /api/things/{id} things:write other:write");
});

it("refuses a route without an origin", () => {
  const unmarked = DOCUMENT.replace("| extension |", "|");
  expect(() => readContract(unmarked, NOT_YET, "Player")).toThrow(
    "PUT /api/extra: its origin must be contract or extension",
  );
});

it("refuses to read a section that does not exist", () => {
  expect(() => readContract(DOCUMENT, NOT_YET, "Tower")).toThrow("there is no section 'Tower'");
});

it("writes path parameters as the documents do", () => {
  const route = { method: "GET", path: "/cases/:case_id/tasks/:task_id", needs: "cases:read" };
  expect(formatRouteLine(route)).toBe("GET /cases/{case_id}/tasks/{task_id} cases:read");
});
