/** Whether an address with this host leads to the computer it is opened on, whichever that is. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
