/* Chooses a move on a big board. All that is known stands behind the # of the address; the server judges. */
'use strict';
(() => {
  const root = document.getElementById('play'), status = document.getElementById('status');
  const CRC = Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? n >>> 1 ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
  });

  function sum(text) {
    let crc = ~0;
    for (const letter of text) crc = crc >>> 8 ^ CRC[(crc ^ letter.charCodeAt(0)) & 255];
    return ((~crc) >>> 0).toString(16).padStart(8, '0');
  }

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

  function say(text) { status.textContent = text; }

  function begin() {
    root.replaceChildren();
    if (!location.hash) return say('Open this page by the address in a letter from the server: it shows the board of that letter.');
    const words = read();
    if (!words || !/^[0-9a-f]+$/.test(words.k || '')) {
      return say('This address is not whole or was changed on its way. Open it from the letter again, or reply to the letter with your move.');
    }
    const script = make('script', {src: `../s/${words.k}.js`});
    script.addEventListener('load', () => show(words, surfaces[words.k]));
    script.addEventListener('error', () => say('The board is not on this site now. Try again in a minute, or reply to the letter with your move.'));
    document.head.append(script);
  }

  const cellsOf = text => (text.match(/../g) || []).map(two => 64 * LETTERS.indexOf(two[0]) + LETTERS.indexOf(two[1]));

  /* Cells by their distances, see the server's surface.py. */
  function spaced(text) {
    let cell = 0;
    return [...text].flatMap(letter => {
      const far = LETTERS.indexOf(letter);
      cell += far;
      return far === 63 ? [] : [cell];
    });
  }

  function show(words, facts) {
    const many = +words.w[1], path = words.w[0] === 'p', more = words.w.endsWith('+');
    const least = path ? 2 : many === 9 ? 1 : many;
    make('h1', {text: words.g}, root);
    make('p', {text: `${words.h || ''} ${words[words.m]}, your move: you play ${words.m.toUpperCase()}.`}, root);
    const outer = make('div', {class: 'zoom'}, root), host = make('div', {class: 'big'}, outer);
    const board = new Board(host, facts, words.g);
    const stones = unpack(words.p || '', board.names.length);
    board.show(stones, cellsOf(words.l || ''), null);
    const ways = path && words.t ? new Map(words.t.split('.').map(way => [cellsOf(way.slice(0, 2))[0], spaced(way.slice(2))])) : null;
    const free = !path && words.t ? spaced(words.t) : null;
    let chosen = [];

    const told = make('p', {class: 'told', 'aria-live': 'polite'}, root);
    const controls = make('div', {class: 'controls'}, root);
    const button = (text, act) => make('button', {type: 'button', text}, controls).addEventListener('click', act);
    button('Undo', () => { chosen.pop(); tell(); });
    zoom(button, outer, host, facts);
    const other = Object.entries(words).find(([name, who]) => /^[xo]$/.test(name) && name !== words.m && who);
    let box = null;
    if (other) {
      const label = make('label', {text: `Words to ${other[1]} `}, root);
      box = make('textarea', {maxlength: 1500}, label);
      box.addEventListener('input', tell);
    }
    const last = make('div', {class: 'controls'}, root);
    const send = make('a', {class: 'send', text: 'Send', role: 'link'}, last);
    const copy = make('button', {type: 'button', text: 'Copy'}, last);
    const copied = make('span', {'aria-live': 'polite'}, last);
    for (const word of (words.b || '').split(' ').filter(Boolean)) {
      make('a', {class: 'send', text: word[0].toUpperCase() + word.slice(1), href: address(word)}, last);
    }
    make('p', {class: 'soft', text: 'Send opens your mail program with the move; the server says if it is legal. Copy takes the line for a reply to the letter.'}, root);

    function move() {
      const names = chosen.map(cell => board.names[cell]);
      return path ? [names.slice(0, more ? 2 : names.length).join('-'), ...(more ? names.slice(2) : [])].join(' ') : names.join(' ');
    }

    function address(words_) {
      const subject = words_.split(' ').map(word => word === '@' ? 'star' : word.replace(/\*/g, 'Z').replace(/@/g, 'star')).join(' ');
      const body = box && box.value ? `&body=${encodeURIComponent(box.value.replace(/\r?\n/g, '\r\n'))}` : '';
      return `mailto:${encodeURIComponent(words.r).replace(/%40/g, '@')}?subject=${encodeURIComponent(subject)}${body}`;
    }

    /* The cells that a tap can choose next, as far as they are known; null for any. */
    function legal() {
      if (!path) return chosen.length < many ? free || board.names.map((_, cell) => cell).filter(cell => !stones[cell]) : [];
      if (!chosen.length) return ways ? [...ways.keys()] : null;
      if (chosen.length === 1) return ways ? ways.get(chosen[0]) || [] : null;
      return many === 9 || more ? null : [];
    }

    function tap(cell) {
      if (cell < 0) return;
      const at = chosen.indexOf(cell);
      if (at >= 0 && (!path || at === chosen.length - 1 || at === 0)) chosen.splice(at, path ? chosen.length : 1);
      else {
        const cells = legal();
        if (cells ? cells.includes(cell) : true) chosen.push(cell);
        else if (path && chosen.length === 1 && ways && ways.has(cell)) chosen = [cell];
        else return;
      }
      tell();
    }

    function tell() {
      const ready = chosen.length >= least, cells = legal(), marks = path || free ? cells || [] : [];
      board.stones.forEach((g, cell) => {
        const taken = chosen.includes(cell);
        g.classList.toggle('chosen', taken);
        g.classList.toggle('legal', marks.includes(cell));
        g.setAttribute('aria-pressed', taken);
      });
      const left = least - chosen.length, what = path ? (chosen.length ? 'Choose where it goes.' : 'Choose the stone to move.') : left > 1 ? `Choose ${left} cells.` : 'Choose a cell.';
      told.textContent = [chosen.length ? `Chosen: ${move()}.` : '', ready ? '' : chosen.length && !path ? 'Choose one more cell.' : what].filter(Boolean).join(' ');
      if (ready) { send.href = address(move()); send.removeAttribute('aria-disabled'); }
      else { send.removeAttribute('href'); send.setAttribute('aria-disabled', 'true'); }
      copy.disabled = !ready;
      copied.textContent = '';
    }

    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(move());
        copied.textContent = 'Copied.';
      } catch {
        const line = make('input', {'aria-label': 'The line to copy', readonly: ''}, last);
        line.value = move();
        line.select();
        copied.textContent = document.execCommand('copy') ? 'Copied.' : 'Copy this line:';
        if (copied.textContent === 'Copied.') line.remove();
      }
    });
    keys(board, stones, words, tap);
    board.svg.addEventListener('click', event => tap(board.cellOf(event.target)));
    say('');
    tell();
  }

  /* One cell is in the order of the tab key; arrows go to the nearest one in their direction. */
  function keys(board, stones, words, tap) {
    board.stones.forEach((g, cell) => {
      g.setAttribute('role', 'button');
      g.setAttribute('tabindex', cell ? -1 : 0);
      g.setAttribute('aria-label', `${board.names[cell]}, ${words[stones[cell]] || 'empty'}`);
    });
    board.svg.addEventListener('keydown', event => {
      const cell = board.cellOf(event.target);
      if (cell < 0) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        return tap(cell);
      }
      const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      if (!way) return;
      event.preventDefault();
      const [x, y] = board.at(cell);
      let best = -1, least = Infinity;
      board.names.forEach((_, other) => {
        const [z, w] = board.at(other), along = (z - x) * way[0] + (w - y) * way[1];
        const aside = Math.abs((z - x) * way[1]) + Math.abs((w - y) * way[0]);
        if (along > 1 && along + 2 * aside < least && along >= aside * 0.5) { least = along + 2 * aside; best = other; }
      });
      if (best < 0) return;
      board.stones[cell].setAttribute('tabindex', -1);
      board.stones[best].setAttribute('tabindex', 0);
      board.stones[best].focus();
    });
  }

  /* The whole board is seen at first. Two fingers, or the buttons, make one larger whose cells are small. */
  function zoom(button, outer, host, facts) {
    const whole = () => Math.min(outer.clientWidth, 0.75 * innerHeight * facts.w / facts.h);
    const most = Math.max(1, 48 * facts.w / facts.u / whole());
    let size = 1, fingers = new Map(), apart = 0;
    const fit = () => { host.style.width = `${whole() * size}px`; };
    window.onresize = fit;
    fit();
    if (whole() / (facts.w / facts.u) >= 36) return;
    const grow = (to, x, y) => {
      to = Math.max(1, Math.min(most, to));
      const left = (outer.scrollLeft + x) * to / size - x, top = (outer.scrollTop + y) * to / size - y;
      size = to;
      fit();
      outer.scrollTo(left, top);
    };
    const middle = () => [outer.clientWidth / 2, outer.clientHeight / 2];
    button('Larger', () => grow(size * 1.5, ...middle()));
    button('Smaller', () => grow(size / 1.5, ...middle()));
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
      const [a, b] = [...fingers.values()], frame = outer.getBoundingClientRect();
      grow(distance() / apart, (a[0] + b[0]) / 2 - frame.left, (a[1] + b[1]) / 2 - frame.top);
    });
    for (const kind of ['pointerup', 'pointercancel', 'pointerleave']) outer.addEventListener(kind, event => fingers.delete(event.pointerId));
  }

  addEventListener('hashchange', begin);
  begin();
})();
