/**
 * Reads the help of a node as the editor shows it.
 * @returns its first paragraph, and the rest as plain Markdown under headings of the second level
 */
export function readHelp(help) {
  const [intro, ...rest] = help.trim().split("\n\n");
  return { intro: intro.replaceAll("\n", " "), rest: rest.map(plain).join("\n\n") };
}

/** Node-RED's own Markdown has lists of properties, `: name (type) : what it is`; elsewhere nobody knows them. */
function plain(block) {
  return block
    .split("\n")
    .map((line) => line.replace(/^### /, "## "))
    .map((line) => line.replace(/^: (\S.*?) \(([^)]*)\) : /, (_, names, types) => `- ${asCode(names)} *(${types})*: `))
    .join("\n");
}

function asCode(names) {
  return names
    .split(", ")
    .map((name) => `\`${name}\``)
    .join(", ");
}
