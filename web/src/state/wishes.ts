// What was wished on another screen, for the table that is opened next.

import { plainCode } from "./route.svelte";

const toDeal = new Set<string>();

/** The table is full of bots: deal as soon as our value is pledged. */
export const wishToDeal = (code: string): void => void toDeal.add(plainCode(code));

/** Whether it was wished; it is granted once. */
export const takeWishToDeal = (code: string): boolean => toDeal.delete(plainCode(code));
