import { deepEqual, equal } from "node:assert/strict";
import { parseRedisAddress, type RedisAddress } from "../../../src/backlog/redis/address";

const PLAIN = {
  sentinel: undefined,
  isCluster: false,
  tls: false,
  username: undefined,
  password: undefined,
  database: 0,
};
const at = (host: string, port = 6379) => ({ hosts: [{ host, port }] });

describe("the address of Redis", () => {
  const GOOD: readonly [text: string, address: Partial<RedisAddress>][] = [
    ["redis://localhost", at("localhost")],
    ["redis://192.0.2.1:6380/", at("192.0.2.1", 6380)],
    ["redis://[::1]:6380/3", { ...at("::1", 6380), database: 3 }],
    ["rediss://redis.example.com/15", { ...at("redis.example.com"), tls: true, database: 15 }],
    ["redis://:secret@redis.example.com", { ...at("redis.example.com"), password: "secret" }],
    ["redis://calls@redis.example.com", { ...at("redis.example.com"), username: "calls" }],
    ["redis://calls:s%40%2F:x@a.example.com", { ...at("a.example.com"), username: "calls", password: "s@/:x" }],
    ["redis://calls:a@b/c#d?e@a.example.com", { ...at("a.example.com"), username: "calls", password: "a@b/c#d?e" }],
    [
      "redis+sentinel://calls:secret@a.example.com,b.example.com:26380/main/2",
      {
        hosts: [
          { host: "a.example.com", port: 26_379 },
          { host: "b.example.com", port: 26_380 },
        ],
        sentinel: "main",
        username: "calls",
        password: "secret",
        database: 2,
      },
    ],
    [
      "redis+cluster://calls:secret@a.example.com,b.example.com:7001",
      {
        hosts: [
          { host: "a.example.com", port: 6379 },
          { host: "b.example.com", port: 7001 },
        ],
        isCluster: true,
        username: "calls",
        password: "secret",
      },
    ],
    ["redis+sentinel://a.example.com/main", { ...at("a.example.com", 26_379), sentinel: "main" }],
  ];
  for (const [text, address] of GOOD)
    it(`reads ${text}`, () => deepEqual(parseRedisAddress(text), { ...PLAIN, ...address }));

  const BAD = [
    "",
    "redis.example.com",
    "redis.example.com:6379",
    "redis:",
    "redis://",
    "redis:///0",
    "http://redis.example.com",
    "redis://a.example.com,b.example.com",
    "redis://redis.example.com/name",
    "redis://redis.example.com:0",
    "redis://redis.example.com:65536",
    "redis://redis.example.com:port",
    "redis://redis.example.com?db=1",
    "redis://redis.example.com#1",
    "redis://two words",
    "redis://:100%@redis.example.com",
    "redis+cluster://",
    "redis+cluster://a.example.com/1",
    "redis+cluster://a.example.com/name",
    "redis+sentinel://a.example.com",
    "redis+sentinel://a.example.com/",
    "redis+sentinel://a.example.com,/main",
    "redis+sentinel://a.example.com/main/two",
  ];
  for (const text of BAD) it(`refuses ${text || "none"}`, () => equal(parseRedisAddress(text), undefined));
});
