// Reads PGN files with chess.js and chessops: every game, every move; prints games and half-moves, complains on standard error.
const fs = require('fs');
const path = require('path');
const { Chess } = require('chess.js');

let games = 0, plies = 0;

// `node -e script -- files`: the files are what follows. The CommonJS form of chessops cannot be required from a script without a file.
(async () => {
const own = (name) => import(path.join(process.env.NODE_PATH, 'chessops/dist/esm', name));
const { parsePgn, startingPosition } = await own('pgn.js');
const { parseSan } = await own('san.js');
for (const file of process.argv.slice(1)) {
  const text = fs.readFileSync(file, 'utf8');
  const parsed = parsePgn(text);
  const single = text.split(/\n\n(?=\[)/).filter((part) => part.trim());
  if (single.length !== parsed.length) throw new Error(`${file}: ${single.length} games, chessops reads ${parsed.length}`);
  parsed.forEach((game, index) => {
    const position = startingPosition(game.headers).unwrap();
    let own = 0;
    for (const node of game.moves.mainline()) {
      const move = parseSan(position, node.san);
      if (!move) throw new Error(`${file}: chessops does not understand ${node.san}`);
      position.play(move);
      own += 1;
    }
    games += 1;
    plies += own;
    if (game.headers.get('Variant') === 'Chess960') return;
    const chess = new Chess();
    // chess.js never reads clock and time spent in two comments side by side, as LiveChess writes them letter for letter; all else it reads.
    const apart = path.basename(file) === 'livechess.pgn';
    chess.loadPgn(apart ? single[index].replace(/\}\s+\{/g, ' ') : single[index]);
    if (chess.history().length !== own) throw new Error(`${file}: chess.js reads ${chess.history().length} half-moves of ${own}`);
  });
}
console.log(games, plies);
})().catch((error) => { console.error(error); process.exit(1); });
