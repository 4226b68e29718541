// The page that comes with the server: home, and the way to a table.

import { button, fill, find, h, notice, request, seats, shownCode } from "./page.js";
import { Table } from "./table.js";

const main = find("main");
let leave = () => {}; // what the page shown now has to stop
let visits = 0; // an answer that comes when the page is left already is dropped

const attempt = (work) => (event) => {
  event?.preventDefault();
  Promise.resolve(work(event)).catch((error) => notice(error.message));
};

function sitDown(seated) {
  seats.keep(seated.code, seated.token);
  location.hash = `#/table/${shownCode(seated.code)}`;
}

function nameField() {
  const changed = (event) => localStorage.setItem("name", event.target.value);
  const props = { name: "name", required: true, maxLength: 40, autocomplete: "nickname", value: localStorage.getItem("name") ?? "" };
  return h("label", {}, "Your name", h("input", { ...props, change: changed }));
}

const choice = (label, name, options, chosen) =>
  h("label", {}, label, h("select", { name }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));

// ---------------------------------------------------------------- home
async function home(left) {
  const { editions, levels } = await request("/api/editions");
  if (left()) return;
  const name = nameField();
  const myName = () => name.querySelector("input").value.trim() || "Guest";
  const bots = (count, level) => Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n + 1), level]));

  const playNow = () => request("/api/tables", { name: myName(), bots: bots(3, "regular"), start: true }).then(sitDown);
  const make = async (event) => {
    const form = new FormData(event.target);
    const count = Math.min(Number(form.get("bots")), Number(form.get("seats")) - 1);
    const settings = {
      edition: form.get("edition"),
      seats: Number(form.get("seats")),
      turn_seconds: Number(form.get("turn")),
      public: form.has("public"),
    };
    sitDown(await request("/api/tables", { name: myName(), settings, bots: bots(count, form.get("level")) }));
  };
  const join = (event) => (location.hash = `#/table/${new FormData(event.target).get("code").trim()}`);
  const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => [String(from + n), String(from + n)]);
  const turns = [["0", "no clock"], ["15", "15 seconds"], ["30", "30 seconds"], ["60", "a minute"], ["180", "3 minutes"]];

  const list = h("ul.tables", { "aria-live": "polite" });
  fill(
    main,
    h("section", {}, name, h("p", {}, button("Play now against 3 bots", attempt(playNow), { className: "strong" }))),
    h("form", { submit: attempt(make) },
      h("h2", {}, "Make a table"),
      choice("Edition", "edition", editions.map((edition) => [edition.name, edition.name]), "classic"),
      choice("Seats", "seats", numbers(2, 10), "4"),
      choice("Bots at once", "bots", numbers(0, 9), "0"),
      choice("Level of the bots", "level", levels.map((level) => [level, level]), "regular"),
      choice("Time for a turn", "turn", turns, "0"),
      h("label.check", {}, h("input", { type: "checkbox", name: "public" }), "Anybody may join"),
      h("button", { type: "submit" }, "Make the table")),
    h("form", { submit: attempt(join) },
      h("h2", {}, "Join a table"),
      h("label", {}, "Its code", h("input", { name: "code", required: true, minLength: 8, maxLength: 12, autocomplete: "off" })),
      h("button", { type: "submit" }, "Go there")),
    h("section", {}, h("h2", {}, "Public tables"), list),
    mySeats());
  const look = () => request("/api/tables").then((told) => fill(list, publicTables(told)), () => {});
  const timer = setInterval(look, 5000);
  leave = () => clearInterval(timer);
  await look();
}

function publicTables({ tables, more }) {
  if (!tables.length) return [h("li", {}, "There are none just now.")];
  const lines = tables.map((table) => {
    const state = table.phase === "waiting" ? `${table.free} of ${table.players} seats free` : "playing; you can look on";
    return h("li", {}, h("a", { href: `#/table/${shownCode(table.code)}` }, `${table.host}'s table`), ` – ${table.edition}, ${state}`);
  });
  return more ? [...lines, h("li", {}, `… and ${more} more`)] : lines;
}

function mySeats() {
  const mine = seats.all();
  if (!mine.length) return null;
  const lines = mine.map((code) =>
    h("li", {}, h("a", { href: `#/table/${shownCode(code)}` }, shownCode(code)), " ",
      button("Forget it", () => { seats.forget(code); route(); }, { "aria-label": `Forget ${shownCode(code)}` })));
  return h("section", {}, h("h2", {}, "Your seats"), h("ul.tables", {}, lines));
}

// ---------------------------------------------------------------- the way to a table
async function table(code, left) {
  if (seats.token(code)) return play(code);
  const info = await request(`/api/tables/${encodeURIComponent(code)}`);
  if (left()) return;
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  if (info.phase !== "waiting" || !free) return play(info.code);
  const join = async (event) => {
    const name = new FormData(event.target).get("name");
    seats.keep(info.code, (await request(`/api/tables/${info.code}/seats`, { name })).token);
    await route();
  };
  fill(main, h("form", { submit: attempt(join) },
    h("h2", {}, `Table ${shownCode(info.code)}`),
    h("p", {}, `${info.settings.edition}, ${free} of ${info.players} seats free.`),
    nameField(),
    h("button.strong", { type: "submit" }, "Sit down"),
    info.settings.watchers && button("Only look on", () => play(info.code))));
}

function play(code) {
  const shown = new Table(main, code, seats.token(code));
  leave = () => shown.close();
}

/** From another device, or from the program that started this server: the secret is good once. */
async function redeem(secret) {
  const seated = await request("/api/transfers", { secret });
  seats.keep(seated.code, seated.token);
  location.replace(`#/table/${shownCode(seated.code)}`); // nothing of the secret stays in the history
}

async function route() {
  const visit = ++visits;
  const left = () => visit !== visits;
  leave();
  leave = () => {};
  document.body.dataset.side = "light";
  document.title = "Flipdeck";
  find("line").textContent = "";
  const [, place, what] = location.hash.split("/");
  try {
    if (place === "table" && what) await table(decodeURIComponent(what), left);
    else if (place === "seat" && what) await redeem(what);
    else await home(left);
  } catch (error) {
    if (!left()) fill(main, h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "To the beginning")));
  }
}

addEventListener("hashchange", route);
route();
