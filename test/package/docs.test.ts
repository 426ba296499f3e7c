import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { help } from "../../src/build/help";
import { CODES } from "../../src/client/errors";
import { operations } from "../../src/client/operations";
import { lint } from "../../src/workshop/lint";
import { RULES } from "../../src/workshop/lint/rules";
import { ACTIONS, completed, NODE_TYPES, NODES, WITH_INPUT } from "../support/node-types";
import { root } from "../support/root";

const files = (...patterns: string[]) => globSync(patterns, { cwd: root }).map((file) => file.replaceAll("\\", "/"));

const pages = files("*.md", "docs/**/*.md", ".github/**/*.md", "bench/*.md").sort();

const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  readonly repository: { readonly url: string };
  readonly files: readonly string[];
};

/** Where the repository's files are served as they are. */
const RAW = `${manifest.repository.url.replace("git+https://github.com", "https://raw.githubusercontent.com").replace(/\.git$/, "")}/main/`;

const PAGES = RAW.replace("raw.githubusercontent.com", "github.com").replace(/main\/$/, "blob/main/");

/** The text without its code. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`\n]*`/g, "");
}

/** Where links, images and pictures of a text lead. */
function targets(text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^()\s]+)\)|<[^>]*?\b(?:src|srcset|href)="([^"]+)"/g)];
  return links.map(([, markdown, html]) => markdown ?? html ?? "");
}

