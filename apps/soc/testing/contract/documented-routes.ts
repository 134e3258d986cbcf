import { quote } from "./platform-contract.ts";

/**
 * A route of a row, and the permissions that the row requires; `role:admin` and `authenticated` if it names no
 * permission.
 */
export interface DocumentedRoute {
  row: string;
  /** "METHOD /path" under /api/v1. */
  route: string;
  needs: string;
}

type Row = readonly [row: string, needs: string, ...routes: string[]];

const AUTHENTICATION: readonly Row[] = [
  [quote("| GET | /users/me | any authenticated | nothing | current profile |"), "authenticated", "GET /users/me"],
  [quote("| GET | /users | admin role | nothing | all users |"), "role:admin", "GET /users"],
  [quote("| POST | /users | admin role | user data | created user |"), "role:admin", "POST /users"],
  [quote("| DELETE | /users/{username} | admin role | nothing | result |"), "role:admin", "DELETE /users/{username}"],
  [quote("| GET | /system/mode | as for reads | nothing | runtime truth |"), "authenticated", "GET /system/mode"],
  [quote("| GET | /system/topology | as for reads | nothing | topology |"), "authenticated", "GET /system/topology"],
  [quote("| POST | /chat/stream | not stated | chat message |"), "authenticated", "POST /chat/stream"],
];

const ALERTS: readonly Row[] = [
  [quote("| GET | /alerts | alerts:read (paginated) |"), "alerts:read", "GET /alerts"],
  [quote("| POST | /alerts | alerts:write (deduplicated) |"), "alerts:write", "POST /alerts"],
  [quote("| GET | /alerts/{alert_id} | alerts:read |"), "alerts:read", "GET /alerts/{alert_id}"],
  [quote("| PATCH | /alerts/{alert_id} | alerts:write (status update) |"), "alerts:write", "PATCH /alerts/{alert_id}"],
  [
    quote("| POST | /alerts/{alert_id}/promote | alerts:write and cases:write (creates a linked case) |"),
    "alerts:write cases:write",
    "POST /alerts/{alert_id}/promote",
  ],
  [
    quote("| POST | /alerts/{alert_id}/case-link | alerts:write and cases:write (links to an existing case) |"),
    "alerts:write cases:write",
    "POST /alerts/{alert_id}/case-link",
  ],
];

const CASES: readonly Row[] = [
  [quote("| GET | /cases | cases:read |"), "cases:read", "GET /cases"],
  [
    quote("| POST | /cases | cases:write (title, severity, description, alert_ids, assignee) |"),
    "cases:write",
    "POST /cases",
  ],
  [
    quote("| GET | /cases/{case_id} | cases:read (detail with timeline, observables, evidence, comments, tasks) |"),
    "cases:read",
    "GET /cases/{case_id}",
  ],
  [
    quote(
      "| PATCH | /cases/{case_id} | cases:write (title, severity, status, description, assignee, requires_human_approval) |",
    ),
    "cases:write",
    "PATCH /cases/{case_id}",
  ],
  [quote("| DELETE | /cases/{case_id} | cases:delete |"), "cases:delete", "DELETE /cases/{case_id}"],
  ...(
    [
      [quote("| GET, POST | /cases/{case_id}/observables | cases:read, cases:write |"), "/cases/{case_id}/observables"],
      [quote("| GET, POST | /cases/{case_id}/evidence | cases:read, cases:write |"), "/cases/{case_id}/evidence"],
      [quote("| GET, POST | /cases/{case_id}/comments | cases:read, cases:write |"), "/cases/{case_id}/comments"],
      [quote("| GET, POST | /cases/{case_id}/tasks | cases:read, cases:write |"), "/cases/{case_id}/tasks"],
    ] as const
  ).flatMap(([row, path]): Row[] => [
    [row, "cases:read", `GET ${path}`],
    [row, "cases:write", `POST ${path}`],
  ]),
  [
    quote("| POST | /cases/{case_id}/evidence/{evidence_id}/custody | cases:write |"),
    "cases:write",
    "POST /cases/{case_id}/evidence/{evidence_id}/custody",
  ],
  [
    quote("| PATCH | /cases/{case_id}/tasks/{task_id} | cases:write |"),
    "cases:write",
    "PATCH /cases/{case_id}/tasks/{task_id}",
  ],
];

