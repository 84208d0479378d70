/** Reminders: a sound, a buzz and a spoken word when it is this phone's turn to do something. All off until asked for. */

const KEY = "continental-reminders";

/** What is switched on on this phone. */
export function chosen(storage = globalThis.localStorage) {
  try {
    return new Set((storage.getItem(KEY) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

export function choose(name, on, storage = globalThis.localStorage) {
  const all = chosen(storage);
  if (on) all.add(name);
  else all.delete(name);
  try {
    storage.setItem(KEY, [...all].join(" "));
  } catch {
    // A browser that keeps nothing reminds until the page is left.
  }
  return all;
}

const said = (board, name) => board.querySelector(`[data-${name}]`)?.dataset[name] ?? "";

/** What changes from one board to the next: `own` is what this phone should do now, `result` what is read aloud. */
export function news(old, fresh) {
  const own = said(fresh, "own");
  const result = said(fresh, "result");
  return { own: own !== said(old, "own") ? own : "", result: result !== said(old, "result") ? result : "" };
}

let context = null;

function beep() {
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const loud = context.createGain();
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.2, context.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
  tone.connect(loud).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.4);
}

function speak(text) {
  const voice = new SpeechSynthesisUtterance(text);
  voice.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(voice);
}

export function remind(old, fresh) {
  const { own, result } = news(old, fresh);
  const wanted = chosen();
  if (own && wanted.has("sound")) beep();
  if (own && wanted.has("buzz")) navigator.vibrate?.([120, 60, 120]);
  if ((own || result) && wanted.has("voice") && "speechSynthesis" in globalThis) speak([result, own].filter(Boolean).join(" "));
}

/** Let the switches of the page (`input[data-reminder]`) show and change what is on. */
export function setUp(root) {
  const on = chosen();
  for (const box of root.querySelectorAll("input[data-reminder]")) {
    box.checked = on.has(box.dataset.reminder);
    box.closest("[data-enhanced]")?.removeAttribute("hidden");
  }
}

if (typeof document !== "undefined") {
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.("input[data-reminder]");
    if (!box) return;
    choose(box.dataset.reminder, box.checked);
    if (!box.checked) return;
    // Heard at once: the tap is also what lets a browser make sounds later.
    if (box.dataset.reminder === "sound") beep();
    if (box.dataset.reminder === "buzz") navigator.vibrate?.(120);
    if (box.dataset.reminder === "voice" && "speechSynthesis" in globalThis) speak(box.dataset.sample ?? "");
  });
  document.addEventListener("table:shown", (event) => setUp(event.target));
  setUp(document);
}
