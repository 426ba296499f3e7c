import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { help } from "../../src/build/help";
import { lint } from "../../src/workshop/lint";
import { NODE_TYPES, NODES } from "../support/node-types";
import { filesOf as files, root } from "../support/root";

const pages = files("*.md", "docs/**/*.md", ".github/**/*.md", "bench/*.md").sort();

const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  readonly repository: { readonly url: string };
  readonly files: readonly string[];
};

/** The address at which the repository's files are served as they are. */
const RAW = `${manifest.repository.url.replace("git+https://github.com", "https://raw.githubusercontent.com").replace(/\.git$/, "")}/main/`;

const PAGES = RAW.replace("raw.githubusercontent.com", "github.com").replace(/main\/$/, "blob/main/");

/** The text without its code. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`\n]*`/g, "");
}

/** Returns where links, images and pictures of a text lead. */
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

  it("has a README of at most 1,300 words", () => assert.ok(read("README.md").trim().split(/\s+/).length <= 1300));

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
    assert.deepEqual(
      chapters.filter((file) => !file.endsWith("/README.md") && !index.includes(file)),
      [],
    );
    const left = chapters.map((file) => [2_500 - read(file).trim().split(/\s+/).length, file] as const);
    const [[least, longest] = []] = left.toSorted(([a], [b]) => a - b);
    console.log(`      ${longest}: ${least} words left`);
    assert.deepEqual(
      left.filter(([words]) => words < 0),
      [],
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
