import { describe, expect, it } from "vitest";
import { toLog } from "./normalise.ts";

const ARRIVAL = { id: "1", site: "hq", ingested_at: "2026-05-01T08:00:00.000Z", raw: "raw" };

// Samples from the public documentation of each product, shortened.
const CLOUDTRAIL = {
  eventTime: "2026-04-30T10:11:12Z",
  eventSource: "ec2.amazonaws.com",
  eventName: "DescribeInstances",
  sourceIPAddress: "192.0.2.9",
  errorCode: "Client.UnauthorizedOperation",
  userIdentity: { type: "IAMUser", userName: "alice" },
};
const ZEEK = {
  ...{ _path: "conn", ts: 1_777_543_872.5, proto: "tcp", service: "ssl", conn_state: "SF" },
  ...{ "id.orig_h": "10.0.0.1", "id.orig_p": 50_022, "id.resp_h": "2001:0db8::7", "id.resp_p": 443 },
};
const OKTA = {
  ...{ eventType: "user.session.start", displayMessage: "User login to Okta", published: "2026-04-30T10:11:12Z" },
  ...{ actor: { alternateId: "ada@corp.example" }, client: { ipAddress: "192.0.2.9" }, outcome: { result: "FAILURE" } },
};
const KUBERNETES = {
  ...{ kind: "Event", verb: "create", user: { username: "system:admin" }, sourceIPs: ["10.0.0.7", "10.0.0.8"] },
  objectRef: { resource: "pods", subresource: "exec", namespace: "prod", name: "web-1" },
  ...{ responseStatus: { code: 403 }, requestReceivedTimestamp: "2026-04-30T10:11:12.000000Z" },
};

describe("summarise, for an event without a message", () => {
  it.each([
    [
      "CloudTrail",
      CLOUDTRAIL,
      "DescribeInstances ec2.amazonaws.com by alice from 192.0.2.9: Client.UnauthorizedOperation",
    ],
    ["Zeek", ZEEK, "conn tcp ssl from 10.0.0.1:50022 to [2001:db8::7]:443: SF"],
    ["Okta", OKTA, "User login to Okta"],
    ["Kubernetes", KUBERNETES, "create pods exec prod web-1 by system:admin from 10.0.0.7: 403"],
    ["CEF", { name: "SQL Injection", src_ip: "192.0.2.9" }, "SQL Injection from 192.0.2.9"],
    ["a Windows event", { Channel: "Security", EventID: 1102, SubjectUserName: "ada" }, "event 1102 by ada"],
    ["nothing that is known", { answer: 42 }, ""],
  ])("returns one line for %s", (_product, event, message) => {
    expect(toLog(event, ARRIVAL).message).toBe(message);
  });

  it("returns one line of bounded length, whatever the values contain", () => {
    const { message } = toLog({ eventName: `a\n${"b".repeat(10_000)}`, user: "c\td" }, ARRIVAL);
    expect(message).toMatch(/^a b+ by c d$/);
    expect(message.length).toBeLessThan(500);
  });

  it("fills the fields that these products name differently", () => {
    expect(toLog(OKTA, ARRIVAL)).toMatchObject({
      ...{ timestamp: "2026-04-30T10:11:12.000Z", action: "user.session.start", outcome: "FAILURE" },
      ...{ user: "ada@corp.example", src_ip: "192.0.2.9" },
    });
    expect(toLog(KUBERNETES, ARRIVAL)).toMatchObject({
      ...{ timestamp: "2026-04-30T10:11:12.000Z", action: "create", user: "system:admin", src_ip: "10.0.0.7" },
      attributes: { sourceIPs: ["10.0.0.7", "10.0.0.8"] },
    });
  });
});
