import { transformSync } from "esbuild";
import { BuildError } from "./build-error";
import { TARGET } from "./bundle";
import { packed, unpacked } from "./packed-rows";

const PART = /(<script type="text\/(javascript|html)"[^>]*>)([\s\S]*?)(<\/script>)/g;

/** Takes out of a dialog what only we read: every editor loads it when it starts. */
export function squeezed(html: string): string {
  const parts = html.replace(PART, (_, open: string, kind: string, inner: string, close: string) => {
    return open + (kind === "html" ? smallMarkup(inner) : smallScript(inner)) + close;
  });
  return withoutLines(parts);
}

/** Names stay, since the flow library reads `registerType` from the scripts. */
function smallScript(code: string): string {
  return transformSync(code, {
    minifyWhitespace: true,
    minifySyntax: true,
    target: TARGET,
    charset: "utf8",
  }).code.trim();
}

/** Blanks within a line may stand between words. */
function smallMarkup(html: string): string {
  const bare = withoutLines(html.replace(/<!--[\s\S]*?-->/g, ""));
  const small = bare.replace(/<[^>]+>/g, (tag) => tag.replace(/="([^\s"'=<>`]+)"/g, "=$1"));
  const shipped = packed(small);
  if (unpacked(shipped) !== small) throw new BuildError("has what the editor would take for the mark of a row");
  return shipped;
}

function withoutLines(html: string): string {
  return html.replace(/>\s*\n\s*</g, "><").trim();
}
