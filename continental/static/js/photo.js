/** A photo that can be turned and brought closer, and on which the spot of each meld is tapped. */

export const STEPS = [1, 1.5, 2, 3, 4];

/** Give the next zoom in a direction, staying within the steps. */
export function nextZoom(zoom, direction) {
  const at = STEPS.indexOf(zoom) + direction;
  return STEPS[Math.max(0, Math.min(STEPS.length - 1, at))];
}

/** Where in the photo a tap fell, as parts of its width and height from 0 to 1, however the photo is turned and enlarged. */
export function spotOf({ x, y }, box, turns) {
  const across = (x - box.left) / box.width;
  const down = (y - box.top) / box.height;
  const upright = [
    [across, down],
    [down, 1 - across],
    [1 - across, 1 - down],
    [1 - down, across],
  ][((turns % 4) + 4) % 4];
  return upright.map((part) => Math.round(Math.max(0, Math.min(1, part)) * 1000) / 1000);
}

/** Write spots by row as the form keeps them, and read them back. */
export const writeSpots = (spots) => [...spots].map(([row, [x, y]]) => `${row}:${x}:${y}`).join(" ");

/** What stands on the spot of a row: the number of a meld laid, a letter before that of any other row. */
export const markOf = (row) => [row[0] === "m" ? "" : row[0].toUpperCase(), /\d+$/.test(row) ? Number(row.match(/\d+$/)[0]) + 1 : ""].join("");

export function readSpots(text) {
  const found = [...text.matchAll(/(\w+):([\d.]+):([\d.]+)/g)];
  return new Map(found.map(([, row, x, y]) => [row, [Number(x), Number(y)]]));
}

function start(view) {
  const image = view.querySelector("[data-image]");
  const frame = view.querySelector("[data-frame]");
  const turn = view.querySelector("[data-turn]");
  const input = document.querySelector("[data-spots]");
  let zoom = 1;
  let turns = 0;
  view.querySelector("[data-tools]").hidden = false;

  function draw() {
    const sideways = turns % 2 !== 0;
    const ratio = image.width / image.height;
    const width = frame.clientWidth * zoom;
    turn.style.width = `${width}px`;
    turn.style.height = `${sideways ? width * ratio : width / ratio}px`;
    image.style.width = `${sideways ? width * ratio : width}px`;
    image.style.transform = `translate(-50%, -50%) rotate(${turns * 90}deg)`;
    drawSpots();
  }

  function drawSpots() {
    for (const old of turn.querySelectorAll(".spot")) old.remove();
    if (!input) return;
    for (const [row, [x, y]] of readSpots(input.value)) {
      const place = [[x, y], [1 - y, x], [1 - x, 1 - y], [y, 1 - x]][((turns % 4) + 4) % 4];
      const mark = document.createElement("span");
      mark.className = "spot";
      mark.textContent = markOf(row);
      mark.style.left = `${place[0] * 100}%`;
      mark.style.top = `${place[1] * 100}%`;
      turn.append(mark);
    }
  }

  view.addEventListener("click", (event) => {
    const larger = event.target.closest("[data-zoom]");
    if (larger) zoom = nextZoom(zoom, Number(larger.dataset.zoom));
    else if (event.target.closest("[data-rotate]")) turns += 1;
    else if (input && !("fixed" in input.dataset) && turn.contains(event.target)) {
      const row = document.querySelector("[data-row].is-current")?.dataset.row ?? "m0";
      const spots = readSpots(input.value);
      spots.set(row, spotOf({ x: event.clientX, y: event.clientY }, turn.getBoundingClientRect(), turns));
      input.value = writeSpots(spots);
      input.form?.dispatchEvent(new CustomEvent("check:change", { bubbles: true }));
    } else return;
    draw();
  });
  addEventListener("resize", draw);
  if (image.complete) draw();
  else image.addEventListener("load", draw);
}

if (globalThis.document) for (const view of document.querySelectorAll("[data-photo]")) start(view);
