// Our part in the deal: a random value, pledged before the start and opened when nothing can be chosen any more, so that
// nobody alone decides the cards (docs/fairness.md).  Whatever the server shows of it is compared with what we know.

import { bytesToHex } from "@noble/hashes/utils.js";
import type { Room } from "../state/room.svelte";
import type { TableInfo } from "../wire";
import { shownFor } from "./commitments";
import { forgetBefore, keepValue, keptFor, type KeptValue } from "./kept-values";
import { pledgeOf } from "./secret";

/**
 * `commitment`: another one than was shown first; `pledge`: the pledge of our seat is not ours; `missing`: our value is
 * not in the deal; `unfit`: somebody's value is not the pledged one; `again`: a start was taken back.
 */
export type Alarm = "commitment" | "pledge" | "missing" | "unfit" | "again";

const newValue = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

export class Pledging {
  alarm = $state<Alarm | null>(null);
  readonly #room: Room;
  /** the pledge that is on its way */
  #sent = "";
  #match = 0;
  /** how often we had been welcomed when the value was opened: a server that was restarted needs it again */
  #openedAt = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** After every change of the table. */
  look(info: TableInfo): void {
    const { you, arrivals } = this.#room;
    if (this.#match !== info.match) this.alarm = null; // it was about the match before
    this.#match = info.match;
    const shown = shownFor(info.code, info.match);
    if (shown !== null && shown !== info.fairness.commitment) this.alarm = "commitment";
    if (info.phase === "waiting") this.#pledge(info, you);
    else if (info.phase === "starting") this.#open(info, you, arrivals);
    else this.#compare(info, you);
  }

  #kept({ code, match, fairness }: TableInfo): KeptValue | null {
    const kept = keptFor(code, match);
    return kept?.commitment === fairness.commitment ? kept : null;
  }

  #pledge(info: TableInfo, you: number | null): void {
    if (you === null) return;
    const { code, match, fairness } = info;
    const kept = this.#kept(info) ?? {
      commitment: fairness.commitment,
      value: newValue(),
      pledged: false,
      pledges: null,
    };
    if (kept.pledges !== null) {
      this.alarm = "again"; // our value may be known already: it is worth nothing in another try
      return;
    }
    const value = kept.value ?? newValue();
    const pledge = pledgeOf(fairness.commitment, value);
    const pledged = fairness.pledges[you] === pledge;
    keepValue(code, match, { ...kept, value, pledged: kept.pledged || pledged });
    if (pledged) this.#sent = "";
    else if (this.#sent !== pledge) {
      this.#sent = pledge;
      this.#room.contribute({ type: "pledge", pledge });
    }
  }

  #open(info: TableInfo, you: number | null, arrivals: number): void {
    const { code, match, fairness } = info;
    const kept = this.#kept(info) ?? { commitment: fairness.commitment, value: null, pledged: false, pledges: null };
    const pledge = kept.value === null ? null : pledgeOf(fairness.commitment, kept.value);
    const ours = you !== null && pledge !== null && fairness.pledges[you] === pledge;
    if (kept.pledges === null)
      keepValue(code, match, { ...kept, pledged: kept.pledged || ours, pledges: fairness.pledges });
    if (you === null || kept.value === null) return;
    if (ours && this.#openedAt !== arrivals) {
      this.#openedAt = arrivals;
      this.#room.contribute({ type: "open", value: kept.value });
    }
    if (!ours && kept.pledged) this.alarm = "pledge";
  }

  /** The cards are dealt. */
  #compare(info: TableInfo, you: number | null): void {
    const { code, match, phase, fairness } = info;
    if (phase === "over") forgetBefore(code, match);
    const kept = this.#kept(info);
    if (kept === null) return;
    const { commitment, pledges, values } = { ...fairness, pledges: kept.pledges ?? fairness.pledges };
    const fits = values.every((value, seat) => value === null || pledgeOf(commitment, value) === pledges[seat]);
    if (!fits) this.alarm = "unfit";
    if (you === null || kept.value === null || !kept.pledged) return;
    if (pledges[you] !== pledgeOf(commitment, kept.value)) this.alarm = "pledge";
    else if (values[you] !== kept.value) this.alarm = "missing";
  }
}