const AGENTS: readonly Row[] = [
  [quote("| GET | /agents | agents:read (filters site, status, type) |"), "agents:read", "GET /agents"],
  [quote("| POST | /agents/{id}/enable | agents:manage |"), "agents:manage", "POST /agents/{id}/enable"],
  [quote("| POST | /agents/{id}/disable | agents:manage |"), "agents:manage", "POST /agents/{id}/disable"],
  [
    quote("| POST | /agents/{id}/deploy | agents:manage (rejected for unsupported site and agent combinations) |"),
    "agents:manage",
    "POST /agents/{id}/deploy",
  ],
  [
    quote("| PATCH | /agents/{id}/scale | agents:manage (0 to 10 instances) |"),
    "agents:manage",
    "PATCH /agents/{id}/scale",
  ],
  [
    quote("| POST | /agents/investigate | investigation:trigger (rate-limited) |"),
    "investigation:trigger",
    "POST /agents/investigate",
  ],
  [quote("| GET | /sites | sites:read |"), "sites:read", "GET /sites"],
  [quote("| POST | /sites | sites:manage |"), "sites:manage", "POST /sites"],
  [quote("| DELETE | /sites/{id} | sites:manage |"), "sites:manage", "DELETE /sites/{id}"],
];

const SIEM: readonly Row[] = [
  [quote("| GET | /siem/logs | siem:read |"), "siem:read", "GET /siem/logs"],
  [quote("| GET | /siem/hunts | siem:read |"), "siem:read", "GET /siem/hunts"],
  [quote("| POST | /siem/hunts | siem:search |"), "siem:search", "POST /siem/hunts"],
  [quote("| PATCH | /siem/hunts/{hunt_id} | siem:search |"), "siem:search", "PATCH /siem/hunts/{hunt_id}"],
  [
    quote("| POST | /siem/hunts/{hunt_id}/run | siem:search (returns latest matches) |"),
    "siem:search",
    "POST /siem/hunts/{hunt_id}/run",
  ],
  [
    quote("| POST | /siem/logs/{log_id}/promote | alerts:write, optionally cases:write;"),
    "alerts:write",
    "POST /siem/logs/{log_id}/promote",
  ],
  [quote("| GET | /siem/sources | siem:read |"), "siem:read", "GET /siem/sources"],
  [quote("| GET | /siem/stats | siem:read |"), "siem:read", "GET /siem/stats"],
];

const DETECTIONS: readonly Row[] = [
  [quote("| GET | /detections/rules | detections:read |"), "detections:read", "GET /detections/rules"],
  [quote("| POST | /detections/rules | detections:write |"), "detections:write", "POST /detections/rules"],
  [
    quote("| PATCH | /detections/rules/{rule_id} | detections:write |"),
    "detections:write",
    "PATCH /detections/rules/{rule_id}",
  ],
  [
    quote("| POST | /detections/rules/{rule_id}/run | detections:read and siem:search |"),
    "detections:read siem:search",
    "POST /detections/rules/{rule_id}/run",
  ],
  [
    quote("| GET | /detections/rules/{rule_id}/runs | detections:read |"),
    "detections:read",
    "GET /detections/rules/{rule_id}/runs",
  ],
  ...(
    [
      [
        quote("| GET, POST | /detections/rules/{rule_id}/suppressions | detections:read, detections:write |"),
        "/detections/rules/{rule_id}/suppressions",
      ],
      [
        quote("| GET, POST | /detections/rules/{rule_id}/feedback | detections:read, detections:write |"),
        "/detections/rules/{rule_id}/feedback",
      ],
    ] as const
  ).flatMap(([row, path]): Row[] => [
    [row, "detections:read", `GET ${path}`],
    [row, "detections:write", `POST ${path}`],
  ]),
  [quote("| GET | /detections/metrics | detections:read |"), "detections:read", "GET /detections/metrics"],
];

