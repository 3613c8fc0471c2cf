/* Draws a board on a surface that the server has written, and sets stones on it. It knows no rules. */
'use strict';
const surfaces = {};
function surface(key, facts) { if (facts.k) surfaces[key] = facts; }  // earlier versions wrote other facts

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SIGNS = ['', 'x', 'o'];
const SVG = 'http://www.w3.org/2000/svg';

/* A sentence with values. The server puts those of a page's language in the place of the English ones. */
function say(text, values) { return text.replace(/{(\w+)}/g, (_, name) => values[name]); }

/* Stones of cells, three cells a letter; see the server's board_script.py. */
function unpack(text, count) {
  const stones = new Array(count).fill('');
  [...text].forEach((letter, at) => {
    let value = LETTERS.indexOf(letter);
    for (let n = 2; n >= 0; n--) {
      if (3 * at + n < count) stones[3 * at + n] = SIGNS[value % 3] || '';
      value = Math.floor(value / 3);
    }
  });
  return stones;
}

/* Numbers by their distances, see the server's board_script.py. */
function spaced(text) {
  let number = 0;
  return [...text].flatMap(letter => {
    const far = LETTERS.indexOf(letter);
    number += far;
    return far === 63 ? [] : [number];
  });
}

/* An element of a page or a drawing, the last one of its parent; the attribute text is its text. */
function make(tag, attributes, parent) {
  const isDrawn = /^(svg|g|path|circle|text)$/.test(tag);
  const node = isDrawn ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const name in attributes) {
    if (name === 'text') node.textContent = attributes[name];
    else node.setAttribute(name, attributes[name]);
  }
  if (parent) parent.append(node);
  return node;
}

class Board {
  constructor(host, facts, label) {
    const u = facts.u;
    this.facts = facts;
    const kinds = facts.c.map(number => facts.k[number]);
    let x = 0, y = 0;
    this.places = kinds.map(kind => [x += kind[0], y += kind[1]]);
    this.names = facts.n.split(' ');
    this.index = Object.fromEntries(this.names.map((name, cell) => [name, cell]));
    this.near = this.names.map(() => []);
    this.shades = kinds.map(kind => `s${kind[3]}`);
    this.after = kinds.map((kind, a) => spaced(kind[4]).map(far => a + far));
    this.after.forEach((others, a) => others.forEach(b => { this.near[a].push(b); this.near[b].push(a); }));
    const form = (cell, number) => `M${this.places[cell]}${facts.f[number]}`;
    const outlines = kinds.map((kind, cell) => form(cell, kind[2]));
    const viewBox = `0 0 ${facts.w} ${facts.h}`;
    this.svg = make('svg', {viewBox, role: 'group', 'aria-label': label, class: 'board'});
    const layer = name => make('g', {class: name, 'aria-hidden': 'true'}, this.svg);
    const rim = layer('rim');
    this.rim = [];
    for (let at = 0; at < facts.r.length; at += 2) {
      const cell = facts.r[at];
      this.rim.push([cell, make('path', {d: form(cell, facts.r[at + 1])}, rim)]);
    }
    const cells = layer('cells');
    this.cells = outlines.map((d, cell) => make('path', {d, class: this.shades[cell]}, cells));
    if (facts.b) make('path', {d: facts.b, class: 'bridge'}, layer(''));
    const names = layer('names');
    this.labels = this.names.map((text, cell) => make('text',
      {x: this.places[cell][0], y: this.places[cell][1] + 0.12 * u, class: text.length > 2 ? 'long' : '', text}, names));
    const around = layer('labels');
    facts.l.forEach(([x, y, text]) => make('text', {x, y, text}, around));
    const links = layer('links');
    this.links = ['xb', 'ob', 'xs', 'os'].map(name => make('path', {class: name}, links));
    const stones = make('g', {class: 'stones'}, this.svg);
    this.stones = this.names.map((name, cell) => {
      const g = make('g', {'data-cell': name, 'data-stone': ''}, stones);
      make('path', {d: outlines[cell], class: 'hit'}, g);
      return g;
    });
    this.now = this.names.map(() => '');
    host.replaceChildren(this.svg);
  }

