// A table as one seat, or somebody who looks on, sees it.  What may be done is what the server lists as legal.

import { Line } from "./line.js";
import { button, fill, find, h, notice, seats, shownCode } from "./page.js";
import { betweenRounds, fairness, waitingRoom } from "./rooms.js";
import { COLORS, face, faces, play, sentence } from "./words.js";

const EMOTES = {
  hello: "👋 hello", thanks: "🙏 thanks", nice: "👍 nice", oops: "🙈 oops",
  hurry: "⏳ hurry", flip: "🔄 flip", laugh: "😄 laugh", wow: "😮 wow",
};
const LINES = 200; // of the log

export class Table {
  constructor(main, code, token) {
    Object.assign(this, { code, token, table: null, view: null, you: null, version: 0, clock: null });
    this.picked = null; // a wild whose color is still to be chosen
    this.sayUno = false; // together with the next card
    this.dealAt = null;
    this.parts = Object.fromEntries(["room", "others", "middle", "hand", "actions"].map((part) => [part, h(`div.${part}`)]));
    this.log = h("ol.log", { "aria-live": "polite", "aria-label": "What happened", tabIndex: 0 });
    fill(main, ...Object.values(this.parts), this.talk(), this.log);
    this.line = new Line(code, token, (message) => this.hear(message));
    this.timer = setInterval(() => this.tick(), 250);
  }

  close() {
    clearInterval(this.timer);
    this.line.close();
  }

  // ------------------------------------------------------------ hearing
  hear(message) {
    const heard = { welcome: this.welcome, update: this.update, presence: this.presence, said: this.said, emoted: this.emoted,
      refused: this.refused, transfer: this.transfer, bye: this.bye, cut: this.cut }[message.type];
    heard?.call(this, message);
  }

  welcome(message) {
    find("line").textContent = message.you === null ? "looking on" : "";
    this.take(message);
    if (!this.log.children.length) message.chat.forEach((line) => this.said(line));
    for (const step of message.missed ?? []) this.tell(step.events);
    this.show();
  }

  update(message) {
    this.take(message);
    this.tell(message.events);
    this.show();
  }

  take({ you, version, table, view, clock }) {
    const since = performance.now();
    Object.assign(this, { you, version, view, clock: clock && { ...clock, since }, picked: null });
    if (table) {
      this.table = table;
      this.dealAt = table.next_round_ms === null ? null : since + table.next_round_ms;
    }
    if (!view?.legal.some((move) => move.endsWith("!"))) this.sayUno = false;
  }

  presence({ here, watching }) {
    this.table.watching = watching;
    for (const seat of this.table.seats) seat.here = here.includes(seat.seat);
    this.show();
  }

  refused({ code, message }) {
    notice(message);
    if (["bad-token", "no-table"].includes(code)) seats.forget(this.code);
  }

  transfer({ secret, seconds }) {
    const link = `${location.origin}/#/seat/${secret}`;
    this.write("note", `On the other device, within ${seconds / 60} minutes, open ${link}`);
  }

  bye({ code, message }) {
    notice(message);
    if (code === "removed") seats.forget(this.code);
    if (code === "left") location.hash = "#/";
  }

  cut({ final }) {
    find("line").textContent = final ? "disconnected" : "connecting again …";
    if (final) fill(this.parts.actions, button("Connect again", () => location.reload()), h("a", { href: "#/" }, "To the beginning"));
  }

  // ------------------------------------------------------------ the log, and talking
  name = (seat) => (seat === this.you ? "you" : (this.table.seats[seat]?.name ?? `seat ${seat}`));

  tell(events) {
    for (const event of events) this.write(event.event, sentence(event, this.you, this.name));
  }

  said({ seat, name, text }) {
    this.write("said", `${seat === this.you ? "You" : name}: ${text}`);
  }

  emoted({ seat, emote }) {
    this.write("said", `${seat === this.you ? "You" : this.name(seat)}: ${EMOTES[emote] ?? emote}`);
  }