const RESPONSE: readonly Row[] = [
  [
    quote("| GET | /edr/endpoints, /edr/endpoints/{id}, /edr/stats | edr:read |"),
    "edr:read",
    ...["GET /edr/endpoints", "GET /edr/endpoints/{id}", "GET /edr/stats"],
  ],
  [
    quote("| POST | /edr/endpoints/{id}/isolate, /unisolate, /scan | edr:manage |"),
    "edr:manage",
    ...["POST /edr/endpoints/{id}/isolate", "POST /edr/endpoints/{id}/unisolate", "POST /edr/endpoints/{id}/scan"],
  ],
  [
    quote("| GET | /soar/playbooks, /soar/playbooks/{id}, /soar/executions, /soar/rules | soar:read |"),
    "soar:read",
    ...["GET /soar/playbooks", "GET /soar/playbooks/{id}", "GET /soar/executions", "GET /soar/rules"],
  ],
  [
    quote("| POST | /soar/playbooks/{id}/toggle, /soar/rules/{id}/toggle | soar:manage |"),
    "soar:manage",
    ...["POST /soar/playbooks/{id}/toggle", "POST /soar/rules/{id}/toggle"],
  ],
  [quote("| POST | /soar/playbooks/{id}/execute | soar:execute;"), "soar:execute", "POST /soar/playbooks/{id}/execute"],
  [
    quote("| GET | /playbooks, /playbooks/executions | playbooks:read |"),
    "playbooks:read",
    ...["GET /playbooks", "GET /playbooks/executions"],
  ],
  [
    quote("| POST | /playbooks/{id}/execute | playbooks:execute |"),
    "playbooks:execute",
    "POST /playbooks/{id}/execute",
  ],
  [
    quote("| GET | /cps/devices, /cps/devices/{id}, /cps/attestations | cps:read |"),
    "cps:read",
    ...["GET /cps/devices", "GET /cps/devices/{id}", "GET /cps/attestations"],
  ],
  [
    quote("| POST | /cps/devices/{id}/revoke | cps:manage (revokes the certificate) |"),
    "cps:manage",
    "POST /cps/devices/{id}/revoke",
  ],
  [quote("| GET | /approvals | approvals:manage (pending approvals) |"), "approvals:manage", "GET /approvals"],
  [
    quote("| POST | /approvals/{id}/decide | approvals:manage (approved, reason) |"),
    "approvals:manage",
    "POST /approvals/{id}/decide",
  ],
  [quote("| GET | /reports, /reports/{id} | reports:read |"), "reports:read", "GET /reports", "GET /reports/{id}"],
  [quote("| GET, POST | /iocs | iocs:read, iocs:write |"), "iocs:read", "GET /iocs"],
  ["| GET, POST | /iocs | iocs:read, iocs:write |", "iocs:write", "POST /iocs"],
  [
    quote("| GET | /stats/overview, /dashboard/stats | stats:read |"),
    "stats:read",
    ...["GET /stats/overview", "GET /dashboard/stats"],
  ],
  [quote("| GET | /correlations, /firmware | cps:read |"), "cps:read", "GET /correlations", "GET /firmware"],
];

/** Every documented route that requires a caller. */
export const ROUTES: readonly DocumentedRoute[] = [
  ...[...AUTHENTICATION, ...ALERTS, ...CASES, ...AGENTS, ...SIEM, ...DETECTIONS, ...RESPONSE].flatMap(
    ([row, needs, ...routes]) => routes.map((route) => ({ row, route, needs })),
  ),
];

/** The two documented routes that require none. */
export const PUBLIC_ROUTES: readonly DocumentedRoute[] = [
  {
    row: quote(
      "| POST | /auth/token | none (public) | username, password | access_token (string), token_type (bearer) |",
    ),
    route: "POST /auth/token",
    needs: "public",
  },
  {
    row: quote("| GET | /health (outside /api/v1) | none (public) | nothing | health status |"),
    route: "GET /health",
    needs: "public",
  },
];
