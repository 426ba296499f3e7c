import { callCard } from "./call-card";
import { requestRow } from "./request-row";

/*
 * The script of the sandbox's page. It loads `…/log` and `…/calls` below its own address, so the page works wherever
 * these are served beneath it.
 */

const SHOWN = 100;
const EVERY_MS = 2000;

// Where Node-RED needs a permission, its editor passes it as ?access_token=…; it is removed from the address at once.
const bearer = new URLSearchParams(location.search).get("access_token");
if (bearer) history.replaceState(null, "", location.pathname);

class NoPermission extends Error {}

let lastSeen = "";

async function read(name: string): Promise<string> {
  const address = new URL(location.href);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}/${name}`;
  address.search = `?limit=${SHOWN}`;
  const answer = await fetch(address, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  if (answer.status === 401 || answer.status === 403) throw new NoPermission();
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

function show<Item>(id: string, list: readonly Item[], draw: (item: Item) => HTMLElement): void {
  const newestFirst = list.slice(-SHOWN).reverse();
  element(id).replaceChildren(...newestFirst.map(draw));
  element(`${id}-none`).hidden = newestFirst.length > 0;
}

async function refresh(): Promise<void> {
  const status = element("status");
  try {
    const [calls, log] = await Promise.all([read("calls"), read("log")]);
    if (calls + log !== lastSeen) {
      show("calls", JSON.parse(calls), callCard);
      show("log", JSON.parse(log), requestRow);
      lastSeen = calls + log;
    }
    status.textContent = `as of ${new Date().toLocaleTimeString()}`;
    status.className = "soft";
  } catch (error) {
    status.textContent =
      error instanceof NoPermission
        ? "No permission to see this. Open the page again from where you are logged in."
        : "The sandbox does not answer.";
    status.className = "bad";
  }
}

function element(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

async function keepFresh(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void keepFresh(), EVERY_MS);
}

void keepFresh();
