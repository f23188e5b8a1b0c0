'use strict';
(() => {
  const HOUR = 3600 * 1000;
  const PERIOD = 5000;
  const element = id => document.getElementById(id);
  let samples = [];
  let names = [];
  let data = null;
  let sort = { key: 'total_ms', descending: true };
  let charts = [];

  const make = (tag, text, className) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const number = value => value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const clock = millis => new Date(millis).toLocaleTimeString([], { hour12: false });
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // --- theme

  const preferred = matchMedia('(prefers-color-scheme: dark)');
  const stored = () => { try { return localStorage.getItem('theme'); } catch (refused) { return null; } };
  const applyTheme = () => {
    const dark = (stored() || (preferred.matches ? 'dark' : 'light')) === 'dark';
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    element('theme').textContent = dark ? 'Light' : 'Dark';
    makeCharts();
  };
  element('theme').addEventListener('click', () => {
    const other = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('theme', other); } catch (refused) { /* It lasts as long as the page. */ }
    document.documentElement.dataset.theme = other;
    applyTheme();
  });
  preferred.addEventListener('change', applyTheme);

  // --- charts

  const perNode = value => ({
    series: () => names,
    rows: () => names.map((name, node) => samples.map(sample => sample[3][node] ? sample[3][node][value] : null)),
  });
  const KINDS = {
    'chart-throughput': perNode(0),
    'chart-latency': perNode(1),
    'chart-lag': {
      series: () => names.slice(1),
      rows: () => names.slice(1).map((name, node) => samples.map(sample => sample[3][node + 1] ? sample[3][node + 1][2] : null)),
    },
    'chart-clients': { series: () => ['clients'], rows: () => [samples.map(sample => sample[1])] },
  };
  const width = host => Math.max(200, host.clientWidth);
  const makeCharts = () => {
    charts.forEach(chart => chart.plot.destroy());
    charts = Object.entries(KINDS).map(([id, kind]) => {
      const host = element(id);
      const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') } };
      const plot = new uPlot({
        width: width(host), height: 180,
        scales: { x: { time: true, range: (self, low, high) => [Date.now() / 1000 - 3600, Date.now() / 1000] },
          y: { range: (self, low, high) => [0, Math.max(1, (high || 0) * 1.1)] } },
        axes: [Object.assign({}, axis), Object.assign({ size: 60, values: (self, ticks) => ticks.map(number) }, axis)],
        series: [{ value: (self, at) => at == null ? '' : clock(at * 1000) }].concat(kind.series().map((label, i) => ({
          label, stroke: colour('--s' + i % 6), width: 1.5, dash: i >= 6 ? [6, 4] : undefined,
          value: (self, at) => at == null ? '–' : number(at), spanGaps: false, points: { show: samples.length < 3 },
        }))),
        cursor: { sync: { key: 'hour' } },
      }, [[]].concat(kind.series().map(() => [])), host);
      return { plot, kind, host };
    });
    drawCharts();
  };
  const drawCharts = () => charts.forEach(({ plot, kind, host }) => {
    const rows = kind.rows();
    plot.setData([samples.map(sample => sample[0] / 1000)].concat(rows));
    const latest = kind.series().map((name, i) => name + ' ' + (rows[i].length ? number(rows[i][rows[i].length - 1] || 0) : '–'));
    host.setAttribute('role', 'img');
    host.setAttribute('aria-label', host.parentElement.querySelector('figcaption').textContent + ', now: ' + latest.join(', '));
  });
  addEventListener('resize', () => charts.forEach(({ plot, host }) => plot.setSize({ width: width(host), height: 180 })));

  // --- the rest of the page

  const stateClass = state => state === 'serving' ? 'good' : state === 'down' || state === 'failed' ? 'bad' : 'busy';
  const ranges = cores => {
    const parts = [];
    for (let i = 0; i < cores.length;) {
      let j = i;
      while (j + 1 < cores.length && cores[j + 1] === cores[j] + 1) j++;
      parts.push(i === j ? cores[i] : cores[i] + '–' + cores[j]);
      i = j + 1;
    }
    return parts.join(', ') || 'all';
  };
  const showNodes = () => element('nodes').replaceChildren(...data.nodes.map((node, i) => {
    const card = make('li');
    const title = make('h3', node.name);
    title.append(make('span', node.state, stateClass(node.state)));
    const list = make('dl');
    const row = (term, value) => list.append(make('dt', term), make('dd', value));
    if (node.detail && node.state !== 'serving') row('detail', node.detail);
    row('cores', ranges(node.cores));
    if (node.role !== 'master') row('lag', number(node.lag_ms) + ' ms');
    row('active', number(node.active));
    const latest = samples.length ? samples[samples.length - 1][3][i] : null;
    if (latest) row('transactions', number(latest[0]) + ' /s');
    row('served', number(node.served));
    if (node.tables.length) row('carries', node.tables.join(', '));
    card.append(title, list);
    return card;
  }));
  const cell = (text, className) => make('td', text, className);
  const row = cells => { const made = make('tr'); made.append(...cells); return made; };
  const fill = (id, rows, columns, empty) => {
    if (!rows.length) {
      const none = cell(empty || 'none', 'note');
      none.colSpan = columns;
      rows = [row([none])];
    }
    element(id).querySelector('tbody').replaceChildren(...rows);
  };
  const showShapes = () => {
    const shown = data.shapes.slice().sort((a, b) => {
      const order = typeof a[sort.key] === 'string' ? a[sort.key].localeCompare(b[sort.key]) : a[sort.key] - b[sort.key];
      return sort.descending ? -order : order;
    });
    document.querySelectorAll('#shapes th').forEach(th => {
      const button = th.querySelector('button');
      if (button) th.setAttribute('aria-sort', button.dataset.sort !== sort.key ? 'none' : sort.descending ? 'descending' : 'ascending');
    });
    fill('shapes', shown.slice(0, 30).map(shape => {
      const text = make('td');
      text.append(make('code', shape.text));
      if (shape.shape) text.append(make('span', 'shape ' + shape.shape, 'note'));
      const where = make('td');
      const places = make('ul');
      Object.entries(shape.places).sort((a, b) => b[1] - a[1]).slice(0, 4)
        .forEach(([place, count]) => places.append(make('li', Math.round(100 * count / shape.count) + ' % ' + place)));
      where.append(places);
      return row([text, cell(number(shape.count), 'n'), cell(number(shape.mean_ms), 'n'), cell(number(shape.max_ms), 'n'),
        cell(number(shape.total_ms), 'n'), cell(number(shape.wait_ms), 'n'), cell(number(shape.failed), 'n'), where]);
    }), 8, 'none yet');
  };
  document.querySelectorAll('#shapes button').forEach(button => button.addEventListener('click', () => {
    const key = button.dataset.sort;
    sort = { key, descending: sort.key === key ? !sort.descending : key !== 'text' };
    if (data) showShapes();
  }));
  const duration = micros => micros < 1000 ? micros + ' µs' : micros < 1e6 ? number(micros / 1000) + ' ms' : number(micros / 1e6) + ' s';
  /** Returns the waits in powers of four. */
  const coarse = waits => {
    const sums = new Map();
    waits.forEach(wait => {
      let bound = 64;
      while (bound < wait.at_most_us) bound *= 4;
      sums.set(bound, (sums.get(bound) || 0) + wait.waits);
    });
    return [...sums].sort((a, b) => a[0] - b[0]);
  };
  const show = () => {
    element('version').textContent = data.version;
    element('where').textContent = data.endpoint + ', ' + number(data.clients) + (data.clients === 1 ? ' client' : ' clients');
    const serving = data.nodes.filter(node => node.state === 'serving').length;
    const state = element('state');
    const text = data.ending ? 'ending' : serving + ' of ' + data.nodes.length + ' nodes serve';
    if (state.textContent !== text) state.textContent = text;
    state.className = data.ending || serving < data.nodes.length ? 'busy' : 'good';
    showNodes();
    showShapes();
    fill('routes', data.routes_table.filter(route => route.transactions > 0).sort((a, b) => b.transactions - a.transactions)
      .map(route => row([cell(route.meaning), cell(number(route.transactions), 'n')])), 2);
    fill('waits', coarse(data.waits_table).map(([bound, count]) => row([cell(duration(bound)), cell(number(count), 'n')])), 2);
    element('rules-section').hidden = !data.rules_table.length;
    fill('rules', data.rules_table.map(rule => row([cell(rule.rule), cell(rule.match), cell(rule.to + ', otherwise ' + rule.otherwise),
      cell(number(rule.sent), 'n'), cell(number(rule.fell_back), 'n'), cell(number(rule.refused), 'n')])), 6);
    element('events').replaceChildren(...data.events.map(event => {
      const item = make('li');
      const time = make('time', clock(event.time));
      time.dateTime = new Date(event.time).toISOString();
      item.append(time, make('strong', event.node), ' ' + event.text);
      return item;
    }));
    element('clients-count').textContent = number(data.clients);
    fill('clients', data.clients_table.map(client => row([cell(client.user), cell(client.database), cell(client.state),
      cell(client.node), cell(client.route), cell(client.address)])), 6);
  };

  // --- data

  const load = async () => {
    try {
      const after = samples.length ? samples[samples.length - 1][0] : 0;
      const answer = await fetch('/console/data.json?after=' + after, { cache: 'no-store' });
      if (!answer.ok) throw new Error('status ' + answer.status);
      data = await answer.json();
      const otherNodes = data.names.join() !== names.join();
      names = data.names;
      samples = samples.concat(data.samples).filter(sample => sample[0] > data.now - HOUR);
      if (otherNodes) makeCharts(); else drawCharts();
      show();
    } catch (failure) {
      element('state').textContent = 'no answer (' + failure.message + ')';
      element('state').className = 'bad';
    }
  };
  const run = async () => {
    if (!document.hidden) await load();
    setTimeout(run, PERIOD);
  };
  document.addEventListener('visibilitychange', () => { if (!document.hidden) load(); });
  applyTheme();
  run();
})();