/** The anchors that GitHub makes of the headings. */
function anchors(text: string): string[] {
  const seen = new Map<string, number>();
  return [...text.replaceAll(/^```.*?^```/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** The cells of the table behind a heading, row by row. */
function tableAt(page: string, heading: string): string[][] {
  const [section = ""] = (read(page).split(`# ${heading}\n`)[1] ?? "").split(/^#+ /m);
  return [...section.matchAll(/^\| ([^-].*) \|$/gm)].slice(1).map(([, row = ""]) => row.split(" | "));
}

/** The tables of a page whose first column has what is declared. */
const TABLES: readonly (readonly [page: string, heading: string, names: readonly string[]])[] = [
  ["README.md", "Nodes", NODE_TYPES],
  ["docs/contract/README.md", "Package and nodes", NODE_TYPES],
  ["docs/contract/values.md", "Requests", [...ACTIONS.map(({ type }) => type), "business-hour-ensure"]],
  ["docs/contract/command.md", "Lint", Object.keys(RULES)],
];
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`);
const PATHS = Object.values(operations).map(({ path }) => path.replace(":id", "{id}"));
/** What else is written by hand for each node and operation: a new one needs all of it. */
const PLACES: readonly (readonly [file: string, names: readonly string[]])[] = [
  ...files("locales/*/telephony.json").map((file) => [file, quoted(NODE_TYPES)] as const),
  ["docs/service-interface.md", PATHS.map((path) => path.replace("{id}", ":id"))],
  ["src/sandbox/service/call-actions.ts", quoted(PATHS.flatMap((path) => path.split("/api/v1/call/")[1] ?? []))],
  ["test/interface/openapi.yaml", PATHS.map((path) => `\n  ${path}:`)],
  ["test/interface/requests.ts", quoted(ACTIONS.map(({ type }) => type))],
  ["test/soak/support/fuzzed-nodes.ts", quoted(WITH_INPUT)],
];

const isShipped = (path: string) =>
  ["README.md", "LICENSE", ...manifest.files].some((file) => path === file || path.startsWith(`${file}/`));
const isAddress = (target: string) => /^[a-z]+:/.test(target);

describe("the documentation", () => {
  it("has a current page for every node", () => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/docs.mjs", "--check"], {
      cwd: root,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
  });

  it("has an llms.txt whose links lead to files, one for each page, node and example", () => {
    const text = read("llms.txt");
    assert.match(text, /^# [^\n]+\n\n> [^\n]+\n/);
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, link = ""]) => decodeURIComponent(link));
    assert.equal(links.length, text.match(/^- /gm)?.length, "every link has a description");
    const named = links.map((link) => (link.startsWith(RAW) ? link.slice(RAW.length) : link));
    for (const file of named) assert.ok(existsSync(join(root, file)), file);
    for (const link of links.filter((link) => !isAddress(link)))
      assert.ok(isShipped(link), `${link} is not in the package`);
    for (const page of ["calls", "contract/README", "rehearse"]) assert.ok(links.includes(`docs/${page}.md`), page);
    const expected = files("docs/*.md", "docs/{contract,nodes}/*.md", "examples/*.json").filter(
      (file) => file !== "docs/README.md",
    );
    assert.deepEqual(
      expected.filter((file) => !named.includes(file)),
      [],
    );
    for (const type of NODE_TYPES) assert.ok(links.includes(`dist/schema/${type}.json`), type);
  });

  it("has an llms.txt whose flow is free of findings", () => {
    const [, flow = ""] = /```json\n(.*?)```/s.exec(read("llms.txt")) ?? [];
    const nodes = JSON.parse(flow) as readonly { id: string; type: string }[];
    assert.ok(nodes.some(({ type }) => type === "call-out"));
    assert.deepEqual(lint([{ file: "", nodes }], NODES), []);
  });

  for (const page of pages) {
    it(`${page} leads somewhere with every link, anchor and picture`, () => {
      for (const target of targets(read(page))) {
        if (isAddress(target)) {
          assert.equal(new URL(target).protocol, "https:", target);
          continue;
        }
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? page : posix.join(posix.dirname(page), decodeURIComponent(path));
        assert.ok(existsSync(join(root, file)), `${target}: there is no ${file}`);
        if (isShipped(page)) assert.ok(isShipped(file), `${target}: ${file} is not in the package`);
        if (anchor !== undefined) assert.ok(anchors(read(file)).includes(anchor), `${target}: no such heading`);
      }
    });
  }

  it("links only absolute addresses in a help text: the sidebar has no base folder", () => {
    for (const language of files("locales/*"))
      for (const node of NODES)
        for (const target of targets(help(join(root, language), node)))
          assert.match(target, /^https:\/\//, `${node.type} in ${language}`);
  });

  /*
   * npm and the flow library show the README without the repository around it. The flow library reads only this form of the
   * repository's address, and expects images on a branch that this repository does not have.
   */
  it("has a README whose links and pictures work where npm and the flow library show it", () => {
    assert.match(manifest.repository.url, /^git\+https:\/\/github\.com\/[\w-]+\/[\w-]+\.git$/);
    const all = targets(read("README.md"));
    assert.deepEqual(
      all.filter((target) => !isAddress(target)),
      [],
      "Links must be absolute",
    );
    for (const page of all.filter((target) => target.startsWith(PAGES))) {
      const [path = "", anchor] = page.slice(PAGES.length).split("#");
      assert.ok(existsSync(join(root, path)) && statSync(join(root, path)).isFile(), page);
      if (anchor !== undefined) assert.ok(anchors(read(path)).includes(anchor), page);
    }
    const shown = all.filter((target) => /\.(png|gif|svg)$/.test(target));
    assert.ok(shown.length > 3);
    for (const picture of shown) {
      assert.ok(picture.startsWith(RAW), picture);
      assert.ok(existsSync(join(root, picture.slice(RAW.length))), picture);
    }
  });

  it("has no line break in a field of one line of an example, which loses it as soon as somebody edits it", () => {
    const texts = files("examples/*.json").flatMap((file) =>
      (JSON.parse(read(file)) as { rules?: { to: string; tot: string }[] }[])
        .flatMap(({ rules = [] }) => rules)
        .flatMap(({ to, tot }) => (tot === "str" ? [to] : [])),
    );
    assert.deepEqual(
      texts.filter((text) => /[\r\n]/.test(text)),
      [],
    );
  });

  it("has a README that lists the examples in the order of the menu", () => {
    const labels = files("examples/*.json")
      .sort()
      .map(
        (file) =>
          (JSON.parse(read(file)) as { type: string; label?: string }[]).find(({ type }) => type === "tab")?.label,
      );
    const rows = [...read("README.md").matchAll(/^\| \*(.+?)\* \|/gm)].map(([, label]) => label);
    assert.deepEqual(rows, labels);
  });

  it("has a contract in chapters of at most 2,500 words, each in its index", () => {
    const chapters = files("docs/contract/*.md");
    const index = targets(read("docs/contract/README.md")).map((target) => `docs/contract/${target}`);
    completed(
      "the list in docs/contract/README.md",
      chapters.filter((file) => !file.endsWith("/README.md")),
      index.filter((file) => chapters.includes(file)),
    );
    const left = chapters.map((file) => [2_500 - read(file).trim().split(/\s+/).length, file] as const);
    const [[least, longest] = []] = left.toSorted(([a], [b]) => a - b);
    console.log(`      ${longest}: ${least} words left`);
    assert.deepEqual(
      left.filter(([words]) => words < 0),
      [],
    );
  });

  it("names all that is declared in each place that lists it, and nothing else in a table", () => {
    const gaps = TABLES.flatMap(([page, heading, names]) => {
      const cells = tableAt(page, heading).map(([cell = ""]) => cell);
      const rows = cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name));
      return [
        ...names.filter((name) => !rows.includes(name)).map((name) => `${page}, ${heading}: add ${name}`),
        ...rows.filter((name) => !names.includes(name)).map((name) => `${page}, ${heading}: remove ${name}`),
      ];
    });
    const missing = PLACES.flatMap(([file, names]) => {
      const text = read(file);
      return names.filter((name) => !text.includes(name)).map((name) => `${file}: add ${name}`);
    });
    assert.deepEqual([...gaps, ...missing], []);
  });

  it("says of each error code in the contract what its row in src/client/errors.ts says", () => {
    const codesIn = (text: string) => [...text.matchAll(/ERR_\w+/g)].map(String);
    const said = tableAt("docs/contract/messages.md", "Error codes").flatMap(([codes = "", , outcome, again = ""]) =>
      codesIn(codes).map(
        (code) => `${code}: ${outcome}, ${again.includes(";") ? "the case says" : again.split(":")[0]}`,
      ),
    );
    const rows = Object.entries(CODES).map(([code, { outcome, again }]) => {
      return `${code}: ${outcome === "after bytes" ? "unknown; GET: not-applied" : outcome}, ${again}`;
    });
    assert.deepEqual(said.sort(), rows.sort());
    const answers = tableAt("docs/contract/webhook.md", "The answer").find(([what = ""]) => what.startsWith("`ERR_"));
    const statuses = [...(answers?.[0] ?? "").matchAll(/((?:`ERR_\w+`,? )+)(\d+)/g)];
    assert.deepEqual(
      statuses.flatMap(([, codes = "", status]) => codesIn(codes).map((code) => `${code} ${status}`)).sort(),
      Object.entries(CODES)
        .flatMap(([code, { status }]) => (status === undefined ? [] : [`${code} ${status}`]))
        .sort(),
    );
  });

  for (const page of ["SECURITY.md", "CONTRIBUTING.md", "docs/faults.md", "docs/message-path.md"]) {
    it(`names files in ${page} that exist`, () => {
      const named = [...read(page).matchAll(/`((?:test|src|nodes)\/[^`<*]+)`/g)].map(([, path = ""]) => path);
      assert.ok(named.length > 0);
      for (const path of named) assert.ok(files(path).length > 0, path);
    });
  }
});
