// Whatever the server can say has its place in the page: the type checker sees to it.

/**
 * The last case of a `switch` over messages or events: it compiles only if every kind has a case of its own.  At run
 * time a newer server may say more than this page knows, and that is skipped (docs/wire.md, "How it grows").
 */
export const skipUnknown = (_kind: never): void => undefined;
