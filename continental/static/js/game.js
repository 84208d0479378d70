/**
 * A game on this phone: hears the bell and shows the table as it is, keeps what is entered while there is no network, and
 * keeps the screen awake. Without it every form of a game's pages posts by itself.
 */

import { Bell } from "./bell.js";
import { Outbox, REFUSED, WAITING, openStore } from "./outbox.js";
import { remind } from "./reminders.js";
import { clean, isDirty, readBoard, show, watch } from "./swap.js";
import { newId, pause } from "./waiting.js";

const words = () => document.getElementById("live-words").dataset;
const board = () => document.getElementById("board");
const fill = (sentence, number) => sentence.replace("{number}", String(number));

// ---- Looking at the table as it is -----------------------------------------------------------------------------------

/** A network that swallows a question must not hold up the next one; the server knows a repeat of an action. */
const PATIENCE = 10000;
const PATIENCE_WITH_A_FILE = 120000;

let etag = "";
let looking = null;
let lookAgain = false;
let away = false;

/** The address of this page's fragment: of the seat that is shown, so that nobody is moved to another one. */
function fragmentAddress() {
  const address = new URL(board().dataset.home, location.href);
  const seat = board().querySelector('[data-keep] input[name="seat"]')?.value;
  if (seat !== undefined) address.searchParams.set("seat", seat);
  return address;
}

/** A question half answered, or cards half read, are not swapped for a newer table; some such pages say that there is one. */
const still = () => "still" in board().dataset;
const tells = () => board().dataset.still === "tells";
/** How long the bell may lag behind what was done here, in milliseconds. */
const OWN = 3000;
let ownUntil = 0;
let movedOn = false;

function setMovedOn(now) {
  movedOn = now;
  drawBanner();
}

/** Fetch this page's board where it is newer than the one shown. */
function look() {
  if (still() && !tells()) return;
  if (looking) {
    lookAgain = true;
    return looking;
  }
  looking = fetchBoard().finally(() => {
    looking = null;
    if (lookAgain) {
      lookAgain = false;
      look();
    }
  });
  return looking;
}

