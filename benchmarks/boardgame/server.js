// boardgame.io's own server, with its storage in memory as it comes, or with its own storage in files of the folder
// given.  Prints `listening PORT`; ends with its input.
const { FlatFile, Server } = require("boardgame.io/server");
const { Shedding } = require("./game.js");

const quiet = () => undefined;

async function main() {
  const folder = process.argv[2];
  const db = folder ? new FlatFile({ dir: folder, logging: false }) : undefined;
  const server = Server({ games: [Shedding], origins: ["http://127.0.0.1"], db });
  const log = console.log;
  console.log = console.info = quiet; // a line for every request would be work that ours doesn't do
  const running = await server.run({ port: { port: 0, host: "127.0.0.1" } });
  log(`listening ${running.appServer.address().port}`);
  process.stdin.on("data", quiet);
  process.stdin.on("end", () => process.exit(0));
}

main();