  write(kind, text) {
    if (!text) return;
    this.log.prepend(h(`li.${kind}`, {}, text));
    if (this.log.children.length > LINES) this.log.lastChild.remove();
  }

  talk() {
    const send = (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      if (field.value.trim()) this.line.say({ type: "chat", text: field.value });
      field.value = "";
    };
    const emotes = Object.entries(EMOTES).map(([emote, text]) => button(text, () => this.line.say({ type: "emote", emote })));
    return h("details.talk", {}, h("summary", {}, "Talk"),
      h("form", { submit: send }, h("input", { name: "text", maxLength: 300, "aria-label": "Say something", autocomplete: "off" }),
        h("button", { type: "submit" }, "Say")),
      h("p.emotes", {}, emotes));
  }

  // ------------------------------------------------------------ showing
  show() {
    const { table, view, parts } = this;
    const playing = table.phase === "playing" && view;
    const mine = playing && view.to_act === this.you && this.you !== null;
    document.body.dataset.side = view?.side ?? "light";
    document.title = mine ? "● Your turn – Flipdeck" : "Flipdeck";
    fill(parts.room, table.phase === "waiting" ? waitingRoom(this) : playing ? null : betweenRounds(this));
    fill(parts.others, view && this.others());
    fill(parts.middle, playing && this.middle());
    fill(parts.hand, playing && this.you !== null && this.hand());
    fill(parts.actions, this.actions(), this.leaving());
    this.tick();
  }

  others() {
    const { view, table } = this;
    return h("ul", {}, view.others.map(({ seat, backs }) => {
      const info = table.seats[seat];
      const away = info.kind === "person" && !info.here ? (info.sits_in ? " (away, a bot plays)" : " (away)") : "";
      const kind = info.kind === "bot" ? ` (${info.level})` : away;
      const props = { className: view.to_act === seat ? "acts" : "", "aria-current": view.to_act === seat ? "true" : null };
      const standIn = this.isHost() && info.kind === "person" && !info.here && !info.level;
      return h("li", props,
        h("span.name", {}, `${this.name(seat)}${kind} – ${backs.length} cards, ${view.scores[seat]} points`),
        view.legal.includes(`catch ${seat}`) && view.catchable.includes(seat) &&
          button(`Catch ${this.name(seat)}!`, () => this.move(`catch ${seat}`), { className: "strong" }),
        standIn && button(`A bot for ${this.name(seat)}`, () => this.line.command("seat_bot", { seat })),
        h("span.backs", { role: "img", "aria-label": `shows ${backs.map((back) => face(back).name).join(", ")}` }, backs.map(small)));
    }));
  }

  middle() {
    const { view } = this;
    const turn = view.to_act === this.you && this.you !== null ? "Your turn" : `It is ${this.name(view.to_act)}'s turn`;
    const left = view.direction === 1;
    return [
      h("p.turn", { role: "status" }, `${turn}. `, h("span.clock")),
      h("div.piles", {},
        h("figure", {}, pile(view.top), h("figcaption", {}, "on top")),
        h("figure", {}, view.draw_back ? pile(view.draw_back, "back") : h("span.card", {}, "empty"),
          h("figcaption", {}, `draw pile (${view.draw_count})`))),
      h("p", {}, "Color: ", h("b.color", { "data-color": view.color ?? "none" }, view.color ? COLORS[view.color] : "not called yet"),
        ` · ${view.side} side · play goes ${left ? "to the left ↻" : "to the right ↺"} · round ${view.round}`,
        view.owed ? ` · ${view.owed} to draw` : ""),
    ];
  }