  /* Shows stones, the cells of the last move, and who owns which cell at the end. */
  show(stones, last, owned) {
    stones.forEach((stone, cell) => {
      const g = this.stones[cell];
      if (stone !== this.now[cell]) this.put(g, cell, stone);
      g.classList.toggle('last', last.includes(cell));
      const whose = owned ? owned[cell] : '';
      this.cells[cell].setAttribute('class', `${this.shades[cell]} ${whose && 't' + whose}`);
      this.labels[cell].classList.toggle('off', !!stone);
    });
    this.rim.forEach(([cell, path]) => {
      path.setAttribute('class', owned && owned[cell] ? 't' + owned[cell] : '');
    });
    this.now = [...stones];
    const drawn = {x: '', o: ''};
    this.after.forEach((others, a) => others.forEach(b => {
      if (stones[a] && stones[a] === stones[b]) drawn[stones[a]] += this.link(a, b);
    }));
    this.links.forEach(path => path.setAttribute('d', drawn[path.getAttribute('class')[0]]));
  }

  /* Draws a stone on a cell, or takes it away. */
  put(g, cell, stone) {
    while (g.lastChild !== g.firstChild) g.lastChild.remove();
    g.setAttribute('data-stone', stone);
    this.draw(g, cell, stone);
  }

  /* Draws stones that are only chosen, by cell; those of the last call go. */
  ghosts(stones) {
    this.chosen = this.chosen || make('g', {class: 'chosen-stones'}, this.svg);
    this.chosen.replaceChildren();
    stones.forEach((stone, cell) => {
      if (!this.now[cell]) this.draw(make('g', {class: 'ghost', 'data-stone': stone}, this.chosen), cell, stone);
    });
  }

  draw(g, cell, stone) {
    if (!stone) return;
    const u = this.facts.u, [x, y] = this.places[cell];
    make('circle', {cx: x, cy: y, r: 0.36 * u, class: 'stone'}, g);
    if (stone === 'x') {
      const arm = 0.115 * u, long = 2 * arm;
      const cross = `M${x - arm} ${y - arm}l${long} ${long}m${-long} 0l${long} ${-long}`;
      make('path', {d: cross, class: 'sign'}, g);
    } else {
      make('circle', {cx: x, cy: y, r: 0.135 * u, class: 'sign'}, g);
    }
    make('circle', {cx: x, cy: y, r: 0.43 * u, class: 'ring'}, g);
  }

  /* The outline between two neighbours, through the middle of the board if they touch across the bridge. */
  link(a, b) {
    const over = this.facts.v[a] || [], [x, y] = this.places[a], [z, w] = this.places[b];
    return over.includes(b) ? `M${x} ${y}L${this.facts.o}L${z} ${w}` : `M${x} ${y}L${z} ${w}`;
  }

  /* The chain of the stone on a cell, the cell first. */
  chain(cell) {
    const found = new Set([cell]);
    for (const a of found) for (const b of this.near[a]) if (this.now[b] === this.now[cell]) found.add(b);
    return [...found];
  }

  mark(cells) {
    this.stones.forEach((g, cell) => g.classList.toggle('hot', cells.includes(cell)));
  }

  cellOf(target) {
    const g = target && target.closest && target.closest('[data-cell]');
    return g ? this.index[g.dataset.cell] : -1;
  }

  /* The cells of each player's stones in words; the names of the players by stone. */
  words(names) {
    return Object.entries(names).map(([stone, who]) => {
      const cells = this.names.filter((_, cell) => this.now[cell] === stone);
      return `${stone.toUpperCase()} ${who}: ${cells.join(' ') || say('no stone')}.`;
    }).join(' ');
  }
}
