// Reads PGN files with chess.js and chessops: every game, every move; prints games and half-moves, complains on standard error.
const fs = require('fs');
const { Chess } = require('chess.js');
const { parsePgn, startingPosition } = require('chessops/pgn');
const { parseSan } = require('chessops/san');

let games = 0, plies = 0;
// `node -e script -- files`: the files are what follows.
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
    chess.loadPgn(single[index]);
    if (chess.history().length !== own) throw new Error(`${file}: chess.js reads ${chess.history().length} half-moves of ${own}`);
  });
}
console.log(games, plies);
