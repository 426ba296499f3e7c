/**
 * The script of the sandbox's page, for browsers. Everything that came with a request is set as text, never as markup.
 * It finds its data below its own address, so the page works wherever `…/log` and `…/calls` are served beneath it.
 */
export const pageScript = String.raw`
"use strict";
const shown = 100;
const openBodies = new Set();
let lastSeen = "";

// Where Node-RED wants a permission, its editor passes it on as ?access_token=…; it does not stay in the address.
const bearer = new URLSearchParams(location.search).get("access_token");
if (bearer) history.replaceState(null, "", location.pathname);

function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

function clock(at) {
  const time = make("time", "soft", new Date(at).toLocaleTimeString());
  time.dateTime = at;
  time.title = at;
  return time;
}

function party(who, internal = "user") {
  const kind = { internal, external: "number", queue: "queue" }[who.type] || "";
  const name = [kind, who.number].filter(Boolean).join(" ");
  return who.alias ? who.alias + " (" + name + ")" : name;
}

function story(event) {
  const to = event.to ? party(event.to) : "";
  const from = event.from ? party(event.from) : "";
  switch (event.action) {
    case "call-out": return "Placed to " + to;
    case "stop-a-call": return "Stopped";
    case "transfer": return "Transferred to " + to + (event.fromUserId ? ", from user " + event.fromUserId : "");
    case "transfer/advance": return "Transferred (" + event.transferType + ") to " + to;
    case "add-user": return "Added " + to + (from ? ", by " + from : "") + (event.spyCall ? ", who only listens" : "");
    default: return event.action;
  }
}

function says(entry) {
  const details = [
    entry.voice && "voice " + entry.voice,
    entry.speed !== undefined && "speed " + entry.speed,
    entry.loop !== undefined && "loop " + entry.loop,
  ].filter(Boolean);
  const text = entry.text === undefined ? "" : ": “" + entry.text + "”";
  return entry.action + text + (details.length ? " (" + details.join(", ") + ")" : "");
}

function eventLine(event) {
  const line = make("div", "", story(event));
  const lines = (event.actions || []).map(says);
  if (event.answer_url) lines.push("driven by " + event.answer_url);
  if (lines.length) line.append(make("ul", "soft", ...lines.map((text) => make("li", "", text))));
  return make("li", "", clock(event.at), line);
}

function callCard(call) {
  const parties = call.direction === "outbound" ? party(call.from, "hotline") + " → " + party(call.to) : "placed elsewhere";
  const head = make("div", "", make("h3", "", call.callId), make("span", "badge " + call.state, call.state),
    make("span", "soft", parties));
  return make("article", "", head, make("ol", "", ...call.events.map(eventLine)));
}

function sentBody(request) {
  if (request.body === null) return "";
  const details = make("details", "", make("summary", "soft", "sent"),
    make("pre", "", JSON.stringify(request.body, null, 2)));
  details.open = openBodies.has(request.number);
  details.addEventListener("toggle", () => {
    if (details.open) openBodies.add(request.number);
    else openBodies.delete(request.number);
  });
  return details;
}

function requestRow(request) {
  const query = new URLSearchParams(request.query).toString();
  const good = request.status < 300 && request.message === "OK";
  return make("tr", "",
    make("td", "", clock(request.at)),
    make("td", "", make("code", "", request.method + " " + request.path + (query && "?" + query)), sentBody(request)),
    make("td", good ? "good" : "bad", request.status + " " + request.message),
    make("td", "number soft", request.durationMs.toFixed(1) + " ms"));
}

async function read(name) {
  const address = new URL(location.href);
  address.pathname = address.pathname.replace(/\/+$/, "") + "/" + name;
  address.search = "?limit=" + shown;
  const answer = await fetch(address, { headers: bearer ? { authorization: "Bearer " + bearer } : {} });
  if (!answer.ok) throw new Error(answer.status === 401 || answer.status === 403 ? "no permission" : "no answer");
  return answer.text();
}

function show(id, list, draw) {
  const newestFirst = list.slice(-shown).reverse();
  document.getElementById(id).replaceChildren(...newestFirst.map(draw));
  document.getElementById(id + "-none").hidden = newestFirst.length > 0;
}

async function refresh() {
  const status = document.getElementById("status");
  try {
    const texts = await Promise.all([read("calls"), read("log")]);
    if (texts.join() !== lastSeen) {
      show("calls", JSON.parse(texts[0]), callCard);
      show("log", JSON.parse(texts[1]), requestRow);
      lastSeen = texts.join();
    }
    status.textContent = "as of " + new Date().toLocaleTimeString();
    status.className = "soft";
  } catch (error) {
    status.textContent = error.message === "no permission"
      ? "No permission to see this. Open the page again from where you are logged in."
      : "The sandbox does not answer.";
    status.className = "bad";
  }
}

async function keepFresh() {
  if (!document.hidden) await refresh();
  setTimeout(keepFresh, 2000);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
keepFresh();
`;
