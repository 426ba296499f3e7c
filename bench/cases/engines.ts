import { RedisServer } from "../../test/support/backlog/redis-server";
import { action, loop, tab, tenant } from "../flows";
import { NodeRed, Rounds, userFolder } from "../node-red";
import { atLeast, atMost, megabytes, type Section, short, type Target, table } from "../report";

/** Bounds of an engine: of call-out ÷ call-stop, and of call-out alone. */
interface Bounds {
  readonly rate?: number;
  readonly processor?: number;
  readonly resident?: number;
  readonly firstByteMs?: number;
  readonly perSecond?: number;
}

const BOUNDS: Readonly<Record<string, Bounds>> = {
  memory: { rate: 0.85, processor: 1.25, resident: 1.2 },
  file: { rate: 0.55, processor: 1.8, resident: 1.25, firstByteMs: 1, perSecond: 6000 },
  "redis, always": { firstByteMs: 1.6, perSecond: 3000 },
};

const CALL_STOP = { loop: "loop call-stop", payload: "call-stop" } as const;
const CALL_OUT = { loop: "loop call-out", payload: "call-out" } as const;
const LOAD = { inFlight: 32, forMs: 600 };

/** What it costs that call-outs wait, by the engine: call-out against call-stop, which never waits for a place. */
export async function engines(origin: string): Promise<Section> {
  const always = await RedisServer.start();
  const everysec = await RedisServer.start("--appendfsync", "everysec");
  const kinds: Readonly<Record<string, { engine: string; redisUrl?: string }>> = {
    memory: { engine: "memory" },
    file: { engine: "file" },
    "redis, always": { engine: "redis", redisUrl: always.url },
    "redis, everysec": { engine: "redis", redisUrl: everysec.url },
  };
  const unused = await NodeRed.start(userFolder());
  await unused.deploy(tab([tenant(origin), ...loop(action("call-stop"))]));
  await unused.run("measure", { ...CALL_STOP, ...LOAD });
  const { resident: ofCallStop } = await unused.memory();
  await unused.stop();
  const rows = [];
  const targets: Target[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    const nodeRed = await NodeRed.start(userFolder());
    const deploy = (subjects: readonly ("call-stop" | "call-out")[]) =>
      nodeRed.deploy(tab([tenant(origin, kind), ...subjects.flatMap((subject) => loop(action(subject)))]));
    await deploy(["call-out"]);
    const firstByte = await nodeRed.run("firstByte", { ...CALL_OUT, count: 500 });
    await nodeRed.run("measure", { ...CALL_OUT, ...LOAD });
    const { resident } = await nodeRed.memory();
    await deploy(["call-stop", "call-out"]);
    const contenders = { "call-stop": CALL_STOP, "call-out": CALL_OUT };
    const rounds = await new Rounds<keyof typeof contenders>().measure(nodeRed, contenders, LOAD);
    await nodeRed.stop();
    const perSecond = rounds.median("call-out", "perSecond");
    const rate = rounds.ratio("call-out", "call-stop", "perSecond");
    const processor = rounds.ratio("call-out", "call-stop", "processor");
    const memory = resident / ofCallStop;
    rows.push([
      name,
      short(firstByte),
      short(perSecond),
      short(rate),
      short(processor),
      megabytes(resident),
      short(memory),
    ]);
    const bounds = BOUNDS[name] ?? {};
    const what = `call-out, ${name}`;
    if (bounds.rate) targets.push(atLeast(`${what} ÷ call-stop, rate`, bounds.rate, rate));
    if (bounds.processor) targets.push(atMost(`${what} ÷ call-stop, processor time`, bounds.processor, processor));
    if (bounds.resident) targets.push(atMost(`${what} ÷ call-stop, resident memory`, bounds.resident, memory));
    if (bounds.firstByteMs) targets.push(atMost(`${what}: message to first byte`, bounds.firstByteMs, firstByte, "ms"));
    if (bounds.perSecond) targets.push(atLeast(`${what}: calls a second`, bounds.perSecond, perSecond));
  }
  await always.kill();
  await everysec.kill();
  const head = ["call-out", "first byte, ms", "a second", "÷ call-stop", "µs ÷ call-stop", "resident", "÷ call-stop"];
  return { title: "Engines", body: ["32 in flight.", table(head, rows)], targets };
}
