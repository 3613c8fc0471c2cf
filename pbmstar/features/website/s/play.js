/* Chooses a move on a big board. All that is known stands behind the # of the address; the server judges. */
'use strict';
(() => {
  const root = document.getElementById('play');
  const status = document.getElementById('status'), title = document.getElementById('title');
  const ANY_NUMBER = 9;  // of cells, in the form of a turn
  const SMALL = 36, LARGE = 48;  // pixels between neighbours: a smaller board can grow up to the second

  const NO_ADDRESS = say('Open this page from one of our letters. It shows the board in that letter.');
  const BAD_ADDRESS = say('This link is incomplete or damaged. Open it from the letter again, or reply to the letter with your move.');
  const NO_BOARD = say('This site can\'t show the board right now. Try again in a minute, or reply to the letter with your move.');
  const HOW_TO_SEND = say('Send opens a message with your move in your email app. Send that message, and our server checks the move. Copy gives you a line to paste into a reply.');

  // -- the address: words by one letter each, and a sum over them; see the server's fragment.py

  const CRC = Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? n >>> 1 ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
  });

  function sum(text) {
    let crc = ~0;
    for (const letter of text) crc = crc >>> 8 ^ CRC[(crc ^ letter.charCodeAt(0)) & 255];
    return ((~crc) >>> 0).toString(16).padStart(8, '0');
  }

  /* The words of the address; null if it is not whole. */
  function read() {
    const found = /^#([ -~]*)&c=([0-9a-f]{8})$/.exec(location.hash);
    if (!found || sum(found[1]) !== found[2]) return null;
    try {
      return Object.fromEntries(found[1].split('&').map(each => {
        const [name, word] = each.split('=');
        return [name, decodeURIComponent(word)];
      }));
    } catch {
      return null;
    }
  }

  /* Cells of two letters each, see the server's board_script.py. */
  function numbered(text) {
    const pairs = text.match(/../g) || [];
    return pairs.map(([high, low]) => 64 * LETTERS.indexOf(high) + LETTERS.indexOf(low));
  }

  /* The ways of stones, packed; null if this browser cannot unpack them. See the server's board_script.py. */
  async function unpacked(text) {
    const packed = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const whole = new Blob([Uint8Array.from(packed, letter => letter.charCodeAt(0))]);
    const ways = new Map();
    let origin = -1, cell = -1, goals = null;
    try {
      const stream = whole.stream().pipeThrough(new DecompressionStream('deflate-raw'));
      for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) {
        if (byte === 0) {
          [cell, goals] = [origin, null];
          continue;
        }
        cell += byte === 255 ? 254 : byte;
        if (byte === 255) continue;
        if (goals) goals.push(cell);
        else {
          ways.set(cell, goals = []);
          [origin, cell] = [cell, -1];
        }
      }
    } catch {
      return null;
    }
    return ways;
  }

  function told(text) { status.textContent = text; }

  let begun = 0;  // how often; what takes longer than the next beginning shows nothing

  function begin() {
    const mine = ++begun;
    root.replaceChildren();
    title.textContent = say('Choose a move');
    if (!location.hash) return told(NO_ADDRESS);
    const words = read();
    if (!words || !/^[0-9a-f]+$/.test(words.k || '')) return told(BAD_ADDRESS);
    const script = make('script', {src: `${root.dataset.root}s/${words.k}.js`});
    script.addEventListener('load', async () => {
      const ways = words.z ? await unpacked(words.z) : null;
      if (mine !== begun) return;
      if (surfaces[words.k]) show(words, surfaces[words.k], ways);
      else told(NO_BOARD);
    });
    script.addEventListener('error', () => told(NO_BOARD));
    document.head.append(script);
  }

  // -- the choice

  /* The cells that are chosen for a turn: cells that take stones, or the way of a stone. */
  class Choice {
    constructor(words, names, stones, ways) {
      const form = words.w, targets = words.t;
      this.names = names;
      this.stones = stones;
      this.isWay = form[0] === 'p';
      this.mayGoOn = form.endsWith('+');  // cells of another kind may follow a way
      this.most = +form[1];
      this.least = this.isWay ? 2 : this.most === ANY_NUMBER ? 1 : this.most;
      this.free = null;  // the cells that can take a stone, if not all empty ones can
      this.ways = ways;  // the cells that each stone can go to, if they are known
      if (targets && this.isWay) {
        const ways = targets.split('.');
        this.ways = new Map(ways.map(way => [numbered(way.slice(0, 2))[0], spaced(way.slice(2))]));
      } else if (targets) {
        this.free = spaced(targets);
      }
      this.cells = [];
    }

    get isReady() { return this.cells.length >= this.least; }

    /* The cells that can be chosen next, as far as they are known; null for any. */
    next() {
      const count = this.cells.length;
      if (!this.isWay) return count < this.most ? this.free || this.empty() : [];
      if (count === 0) return this.ways && [...this.ways.keys()];
      if (count === 1) return this.ways && (this.ways.get(this.cells[0]) || []);
      return this.most === ANY_NUMBER || this.mayGoOn ? null : [];
    }

    empty() {
      return this.names.map((_, cell) => cell).filter(cell => !this.stones[cell]);
    }

    /* The cells to point out: not all empty ones. */
    hints() { return this.isWay || this.free ? this.next() || [] : []; }

    /* Takes a cell, or takes it back; of a way only its ends can be taken back. False if it does neither. */
    tap(cell) {
      const at = this.cells.indexOf(cell), next = this.next();
      if (at >= 0 && !this.isWay) this.cells.splice(at, 1);
      else if (at >= 0 && (at === 0 || at === this.cells.length - 1)) this.cells.length = at;
      else if (!next || next.includes(cell)) this.cells.push(cell);
      else if (this.cells.length === 1 && this.ways && this.ways.has(cell)) this.cells = [cell];
      else return false;
      return true;
    }

    undo() { this.cells.pop(); }

    /* The line that a reply has for this move. */
    line() {
      const names = this.cells.map(cell => this.names[cell]);
      if (!this.isWay) return names.join(' ');
      const length = this.mayGoOn ? 2 : names.length;
      return [names.slice(0, length).join('-'), ...names.slice(length)].join(' ');
    }

    /* The stones that the choice would put, as far as it says: by cell the sign of each. */
    put(mine) {
      if (!this.isWay) return new Map(this.cells.map(cell => [cell, mine]));
      const [from, ...to] = this.cells;
      return new Map(to.slice(-1).map(cell => [cell, this.stones[from] || mine]));
    }

    /* The line so far, and what to choose next. */
    said() {
      const count = this.cells.length, left = this.least - count;
      let wanted = left > 1 ? say('Choose {count} cells.', {count: left}) : say('Choose a cell.');
      if (this.isWay) wanted = count ? say('Choose where it goes.') : say('Choose the stone to move.');
      else if (count) wanted = say('Choose one more cell.');
      const chosen = count ? say('You\'ve chosen {move}.', {move: this.line()}) : '';
      const parts = [chosen, this.isReady ? '' : wanted];
      return parts.filter(Boolean).join(' ');
    }
  }

  // -- the page

  function show(words, facts, ways) {
    const player = words[words.m];
    title.textContent = say('Your move, {userid}', {userid: player});
    const about = make('div', {class: 'words-side'}, root);
    const played = words.h ? `; ${words.h.replace(/[.]$/, '')}` : '';
    const mine = say('You play {side}.', {side: words.m.toUpperCase()});
    make('p', {class: 'soft', text: `${words.g}${played}. ${mine}`}, about);
    seats(words, about);
    const side = make('div', {class: 'board-side'}, root);
    const outer = make('div', {class: 'zoom'}, side);
    const host = make('div', {class: 'big'}, outer);
    const board = new Board(host, facts, words.g);
    const stones = unpack(words.p || '', board.names.length);
    board.show(stones, numbered(words.l || ''), null);
    const choice = new Choice(words, board.names, stones, ways);

    const controls = make('div', {class: 'controls'}, side);
    const button = (text, act) => {
      make('button', {type: 'button', text}, controls).addEventListener('click', act);
    };
    button(say('Undo'), () => { choice.undo(); tell(); });
    zoom(button, outer, host, facts);
    const below = make('div', {class: 'words-side'}, root);
    const comment = commentBox(words, below);
    if (comment) comment.addEventListener('input', tell);

    const last = make('div', {class: 'controls sending'}, below);
    const line = make('p', {class: 'told', 'aria-live': 'polite'}, last);
    const send = make('a', {class: 'send button fill', text: say('Send'), role: 'link'}, last);
    const rest = make('div', {class: 'controls'}, below);
    const copy = make('button', {type: 'button', text: say('Copy')}, rest);
    const copied = make('span', {'aria-live': 'polite'}, rest);
    const others = (words.b || '').split(' ').filter(Boolean).map(word => {
      const text = word === 'pass' ? say('Pass') : say('Swap');
      return [word, make('a', {class: 'send button', text}, rest)];
    });
    make('p', {class: 'soft small', text: HOW_TO_SEND}, below);
    beside(words, choice.isWay ? () => '' : name => stones[board.index[name]]);

    function tell() {
      const hints = choice.hints();
      board.stones.forEach((g, cell) => {
        const isChosen = choice.cells.includes(cell);
        g.classList.toggle('chosen', isChosen);
        g.classList.toggle('legal', hints.includes(cell));
        g.setAttribute('aria-pressed', isChosen);
      });
      board.ghosts(choice.put(words.m));
      line.textContent = choice.said();
      const saying = move => mailto(words.r, move, comment ? comment.value : '');
      for (const [word, link] of others) link.href = saying(word);
      if (choice.isReady) {
        send.href = saying(choice.line());
        send.textContent = say('Send {move}', {move: choice.line()});
        send.removeAttribute('aria-disabled');
      } else {
        send.textContent = say('Send');
        send.removeAttribute('href');
        send.setAttribute('aria-disabled', 'true');
      }
      copy.disabled = !choice.isReady;
      copied.textContent = '';
    }

    function tap(cell) {
      if (cell >= 0 && choice.tap(cell)) tell();
    }

    copy.addEventListener('click', async () => {
      const isDone = await copyLine(choice.line(), rest);
      copied.textContent = isDone ? say('Copied.') : say('Copy this line:');
    });
    keys(board, stones, words, tap);
    board.svg.addEventListener('click', event => tap(board.cellOf(event.target)));
    told('');
    tell();
  }

  /* The players, each with the points still possible and the time left; who leads, and who can still win. */
  function seats(words, parent) {
    const list = make('ul', {class: 'seats'}, parent), could = [];
    const range = (words.n || '').split('.').map(Number);  // X's least and most points, then O's
    ['x', 'o'].filter(stone => words[stone]).forEach((stone, at) => {
      const item = make('li', {}, list);
      if (range.length === 4) {
        const [low, high] = range.slice(2 * at, 2 * at + 2), lead = high - range[2 - 2 * at];
        make('span', {class: 'points', text: low === high ? `${low}` : say('{low} to {high}', {low, high})}, item);
        if (lead > 0) could.push(say('{userid} can still win by up to {lead}.', {userid: words[stone], lead}));
      }
      make('span', {class: `disc ${stone}`, role: 'img', 'aria-label': stone.toUpperCase(), text: stone === 'x' ? '×' : '○'}, item);
      make('b', {text: ` ${words[stone]}`}, item);
      const [left, whole, text] = (words[`f${stone}`] || '').split('|');
      if (!text) return;
      clock(+left, +whole, item);
      make('span', {class: 'small soft', text}, item);
    });
    const said = [lead(words), ...could].filter(Boolean);
    if (said.length) make('p', {class: 'small', text: said.join(' ')}, parent);
    if (words.i) {
      const quote = make('blockquote', {text: words.i}, parent);
      const other = ['x', 'o'].find(stone => stone !== words.m && words[stone]);
      quote.setAttribute('aria-label', say('What {userid} wrote', {userid: words[other]}));
    }
  }

  /* Who leads as the board stands, if the game could end so. */
  function lead(words) {
    if (!words.s) return '';
    const [x, o] = words.s.split('.').map(Number);
    if (x === o) return say('As things stand, you\'re tied at {points}.', {points: x});
    const values = {userid: x > o ? words.x : words.o, points: Math.abs(x - o)};
    return say('As things stand, {userid} leads by {points}.', values);
  }

  /* The time left as a line that gets shorter; it is amber in its last quarter. */
  function clock(left, whole, parent) {
    const part = Math.max(0, Math.min(1, left / (whole || 1)));
    const line = make('svg', {class: 'clock', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, parent);
    make('path', {class: 'all', d: 'M0 0h100v4H0z'}, line);
    make('path', {class: part < 0.25 ? 'little' : 'left', d: `M0 0h${Math.round(100 * part)}v4H0z`}, line);
  }

  /* The next board that waits, and the moves so far, below the board; stoneOn: the stone on a cell, if known. */
  function beside(words, stoneOn) {
    const place = document.getElementById('side');
    place.replaceChildren();
    const [number, game, userid] = (words.j || '').split('|');
    if (userid) {
      make('h2', {text: say('Next')}, place);
      make('p', {text: say('Your game of {game} against {userid} is waiting for you, too.', {game, userid})}, place);
      const text = say('Send me board {number}', {number});
      const link = {class: 'button', href: mailto(words.r, `show ${number}`, ''), text};
      make('a', link, make('p', {}, place));
    }
    if (!words.q) return;
    make('h2', {text: say('Moves so far')}, place);
    const list = make('ol', {class: 'moves'}, place);
    words.q.split('.').forEach((word, at) => {
      const move = word.replace(/Z/g, '*');
      make('li', {class: stoneOn(move.split('-')[0]) || 'n', text: `${at + 1} ${move}`}, list);
    });
  }

  /* A box for words to the other player; null if nobody else plays. */
  function commentBox(words, parent) {
    const other = ['x', 'o'].find(stone => stone !== words.m && words[stone]);
    if (!other) return null;
    const label = make('label', {text: say('Your message to {userid}', {userid: words[other]})}, parent);
    return make('textarea', {maxlength: 1500}, label);
  }

  /* The address of a mail with a line as its Subject, in letters that a Subject can have. */
  function mailto(to, line, comment) {
    const spelled = line.split(' ').map(word => word === '@' ? 'star' : word.replace(/\*/g, 'Z'));
    const body = comment && `&body=${encodeURIComponent(comment.replace(/\r?\n/g, '\r\n'))}`;
    const [address, ...proof] = to.split(' ');
    const said = encodeURIComponent([...spelled, ...proof].join(' '));
    return `mailto:${encodeURIComponent(address).replace(/%40/g, '@')}?subject=${said}${body}`;
  }

  /* Copies a line. False if the browser forbids it: then the line stands in a field behind the buttons. */
  async function copyLine(line, behind) {
    try {
      await navigator.clipboard.writeText(line);
      return true;
    } catch {
      const field = make('input', {'aria-label': say('The line to copy'), readonly: ''}, behind);
      field.value = line;
      field.select();
      const isDone = document.execCommand('copy');
      if (isDone) field.remove();
      return isDone;
    }
  }

  /* One cell is in the order of the tab key; arrows go to the nearest one in their direction. */
  function keys(board, stones, words, tap) {
    const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    board.stones.forEach((g, cell) => {
      g.setAttribute('role', 'button');
      g.setAttribute('tabindex', cell ? -1 : 0);
      g.setAttribute('aria-label', `${board.names[cell]}, ${words[stones[cell]] || say('empty')}`);
    });
    board.svg.addEventListener('keydown', event => {
      const cell = board.cellOf(event.target);
      if (cell < 0) return;
      const isChosen = event.key === 'Enter' || event.key === ' ', way = WAYS[event.key];
      if (!isChosen && !way) return;
      event.preventDefault();
      if (isChosen) return tap(cell);
      const next = neighbour(board, cell, way);
      if (next < 0) return;
      board.stones[cell].setAttribute('tabindex', -1);
      board.stones[next].setAttribute('tabindex', 0);
      board.stones[next].focus();
    });
  }

  /* The nearest cell in a direction, rather straight ahead than aside; -1 if there is none. */
  function neighbour(board, cell, [right, down]) {
    const [x, y] = board.places[cell];
    let best = -1, least = Infinity;
    board.names.forEach((_, other) => {
      const [z, w] = board.places[other];
      const along = (z - x) * right + (w - y) * down;
      const aside = Math.abs((z - x) * down) + Math.abs((w - y) * right);
      if (along > 1 && along >= aside * 0.5 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = other;
      }
    });
    return best;
  }

  /* The whole board is seen at first. Two fingers, or the buttons, make one larger whose cells are small. */
  function zoom(button, outer, host, facts) {
    const across = facts.w / facts.u;  // neighbours side by side
    const whole = () => Math.min(outer.clientWidth, 0.75 * innerHeight * facts.w / facts.h);
    const most = Math.max(1, LARGE * across / whole());
    let size = 1;
    const fit = () => { host.style.width = `${whole() * size}px`; };
    window.onresize = fit;
    fit();
    if (whole() / across >= SMALL) return;

    /* The point x, y of the frame stays where it is. */
    const grow = (wanted, x, y) => {
      const to = Math.max(1, Math.min(most, wanted));
      const left = (outer.scrollLeft + x) * to / size - x;
      const top = (outer.scrollTop + y) * to / size - y;
      size = to;
      fit();
      outer.scrollTo(left, top);
    };
    const growBy = factor => grow(size * factor, outer.clientWidth / 2, outer.clientHeight / 2);
    button(say('Larger'), () => growBy(1.5));
    button(say('Smaller'), () => growBy(1 / 1.5));

    const fingers = new Map();  // places by pointer
    let apart = 0;  // the distance of two fingers for a board of size 1
    const distance = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    outer.addEventListener('touchstart', event => {
      if (event.touches.length === 2) event.preventDefault();
    }, {passive: false});
    outer.addEventListener('pointerdown', event => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2) apart = distance() / size;
    });
    outer.addEventListener('pointermove', event => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size !== 2) return;
      const [a, b] = [...fingers.values()];
      const frame = outer.getBoundingClientRect();
      grow(distance() / apart, (a[0] + b[0]) / 2 - frame.left, (a[1] + b[1]) / 2 - frame.top);
    });
    for (const kind of ['pointerup', 'pointercancel', 'pointerleave']) {
      outer.addEventListener(kind, event => fingers.delete(event.pointerId));
    }
  }

  addEventListener('hashchange', begin);
  begin();
})();
