// Draws what the server reports about its stages, once a second. Names are the application's: they only ever become
// text.

const PERIOD = 1000;
// A server that is overloaded may take long to answer, and is of interest just then.
const PATIENCE = 20000;
const MINUTE = 60;
const SVG = "http://www.w3.org/2000/svg";
const CHART = { width: 240, height: 54, top: 4 };
const BAR = { left: 12, top: 48, width: 172, height: 8 };
const NAME_LENGTH = 24;
const RUNNER_LENGTH = 18;
const LABEL_AWAY = 22;
const LABEL_HEIGHT = 14;
const SMALLEST_SCALE = 0.7;
// A drawing that is wider than this has a row of its own.
const BROAD = 640;

const page = {
    root: document.documentElement,
    name: document.getElementById("graph-name"),
    state: document.getElementById("state"),
    totals: document.getElementById("totals"),
    drawing: document.querySelector("#graph svg"),
    stages: document.getElementById("stages"),
};

// Making elements

function html(name, parent, properties = {}) {
    const element = Object.assign(document.createElement(name), properties);
    parent?.append(element);
    return element;
}

function svg(name, parent, attributes = {}, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, value);
    }
    if (text !== undefined) {
        element.textContent = text;
    }
    parent?.append(element);
    return element;
}

// Writing numbers

function short(number) {
    for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
        if (number >= size) {
            const scaled = number / (unit === "k" ? 1e3 : size);
            return scaled.toFixed(scaled < 10 ? 1 : 0) + unit;
        }
    }
    return number > 0 && number < 10 && !Number.isInteger(number) ? number.toFixed(1) : String(Math.round(number));
}

function rate(number) {
    return number === null ? "–" : short(number) + "/s";
}

function millis(number) {
    if (number === null) {
        return "–";
    }
    if (number >= 1000) {
        return (number / 1000).toFixed(number < 10000 ? 1 : 0) + " s";
    }
    return number >= 10 ? number.toFixed(0) + " ms" : number >= 0.1 ? number.toFixed(1) + " ms"
        : (number * 1000).toFixed(0) + " µs";
}

function bytes(number) {
    return (number / (1 << 20)).toFixed(0) + " MiB";
}

