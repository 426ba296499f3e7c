import { basename } from "node:path";
import { RedisRefusal } from "../../backlog/redis/connection";
import { probeRedis } from "../../backlog/redis/open";
import { oneLine } from "../../fields";
import { telephonyFolder } from "../../runtime/delivery/unfinished-file";
import type { UsableTenant } from "../../runtime/tenants/chosen-tenant";
import { journalOf } from "../../runtime/tenants/engine";
import { asConfigProblem, loadIoredis } from "../../runtime/tenants/shared-engine";
import { joined } from "../../texts/catalogue";
import type { Line, Reader } from "./preview/answer";

/** Tests where the call-outs of a deployed tenant wait, and answers with what that promises or why it fails; nothing for simulated calls. */
export async function testEngine(reader: Reader, tenant: UsableTenant): Promise<Line | undefined> {
  const { client, mode, settings } = tenant;
  if (mode !== "live") return undefined;
  if (settings.engine === "redis") return testRedis(reader, settings.redisUrl);
  const problem = await client.opened;
  if (problem) return reader.problem(problem);
  const { failure, isDurable } = client.lanes;
  if (failure !== undefined) return failing(reader, failure);
  const kind = settings.engine || (isDurable === false ? "memory" : "file");
  const folder = telephonyFolder(reader.server);
  const file = kind === "file" && folder !== undefined ? basename(journalOf(folder, tenant)) : "";
  return { text: reader.text(`test.engine.${kind}`, { file }), kind: "fine" };
}

/** Connects to a Redis once. */
export async function testRedis(reader: Reader, url: string): Promise<Line> {
  try {
    const promise = await probeRedis(url, () => loadIoredis(reader.server));
    const texts = [reader.text("test.engine.redis"), reader.text(`test.promise.${promise}`)];
    return { text: joined(reader.text, "pattern.sentences", texts), kind: "fine" };
  } catch (error) {
    if (error instanceof RedisRefusal) return reader.problem(asConfigProblem(error));
    return failing(reader, reasonOf(error as NodeJS.ErrnoException));
  }
}

function failing(reader: Reader, reason: string): Line {
  return { text: reader.text("test.engine.fails", { reason }), kind: "problem" };
}

/** The message or the code of an error: Node leaves the message empty if each address of a host refuses. */
function reasonOf({ message, code }: NodeJS.ErrnoException): string {
  return oneLine(message || String(code)).slice(0, 200);
}
