// How long a test waits before it calls something hung: so long that only what hangs for ever trips it.
import { configure } from "@testing-library/svelte";

const HANG = 600_000; // milliseconds

configure({ asyncUtilTimeout: HANG });
