import { BuildError } from "./build-error";
import type { Catalogue } from "./catalogue";
import { defaults } from "./defaults";
import type { NodeProperty } from "./node-properties";
import { row } from "./rows";
import { SHARED_MARK } from "./shared-texts";

/** What a dialog's marks may speak of. */
export interface Sources {
  /** The node's properties; a node that is no action has none that the build knows. */
  readonly properties: readonly NodeProperty[];
  readonly catalogue: Catalogue;
  /** The code and styles that the dialogs share. */
  readonly editor: () => string;
}

const MARK = /^([ \t]*)(.*?)\{\{\s*(\w+)\s*([\s\S]*?)\s*\}\}/gm;

/**
 * Expands the marks of a dialog:
 * - `{{defaults}}`: all properties of the node. Start values of a node from the palette may follow as JSON members.
 * - `{{field to.number fa-phone}}`: the row of a field of the interface, with an icon.
 * - `{{row target fa-…}}`: the row of another property of the node.
 * - `{{editor}}`: the code and styles that all dialogs share, once for the package.
 * Whatever stands in `data-i18n` must be in the catalogue, the node's own or the shared one, and a shared text is marked.
 * @throws BuildError
 */
export function expand(html: string, { properties, catalogue, editor }: Sources): string {
  if (html.includes(SHARED_MARK)) throw new BuildError(`has a ${SHARED_MARK}, which would be taken for a shared text`);
  const expanded = html.replace(MARK, (mark, indent: string, before: string, name: string, rest: string) => {
    const text = within(mark.trim(), () => replacement(name, rest));
    return indent + before + text;
  });
  const stray = /\{\{.*/.exec(html.replace(MARK, ""));
  if (stray) throw new BuildError(`cannot read the mark ${stray[0]}`);
  for (const entry of properties) {
    const { property, field } = entry;
    const mark = field?.name ? `{{field ${field.name} fa-…}}` : `{{row ${property} fa-…}}`;
    if (!hasRow(expanded, entry)) throw new BuildError(`has no row for ${field?.name ?? property}: write ${mark}`);
  }
  return withKeys(expanded, catalogue);

  function replacement(name: string, rest: string): string {
    const [wanted = "", icon] = rest.split(/\s+/);
    switch (name) {
      case "defaults":
        return defaults(properties, starts(rest));
      case "field":
        return row(
          find(({ field }) => field?.name === wanted, `no field ${wanted}`),
          icon,
          catalogue,
        );
      case "row":
        return row(
          find(({ property, field }) => property === wanted && field?.name === undefined, `no property ${wanted}`),
          icon,
          catalogue,
        );
      case "editor":
        return editor();
      default:
        throw new BuildError(`is no mark: there are defaults, field, row and editor`);
    }
  }

  function find(matches: (entry: NodeProperty) => boolean, otherwise: string): NodeProperty {
    const found = properties.find(matches);
    if (!found) throw new BuildError(`names what the node does not have: ${otherwise}`);
    return found;
  }
}

function within<T>(mark: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BuildError ? new BuildError(`the mark ${mark.split("\n")[0]} ${error.message}`) : error;
  }
}

function starts(members: string): Record<string, unknown> {
  try {
    return JSON.parse(`{${members}}`);
  } catch {
    throw new BuildError("is not followed by JSON members");
  }
}

const hasRow = (html: string, { property }: NodeProperty) =>
  ["node-input", "node-config-input", "telephony"].some((prefix) => html.includes(`id="${prefix}-${property}"`));

function withKeys(html: string, catalogue: Catalogue): string {
  return html.replace(/data-i18n="([^"]*)"/g, (attribute, list: string) => {
    const keys = list.split(";").map((part) => {
      const [, target = "", key = ""] = /^(\[[\w-]+\])?(.*)$/.exec(part) ?? [];
      const found = catalogue.find(key);
      if (!found) throw new BuildError(`asks for a text that no catalogue has: ${attribute}`);
      return target + found;
    });
    return `data-i18n="${keys.join(";")}"`;
  });
}
