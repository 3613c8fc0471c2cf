/* Steps through a game. The page has what each step changes; no rule of a game is known here. */
'use strict';
(() => {
  const root = document.getElementById('viewer');
  const facts = root && surfaces[root.dataset.surface];
  if (!facts) return;
  const data = root.dataset, host = root.querySelector('.host');
  const board = new Board(host, facts, data.label);
  const count = board.names.length;
  const items = [...document.querySelectorAll('.moves li')].slice(0, data.who.length);
  const others = Object.fromEntries(data.others.split(' ').map(each => each.split(':')));
  /* The cells that each step changes: mostly its own, by a stone that the class of its item names. */
  const steps = items.map((item, at) => {
    const move = item.textContent.trim().split(' ').pop().replace(/(.)\*$/, '$1');
    const step = others[at + 1] || move + (item.className || 'x');
    return step === '-' ? [] : step.split(',');
  });
  const seats = data.seats.split(' '), ranges = [];
  data.ranges.split(' ').forEach(range => ranges.push(range || ranges[ranges.length - 1]));
  const links = items.map((item, at) => {
    const link = make('a', {href: `#${at + 1}`, text: item.textContent.trim()});
    item.replaceChildren(link);
    return link;
  });
  const discs = [...root.querySelectorAll('.disc')];
  const start = unpack(data.start || '', count), owned = unpack(data.owned || '', count);
  const byId = id => document.getElementById(id);
  const controls = make('div', {class: 'controls', role: 'group', 'aria-label': say('Step through the game')});
  host.after(controls);
  const button = (text, act) => {
    const made = make('button', {type: 'button', text}, controls);
    made.addEventListener('click', act);
    return made;
  };
  const back = [button(say('First'), () => go(0)), button(say('Back'), () => go(now - 1))];
  const forth = [button(say('Forward'), () => go(now + 1)), button(say('Last'), () => go(steps.length))];
  const slider = {type: 'range', min: 0, max: steps.length, step: 1, 'aria-label': say('Step')};
  const range = make('input', slider, controls);
  range.addEventListener('input', () => go(+range.value));
  const names = button(say('Coordinates'), () => coordinates(names.getAttribute('aria-pressed') !== 'true'));
  const told = make('p', {class: 'told', 'aria-live': 'polite'});
  const chained = make('p', {class: 'chained'});
  controls.after(told, chained);
  const end = byId('standing').textContent, words = byId('words'), curve = root.querySelector('.curve');
  const box = curve && curve.viewBox.baseVal, cursor = curve && make('path', {class: 'cursor'}, curve);
  let now = -1, players = {}, last = [];

  function coordinates(on) {
    names.setAttribute('aria-pressed', on);
    board.svg.classList.toggle('bare', !on);
  }

  function go(to) {
    to = Math.max(0, Math.min(steps.length, to));
    if (to === now) return;
    now = to;
    const stones = [...start];
    last = [];
    steps.slice(0, to).forEach((step, at) => {
      if (at === to - 1 || step.length) last = [];
      for (const each of step) {
        const cell = board.index[each.slice(0, -1)], sign = each.slice(-1);
        stones[cell] = sign === '.' ? '' : sign;
        if (sign !== '.') last.push(cell);
      }
    });
    const swapped = data.swap && to >= +data.swap;
    players = {x: seats[swapped ? 1 : 0]};
    if (seats.length > 1) players.o = seats[swapped ? 0 : 1];
    board.show(stones, last, to === steps.length && data.owned ? owned : null);
    board.mark([]);
    tell();
  }

  function tell() {
    root.dataset.step = now;
    range.value = now;
    const values = {move: now && links[now - 1].textContent, userid: seats[data.who[now - 1]]};
    const move = now ? say('{move} by {userid}', values) : say('the start');
    range.setAttribute('aria-valuetext', `${now}: ${move}`);
    const parts = [say('Step {step} of {count}: {move}.', {step: now, count: steps.length, move}), now === steps.length ? end : '', possible()];
    told.textContent = parts.filter(Boolean).join(' ');
    chained.textContent = '';
    words.textContent = board.words(players);
    for (const disc of discs) {
      const stone = players.x === disc.dataset.who ? 'x' : 'o';
      disc.className = `disc ${stone}`;
      disc.textContent = stone === 'x' ? '×' : '○';
      disc.setAttribute('aria-label', stone.toUpperCase());
    }
    links.forEach((link, at) => {
      if (at === now - 1) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
    });
    back.forEach(each => { each.disabled = !now; });
    forth.forEach(each => { each.disabled = now === steps.length; });
    if (cursor) cursor.setAttribute('d', `M${now + 0.5} ${box.y}v${box.height}`);
    if (location.hash !== `#${now}`) history.replaceState(null, '', `#${now}`);
  }

  /* What could still become of the game after this step. */
  function possible() {
    const known = /^(?:(.+),(.+),(.+),(.+?))?([xo]?)$/.exec(ranges[Math.min(now, ranges.length - 1)] || '');
    if (!known || now === steps.length && data.over) return '';
    const [, a, b, c, d, winner] = known;
    const ends = a && say('Scores still possible: {x} {a} to {c}, {o} {d} to {b}.', {...players, a, b, c, d});
    const sure = winner && say('{userid} wins no matter what.', {userid: players[winner]});
    return [ends, sure].filter(Boolean).join(' ');
  }

  function chain(cell) {
    const stone = board.now[cell];
    if (!stone) { board.mark([]); chained.textContent = ''; return; }
    const cells = board.chain(cell);
    board.mark(cells);
    const size = cells.length > 1 ? say('a chain of {count} stones', {count: cells.length}) : say('a single stone');
    chained.textContent = `${board.names[cell]}: ${players[stone]}, ${size}.`;
  }

  /* The step that the address names, the last one if it names none. */
  const wanted = () => {
    const step = /^#\d+$/.test(location.hash) ? +location.hash.slice(1) : steps.length;
    return Math.min(step, steps.length);
  };
  addEventListener('hashchange', () => go(wanted()));
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target === range) return;
    const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  board.svg.addEventListener('mouseover', event => chain(board.cellOf(event.target)));
  board.svg.addEventListener('mouseleave', () => chain(-1));
  links.forEach((link, at) => {
    link.addEventListener('focus', () => { if (last.length) chain(last[0]); });
    link.addEventListener('click', event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(at + 1);
    });
  });
  let from = null;  // the place where a finger began to swipe
  host.addEventListener('pointerdown', event => {
    from = event.isPrimary ? [event.clientX, event.clientY] : null;
  });
  host.addEventListener('pointerup', event => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.abs(x) < 30 || Math.abs(x) < 1.5 * Math.abs(y)) return;
    go(now + (x < 0 ? 1 : -1));
  });
  coordinates(true);
  go(wanted());
})();
