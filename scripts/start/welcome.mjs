/** The path of the example that places a call. */
const CALL_PATH = "/call-a-customer";

/** What is printed once the flows run. The curl line is a whole command, in a quoting that every shell knows. */
export function welcome({ port, secret, sandboxPort, flows }) {
  const url = `http://127.0.0.1:${port}`;
  const sandbox = `http://127.0.0.1:${sandboxPort}/sandbox`;
  const placesCalls = flows.some(
    ({ type, method, url: path }) => type === "http in" && method === "post" && path === CALL_PATH,
  );
  const lines = ["", `Open ${url}/ for the flows.`];
  if (placesCalls) lines.push(`Open ${url}${CALL_PATH}#${encodeURIComponent(secret)} for the form that places a call.`);
  if (sandboxPort) lines.push(`Open ${sandbox} to see the calls (${sandbox}/calls as JSON). No phone rings.`);
  if (placesCalls) {
    lines.push("Or place a call from another terminal:", "");
    lines.push(`curl -i -H "X-Call-Secret: ${secret}" -d "name=Ada" -d "number=0000000000" ${url}${CALL_PATH}`);
  }
  return `${[...lines, "", "Ctrl+C ends it.", ""].join("\n")}\n`;
}
