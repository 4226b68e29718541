// What a table shows while nobody plays: before the match, between rounds, and when it is over.

import { button, h, shownCode } from "./page.js";

const LEVELS = ["rookie", "casual", "regular", "sharp", "master"];

export function waitingRoom(here) {
  const { table, line } = here;
  const link = `${location.origin}/#/table/${shownCode(table.code)}`;
  const host = here.isHost();
  const empty = table.seats.some((seat) => seat.kind === "empty");
  return h("section", {},
    h("h2", {}, `Table ${shownCode(table.code)}`),
    h("p", {}, `${table.settings.edition}, ${table.players} seats. Invite others with this link, or the picture:`),
    h("p", {}, h("a.link", { href: link }, link), " ",
      navigator.clipboard && button("Copy", () => navigator.clipboard.writeText(link))),
    h("img.qr", { src: `/api/tables/${table.code}/invite.svg`, alt: "The link, for the camera of a phone", width: 180, height: 180 }),
    h("ul.seats", {}, table.seats.map((seat) => chair(here, seat, host))),
    host && button("Deal the cards", () => line.command("start"), { className: "strong", disabled: empty }),
    host && empty && h("p", {}, "Every seat must be taken: put bots there, or take seats away."),
    !host && h("p", {}, "The host deals when everybody is here."),
    lastMatch(table));
}

function chair({ line, you, table }, seat, host) {
  const who = seat.kind === "empty" ? "empty" : `${seat.name}${seat.level ? ` (${seat.level})` : ""}`;
  const more = [seat.seat === you && "you", seat.host && "host", seat.kind === "person" && !seat.here && "away"].filter(Boolean);
  const level = h("select", { "aria-label": `Level of the bot in seat ${seat.seat + 1}`, "data-key": `level ${seat.seat}` },
    LEVELS.map((name) => h("option", { selected: name === "regular" }, name)));
  const put = () => line.command("seat_bot", { seat: seat.seat, level: level.value });
  const clear = seat.kind === "empty" ? "Take the seat away" : "Empty the seat";
  return h("li", {}, h("span.name", {}, `${seat.seat + 1}. ${who}${more.length ? ` – ${more.join(", ")}` : ""}`),
    host && seat.kind === "empty" && [level, button("Put a bot here", put, { "data-key": `bot ${seat.seat}` })],
    host && seat.seat !== you && (seat.kind !== "empty" || table.players > 2) &&
      button(clear, () => line.command("clear_seat", { seat: seat.seat }), { "data-key": `clear ${seat.seat}` }));
}

export function betweenRounds(here) {
  const { table, line, you, view } = here;
  const over = table.phase === "over";
  const winners = (view?.winners ?? []).map(here.name).join(" and ");
  const ready = you !== null && table.seats[you].ready;
  return h("section", {},
    h("h2", {}, over ? `The match is over: ${winners} won` : `Round ${table.rounds.at(-1)?.number} is over`),
    results(here),
    over && you !== null && button("Another match", () => line.command("rematch"), { className: "strong" }),
    !over && you !== null &&
      button(ready ? "Ready" : "Next round", () => line.command("ready"), { className: "strong", disabled: ready }),
    !over && h("p.deal", {}),
    over && fairness(table));
}

function results({ table, name }) {
  const head = h("tr", {}, h("th", { scope: "col" }, "Round"), table.seats.map((seat) => h("th", { scope: "col" }, name(seat.seat))));
  const rounds = table.rounds.map((round) =>
    h("tr", {}, h("th", { scope: "row" }, String(round.number)),
      round.scores.map((score, seat) => h("td", {}, `${score} (+${round.points[seat]})`))));
  return h("div.wide", {}, h("table", {}, h("thead", {}, head), h("tbody", {}, rounds)));
}

/** What proves that the cards were not chosen during the match. */
export function fairness(table) {
  const { commitment, seed } = table.fairness;
  return h("div.fair", {},
    h("p", {}, "Commitment to the seed, from before the deal: ", h("code", {}, commitment)),
    seed && h("p", {}, "The seed: ", h("code", {}, seed)),
    table.replay && h("p", {}, record(table.replay), " – flipdeck verify recomputes every card of it."));
}

const record = (name) => h("a", { href: `/api/replays/${name}`, target: "_blank", rel: "noopener" }, "The record of the match");

const lastMatch = ({ last }) => last && h("p", {}, "Before this: ", record(last.replay), ", seed ", h("code", {}, last.seed));