function cut(text, length) {
    const letters = [...text];
    return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// The last minute of some numbers

class History {

    constructor() {
        this.moments = [];
    }

    add(seconds, values) {
        this.moments.push({ seconds, values });
        while (this.moments[0].seconds < seconds - MINUTE) {
            this.moments.shift();
        }
    }

    most(keys) {
        return Math.max(0, ...this.moments.flatMap(moment => keys.map(key => moment.values[key] ?? 0)));
    }

    path(key, most) {
        const last = this.moments[this.moments.length - 1].seconds;
        let path = "";
        let command = "M";
        for (const { seconds, values } of this.moments) {
            const value = values[key];
            if (value === null || value === undefined) {
                command = "M";
                continue;
            }
            const x = CHART.width * (1 - (last - seconds) / MINUTE);
            const y = CHART.height - (CHART.height - CHART.top) * value / most;
            path += command + x.toFixed(1) + " " + y.toFixed(1);
            command = "L";
        }
        return path;
    }
}

class Chart {

    // The lines are [key of the value, class, name], and the room above a line of zeros is at least so much.
    constructor(parent, title, lines, least) {
        this.figure = html("figure", parent);
        const caption = html("figcaption", this.figure);
        html("span", caption, { textContent: title });
        this.output = html("output", caption);
        this.lines = lines;
        this.least = least;
        this.drawing = svg("svg", this.figure, { class: "chart", role: "img", "aria-label": title + ", the last minute",
            viewBox: `0 0 ${CHART.width} ${CHART.height}`, preserveAspectRatio: "none" });
        this.paths = lines.map(line => svg("path", this.drawing, { class: line[1] }));
    }

    draw(history, texts) {
        const most = Math.max(this.least, history.most(this.lines.map(line => line[0])));
        this.lines.forEach((line, i) => this.paths[i].setAttribute("d", history.path(line[0], most)));
        this.output.replaceChildren(...texts.map(([text, key]) =>
            html("span", null, { textContent: text, className: key ? "key " + key : "" })));
    }
}

// A stage, in the graph and beside it

class StageView {

    constructor(stage, data, history) {
        this.name = stage.name;
        this.history = history;
        this.box = svg("g", page.drawing, { class: "box", transform: `translate(${stage.x} ${stage.y})` });
        svg("title", this.box, {}, stage.name);
        svg("rect", this.box, { class: "outline", width: data.stageWidth, height: data.stageHeight, rx: 8 });
        svg("text", this.box, { class: "name", x: BAR.left, y: 22 }, cut(stage.name, NAME_LENGTH));
        this.queued = svg("text", this.box, { x: BAR.left, y: 41 });
        svg("rect", this.box, { class: "room", x: BAR.left, y: BAR.top, width: BAR.width, height: BAR.height });
        this.queue = svg("rect", this.box, { class: "queue", x: BAR.left, y: BAR.top, height: BAR.height });
        this.mark = svg("path", this.box, { class: "mark" });
        this.running = svg("text", this.box, { class: "faint", x: BAR.left, y: 75 });
        this.speed = svg("text", this.box, { class: "end", x: BAR.left + BAR.width, y: 75 });

        const card = html("article", null, { className: "stage" });
        this.card = card;
        card.dataset.stage = stage.name;
        html("h2", card, { textContent: stage.name });
        html("p", card, { textContent: `${stage.events} · ${stage.runner}` });
        const counts = html("dl", card, { className: "counts" });
        this.counts = {};
        for (const name of ["queue", "threshold", "threads", "batch", "handled", "failed", "discarded", "rejected"]) {
            const row = html("div", counts);
            html("dt", row, { textContent: name });
            this.counts[name] = html("dd", row, { className: name });
        }
        const charts = html("div", card, { className: "charts" });
        this.queueChart = new Chart(charts, "Queue", [["threshold", "limit"], ["length", "calm"]], 10);
        this.rateChart = new Chart(charts, "Rate", [["handled", "calm"], ["rejected", "warm"]], 10);
        this.threadChart = stage.threads > 0 ? new Chart(charts, "Threads", [["threads", "calm"]], 2) : null;
        this.timeChart = stage.responses
            ? new Chart(charts, "Response", [["p50", "calm"], ["p90", "middle"], ["p99", "warm"]], 1) : null;
        this.timeChart?.figure.classList.add("wide");
    }

    show(stage, before, elapsed, seconds) {
        const perSecond = key => before && elapsed > 0 ? Math.max(0, stage[key] - before[key]) / elapsed : null;
        const handled = perSecond("handled");
        const rejected = perSecond("rejected");
        const times = stage.responses;
        const moment = { length: stage.length, threads: stage.threads, handled, rejected,
            p50: times?.p50 ?? null, p90: times?.p90 ?? null, p99: times?.p99 ?? null };
        // A threshold that nothing comes near to would leave no room for the queue.
        this.history.add(seconds, moment);
        const near = stage.threshold <= 4 * Math.max(10, this.history.most(["length"]));
        moment.threshold = near ? stage.threshold : null;

        this.box.classList.toggle("full", stage.length >= 0.8 * stage.threshold || rejected > 0);
        this.queued.textContent = `${short(stage.length)} of ${short(stage.capacity)} queued`;
        const share = Math.min(1, stage.length / stage.capacity) * BAR.width;
        this.queue.setAttribute("width", stage.length > 0 ? Math.max(2, share) : 0);
        const at = BAR.left + Math.min(1, stage.threshold / stage.capacity) * BAR.width;
        this.mark.setAttribute("d", `M${at} ${BAR.top - 3}v${BAR.height + 6}`);
        this.running.textContent = stage.threads === 1 ? "1 thread" : stage.threads > 0 ? `${stage.threads} threads`
            : cut(stage.runner.split(",")[0], RUNNER_LENGTH);
        this.speed.textContent = rate(handled);

        this.counts.queue.textContent = short(stage.length);
        this.counts.threshold.textContent = short(stage.threshold)
            + (stage.threshold < stage.capacity ? ` of ${short(stage.capacity)}` : "");
        for (const name of ["threads", "batch", "handled", "failed", "discarded", "rejected"]) {
            this.counts[name].textContent = short(stage[name]);
            this.counts[name].title = stage[name].toLocaleString("en");
        }
        this.counts.threads.textContent = stage.threads || "–";
        for (const name of ["failed", "discarded", "rejected"]) {
            this.counts[name].classList.toggle("rejecting", stage[name] > 0);
        }

        this.queueChart.draw(this.history, [[short(stage.length)]]);
        this.threadChart?.draw(this.history, [[stage.threads]]);
        this.rateChart.draw(this.history, rejected > 0 ? [[rate(handled), "calm"], ["× " + short(rejected), "warm"]]
            : [[rate(handled), "calm"]]);
        this.timeChart?.draw(this.history, [["50 % " + millis(moment.p50), "calm"],
            ["90 % " + millis(moment.p90), "middle"], ["99 % " + millis(moment.p99), "warm"]]);
    }
}

class EdgeView {

    constructor(edge, data) {
        const siblings = data.edges.filter(each => each.points && each.source === edge.source);
        this.fromOutside = !edge.points;
        this.group = svg("g", page.drawing, { class: "edge idle" });
        this.title = svg("title", this.group);
        this.path = svg("path", this.group, { d: this.fromOutside ? EdgeView.arrowInto(edge, data) : EdgeView.curve(edge) });
        const length = this.path.getTotalLength();
        if (!this.fromOutside && edge.source !== edge.target) {
            // Where it leaves its stage there is more room than in the middle, where others may pass; and those that
            // are rejected do not get past the end.
            const away = LABEL_AWAY + LABEL_HEIGHT * (siblings.indexOf(edge) % 2);
            this.accepted = this.label(Math.min(away, length / 2), "accepted", 0);
            this.rejected = this.label(length - Math.min(LABEL_AWAY, length / 2), "rejected", 0);
        } else {
            const at = this.fromOutside ? length / 4 : length / 2;
            this.accepted = this.label(at, "accepted", 0);
            this.rejected = this.label(at, "rejected", LABEL_HEIGHT);
        }
    }

    label(at, name, below) {
        const point = this.path.getPointAtLength(at);
        // The arrow from outside is to the left of all others.
        return svg("text", this.group, { class: this.fromOutside ? name + " end" : name,
            x: point.x + (this.fromOutside ? -6 : 6), y: point.y + 4 + below });
    }

    static curve(edge) {
        const points = edge.points;
        if (edge.source === edge.target) {
            const [right, from, , to] = points;
            return `M${right} ${from}C${right + 26} ${from + 6} ${right + 26} ${to - 6} ${right} ${to}`;
        }
        let path = `M${points[0]} ${points[1]}`;
        for (let i = 2; i < points.length; i += 2) {
            const middle = (points[i - 1] + points[i + 1]) / 2;
            path += `C${points[i - 2]} ${middle} ${points[i]} ${middle} ${points[i]} ${points[i + 1]}`;
        }
        return path;
    }

    static arrowInto(edge, data) {
        const target = data.stages.find(stage => stage.name === edge.target);
        return `M${target.x + 20} ${target.y - 32}V${target.y}`;
    }

    show(edge, before, elapsed) {
        const perSecond = key => before && elapsed > 0 ? Math.max(0, edge[key] - before[key]) / elapsed : null;
        const accepted = perSecond("accepted");
        const rejected = perSecond("rejected");
        const used = edge.accepted + edge.rejected > 0;
        this.group.classList.toggle("idle", !used);
        // Most stages are never used from outside: no arrow for those.
        this.group.setAttribute("visibility", used || edge.source !== null ? "visible" : "hidden");
        this.path.setAttribute("stroke-width", (1.2 + Math.log10(1 + (accepted ?? 0)) * 0.7).toFixed(2));
        this.accepted.textContent = used ? rate(accepted) : "";
        this.rejected.textContent = rejected > 0 ? "× " + rate(rejected) : "";
        this.title.textContent = `${edge.source ?? "outside"} → ${edge.target}: ${edge.accepted.toLocaleString("en")} accepted, `
            + `${edge.rejected.toLocaleString("en")} rejected`;
    }
}

// All of it

class GraphView {

    // The view before had stages or edges that are gone, or not those that are there now. What it knows of the others stays.
    constructor(data, last) {
        this.shape = GraphView.shapeOf(data);
        this.before = last?.before ?? null;
        page.drawing.querySelectorAll(":scope > g").forEach(part => part.remove());
        page.stages.replaceChildren();
        page.totals.replaceChildren();
        page.drawing.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
        page.drawing.setAttribute("width", data.width);
        page.root.classList.toggle("broad", data.width > BROAD);
        // Rather scrolled than too small to be read.
        page.drawing.style.minWidth = `${Math.round(data.width * SMALLEST_SCALE)}px`;
        page.name.textContent = data.graph;
        document.title = `${data.graph}: stages`;
        this.edges = data.edges.map(edge => new EdgeView(edge, data));
        const histories = new Map(last?.stages.map(stage => [stage.name, stage.history]));
        this.stages = data.stages.map(stage => new StageView(stage, data, histories.get(stage.name) ?? new History()));
        // In the order in which one reads the graph.
        page.stages.append(...data.stages.map((stage, i) => [stage, this.stages[i].card])
            .sort(([a], [b]) => a.y - b.y || a.x - b.x).map(([, card]) => card));
        this.history = last?.history ?? new History();
        const memory = html("div", page.totals);
        html("dt", memory, { textContent: "memory" });
        this.memory = html("dd", memory);
        this.memoryLine = svg("path", svg("svg", memory, { class: "chart", role: "img",
            "aria-label": "memory, the last minute", viewBox: `0 0 ${CHART.width} ${CHART.height}`,
            preserveAspectRatio: "none" }), { class: "calm" });
        // Times that the program measures itself.
        this.means = Object.keys(data.means).map(name => {
            const mean = html("div", page.totals);
            html("dt", mean, { textContent: name });
            return html("dd", mean);
        });
    }

    static shapeOf(data) {
        return JSON.stringify([data.graph, data.width, data.height, Object.keys(data.means),
            data.stages.map(stage => [stage.name, stage.runner, stage.x, stage.y]),
            data.edges.map(edge => [edge.source, edge.target])]);
    }

    show(data) {
        const elapsed = this.before ? data.seconds - this.before.seconds : 0;
        data.stages.forEach((stage, i) => this.stages[i].show(stage,
            this.before?.stages.find(each => each.name === stage.name), elapsed, data.seconds));
        data.edges.forEach((edge, i) => this.edges[i].show(edge,
            this.before?.edges.find(each => each.source === edge.source && each.target === edge.target), elapsed));
        this.history.add(data.seconds, { memory: data.memory });
        this.memory.textContent = `${bytes(data.memory)} of ${bytes(data.maxMemory)}`;
        this.memoryLine.setAttribute("d", this.history.path("memory", this.history.most(["memory"])));
        Object.values(data.means).forEach((mean, i) => this.means[i].textContent = millis(mean));
        this.before = data;
    }

    // What this has seen of response times.
    looks() {
        return this.before
            ? "?since=" + this.before.stages.map(stage => `${stage.number}:${stage.responses?.count ?? 0}`).join() : "";
    }
}

let view = null;
let lastAnswer = null;

function show(data) {
    // A server that has been started again counts from the beginning.
    const isAnother = data.seconds < view?.before?.seconds;
    if (view === null || isAnother || view.shape !== GraphView.shapeOf(data)) {
        view = new GraphView(data, isAnother ? null : view);
    }
    view.show(data);
}

async function look() {
    try {
        const answer = await fetch("stages.json" + (view === null ? "" : view.looks()),
            { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
        if (!answer.ok) {
            throw new Error(`status ${answer.status}`);
        }
        show(await answer.json());
        lastAnswer = new Date();
        page.root.classList.remove("lost");
        page.state.textContent = "live";
    } catch (error) {
        console.warn(error);
        page.root.classList.add("lost");
        page.state.textContent = lastAnswer === null ? "The server does not answer. Trying again…"
            : `No answer since ${lastAnswer.toLocaleTimeString()}. Trying again…`;
    } finally {
        setTimeout(look, PERIOD);
    }
}

look();
