import { request } from "node:https";
import { makeRequest } from "@soc/service/testing/harness/devices-world";

export interface EnrolledDevice {
  device_id: string;
  certificate: string;
  authority: string;
  key: string;
}

/** Enrols like a device: requests a certificate from the device server with the code. */
export async function enrolDevice(port: number, code: string): Promise<EnrolledDevice> {
  const { csr, key } = await makeRequest();
  const body = JSON.stringify({ code, csr });
  const text = await new Promise<string>((resolve, reject) => {
    const options = {
      ...{ host: "localhost", port, path: "/enrol", method: "POST" },
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      // A new device knows the authority by its fingerprint only; here its answer is enough.
      rejectUnauthorized: false,
    };
    const sent = request(options, (response) => {
      let received = "";
      response.on("data", (part) => {
        received += String(part);
      });
      response.on("end", () =>
        response.statusCode === 201 ? resolve(received) : reject(new Error(`${response.statusCode} ${received}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
  return { ...(JSON.parse(text) as Omit<EnrolledDevice, "key">), key };
}
