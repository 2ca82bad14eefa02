package dev.sluice.benchmarks.load;

/**
 * A line to the load generator: one of these.
 *
 * @param load    connections that are busy; may be null
 * @param clients clients of a web server; may be null
 * @param visits  visitors of a web server; may be null
 * @param packets peers of a Gnutella router; may be null
 */
record Order(Load load, Clients clients, Visits visits, Packets packets) {
}
