import type { Envelope } from "./envelope";
import type { Job } from "./job";

/** What a tenant would have answered, in log mode: a created schedule comes with an id that no schedule has. */
export function loggedEnvelope({ request, action }: Job): Envelope {
  const body = request.method === "POST" ? request.body : {};
  const now = new Date().toISOString().replace("Z", "000Z");
  const created = { name: body["name"], enable: body["enabled"], updated_at: now, created_at: now, id: 0 };
  return {
    success: true,
    code: 200,
    locale: "en",
    message: "OK",
    data: action === "business-hour-create" ? created : null,
  };
}
