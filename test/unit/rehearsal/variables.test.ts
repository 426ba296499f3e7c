import assert from "node:assert/strict";
import { join } from "node:path";
import { maskOf, maskPath } from "../../../src/workshop/admin/rehearsal/secrets";
import { findNodeRed } from "../../../src/workshop/rehearsal/find-node-red";
import { prepare } from "../../../src/workshop/rehearsal/prepare";
import { namedIn } from "../../../src/workshop/rehearsal/variables";
import { readWorld } from "../../../src/workshop/rehearsal/world";
import { temporaryFolder } from "../../support/process/user-folder";

describe("the variables of a rehearsal", () => {
  it("are those that the flows name whole", () => {
    const nodes = [
      { id: "a", name: "NO", info: "NO, either", url: `https://\${HOST}/\${PATH_OF}`, func: 'env.get("READ")' },
      { expression: '$env("QUERIED")', template: "{{env.SHOWN}}", toNumber: "TYPED", toNumberType: "env" },
      { rules: [{ t: "set", to: "SET", tot: "env" }], props: [{ v: "SENT", vt: "env" }] },
      { env: [{ name: "NO", type: "env", value: "PASSED" }] },
    ];
    const named = ["HOST", "PATH_OF", "READ", "QUERIED", "SHOWN", "TYPED", "SET", "SENT", "PASSED"];
    assert.deepEqual([...namedIn(nodes)].sort(), named.sort());
  });

  it("fill headers and queries of inputs, in the order of the contract", async () => {
    const flows = [
      {
        id: "tab",
        type: "tab",
        env: [
          { name: "SECRET", type: "cred" },
          { name: "OWN", type: "str", value: "of & tab" },
        ],
      },
      { id: "a", type: "debug", name: `\${OWN}` },
    ];
    const gaps = `\${WORLD} \${OWN} \${SECRET} \${GONE}`;
    const inputs = [{ at: "09:00", post: `/\${WORLD}?a=\${OWN}`, headers: { a: gaps } }];
    const running = { folder: undefined, nodesExcludes: [], functionExternalModules: true, env: {}, credentials: [] };
    const { plan } = await prepare({ flows, running, world: { env: { WORLD: "of world" }, inputs } });
    const [input] = plan.inputs;
    assert.equal(input?.path, `/\${WORLD}?a=of%20%26%20tab`);
    assert.match(input.headers["a"] ?? "", /^of world of & tab [\w-]{24} \$\{GONE\}$/);
  });

  it("do not include, in a world that is a file, what Node.js itself reads", () => {
    const names = "NODE_OPTIONS openssl_conf SSL_CERT_FILE LD_PRELOAD DYLD_X Uv_X MALLOC_X GLIBC_TUNABLES".split(" ");
    for (const name of names)
      assert.throws(() => readWorld({ env: { [name]: "x" } }), new RegExp(`The env.${name} field is not allowed`));
  });

  it("take the place of secrets that were received, also of those with =, + and behind a second ?", () => {
    const secrets: [string, string][] = [
      ["TOKEN", "a=b=="],
      ["KEY", "k?y"],
      ["PLUS", "a+b/"],
      ["LONG", "long enough to stand within a text"],
    ];
    const mask = maskOf(secrets);
    assert.equal(maskPath("/in?a=a=b==&b=1?2&c=k?y", mask), `/in?a=\${TOKEN}&b=1?2&c=\${KEY}`);
    assert.equal(maskPath("/in?a=a+b/&b=a%2Bb%2F", mask), `/in?a=\${PLUS}&b=\${PLUS}`);
    const body = { a: ["a=b==", "no a=b=="], [`the ${secrets[3]?.[1]}`]: 1 };
    assert.deepEqual(mask(body), { a: [`\${TOKEN}`, "no a=b=="], [`the \${LONG}`]: 1 });
  });
});

describe("the Node-RED of a rehearsal", () => {
  it("may lie beside this package", () => {
    const { PATH } = process.env;
    const cwd = process.cwd();
    process.chdir(temporaryFolder());
    process.env["PATH"] = "";
    try {
      assert.ok(findNodeRed(undefined).folder.endsWith(join("node_modules", "node-red")));
    } finally {
      process.env["PATH"] = PATH;
      process.chdir(cwd);
    }
  });
});
