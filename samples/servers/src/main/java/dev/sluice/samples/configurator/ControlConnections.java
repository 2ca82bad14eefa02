package dev.sluice.samples.configurator;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open control connections. A new one ends the oldest if there are too many: clients that stay and say nothing keep
 * nobody out. For one thread.
 */
final class ControlConnections {

    /** More than anybody needs, and few enough to cost nothing. */
    static final int MOST = 16;

    private final Set<ControlConnection> open = new LinkedHashSet<>();

    void enter(ControlConnection connection) {
        if (open.size() == MOST) {
            open.iterator().next().end();
        }
        open.add(connection);
    }

    void leave(ControlConnection connection) {
        open.remove(connection);
    }
}