  hand() {
    const { view } = this;
    const plays = view.legal.map(play).filter(Boolean);
    const cards = view.hand.map((card, place) => {
      const [front, back] = faces(card, view.side);
      const ways = plays.filter((one) => one.card === card);
      const { color, symbol, name } = face(front);
      const label = `${name}${back === "?" ? "" : `, on the back ${face(back).name}`}`;
      return h("button.card", { type: "button", disabled: !ways.length, "data-color": color, "data-key": `${card} ${place}`,
        "aria-label": label, "aria-pressed": this.picked === card ? "true" : null, click: () => this.pick(card, ways) },
      h("span", {}, color === "wild" ? "" : COLORS[color] ?? ""), h("b", {}, symbol), back === "?" ? null : small(back));
    });
    return [h("h2", {}, `Your cards (${view.hand.length}) – ${view.scores[this.you]} points`), h("div.cards", {}, cards)];
  }

  /** A card is played at once, unless its color has to be called first. */
  pick(card, ways) {
    const said = this.asSaid(ways);
    if (said.length === 1) return this.move(said[0].move);
    this.picked = this.picked === card ? null : card;
    this.show();
    this.parts.actions.querySelector("button")?.focus();
  }

  /** Of the ways to play a card, those with UNO if the player says it and it can be said, or those without. */
  asSaid(ways) {
    const uno = this.sayUno && ways.some((one) => one.uno);
    return ways.filter((one) => one.uno === uno);
  }

  actions() {
    const { view, table } = this;
    if (table.phase !== "playing" || !view || this.you === null) return [];
    const { legal } = view;
    const say = (move, text, props) => legal.includes(move) && button(text, () => this.move(move), props);
    const plays = legal.map(play).filter(Boolean);
    const uno = () => { this.sayUno = !this.sayUno; this.show(); };
    const colors = this.asSaid(plays.filter((one) => one.card === this.picked));
    return [
      ...colors.map((one) => button(`Call ${COLORS[one.color]}`, () => this.move(one.move), { "data-color": one.color })),
      ...legal.filter((move) => move.startsWith("color ")).map((move) =>
        button(`Call ${COLORS[move.slice(6)]}`, () => this.move(move), { "data-color": move.slice(6) })),
      plays.some((one) => one.uno) && button("Say UNO with the card", uno, { "aria-pressed": String(this.sayUno) }),
      say("uno", "UNO!", { className: "strong" }),
      say("draw", view.draw_count || view.discard_count > 1 ? "Draw" : "Pass"),
      say("keep", "Keep the card"),
      say("accept", view.owed ? `Accept ${view.owed} cards` : "Accept"),
      say("challenge", "Challenge"),
      table.seats[this.you].sits_in && button("I am back", () => this.line.command("back")),
    ];
  }

  leaving() {
    if (this.you === null) return h("a", { href: "#/" }, "To the beginning");
    return h("details", {}, h("summary", {}, `Table ${shownCode(this.table.code)}`), fairness(this.table),
      button("Go on with another device", () => this.line.command("transfer")),
      button("Leave the table", () => confirm("Leave the table?") && this.line.command("leave")));
  }

  tick() {
    const clock = this.parts.middle.querySelector(".clock");
    const now = performance.now();
    if (clock) {
      const left = this.clock && Math.max(0, this.clock.left_ms - (this.clock.running ? now - this.clock.since : 0));
      clock.textContent = this.clock ? `${Math.ceil(left / 1000)} seconds left.` : "";
    }
    const deal = this.parts.room.querySelector(".deal");
    if (deal && this.dealAt !== null) {
      const seconds = Math.max(0, Math.ceil((this.dealAt - now) / 1000));
      deal.textContent = `The next round is dealt in ${seconds} seconds.`;
    }
  }

  // ------------------------------------------------------------ saying
  move(move) {
    this.line.command("move", { version: this.version, move });
    this.picked = null;
    this.sayUno = false;
  }

  isHost = () => this.you !== null && this.table.seats[this.you].host;
}

const small = (text) => h("span.small", { "data-color": face(text).color, title: face(text).name }, face(text).symbol);

function pile(text, kind = "") {
  const { color, symbol, name } = face(text);
  return h(`span.card${kind && `.${kind}`}`, { "data-color": color, role: "img", "aria-label": name },
    h("span", {}, COLORS[color] ?? ""), h("b", {}, symbol));
}