async function fetchBoard() {
  let answer;
  try {
    answer = await fetch(fragmentAddress(), {
      headers: { "HX-Request": "true", "If-None-Match": etag },
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    setAway(true);
    return;
  }
  // A page that nobody sees stays as it is: it looks again when it wakes.
  if (document.hidden) return;
  setAway(answer.status >= 500);
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) return leave(answer);
  if (answer.status !== 200) return;
  etag = answer.headers.get("ETag") ?? "";
  const fresh = readBoard(await answer.text());
  if (!fresh || fresh.dataset.rev === board().dataset.rev) return;
  if (tells()) {
    if (Date.now() < ownUntil) board().dataset.rev = fresh.dataset.rev;
    else setMovedOn(true);
    return;
  }
  remind(board(), fresh);
  show(fresh);
}

/** This phone may no longer look: the whole page says why, unless something typed would be lost by it. */
function leave(answer) {
  bell.stop();
  if (!isDirty()) location.assign(answer.headers.get("HX-Redirect") ?? board().dataset.home);
}

const bell = new Bell({
  address: () => `/events/${board().dataset.game}?ticket=${encodeURIComponent(board().dataset.ticket)}&rev=${board().dataset.rev}`,
  rung: (rev) => {
    if (rev !== Number(board().dataset.rev)) look();
  },
  heard: (up) => {
    if (up) outbox.then((box) => box.flush());
  },
});

function setAway(now) {
  if (away === now) return;
  away = now;
  drawBanner();
}

// ---- Doing: every action goes through the outbox -----------------------------------------------------------------------

const ACTION = /^\/g\/\d+\/do\/$/;
const sent = new Map();
let kept = [];
let retry = 0;
let tries = 0;

const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";

/** Files can't be written into an address line: an action with a photo goes as a form of several parts. */
function bodyOf(fields) {
  if (!fields.some(([, value]) => value instanceof Blob)) return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

async function send(action) {
  let answer;
  const patience = action.fields.some(([, value]) => value instanceof Blob) ? PATIENCE_WITH_A_FILE : PATIENCE;
  try {
    answer = await fetch(action.address, {
      method: "POST",
      body: bodyOf(action.fields),
      headers: { "HX-Request": "true", "HX-Current-URL": location.href, "X-CSRFToken": token() },
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    setAway(true);
    return { outcome: "away" };
  }
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return { outcome: "away" };
  setAway(false);
  const html = await answer.text();
  const outcome = answer.ok ? "done" : "refused";
  const page = new DOMParser().parseFromString(html, "text/html");
  const place = page.querySelector(".trouble") ?? page.querySelector("main .lead") ?? page.querySelector("main") ?? page.body;
  const sentence = place.textContent.trim().slice(0, 300);
  return { outcome, html, sentence, goOn: answer.headers.get("HX-Redirect") };
}

/** Show the answer to an action; give true where a refusal stands before the user again, with what was typed. */
function answered(action, answer, fresh) {
  if (answer.outcome === "done") {
    ownUntil = Date.now() + OWN;
    setMovedOn(false);
  }
  if (!fresh) {
    look();
    return false;
  }
  if (answer.goOn) {
    // The page goes on; what waits for the network is kept, and goes with it.
    location.assign(answer.goOn);
    return answer.outcome === "done";
  }
  if (still() && answer.outcome === "refused") {
    sayHere(answer.sentence);
    return true;
  }
  const next = readBoard(answer.html);
  if (next) {
    remind(board(), next);
    show(next, true);
  } else look();
  return next !== null;
}

/** Say why something was not done on a page that stays as it is, with all that was typed. */
function sayHere(sentence) {
  const said = board().querySelector(":scope > .trouble") ?? document.createElement("p");
  said.className = "alert alert-warning trouble";
  said.role = "alert";
  said.tabIndex = -1;
  said.textContent = sentence;
  board().prepend(said);
  said.focus();
}

const outbox = openStore().then((store) => {
  const box = new Outbox({
    store,
    send,
    answered,
    changed: (actions) => {
      kept = actions;
      drawBanner();
    },
  });
  return box;
});

async function flush() {
  const reached = await (await outbox).flush();
  clearTimeout(retry);
  tries = reached ? 0 : tries + 1;
  if (!reached) retry = setTimeout(flush, pause(Math.min(tries, 4)));
}

function labelOf(form, button) {
  const whose = form.closest("[data-keep]")?.querySelector("h2")?.textContent.trim();
  const kind = form.querySelector('[data-field="kind"]:checked');
  const what = { cards: form.querySelector('[data-field="cards"]')?.value, points: form.querySelector('[data-field="points"]')?.value }[kind?.value];
  const said = whose ? [whose, what || kind?.parentElement.textContent.trim()] : [button?.ariaLabel || button?.textContent.replace(/\s+/g, " ").trim()];
  return said.filter(Boolean).join(": ");
}

/** The write address that a form would be sent to by one of its buttons; null where that is no action of a game. */
function actionOf(form, button) {
  const { pathname } = new URL(button?.getAttribute("formaction") || form.action, location.href);
  return form.method === "post" && ACTION.test(pathname) ? pathname : null;
}

document.addEventListener(
  "submit",
  (event) => {
    const address = actionOf(event.target, event.submitter);
    if (!address) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    submit(event.target, event.submitter, address);
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("button[type=submit]");
    // The second tap of a double tap would fall on what the first one brought about, as soon as its answer is there.
    if (event.detail > 1 && button?.form && actionOf(button.form, button)) event.preventDefault();
  },
  true,
);

async function submit(form, button, address) {
  const fields = [...new FormData(form, button)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "client_id");
  const number = form.querySelector('input[name="client_id"]')?.value || newId();
  const content = JSON.stringify(fields.map(([name, value]) => [name, value instanceof Blob ? [value.name, value.size] : value]));
  // The same form with the same content is a second tap; with another content it is another action and needs its own number.
  if (sent.get(number)?.has(content)) return;
  const id = sent.has(number) ? newId() : number;
  sent.set(number, (sent.get(number) ?? new Set()).add(content));
  form.setAttribute("aria-busy", "true");
  const page = Object.fromEntries(fields).page ?? "table";
  const label = labelOf(form, button);
  const all = [...fields, ...afterOwn(fields), ["client_id", id]];
  const reached = await (await outbox).add({ game: board().dataset.game, address, page, fields: all, label });
  form.removeAttribute("aria-busy");
  if (reached) return;
  clearTimeout(retry);
  retry = setTimeout(flush, pause(0));
  waitHere(form, button, Object.fromEntries(fields));
}

/** A count in the place of one that still waits here was made in sight of that one, though the page cannot know its revision yet. */
function afterOwn(fields) {
  const what = ({ do: doing, hand, seat }) => [doing, hand, seat].join();
  const now = Object.fromEntries(fields);
  if (now.do !== "count") return [];
  const waiting = kept.filter((action) => action.state === WAITING && action.game === board().dataset.game);
  const before = waiting.map((action) => Object.fromEntries(action.fields)).filter((earlier) => what(earlier) === what(now));
  return before.length ? [["after", before.at(-1).client_id]] : [];
}

/** Without an answer: mark what waits, and go on to the next seat of the count. */
function waitHere(form, button, fields) {
  clean();
  if (fields.do !== "count" || !form.closest("[data-keep]")) {
    button?.setAttribute("data-waits", words().waiting);
    return;
  }
  const seats = [...document.querySelectorAll(".count-seat[data-seat]")];
  const mine = seats.find((seat) => seat.dataset.seat === fields.seat) ?? document.querySelector('.count-seat[aria-current="true"]');
  mine?.setAttribute("data-waits", words().waiting);
  const next = seats.find((seat) => !seat.classList.contains("is-in") && !seat.hasAttribute("data-waits"));
  if (next) turnTo(next);
}

/** Turn the keypad to another seat without asking the server. */
function turnTo(seat) {
  const keep = document.querySelector("[data-keep]");
  const form = keep?.querySelector("form");
  if (!form) return;
  form.elements.seat.value = seat.dataset.seat;
  form.elements.seen.value = seat.dataset.seen;
  keep.querySelector("h2 bdi").textContent = seat.dataset.name;
  for (const radio of form.querySelectorAll('[data-field="kind"]')) radio.checked = radio.value === "cards";
  for (const [field, value] of [["cards", ""], ["points", ""], ["missing", "0"]]) {
    const input = form.querySelector(`[data-field="${field}"]`);
    if (input) input.value = value;
  }
  form.querySelector('[data-field="cards"]')?.dispatchEvent(new Event("input", { bubbles: true }));
  for (const other of document.querySelectorAll(".count-seat")) other.toggleAttribute("aria-current", other === seat);
  seat.setAttribute("aria-current", "true");
  clean();
}

document.addEventListener(
  "click",
  (event) => {
    const seat = event.target.closest(".count-seat[data-seat]");
    if (!seat || (!away && navigator.onLine)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    turnTo(seat);
  },
  true,
);

// ---- What stands in the banner ----------------------------------------------------------------------------------------

function drawBanner() {
  const banner = document.getElementById("banner");
  const waiting = kept.filter((action) => action.state === WAITING).length;
  const refused = kept.filter((action) => action.state === REFUSED);
  const lines = [];
  if (waiting) lines.push(waiting === 1 ? words().waitsOne : fill(words().waitsMany, waiting));
  else if (away) lines.push(navigator.onLine ? words().away : words().offline);
  if (movedOn) lines.push(words().movedOn);
  if (refused.length) lines.push(refused.length === 1 ? words().refusedOne : fill(words().refusedMany, refused.length));
  const said = lines.map((line) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    return paragraph;
  });
  const list = document.createElement("ul");
  list.append(...refused.map(refusedLine));
  banner.replaceChildren(...said, ...(refused.length ? [list] : []));
  banner.hidden = lines.length === 0;
}

function refusedLine(action) {
  const line = document.createElement("li");
  const what = document.createElement("bdi");
  what.textContent = action.label;
  const why = document.createElement("span");
  why.textContent = action.sentence;
  line.append(what, why, deed(words().look, () => lookAt(action)), deed(words().discard, async () => (await outbox).discard(action.id)));
  return line;
}

function deed(text, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn";
  button.textContent = text;
  button.addEventListener("click", act);
  return button;
}

const LOOK_AT = "continental-look-at";

/** Bring a refused action back before the user, on the page it came from, with the server's sentence and what was typed. */
async function lookAt(action) {
  const folder = action.page === "table" ? "" : `${action.page}/`;
  const place = action.page === "correct" ? location.pathname : `/g/${action.game}/${folder}`;
  if (place === location.pathname) {
    await (await outbox).again(action.id);
  } else {
    sessionStorage.setItem(LOOK_AT, String(action.id));
    location.assign(place);
  }
}

// ---- Life of the page ----------------------------------------------------------------------------------------------------

let lock = null;

/** Keep the screen on, where the browser can: it gives the lock back whenever the page is hidden. */
async function stayAwake() {
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? lock;
  } catch {
    // A battery that is nearly empty is a reason to sleep.
  }
}

function wakeUp() {
  if (!still() || tells()) bell.start();
  look();
  flush();
  stayAwake();
}

/** A worker is what lets this page be reloaded offline; plain http has none, and all else works without it. */
function hireWorker() {
  if (globalThis.isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});
}

async function begin() {
  watch(document);
  const box = await outbox;
  kept = await box.store.all();
  drawBanner();
  const wanted = Number(sessionStorage.getItem(LOOK_AT) ?? 0);
  sessionStorage.removeItem(LOOK_AT);
  if (wanted) await box.again(wanted);
  if (!document.hidden) wakeUp();
  hireWorker();
}

if (board()?.dataset.game && document.getElementById("live-words")) {
  document.addEventListener("visibilitychange", () => (document.hidden ? bell.stop() : wakeUp()));
  addEventListener("online", wakeUp);
  addEventListener("offline", () => setAway(true));
  document.addEventListener("htmx:sendError", () => setAway(true));
  document.addEventListener("htmx:afterOnLoad", () => setAway(false));
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "board") clean();
    setMovedOn(false);
  });
  addEventListener("pageshow", (event) => event.persisted && wakeUp());
  // An open stream would keep a page that was left from being kept in the browser's memory.
  addEventListener("pagehide", () => bell.stop());
  begin();
}
