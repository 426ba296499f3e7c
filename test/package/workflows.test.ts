import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { root } from "../support/root";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly options?: readonly string[] };
    readonly validations?: { readonly required?: boolean };
  }[];
}

const folder = join(root, ".github");
const text = (file: string) => readFileSync(join(folder, file), "utf8");
const yaml = <T>(file: string) => load(text(file)) as T;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly bugs: { readonly url: string };
  readonly "node-red": { readonly nodes: object };
};

const workflows = readdirSync(join(folder, "workflows")).map((file) => ({
  file,
  source: text(`workflows/${file}`),
  ...yaml<Workflow>(`workflows/${file}`),
}));
const workflow = (file: string) => {
  const found = workflows.find((one) => one.file === file);
  assert.ok(found, `There is no workflow ${file}`);
  return found;
};

describe("the workflows of GitHub", () => {
  for (const { file, source, permissions, jobs } of workflows) {
    describe(file, () => {
      it("uses actions by their full commit only, and says which version that is", () => {
        const uses = source.split("\n").filter((line) => /\buses:/.test(line) && !/uses: \.\//.test(line));
        for (const line of uses) {
          assert.match(line, /uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, line.trim());
        }
      });

      it("may read the repository and nothing else, but for who publishes", () => {
        assert.deepEqual(permissions, { contents: "read" });
        const more = Object.entries(jobs).filter(([, job]) => job.permissions);
        for (const [job, { permissions: own }] of more) {
          assert.deepEqual([file, job, own], ["release.yml", "publish", { contents: "read", "id-token": "write" }]);
        }
      });

      it("puts nothing that a stranger can write into a command", () => {
        const commands = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = "" }) => run));
        for (const command of commands) assert.doesNotMatch(command, /\$\{\{(?!\s*matrix\.)/);
      });

      it("gives no job for ever", () => {
        for (const [job, { uses, "timeout-minutes": minutes = 0 }] of Object.entries(jobs)) {
          if (!uses) assert.ok(minutes > 0 && minutes <= 40, job);
        }
      });
    });
  }

  it("know one commit of an action", () => {
    const commits = new Map<string, Set<string>>();
    for (const [, action = "", commit = ""] of workflows.flatMap(({ source }) => [
      ...source.matchAll(/uses: ([^@\s]+)@(.+)$/gm),
    ])) {
      commits.set(action, (commits.get(action) ?? new Set()).add(commit));
    }
    assert.ok(commits.size > 0);
    for (const [action, known] of commits) assert.equal(known.size, 1, `${action}: ${[...known].join(", ")}`);
  });

  it("run everything, and every row of the matrix", () => {
    const { on, jobs } = workflow("tests.yml");
    assert.ok("push" in on && "pull_request" in on);
    assert.ok(jobs["everything"]?.steps?.some(({ run }) => run === ".ci/run"));
    const rows = JSON.parse(readFileSync(join(root, "scripts/matrix.json"), "utf8")) as { name: string }[];
    assert.deepEqual(
      jobs["matrix"]?.strategy?.matrix["row"],
      rows.map(({ name }) => name),
    );
    assert.ok(jobs["matrix"]?.steps?.some(({ run }) => run?.startsWith("npm run test:matrix -- --row")));
  });

  it("publish a tag with its provenance, after the tests and without a token", () => {
    const { on, jobs, source } = workflow("release.yml");
    assert.deepEqual(on, { push: { tags: ["v*"] } });
    assert.equal(jobs["tests"]?.uses, "./.github/workflows/tests.yml");
    assert.equal(jobs["publish"]?.needs, "tests");
    assert.ok(jobs["publish"]?.steps?.some(({ run }) => run?.startsWith("npm publish --provenance")));
    assert.doesNotMatch(source, /secrets\.|NODE_AUTH_TOKEN/);
  });
});

describe("the issue forms", () => {
  const forms = readdirSync(join(folder, "ISSUE_TEMPLATE")).filter((file) => file !== "config.yml");
  const field = (form: Form, id: string) => form.body.find((one) => one.id === id);

  for (const file of forms) {
    it(`${file} is one that GitHub shows: named, described, with fields that have ids of their own`, () => {
      const { name, description, body } = yaml<Form>(`ISSUE_TEMPLATE/${file}`);
      assert.ok(name && description);
      const fields = body.filter(({ type }) => type !== "markdown");
      assert.ok(fields.length > 0);
      for (const { type, id, attributes } of fields) {
        assert.ok(["input", "textarea", "dropdown", "checkboxes"].includes(type), type);
        assert.ok(id && attributes.label);
      }
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
    });
  }

  it("ask for versions, node, mode, error code and what was expected", () => {
    const bug = yaml<Form>("ISSUE_TEMPLATE/bug.yml");
    for (const id of ["version", "node-red", "node", "mode", "happened"]) {
      assert.equal(field(bug, id)?.validations?.required, true, id);
    }
    assert.ok(field(bug, "code"));
  });

  it("send reports of weaknesses to SECURITY.md", () => {
    const config = yaml<{ blank_issues_enabled: boolean; contact_links: { url: string; about: string }[] }>(
      "ISSUE_TEMPLATE/config.yml",
    );
    assert.equal(config.blank_issues_enabled, false);
    const [link] = config.contact_links;
    assert.equal(link?.url, manifest.bugs.url.replace(/issues$/, "security/policy"));
    assert.match(link.about, /SECURITY\.md/);
    assert.ok(existsSync(join(root, "SECURITY.md")));
  });
});

it("dependabot looks after the commits of the actions", () => {
  const { updates } = yaml<{ updates: { "package-ecosystem": string }[] }>("dependabot.yml");
  assert.ok(updates.some((update) => update["package-ecosystem"] === "github-actions"));
});
