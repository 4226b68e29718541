// Making elements.  Whatever people wrote becomes text, never markup.

/** h("p.big", { id: "x" }, "text", child): an element; a prop with a function is a listener. */
export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (text, click, props = {}) =>
  h("button", { type: "button", click, "data-key": text, ...props }, text);

/** New content, with the keyboard where it was, and open what was open. */
export function fill(element, ...children) {
  const held = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const open = element.querySelector("details")?.open;
  element.replaceChildren(...children.flat().filter(Boolean));
  if (open) element.querySelector("details")?.setAttribute("open", "");
  if (held) [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === held)?.focus();
}

export const find = (id) => document.getElementById(id);

let fading = null;
export function notice(text) {
  find("notice").textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (find("notice").textContent = ""), 6000);
}

/** A request to the server; a refusal becomes an Error with the server's own sentence and code. */
export async function request(path, body) {
  const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, how).catch(() => null);
  if (!answer) throw new Error("The server can't be reached.");
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.message), { code: told.code });
  return told;
}

const plainCode = (code) => code.replaceAll("-", "").toUpperCase();

/** The tokens of this browser's seats: they stay here, and go out in greetings only. */
export const seats = {
  all: () => Object.keys(localStorage).filter((key) => key.startsWith("seat ")).map((key) => key.slice(5)),
  token: (code) => localStorage.getItem(`seat ${plainCode(code)}`),
  keep: (code, token) => localStorage.setItem(`seat ${plainCode(code)}`, token),
  forget: (code) => localStorage.removeItem(`seat ${plainCode(code)}`),
};

export const shownCode = (code) => `${plainCode(code).slice(0, 4)}-${plainCode(code).slice(4)}`;
