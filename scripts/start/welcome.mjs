/** The path of the example that places a call. */
const CALL_PATH = "/call-a-customer";

/**
 * The text that is printed once the flows run. Its curl line is a whole command.
 * @param calls the page that shows the calls, if any
 */
export function welcome({ port, secret, calls, flows }) {
  const url = `http://127.0.0.1:${port}`;
  const off = new Set(flows.filter(({ d, disabled }) => d || disabled).map(({ id }) => id));
  const placesCalls = flows.some(
    ({ id, z, type, method, url: path }) =>
      type === "http in" && method === "post" && path === CALL_PATH && !off.has(id) && !off.has(z),
  );
  const lines = ["", `Open ${url}/ for the flows.`];
  if (placesCalls) lines.push(`Open ${url}${CALL_PATH}#${encodeURIComponent(secret)} for the form that places a call.`);
  if (calls) lines.push(`Open ${calls} to see the calls (${calls}/calls as JSON). No phone rings.`);
  if (placesCalls) {
    const header = quoted(`X-Call-Secret: ${secret}`);
    lines.push("Or place a call from another terminal:", "");
    lines.push(`curl -i -H ${header} -d "name=Ada" -d "number=0000000000" ${url}${CALL_PATH}`);
  }
  return `${[...lines, "", "Ctrl+C ends it.", ""].join("\n")}\n`;
}

/** In double quotes, which every shell accepts; a secret with characters that are special in them is quoted for POSIX. */
function quoted(word) {
  return /["$`\\!%]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
